package simd

import (
	"fmt"
	"testing"
)

// TestPlainTiles runs the micro-kernels of every architecture on this one: they give the same bits, and those of the
// definition, a sum from the first product to the last.
func TestPlainTiles(t *testing.T) {
	for _, tile := range []tile{wholeTile(2, 4, plainTile2x4), wholeTile(4, 4, plainTile4x4)} {
		for k := range 11 {
			const stride = 6
			a, b, c := random(1, tile.rows*k), random(2, tile.cols*k), random(3, tile.rows*stride)
			want := append([]float64(nil), c...)
			for i := range tile.rows {
				for j := range tile.cols {
					s := 0.0
					for p := range k {
						s += a[p*tile.rows+i] * b[p*tile.cols+j]
					}
					want[i*stride+j] += s
				}
			}
			tile.run(tile.rows, 1, k, a, 1, tile.rows, b, tile.cols, c, stride, true)
			for i := range c {
				if c[i] != want[i] {
					t.Fatalf("%d x %d tile, %d steps: element %d is %g: want %g", tile.rows, tile.cols, k, i, c[i], want[i])
				}
			}
		}
	}
}

// TestGemmByVectors: a product with a vector has the bits of the same column or row of a product of matrices, whose
// loops are others in plain Go.
func TestGemmByVectors(t *testing.T) {
	for _, k := range everyLevel(t) {
		for _, s := range [][3]int{{1, 1, 3}, {3, 5, 4}, {7, 300, 9}, {50, 64, 30}, {33, 600, 5}} {
			m, inner, n := s[0], s[1], s[2]
			left, right := random(1, m*inner), random(2, inner*n)
			for name, ab := range map[string][2]Matrix{
				"plain":      {Dense(m, inner, left), Dense(inner, n, right)},
				"transposed": {Dense(inner, m, left).T(), Dense(n, inner, right).T()},
				"strided":    {{m / 2, inner / 2, 2 * inner, 2, left}, {inner / 2, n, 2 * n, 1, right}},
			} {
				a, b := ab[0], ab[1]
				if a.Rows == 0 || a.Cols == 0 {
					continue
				}
				whole := Dense(a.Rows, n, random(3, a.Rows*n))
				column := Matrix{a.Rows, 1, 2, 1, make([]float64, 2*a.Rows)}
				row := Dense(1, n, make([]float64, n))
				for i := range a.Rows {
					column.Data[2*i] = whole.at(i, n-1)
				}
				copy(row.Data, whole.Data)
				where := fmt.Sprintf("%v, %v, %s", k.Level(), s, name)
				k.Gemm(1, a, b.slice(0, b.Rows, n-1, 1), 0.5, column)
				k.Gemm(1, a.slice(0, 1, 0, a.Cols), b, 0.5, row)
				k.Gemm(1, a, b, 0.5, whole)
				for i := range a.Rows {
					if column.at(i, 0) != whole.at(i, n-1) {
						t.Fatalf("%s: element %d of a column is %g: want %g", where, i, column.at(i, 0), whole.at(i, n-1))
					}
				}
				for j := range n {
					if row.at(0, j) != whole.at(0, j) {
						t.Fatalf("%s: element %d of a row is %g: want %g", where, j, row.at(0, j), whole.at(0, j))
					}
				}
			}
		}
	}
}
