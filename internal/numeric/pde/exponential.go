package pde

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// fastestRate is the largest norm of a matrix whose exponential is computed: beyond,
// rounding leaves nothing of the slow parts.
const fastestRate = 1e12

func rateError(norm float64) error {
	return fmt.Errorf("the fastest rate is %.3g in units of the time step: it must be below %g; use shorter steps, fewer points or smaller coefficients", norm, fastestRate)
}

// multiply stores a b in dst.
func multiply(k simd.Kernels, dst, a, b *mat.Dense) {
	view := func(m *mat.Dense) simd.Matrix {
		r := m.RawMatrix()
		return simd.Matrix{Rows: r.Rows, Cols: r.Cols, RowStride: r.Stride, ColStride: 1, Data: r.Data}
	}
	k.GemmParallel(1, view(a), view(b), 0, view(dst))
}

// storeTime stores the columns of now, points × samples, as time k of the rows of
// u, samples × (points × steps).
func storeTime(u, now *mat.Dense, k, steps int) {
	points, n := now.Dims()
	to, from := u.RawMatrix(), now.RawMatrix()
	for s := range n {
		row := to.Data[s*to.Stride:]
		for i := range points {
			row[i*steps+k] = from.Data[i*from.Stride+s]
		}
	}
}

// loadTime is the opposite of storeTime, for inputs in space and time.
func loadTime(now, f *mat.Dense, k, steps int) {
	points, n := now.Dims()
	to, from := now.RawMatrix(), f.RawMatrix()
	for s := range n {
		row := from.Data[s*from.Stride:]
		for i := range points {
			to.Data[i*to.Stride+s] = row[i*steps+k]
		}
	}
}

// phi returns e^z, φ₁(z) = (e^z - 1)/z and φ₂(z) = (e^z - 1 - z)/z² of a square
// matrix: Taylor's series after halving z until its norm is below ½, then doubling
// (Skaflestad and Wright, Applied Numerical Mathematics 59, 2009). z is destroyed.
func phi(ctx context.Context, z *mat.Dense) (e, one, two *mat.Dense, err error) {
	n, _ := z.Dims()
	kernels := simd.Best()
	norm := mat.Norm(z, 1)
	if math.IsNaN(norm) || norm > fastestRate {
		return nil, nil, nil, rateError(norm)
	}
	halvings := 0
	for ; norm > 0.5; norm /= 2 {
		halvings++
	}
	z.Scale(math.Ldexp(1, -halvings), z)
	const terms = 14 // the rest of the series of φ₂ is below 0.5¹⁵/17! = 1e-19
	factor := 1.0
	for k := 2; k <= terms+2; k++ {
		factor /= float64(k)
	}
	two = identity(n, factor)
	next := mat.NewDense(n, n, nil)
	for k := terms + 2; k > 2; k-- {
		if err := stopped(ctx); err != nil {
			return nil, nil, nil, err
		}
		factor *= float64(k)
		multiply(kernels, next, z, two)
		next.Add(next, identity(n, factor))
		two, next = next, two
	}
	one, e = mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	multiply(kernels, one, z, two)
	one.Add(one, identity(n, 1))
	multiply(kernels, e, z, one)
	e.Add(e, identity(n, 1))
	for range halvings {
		if err := stopped(ctx); err != nil {
			return nil, nil, nil, err
		}
		multiply(kernels, next, one, one)
		two.Scale(0.5, two)
		next.Scale(0.25, next)
		two.Add(two, next)
		multiply(kernels, next, e, one)
		one.Add(one, next)
		one.Scale(0.5, one)
		multiply(kernels, next, e, e)
		e, next = next, e
	}
	return e, one, two, nil
}

func identity(n int, v float64) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, v)
	}
	return m
}
