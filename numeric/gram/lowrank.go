package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/kernel"
)

// lowRank holds the kernel's values between pairs (x,ξ) and pairs (y,η) as
// Σ_q a_q(x,ξ) b_q(y,η).
type lowRank struct {
	a, b  [][]float64
	error float64 // largest deviation seen on the sample, relative to the largest value
}

// sampleLines and sampleLinesLarge are the number of whole rows, and of whole
// columns, on which a cross approximation is held against the kernel itself; the
// second where each line has more than largeLine entries. Small matrices are
// checked as a whole.
const (
	sampleLines      = 48
	sampleLinesLarge = 12
	largeLine        = 1 << 14
	smallMatrix      = 1 << 16 // entries that are all checked
)

// cross approximates by adaptive crosses with partial pivoting (Bebendorf 2000,
// Numer. Math. 86): each step interpolates the residual on one row and one
// column. Two departures: a sample of entries is checked before the approximation
// is believed, and a sample entry that fails becomes the next pivot. It returns
// nil when maxTerms crosses do not reach the tolerance, relative to the largest
// value of the kernel.
func cross(ctx context.Context, f *kernel.Function, x, y *pairSet, tol float64, maxTerms int) (*lowRank, error) {
	c := newCrossing(f, x, y)
	for i := c.worst(); ; {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("kernel structure: stopped: %w", context.Cause(ctx))
		}
		size := 0.0
		if i >= 0 {
			i, size = c.step(i)
		}
		if size <= tol*c.scale {
			w, e := c.worstResidual()
			if e <= tol*c.scale || c.used[w] && e <= 100*tol*c.scale { // a row used already has only rounding left
				if len(c.a) == 0 { // the kernel is zero
					c.a, c.b = [][]float64{make([]float64, x.count())}, [][]float64{make([]float64, y.count())}
				}
				return &lowRank{a: c.a, b: c.b, error: e / max(c.scale, math.SmallestNonzeroFloat64)}, nil
			}
			i = w
		}
		if len(c.a) >= maxTerms || i >= 0 && c.used[i] {
			return nil, nil
		}
	}
}

// crossing is the state of one cross approximation.
type crossing struct {
	f          *kernel.Function
	x, y       *pairSet
	a, b       [][]float64
	used       []bool // rows taken as pivots
	scale      float64
	rows, cols []line // the sample
}

// line is the residual along one row or column.
type line struct {
	at       int
	residual []float64
}

func newCrossing(f *kernel.Function, x, y *pairSet) *crossing {
	c := &crossing{f: f, x: x, y: y, used: make([]bool, x.count())}
	c.rows = c.lines(x, y, true)
	c.cols = c.lines(y, x, false)
	return c
}

// lines takes a sample of s and evaluates the kernel between it and all of t.
func (c *crossing) lines(s, t *pairSet, input bool) []line {
	n, wanted := s.count(), sampleLines
	switch {
	case t.count() > largeLine:
		wanted = sampleLinesLarge
	case n*t.count() <= smallMatrix:
		wanted = n
	}
	out := make([]line, 0, wanted)
	for k := range min(n, wanted) {
		at := k
		if n > wanted {
			at = int(uint64(k) * 2654435761 % uint64(n)) // spread over the whole range
			if k%4 == 0 {
				at = n/2 + k/4 // neighbours, where kernels are large
			}
		}
		l := line{at: at, residual: make([]float64, t.count())}
		row(c.f, l.residual, s, at, t, input)
		c.scale = max(c.scale, largest(l.residual))
		out = append(out, l)
	}
	return out
}

// worst returns the row of the largest residual on the sample.
func (c *crossing) worst() int { i, _ := c.worstResidual(); return i }

func (c *crossing) worstResidual() (i int, size float64) {
	for _, l := range c.rows {
		if r := largest(l.residual); r >= size {
			i, size = l.at, r
		}
	}
	for _, l := range c.cols {
		if j := argmax(l.residual, nil); math.Abs(l.residual[j]) > size {
			i, size = j, math.Abs(l.residual[j])
		}
	}
	return i, size
}

// subtract takes the cross a bᵀ from the sample's residuals.
func (c *crossing) subtract(a, b []float64) {
	for _, l := range c.rows {
		floats.AddScaled(l.residual, -a[l.at], b)
	}
	for _, l := range c.cols {
		floats.AddScaled(l.residual, -b[l.at], a)
	}
}

// step adds the cross through row i and returns the next row, or -1 when none
// is left, and the size of what it added.
func (c *crossing) step(i int) (next int, size float64) {
	c.used[i] = true
	r := make([]float64, c.y.count())
	row(c.f, r, c.x, i, c.y, true)
	c.scale = max(c.scale, largest(r))
	for q := range c.a {
		floats.AddScaled(r, -c.a[q][i], c.b[q])
	}
	j := argmax(r, nil)
	pivot := r[j]
	if math.Abs(pivot) <= 1e-15*c.scale {
		return c.unused(), 0
	}
	col := make([]float64, c.x.count())
	row(c.f, col, c.y, j, c.x, false)
	for q := range c.a {
		floats.AddScaled(col, -c.b[q][j], c.a[q])
	}
	floats.Scale(1/pivot, col)
	c.a, c.b = append(c.a, col), append(c.b, r)
	c.subtract(col, r)
	return argmax(col, c.used), largest(col) * largest(r)
}

func (c *crossing) unused() int {
	for i, u := range c.used {
		if !u {
			return i
		}
	}
	return -1
}

// argmax returns the index of the largest |v|, leaving out those in skip.
func argmax(v []float64, skip []bool) int {
	best, at := -1.0, -1
	for i, x := range v {
		if a := math.Abs(x); a > best && (skip == nil || !skip[i]) {
			best, at = a, i
		}
	}
	return at
}

// largest is the largest |v|; NaN counts for nothing.
func largest(v []float64) float64 {
	best := 0.0
	for _, x := range v {
		if x < 0 {
			x = -x
		}
		if x > best {
			best = x
		}
	}
	return best
}
