package fit

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/internal/linop"
)

// contrast is the direction, of length one, that a constant output has among the data;
// nil where β has no constant that is free. A constant that costs nothing is fitted by
// least squares, so that what is left to the penalised terms is the data without their
// component along it: with Π = I - ĉĉᵀ the system A + I becomes Π A Π + I, on data Π T,
// which is again symmetric with smallest eigenvalue at least 1. Restricted likelihood
// is that of these contrasts.
type contrast []float64

// newContrast returns the direction of the data c of the constant one, and their length.
func newContrast(c []float64) (contrast, float64) {
	length := floats.Norm(c, 2)
	floats.Scale(1/length, c)
	return c, length
}

// project removes the component along the direction from v, and returns it.
func (c contrast) project(v []float64) float64 {
	if c == nil {
		return 0
	}
	along := floats.Dot(c, v)
	floats.AddScaled(v, -along, c)
	return along
}

// operator is Π A Π + ĉĉᵀ, or A itself.
func (c contrast) operator(a linop.Operator) linop.Operator {
	if c == nil {
		return a
	}
	return contrasted{a, c}
}

// inverse is the inverse of c.operator(A) for a symmetric B = A⁻¹, or B itself:
// B - B ĉ (ĉᵀ B ĉ)⁻¹ ĉᵀ B + ĉĉᵀ.
func (c contrast) inverse(ctx context.Context, b linop.Operator) linop.Operator {
	if c == nil {
		return b
	}
	w := make([]float64, len(c))
	b.Apply(ctx, w, c)
	return contrastedInverse{b, c, w, floats.Dot(c, w)}
}

type contrasted struct {
	a linop.Operator
	c contrast
}

// Dims implements linop.Operator.
func (o contrasted) Dims() (r, c int) { return o.a.Dims() }

// Apply implements linop.Operator.
func (o contrasted) Apply(ctx context.Context, dst, z []float64) {
	in := append([]float64(nil), z...)
	along := o.c.project(in)
	o.a.Apply(ctx, dst, in)
	o.c.project(dst)
	floats.AddScaled(dst, along, o.c)
}

type contrastedInverse struct {
	b    linop.Operator
	c    contrast
	w    []float64 // B ĉ
	size float64   // ĉᵀ B ĉ
}

// Dims implements linop.Operator.
func (o contrastedInverse) Dims() (r, c int) { return o.b.Dims() }

// Apply implements linop.Operator.
func (o contrastedInverse) Apply(ctx context.Context, dst, r []float64) {
	o.b.Apply(ctx, dst, r)
	floats.AddScaled(dst, -floats.Dot(o.c, dst)/o.size, o.w)
	floats.AddScaled(dst, floats.Dot(o.c, r), o.c)
}

// withoutMean subtracts from the outputs their mean, weighted by the quadrature, which
// is part of the free constant: a large one would cost digits in everything that follows.
func withoutMean(d *dataset.Dataset) (*dataset.Dataset, float64) {
	dy := d.OutputMesh.Weights()
	mean := weightedMean(d, dy)
	mean += weightedMean(shifted(d, mean), dy) // what rounding left of it
	return shifted(d, mean), mean
}

func shifted(d *dataset.Dataset, by float64) *dataset.Dataset {
	out := *d
	out.Output = d.Output.Copy()
	for i := range out.Output.Data {
		out.Output.Data[i] -= by
	}
	return &out
}

func weightedMean(d *dataset.Dataset, dy []float64) float64 {
	var sum, length float64
	for i, v := range d.Output.Data {
		if w := dy[i%len(dy)]; !math.IsNaN(v) && w > 0 {
			sum += w * v
			length += w
		}
	}
	if length == 0 {
		return 0
	}
	return sum / length
}
