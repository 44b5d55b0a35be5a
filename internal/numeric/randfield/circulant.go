package randfield

import (
	"context"
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/fft"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// circulant draws fields of a stationary kernel on uniform axes by Fourier transforms
// (Dietrich and Newsam 1997): the covariance of the points is a block of that of a
// larger grid on which the axes are circles, and the symmetric root of that one is
// diagonal in Fourier space.
type circulant struct {
	shape, padded []int
	root          []float64 // square roots of the eigenvalues, half of the spectrum
	plan          *fft.Real
}

const (
	// clipped bounds the negative eigenvalues that are taken for zero, in the mean,
	// relative to the variance: no sample can tell.
	clipped = 1e-8
	// Costs of the two ways in seconds, for the choice between them: of a number in a
	// transform there and back, and of an operation of the factorisation.
	transformCost, factorCost = 2e-8, 2e-10
	someFunctions             = 100
	maxPadded                 = 1 << 27 // numbers in a transform
)

// newCirculant returns nil if the kernel or the mesh does not fit, or if some functions
// take longer than by a factorisation. The choice does not depend on how many are drawn,
// so that more functions begin with those that fewer are.
func newCirculant(ctx context.Context, f *kernels.Function, m mesh.Mesh) (*circulant, error) {
	c := &circulant{}
	for i, a := range m.Axes() {
		if a.Scattered() || a.Dim() != 1 || !(a.Step > 0) || !f.Stationary(i) || !f.Even(i) {
			return nil, nil
		}
		c.shape = append(c.shape, a.Size())
	}
	size := float64(m.Size())
	budget := size * size * size / 3 * factorCost
	for larger := 2; ; larger *= 2 {
		total := 1.0
		c.padded = c.padded[:0]
		for _, s := range c.shape {
			c.padded = append(c.padded, fft.Good(larger*s))
			total *= float64(c.padded[len(c.padded)-1])
		}
		if total*someFunctions*transformCost > budget || total > maxPadded {
			return nil, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("random field stopped: %w", context.Cause(ctx))
		}
		if ok, err := c.diagonalise(ctx, f, m); ok || err != nil {
			return c, err
		}
	}
}

// diagonalise computes the eigenvalues; it reports whether all are at least zero, but
// for rounding.
func (c *circulant) diagonalise(ctx context.Context, f *kernels.Function, m mesh.Mesh) (bool, error) {
	plan, err := fft.NewReal(c.padded...)
	if err != nil {
		return false, err
	}
	c.plan = plan.WithContext(ctx)
	symbol := c.symbol(ctx, f, m)
	variance := symbol[0]
	re, im := make([]float64, plan.SpectrumSize()), make([]float64, plan.SpectrumSize())
	c.plan.Forward(re, im, symbol)
	negative := 0.0
	for i, v := range re {
		negative += max(-v, 0)
		re[i] = math.Sqrt(max(v, 0))
	}
	c.root = re
	if ctx.Err() != nil {
		return false, fmt.Errorf("random field stopped: %w", context.Cause(ctx))
	}
	return negative <= clipped*variance*float64(len(re)), nil
}

// symbol is the covariance of every point of the larger grid with the first.
func (c *circulant) symbol(ctx context.Context, f *kernels.Function, m mesh.Mesh) []float64 {
	last := len(c.padded) - 1
	columns := make([][]float64, len(c.padded))
	steps := make([]float64, len(c.padded))
	for i, a := range m.Axes() {
		columns[i], steps[i] = make([]float64, c.padded[last]), a.Step
	}
	distance := func(axis, at int) float64 { return steps[axis] * float64(min(at, c.padded[axis]-at)) }
	for j := range columns[last] {
		columns[last][j] = distance(last, j)
	}
	symbol := make([]float64, c.plan.Size())
	origin, at := make([]float64, len(c.padded)), make([]int, len(c.padded))
	for from := 0; from < len(symbol) && ctx.Err() == nil; from += c.padded[last] {
		for i := range last {
			d := distance(i, at[i])
			for j := range columns[i] {
				columns[i][j] = d
			}
		}
		f.Row(symbol[from:from+c.padded[last]], origin, columns)
		for i := last - 1; i >= 0; i-- {
			if at[i]++; at[i] < c.padded[i] {
				break
			}
			at[i] = 0
		}
	}
	return symbol
}

// draw returns n functions on the points of the mesh. Each takes the symmetric root of
// independent normal numbers on the larger grid.
func (c *circulant) draw(ctx context.Context, n int, seed uint64) (*array.Array, error) {
	size := 1
	for _, s := range c.shape {
		size *= s
	}
	out, err := array.Zeros(n, size)
	if err != nil {
		return nil, err
	}
	rng := generator(seed)
	z := make([]float64, c.plan.Size())
	re, im := make([]float64, len(c.root)), make([]float64, len(c.root))
	for i := range n {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("random field stopped: %w", context.Cause(ctx))
		}
		for j := range z {
			if j%(1<<20) == 0 && ctx.Err() != nil {
				break
			}
			z[j] = rng.NormFloat64()
		}
		c.plan.Forward(re, im, z)
		for j, r := range c.root {
			re[j] *= r
			im[j] *= r
		}
		c.plan.Inverse(z, re, im)
		block(out.Data[i*size:(i+1)*size], z, c.shape, c.padded)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("random field stopped: %w", context.Cause(ctx))
	}
	return out, nil
}

// block copies the first shape[0] × shape[1] × … elements of an array of a larger shape.
func block(dst, src []float64, shape, larger []int) {
	if len(shape) == 1 {
		copy(dst, src[:shape[0]])
		return
	}
	inner, wide := len(dst)/shape[0], len(src)/larger[0]
	for i := range shape[0] {
		block(dst[i*inner:(i+1)*inner], src[i*wide:(i+1)*wide], shape[1:], larger[1:])
	}
}
