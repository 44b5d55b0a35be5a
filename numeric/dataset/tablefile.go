package dataset

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Files of tables are those of datasets of the second version: the arrays input.f,
// output.u, parameter.theta, …, and group.subject with the index of the label of each
// sample, and in dataset.json the order of the names, the meshes and the labels.
const tableVersion = 2

type tableHeader struct {
	Format     string        `json:"format"`
	Version    int           `json:"version"`
	Missing    bool          `json:"missing"`
	Fields     []fieldHeader `json:"fields"`
	Scalars    []string      `json:"scalars"`
	Groups     []groupHeader `json:"groups"`
	Parameters []string      `json:"parameters"`
	Outputs    []fieldHeader `json:"outputs"`
}

type fieldHeader struct {
	Name string    `json:"name"`
	Mesh mesh.Mesh `json:"mesh"`

	Errors []string `json:"errors,omitempty"` // parts of those of an output, arrays errors.u.pairs, …
}

type groupHeader struct {
	Name   string   `json:"name"`
	Labels []string `json:"labels"`
}

// Save writes the table to a .npz file that [LoadTable] reads; read back it is the same
// to the bit.
func (t *Table) Save(path string) error {
	if err := arrays.CheckEnding(path, "datasets", ".npz"); err != nil {
		return err
	}
	m, err := t.Members()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return arrays.SaveMembers(path, m)
}

// Members are what the file of a table holds, for files that hold more.
func (t *Table) Members() (arrays.Members, error) {
	h := tableHeader{Format: formatName, Version: tableVersion, Missing: t.Missing}
	parts := make(map[string]*array.Array)
	for _, f := range t.Fields {
		h.Fields = append(h.Fields, fieldHeader{Name: f.Name, Mesh: f.Mesh})
		parts["input."+f.Name] = f.Values
	}
	for _, s := range t.Scalars {
		h.Scalars = append(h.Scalars, s.Name)
		parts["input."+s.Name] = array.Vector(s.Values)
	}
	for _, g := range t.Groups {
		h.Groups = append(h.Groups, groupHeader{g.Name, g.Labels})
		parts["group."+g.Name] = g.indices()
	}
	for _, s := range t.Parameters {
		h.Parameters = append(h.Parameters, s.Name)
		parts["parameter."+s.Name] = array.Vector(s.Values)
	}
	for _, f := range t.Outputs {
		own := fieldHeader{Name: f.Name, Mesh: f.Mesh}
		parts["output."+f.Name] = f.Values
		for part, a := range f.Errors.Arrays() {
			parts[errorsName(f.Name, part)] = a
			own.Errors = append(own.Errors, part)
		}
		slices.Sort(own.Errors)
		h.Outputs = append(h.Outputs, own)
	}
	text, err := json.MarshalIndent(h, "", " ")
	return arrays.Members{Arrays: parts, Texts: map[string]string{headerName: string(text)}}, err
}

// errorsName is the array of a part of the errors of an output.
func errorsName(output, part string) string { return "errors." + output + "." + part }

func (g Grouping) indices() *array.Array {
	a := array.New(len(g.Of))
	for i, k := range g.Of {
		a.Data[i] = float64(k)
	}
	return a
}

// LoadTable reads a file that [Table.Save] wrote; nil without an error if the file is
// another one, such as [Load] reads.
func LoadTable(ctx context.Context, path string) (*Table, error) {
	if !isNPZ(path) {
		return nil, nil
	}
	f, err := arrays.OpenContext(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := ReadTable(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// ReadTable reads a table from an open file that Save wrote.
func ReadTable(f arrays.Parts) (*Table, error) {
	text, ok, err := f.Text(headerName)
	if err != nil || !ok {
		return nil, err
	}
	var h tableHeader
	if json.Unmarshal([]byte(text), &h) != nil || h.Format != formatName || h.Version != tableVersion {
		return nil, nil
	}
	return h.table(f)
}

func isNPZ(path string) bool { return strings.EqualFold(filepath.Ext(path), ".npz") }

// table reads what the header names, and checks it.
func (h tableHeader) table(f arrays.Parts) (*Table, error) {
	t := &Table{Missing: h.Missing}
	var err error
	if t.Fields, err = readFields(f, "input", h.Fields); err != nil {
		return nil, err
	}
	if t.Outputs, err = readFields(f, "output", h.Outputs); err != nil {
		return nil, err
	}
	if len(t.Outputs) == 0 {
		return nil, errNoOutput
	}
	if t.Scalars, err = readScalars(f, "input", h.Scalars); err != nil {
		return nil, err
	}
	if t.Parameters, err = readScalars(f, "parameter", h.Parameters); err != nil {
		return nil, err
	}
	for _, e := range h.Groups {
		of, err := readIndices(f, "group."+e.Name, len(e.Labels))
		if err != nil {
			return nil, err
		}
		t.Groups = append(t.Groups, Grouping{e.Name, of, e.Labels})
	}
	return t, t.check()
}

func readFields(f arrays.Parts, role string, headers []fieldHeader) (fields []Field, err error) {
	for _, h := range headers {
		if err := checkName(role, h.Name); err != nil {
			return nil, err
		}
		a, err := f.Read(role + "." + h.Name)
		if err != nil {
			return nil, err
		}
		own := Field{Name: h.Name, Values: a, Mesh: h.Mesh}
		if own.Errors, err = h.errors(f, a.Shape[0]); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", role, h.Name, err)
		}
		fields = append(fields, own)
	}
	return fields, nil
}

// errors reads those of an output of n samples.
func (h fieldHeader) errors(f arrays.Parts, n int) (*Errors, error) {
	if len(h.Errors) == 0 {
		return nil, nil
	}
	parts := map[string]*array.Array{}
	for _, part := range h.Errors {
		a, err := f.Read(errorsName(h.Name, part))
		if err != nil {
			return nil, err
		}
		parts[part] = a
	}
	e := ErrorsOf(parts)
	return e, e.check(n, h.Mesh.Size())
}

func readScalars(f arrays.Parts, role string, names []string) (scalars []Scalar, err error) {
	for _, name := range names {
		if err := checkName(role, name); err != nil {
			return nil, err
		}
		a, err := f.Read(role + "." + name)
		if err != nil {
			return nil, err
		}
		scalars = append(scalars, Scalar{name, a.Data})
	}
	return scalars, nil
}

func readIndices(f arrays.Parts, name string, labels int) ([]int, error) {
	a, err := f.Read(name)
	if err != nil {
		return nil, err
	}
	of := make([]int, a.Size())
	for i, x := range a.Data {
		if of[i] = int(x); float64(of[i]) != x || of[i] < 0 || of[i] >= labels {
			return nil, fmt.Errorf("%s[%d] is %g: must be the index of one of %d labels", name, i+1, x, labels)
		}
	}
	return of, nil
}
