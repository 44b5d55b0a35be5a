package solve

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// leastDissected is the work of a band, in multiplications, that is done as soon as a grid is dissected.
const leastDissected = 1 << 24

// largestResidual is that of a solution by factors that are trusted, in units of the terms that it
// is the sum of, row by row.
const largestResidual = 1e-13

// worstCondition is where a solution has no correct digit left.
const worstCondition = 1e15

// Factorisation is a sparse matrix factored once, to be solved with for many
// right-hand sides. It is immutable and safe for concurrent use.
//
// Unknowns are renumbered by the method of Cuthill and McKee where that narrows
// the band, which is then factored by blocks: Cholesky when the matrix is
// symmetric and positive definite, otherwise LU with partial pivoting. With n
// unknowns in a band of half-width b this takes n b² multiplications (LU: up to
// 4 n b²) once, 2 n b (LU: 4 n b) for each right-hand side, and memory for n b
// numbers (LU: 3 n b). Wide bands of unknowns on a grid are factored by nested
// dissection instead.
type Factorisation struct {
	Method    string  // "band cholesky", "band lu" or "nested dissection"
	Bandwidth int     // the farthest an entry is from the diagonal, after renumbering to a band
	Condition float64 // estimate of ‖A‖ ‖A⁻¹‖ in the 1-norm

	a      *linop.Sparse
	order  []int   // order[k] is the unknown at place k; nil: as given
	each   float64 // numbers of the factors that an unknown meets in a solve
	factor factor
}

// Factor factors a square matrix. The error is ErrSingular, wrapped, when its
// condition number is estimated at 1e15 or more.
func Factor(ctx context.Context, a *linop.Sparse) (*Factorisation, error) {
	return FactorOnGrid(ctx, a, nil)
}

// FactorOnGrid is Factor for unknowns on a grid, where neighbours are near each other:
// places[k] is where unknown k is, in steps along two axes. On an n × n grid nested
// dissection takes some 20 n³ multiplications and memory for some 16 n² log n numbers.
func FactorOnGrid(ctx context.Context, a *linop.Sparse, places [][2]int) (*Factorisation, error) {
	n, c := a.Dims()
	if n != c || n == 0 {
		return nil, fmt.Errorf("factor: matrix is %d × %d: must be square", n, c)
	}
	if places != nil && len(places) != n {
		return nil, fmt.Errorf("factor: %d places of %d unknowns", len(places), n)
	}
	f := &Factorisation{a: a}
	if err := f.dissected(ctx, places); err != nil {
		return nil, fmt.Errorf("factor: %w", err)
	}
	if f.factor == nil {
		if err := f.factorise(ctx); err != nil {
			return nil, fmt.Errorf("factor: %w", err)
		}
	}
	inverse, err := linop.InverseNorm(ctx, n, f.SolveVector, f.SolveVectorTransposed)
	if err != nil {
		return nil, fmt.Errorf("factor: %w", err)
	}
	f.Condition = norm1(a) * inverse
	if !(f.Condition < worstCondition) {
		return nil, fmt.Errorf("factor: %w: condition number about %.1g", ErrSingular, f.Condition)
	}
	return f, nil
}

// dissected factors by nested dissection where that takes less work than the band, and is as
// stable.
func (f *Factorisation) dissected(ctx context.Context, places [][2]int) error {
	n, _ := f.a.Dims()
	lower, upper := bandwidths(f.a, nil)
	band := float64(n) * float64(lower) * float64(lower+upper)
	if places == nil || band < leastDissected {
		return nil
	}
	d, err := dissect(ctx, f.a, places)
	if err != nil || d.work > band {
		return err
	}
	front, err := newFrontal(ctx, f.a, d)
	if err == nil {
		f.Method, f.factor, f.order, f.each = "nested dissection", front, d.order, float64(d.lower+d.upper)/float64(n)
		err = f.trusted(ctx)
	}
	if errors.Is(err, errUnstable) {
		f.factor = nil
		return nil
	}
	return err
}

// trusted solves for a right-hand side with all frequencies, and refuses factors with a residual
// that rounding does not explain.
func (f *Factorisation) trusted(ctx context.Context) error {
	n, _ := f.a.Dims()
	b, x, image := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range b {
		b[i] = math.Sin(float64(i) * float64(i))
	}
	copy(x, b)
	if err := f.SolveVector(ctx, x); err != nil {
		return err
	}
	f.a.MulVec(image, x)
	for i, v := range image {
		cols, vals := f.a.Row(i)
		size := math.Abs(b[i])
		for k, j := range cols {
			size += math.Abs(vals[k] * x[j])
		}
		if !(math.Abs(v-b[i]) <= largestResidual*size) {
			return errUnstable
		}
	}
	return nil
}

func (f *Factorisation) factorise(ctx context.Context) error {
	order, lower, upper, err := narrow(ctx, f.a)
	if err != nil {
		return err
	}
	f.order, f.Bandwidth, f.each = order, max(lower, upper), 2*float64(max(lower, upper))
	best := products{kernels: simd.Best()}
	if lower == upper && f.a.Symmetric() {
		b, err := newBand(ctx, f.a, f.order, lower, 0, 0)
		if err != nil {
			return err
		}
		ch := &bandCholesky{band: b, products: best}
		err = ch.factor(ctx)
		if err == nil {
			f.Method, f.factor = "band cholesky", ch
			return nil
		}
		if !errors.Is(err, ErrNotPositive) {
			return err
		}
	}
	b, err := newBand(ctx, f.a, f.order, lower, upper, lower)
	if err != nil {
		return err
	}
	lu := &bandLU{band: b, products: best}
	f.Method, f.factor = "band lu", lu
	return lu.factor(ctx)
}

// stripWidth is how many right-hand sides are solved together: some tiles of the
// matrix product, and few enough that a strip of a large grid stays small.
const stripWidth = 96

// SolveVector replaces x, of length n, by the solution for it: faster than Solve
// for a single right-hand side, and equal to it up to rounding.
func (f *Factorisation) SolveVector(ctx context.Context, x []float64) error {
	return f.vector(ctx, x, factor.solve)
}

// SolveVectorTransposed replaces x, of length n, by the z with Aᵀ z = x.
func (f *Factorisation) SolveVectorTransposed(ctx context.Context, x []float64) error {
	return f.vector(ctx, x, factor.solveTransposed)
}

func (f *Factorisation) vector(ctx context.Context, x []float64, solve func(factor, context.Context, simd.Matrix) error) error {
	n, _ := f.a.Dims()
	if len(x) != n {
		return fmt.Errorf("right-hand side: has %d entries, must be %d", len(x), n)
	}
	y := make([]float64, n)
	for k := range y {
		y[k] = x[f.at(k)]
	}
	err := solve(f.factor.forVectors(), ctx, simd.Dense(n, 1, y))
	for k, v := range y {
		x[f.at(k)] = v
	}
	return err
}

// Solve replaces every column of x, n × m, by the solution for it. Columns do not
// depend on each other: the result for one is the same, bit for bit, whatever the
// others are.
func (f *Factorisation) Solve(ctx context.Context, x *mat.Dense) error {
	return f.strips(ctx, x, factor.solve)
}

// SolveTransposed replaces every column x of a matrix, n × m, by the z with Aᵀ z = x.
func (f *Factorisation) SolveTransposed(ctx context.Context, x *mat.Dense) error {
	return f.strips(ctx, x, factor.solveTransposed)
}

func (f *Factorisation) strips(ctx context.Context, x *mat.Dense, solve func(factor, context.Context, simd.Matrix) error) error {
	n, m := x.Dims()
	if want, _ := f.a.Dims(); n != want {
		return fmt.Errorf("right-hand side: has %d rows, must be %d", n, want)
	}
	raw := x.RawMatrix()
	count := (m + stripWidth - 1) / stripWidth
	perNumber := 1 + 0.1*f.each // the copies there and back, and the factors
	errs := make([]error, count)
	parallel.Range(count, perNumber*float64(n*min(m, stripWidth)), func(from, to int) {
		buffer := make([]float64, n*min(m, stripWidth))
		for s := from; s < to; s++ {
			lo := s * stripWidth
			cols := min(stripWidth, m-lo)
			strip := simd.Dense(n, cols, buffer[:n*cols])
			for k := range n {
				copy(strip.Data[k*cols:][:cols], raw.Data[f.at(k)*raw.Stride+lo:][:cols])
			}
			if errs[s] = solve(f.factor, ctx, strip); errs[s] != nil {
				return
			}
			for k := range n {
				copy(raw.Data[f.at(k)*raw.Stride+lo:][:cols], strip.Data[k*cols:])
			}
		}
	})
	return errors.Join(errs...)
}

func (f *Factorisation) at(k int) int {
	if f.order == nil {
		return k
	}
	return f.order[k]
}

// norm1 is the largest sum of absolute values in a column.
func norm1(a *linop.Sparse) float64 {
	r, c := a.Dims()
	sums := make([]float64, c)
	for i := range r {
		cols, vals := a.Row(i)
		for k, j := range cols {
			sums[j] += math.Abs(vals[k])
		}
	}
	return floats.Max(sums)
}
