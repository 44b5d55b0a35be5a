// Package theory is the paper's error analysis (section 4, appendices C and D) in numbers,
// on meshes: spectra of kernels, the simultaneous diagonalisation of the inputs and the
// kernel, and the rate of convergence they predict.
package theory

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// maxSpectrum bounds the matrices whose eigenvalues are computed.
const maxSpectrum = 2500

// Eigenvalues returns the eigenvalues of the integral operator of a kernel, by the
// quadrature of the mesh, largest first: those of w^½ k w^½. O(m³).
func Eigenvalues(ctx context.Context, k kernel.Kernel, m mesh.Mesh) ([]float64, error) {
	if m.Size() > maxSpectrum {
		return nil, fmt.Errorf("mesh: has %d points, must have at most %d for all eigenvalues", m.Size(), maxSpectrum)
	}
	f, err := kernels.Compile(k, kernel.Space{Names: m.Names()})
	if err != nil {
		return nil, err
	}
	g, err := f.Gram(ctx, m, m)
	if err != nil {
		return nil, err
	}
	w := m.Weights()
	g.Apply(func(i, j int, v float64) float64 { return math.Sqrt(w[i]) * v * math.Sqrt(w[j]) }, g)
	values, _, err := spectrum(ctx, g, false)
	return values, err
}

// spectrum returns the eigenvalues of the symmetric part of a matrix, largest
// first, and eigenvectors in columns.
func spectrum(ctx context.Context, a *mat.Dense, vectors bool) ([]float64, *mat.Dense, error) {
	n, _ := a.Dims()
	if !vectors {
		values, err := linop.Eigenvalues(ctx, a)
		slices.Reverse(values)
		return values, nil, err
	}
	values, v, err := linop.Eigen(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	slices.Reverse(values)
	turned := mat.NewDense(n, n, nil)
	turned.Apply(func(i, j int, _ float64) float64 { return v.At(i, n-1-j) }, turned)
	return values, turned, nil
}

// Decay describes how values fall: like k^(-Rate), or like exp(-Rate k) when
// Exponential.
type Decay struct {
	Rate        float64
	Exponential bool    // a line in log value against k fits better than one against log k
	Fit         float64 // R² of the line
	From, To    int     // the values it was fitted to, counted from 1
}

// FitDecay fits the decay of values, sorted first, by least squares on their
// logarithms. It leaves out the first, where an asymptotic law does not hold yet,
// those below 1e-12 of the largest, which are rounding, and of the rest the last
// three quarters, which a mesh does not resolve; all says to keep these.
func FitDecay(values []float64, all bool) (Decay, error) {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	slices.Reverse(sorted)
	const rounding, least = 1e-12, 4
	n := 0
	for n < len(sorted) && sorted[n] > rounding*sorted[0] {
		n++
	}
	from, to := 2, n
	if !all {
		to = max(n/4, min(n, least+1))
	}
	if to-from+1 < least {
		return Decay{}, fmt.Errorf("values: %d of %d are positive and above rounding, must be at least %d", n, len(values), least+1)
	}
	var k, logK, logV []float64
	for i := from; i <= to; i++ {
		k, logK, logV = append(k, float64(i)), append(logK, math.Log(float64(i))), append(logV, math.Log(sorted[i-1]))
	}
	d := Decay{From: from, To: to}
	a, b := stat.LinearRegression(logK, logV, nil, false)
	d.Rate, d.Fit = -b, stat.RSquared(logK, logV, nil, a, b)
	c, e := stat.LinearRegression(k, logV, nil, false)
	if r := stat.RSquared(k, logV, nil, c, e); r > d.Fit {
		d.Rate, d.Fit, d.Exponential = -e, r, true
	}
	return d, nil
}
