package linop

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Outer returns a ⊗ b as one vector.
func Outer(a, b []float64) []float64 {
	v := make([]float64, 0, len(a)*len(b))
	for _, p := range a {
		for _, q := range b {
			v = append(v, p*q)
		}
	}
	return v
}

// Roots returns the square roots of weights.
func Roots(w []float64) []float64 {
	r := make([]float64, len(w))
	for i, v := range w {
		r[i] = math.Sqrt(v)
	}
	return r
}

// TimesRows multiplies every row of data, of the length of w, by w.
func TimesRows(data, w []float64) {
	for at := 0; at < len(data); at += len(w) {
		for k, v := range w {
			data[at+k] *= v
		}
	}
}

// AddToRows adds c v to every row of m.
func AddToRows(m *mat.Dense, c float64, v []float64) {
	n, _ := m.Dims()
	for i := range n {
		floats.AddScaled(m.RawRowView(i), c, v)
	}
}

// SquareRoot returns R with R Rᵀ = c k, by eigenvectors: k may be singular.
func SquareRoot(ctx context.Context, k *mat.Dense, c float64) (*mat.Dense, error) {
	values, v, err := Eigen(ctx, k)
	if err != nil {
		return nil, err
	}
	v.Apply(func(_, j int, x float64) float64 { return x * math.Sqrt(c*max(values[j], 0)) }, v)
	return v, nil
}

// RootOf returns R with R Rᵀ = c a, for a positive semi-definite operator a.
func RootOf(ctx context.Context, a Operator, c float64) (*mat.Dense, error) {
	m, err := Matrix(ctx, a)
	if err != nil {
		return nil, err
	}
	return SquareRoot(ctx, m, c)
}

// Ones is the vector of ones.
func Ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// SquaresOfColumns is the squared length of each column.
func SquaresOfColumns(m *mat.Dense) []float64 {
	rows, cols := m.Dims()
	sums := make([]float64, cols)
	for q := range rows {
		for i, v := range m.RawRowView(q) {
			sums[i] += v * v
		}
	}
	return sums
}

// Normal draws standard normal numbers.
func Normal(draw *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = draw.NormFloat64()
	}
	return v
}

// Sandwich returns aᵀ m a. It ends with ctx, as products do.
func Sandwich(ctx context.Context, a, m mat.Matrix) *mat.Dense {
	return Product(ctx, a.T(), Product(ctx, m, a))
}
