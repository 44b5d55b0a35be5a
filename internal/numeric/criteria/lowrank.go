package criteria

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	lowRankTo   = 1e-15 // of the largest entry of the diagonal, what is left of which is its rounding
	lowRankPace = 0.4   // of the decades that an even decay would have come down by, less than which is hopeless
	lowRankLook = 32    // columns, before which nobody can tell
)

// lowRank is B, n × k, of A = B Bᵀ but for rounding, by a Cholesky decomposition that takes the largest of what is left of the
// diagonal first; nil where it would need more columns than most, or the context has ended. A is symmetric, positive semi-definite
// and n × n. Cost: n k² multiplications and additions.
func lowRank(ctx context.Context, a *mat.Dense, most int) *mat.Dense {
	n, _ := a.Dims()
	left := make([]float64, n)
	for i := range left {
		left[i] = a.At(i, i)
	}
	first := floats.Max(left)
	if !(first > 0) || math.IsInf(first, 1) {
		return nil
	}
	b := mat.NewDense(n, most, nil)
	for k := 0; ; k++ {
		pivot := floats.MaxIdx(left)
		part := left[pivot] / first
		if !(part > lowRankTo) {
			return mat.DenseCopyOf(b.Slice(0, n, 0, k))
		}
		hopeless := k > lowRankLook && math.Log(part) > lowRankPace*float64(k)/float64(most)*math.Log(lowRankTo)
		if k == most || hopeless || ctx.Err() != nil {
			return nil
		}
		root := math.Sqrt(left[pivot])
		with, column := b.RawRowView(pivot)[:k], a.RawRowView(pivot)
		for i := range n {
			row := b.RawRowView(i)
			v := (column[i] - floats.Dot(row[:k], with)) / root
			row[k] = v
			left[i] -= v * v
		}
		left[pivot] = 0
	}
}
