package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
)

// lowRank holds the kernel's values between pairs (x,ξ) and pairs (y,η) as
// Σ_q a_q(x,ξ) b_q(y,η).
type lowRank struct {
	a, b [][]float64
	all  bool // the sample was everything
}

// sampleLines and sampleLinesLarge are the number of whole rows, and of whole
// columns, on which a cross approximation is held against the kernel itself; the
// second where each line has more than largeLine entries. Small matrices are
// checked as a whole. Of others there are entries too, of three kinds: nearest
// points, where a local kernel or term of a sum is; all that a few points have with
// all others, the points drawn from where each addend of the kernel lives; and any.
const (
	sampleLines      = 48
	sampleLinesLarge = 12
	largeLine        = 1 << 14
	smallMatrix      = 1 << 16 // entries that are all checked
	sampleEntries    = 1 << 16 // of each kind
	samplePoints     = 8       // whose entries with all others are taken
	sampleAny        = 1 << 12
)

// cross approximates by adaptive crosses with partial pivoting (Bebendorf 2000,
// Numer. Math. 86): each step interpolates the residual on one row and one
// column. Two departures: a sample of entries is checked before the approximation
// is believed, and the row of the sample entry that fails most is the next pivot. It
// returns nil when most crosses do not reach the tolerance, relative to the
// largest value of the kernel.
func cross(ctx context.Context, r *reference, x, y *pairSet, tol float64, most int) (*lowRank, error) {
	c, err := newCrossing(r, x, y)
	if err != nil {
		return nil, err
	}
	for {
		i, e := c.worst()
		if e <= tol*c.scale || i >= 0 && c.used[i] && e <= 100*tol*c.scale { // a row used already has only rounding left
			if len(c.a) == 0 { // the kernel is zero
				c.a, c.b = [][]float64{make([]float64, x.count())}, [][]float64{make([]float64, y.count())}
			}
			return &lowRank{a: c.a, b: c.b, all: c.all}, nil
		}
		for i >= 0 {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("kernel structure: stopped: %w", context.Cause(ctx))
			}
			if len(c.a) >= most || c.used[i] {
				return nil, nil
			}
			next, size := c.step(i)
			if !(size > tol*c.scale) {
				break
			}
			i = next
		}
		if i < 0 && len(c.a) >= most {
			return nil, nil
		}
	}
}

// crossing is the state of one cross approximation.
type crossing struct {
	f          *kernels.Function
	x, y       *pairSet
	a, b       [][]float64
	used       []bool // rows taken as pivots
	scale      float64
	rows, cols []line // the sample
	at         []entry
	residual   []float64 // of the entries
	all        bool      // rows are all rows
}

// line is the residual along one row or column.
type line struct {
	at       int
	residual []float64
}

// entry is one pair of pairs.
type entry struct{ x, y int }

func newCrossing(r *reference, x, y *pairSet) (*crossing, error) {
	c := &crossing{f: r.f, x: x, y: y, used: make([]bool, x.count())}
	c.all = x.count()*y.count() <= smallMatrix
	c.rows = c.lines(r.ctx, x, y, true)
	var err error
	if !c.all {
		c.cols = c.lines(r.ctx, y, x, false)
		err = c.sample(r)
	}
	if r.ctx.Err() != nil {
		return nil, fmt.Errorf("kernel structure: stopped: %w", context.Cause(r.ctx))
	}
	return c, err
}

// lines takes a sample of s and evaluates the kernel between it and all of t.
func (c *crossing) lines(ctx context.Context, s, t *pairSet, input bool) []line {
	n, wanted := s.count(), sampleLines
	switch {
	case t.count() > largeLine:
		wanted = sampleLinesLarge
	case c.all:
		wanted = n
	}
	out := make([]line, 0, wanted)
	for k := range min(n, wanted) {
		if ctx.Err() != nil {
			break
		}
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

// sample draws entries and evaluates the kernel there.
func (c *crossing) sample(r *reference) error {
	n, m := r.to.Size(), r.from.Size()
	add := func(i, j int) {
		c.at = append(c.at, entry{c.x.at(i/c.y.rows, j/c.y.cols), c.y.at(i%c.y.rows, j%c.y.cols)})
	}
	for k := range min(n, sampleEntries) {
		i := k
		if n > sampleEntries {
			i = r.rng.IntN(n)
		}
		add(i, r.near(i))
	}
	draws, err := r.drawRows(samplePoints)
	if err != nil {
		return err
	}
	for _, i := range draws {
		for k := range min(m, sampleEntries/samplePoints) {
			j := k
			if m > sampleEntries/samplePoints {
				j = r.rng.IntN(m)
			}
			add(i, j)
		}
	}
	for range sampleAny {
		add(r.rng.IntN(n), r.rng.IntN(m))
	}
	c.residual = make([]float64, len(c.at))
	c.f.Block(c.residual, c.operands(c.x.p, c.y.p), c.operands(c.x.q, c.y.q))
	c.scale = max(c.scale, largest(c.residual))
	return nil
}

// operands are the coordinates of the entries: those of x, then those of y.
func (c *crossing) operands(x, y [][]float64) []expr.Operand {
	var ops []expr.Operand
	for _, from := range x {
		v := make([]float64, len(c.at))
		for k, e := range c.at {
			v[k] = from[e.x]
		}
		ops = append(ops, expr.Operand{Vector: v})
	}
	for _, from := range y {
		v := make([]float64, len(c.at))
		for k, e := range c.at {
			v[k] = from[e.y]
		}
		ops = append(ops, expr.Operand{Vector: v})
	}
	return ops
}

// worst returns the row and the size of the largest residual on the sample; NaN is
// larger than anything.
func (c *crossing) worst() (i int, size float64) {
	i = -1
	take := func(at int, v float64) {
		if v = math.Abs(v); v > size || math.IsNaN(v) && !math.IsNaN(size) {
			i, size = at, v
		}
	}
	for _, l := range c.rows {
		for _, v := range l.residual {
			take(l.at, v)
		}
	}
	for _, l := range c.cols {
		for j, v := range l.residual {
			take(j, v)
		}
	}
	for k, v := range c.residual {
		take(c.at[k].x, v)
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
	for k, e := range c.at {
		c.residual[k] -= a[e.x] * b[e.y]
	}
}

// step adds the cross through row i and returns the next row, or -1 when none
// is left, and the size of what it added: 0 when nothing but rounding is left there.
func (c *crossing) step(i int) (next int, size float64) {
	c.used[i] = true
	r := make([]float64, c.y.count())
	row(c.f, r, c.x, i, c.y, true)
	c.scale = max(c.scale, largest(r))
	for q := range c.a {
		floats.AddScaled(r, -c.a[q][i], c.b[q])
	}
	j := argmax(r, nil)
	if j < 0 || !(math.Abs(r[j]) > 1e-15*c.scale) {
		return -1, 0
	}
	col := make([]float64, c.x.count())
	row(c.f, col, c.y, j, c.x, false)
	for q := range c.a {
		floats.AddScaled(col, -c.b[q][j], c.a[q])
	}
	floats.Scale(1/r[j], col)
	c.a, c.b = append(c.a, col), append(c.b, r)
	c.subtract(col, r)
	return argmax(col, c.used), largest(col) * largest(r)
}

// argmax returns the index of the largest |v|, leaving out those in skip; -1 if there
// is none.
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
