package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/internal/linop"
)

// observed is the system of a fit in which some outputs are missing, or have errors of their
// own: D S K̄ Sᵀ Dᵀ + I with D of whitening. Its vectors have one entry for every output value,
// n × my, zero where it is missing.
type observed struct {
	sys *system // of the outputs with zeros in place of what is missing, in its bases
	d   *whitening

	flat   contrast // of the free constant of β; nil: there is none
	length float64  // of the data of the constant one
}

// newObserved makes the system of what is observed.
func newObserved(sys *system, d *whitening, pairs []float64, flat bool) observed {
	o := observed{sys: sys, d: d}
	if flat && sys.q != nil {
		c := linop.Outer(pairs, sys.rdy)
		d.forward(c)
		floats.Scale(1/math.Sqrt(float64(sys.n)), c)
		o.flat, o.length = newContrast(c)
	}
	return o
}

// Dims implements linop.Operator.
func (o observed) Dims() (r, c int) { return len(o.d.scale), len(o.d.scale) }

// Apply implements linop.Operator.
func (o observed) Apply(ctx context.Context, dst, z []float64) {
	in := append([]float64(nil), z...)
	o.d.adjoint(in)
	o.rotated(ctx, dst, in, withoutIdentity{o.sys})
	o.d.forward(dst)
	floats.Add(dst, z)
}

// withoutIdentity is S K̄ Sᵀ.
type withoutIdentity struct{ *system }

// Apply implements linop.Operator.
func (s withoutIdentity) Apply(ctx context.Context, dst, z []float64) { s.applyKernel(ctx, dst, z) }

// rotated applies an operator of the rotated system to all of z.
func (o observed) rotated(ctx context.Context, dst, z []float64, a linop.Operator) {
	in := o.toBases(ctx, z)
	out := make([]float64, len(in))
	a.Apply(ctx, out, in)
	o.fromBases(ctx, dst, out)
}

// fill puts zeros in place of missing outputs. Of the errors it leaves the weights of pairs.
func fill(d *dataset.Dataset) *dataset.Dataset {
	filled := *d
	filled.Output, filled.Missing, filled.Errors = d.Output.Copy(), false, pairErrors(d)
	for i, v := range filled.Output.Data {
		if math.IsNaN(v) {
			filled.Output.Data[i] = 0
		}
	}
	return &filled
}

// pairErrors are the weights of pairs alone; nil where there are none.
func pairErrors(d *dataset.Dataset) *dataset.Errors {
	if d.Errors == nil || d.Errors.Pairs == nil {
		return nil
	}
	return &dataset.Errors{Pairs: d.Errors.Pairs}
}

// fewComplete reports whether the pairs without missing outputs are too few to choose λ
// from: less than a quarter.
func fewComplete(d *dataset.Dataset) bool {
	if !missing(d) {
		return false
	}
	complete, my := 0, d.OutputMesh.Size()
	for i := range d.N() {
		if !slices.ContainsFunc(d.Output.Data[i*my:(i+1)*my], math.IsNaN) {
			complete++
		}
	}
	return complete < max(2, d.N()/4)
}

// completePairs returns the pairs without missing outputs, from which λ and
// lengthscales are chosen.
func completePairs(d *dataset.Dataset) (*dataset.Dataset, error) {
	var complete []int
	my := d.OutputMesh.Size()
	for i := range d.N() {
		if u := d.Output.Data[i*my : (i+1)*my]; !slices.ContainsFunc(u, math.IsNaN) {
			complete = append(complete, i)
		}
	}
	if n := len(complete); n < 2 {
		return nil, fmt.Errorf("choosing lambda or a lengthscale needs at least 2 pairs without missing outputs, there are %d; give numbers", n)
	}
	out, err := d.Select(complete)
	if err != nil {
		return nil, err
	}
	out.Missing = false
	return out, nil
}

// weigh turns a solution into weights. mean is the component of the data along the free
// constant, which t is without.
func (o observed) weigh(ctx context.Context, z, t []float64, mean float64) *weighed {
	sys := o.sys
	o.flat.project(z) // rounding along a free constant, which A makes large
	in := append([]float64(nil), z...)
	o.d.adjoint(in)
	w, _ := sys.weightsOf(ctx, o.toBases(ctx, in))
	w.respond = o.respond
	az := make([]float64, len(z))
	o.Apply(ctx, az, z) // (A + I) z, and z has nothing along the free constant
	if left := mean - o.flat.project(az); o.flat != nil {
		w.intercept = left / o.length
	}
	w.misfit, w.dual = floats.AddTo(az, floats.SubTo(az, t, az), z), z
	w.size = notNothing(floats.Norm(t, 2))
	return w
}

// toBases is z in the bases of the complete system.
func (o observed) toBases(ctx context.Context, z []float64) []float64 {
	n, my := o.sys.n, o.sys.my
	in := mat.NewDense(n, my, append([]float64(nil), z...))
	if o.sys.p == nil || linop.MulContext(ctx, in, o.sys.p.T(), mat.NewDense(n, my, z)) == nil {
		o.sys.v.Forward(ctx, in.RawMatrix().Data)
	}
	return in.RawMatrix().Data
}

// fromBases undoes toBases, and stores the result in dst.
func (o observed) fromBases(ctx context.Context, dst, z []float64) {
	n, my := o.sys.n, o.sys.my
	o.sys.v.Backward(ctx, z)
	if o.sys.p == nil {
		copy(dst, z)
		return
	}
	_ = linop.MulContext(ctx, mat.NewDense(n, my, dst), o.sys.p, mat.NewDense(n, my, z))
}

// respond is that of the complete system, where it was observed.
func (o observed) respond(ctx context.Context, g, b []float64) []float64 {
	h := make([]float64, len(o.d.scale))
	o.fromBases(ctx, h, o.sys.respond(ctx, g, b))
	o.d.forward(h)
	return h
}
