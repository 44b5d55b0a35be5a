package posterior

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

const (
	// leastWeight is what a direction that is left out weighs at most, in variances of the noise;
	// where that leaves out too much, it is divided by fewerLeft, choices times.
	leastWeight = bandTolerance / 2
	fewerLeft   = 8
	choices     = 3
	// moreChoices is choices where what is left out is bounded before directions are made.
	moreChoices = 5
	// hopeless is how much more than bandTolerance complete data may leave without the directions
	// being made, uncoupled from these: of what is left, coupling takes a part.
	hopeless = 1.5
	// leastDirected is leastFactored for covariances that come from products with the kernel.
	leastDirected = 1e-8
	// leastExtra is what must be left of a free constant for it to be a direction of its own.
	leastExtra = 1e-6
)

// leads is what the data say in their leading directions, where that pays for so many
// functionals; nil where it does not, or where too much would be left out.
func (p *Posterior) leads(ctx context.Context, functionals int) (*leading, error) {
	p.factor.Lock()
	defer p.factor.Unlock()
	if !p.factor.chosen {
		p.factor.leading, p.factor.chosen = newLeading(p, leastWeight), true
	}
	l := p.factor.leading
	if l == nil || len(l.at) > factoredPerFunctional*functionals {
		return nil, nil
	}
	if l.factor == nil {
		made, err := p.enoughLeading(ctx, l)
		if err != nil {
			return nil, err
		}
		p.factor.leading = made
	}
	return p.factor.leading, nil
}

// enoughLeading makes as many directions as it takes; nil where these are too many.
func (p *Posterior) enoughLeading(ctx context.Context, l *leading) (*leading, error) {
	least := float64(leastWeight)
	tries := choices
	if _, complete := l.Directed.(problem.Complete); complete {
		tries = moreChoices
	}
	for range tries {
		most, err := l.mostLeft(ctx, p)
		if err != nil {
			return nil, err
		}
		if most <= hopeless*bandTolerance {
			if err := l.make(ctx, p); err != nil {
				return nil, err
			}
			if l.excess <= bandTolerance {
				return l, nil
			}
		}
		least /= fewerLeft
		if l = newLeading(p, least); l == nil {
			return nil, nil
		}
	}
	return nil, nil
}

// leading is the directions that matter; nil where they are too many, or were not asked for.
func (p *Posterior) leading() *leading {
	p.factor.Lock()
	defer p.factor.Unlock()
	return p.factor.leading
}

// newLeading chooses the directions W that weigh more than least; nil where there is nothing to be
// gained. From what the data say in them bands are computed:
//
//	explained = ⟨Wᵀh, (Wᵀ(S K̄ Sᵀ + I)W)⁻¹ Wᵀh⟩.
//
// What is left out is data, so that a band can only become wider. With R the covariance,
// over τ², of what the left out data say beyond W, the covariance c of a functional with
// them has c cᵀ ≤ v R, where v is its variance given W. So its variance given all the data
// is at least v - ⟨c, (I + R)⁻¹ c⟩ ≥ v / (1 + ‖R‖), and
//
//	‖R‖ ≤ excess = 4/3 λ + ‖(S K̄ Sᵀ + I)W x - e‖² / ⟨Wᵀe, x⟩,
//
// with λ the largest eigenvalue of R without a free constant that Lanczos' method finds from a
// random vector (see largestLeft), and the last for a free constant, with
// x = (Wᵀ(S K̄ Sᵀ + I)W)⁻¹ Wᵀe.
func newLeading(p *Posterior, least float64) *leading {
	d, ok := p.Regression.(problem.Directed)
	if mx, my := float64(p.x.Size()), float64(p.y.Size()); !ok || d.Mixed() || p.few() || mx*mx*my > mostTraced {
		return nil
	}
	l := &leading{Directed: d, conditioned: conditioned{least: leastDirected}}
	l.gather = l.gathered
	for i, v := range l.Diagonal(p.at) {
		if v-1 > least {
			l.at = append(l.at, i)
		}
	}
	if k := len(l.at); k == 0 || k > mostFactored || dense.CheckSize("std:", 3*float64(k)*float64(k)) != nil {
		return nil
	}
	return l
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
	return l.Lift(ctx, c)
}

// make forms the matrix between the directions, and bounds what they leave out.
func (l *leading) make(ctx context.Context, p *Posterior) error {
	if err := l.setMetric(ctx, p); err != nil {
		return l.without(ctx, err)
	}
	if err := l.setExtra(ctx, p); err != nil {
		return err
	}
	column := p.columns()
	a, err := l.between(ctx, p, func(i int, w []float64) []float64 {
		aw := make([]float64, len(w))
		if column != nil && i < len(l.at) {
			column(ctx, aw, l.at[i])
		} else {
			p.a.Apply(ctx, aw, w)
		}
		return aw
	})
	if err != nil {
		return err
	}
	if l.factor, err = linop.Cholesky(ctx, a); err != nil {
		return l.without(ctx, err)
	}
	largest, err := l.largestLeft(ctx, p, lanczosSteps)
	if err != nil {
		return err
	}
	if l.excess = 4 * largest / 3; l.excess > bandTolerance && largest < bandTolerance {
		if largest, err = l.largestLeft(ctx, p, 2*lanczosSteps); err != nil {
			return err
		}
		l.excess = 16 * largest / 15
	}
	return l.setConstant(ctx, p)
}

// setMetric factors WᵀW: complete data have orthonormal directions.
func (l *leading) setMetric(ctx context.Context, p *Posterior) error {
	if _, complete := l.Directed.(problem.Complete); complete {
		return nil
	}
	metric, err := l.between(ctx, p, func(_ int, w []float64) []float64 { return w })
	if err != nil {
		return err
	}
	l.metric, err = linop.Cholesky(ctx, metric)
	return err
}

// between is the matrix of an operator, of direction i, between the directions.
func (l *leading) between(ctx context.Context, p *Posterior, operator func(i int, w []float64) []float64) (*mat.SymDense, error) {
	n, _ := p.a.Dims()
	k := l.count()
	a := mat.NewSymDense(k, nil)
	err := gram.EachProduct(ctx, k, p.x.Size()*p.y.Size(), func(i int) {
		row := l.gathered(ctx, operator(i, l.direction(ctx, i, n)))
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
func (l *leading) setExtra(ctx context.Context, p *Posterior) error {
	flat, _ := p.Constants()
	if flat == nil {
		return nil
	}
	e := slices.Clone(flat)
	if err := l.takeOut(ctx, e); err != nil {
		return err
	}
	if size := floats.Norm(e, 2); size > leastExtra {
		floats.Scale(1/size, e)
		l.extra = e
	}
	return nil
}

// largestLeft is the largest eigenvalue of R, by Lanczos' method from a random vector.
func (l *leading) largestLeft(ctx context.Context, p *Posterior, steps int) (float64, error) {
	n, _ := p.a.Dims()
	v := linop.Normal(rand.New(rand.NewPCG(1, 4)), n)
	if err := l.takeOut(ctx, v); err != nil {
		return 0, err
	}
	values, err := lanczos(ctx, v, steps, func(v []float64) ([]float64, error) { return l.leftOf(ctx, p, v) })
	if len(values) == 0 || err != nil {
		return 0, err
	}
	return max(0, slices.Max(values)), nil
}

// mostLeft bounds the excess of complete data but for a free constant, before the directions are
// made: R is the less the more they say of the others. 0 where data are not complete.
func (l *leading) mostLeft(ctx context.Context, p *Posterior) (float64, error) {
	if _, complete := l.Directed.(problem.Complete); !complete {
		return 0, nil
	}
	n, _ := p.a.Dims()
	v := linop.Normal(rand.New(rand.NewPCG(1, 4)), n)
	without := func(v []float64) []float64 {
		for _, j := range l.at {
			v[j] = 0
		}
		return v
	}
	values, err := lanczos(ctx, without(v), lanczosSteps, func(v []float64) ([]float64, error) {
		av := make([]float64, n)
		p.a.Apply(ctx, av, v)
		floats.Sub(av, v)
		return without(av), linop.Stopped(ctx)
	})
	if len(values) == 0 || err != nil {
		return 0, err
	}
	return max(0, 4*slices.Max(values)/3), nil
}

// leftOf is R v, for v that is orthogonal to all directions.
func (l *leading) leftOf(ctx context.Context, p *Posterior, v []float64) ([]float64, error) {
	av, ax := make([]float64, len(v)), make([]float64, len(v))
	p.a.Apply(ctx, av, v)
	x := l.gathered(ctx, av)
	linop.SolveOne(l.factor, x)
	p.a.Apply(ctx, ax, l.together(ctx, x, len(v)))
	floats.Sub(av, ax)
	floats.Sub(av, v)
	return av, l.takeOut(ctx, av)
}

// takeOut takes all directions out of data.
func (l *leading) takeOut(ctx context.Context, v []float64) error {
	own := l.gathered(ctx, v)
	if l.metric != nil {
		linop.SolveOne(l.metric, own[:len(l.at)])
	}
	floats.Sub(v, l.together(ctx, own, len(v)))
	return linop.Stopped(ctx)
}

// without is a factor that rounding does not leave: all bands are found otherwise.
func (l *leading) without(ctx context.Context, err error) error {
	if errors.Is(err, linop.ErrNotPositive) {
		l.excess = math.Inf(1)
		return linop.Stopped(ctx)
	}
	return fmt.Errorf("std: %w", err)
}

// setConstant solves for the free constant, and adds to the excess what is left out of it.
func (l *leading) setConstant(ctx context.Context, p *Posterior) error {
	e := p.dataOfConstant()
	if e == nil {
		return nil
	}
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
	all := l.Components(ctx, h)
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
	sum := slices.Clone(l.Lift(ctx, c))
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
