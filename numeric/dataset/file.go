package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Files of datasets: a .npz with the arrays input and output, which NumPy
// reads, and everything else in dataset.json.
const (
	formatName    = "workbench dataset"
	formatVersion = 1
	headerName    = arrays.DatasetHeader
)

type header struct {
	Format     string    `json:"format"`
	Version    int       `json:"version"`
	Missing    bool      `json:"missing"`
	InputMesh  mesh.Mesh `json:"input_mesh"`
	OutputMesh mesh.Mesh `json:"output_mesh"`

	Curves      bool              `json:"curves,omitempty"` // inputs on points of their own: see saveCurves
	CurveMeshes map[int]mesh.Mesh `json:"curve_meshes,omitempty"`
}

// Save writes the dataset to a .npz file that [Load] reads without being told
// anything; read back it is the same to the bit.
func (d *Dataset) Save(path string) error {
	if err := arrays.CheckEnding(path, "datasets", ".npz"); err != nil {
		return err
	}
	parts := map[string]*array.Array{"input": d.Input, "output": d.Output}
	given := d.saveCurves(parts)
	text, err := json.MarshalIndent(header{formatName, formatVersion, d.Missing, d.InputMesh, d.OutputMesh, d.Curves != nil, given}, "", " ")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return arrays.SaveMembers(path, arrays.Members{
		Arrays: parts,
		Texts:  map[string]string{headerName: string(text)},
	})
}

// LoadSpec says what to take from a file. The zero value is right for a file
// that [Dataset.Save] wrote.
type LoadSpec struct {
	// Names of the arrays; "" stands for f and u, or for input and output in a
	// saved dataset. A name that is a file name, such as u.npy, is read from the
	// directory of the path, so that input and output may be in two files.
	Input, Output string
	// Meshes; they are needed unless the file is a saved dataset, or names the coordinates of its
	// arrays as NetCDF and HDF5 with dimension scales do.
	InputMesh, OutputMesh mesh.Mesh
	Rows                  [2]int // pairs Rows[0], …, Rows[1]-1, counted from 0; the zero value is all
	Missing               bool   // allow NaN: not observed, in the output, and in an input on one axis, which is integrated over its gaps
	Columns               bool   // the arrays have a pair in each column, as MATLAB has them
	// Note is told what was decided on the way, such as times that were put on one clock; nil: nobody is.
	Note func(text string)
}

// Load reads a dataset from a file of any format of package array: a .npz or
// .mat that holds inputs and outputs; a .npy or .csv with the inputs, s.Output
// being the file with the outputs beside it; or a directory, s.Input and
// s.Output being files in it. float32 becomes float64.
func Load(ctx context.Context, path string, s LoadSpec) (*Dataset, error) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() && !arrays.IsFolder(path) {
		return loadFrom(source{ctx: ctx, path: path, dir: path}, s)
	}
	f, err := arrays.OpenContext(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h, saved, err := readHeader(path, f)
	if err != nil {
		return nil, err
	}
	src := source{ctx: ctx, path: path, dir: filepath.Dir(path), file: f, names: f.Names()}
	if saved {
		if h.Curves && s.Input == "" && s.InputMesh.Size() == 0 {
			if src.curves, err = readCurves(f, h); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
		src.inputName, src.outputName = "input", "output"
		s.Missing = s.Missing || h.Missing
		if s.InputMesh.Size() == 0 {
			s.InputMesh = h.InputMesh
		}
		if s.OutputMesh.Size() == 0 {
			s.OutputMesh = h.OutputMesh
		}
	} else if len(src.names) > 1 {
		src.inputName, src.outputName = "f", "u"
	}
	return loadFrom(src, s)
}

// readHeader returns what a saved dataset says about itself, and whether the
// file is one.
func readHeader(path string, f *arrays.File) (h header, saved bool, err error) {
	text, ok, err := f.Text(headerName)
	if err != nil || !ok {
		return h, false, err
	}
	if h, err = parseHeader(text); err != nil {
		return h, false, fmt.Errorf("%s: %s: %w", path, headerName, err)
	}
	return h, true, nil
}

func parseHeader(text string) (h header, err error) {
	err = json.Unmarshal([]byte(text), &h)
	switch {
	case err != nil:
	case h.Format != formatName:
		err = fmt.Errorf("format %q: must be %q", h.Format, formatName)
	case h.Version == tableVersion:
		err = errors.New("holds several named fields, not pairs of one input and one output")
	case h.Version != formatVersion:
		err = fmt.Errorf("version %d: this workbench reads 1 to %d; a newer one may have written the file", h.Version, tableVersion)
	case h.InputMesh.Size() == 0 || h.OutputMesh.Size() == 0:
		err = errors.New("a mesh is missing")
	}
	return h, err
}

// A source is where the arrays come from: an open file, or only a directory.
type source struct {
	ctx                   context.Context
	path, dir             string
	file                  *arrays.File // nil: only files of dir
	names                 []string     // of the arrays in file
	inputName, outputName string       // of the arrays when none are given; "": the only array
	curves                []Curve      // the inputs as they were measured; nil: on their mesh
}

func loadFrom(src source, s LoadSpec) (*Dataset, error) {
	part := s.Rows
	if s.Columns { // the rows of the file are not the pairs
		part = [2]int{}
	}
	if err := src.named(s); err != nil {
		return nil, err
	}
	input, err := src.read("input", s.Input, src.inputName, part)
	if err != nil {
		return nil, err
	}
	output, err := src.read("output", s.Output, src.outputName, part)
	if err != nil {
		return nil, err
	}
	if err := src.checkPairs(s); err != nil {
		return nil, err
	}
	if s.Columns {
		if input, err = columnsAsRows("input", input); err != nil {
			return nil, fmt.Errorf("%s: %w", src.path, err)
		}
		if output, err = columnsAsRows("output", output); err != nil {
			return nil, fmt.Errorf("%s: %w", src.path, err)
		}
	}
	if s.Columns && s.Rows != [2]int{} {
		if input, err = takeRows("input", input, s.Rows); err != nil {
			return nil, fmt.Errorf("%s: %w", src.path, err)
		}
		if output, err = takeRows("output", output, s.Rows); err != nil {
			return nil, fmt.Errorf("%s: %w", src.path, err)
		}
	}
	if input.Shape[0] != output.Shape[0] {
		return nil, fmt.Errorf("%s: %w", src.path, s.unequal(input, output))
	}
	if err := src.ownMeshes(&s, input, output); err != nil {
		return nil, err
	}
	if s.InputMesh.Size() == 0 {
		return nil, src.noMesh("input_mesh", input)
	}
	if s.OutputMesh.Size() == 0 {
		return nil, src.noMesh("output_mesh", output)
	}
	if src.curves != nil && len(src.curves) != input.Shape[0] && s.Rows == [2]int{} {
		return nil, fmt.Errorf("%s: input has %d rows and %d curves: want as many", src.path, input.Shape[0], len(src.curves))
	}
	where := src.path
	if s.Rows != [2]int{} {
		// Indices in errors count from the first of them.
		where = fmt.Sprintf("%s, rows %d to %d", src.path, s.Rows[0]+1, s.Rows[1])
	}
	spec := Spec{Input: input, Output: output, InputMesh: s.InputMesh, OutputMesh: s.OutputMesh, Missing: s.Missing}
	build := New
	if src.curves == nil && spec.inputGaps() {
		build = newOfGaps
	}
	d, err := build(spec)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	if src.curves == nil {
		return d, nil
	}
	if d.Curves = src.curves; s.Rows != [2]int{} {
		if s.Rows[1] > len(src.curves) {
			return nil, fmt.Errorf("%s: there are %d curves: want one for each row", where, len(src.curves))
		}
		d.Curves = src.curves[s.Rows[0]:s.Rows[1]]
	}
	return d, nil
}

// read returns an array by its name in the file, or by a file name; of it the rows given, if
// there are any.
func (src source) read(role, name, otherwise string, r [2]int) (*array.Array, error) {
	if name == "" {
		name = otherwise
	}
	if src.file != nil && r != [2]int{} && slices.Contains(src.names, name) {
		a, of, err := src.file.ReadRows(name, r[0], r[1])
		if err == nil && a == nil {
			err = fmt.Errorf("%s: %w", src.path, notWithin(role, r, of))
		}
		return a, err
	}
	a, err := src.whole(role, name)
	if err == nil && r != [2]int{} {
		if a, err = takeRows(role, a, r); err != nil {
			err = fmt.Errorf("%s: %w", src.path, err)
		}
	}
	return a, err
}

func (src source) whole(role, name string) (*array.Array, error) {
	if src.file != nil && (name == "" || slices.Contains(src.names, name)) {
		return src.file.Read(name)
	}
	if filepath.Ext(name) != "" {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(src.dir, name)
		}
		a, err := src.load(path)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || src.file == nil {
			return a, err
		}
	}
	if src.file == nil {
		return nil, fmt.Errorf("%s: a folder; %s %q: want the name of a file in it", src.path, role, name)
	}
	return src.file.Read(name)
}

// load reads the only array of another file.
func (src source) load(path string) (*array.Array, error) {
	f, err := arrays.OpenContext(src.ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Read("")
}

func takeRows(name string, a *array.Array, r [2]int) (*array.Array, error) {
	if r[0] < 0 || r[0] >= r[1] || r[1] > a.Shape[0] {
		return nil, notWithin(name, r, a.Shape[0])
	}
	return rows(a, r[0], r[1]), nil
}

func notWithin(name string, r [2]int, n int) error {
	return fmt.Errorf("rows %d to %d: must be within 1 to %d, the rows of the %s", r[0]+1, r[1], n, name)
}

func orName(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}

// columnsAsRows is a matrix with rows for columns.
func columnsAsRows(name string, a *array.Array) (*array.Array, error) {
	if a.Rank() != 2 {
		return nil, fmt.Errorf("%s %s: columns are pairs only of a matrix, points × pairs", name, dense.ShapeString(a.Shape))
	}
	n, m := a.Shape[0], a.Shape[1]
	out := array.New(m, n)
	for i := range n {
		for j := range m {
			out.Data[j*n+i] = a.Data[i*m+j]
		}
	}
	return out, nil
}
