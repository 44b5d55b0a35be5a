package model

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// freeConstants makes the likelihood of coupled outputs that of data whose constants are free, as those of outputs
// that are learned by themselves: only then do the two tell whether outputs depend on each other. The fit has constants
// of about the size of the outputs instead, one for each. Cost: a fit with known penalties for each output.
func (f *found) freeConstants(ctx context.Context) error {
	c := f.b.coupling
	if c == nil || !f.spec.flat() || f.all[0].Report.REML == nil {
		return nil
	}
	ctx, end := progress.During(ctx, "constants of the outputs")
	defer end()
	e := f.all[0].fit
	s, _ := e.Learned()
	each := f.b.mesh().Size()
	var constants []*array.Array
	for o := range f.b.outs {
		a, seen := s.Data.Output.Copy(), false
		for i := range a.Data {
			own := i/each%len(f.b.outs) == o
			switch {
			case math.IsNaN(a.Data[i]):
			case own:
				a.Data[i], seen = 1, true
			default:
				a.Data[i] = 0
			}
		}
		if seen {
			constants = append(constants, a)
		}
	}
	change, err := contrasts(ctx, e, constants)
	if err != nil {
		return err
	}
	if math.IsNaN(change) { // beyond rounding: the likelihood is not known
		for _, o := range f.all {
			o.Report.REML, o.Report.REMLError = nil, nil
		}
		return nil
	}
	for o, out := range f.b.outs {
		if outputs.Count(&dataset.Dataset{Input: out.Values, Output: out.Values, OutputMesh: out.Mesh}) > 0 {
			change -= math.Log(c.Units[o])
		}
	}
	*f.all[0].Report.REML += change
	return nil
}

// contrasts is what minus the logarithm of the likelihood of an estimate changes by if some outputs, of ones and zeros, are
// free to be added to the data. With H the covariance of the scaled data T, C those outputs and M = CᵀH⁻¹C, it is that of
// the contrasts, on an orthonormal basis,
//
//	½ ((N - q) log((TᵀH⁻¹T - aᵀM⁻¹a)/(N - q)) - N log(TᵀH⁻¹T/N) + log det M - log det CᵀC),  a = CᵀH⁻¹T,
//
// where H⁻¹ times data is what a fit with the same penalties leaves of them (Harville, Biometrika 61, 1974).
func contrasts(ctx context.Context, e *fit.Estimate, free []*array.Array) (float64, error) {
	s, _ := e.Learned()
	s.Prior, s.Lambda, s.Rho = nil, e.Report.Lambda, e.Report.Rho
	w, err := outputs.NewWhitening(ctx, s.Data)
	if err != nil {
		return 0, err
	}
	data, q := append([]*array.Array{s.Data.Output}, free...), len(free)
	plain := 0.0 // log det CᵀC, of different outputs
	for _, c := range free {
		size, dy := 0.0, s.Data.OutputMesh.Weights()
		for i, v := range c.Data {
			if v > 0 {
				size += dy[i%len(dy)] / float64(s.Data.N())
			}
		}
		plain += math.Log(size)
	}
	form := mat.NewDense(q+1, q+1, nil) // of T, then of the constants
	for i, own := range data {
		if i > 0 {
			d := *s.Data
			d.Output, s.Data = own, &d
			if e, err = fit.Minimise(ctx, s); err != nil {
				return 0, err
			}
		}
		left, err := remains(ctx, e, s.Data)
		if err != nil {
			return 0, err
		}
		w.Forward(left)
		for j, other := range data {
			v := scaled(s.Data, other.Data)
			w.Forward(v)
			form.Set(j, i, floats.Dot(v, left))
		}
	}
	values, change := float64(outputs.Count(s.Data)), -plain
	change -= values * math.Log(form.At(0, 0)/values)
	for c := q; c > 0; c-- { // each constant is fitted to what is left: log det M is the sum of the pivots' logarithms
		pivot := form.At(c, c)
		if !(pivot > 0) {
			return math.NaN(), nil
		}
		change += math.Log(pivot)
		for i := range c {
			for j := range c {
				form.Set(i, j, form.At(i, j)-form.At(i, c)*form.At(c, j)/pivot)
			}
		}
	}
	values -= float64(q)
	return (change + values*math.Log(form.At(0, 0)/values)) / 2, nil
}

// remains is what an estimate leaves of its data, scaled.
func remains(ctx context.Context, e *fit.Estimate, d *dataset.Dataset) ([]float64, error) {
	f, err := d.Input.Matrix()
	if err != nil {
		return nil, err
	}
	p, err := e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return nil, err
	}
	left := make([]float64, 0, len(d.Output.Data))
	for i := range d.N() {
		left = append(left, p.RawRowView(i)...)
	}
	floats.SubTo(left, d.Output.Data, left)
	return scaled(d, left), nil
}

// scaled are outputs times the roots of the shares of their points, and of the weights of their pairs; 0 where there is none.
func scaled(d *dataset.Dataset, u []float64) []float64 {
	dy, rows := d.OutputMesh.Weights(), outputs.PairRoots(d)
	v := make([]float64, len(u))
	for i := range u {
		if !math.IsNaN(u[i]) {
			v[i] = u[i] * rows[i/len(dy)] * math.Sqrt(dy[i%len(dy)]/float64(d.N()))
		}
	}
	return v
}
