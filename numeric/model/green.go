package model

import (
	"context"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/outside"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// Green is the estimate of G of a term that is linear in a field, without a bias. Of a
// family it takes the parameters θ, one number for each.
func (t *Term) Green(theta ...float64) (*fit.Estimate, error) {
	f := t.term.Family
	switch {
	case t.Form != Function:
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
	k := t.term.Kernel.(kernels.OfParameter).Kernel
	if t.out.coupling == nil {
		k = term.Scaled(k, t.Factor)
	}
	return t.out.fit.Part(k, on, t.out.Mesh, own, t.out.unit, func(xs, ys mesh.Mesh) (x, y mesh.Mesh, err error) {
		at, err := f.At(xs, theta)
		if err != nil {
			return x, y, err
		}
		return t.place(at, ys)
	}, outside.Parameters(outside.Sample(f.Names, theta), t.out.spec.Data.Parameters))
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
	case t.Form == Formless:
		return nil, fmt.Errorf("%s: is an operator of no given form: it has neither a Green's function nor a curve; predict with the model", t.Name)
	case t.Form == Function:
		return nil, fmt.Errorf("%s: is a %s; the effect of a covariate or a group is a curve, that of a field its Green's function", t.Name, t.Kind)
	case t.Form == LabelCurves:
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
