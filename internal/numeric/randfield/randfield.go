// Package randfield draws random functions: Gaussian fields with a given kernel
// as covariance on a mesh ([Field]), Brownian bridges ([BrownianBridge]), and
// independent numbers ([Normal], [Uniform]).
//
// Every draw takes a seed and uses a generator of its own; the same seed gives
// the same bits. To add a kind of random input, write one function here that
// returns an n × size array.
package randfield

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Field describes Gaussian random functions with mean zero and covariance
// Scale² k on a mesh.
type Field struct {
	Kernel kernel.Kernel
	Mesh   mesh.Mesh
	N      int     // how many functions
	Seed   uint64  //
	Scale  float64 // multiplies the functions; 0 means 1
	Modes  int     // keep the largest terms of the Karhunen–Loève expansion; 0 means all
}

// maxEigen is the number of points up to which the expansion is computed by
// eigenvectors; beyond, Fourier transforms or a Cholesky factor draw from the same
// distribution.
const maxEigen = 600

// Draw returns N functions, one in each row: N × Mesh.Size.
//
// The Karhunen–Loève expansion f = Σ_k √λ_k φ_k z_k (paper, appendix A) is taken
// with the eigenvectors of the matrix k(x_i, x_j), as the paper does, and with
// coefficients z_k = ⟨φ_k, ζ⟩ for independent normal ζ: that is the symmetric root
// of the covariance applied to ζ, which depends neither on the signs of the
// eigenvectors nor on the choice within a multiple eigenvalue.
// Cost: O(m³) for m points once, O(m²) for each function. On many points of uniform
// axes, a kernel that is stationary costs O(m log m) for each function, if its
// lengthscale is not much larger than the axes.
func (f Field) Draw(ctx context.Context) (*array.Array, error) {
	if f.Kernel == nil {
		return nil, fmt.Errorf("kernel: missing")
	}
	m := f.Mesh.Size()
	switch {
	case m == 0:
		return nil, fmt.Errorf("mesh: missing")
	case f.N < 1:
		return nil, fmt.Errorf("n %d: must be at least 1", f.N)
	case f.Modes < 0 || f.Modes > m:
		return nil, fmt.Errorf("modes %d: must be between 1 and the number of points, %d", f.Modes, m)
	case math.IsNaN(f.Scale) || math.IsInf(f.Scale, 0):
		return nil, fmt.Errorf("scale %g: must be finite", f.Scale)
	}
	k, err := kernels.Compile(f.Kernel, kernel.Space{Names: f.Mesh.Names()})
	if err != nil {
		return nil, err
	}
	if f.Modes == 0 && m > maxEigen {
		if err := dense.CheckMatrix(fmt.Sprintf("n %d", f.N), 1, f.N, m); err != nil {
			return nil, err
		}
		c, err := newCirculant(ctx, k, f.Mesh)
		if err != nil {
			return nil, err
		}
		if c != nil {
			draws, err := c.draw(ctx, f.N, f.Seed)
			if err == nil && f.Scale != 0 {
				floats.Scale(f.Scale, draws.Data)
			}
			return draws, err
		}
	}
	// The matrix, its symmetric part, the eigenvectors, scaled, and the root.
	if err := dense.CheckMatrix(fmt.Sprintf("mesh of %d points", m), 5, m, m); err != nil {
		return nil, err
	}
	if err := dense.CheckMatrix(fmt.Sprintf("n %d", f.N), 2, f.N, m); err != nil {
		return nil, err
	}
	cov, err := k.Gram(ctx, f.Mesh, f.Mesh)
	if err != nil {
		return nil, err
	}
	return f.drawFrom(ctx, cov)
}

// drawFrom draws with the values of the kernel between all points.
func (f Field) drawFrom(ctx context.Context, cov *mat.Dense) (*array.Array, error) {
	m := f.Mesh.Size()
	sym := linop.Symmetric(cov)
	var root mat.Matrix
	var err error
	if f.Modes > 0 || m <= maxEigen {
		root, err = symmetricRoot(ctx, sym, f.Modes)
	} else {
		root, err = choleskyRoot(ctx, sym)
	}
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", f.Kernel, err)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("random field stopped: %w", context.Cause(ctx))
	}
	z, err := NormalContext(ctx, f.Seed, f.N, m)
	if err != nil {
		return nil, err
	}
	zm, err := z.Matrix()
	if err != nil {
		return nil, err
	}
	draws := mat.NewDense(f.N, m, nil)
	if err := linop.MulContext(ctx, draws, zm, root.T()); err != nil {
		return nil, fmt.Errorf("random field: %w", err)
	}
	if f.Scale != 0 {
		draws.Scale(f.Scale, draws)
	}
	return array.FromMatrix(draws), nil
}

// symmetricRoot returns Φ Λ^½ Φᵀ, with only the largest eigenvalues when modes
// is positive.
func symmetricRoot(ctx context.Context, c *mat.SymDense, modes int) (*mat.Dense, error) {
	values, phi, err := linop.Eigen(ctx, c) // increasing
	if err != nil {
		return nil, fmt.Errorf("covariance: %w", err)
	}
	m := len(values)
	if values[0] < -1e-10*float64(m)*max(values[m-1], -values[0]) {
		return nil, fmt.Errorf("not positive semi-definite on this mesh: its matrix has the eigenvalue %.3g (largest %.3g)", values[0], values[m-1])
	}
	var scaled, root mat.Dense
	scaled.CloneFrom(phi)
	for k, v := range values {
		s := math.Sqrt(max(v, 0))
		if modes > 0 && k < m-modes {
			s = 0
		}
		for i := range m {
			scaled.Set(i, k, phi.At(i, k)*s)
		}
	}
	return &root, linop.MulContext(ctx, &root, &scaled, phi.T())
}

// choleskyRoot returns a lower triangular root. Smooth kernels have numerically
// singular matrices; the least multiple of the identity that makes the
// factorisation succeed is added, at most 1e-8 of the largest variance, which no
// sample can tell.
func choleskyRoot(ctx context.Context, c *mat.SymDense) (mat.Matrix, error) {
	m := c.SymmetricDim()
	largest := 0.0
	for i := range m {
		largest = max(largest, c.At(i, i))
	}
	added := 0.0
	for jitter := 1e-13; jitter <= 1e-8; jitter *= 10 {
		for i := range m {
			c.SetSym(i, i, c.At(i, i)+(jitter-added)*largest)
		}
		added = jitter
		ch, err := linop.Cholesky(ctx, c)
		if err == nil {
			var l mat.TriDense
			ch.LTo(&l)
			return &l, nil
		}
		if !errors.Is(err, linop.ErrNotPositive) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("not positive semi-definite on this mesh")
}

// generator is the random generator of a seed.
func generator(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
}

// Normal returns independent standard normal numbers of a shape.
func Normal(seed uint64, shape ...int) (*array.Array, error) {
	return NormalContext(context.Background(), seed, shape...)
}

// NormalContext is [Normal] and can be stopped.
func NormalContext(ctx context.Context, seed uint64, shape ...int) (*array.Array, error) {
	return fill(ctx, shape, generator(seed).NormFloat64)
}

// Uniform returns independent numbers from [0, 1) of a shape.
func Uniform(seed uint64, shape ...int) (*array.Array, error) {
	return UniformContext(context.Background(), seed, shape...)
}

// UniformContext is [Uniform] and can be stopped.
func UniformContext(ctx context.Context, seed uint64, shape ...int) (*array.Array, error) {
	return fill(ctx, shape, generator(seed).Float64)
}

// Integers returns independent whole numbers, each from lo to hi, both included, equally often. lo must
// not be above hi, and both at most 2⁵³ from zero.
func Integers(ctx context.Context, lo, hi int64, seed uint64, shape ...int) (*array.Array, error) {
	const exact = 1 << 53
	if lo > hi || lo < -exact || hi > exact {
		return nil, fmt.Errorf("low %d, high %d: low must not be above high, and both must be at most 2^53 from zero", lo, hi)
	}
	r, n := generator(seed), uint64(hi-lo)+1
	return fill(ctx, shape, func() float64 { return float64(lo + int64(r.Uint64N(n))) })
}

// Permutation returns the numbers 1 to n in random order, each order equally likely.
func Permutation(ctx context.Context, n int, seed uint64) (*array.Array, error) {
	next := 0.0
	a, err := fill(ctx, []int{n}, func() float64 { next++; return next })
	if err != nil {
		return nil, err
	}
	r := generator(seed)
	for i := n - 1; i > 0; i-- { // Fisher and Yates
		if i%(1<<20) == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("random numbers stopped: %w", context.Cause(ctx))
		}
		j := r.Uint64N(uint64(i + 1))
		a.Data[i], a.Data[j] = a.Data[j], a.Data[i]
	}
	return a, nil
}

func fill(ctx context.Context, shape []int, next func() float64) (*array.Array, error) {
	a, err := array.Zeros(shape...)
	if err != nil {
		return nil, err
	}
	for i := range a.Data {
		if i%(1<<20) == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("random numbers stopped: %w", context.Cause(ctx))
		}
		a.Data[i] = next()
	}
	return a, nil
}

// BrownianBridge returns n Brownian bridges on the interval of a mesh with one
// axis: n × size. Each is W(t) - t/T W(T) for a Wiener process W sampled exactly at
// the points of the mesh, t their distance from the lower end of the interval and T
// its length: the variance is T/4 in the middle.
func BrownianBridge(m mesh.Mesh, n int, seed uint64) (*array.Array, error) {
	if m.Dim() != 1 || len(m.Axes()) != 1 {
		return nil, fmt.Errorf("mesh: has %d coordinates, a Brownian bridge needs 1", m.Dim())
	}
	if n < 1 {
		return nil, fmt.Errorf("n %d: must be at least 1", n)
	}
	ax := m.Axes()[0]
	if ax.Scattered() {
		return nil, fmt.Errorf("mesh: its points are scattered; a Brownian bridge needs an interval")
	}
	a, b := ax.Lower[0], ax.Upper[0]
	rng := generator(seed)
	out, err := array.Zeros(n, ax.Size())
	if err != nil {
		return nil, err
	}
	for i := range n {
		w, at := 0.0, a
		row := out.Data[i*ax.Size() : (i+1)*ax.Size()]
		for j, x := range ax.Coordinates {
			w += math.Sqrt(x-at) * rng.NormFloat64()
			row[j], at = w, x
		}
		w += math.Sqrt(b-at) * rng.NormFloat64()
		for j, x := range ax.Coordinates {
			row[j] -= (x - a) / (b - a) * w
		}
	}
	return out, nil
}
