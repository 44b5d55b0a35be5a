package outputs

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Contrast is the direction, of length one, that a constant output has among the data;
// nil where β has no constant that is free. A constant that costs nothing is fitted by
// least squares, so that what is left to the penalised terms is the data without their
// component along it: with Π = I - ĉĉᵀ the system A + I becomes Π A Π + I, on data Π T,
// which is again symmetric with smallest eigenvalue at least 1. Restricted likelihood
// is that of these contrasts.
type Contrast []float64

// NewContrast returns the direction of the data c of the constant one, and their length.
func NewContrast(c []float64) (Contrast, float64) {
	length := floats.Norm(c, 2)
	floats.Scale(1/length, c)
	return c, length
}

// Project removes the component along the direction from v, and returns it.
func (c Contrast) Project(v []float64) float64 {
	if c == nil {
		return 0
	}
	along := floats.Dot(c, v)
	floats.AddScaled(v, -along, c)
	return along
}

// Operator is Π A Π + ĉĉᵀ, or A itself.
func (c Contrast) Operator(a linop.Operator) linop.Operator {
	if c == nil {
		return a
	}
	return contrasted{a, c}
}

// Inverse is the inverse of c.operator(A) for a symmetric B = A⁻¹, or B itself:
// B - B ĉ (ĉᵀ B ĉ)⁻¹ ĉᵀ B + ĉĉᵀ.
func (c Contrast) Inverse(ctx context.Context, b linop.Operator) linop.Operator {
	if c == nil {
		return b
	}
	w := make([]float64, len(c))
	b.Apply(ctx, w, c)
	return contrastedInverse{b, c, w, floats.Dot(c, w)}
}

type contrasted struct {
	a linop.Operator
	c Contrast
}

// Dims implements linop.Operator.
func (o contrasted) Dims() (r, c int) { return o.a.Dims() }

// Apply implements linop.Operator.
func (o contrasted) Apply(ctx context.Context, dst, z []float64) {
	in := append([]float64(nil), z...)
	along := o.c.Project(in)
	o.a.Apply(ctx, dst, in)
	o.c.Project(dst)
	floats.AddScaled(dst, along, o.c)
}

type contrastedInverse struct {
	b    linop.Operator
	c    Contrast
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

// Contrasts is Π A Π of a symmetric A.
func (c Contrast) Contrasts(a *mat.Dense) {
	if c == nil {
		return
	}
	n := len(c)
	ac := make([]float64, n)
	for i := range n {
		ac[i] = floats.Dot(a.RawRowView(i), c)
	}
	size := floats.Dot(ac, c)
	for i := range n {
		row := a.RawRowView(i)
		for j := range row {
			row[j] += size*c[i]*c[j] - c[i]*ac[j] - ac[i]*c[j]
		}
	}
}
