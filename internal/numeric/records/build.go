package records

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/sheet"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// sparse is the share of a common mesh below which outputs are on points of their own.
const sparse = 0.5

// sampled is a field on one mesh.
type sampled struct {
	values  *array.Array
	mesh    mesh.Mesh
	missing int
}

// apart reports whether the pairs have points of their own: an input with gaps, or outputs
// that are at few of all positions.
func (f *field) apart(labels []string, u *union) bool {
	total := 0
	for _, label := range labels {
		if c := f.curves[label]; c != nil {
			total += len(c.values)
		}
	}
	all := float64(len(labels)) * float64(u.size())
	return f.role == "input" && float64(total) < all || float64(total) < sparse*all
}

// onMesh puts a field on the mesh of all its positions.
func (b *builder) onMesh(f *field, labels []string, u *union) (s sampled, err error) {
	if f.apart(labels, u) {
		return s, b.ownPoints(f, labels, u)
	}
	if s.mesh, err = u.mesh(f.axes); err != nil {
		return s, fmt.Errorf("%s: %w", f.title(), err)
	}
	s.values, s.missing, err = b.matrix(f, labels, u)
	return s, err
}

// ownPoints says that the pairs have no common mesh.
func (b *builder) ownPoints(f *field, labels []string, u *union) error {
	for _, label := range labels {
		c := f.curves[label]
		if c == nil || len(c.values) == u.size() {
			continue
		}
		k := 0
		for k < len(c.values) && u.find(c.at[k*u.dim:(k+1)*u.dim]) == k {
			k++
		}
		return remedy.OwnPoints.For(fmt.Errorf("%s: pairs are at %d positions in all, and pair %s at %d of them, without %s = %g, for one",
			f.title(), u.size(), label, len(c.values), f.axes[0], u.at[k*u.dim]))
	}
	return remedy.OwnPoints.For(fmt.Errorf("%s: pairs are at different positions", f.title()))
}

func (b *builder) dataset(labels []string, input, output *field) (*dataset.Dataset, error) {
	if len(b.Group)+len(b.Parameter) > 0 {
		return nil, remedy.NameInput.For(errors.New("groups and parameters go with inputs and outputs that have names"))
	}
	inputs, err := b.together(input, labels)
	if err != nil {
		return nil, err
	}
	outputs, err := b.together(output, labels)
	if err != nil {
		return nil, err
	}
	if own := input.apart(labels, inputs) || output.apart(labels, outputs); own && inputs.dim == 1 && outputs.dim == 1 {
		return b.curves(labels, input, output, inputs, outputs)
	}
	in, err := b.onMesh(input, labels, inputs)
	if err != nil {
		return nil, err
	}
	out, err := b.onMesh(output, labels, outputs)
	if err != nil {
		return nil, err
	}
	b.noteMissing(output, out)
	return dataset.New(dataset.Spec{Input: in.values, Output: out.values, InputMesh: in.mesh, OutputMesh: out.mesh, Missing: out.missing > 0})
}

// curves makes pairs that have points of their own.
func (b *builder) curves(labels []string, input, output *field, inputs, outputs *union) (*dataset.Dataset, error) {
	s := dataset.CurvesSpec{InputName: input.axes[0], OutputName: output.axes[0]}
	var err error
	if s.Input, err = b.curvesOf(input, labels, inputs); err != nil {
		return nil, err
	}
	if s.Output, err = b.curvesOf(output, labels, outputs); err != nil {
		return nil, err
	}
	return dataset.NewCurves(s)
}

// curvesOf are the pairs at their own points, of which those that differ by rounding are one.
func (b *builder) curvesOf(f *field, labels []string, u *union) ([]dataset.Curve, error) {
	if err := dense.CheckSize(fmt.Sprintf("%s: %d pairs on %d points", f.title(), len(labels), u.size()), float64(len(labels))*float64(u.size())); err != nil {
		return nil, err
	}
	all := make([]dataset.Curve, len(labels))
	fewest, most := u.size(), 0
	for i, label := range labels {
		if err := b.stopped(); err != nil {
			return nil, err
		}
		c := f.curves[label]
		all[i].Values = c.values
		for _, x := range c.at {
			all[i].Points = append(all[i].Points, u.at[u.find([]float64{x})])
		}
		fewest, most = min(fewest, len(c.values)), max(most, len(c.values))
	}
	if f.apart(labels, u) {
		b.note("%s: pairs have points of their own, %d to %d of the %d positions in all", f.title(), fewest, most, u.size())
	}
	return all, nil
}

func (b *builder) noteMissing(f *field, s sampled) {
	if s.missing > 0 {
		b.note("%s: %d of %d values are missing, where pairs lack positions", f.title(), s.missing, s.values.Size())
	}
}

func (b *builder) table(labels []string, inputs, outputs []*field) (*dataset.Table, error) {
	s := dataset.TableSpec{
		Input: make(map[string]*array.Array), Output: make(map[string]*array.Array),
		InputMesh: dataset.Meshes{Of: make(map[string]mesh.Mesh)}, OutputMesh: dataset.Meshes{Of: make(map[string]mesh.Mesh)},
		Group: make(map[string][]string), Parameter: make(map[string][]float64),
	}
	for _, f := range inputs {
		if numbers := covariate(f, labels); numbers != nil {
			s.Input[f.name] = array.Vector(numbers)
			continue
		}
		in, err := b.alone(f, labels)
		if err != nil {
			return nil, err
		}
		s.Input[f.name], s.InputMesh.Of[f.name] = in.values, in.mesh
	}
	for _, f := range outputs {
		out, err := b.alone(f, labels)
		if err != nil {
			return nil, err
		}
		b.noteMissing(f, out)
		s.Output[f.name], s.OutputMesh.Of[f.name] = out.values, out.mesh
		s.Missing = s.Missing || out.missing > 0
	}
	if err := b.ofPairs(labels, &s); err != nil {
		return nil, err
	}
	return dataset.NewTable(s)
}

// alone puts one of several fields on a mesh.
func (b *builder) alone(f *field, labels []string) (sampled, error) {
	u, err := b.together(f, labels)
	if err != nil {
		return sampled{}, err
	}
	return b.onMesh(f, labels, u)
}

// covariate is the number of each pair, if it is the same in all its rows.
func covariate(f *field, labels []string) []float64 {
	numbers := make([]float64, len(labels))
	for i, label := range labels {
		c := f.curves[label]
		if slices.Min(c.values) != slices.Max(c.values) {
			return nil
		}
		numbers[i] = c.values[0]
	}
	return numbers
}

// ofPairs reads the columns that have one value for each pair.
func (b *builder) ofPairs(labels []string, s *dataset.TableSpec) error {
	for name, column := range b.Group {
		words, err := b.constant(labels, column)
		if err != nil {
			return fmt.Errorf("group.%s: %w", name, err)
		}
		for _, w := range words {
			s.Group[name] = append(s.Group[name], w.Word(0))
		}
	}
	for name, column := range b.Parameter {
		numbers, err := b.constant(labels, column)
		if err != nil {
			return fmt.Errorf("parameter.%s: %w", name, err)
		}
		for _, c := range numbers {
			if c.Kind == sheet.Text {
				return fmt.Errorf("parameter.%s: column %s holds words such as %q, want numbers", name, column, c.Word(0))
			}
			s.Parameter[name] = append(s.Parameter[name], c.Numbers[0])
		}
	}
	return nil
}

// constant is the value of a column in each pair, as a column of one row.
func (b *builder) constant(labels []string, name string) ([]*sheet.Column, error) {
	found := make(map[string]*sheet.Column)
	for _, p := range b.Inputs {
		c, err := p.Sheet.Column(name)
		if err != nil {
			return nil, err
		}
		groups, err := b.groups(p, len(b.Inputs) > 1)
		if err != nil {
			return nil, err
		}
		for _, g := range groups {
			k := slices.IndexFunc(g.Rows, func(i int) bool { return !c.Missing(i) })
			if k < 0 {
				return nil, fmt.Errorf("%scolumn %s: has no value for pair %s", start(p.Sheet), c.Name, g.Label)
			}
			first := g.Rows[k]
			for _, i := range g.Rows {
				if !c.Missing(i) && c.Word(i) != c.Word(first) {
					return nil, fmt.Errorf("%scolumn %s: pair %s has %s on %s and %s on %s, want one value",
						start(p.Sheet), c.Name, g.Label, c.Word(first), p.Sheet.Where(first), c.Word(i), p.Sheet.Where(i))
				}
			}
			value := &sheet.Column{Name: c.Name, Kind: c.Kind, Origin: c.Origin, Zoned: c.Zoned, Labels: c.Labels}
			if c.Kind == sheet.Text {
				value.Codes = []int32{c.Codes[first]}
			} else {
				value.Numbers = []float64{c.Numbers[first]}
			}
			found[g.Label] = value
		}
	}
	all := make([]*sheet.Column, len(labels))
	for i, label := range labels {
		if all[i] = found[label]; all[i] == nil || len(all[i].Numbers) == 1 && math.IsInf(all[i].Numbers[0], 0) {
			return nil, fmt.Errorf("column %s: has no finite value for pair %s", name, label)
		}
	}
	return all, nil
}
