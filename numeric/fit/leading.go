package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/kernel"
)

// leading is what the data say in their leading directions W, from which bands are computed:
//
//	explained = ⟨Wᵀh, (Wᵀ(S K̄ Sᵀ + I)W)⁻¹ Wᵀh⟩.
//
// What is left out is data, so that a band can only become wider. With R the covariance,
// over τ², of what the left out data say beyond W, the covariance c of a functional with
// them has c cᵀ ≤ v R, where v is its variance given W. So its variance given all the data
// is at least v - ⟨c, (I + R)⁻¹ c⟩ ≥ v / (1 + tr R), and
//
//	tr R ≤ excess = tr(S K̄ Sᵀ) - tr((WᵀW)⁻¹ WᵀS K̄ SᵀW) + ‖(S K̄ Sᵀ + I)W x - e‖² / ⟨Wᵀe, x⟩,
//
// the last for a free constant, with x = (Wᵀ(S K̄ Sᵀ + I)W)⁻¹ Wᵀe.
type leading struct {
	directed
	conditioned
	at     []int         // directions
	extra  []float64     // one more: what they leave of the data of the free constant; nil: nothing
	metric *mat.Cholesky // of WᵀW but for extra, which is orthogonal
	excess float64
}

const (
	// closeExcess is what a variance is too large by at most, where so few directions as
	// fewDirections are enough for it; bandTolerance where more are.
	closeExcess   = 2e-3
	fewDirections = 1500
	// mostTraced bounds the kernel values that the trace of S K̄ Sᵀ takes: some seconds.
	mostTraced = 5e8
	// leastData is below how many data all are factored: nothing is gained.
	leastData = 600
	// leastDirected is leastFactored for covariances that come from products with the kernel.
	leastDirected = 1e-8
	// leastExtra is what must be left of a free constant for it to be a direction of its own.
	leastExtra = 1e-6
)

// leads is what the data say in their leading directions, where that pays for so many
// functionals; nil where it does not, or where too much would be left out.
func (p *factors) leads(ctx context.Context, functionals int) (*leading, error) {
	p.factor.Lock()
	defer p.factor.Unlock()
	if !p.factor.chosen {
		p.factor.leading, p.factor.chosen = newLeading(p), true
	}
	l := p.factor.leading
	if l == nil || len(l.at) > factoredPerFunctional*functionals {
		return nil, nil
	}
	if l.factor == nil {
		if err := l.make(ctx, p); err != nil {
			return nil, err
		}
		if !(l.excess <= bandTolerance) {
			p.factor.leading = nil
		}
	}
	return p.factor.leading, nil
}

// leading is the directions that matter; nil where they are too many, or were not asked for.
func (p *factors) leading() *leading {
	p.factor.Lock()
	defer p.factor.Unlock()
	return p.factor.leading
}

// newLeading chooses the directions; nil where there is nothing to be gained.
func newLeading(p *factors) *leading {
	d, ok := p.regression.(directed)
	if mx, my := float64(p.x.Size()), float64(p.y.Size()); !ok || d.mixed() || p.few() || mx*mx*my > mostTraced {
		return nil
	}
	l := &leading{directed: d, conditioned: conditioned{least: leastDirected}}
	l.gather = l.gathered
	l.at = l.choose(p)
	if k := len(l.at); k > mostFactored || array.CheckSize("std:", 3*float64(k)*float64(k)) != nil {
		return nil
	}
	return l
}

// choose takes the directions of most weight, until what is left is expected to be little.
func (l *leading) choose(p *factors) []int {
	weight := slices.Clone(l.diagonal(p.at))
	floats.AddConst(-1, weight)
	order := make([]int, len(weight))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case weight[a] > weight[b]:
			return -1
		case weight[a] < weight[b]:
			return 1
		}
		return 0
	})
	left, enough := 0.0, 0
	for k := len(order) - 1; k >= 0; k-- {
		left += weight[order[k]]
		if left > closeExcess/2 && enough == 0 {
			enough = k + 1
			if enough <= fewDirections {
				break
			}
		}
		if left > bandTolerance/2 {
			enough = max(k+1, fewDirections)
			break
		}
	}
	out := slices.Clone(order[:enough])
	slices.Sort(out)
	return out
}

// count is how many directions there are.
func (l *leading) count() int {
	if l.extra != nil {
		return len(l.at) + 1
	}
	return len(l.at)
}

// direction is the data of direction i.
func (l *leading) direction(ctx context.Context, i, n int) []float64 {
	if i == len(l.at) {
		return l.extra
	}
	c := make([]float64, n)
	c[l.at[i]] = 1
	return l.lift(ctx, c)
}

// make forms the matrix between the directions, and bounds what they leave out.
func (l *leading) make(ctx context.Context, p *factors) error {
	metric, err := l.between(ctx, p, func(w []float64) []float64 { return w })
	if err != nil {
		return err
	}
	if l.metric, err = linop.Cholesky(ctx, metric); err != nil {
		return l.without(ctx, err)
	}
	if err := l.setExtra(ctx, p); err != nil {
		return err
	}
	a, err := l.between(ctx, p, func(w []float64) []float64 {
		aw := make([]float64, len(w))
		p.a.Apply(ctx, aw, w)
		return aw
	})
	if err != nil {
		return err
	}
	if l.factor, err = linop.Cholesky(ctx, a); err != nil {
		return l.without(ctx, err)
	}
	if err := l.setExcess(ctx, p, a); err != nil {
		return err
	}
	return l.setConstant(ctx, p)
}

// between is the matrix of an operator between the directions.
func (l *leading) between(ctx context.Context, p *factors, operator func(w []float64) []float64) (*mat.SymDense, error) {
	n, _ := p.a.Dims()
	k := l.count()
	a := mat.NewSymDense(k, nil)
	err := eachProduct(ctx, k, p.x.Size()*p.y.Size(), func(i int) {
		row := l.gathered(ctx, operator(l.direction(ctx, i, n)))
		for j := i; j < k; j++ {
			a.SetSym(i, j, row[j])
		}
	})
	if err != nil {
		return nil, fmt.Errorf("std: %w", err)
	}
	return a, nil
}

// setExtra takes what the directions leave of the data of the free constant as one more,
// orthogonal to them.
func (l *leading) setExtra(ctx context.Context, p *factors) error {
	flat, _ := p.constants()
	if flat == nil {
		return nil
	}
	var c mat.VecDense
	own := l.gathered(ctx, flat)
	if err := l.metric.SolveVecTo(&c, mat.NewVecDense(len(own), own)); err != nil && !isCondition(err) {
		return fmt.Errorf("std: %w", err)
	}
	e := floats.SubTo(make([]float64, len(flat)), flat, l.together(ctx, c.RawVector().Data, len(flat)))
	if size := floats.Norm(e, 2); size > leastExtra {
		floats.Scale(1/size, e)
		l.extra = e
	}
	return nil
}

// setExcess finds what is left out but for the free constant, for the matrix between the
// directions.
func (l *leading) setExcess(ctx context.Context, p *factors, a *mat.SymDense) error {
	total, err := p.trace(ctx, l.directed)
	if err != nil {
		return err
	}
	k := len(l.at)
	explained, err := tracePart(ctx, l.metric, a.SliceSym(0, k).(*mat.SymDense))
	if l.extra != nil { // of length one
		explained += a.At(k, k)
	}
	l.excess = max(0, total-(explained-float64(l.count())))
	return err
}

// without is a factor that rounding does not leave: all bands are found otherwise.
func (l *leading) without(ctx context.Context, err error) error {
	if errors.Is(err, linop.ErrNotPositive) {
		l.excess = math.Inf(1)
		return linop.Stopped(ctx)
	}
	return fmt.Errorf("std: %w", err)
}

// tracePart is tr(M⁻¹ A) for the factor of M.
func tracePart(ctx context.Context, m *mat.Cholesky, a *mat.SymDense) (float64, error) {
	half := mat.DenseCopyOf(a)
	if err := linop.ForwardSolve(ctx, m, half); err != nil {
		return 0, err
	}
	half = mat.DenseCopyOf(half.T())
	if err := linop.ForwardSolve(ctx, m, half); err != nil {
		return 0, err
	}
	return mat.Trace(half), nil
}

// trace is tr(S K̄ Sᵀ), from the kernel itself.
func (p *factors) trace(ctx context.Context, d directed) (float64, error) {
	b, rdy, roots := d.rowsOf(ctx)
	rows, _ := b.Dims()
	mx, my, cols := p.x.Size(), p.y.Size(), p.x.Columns()
	sums := make([]float64, my)
	err := kernel.Rows(ctx, my, p.f.Time(mx*mx)+float64(rows*mx*mx)/4, func(k int) {
		y := newPoint(p.y)
		p.y.Point(y, k)
		at := mat.NewDense(mx, mx, nil) // K between the inputs, at y
		p.atOutput(at, cols, y)
		of := linop.Product(ctx, b.Slice(0, rows, 0, mx), at)
		for i := range rows {
			v := floats.Dot(of.RawRowView(i), b.RawRowView(i)[:mx]) / p.at.lambda
			if p.q != nil {
				v += b.At(i, mx) * b.At(i, mx) * p.q.At(y, y) / p.at.rho
			}
			if roots != nil {
				v *= roots[i*my+k] * roots[i*my+k]
			}
			sums[k] += v * rdy[k] * rdy[k]
		}
	})
	return floats.Sum(sums), err
}

// atOutput stores K between points of the input, given by columns, at one point y of the output.
func (p *factors) atOutput(dst *mat.Dense, columns [][]float64, y []float64) {
	n, _ := dst.Dims()
	all := slices.Clone(columns)
	for _, v := range y {
		all = append(all, slices.Repeat([]float64{v}, n))
	}
	at := make([]float64, len(all))
	for i := range n {
		for c := range at {
			at[c] = all[c][i]
		}
		p.f.Row(dst.RawRowView(i), at, all)
	}
}

// setConstant solves for the free constant, and adds to the excess what is left out of it.
func (l *leading) setConstant(ctx context.Context, p *factors) error {
	flat, length := p.constants()
	if flat == nil {
		return nil
	}
	e := append([]float64(nil), flat...)
	floats.Scale(length, e)
	own := l.gathered(ctx, e)
	var x mat.VecDense
	if err := l.factor.SolveVecTo(&x, mat.NewVecDense(len(own), own)); err != nil && !isCondition(err) {
		return fmt.Errorf("std: %w", err)
	}
	l.constant = &constant{me: x.RawVector().Data}
	l.constant.size = floats.Dot(l.constant.me, own)
	wx, ax := l.together(ctx, l.constant.me, len(e)), make([]float64, len(e))
	p.a.Apply(ctx, ax, wx)
	floats.Sub(ax, e)
	l.excess += floats.Dot(ax, ax) / l.constant.size
	return linop.Stopped(ctx)
}

func isCondition(err error) bool {
	var c mat.Condition
	return errors.As(err, &c)
}

// gather is the components of data in the leading directions.
func (l *leading) gathered(ctx context.Context, h []float64) []float64 {
	all := l.components(ctx, h)
	out := make([]float64, len(l.at), len(l.at)+1)
	for i, j := range l.at {
		out[i] = all[j]
	}
	if l.extra != nil {
		out = append(out, floats.Dot(l.extra, h))
	}
	return out
}

// together is the sum of the directions, each so many times.
func (l *leading) together(ctx context.Context, times []float64, n int) []float64 {
	c := make([]float64, n)
	for i, j := range l.at {
		c[j] = times[i]
	}
	sum := slices.Clone(l.lift(ctx, c))
	if l.extra != nil {
		floats.AddScaled(sum, times[len(l.at)], l.extra)
	}
	return sum
}

// own is what bands are computed from; nil for nil.
func (l *leading) own() *conditioned {
	if l == nil {
		return nil
	}
	return &l.conditioned
}
