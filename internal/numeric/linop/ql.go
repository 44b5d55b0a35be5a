package linop

import (
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// mostSweeps bounds the sweeps for one eigenvalue, or for each singular value in the mean; two are
// usual.
const mostSweeps = 60

const epsilon = 1.0 / (1 << 52)

// implicitQL replaces the diagonal d of a symmetric tridiagonal matrix with neighbours e,
// which is used up, by its eigenvalues, in no order (Bowdler, Martin, Reinsch & Wilkinson
// 1968, Numer. Math. 11; with implicit shifts), and turns the rows of z along with them:
// with the unit matrix they become eigenvectors. z may have no rows. O(n²), with vectors
// O(n³).
func implicitQL(ctx context.Context, d, e []float64, z simd.Matrix) error {
	n, least := len(d), 0.0 // what counts as zero: an eighth of the rounding of the matrix
	for i, v := range d {
		least = max(least, epsilon/8*math.Abs(v), epsilon/8*math.Abs(e[i]))
	}
	for l := range n {
		if err := Stopped(ctx); err != nil {
			return err
		}
		for sweep := 0; ; sweep++ {
			m := l // where the matrix falls apart
			for m < n-1 && math.Abs(e[m]) > max(least, epsilon*(math.Abs(d[m])+math.Abs(d[m+1]))) {
				m++
			}
			if m == l {
				break
			}
			if sweep == mostSweeps {
				return fmt.Errorf("eigenvalues of a tridiagonal matrix of %d rows did not converge", n)
			}
			g := (d[l+1] - d[l]) / (2 * e[l])
			g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Hypot(g, 1), g))
			s, c, p := 1.0, 1.0, 0.0
			i := m - 1
			for ; i >= l; i-- {
				f, b := s*e[i], c*e[i]
				r := math.Hypot(f, g)
				e[i+1] = r
				if r == 0 { // the matrix falls apart in between
					d[i+1] -= p
					e[m] = 0
					break
				}
				s, c = f/r, g/r
				g = d[i+1] - p
				r = (d[i]-g)*s + 2*c*b
				p = s * r
				d[i+1] = g + p
				g = c*r - b
				if z.Rows > 0 {
					turn(row(z, i), row(z, i+1), c, s)
				}
			}
			if i < l {
				d[l] -= p
				e[l], e[m] = g, 0
			}
		}
	}
	return nil
}

// turn replaces the rows x and y by c x - s y and s x + c y.
func turn(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for i, v := range x {
		w := y[i]
		x[i], y[i] = c*v-s*w, s*v+c*w
	}
}

// sortRows sorts d, and rows of z along with it.
func sortRows(d []float64, z simd.Matrix) {
	if z.Rows == 0 {
		sort.Float64s(d)
		return
	}
	for i := range d { // few rows: the least of what is left comes next
		least := i
		for j := i + 1; j < len(d); j++ {
			if d[j] < d[least] {
				least = j
			}
		}
		if least != i {
			d[i], d[least] = d[least], d[i]
			x, y := row(z, i), row(z, least)
			for k := range x {
				x[k], y[k] = y[k], x[k]
			}
		}
	}
}
