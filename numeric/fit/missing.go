package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/internal/linop"
)

// observed is the system of a fit in which some outputs are missing: rows and
// columns of S K̄ Sᵀ + I for what was observed. Its vectors have one entry for
// every output value, n × my, zero where it is missing.
type observed struct {
	sys  *system // of the outputs with zeros in place of what is missing, in its bases
	mask []float64

	flat   contrast // of the free constant of β; nil: there is none
	length float64  // of the data of the constant one
}

// newObserved makes the system of what is observed.
func newObserved(sys *system, mask []float64, flat bool) observed {
	o := observed{sys: sys, mask: mask}
	if flat && sys.q != nil {
		c := outer(ones(sys.n), sys.rdy)
		floats.Mul(c, mask)
		floats.Scale(1/math.Sqrt(float64(sys.n)), c)
		o.flat, o.length = newContrast(c)
	}
	return o
}

// Dims implements linop.Operator.
func (o observed) Dims() (r, c int) { return len(o.mask), len(o.mask) }

// Apply implements linop.Operator.
func (o observed) Apply(ctx context.Context, dst, z []float64) { o.between(ctx, dst, z, o.sys) }

// between applies an operator of the rotated system to what is observed of z.
func (o observed) between(ctx context.Context, dst, z []float64, a linop.Operator) {
	in := make([]float64, len(z))
	floats.MulTo(in, z, o.mask)
	o.rotated(ctx, dst, in, a)
	floats.Mul(dst, o.mask)
}

// rotated applies an operator of the rotated system to all of z.
func (o observed) rotated(ctx context.Context, dst, z []float64, a linop.Operator) {
	in := o.toBases(ctx, z)
	out := make([]float64, len(in))
	a.Apply(ctx, out, in)
	o.fromBases(ctx, dst, out)
}

// observedCount is the number of observed output values.
func observedCount(d *dataset.Dataset) int {
	n := 0
	for _, v := range d.Output.Data {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// fill puts zeros in place of missing outputs and returns a mask of those that were
// observed.
func fill(d *dataset.Dataset) (*dataset.Dataset, []float64) {
	out, mask := d.Output.Copy(), ones(d.Output.Size())
	for i, v := range out.Data {
		if math.IsNaN(v) {
			out.Data[i], mask[i] = 0, 0
		}
	}
	filled := *d
	filled.Output, filled.Missing = out, false
	return &filled, mask
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
	var inputs, outputs []float64
	mx, my := d.InputMesh.Size(), d.OutputMesh.Size()
	n := 0
	for i := range d.N() {
		if u := d.Output.Data[i*my : (i+1)*my]; !slices.ContainsFunc(u, math.IsNaN) {
			inputs, outputs = append(inputs, d.Input.Data[i*mx:(i+1)*mx]...), append(outputs, u...)
			n++
		}
	}
	if n < 2 {
		return nil, fmt.Errorf("choosing lambda or a lengthscale needs at least 2 pairs without missing outputs, there are %d; give numbers", n)
	}
	return dataset.New(dataset.Spec{
		Input: &array.Array{Shape: []int{n, mx}, Data: inputs}, Output: &array.Array{Shape: []int{n, my}, Data: outputs},
		InputMesh: d.InputMesh, OutputMesh: d.OutputMesh,
	})
}

// weigh turns a solution into weights. mean is the component of the data along the free
// constant, which t is without.
func (o observed) weigh(ctx context.Context, z, t []float64, mean float64) *weighed {
	sys := o.sys
	o.flat.project(z) // rounding along a free constant, which A makes large
	w := sys.weightsOf(ctx, o.toBases(ctx, z))
	w.respond = o.respond
	az := make([]float64, len(z))
	o.Apply(ctx, az, z) // (A + I) z, and z has nothing along the free constant
	if left := mean - o.flat.project(az); o.flat != nil {
		w.intercept = left / o.length
	}
	w.misfit, w.dual = floats.AddTo(az, floats.SubTo(az, t, az), z), z
	w.size, w.length = notNothing(floats.Norm(t, 2)), outputLength(sys.rdy, o.mask)
	return w
}

// toBases is z in the bases of the complete system.
func (o observed) toBases(ctx context.Context, z []float64) []float64 {
	n, my := o.sys.n, o.sys.my
	in := mat.NewDense(n, my, append([]float64(nil), z...))
	if o.sys.p == nil || linop.MulContext(ctx, in, o.sys.p.T(), mat.NewDense(n, my, z)) == nil {
		o.sys.v.forward(ctx, in.RawMatrix().Data)
	}
	return in.RawMatrix().Data
}

// fromBases undoes toBases, and stores the result in dst.
func (o observed) fromBases(ctx context.Context, dst, z []float64) {
	n, my := o.sys.n, o.sys.my
	o.sys.v.backward(ctx, z)
	if o.sys.p == nil {
		copy(dst, z)
		return
	}
	_ = linop.MulContext(ctx, mat.NewDense(n, my, dst), o.sys.p, mat.NewDense(n, my, z))
}

// respond is that of the complete system, where it was observed.
func (o observed) respond(ctx context.Context, g, b []float64) []float64 {
	h := make([]float64, len(o.mask))
	o.fromBases(ctx, h, o.sys.respond(ctx, g, b))
	floats.Mul(h, o.mask)
	return h
}

// missing reports whether an output is NaN.
func missing(d *dataset.Dataset) bool { return d.Missing && observedCount(d) < len(d.Output.Data) }
