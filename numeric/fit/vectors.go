package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// outer returns a ⊗ b as one vector.
func outer(a, b []float64) []float64 {
	v := make([]float64, 0, len(a)*len(b))
	for _, p := range a {
		for _, q := range b {
			v = append(v, p*q)
		}
	}
	return v
}

// roots returns the square roots of the products of two lists of weights.
func roots(a, b []float64) []float64 {
	r := make([]float64, 0, len(a)*len(b))
	for _, p := range a {
		for _, q := range b {
			r = append(r, math.Sqrt(p*q))
		}
	}
	return r
}

// timesRows multiplies every row of data, of the length of w, by w.
func timesRows(data, w []float64) {
	for at := 0; at < len(data); at += len(w) {
		for k, v := range w {
			data[at+k] *= v
		}
	}
}

// addToRows adds c v to every row of m.
func addToRows(m *mat.Dense, c float64, v []float64) {
	n, _ := m.Dims()
	for i := range n {
		floats.AddScaled(m.RawRowView(i), c, v)
	}
}

// scaledBy is v times s, or nil for nil.
func scaledBy(v, s []float64) []float64 {
	if v == nil {
		return nil
	}
	out := make([]float64, len(v))
	return floats.MulTo(out, v, s)
}

// notNothing is a norm that one may divide by.
func notNothing(norm float64) float64 { return max(norm, math.SmallestNonzeroFloat64) }

// squareRoot returns R with R Rᵀ = c k, by eigenvectors: k may be singular.
func squareRoot(ctx context.Context, k *mat.Dense, c float64) (*mat.Dense, error) {
	values, v, err := linop.Eigen(ctx, k)
	if err != nil {
		return nil, err
	}
	v.Apply(func(_, j int, x float64) float64 { return x * math.Sqrt(c*max(values[j], 0)) }, v)
	return v, nil
}

// rootOf returns R with R Rᵀ = c a, for a positive semi-definite operator a.
func rootOf(ctx context.Context, a linop.Operator, c float64) (*mat.Dense, error) {
	m, err := linop.Matrix(ctx, a)
	if err != nil {
		return nil, err
	}
	return squareRoot(ctx, m, c)
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// largestEigenvalue is an estimate from below, by the power method.
func largestEigenvalue(ctx context.Context, a linop.Operator) float64 {
	n, _ := a.Dims()
	x, y, top := criteria.Signs(n, 0), make([]float64, n), 0.0
	for range 20 {
		floats.Scale(1/floats.Norm(x, 2), x)
		a.Apply(ctx, y, x)
		if top = floats.Norm(y, 2); !(top > 0) || math.IsInf(top, 0) {
			return top
		}
		x, y = y, x
	}
	return top
}

// squaresOfColumns is the squared length of each column.
func squaresOfColumns(m *mat.Dense) []float64 {
	rows, cols := m.Dims()
	sums := make([]float64, cols)
	for q := range rows {
		for i, v := range m.RawRowView(q) {
			sums[i] += v * v
		}
	}
	return sums
}

func normal(draw *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = draw.NormFloat64()
	}
	return v
}

// centre is the middle of the box that holds the product of meshes.
func centre(meshes ...mesh.Mesh) []float64 {
	var c []float64
	for _, m := range meshes {
		for _, a := range m.Axes() {
			for i := range a.Lower {
				c = append(c, (a.Lower[i]+a.Upper[i])/2)
			}
		}
	}
	return c
}
