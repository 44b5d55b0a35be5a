package zarr

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A Store is a folder with arrays in it, or one array.
type Store struct {
	files fs.FS
	names []string
}

// Unsupported says that an array is there but is not read here, and what it is.
type Unsupported struct{ What string }

func (u *Unsupported) Error() string { return "unsupported: " + u.What }

func unsupported(format string, args ...any) error {
	return &Unsupported{fmt.Sprintf(format, args...)}
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("corrupt: "+format, args...)
}

// The files that say what a folder is.
const (
	array2 = ".zarray"
	group2 = ".zgroup"
	attrs2 = ".zattrs"
	node3  = "zarr.json"
)

// Is says whether a folder is a store.
func Is(files fs.FS) bool {
	return slices.ContainsFunc([]string{array2, group2, node3}, func(name string) bool { return isFile(files, name) })
}

// isFile says whether a name is that of a file that can be read without waiting: no pipe, no device.
func isFile(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && info.Mode().IsRegular()
}

// Open lists the arrays of a store; one that is the whole store is called "".
func Open(files fs.FS) (*Store, error) {
	if !Is(files) {
		return nil, errors.New("not a Zarr store: no .zgroup, .zarray or zarr.json in the folder")
	}
	s := &Store{files: files}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if !s.isArray(name) {
			return nil
		}
		s.names = append(s.names, strings.TrimPrefix(name, "."))
		return fs.SkipDir // of chunks there may be many
	})
	return s, err
}

func (s *Store) isArray(folder string) bool {
	if isFile(s.files, path.Join(folder, array2)) {
		return true
	}
	var node struct {
		Type string `json:"node_type"`
	}
	ok, err := s.json(path.Join(folder, node3), &node)
	return ok && (err != nil || node.Type == "array") // one that cannot be read says so when it is
}

// Names lists the arrays by path.
func (s *Store) Names() []string { return slices.Clone(s.names) }

// An Array is an array of a store, of which the description was read.
type Array struct {
	Shape      []int    // empty for one number
	Dimensions []string // names of the axes, "" for one without; nil: none has one
	Version    int      // of the format: 2 or 3

	layout
	store      *Store
	folder     string
	attributes map[string]any
}

// A layout says how an array is stored.
type layout struct {
	of       kind
	chunk    []int  // shape of a chunk
	steps    []step // undone from the last to the first
	order    []int  // the axes of the array in the order in which a chunk has them
	fill     float64
	filled   bool   // there is a fill value
	begin    string // of the names of chunks
	separate string // between their numbers
}

// Array finds an array; the error is fs.ErrNotExist if there is none.
func (s *Store) Array(name string) (*Array, error) {
	if !slices.Contains(s.names, name) {
		return nil, fs.ErrNotExist
	}
	a := &Array{Version: 3, store: s, folder: path.Join(".", name)}
	read := a.version3
	if isFile(s.files, path.Join(a.folder, array2)) {
		a.Version, read = 2, a.version2
	}
	if err := read(); err != nil {
		return nil, err
	}
	return a, a.check()
}

// most is the largest number of elements; far above what any memory holds.
const most = 1 << 48

// check refuses what no array can be.
func (a *Array) check() error {
	if len(a.chunk) != len(a.Shape) {
		return corrupt("chunks of shape %v of an array of shape %v", a.chunk, a.Shape)
	}
	n, m := 1, 1
	for k, d := range a.Shape {
		c := a.chunk[k]
		if d < 0 || c < 1 || d > 0 && n > most/d || m > most/c {
			return corrupt("shape %v in chunks of %v", a.Shape, a.chunk)
		}
		n, m = n*max(d, 1), m*c
	}
	seen := slices.Sorted(slices.Values(a.order))
	for k := range len(a.Shape) {
		if len(seen) != len(a.Shape) || seen[k] != k {
			return corrupt("order %v of %d axes", a.order, len(a.Shape))
		}
	}
	if a.Dimensions != nil && len(a.Dimensions) != len(a.Shape) {
		a.Dimensions = nil
	}
	return nil
}

// Kind says what the elements are: "float64", "int16" and so on.
func (a *Array) Kind() string { return a.of.name }

// Rows is the length of the first axis, 1 for one number.
func (a *Array) Rows() int {
	if len(a.Shape) == 0 {
		return 1
	}
	return a.Shape[0]
}

// Fill is what stands for chunks that were never written, and whether there is one.
func (a *Array) Fill() (float64, bool) { return a.fill, a.filled }

// Attribute returns the numbers of an attribute, and whether it has such.
func (a *Array) Attribute(name string) ([]float64, bool) {
	value, ok := a.attributes[name]
	if !ok {
		return nil, false
	}
	if list, ok := value.([]any); ok {
		var all []float64
		for _, v := range list {
			x, ok := number(v)
			if !ok {
				return nil, false
			}
			all = append(all, x)
		}
		return all, true
	}
	x, ok := number(value)
	return []float64{x}, ok
}

// Text returns an attribute that is text, "" without one; of what is neither text nor numbers its JSON.
func (a *Array) Text(name string) string {
	value := a.attributes[name]
	if text, ok := value.(string); ok || value == nil {
		return text
	}
	if _, ok := a.Attribute(name); ok {
		return ""
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}
