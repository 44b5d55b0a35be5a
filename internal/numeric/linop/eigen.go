package linop

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// Eigen returns the eigenvalues of the symmetric part of a matrix, increasing, and
// its eigenvectors in columns: orthonormal, with A V = V diag(values) to rounding of the
// largest eigenvalue. The matrix is made tridiagonal and that is divided and conquered.
// About 4n³ operations, most of them in matrix products, and memory for three such
// matrices. The error is the context's, or says that the matrix is not finite.
func Eigen(ctx context.Context, a mat.Matrix) (values []float64, vectors *mat.Dense, err error) {
	n, _ := a.Dims()
	if n == 0 {
		return nil, &mat.Dense{}, nil
	}
	t, unit, err := reduce(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	z := simd.Dense(n, n, make([]float64, n*n))
	if err := conquer(ctx, t.d, t.e, z); err != nil {
		return nil, nil, err
	}
	if err := t.back(ctx, z); err != nil {
		return nil, nil, err
	}
	if err := transpose(ctx, t.a, z); err != nil {
		return nil, nil, err
	}
	for i := range t.d {
		t.d[i] *= unit
	}
	return t.d, mat.NewDense(n, n, t.a.Data), nil
}

// Eigenvalues returns the eigenvalues of the symmetric part of a matrix, increasing.
// About 4n³/3 operations.
func Eigenvalues(ctx context.Context, a mat.Matrix) ([]float64, error) {
	t, unit, err := reduce(ctx, a)
	if err != nil {
		return nil, err
	}
	if err := implicitQL(ctx, t.d, t.e, simd.Matrix{}); err != nil {
		return nil, err
	}
	sortRows(t.d, simd.Matrix{})
	for i := range t.d {
		t.d[i] *= unit
	}
	return t.d, nil
}

// reduce makes the symmetric part of a matrix tridiagonal, in the unit of its largest
// entry: a power of two, so that nothing is rounded.
func reduce(ctx context.Context, a mat.Matrix) (t *tridiagonal, unit float64, err error) {
	s, unit, err := symmetricPart(ctx, a)
	if err != nil {
		return nil, 0, err
	}
	t, err = tridiagonalise(ctx, s)
	return t, unit, err
}

// symmetricPart is (A + Aᵀ)/2 over the power of two next to its largest entry.
func symmetricPart(ctx context.Context, a mat.Matrix) (s simd.Matrix, unit float64, err error) {
	n, cols := a.Dims()
	if n != cols {
		panic(mat.ErrShape)
	}
	s = simd.Dense(n, n, make([]float64, n*n))
	at := a.At
	switch m := a.(type) { // without a call for each entry
	case *mat.Dense:
		raw := m.RawMatrix()
		at = func(i, j int) float64 { return raw.Data[i*raw.Stride+j] }
	case *mat.SymDense:
		raw := m.RawSymmetric()
		at = func(i, j int) float64 { return raw.Data[min(i, j)*raw.Stride+max(i, j)] }
	}
	largest := 0.0
	const tile = 64 // that both triangles stay in the cache
	for i := 0; i < n; i += tile {
		if err := Stopped(ctx); err != nil {
			return s, 0, err
		}
		for j := i; j < n; j += tile {
			for r := i; r < min(i+tile, n); r++ {
				for c := max(j, r); c < min(j+tile, n); c++ {
					v := at(r, c)/2 + at(c, r)/2
					if !(math.Abs(v) <= math.MaxFloat64) {
						return s, 0, fmt.Errorf("eigenvalues of a %d × %d matrix: entry %d, %d is %g", n, n, r+1, c+1, v)
					}
					largest = max(largest, math.Abs(v))
					s.Data[r*n+c], s.Data[c*n+r] = v, v
				}
			}
		}
	}
	return s, scaleToUnit(s.Data, largest), nil
}

// SmallEigenvalues returns the eigenvalues of a square matrix, in no order. It is for
// matrices of up to MostSmall rows, and refuses larger ones: it cannot be stopped.
// ok is false where they could not be computed.
func SmallEigenvalues(a mat.Matrix) (values []complex128, ok bool) {
	if n, _ := a.Dims(); n > MostSmall {
		panic(fmt.Sprintf("linop: eigenvalues of a general matrix of %d rows, at most %d", n, MostSmall))
	}
	var e mat.Eigen
	if !e.Factorize(a, mat.EigenNone) {
		return nil, false
	}
	return e.Values(nil), true
}

// MostSmall bounds the matrices of SmallEigenvalues: some hundredths of a second.
const MostSmall = 128

// GeneralEigen returns the eigenvalues of a square matrix, in no order, and eigenvectors in
// columns. About 25 n³ operations, which go on unheard when the context ends: matrices of more
// than some thousand rows are not for it. ok is false where they could not be computed.
func GeneralEigen(ctx context.Context, a *mat.Dense) (values []complex128, vectors *mat.CDense, ok bool, err error) {
	own := mat.DenseCopyOf(a)
	type result struct { // its own, so that nobody reads what is still written
		values  []complex128
		vectors mat.CDense
		ok      bool
	}
	r := new(result)
	err = parallel.Alone(ctx, func() {
		var e mat.Eigen
		if r.ok = e.Factorize(own, mat.EigenRight); r.ok {
			r.values = e.Values(nil)
			e.VectorsTo(&r.vectors)
		}
	})
	if err != nil {
		return nil, nil, false, err
	}
	return r.values, &r.vectors, r.ok, nil
}
