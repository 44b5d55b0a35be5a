package dataset

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A Table is n samples of several named things: what a model of several terms
// is learned from, as a [Dataset] is for one field. [NewTable] checks it and has
// each list in the order of the names; it is not to be changed afterwards.
type Table struct {
	Fields     []Field    // inputs that are functions: a linear term each
	Scalars    []Scalar   // covariates: a varying intercept each; times a field, a varying coefficient
	Groups     []Grouping // labels of the samples: a random curve for each label
	Parameters []Scalar   // θ of a family of operators G_θ
	Outputs    []Field
	Missing    bool // outputs may be NaN: not observed
}

// A Field is a function of each sample on one mesh.
type Field struct {
	Name   string
	Values *array.Array // n × Mesh.Size(), finite, or NaN in an output where Missing allows
	Mesh   mesh.Mesh
	Errors *Errors // of an output; nil: white noise
}

// A Scalar is a finite number of each sample.
type Scalar struct {
	Name   string
	Values []float64
}

// A Grouping says which samples belong together: sample i to Labels[Of[i]].
type Grouping struct {
	Name   string
	Of     []int
	Labels []string // in the order of their first samples
}

// TableSpec is what a table is made from, by name.
type TableSpec struct {
	// Input holds functions, n × points as in [Spec], and covariates: n numbers for
	// which InputMesh has no mesh of that name.
	Input  map[string]*array.Array
	Output map[string]*array.Array // functions, n × points
	// InputMesh and OutputMesh have a mesh for each function.
	InputMesh, OutputMesh Meshes
	Group                 map[string][]string  // a label for each sample
	Parameter             map[string][]float64 // a number for each sample
	Missing               bool                 // allow NaN in the outputs: not observed
}

// Meshes are those of functions by name, or one that all of them share.
type Meshes struct {
	All mesh.Mesh
	Of  map[string]mesh.Mesh
}

var errNoOutput = remedy.NameOutput.For(errors.New("output: missing"))

// NewTable checks the samples against each other and the meshes, and that their
// terms can be told apart, which one sample alone, such as a long record, leaves open. The table shares the numbers. Errors name things as
// scripts do and count from 1.
func NewTable(s TableSpec) (*Table, error) {
	if len(s.Output) == 0 {
		return nil, errNoOutput
	}
	t, err := NewInputs(s)
	if err != nil {
		return nil, err
	}
	return t, t.distinguishable()
}

// NewInputs makes a table to predict for: one sample will do, outputs may be missing
// altogether, and nothing has to be told apart.
func NewInputs(s TableSpec) (*Table, error) {
	if err := s.checkNames(); err != nil {
		return nil, err
	}
	t := &Table{Missing: s.Missing}
	for _, name := range sorted(s.Input) {
		a := s.Input[name]
		m, err := s.InputMesh.of("input", name, a)
		if err != nil {
			return nil, err
		}
		if m.Size() == 0 {
			t.Scalars = append(t.Scalars, Scalar{name, a.Data})
			continue
		}
		t.Fields = append(t.Fields, Field{Name: name, Values: a, Mesh: m})
	}
	for _, name := range sorted(s.Output) {
		m, err := s.OutputMesh.of("output", name, s.Output[name])
		if err != nil {
			return nil, err
		}
		t.Outputs = append(t.Outputs, Field{Name: name, Values: s.Output[name], Mesh: m})
	}
	for _, name := range sorted(s.Group) {
		t.Groups = append(t.Groups, newGrouping(name, s.Group[name]))
	}
	for _, name := range sorted(s.Parameter) {
		t.Parameters = append(t.Parameters, Scalar{name, s.Parameter[name]})
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	return t, nil
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// of is the mesh of a function, the empty one for a covariate.
func (ms Meshes) of(role, name string, a *array.Array) (mesh.Mesh, error) {
	if a == nil || len(a.Shape) == 0 {
		return mesh.Mesh{}, fmt.Errorf("%s.%s: missing", role, name)
	}
	m, given := ms.Of[name]
	scalar := role == "input" && (a.Rank() == 1 || a.Rank() == 2 && a.Shape[1] == 1)
	switch {
	case given && m.Size() > 0:
		return m, nil
	case scalar:
		return mesh.Mesh{}, nil
	case ms.All.Size() > 0:
		return ms.All, nil
	}
	shape := dense.ShapeString(a.Shape)
	if a.Rank() == 1 {
		return m, fmt.Errorf("%s_mesh.%s: missing; %s.%s is %s: want samples × points, and the mesh of the points", role, name, role, name, shape)
	}
	hint := ""
	if role == "input" {
		hint = "; a covariate is one number for each sample"
	}
	points := a.Size() / max(a.Shape[0], 1)
	return m, fmt.Errorf("%s_mesh.%s: missing; %s.%s is %s: want a mesh of %s%s", role, name, role, name, shape, spelling.Count(points, "point"), hint)
}

func newGrouping(name string, labels []string) Grouping {
	g := Grouping{Name: name, Of: make([]int, len(labels))}
	known := make(map[string]int)
	for i, label := range labels {
		k, ok := known[label]
		if !ok {
			k = len(g.Labels)
			known[label], g.Labels = k, append(g.Labels, label)
		}
		g.Of[i] = k
	}
	return g
}

// check makes every function n × points and looks at lengths and numbers.
func (t *Table) check() error {
	if len(t.Fields)+len(t.Scalars)+len(t.Groups) == 0 {
		return remedy.NameInput.For(errors.New("input: missing"))
	}
	for i := range t.Fields {
		if err := t.Fields[i].check("input", false); err != nil {
			return err
		}
	}
	for i := range t.Outputs {
		if err := t.Outputs[i].check("output", t.Missing); err != nil {
			return err
		}
	}
	if err := t.checkLengths(); err != nil {
		return err
	}
	for _, s := range t.Scalars {
		if err := checkNumbers("input."+s.Name, array.Vector(s.Values), false); err != nil {
			return err
		}
	}
	for _, s := range t.Parameters {
		if err := checkNumbers("parameter."+s.Name, array.Vector(s.Values), false); err != nil {
			return err
		}
	}
	return nil
}

// Checked returns the table if all of it is as [NewTable] would have it.
func (t *Table) Checked() (*Table, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	return t, nil
}

// weighs refuses a mesh that has no volume: points on a line in the plane, say, whose box is as thin.
func weighs(name string, m mesh.Mesh) error {
	if slices.ContainsFunc(m.Weights(), func(w float64) bool { return w != 0 }) {
		return nil
	}
	return remedy.WeightPoints.For(fmt.Errorf("%s: all weights are zero, so that no integral over it says anything", name))
}

// check flattens the values and looks at every one of them.
func (f *Field) check(role string, missing bool) error {
	if f.Values.Shape[0] == 0 {
		return fmt.Errorf("%s.%s: must be at least 1 sample", role, f.Name)
	}
	name := role + "." + f.Name
	flat, err := flatten(argument{name, role + "_mesh." + f.Name, f.Name}, f.Values, f.Mesh)
	if err != nil {
		return err
	}
	if err := weighs(role+"_mesh."+f.Name, f.Mesh); err != nil {
		return err
	}
	if err := checkNumbers(name, f.Values, missing); err != nil {
		return err
	}
	f.Values = flat
	return nil
}

// checkLengths compares the numbers of samples.
func (t *Table) checkLengths() error {
	all := t.columns()
	for _, c := range all[1:] {
		if first := all[0]; c.n != first.n {
			return fmt.Errorf("%s has %d samples and %s %d: want one row, number or label for each sample", first.name, first.n, c.name, c.n)
		}
	}
	return nil
}

// A column is a thing of the table by the name a script has for it.
type column struct {
	name string
	n    int
}

func (t *Table) columns() (all []column) {
	for _, f := range t.Outputs {
		all = append(all, column{"output." + f.Name, f.Values.Shape[0]})
	}
	for _, f := range t.Fields {
		all = append(all, column{"input." + f.Name, f.Values.Shape[0]})
	}
	for _, s := range t.Scalars {
		all = append(all, column{"input." + s.Name, len(s.Values)})
	}
	for _, g := range t.Groups {
		all = append(all, column{"group." + g.Name, len(g.Of)})
	}
	for _, s := range t.Parameters {
		all = append(all, column{"parameter." + s.Name, len(s.Values)})
	}
	return all
}

// N is the number of samples.
func (t *Table) N() int { return t.columns()[0].n }

// Field, Scalar, Grouping and Output find a thing by its name, nil if there is none.
func (t *Table) Field(name string) *Field {
	return find(t.Fields, name, func(f Field) string { return f.Name })
}

// Scalar is documented at [Table.Field].
func (t *Table) Scalar(name string) *Scalar {
	return find(t.Scalars, name, func(s Scalar) string { return s.Name })
}

// Grouping is documented at [Table.Field].
func (t *Table) Grouping(name string) *Grouping {
	return find(t.Groups, name, func(g Grouping) string { return g.Name })
}

// Output is documented at [Table.Field].
func (t *Table) Output(name string) *Field {
	return find(t.Outputs, name, func(f Field) string { return f.Name })
}

func find[T any](list []T, name string, of func(T) string) *T {
	if i := slices.IndexFunc(list, func(v T) bool { return of(v) == name }); i >= 0 {
		return &list[i]
	}
	return nil
}

// Pair returns one input field and one output as the dataset of a fit with one field.
func (t *Table) Pair(input, output string) (*Dataset, error) {
	f, u := t.Field(input), t.Output(output)
	if f == nil || u == nil {
		return nil, fmt.Errorf("no field %q or no output %q", input, output)
	}
	return &Dataset{Input: f.Values, Output: u.Values, InputMesh: f.Mesh, OutputMesh: u.Mesh, Missing: t.Missing, Errors: u.Errors}, nil
}

// Table returns the pairs as a table of the field "input" and the output "output", which
// share the numbers; [Table.Pair] is the way back.
func (d *Dataset) Table() *Table {
	return &Table{
		Fields:  []Field{{Name: "input", Values: d.Input, Mesh: d.InputMesh}},
		Outputs: []Field{{Name: "output", Values: d.Output, Mesh: d.OutputMesh, Errors: d.Errors}}, Missing: d.Missing,
	}
}
