package model

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Estimate is a learned model: one Output for each output of the data.
type Estimate struct {
	Data    *dataset.Table
	Outputs []*Output
}

// Output is what was learned of one output. It is immutable and safe for concurrent use.
type Output struct {
	Name   string
	Mesh   mesh.Mesh // of the output
	Terms  []*Term
	Report Report

	fit   *fit.Estimate // of all terms, on the union of their inputs
	known Prior         // beforehand; nil: nothing
	prior float64       // what that is multiplied by
}

// Report is that of the fit, and what the terms contribute.
type Report struct{ fit.Report }

// Term is what was learned of one term.
type Term struct {
	Name      string
	Kind      Kind
	Kernel    kernel.Kernel // with its factor
	Factor    float64       // of the kernel
	Deviation float64       // standard deviation of the term over samples and points of the data, in the unit of the output

	term    *term
	part    int // of the direct sum
	factor  float64
	weights *mat.Dense // points of the term × points of the output
	out     *Output
}

// Output returns the output of a name; nil where there is none.
func (e *Estimate) Output(name string) *Output {
	for _, o := range e.Outputs {
		if o.Name == name {
			return o
		}
	}
	return nil
}

// Term returns the term of a name; nil where there is none.
func (o *Output) Term(name string) *Term {
	for _, t := range o.Terms {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// setTerms cuts the weights into those of the terms.
func (o *Output) setTerms(ctx context.Context, terms []*term, sum kernel.DirectSum, factors []float64) error {
	at, my := 0, o.Mesh.Size()
	for i, t := range terms {
		size := sum.Parts[i].Size()
		w := mat.DenseCopyOf(o.fit.Weights.Slice(at, at+size, 0, my))
		at += size
		own := &Term{Name: t.name, Kind: t.kind, Kernel: sum.Parts[i].Kernel, Factor: factors[i], term: t, part: i, factor: factors[i], weights: w, out: o}
		u, err := own.respond(ctx, t.columns, o.Mesh) // what was known beforehand included
		if err != nil {
			return err
		}
		own.Deviation = deviation(u)
		o.Terms = append(o.Terms, own)
	}
	return nil
}

// deviation is the root of the mean square of what varies from sample to sample.
func deviation(u *mat.Dense) float64 {
	n, m := u.Dims()
	sum := 0.0
	for k := range m {
		mean := 0.0
		for i := range n {
			mean += u.At(i, k) / float64(n)
		}
		for i := range n {
			sum += (u.At(i, k) - mean) * (u.At(i, k) - mean)
		}
	}
	return math.Sqrt(sum / float64(n*m))
}

// place puts points of the term into the union of all.
func (t *Term) place(on mesh.Mesh) (mesh.Mesh, error) {
	d := t.out.fit.InputMesh.Dim()
	size := max(1, on.Size())
	points, weights := make([]float64, size*d), []float64{1}
	x := make([]float64, on.Dim())
	for i := range size {
		points[i*d] = float64(t.part)
		if on.Size() > 0 {
			on.Point(x, i)
			copy(points[i*d+1:(i+1)*d], x)
		}
	}
	if on.Size() > 0 {
		weights = on.Weights()
	}
	axis, err := mesh.Scattered(points, d, weights, t.out.fit.InputMesh.Names()...)
	if err != nil {
		return mesh.Mesh{}, err
	}
	return mesh.New(axis)
}

// Green is the estimate of G of a term that is linear in a field, without a bias. Of a
// family it takes the parameters θ, one number for each.
func (t *Term) Green(theta ...float64) (*fit.Estimate, error) {
	if t.term.field == nil {
		return nil, fmt.Errorf("%s: is a %s, which has no Green's function; ask for its effect", t.Name, t.Kind)
	}
	k, on, w := t.Kernel, t.term.on, t.weights
	f := t.term.family
	switch {
	case f == nil && len(theta) > 0:
		return nil, fmt.Errorf("%s: has no parameters", t.Name)
	case f == nil:
		g, err := t.out.fit.Part(k, on, w, t.place)
		if err == nil && t.out.known != nil {
			g = g.Plus(t.out.known, t.out.prior)
		}
		return g, err
	case len(theta) != len(f.names):
		return nil, fmt.Errorf("%s: is a family of the parameters %s: give a number for each", t.Name, strings.Join(f.names, ", "))
	}
	row, err := f.kernelAt(theta)
	if err != nil {
		return nil, err
	}
	on, k = t.term.field.Mesh, scaled(t.term.kernel.(kernel.OfParameter).Kernel, t.factor)
	my := t.out.Mesh.Size()
	own := mat.NewDense(on.Size(), my, nil)
	for x := range on.Size() {
		for p, v := range row {
			floats.AddScaled(own.RawRowView(x), v, w.RawRowView(x*len(row)+p))
		}
	}
	return t.out.fit.Part(k, on, own, func(xs mesh.Mesh) (mesh.Mesh, error) {
		one, err := mesh.Scattered(theta, len(theta), []float64{1}, f.names...)
		if err != nil {
			return mesh.Mesh{}, err
		}
		at, err := mesh.New(append(xs.Axes(), one)...)
		if err != nil {
			return mesh.Mesh{}, err
		}
		return t.place(at)
	})
}

// kernelAt is the kernel of the parameters between θ and those of the data.
func (f *family) kernelAt(theta []float64) ([]float64, error) {
	k, err := kernel.Compile(f.kernel, kernel.Space{Names: f.names})
	if err != nil {
		return nil, err
	}
	points, err := mesh.New(f.points)
	if err != nil {
		return nil, err
	}
	row := make([]float64, points.Size())
	k.Row(row, theta, points.Columns())
	return row, nil
}

// Effect is the curve γ of a covariate on ys, or on the mesh of the data where ys has no
// points: what a unit of the covariate adds to the output.
func (t *Term) Effect(ctx context.Context, ys mesh.Mesh) ([]float64, error) {
	if t.Kind != Covariate {
		return nil, fmt.Errorf("%s: is a %s; the effect of a covariate is a curve of its own", t.Name, t.Kind)
	}
	return t.curve(ctx, t.Kernel, 0, ys)
}

// Of is the curve of a group on ys, by its label.
func (t *Term) Of(ctx context.Context, label string, ys mesh.Mesh) ([]float64, error) {
	if t.Kind != Curves {
		return nil, fmt.Errorf("%s: is a %s, which has no groups", t.Name, t.Kind)
	}
	j := slices.Index(t.term.group.Labels, label)
	if j < 0 {
		return nil, fmt.Errorf("%s: there is no group %q; there are %s", t.Name, label, strings.Join(t.term.group.Labels, ", "))
	}
	return t.curve(ctx, scaled(t.term.kernel.(kernel.Tensor).Output, t.factor), j, ys)
}

// curve is Σ_k K(y, y_k) w_k for a row of the weights.
func (t *Term) curve(ctx context.Context, k kernel.Kernel, row int, ys mesh.Mesh) ([]float64, error) {
	out := t.out.Mesh
	if ys.Size() == 0 {
		ys = out
	}
	if ys.Dim() != out.Dim() {
		return nil, fmt.Errorf("ymesh: has %d coordinates, must have the %d of the output", ys.Dim(), out.Dim())
	}
	f, err := kernel.Compile(k, kernel.Space{Names: out.Names()})
	if err != nil {
		return nil, err
	}
	g, err := f.Gram(ctx, ys, out)
	if err != nil {
		return nil, err
	}
	v := mat.NewVecDense(ys.Size(), nil)
	v.MulVec(g, t.weights.RowView(row))
	return v.RawVector().Data, nil
}

// EffectStd is the posterior standard deviation of the effect of a covariate, or of the
// curve of a group by its label.
func (t *Term) EffectStd(ctx context.Context, label string, ys mesh.Mesh) ([]float64, error) {
	if ys.Size() == 0 {
		ys = t.out.Mesh
	}
	on := mesh.Mesh{}
	if t.Kind == Curves {
		j := slices.Index(t.term.group.Labels, label)
		if j < 0 {
			return nil, fmt.Errorf("%s: there is no group %q; there are %s", t.Name, label, strings.Join(t.term.group.Labels, ", "))
		}
		axis, err := mesh.Scattered([]float64{float64(j)}, 1, []float64{1}, t.Name)
		if err != nil {
			return nil, err
		}
		if on, err = mesh.New(axis); err != nil {
			return nil, err
		}
	}
	at, err := t.place(on)
	if err != nil {
		return nil, err
	}
	s, err := t.out.fit.Std(ctx, at, ys)
	if err != nil {
		return nil, err
	}
	return s.RawRowView(0), nil
}

// Bias is β on ys.
func (o *Output) Bias(ctx context.Context, ys mesh.Mesh) ([]float64, error) {
	return o.fit.Bias(ctx, ys)
}

// BiasStd is the posterior standard deviation of β on ys.
func (o *Output) BiasStd(ctx context.Context, ys mesh.Mesh) ([]float64, error) {
	return o.fit.BiasStd(ctx, ys)
}
