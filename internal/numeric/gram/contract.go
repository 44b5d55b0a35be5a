package gram

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// largestBlock is how many results are computed at a time: few enough to stay in a
// cache while all terms are added.
const largestBlock = 1 << 17

// order returns the axes in the order in which a tensor is contracted along them: first those
// along which it shrinks, so that intermediate results stay small.
func order(to, from []int) []int {
	o := make([]int, len(to))
	for i := range o {
		o[i] = i
	}
	slices.SortStableFunc(o, func(a, b int) int { return to[a]*from[b] - to[b]*from[a] })
	return o
}

// contractions counts the multiplications of one term.
func contractions(to, from []int) float64 {
	size, sum := 1.0, 0.0
	for _, n := range from {
		size *= float64(n)
	}
	for _, k := range order(to, from) {
		sum += size * float64(to[k])
		size *= float64(to[k]) / float64(from[k])
	}
	return sum
}

// contractTerms stores the product of x, a tensor of shape from, with a sum of terms in dst, of shape to; each term is the
// tensor product of one matrix per axis. It cuts the axis that is contracted first into blocks, which are computed one by
// one, with all terms.
func contractTerms(ctx context.Context, dst, x []float64, terms [][]*mat.Dense, to, from []int, transpose bool) {
	if transpose {
		to, from = from, to
	}
	axes := order(to, from)
	first := axes[0]
	const multiplication = 0.1 // nanoseconds: products of small matrices
	time := multiplication * float64(len(terms)) * contractions(to, from)
	workers := parallel.Workers(time)
	const tile = 8 // rows of the matrix product
	length := min(largestBlock/(len(dst)/to[first]), (to[first]+workers-1)/workers)
	length = max(tile, (length+tile-1)/tile*tile)
	blocks := (to[first] + length - 1) / length
	parallel.Range(blocks, time/float64(blocks), func(lo, hi int) {
		b := contraction{terms: terms, to: slices.Clone(to), from: from, axes: axes, transpose: transpose}
		for k := lo; k < hi; k++ {
			b.run(ctx, dst, x, k*length, min((k+1)*length, to[first]))
		}
	})
}

// contraction computes blocks of the result.
type contraction struct {
	terms     [][]*mat.Dense // by term and axis
	to, from  []int
	axes      []int // in the order of contraction
	transpose bool
	room      [2][]float64 // intermediate results
	sum       []float64
}

// run computes entries lo … hi-1 of the first contracted axis.
func (b *contraction) run(ctx context.Context, dst, x []float64, lo, hi int) {
	first, whole := b.axes[0], b.to[b.axes[0]]
	rest := len(dst) / whole
	b.sum = grown(b.sum, rest*(hi-lo))
	clear(b.sum)
	for _, term := range b.terms {
		if ctx.Err() != nil {
			return
		}
		shape, v := slices.Clone(b.from), x
		for i, k := range b.axes {
			var e mat.Matrix = term[k]
			if b.transpose {
				e = e.T()
			}
			if k == first {
				e = rowsOf(e, lo, hi)
			}
			r, n := e.Dims()
			shape[k] = r
			out := b.sum
			if i < len(b.axes)-1 {
				b.room[i%2] = grown(b.room[i%2], len(v)/n*r)
				out = b.room[i%2]
				clear(out)
			}
			addAlongAxis(ctx, out, v, e, shape, k)
			v = out
		}
	}
	inner := 1
	for _, n := range b.to[first+1:] {
		inner *= n
	}
	for o := range rest / inner {
		copy(dst[(o*whole+lo)*inner:], b.sum[o*(hi-lo)*inner:(o+1)*(hi-lo)*inner])
	}
}

func grown(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

func rowsOf(e mat.Matrix, lo, hi int) mat.Matrix {
	if t, ok := e.(mat.Transpose); ok {
		d := t.Matrix.(*mat.Dense)
		r, _ := d.Dims()
		return d.Slice(0, r, lo, hi).T()
	}
	d := e.(*mat.Dense)
	_, c := d.Dims()
	return d.Slice(lo, hi, 0, c)
}

// addAlongAxis adds the product of axis k of x with a matrix to dst, an array of
// the given shape. It ends with the context.
func addAlongAxis(ctx context.Context, dst, x []float64, e mat.Matrix, shape []int, k int) {
	r, n := e.Dims()
	inner := 1
	for _, s := range shape[k+1:] {
		inner *= s
	}
	outer := len(dst) / (r * inner)
	if inner == 1 {
		_ = linop.AddMul(ctx, mat.NewDense(outer, r, dst), mat.NewDense(outer, n, x), e.T())
		return
	}
	for o := range outer {
		_ = linop.AddMul(ctx, mat.NewDense(r, inner, dst[o*r*inner:(o+1)*r*inner]), e, mat.NewDense(n, inner, x[o*n*inner:(o+1)*n*inner]))
	}
}

func product(shape []int) int {
	p := 1
	for _, n := range shape {
		p *= n
	}
	return p
}
