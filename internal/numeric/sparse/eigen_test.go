package sparse_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/sparse"
)

// grid are the eigenvalues of the five-point matrix, in closed form: most are double.
func grid(n int) []float64 {
	var v []float64
	for i := 1; i <= n; i++ {
		for j := 1; j <= n; j++ {
			s := math.Pi / 2 / float64(n+1)
			v = append(v, 4*math.Pow(math.Sin(float64(i)*s), 2)+4*math.Pow(math.Sin(float64(j)*s), 2))
		}
	}
	slices.Sort(v)
	return v
}

// The ends and the middle of the spectrum of the five-point matrix, with every copy of double
// eigenvalues, also where the matrix is shifted to be indefinite or is in other units.
func TestEigenOfTheGrid(t *testing.T) {
	const n = 24
	exact := grid(n)
	one, _ := sparse.Diagonals(n*n, n*n, [][]float64{{1}}, []int{0})
	for _, shift := range []float64{0, -3, 1e-9} {
		for _, unit := range []float64{1, 1e-150, 1e150} {
			a, err := sparse.Add(unit, laplacian(t, n, 0), unit*shift, one)
			if err != nil {
				t.Fatal(err)
			}
			for _, tt := range []struct {
				which sparse.Which
				k     int
				want  []float64
			}{
				{sparse.Largest, 6, exact[len(exact)-6:]},
				{sparse.Smallest, 6, exact[:6]},
				{sparse.Smallest, 1, exact[:1]},
				{sparse.Largest, 11, exact[len(exact)-11:]},
			} {
				values, vectors, err := sparse.Eigen(ctx, a, tt.k, tt.which, 0, 1e-12)
				if err != nil {
					t.Errorf("%v of %g and %g: %v", tt.which, shift, unit, err)
					continue
				}
				for i, v := range values {
					if !(math.Abs(v/unit-shift-tt.want[i]) < 1e-10) {
						t.Errorf("shift %g, unit %g, %d of %v: eigenvalue %d is %.15g, want %.15g", shift, unit, tt.k, tt.which, i+1, v/unit-shift, tt.want[i])
					}
				}
				var gram mat.Dense
				gram.Mul(vectors.T(), vectors)
				for i := range tt.k {
					gram.Set(i, i, gram.At(i, i)-1)
				}
				if e := mat.Norm(&gram, 1); !(e < 1e-8) {
					t.Errorf("eigenvectors are orthonormal to %.1e", e)
				}
			}
		}
	}
	a := laplacian(t, n, 0)
	for _, sigma := range []float64{4, 1.2345, exact[0], 100} {
		byDistance := slices.Clone(exact)
		slices.SortFunc(byDistance, func(x, y float64) int {
			if math.Abs(x-sigma) < math.Abs(y-sigma) {
				return -1
			}
			return 1
		})
		values, _, err := sparse.Eigen(ctx, a, 4, sparse.Nearest, sigma, 1e-12)
		if err != nil {
			t.Errorf("nearest to %g: %v", sigma, err)
			continue
		}
		for _, v := range values { // as far away as the four nearest, and eigenvalues
			at := slices.IndexFunc(exact, func(x float64) bool { return math.Abs(x-v) < 1e-9 })
			if at < 0 || math.Abs(v-sigma) > math.Abs(byDistance[3]-sigma)+1e-9 {
				t.Errorf("nearest to %g: %.12g, want %v", sigma, v, byDistance[:4])
			}
		}
	}
}

// Matrices of one eigenvalue, and of blocks that do not know of each other.
func TestEigenOfMultiples(t *testing.T) {
	one, _ := sparse.Diagonals(300, 300, [][]float64{{2}}, []int{0})
	values, _, err := sparse.Eigen(ctx, one, 5, sparse.Largest, 0, 1e-12)
	if err != nil || len(values) != 5 || math.Abs(values[0]-2)+math.Abs(values[4]-2) > 1e-13 {
		t.Errorf("%v %v, want 2 five times", values, err)
	}
	d := make([]float64, 500)
	for i := range d {
		d[i] = float64(i / 4) // four copies of each
	}
	a, _ := sparse.Diagonals(500, 500, [][]float64{d}, []int{0})
	values, _, err = sparse.Eigen(ctx, a, 7, sparse.Smallest, 0, 1e-12)
	want := []float64{0, 0, 0, 0, 1, 1, 1}
	for i, v := range values {
		if !(math.Abs(v-want[i]) < 1e-9) {
			t.Errorf("%v %v, want %v", values, err, want)
			break
		}
	}
	if err != nil {
		t.Error(err)
	}
	if _, _, err := sparse.Eigen(ctx, a, 501, sparse.Largest, 0, 1e-12); err == nil {
		t.Error("501 eigenvalues of 500")
	}
}
