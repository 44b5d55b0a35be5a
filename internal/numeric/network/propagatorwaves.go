package network

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// fourier takes functions on a circle of m points to the real parts of their coefficients and
// then the imaginary ones, of wave numbers 0 … m/2.
type fourier struct {
	m, waves int
	matrix   *mat.Dense // m × 2 waves
}

func newFourier(m int) fourier {
	waves := m/2 + 1
	f := fourier{m, waves, mat.NewDense(m, 2*waves, nil)}
	for j := range m {
		for q := range f.waves {
			sin, cos := math.Sincos(2 * math.Pi * float64(j*q%m) / float64(m))
			f.matrix.Set(j, q, cos)
			f.matrix.Set(j, f.waves+q, -sin)
		}
	}
	return f
}

func (f fourier) all(ctx context.Context, h history) history {
	out := make(history, len(h))
	for k, u := range h {
		out[k] = linop.Product(ctx, u, f.matrix)
	}
	return out
}

func (f fourier) channels(ctx context.Context, phi [][]*mat.Dense) [][]*mat.Dense {
	out := make([][]*mat.Dense, len(phi))
	for c := range phi {
		out[c] = f.all(ctx, phi[c])
	}
	return out
}

// circulant is the matrix, points before × points after, of factors by wave number.
func (f fourier) circulant(re, im []float64) *mat.Dense {
	first := make([]float64, f.m) // what a unit at point 0 becomes
	for x := range first {
		for q := range f.waves {
			weight := 2.0
			if q == 0 || 2*q == f.m {
				weight = 1
			}
			sin, cos := math.Sincos(2 * math.Pi * float64(x*q%f.m) / float64(f.m))
			first[x] += weight * (re[q]*cos - im[q]*sin) / float64(f.m)
		}
	}
	g := mat.NewDense(f.m, f.m, nil)
	for j := range f.m {
		for x := range f.m {
			g.Set(j, x, first[(x-j+f.m)%f.m])
		}
	}
	return g
}

// fitWaves is fitStage on a circle: one problem with complex unknowns for each wave number, as a
// real one of twice the size. h and phi are coefficients.
func (p *Propagator) fitWaves(ctx context.Context, h history, phi [][]*mat.Dense, back, from, to int, lambda float64) (*stage, error) {
	f := newFourier(p.Space.Size())
	n, _ := h[0].Dims()
	parts := 1 + len(phi)*(back+1)
	re, im := make([][]float64, parts), make([][]float64, parts)
	for part := range re {
		re[part], im[part] = make([]float64, f.waves), make([]float64, f.waves)
	}
	bias := 0.0
	for q := range f.waves {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		size := parts
		if q == 0 {
			size++ // the bias
		}
		normal, right := mat.NewDense(2*size, 2*size, nil), mat.NewDense(2*size, 1, nil)
		x := mat.NewDense(n, 2*size, nil) // real parts, then imaginary ones
		for k := from; k <= to; k++ {
			for part, v := range features(h, phi, k, back) {
				for i := range n {
					x.Set(i, part, v.At(i, q))
					x.Set(i, size+part, v.At(i, f.waves+q))
				}
			}
			for i := 0; q == 0 && i < n; i++ {
				x.Set(i, size-1, 1)
			}
			addComplex(ctx, normal, right, x, h[k], q, f.waves)
		}
		w, err := p.ridge(ctx, normal, right, lambda)
		if err != nil {
			return nil, err
		}
		for part := range parts {
			re[part][q], im[part][q] = w.At(part, 0), w.At(size+part, 0)
		}
		if q == 0 {
			bias = w.At(size-1, 0)
		}
	}
	level := make([]float64, f.m)
	for i := range level {
		level[i] = bias / float64(f.m)
	}
	return newStage(len(phi), back, f.m, func(part int) *mat.Dense { return f.circulant(re[part], im[part]) }, level), nil
}

// addComplex adds the normal equations of complex rows x, real parts and then imaginary ones,
// with the right sides of a wave number.
func addComplex(ctx context.Context, normal, right, x, y *mat.Dense, q, waves int) {
	n, twice := x.Dims()
	size := twice / 2
	a, b := x.Slice(0, n, 0, size), x.Slice(0, n, size, twice)
	aa := linop.Product(ctx, a.T(), a)
	aa.Add(aa, linop.Product(ctx, b.T(), b))
	ba := linop.Product(ctx, a.T(), b) // the imaginary part of x^H x is aᵀb - bᵀa
	for i := range size {
		for j := range size {
			real, imag := aa.At(i, j), ba.At(i, j)-ba.At(j, i)
			normal.Set(i, j, normal.At(i, j)+real)
			normal.Set(size+i, size+j, normal.At(size+i, size+j)+real)
			normal.Set(size+i, j, normal.At(size+i, j)+imag)
			normal.Set(i, size+j, normal.At(i, size+j)-imag)
		}
	}
	for i := range n {
		c, d := y.At(i, q), y.At(i, waves+q)
		for j := range size {
			r, s := x.At(i, j), x.At(i, size+j)
			right.Set(j, 0, right.At(j, 0)+r*c+s*d)
			right.Set(size+j, 0, right.At(size+j, 0)+r*d-s*c)
		}
	}
}
