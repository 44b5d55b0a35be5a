package network

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Channel is what a term integrates: a formula of the input and the output at a point.
type Channel struct {
	Name  string     `json:"name"`
	Map   *expr.Node `json:"map"`   // slot i is Atoms[i]
	Atoms []Atom     `json:"atoms"` // those that the formula may use
	Text  string     `json:"text"`  // as it was written, to be shown
}

// Atom is a function at the points of a channel: an input by its name or the output, perhaps
// differentiated and at points that are shifted.
type Atom struct {
	Input string    `json:"input,omitempty"` // "": the output
	Order []int     `json:"order,omitempty"` // of the derivative by each coordinate; nil: none
	Shift []float64 `json:"shift,omitempty"` // of each coordinate; nil: none
}

// channel is a Channel on the meshes of the data.
type channel struct {
	Channel
	on     mesh.Mesh
	value  *expr.Program
	output []int           // atoms that are of the output
	slopes []*expr.Program // derivatives of the formula by these
	sample []*linop.Sparse // of these, from the mesh of the output
	other  []int           // atoms that are of inputs
}

// check refuses formulas of more than their atoms, and atoms that there are not.
func (c *Channel) check() error {
	if c.Map == nil {
		return errors.New("has no formula")
	}
	if used := expr.Slots(c.Map); len(used) > 0 && slices.Max(used) >= len(c.Atoms) {
		return fmt.Errorf("the formula uses %d functions, and %d are given", slices.Max(used)+1, len(c.Atoms))
	}
	for _, a := range c.Atoms {
		for _, n := range a.Order {
			if n < 0 || n > MostDerivatives {
				return fmt.Errorf("has a derivative of order %d: must be from 0 to %d", n, MostDerivatives)
			}
		}
		for _, v := range a.Shift {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("has a shift of %v: must be finite", v)
			}
		}
	}
	return nil
}

// MostDerivatives is the highest order of a derivative by one coordinate.
const MostDerivatives = 4

// newChannel puts a channel on a mesh: of the functions in it the one with most points.
func newChannel(c Channel, d *dataset.Table) (*channel, error) {
	p := &channel{Channel: c}
	used := expr.Slots(expr.Simplify(c.Map))
	if len(used) == 0 {
		return nil, fmt.Errorf("is the same number for every f and u: that is a part of β; leave it out")
	}
	out := d.Outputs[0].Mesh
	meshes := []mesh.Mesh{}
	for _, i := range used {
		a := c.Atoms[i]
		if a.Input == "" {
			p.output = append(p.output, i)
			meshes = append(meshes, out)
			continue
		}
		f := d.Field(a.Input)
		if f == nil {
			return nil, fmt.Errorf("there is no input %s", a.Input)
		}
		p.other = append(p.other, i)
		meshes = append(meshes, f.Mesh)
	}
	if len(p.output) > 0 { // a finer mesh of an input makes better integrals
		for _, f := range d.Fields {
			if f.Mesh.Size() > out.Size() && covers(out, f.Mesh) && covers(f.Mesh, out) {
				meshes = append(meshes, f.Mesh)
			}
		}
	}
	p.on = slices.MaxFunc(meshes, func(a, b mesh.Mesh) int { return a.Size() - b.Size() })
	var err error
	if p.value, err = expr.Compile(c.Map, len(c.Atoms)); err != nil {
		return nil, err
	}
	for _, i := range p.output {
		slope, err := expr.Compile(expr.Simplify(expr.Diff(c.Map, i)), len(c.Atoms))
		if err != nil {
			return nil, err
		}
		s, err := newSampling(out, p.on, c.Atoms[i].Order, c.Atoms[i].Shift)
		if err != nil {
			return nil, fmt.Errorf("the output %w", err)
		}
		p.slopes, p.sample = append(p.slopes, slope), append(p.sample, s)
	}
	return p, nil
}

// covers tells whether a has the axes of b, which may reach a little beyond it: values at the
// points of b are then between those of a.
func covers(a, b mesh.Mesh) bool {
	p, q := a.Axes(), b.Axes()
	return slices.EqualFunc(p, q, func(p, q mesh.Axis) bool {
		if p.Dim() != 1 || q.Dim() != 1 || p.Scattered() || q.Scattered() || p.Size() < stencil || (p.Period > 0) != (q.Period > 0) {
			return false
		}
		if p.Period > 0 {
			return math.Abs(p.Period-q.Period) < 1e-9*p.Period
		}
		step := p.Length() / float64(p.Size())
		return q.Coordinates[0] >= p.Coordinates[0]-step && q.Coordinates[q.Size()-1] <= p.Coordinates[p.Size()-1]+step
	})
}

// inputs are the atoms of inputs at the points of the channel for each sample; nil where there
// are none.
type inputs [][]*mat.Dense // by channel, then as in other

func (c *channel) inputs(d *dataset.Table) ([]*mat.Dense, error) {
	var all []*mat.Dense
	for _, i := range c.other {
		a := c.Atoms[i]
		f := d.Field(a.Input)
		if f == nil {
			return nil, fmt.Errorf("%s: missing: the term %s needs it for every sample", a.Input, c.Name)
		}
		s, err := newSampling(f.Mesh, c.on, a.Order, a.Shift)
		if err != nil {
			return nil, fmt.Errorf("the input %s %w", a.Input, err)
		}
		all = append(all, sampled(s, rows(f)))
	}
	return all, nil
}

// rows are the values of a field, n × points.
func rows(f *dataset.Field) *mat.Dense {
	m := f.Mesh.Size()
	return mat.NewDense(len(f.Values.Data)/m, m, f.Values.Data)
}

// sampled are rows at the points of a sampling.
func sampled(s *linop.Sparse, u *mat.Dense) *mat.Dense {
	n, _ := u.Dims()
	m, _ := s.Dims()
	out := mat.NewDense(n, m, nil)
	for i := range n {
		s.MulVec(out.RawRowView(i), u.RawRowView(i))
	}
	return out
}

// operands are the atoms of one sample, whose output is u.
func (c *channel) operands(in []*mat.Dense, sample int, u []float64) []expr.Operand {
	vars := make([]expr.Operand, len(c.Atoms))
	for k, i := range c.other {
		vars[i].Vector = in[k].RawRowView(sample)
	}
	for k, i := range c.output {
		v := make([]float64, c.on.Size())
		c.sample[k].MulVec(v, u)
		vars[i].Vector = v
	}
	return vars
}

// values of the channel for all samples.
func (c *channel) values(in []*mat.Dense, u *mat.Dense) *mat.Dense {
	n, _ := u.Dims()
	out := mat.NewDense(n, c.on.Size(), nil)
	for i := range n {
		c.value.Block(out.RawRowView(i), c.operands(in, i, u.RawRowView(i)))
	}
	return out
}

var errNotFinite = errors.New("is not finite")

// finite says where values are not.
func (c *channel) finite(v *mat.Dense) error {
	n, m := v.Dims()
	p := make([]float64, c.on.Dim())
	for i := range n {
		for k, x := range v.RawRowView(i) {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				c.on.Point(p, k%m)
				return fmt.Errorf("%w: %v for pair %d at %v: must be finite for the outputs of the data, and for predictions of them", errNotFinite, x, i+1, p)
			}
		}
	}
	return nil
}

// largest is the largest modulus of numbers.
func largest(v []float64) (most float64) {
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	return most
}

// norm is the Euclidean norm.
func norm(v []float64) float64 { return floats.Norm(v, 2) }

// tangent is the channel linearised at h, of u, for all samples.
func (c *channel) tangent(in []*mat.Dense, h, u *mat.Dense) *mat.Dense {
	out := c.values(in, h)
	for i := range out.RawMatrix().Rows {
		d := append([]float64(nil), u.RawRowView(i)...)
		floats.Sub(d, h.RawRowView(i))
		c.addSlope(out.RawRowView(i), in, i, h.RawRowView(i), d)
	}
	return out
}

// addSlope adds φ′(u) d of a sample.
func (c *channel) addSlope(dst []float64, in []*mat.Dense, sample int, u, d []float64) {
	vars := c.operands(in, sample, u)
	slope, moved := make([]float64, len(dst)), make([]float64, len(dst))
	for a := range c.output {
		c.slopes[a].Block(slope, vars)
		c.sample[a].MulVec(moved, d)
		floats.Mul(slope, moved)
		floats.Add(dst, slope)
	}
}
