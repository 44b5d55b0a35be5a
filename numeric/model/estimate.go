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
)

// Estimate is a learned model: one Output for each output of the data.
type Estimate struct {
	Data    *dataset.Table
	Outputs []*Output

	spec Spec
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
	number  int        // of the part of the direct sum
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
		size := sum.Parts[i].On.Size()
		w := mat.DenseCopyOf(o.fit.Weights.Slice(at, at+size, 0, my))
		at += size
		own := &Term{Name: t.name, Kind: t.kind, Kernel: sum.Parts[i].Kernel, Factor: factors[i], term: t, number: i, weights: w, out: o}
		u, err := own.respond(ctx, t.columns, t.on, o.Mesh) // what was known beforehand included
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
	f := t.term.family
	switch {
	case t.term.field == nil:
		return nil, fmt.Errorf("%s: is a %s, which has no Green's function; ask for its effect", t.Name, t.Kind)
	case f == nil && len(theta) > 0:
		return nil, fmt.Errorf("%s: has no parameters", t.Name)
	case f != nil && len(theta) != len(f.names):
		return nil, fmt.Errorf("%s: is a family of the parameters %s: give a number for each", t.Name, strings.Join(f.names, ", "))
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
	f := t.term.family
	row, err := f.kernelAt(theta, t.term.on)
	if err != nil {
		return nil, err
	}
	on := t.term.field.Mesh
	own := mat.NewDense(on.Size(), t.out.Mesh.Size(), nil)
	for x := range on.Size() {
		for p, v := range row {
			floats.AddScaled(own.RawRowView(x), v, t.weights.RawRowView(x*len(row)+p))
		}
	}
	k := scaled(t.term.kernel.(kernel.OfParameter).Kernel, t.Factor)
	return t.out.fit.Part(k, on, own, func(xs mesh.Mesh) (mesh.Mesh, error) {
		at, err := f.at(xs, theta)
		if err != nil {
			return mesh.Mesh{}, err
		}
		return t.place(at)
	})
}

// Effect is the curve γ of a covariate on ys, or on the mesh of the data where ys has no
// points: what a unit of the covariate adds to the output.
func (t *Term) Effect(ctx context.Context, ys mesh.Mesh) ([]float64, error) {
	return t.curve(ctx, "", ys, (*fit.Estimate).Green)
}

// Of is the curve of a group on ys, by its label.
func (t *Term) Of(ctx context.Context, label string, ys mesh.Mesh) ([]float64, error) {
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
	on := t.term.on
	var err error
	switch {
	case t.term.field != nil:
		return nil, fmt.Errorf("%s: is a %s; the effect of a covariate or a group is a curve, that of a field its Green's function", t.Name, t.Kind)
	case t.Kind == Curves:
		if on, err = t.term.labelled(label); err != nil {
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
	return o.fit.Bias(ctx, ys)
}

// BiasStd is the posterior standard deviation of β on ys.
func (o *Output) BiasStd(ctx context.Context, ys mesh.Mesh) ([]float64, error) {
	return o.fit.BiasStd(ctx, ys)
}
