package gram

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// pivotBlock is how many candidates are drawn at once.
const pivotBlock = 48

type partialCholesky struct {
	m        *kernels.Matrix
	n        int
	f        *mat.Dense // rows found so far
	k, limit int
	pivots   []int     // points, of each row
	left     []float64 // diagonal of K - Fᵀ F
	rng      *rand.Rand
}

func newPartialCholesky(f *kernels.Function, m *kernels.Matrix, xy mesh.Mesh, maxRank int) *partialCholesky {
	n := xy.Size()
	c := &partialCholesky{m: m, n: n, limit: min(maxRank, n), left: make([]float64, n), rng: rand.New(rand.NewPCG(1, 1))}
	c.f = mat.NewDense(max(1, min(c.limit, 4*pivotBlock)), n, nil)
	var ops []expr.Operand
	for _, v := range xy.Columns() {
		ops = append(ops, expr.Operand{Vector: v})
	}
	f.Block(c.left, ops, ops)
	return c
}

func (c *partialCholesky) largest() float64 { return floats.Max(c.left) }

// draw returns candidates, the point with the largest diagonal first.
func (c *partialCholesky) draw(count int) []int {
	sum := make([]float64, c.n)
	total := 0.0
	for i, v := range c.left {
		total += max(v, 0)
		sum[i] = total
	}
	at := []int{floats.MaxIdx(c.left)}
	taken := map[int]bool{at[0]: true}
	for range 2 * count {
		i := min(sort.SearchFloat64s(sum, c.rng.Float64()*total), c.n-1)
		if len(at) < count && !taken[i] && c.left[i] > 0 {
			taken[i] = true
			at = append(at, i)
		}
	}
	return at
}

// block draws candidates, and adds a row for those that the others of the block
// leave something to do.
func (c *partialCholesky) block(ctx context.Context) error {
	at := c.draw(min(pivotBlock, c.limit-c.k))
	rows := mat.NewDense(len(at), c.n, nil)
	if err := kernels.Rows(ctx, len(at), c.m.RowTime(), func(i int) { c.m.Row(rows.RawRowView(i), at[i]) }); err != nil {
		return err
	}
	if c.k > 0 {
		before := c.f.Slice(0, c.k, 0, c.n).(*mat.Dense)
		own := mat.NewDense(len(at), c.k, nil)
		for i, p := range at {
			for q := range c.k {
				own.Set(i, q, before.At(q, p))
			}
		}
		var known mat.Dense
		if err := linop.MulContext(ctx, &known, own, before); err != nil {
			return err
		}
		rows.Sub(rows, &known)
	}
	order, lower := c.eliminate(rows, at)
	if have, _ := c.f.Dims(); have < c.k+len(order) {
		c.f = c.f.Grow(min(have, c.limit-have), 0).(*mat.Dense)
	}
	for a, i := range order { // forward substitution with the factor of the block
		row := c.f.RawRowView(c.k + a)
		copy(row, rows.RawRowView(i))
		for b := range a {
			floats.AddScaled(row, -lower[a][b], c.f.RawRowView(c.k+b))
		}
		floats.Scale(1/lower[a][a], row)
	}
	for a := range order {
		for i, v := range c.f.RawRowView(c.k + a) {
			c.left[i] -= v * v
		}
	}
	for _, i := range order {
		c.left[at[i]] = 0
		c.pivots = append(c.pivots, at[i])
	}
	c.k += len(order)
	return nil
}

// eliminate factors the block of what is left at the candidates, the largest
// pivots first, down to a part of the first. It returns their order and the
// factor's rows.
func (c *partialCholesky) eliminate(rows *mat.Dense, at []int) (order []int, lower [][]float64) {
	n := len(at)
	left, used := make([]float64, n), make([]bool, n)
	for i, p := range at {
		left[i] = rows.At(i, p)
	}
	least := floats.Max(left) / 20
	factor := make([][]float64, n) // by candidate
	for len(order) < n {
		best := -1
		for i, v := range left {
			if !used[i] && (best < 0 || v > left[best]) {
				best = i
			}
		}
		if left[best] <= max(least, 0) {
			break
		}
		used[best] = true
		pivot := math.Sqrt(left[best])
		for i := range n {
			if used[i] {
				continue
			}
			v := (rows.At(i, at[best]) - floats.Dot(factor[i], factor[best])) / pivot
			left[i] -= v * v
			factor[i] = append(factor[i], v)
		}
		lower = append(lower, append(factor[best], pivot))
		order = append(order, best)
	}
	if len(order) == 0 { // only rounding is left there
		for _, p := range at {
			c.left[p] = 0
		}
	}
	return order, lower
}

// hopeless extrapolates the decay of what is left, which becomes slower rather
// than faster: it tells that the limit will be met before the tolerance.
func (c *partialCholesky) hopeless(left, tol float64) bool {
	return c.k >= 96 && float64(c.k)*math.Log(tol) < float64(c.limit)*math.Log(left)
}

// result returns the rows found.
func (c *partialCholesky) result() *mat.Dense {
	return c.f.Slice(0, max(1, c.k), 0, c.n).(*mat.Dense)
}

// run adds rows until every remaining entry is below tol times the largest of
// the kernel; done is false when the limit comes first, or, if asked to look
// ahead, will.
func (c *partialCholesky) run(ctx context.Context, tol float64, ahead bool) (done bool, err error) {
	first := c.largest()
	for c.largest() > tol*first {
		if c.k >= c.limit || ahead && c.hopeless(c.largest()/first, tol) {
			return false, nil
		}
		if err := c.block(ctx); err != nil {
			return false, fmt.Errorf("low-rank factor: %w", err)
		}
	}
	return true, nil
}
