package inobserved

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// observed is the system of a fit in which some outputs are missing, or have errors of their
// own: D S K̄ Sᵀ Dᵀ + I with D of whitening. Its vectors have one entry for every output value,
// n × my, zero where it is missing.
type observed struct {
	Sys *indata.System // of the outputs with zeros in place of what is missing, in its bases
	D   *outputs.Whitening

	Flat   outputs.Contrast // of the free constant of β; nil: there is none
	Length float64          // of the data of the constant one
}

// newObserved makes the system of what is observed.
func newObserved(sys *indata.System, d *outputs.Whitening, pairs []float64, flat bool) observed {
	o := observed{Sys: sys, D: d}
	if flat && sys.Q != nil {
		c := linop.Outer(pairs, sys.Rdy)
		d.Forward(c)
		floats.Scale(1/math.Sqrt(float64(sys.N)), c)
		o.Flat, o.Length = outputs.NewContrast(c)
	}
	return o
}

// Dims implements linop.Operator.
func (o observed) Dims() (r, c int) { return len(o.D.Scale), len(o.D.Scale) }

// Apply implements linop.Operator.
func (o observed) Apply(ctx context.Context, dst, z []float64) {
	in := append([]float64(nil), z...)
	o.D.Adjoint(in)
	o.rotated(ctx, dst, in, withoutIdentity{o.Sys})
	o.D.Forward(dst)
	floats.Add(dst, z)
}

// withoutIdentity is S K̄ Sᵀ.
type withoutIdentity struct{ *indata.System }

// Apply implements linop.Operator.
func (s withoutIdentity) Apply(ctx context.Context, dst, z []float64) { s.ApplyKernel(ctx, dst, z) }

// rotated applies an operator of the rotated system to all of z.
func (o observed) rotated(ctx context.Context, dst, z []float64, a linop.Operator) {
	in := o.toBases(ctx, z)
	out := make([]float64, len(in))
	a.Apply(ctx, out, in)
	o.fromBases(ctx, dst, out)
}

// weigh turns a solution into weights. mean is the component of the data along the free
// constant, which t is without.
func (o observed) weigh(ctx context.Context, z, t []float64, mean float64) *problem.Weighed {
	sys := o.Sys
	o.Flat.Project(z) // rounding along a free constant, which A makes large
	in := append([]float64(nil), z...)
	o.D.Adjoint(in)
	w, _ := sys.WeightsOf(ctx, o.toBases(ctx, in))
	w.Respond = o.respond
	az := make([]float64, len(z))
	o.Apply(ctx, az, z) // (A + I) z, and z has nothing along the free constant
	if left := mean - o.Flat.Project(az); o.Flat != nil {
		w.Intercept = left / o.Length
	}
	w.Misfit, w.Dual = floats.AddTo(az, floats.SubTo(az, t, az), z), z
	w.Size = problem.NotNothing(floats.Norm(t, 2))
	return w
}

// toBases is z in the bases of the complete system.
func (o observed) toBases(ctx context.Context, z []float64) []float64 {
	n, my := o.Sys.N, o.Sys.My
	in := mat.NewDense(n, my, append([]float64(nil), z...))
	if o.Sys.P == nil || linop.MulContext(ctx, in, o.Sys.P.T(), mat.NewDense(n, my, z)) == nil {
		o.Sys.V.Forward(ctx, in.RawMatrix().Data)
	}
	return in.RawMatrix().Data
}

// fromBases undoes toBases, and stores the result in dst.
func (o observed) fromBases(ctx context.Context, dst, z []float64) {
	n, my := o.Sys.N, o.Sys.My
	o.Sys.V.Backward(ctx, z)
	if o.Sys.P == nil {
		copy(dst, z)
		return
	}
	_ = linop.MulContext(ctx, mat.NewDense(n, my, dst), o.Sys.P, mat.NewDense(n, my, z))
}

// respond is that of the complete system, where it was observed.
func (o observed) respond(ctx context.Context, g, b []float64) []float64 {
	h := make([]float64, len(o.D.Scale))
	o.fromBases(ctx, h, o.Sys.Respond(ctx, g, b))
	o.D.Forward(h)
	return h
}
