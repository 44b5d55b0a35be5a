package model

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// Estimate is a learned model: one Output for each output of the data.
type Estimate struct {
	Data    *dataset.Table
	Outputs []*Output

	spec     Spec
	coupling *coupling // nil: the outputs were learned by themselves
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

	coupling     *coupling // with others, in fit; nil: fit is of this output alone
	number       int       // among them
	unit, centre float64   // the output is unit times that of fit, plus centre

	errors *dataset.Errors // of the data, as given or found; nil: white
	noise  float64         // sigma over that of fit
	spec   *Spec           // whose noise is decided

	cutOff *dataset.Field   // see saveCutOff; nil: the loss is that of squares
	outs   []*dataset.Field // what fit is of, without what was known beforehand, with their errors
}

// Report is that of the fit, and what the terms contribute.
type Report struct{ fit.Report }

// Term is what was learned of one term.
type Term struct {
	Name      string
	Kind      term.Kind
	Kernel    kernel.Kernel // with its factor
	Factor    float64       // of the kernel
	Deviation float64       // standard deviation of the term over samples and points of the data, in the unit of the output

	term    *term.Term
	number  int        // of the part of the direct sum
	weights *mat.Dense // points of the term × points of the output, in its unit
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
func (o *Output) setTerms(ctx context.Context, b *block, sum kernel.DirectSum) error {
	at := 0
	_, columns := o.fit.Weights.Dims()
	for i, t := range b.terms {
		size := sum.Parts[i].On.Size()
		w := o.fit.Weights.Slice(at, at+size, 0, columns).(*mat.Dense)
		at += size
		own := &Term{Name: t.Name, Kind: t.Kind, term: t, number: i, out: o}
		if c := b.coupling; c != nil {
			own.weights = c.ofOutput(i, o.number, w)
			own.Kernel, own.Factor = t.Kernel, c.Terms[i][o.number*(len(c.Units)+1)]
		} else {
			own.weights, own.Kernel, own.Factor = mat.DenseCopyOf(w), sum.Parts[i].Kernel, b.factors[i]
		}
		o.Terms = append(o.Terms, own)
		if b.deviations != nil {
			own.Deviation = b.deviations[i]
			continue
		}
		u, err := own.respond(ctx, t.Columns, t.On, o.Mesh) // what was known beforehand included
		if err != nil {
			return err
		}
		own.Deviation = deviation(u)
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

// place puts points of the term into the union of all, and those of the output among all.
func (t *Term) place(on, ys mesh.Mesh) (x, y mesh.Mesh, err error) {
	if x, err = t.placeInput(on); err != nil {
		return x, y, err
	}
	y, err = t.out.place(ys)
	return x, y, err
}

// place puts points of the output, or those of the data where there are none, among all.
func (o *Output) place(ys mesh.Mesh) (mesh.Mesh, error) {
	if o.coupling == nil {
		return ys, nil
	}
	if ys.Size() == 0 {
		ys = o.Mesh
	}
	if ys.Dim() != o.Mesh.Dim() {
		return ys, fmt.Errorf("ymesh: has %d coordinates, must have the %d of the output", ys.Dim(), o.Mesh.Dim())
	}
	axis, err := outputAxis(float64(o.number))
	if err != nil {
		return ys, err
	}
	return mesh.New(append([]mesh.Axis{axis}, ys.Axes()...)...)
}

func (t *Term) placeInput(on mesh.Mesh) (mesh.Mesh, error) {
	d, own := t.out.fit.InputMesh.Dim(), on.Dim()
	points := make([]float64, on.Size()*d)
	for i := range on.Size() {
		points[i*d] = float64(t.number)
		on.Point(points[i*d+1:i*d+1+own], i)
	}
	axis, err := mesh.Scattered(points, d, on.Weights(), t.out.fit.InputMesh.Names()...)
	if err != nil {
		return mesh.Mesh{}, err
	}
	return mesh.New(axis)
}

// Green is the estimate of G of a term that is linear in a field, without a bias. Of a
// family it takes the parameters θ, one number for each.
func (t *Term) Green(theta ...float64) (*fit.Estimate, error) {
	f := t.term.Family
	switch {
	case t.term.Field == nil:
		return nil, fmt.Errorf("%s: is a %s, which has no Green's function; ask for its effect", t.Name, t.Kind)
	case f == nil && len(theta) > 0:
		return nil, fmt.Errorf("%s: has no parameters", t.Name)
	case f != nil && len(theta) != len(f.Names):
		return nil, fmt.Errorf("%s: is a family of the parameters %s: give a number for each", t.Name, strings.Join(f.Names, ", "))
	case f != nil:
		return t.ofFamily(theta)
	}
	g, err := t.part()
	if err == nil && t.out.known != nil {
		g = g.Plus(t.out.known, t.out.prior)
	}
	return g, err
}

// ofFamily is G of the parameters θ: the weights of all parameters, by the kernel between
// these and θ.
func (t *Term) ofFamily(theta []float64) (*fit.Estimate, error) {
	f := t.term.Family
	row, err := f.KernelAt(theta, t.term.On)
	if err != nil {
		return nil, err
	}
	on := t.term.Field.Mesh
	own := mat.NewDense(on.Size(), t.out.Mesh.Size(), nil)
	for x := range on.Size() {
		for p, v := range row {
			floats.AddScaled(own.RawRowView(x), v, t.weights.RawRowView(x*len(row)+p))
		}
	}
	k := t.term.Kernel.(kernel.OfParameter).Kernel
	if t.out.coupling == nil {
		k = term.Scaled(k, t.Factor)
	}
	return t.out.fit.Part(k, on, t.out.Mesh, own, t.out.unit, func(xs, ys mesh.Mesh) (x, y mesh.Mesh, err error) {
		at, err := f.At(xs, theta)
		if err != nil {
			return x, y, err
		}
		return t.place(at, ys)
	})
}

// Effect is a curve on ys, or on the mesh of the data where ys has no points: of a group, by
// its label, or γ of a covariate, without one: what a unit of the covariate adds to the output.
func (t *Term) Effect(ctx context.Context, label string, ys mesh.Mesh) ([]float64, error) {
	return t.curve(ctx, label, ys, (*fit.Estimate).Green)
}

// EffectStd is the posterior standard deviation of the effect of a covariate, or of the
// curve of a group by its label.
func (t *Term) EffectStd(ctx context.Context, label string, ys mesh.Mesh) ([]float64, error) {
	return t.curve(ctx, label, ys, (*fit.Estimate).Std)
}

// curve is what is asked of the function of a covariate, or of a group.
func (t *Term) curve(ctx context.Context, label string, ys mesh.Mesh,
	ask func(e *fit.Estimate, ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error),
) ([]float64, error) {
	on := t.term.On
	var err error
	switch {
	case t.Kind == term.Operator:
		return nil, fmt.Errorf("%s: is an operator of no given form: it has neither a Green's function nor a curve; predict with the model", t.Name)
	case t.term.Field != nil:
		return nil, fmt.Errorf("%s: is a %s; the effect of a covariate or a group is a curve, that of a field its Green's function", t.Name, t.Kind)
	case t.Kind == term.Curves, t.Kind == term.Noise:
		if on, err = t.term.Labelled(label); err != nil {
			return nil, err
		}
	}
	g, err := t.part()
	if err != nil {
		return nil, err
	}
	v, err := ask(g, ctx, on, ys)
	if err != nil {
		return nil, err
	}
	return v.RawRowView(0), nil
}

// Bias is β on ys.
func (o *Output) Bias(ctx context.Context, ys mesh.Mesh) ([]float64, error) {
	return o.curve(ys, o.centre, func(ys mesh.Mesh) ([]float64, error) { return o.fit.Bias(ctx, ys) })
}

// BiasStd is the posterior standard deviation of β on ys.
func (o *Output) BiasStd(ctx context.Context, ys mesh.Mesh) ([]float64, error) {
	return o.curve(ys, 0, func(ys mesh.Mesh) ([]float64, error) { return o.fit.BiasStd(ctx, ys) })
}

// curve is what is asked of the fit on ys, in the unit of the output.
func (o *Output) curve(ys mesh.Mesh, centre float64, ask func(ys mesh.Mesh) ([]float64, error)) ([]float64, error) {
	ys, err := o.place(ys)
	if err != nil {
		return nil, err
	}
	v, err := ask(ys)
	if err != nil || o.coupling == nil {
		return v, err
	}
	for k := range v {
		v[k] = centre + o.unit*v[k]
	}
	return v, nil
}

// part is the estimate of the function of a term.
func (t *Term) part() (*fit.Estimate, error) {
	return t.out.fit.Part(t.Kernel, t.term.On, t.out.Mesh, t.weights, t.out.unit, t.place)
}

// Labels are those of the groups of a term, or the numbers of the samples of noise.
func (t *Term) Labels() []string { return t.term.Group.Labels }
