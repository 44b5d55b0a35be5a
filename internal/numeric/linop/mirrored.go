package linop

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Mirrored reports whether reversing the order of rows and columns changes a square
// matrix by no more than tol times its largest entry.
func Mirrored(a *mat.Dense, tol float64) bool {
	n, _ := a.Dims()
	off, largest := 0.0, 0.0
	for i := range (n + 1) / 2 {
		row, other := a.RawRowView(i), a.RawRowView(n-1-i)
		for j, v := range row {
			off = max(off, math.Abs(v-other[n-1-j]))
			largest = max(largest, math.Abs(v))
		}
	}
	return off <= tol*largest
}

// EigenMirrored decomposes the mean of a symmetric matrix and itself in reverse order of rows and
// columns, at a quarter of the operations: its eigenvectors are even or odd about the
// middle, and those of either kind are found among themselves (Cantoni and Butler 1976).
func EigenMirrored(ctx context.Context, a *mat.Dense) (values []float64, vectors *mat.Dense, err error) {
	n, _ := a.Dims()
	half := n / 2
	at := func(i, j int) float64 { return a.At(i, j)/2 + a.At(n-1-i, n-1-j)/2 }
	even, odd := mat.NewDense(n-half, n-half, nil), &mat.Dense{}
	if half > 0 {
		odd = mat.NewDense(half, half, nil)
	}
	for i := range half {
		if err := Stopped(ctx); err != nil {
			return nil, nil, err
		}
		for j := range half {
			near, far := at(i, j), at(i, n-1-j)
			even.Set(i, j, near+far)
			odd.Set(i, j, near-far)
		}
	}
	if n-half > half { // the middle is its own image
		for i := range half {
			even.Set(i, half, math.Sqrt2*at(i, half))
			even.Set(half, i, math.Sqrt2*at(half, i))
		}
		even.Set(half, half, at(half, half))
	}
	evenValues, evenVectors, err := Eigen(ctx, even)
	if err != nil {
		return nil, nil, err
	}
	oddValues, oddVectors, err := Eigen(ctx, odd)
	if err != nil {
		return nil, nil, err
	}
	vectors = mat.NewDense(n, n, nil)
	place := func(k int, sign float64, from *mat.Dense, column int) {
		for i := range half {
			v := from.At(i, column) * math.Sqrt2 / 2
			vectors.Set(i, k, v)
			vectors.Set(n-1-i, k, sign*v)
		}
		if r, _ := from.Dims(); r > half {
			vectors.Set(half, k, from.At(half, column))
		}
	}
	for i, j := 0, 0; i+j < n; {
		if j == len(oddValues) || i < len(evenValues) && evenValues[i] <= oddValues[j] {
			place(i+j, 1, evenVectors, i)
			values = append(values, evenValues[i])
			i++
		} else {
			place(i+j, -1, oddVectors, j)
			values = append(values, oddValues[j])
			j++
		}
	}
	return values, vectors, nil
}
