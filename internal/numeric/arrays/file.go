package arrays

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/array"
)

// formats are the kinds of file, by extension.
func formats() []format {
	return []format{
		{extensions: []string{".npz"}, open: openNPZ, save: saveNPZ},
		{extensions: []string{".npy"}, open: openNPY, save: saveNPY},
		{extensions: []string{".csv", ".tsv", ".txt", ".dat"}, open: openCSV, save: saveCSV, text: true},
		{extensions: []string{".mat"}, open: openMAT, save: saveMAT},
		{extensions: []string{".h5", ".hdf5"}, open: openHDF5, save: saveHDF5},
		{extensions: []string{".hdf", ".nc", ".nc4", ".cdf"}, open: openHDF5},
		{extensions: []string{".xlsx", ".xlsm"}, open: openXLSX},
	}
}

// A format is one kind of file. open looks at r, size bytes long, far enough to
// list the arrays; base is the name of an array that has none of its own. A
// header is never believed about how much to allocate: only bytes that are
// there count. save is nil for a format that is only read.
type format struct {
	extensions []string
	open       opener
	text       bool // made of characters
	save       func(w io.Writer, extension string, m Members) error
}

// contents is what a file holds: the names of its arrays in the file's order,
// and how to read one of them. text has the parts that are not arrays.
type contents struct {
	names   []string
	read    func(name string) (*array.Array, error)
	rows    func(name string, lo, hi int) (a *array.Array, of int, err error) // nil: only the whole is read; else as [File.ReadRows]
	complex func(name string) (*Complex, error)                               // nil: no complex numbers
	text    func(name string) ([]byte, error)                                 // nil: no such parts; fs.ErrNotExist: not this one
	axes    func(name string) ([]Axis, error)                                 // nil: axes have no names
	note    func(name, attribute string) string                               // nil: arrays have no attributes
}

// Members is what is saved into one file: arrays by name, and, in .npz only,
// texts by name (such as "meta.json") for what is not an array.
type Members struct {
	Arrays  map[string]*array.Array
	Complex map[string]*Complex
	Texts   map[string]string
}

// A File is an open file of arrays; they are read one by one as asked for.
type File struct {
	path  string
	close func() error
	contents
}

// An unsupportedError says that an array is there but is not made of real
// numbers that float64 can hold: text, structs, complex numbers.
type unsupportedError struct {
	What    string
	complex bool // what LoadNumbers reads
}

// complexNumbers is the error of an array that [LoadNumbers] reads and [Load] does not.
func complexNumbers(what string) error {
	return remedy.ComplexParts.For(&unsupportedError{what, true})
}

func (e *unsupportedError) Error() string { return "unsupported: " + e.What }

// OpenRegular opens a file to be read. It refuses named pipes and devices, which
// can keep a reader waiting for ever, and folders.
func OpenRegular(path string) (*os.File, error) {
	if path == "" {
		return nil, errors.New("the name of the file is empty")
	}
	info, err := os.Stat(path) // opening a named pipe would wait already
	if err != nil {
		return nil, err
	}
	mode := info.Mode()
	if mode.IsRegular() {
		return os.Open(path)
	}
	what := "a device"
	switch {
	case mode.IsDir():
		return nil, fmt.Errorf("%s: not a regular file but a directory", path)
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	}
	return nil, fmt.Errorf("%s: not a regular file but %s; write its contents to a file first", path, what)
}

// ReadRegular reads a whole file that OpenRegular accepts.
func ReadRegular(path string) ([]byte, error) {
	f, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Open opens a .npz, .npy, .csv (.tsv, .txt, .dat), .mat, HDF5 (.h5, .hdf5,
// .hdf), NetCDF (.nc, .nc4, .cdf) or .xlsx file, known by what it begins with and
// otherwise by its extension; it lists the arrays. Those in groups go by
// their path, such as "run1/f". Errors name the file and what is wrong, and of
// files that are not read what they are and how what they hold gets here.
//
// A folder that is a Zarr store is opened too.
func Open(path string) (*File, error) { return OpenContext(contextOf(nil), path) }

// OpenContext is [Open] of a file that is not read any further after the end of a context.
func OpenContext(ctx context.Context, path string) (*File, error) {
	if IsFolder(path) {
		return openZarr(ctx, path)
	}
	f, err := OpenRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		hint, extension := spelling.File(path), strings.ToLower(filepath.Ext(path))
		if _, err := formatOf(path); err != nil && !strings.Contains(hint, "did you mean") && extension != "" && extension != ".zarr" {
			return nil, err
		}
		return nil, fmt.Errorf("%s: %w%s", path, fs.ErrNotExist, hint)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() == 0 {
		err = fmt.Errorf("%s: empty file", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	r := stoppableFile{f, ctx}
	var c *contents
	open, err := openerOf(r, info.Size(), path)
	if err == nil {
		c, err = open(r, info.Size(), base)
	}
	if err != nil {
		f.Close()
		if stopped := ended(contextOf(r)); stopped != nil {
			return nil, stopped
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &File{path: path, close: f.Close, contents: *c}, nil
}

// Close closes the file.
func (f *File) Close() error { return f.close() }

// Names lists the arrays in the file's order, those of unsupported kinds too.
func (f *File) Names() []string { return slices.Clone(f.names) }

// Read returns one array. The empty name stands for the only array of a file.
// In a .csv with a header line, the name of a column gives that column.
func (f *File) Read(name string) (*array.Array, error) {
	if name == "" {
		if len(f.names) != 1 {
			return nil, f.which()
		}
		name = f.names[0]
	}
	a, err := f.read(name)
	return f.named(name, a, err)
}

// which asks which array of a file is meant, and names the first that is not of another kind.
func (f *File) which() error {
	err := fmt.Errorf("%s: which array? the file holds %s", f.path, list(f.names))
	if len(f.names) == 0 {
		return err
	}
	return remedy.NameArray.For(err, f.path, f.names[0])
}

// ReadRows returns the rows lo, …, hi-1 of an array, and how many it has; nil where these are
// not within them. HDF5 and NetCDF files and Zarr stores read no more than these; of others the whole is read.
func (f *File) ReadRows(name string, lo, hi int) (a *array.Array, of int, err error) {
	if f.rows != nil && name != "" && lo >= 0 && lo < hi {
		if a, of, err = f.rows(name, lo, hi); err != nil {
			_, err = f.named(name, nil, err)
		}
		return a, of, err
	}
	if a, err = f.Read(name); err != nil {
		return nil, 0, err
	}
	of = a.Shape[0]
	a, err = someRows(a, lo, hi)
	return a, of, err
}

// someRows is a copy of some rows; nil where these are not within those of a.
func someRows(a *array.Array, lo, hi int) (*array.Array, error) {
	if lo < 0 || lo >= hi || hi > a.Shape[0] {
		return nil, nil
	}
	shape, row := slices.Clone(a.Shape), len(a.Data)/a.Shape[0]
	shape[0] = hi - lo
	return array.Of(slices.Clone(a.Data[lo*row:hi*row]), shape...)
}

// named is what reading an array gave, with the names of the file and the array in its error.
func (f *File) named(name string, a *array.Array, err error) (*array.Array, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no array %q; the file holds %s%s", f.path, name, list(f.names), spelling.Nearest(name, f.names))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: array %q: %w", f.path, name, err)
	}
	return a, nil
}

// Text returns a part of a .npz file that is not an array, and whether it is there.
func (f *File) Text(name string) (text string, ok bool, err error) {
	if f.text == nil {
		return "", false, nil
	}
	b, err := f.text(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("%s: %s: %w", f.path, name, err)
	}
	return string(b), true, nil
}

// Load reads one array from a file, as [File.Read] does.
func Load(path, name string) (*array.Array, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Read(name)
}

// LoadNumbers is [Load] for arrays that may be complex: one of the two is not nil.
func LoadNumbers(ctx context.Context, path, name string) (*array.Array, *Complex, error) {
	f, err := OpenContext(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	a, err := f.Read(name)
	var unsupported *unsupportedError
	if f.complex == nil || !errors.As(err, &unsupported) || !unsupported.complex {
		return a, nil, err
	}
	if name == "" {
		name = f.names[0]
	}
	z, err := f.complex(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: array %q: %w", path, name, err)
	}
	return nil, z, nil
}

// LoadAll reads every array of a file except those of unsupported kinds (Load
// one by name to learn why). The array of a .npy or .csv file goes by the
// file's name without the extension.
func LoadAll(path string) (map[string]*array.Array, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := make(map[string]*array.Array, len(f.names))
	for _, name := range f.names {
		a, err := f.Read(name)
		var unsupported *unsupportedError
		if errors.As(err, &unsupported) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all[name] = a
	}
	return all, nil
}

// Save writes one array; in a .npz it is called arr_0, as NumPy does, in a .mat as the
// file, or data where that is no name. The file is replaced as a whole or not at all: see
// [WriteAtomic].
func Save(path string, a *array.Array) error {
	return SaveMembers(path, Members{Arrays: map[string]*array.Array{nameOfOne(path): a}})
}

// SaveComplex is [Save] for complex numbers, to .npy, .npz and .mat.
func SaveComplex(path string, z *Complex) error {
	return SaveMembers(path, Members{Complex: map[string]*Complex{nameOfOne(path): z}})
}

// nameOfOne is what the only array of a file is called in it.
func nameOfOne(path string) string {
	extension := filepath.Ext(path)
	if strings.EqualFold(extension, ".mat") {
		return matNameOf(strings.TrimSuffix(filepath.Base(path), extension))
	}
	return "arr_0"
}

// SaveAll writes several arrays into a .npz or .mat file, as [Save] does.
func SaveAll(path string, arrays map[string]*array.Array) error {
	return SaveMembers(path, Members{Arrays: arrays})
}

// SaveMembers writes arrays and texts into a .npz or .h5 file (there texts are attributes
// of the file), or arrays into a .mat file, as [Save] does. The same members give the same bytes.
func SaveMembers(path string, m Members) error {
	what := "arrays"
	if len(m.Complex) > 0 {
		what = "complex arrays"
	}
	if err := CheckEnding(path, what, written(len(m.Complex) > 0)...); err != nil {
		return err
	}
	format, err := formatOf(path)
	if err != nil {
		return err
	}
	extension := strings.ToLower(filepath.Ext(path))
	for _, name := range slices.Sorted(maps.Keys(m.Arrays)) {
		if a := m.Arrays[name]; a == nil || len(a.Shape) == 0 {
			return fmt.Errorf("%s: array %q: has no shape", path, name)
		}
	}
	return WriteAtomic(path, func(w io.Writer) error { return format.save(w, extension, m) })
}

// only returns the array of a file that can hold just one.
func (m Members) only(extension string) (*array.Array, error) {
	if len(m.Arrays) != 1 || len(m.Texts)+len(m.Complex) != 0 {
		return nil, fmt.Errorf("a %s file holds one array, got %d parts: save .npz, .mat or .h5", extension, len(m.Arrays)+len(m.Texts)+len(m.Complex))
	}
	for _, a := range m.Arrays {
		return a, nil
	}
	panic("unreachable")
}

// HasFormat says whether the extension of a path is one of the files of arrays.
func HasFormat(path string) bool { _, err := formatOf(path); return err == nil }

func formatOf(path string) (format, error) {
	extension := strings.ToLower(filepath.Ext(path))
	for _, f := range formats() {
		if slices.Contains(f.extensions, extension) {
			return f, nil
		}
	}
	return format{}, fmt.Errorf("%s: unknown extension %q: want .npz, .npy, .csv, .mat, .h5, .nc or .xlsx", path, extension)
}

// written are the extensions of the formats that are written, of each format the usual one first; complex numbers are no text.
func written(complexNumbers bool) (extensions []string) {
	for _, f := range formats() {
		if f.save != nil && !(f.text && complexNumbers) {
			extensions = append(extensions, f.extensions...)
		}
	}
	return extensions
}

func list(names []string) string {
	const enough = 20
	switch {
	case len(names) == 0:
		return "no arrays"
	case len(names) > enough:
		return strings.Join(names[:enough], ", ") + fmt.Sprintf(" and %d more", len(names)-enough)
	}
	return strings.Join(names, ", ")
}
