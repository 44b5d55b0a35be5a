package pde

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/simd"
)

// exponential returns exp(h a).
func exponential(a *mat.Dense, h float64) (*mat.Dense, error) {
	var scaled, e mat.Dense
	scaled.Scale(h, a)
	if norm := mat.Norm(&scaled, 1); math.IsNaN(norm) || norm > 1e12 {
		return nil, fmt.Errorf("the fastest rate is %.3g in units of the time step: it must be below 1e12; use shorter steps, fewer points or smaller coefficients", norm)
	}
	e.Exp(&scaled)
	return &e, nil
}

// multiply stores a b in dst.
func multiply(dst, a, b *mat.Dense) {
	view := func(m *mat.Dense) simd.Matrix {
		r := m.RawMatrix()
		return simd.Matrix{Rows: r.Rows, Cols: r.Cols, RowStride: r.Stride, ColStride: 1, Data: r.Data}
	}
	simd.Best().GemmParallel(2, 1, view(a), view(b), 0, view(dst))
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
