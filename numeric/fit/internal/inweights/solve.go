package inweights

import (
	"context"
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Problem is the problem in the space of the weights.
type Problem struct {
	*Space
	setting *problem.Setting
	rules   *spectrum // the last that λ was chosen by; nil: none
}

func New(ctx context.Context, q *problem.Question) (*Problem, error) {
	w, err := newWeightSpaceOn(ctx, q)
	if err != nil {
		return nil, err
	}
	return &Problem{Space: w, setting: q.Setting}, w.precondition(ctx, q.Setting)
}

// At is the system at λ and ρ.
func (w *Space) At(p problem.Penalty) *Space {
	c := *w
	c.Lambda, c.Rho = p.Lambda, p.Rho
	return &c
}

// Choose implements problem: by the criterion of the constrained problem itself.
func (w *Problem) Choose(ctx context.Context, by criteria.Criterion) (*problem.Chosen, error) {
	if by == criteria.LOO && w.matrixRows() > problem.MostMatrix {
		return nil, fmt.Errorf("criterion %q: under a constraint, and with missing outputs, leaving out a pair needs the matrix of all output values, which is formed for up to %d of them; there are %d: choose \"reml\", \"gcv\" or \"cv\"", by, problem.MostMatrix, w.matrixRows())
	}
	out, err := problem.ChooseBy(ctx, w.setting, w, by)
	rules := w.rules
	w.rules = nil
	if err != nil {
		return nil, err
	}
	if rules.space != nil {
		out.Start, rules.space = rules.space.weights([]int{0})[0], nil // its memory is needed for solving
		if out.Sheet.REMLErr > 0 {
			out.Sheet, out.Unmeasured = withoutREML(out.Sheet), true
		}
	}
	if w.matrixRows() > problem.ToReport().Alone {
		out.Near = func(at problem.Penalty) criteria.Sheet {
			v, err := rules.sheetAt(ctx, at)
			if err != nil {
				return criteria.Unknown(at.Lambda, at.Rho)
			}
			if v.REMLErr > 0 {
				v = withoutREML(v)
			}
			return v
		}
	}
	return out, nil
}

// withoutREML is the criteria of a space in which all is known at λ but the determinant, to which all greater λ contribute.
func withoutREML(v criteria.Sheet) criteria.Sheet {
	v.REML, v.REMLErr, v.LogDet = math.NaN(), math.NaN(), math.NaN()
	return v
}

// Measure implements problem.
func (w *Problem) Measure(ctx context.Context, at problem.Penalty) (criteria.Sheet, error) {
	if w.matrixRows() > problem.ToReport().Alone {
		defer w.costOfProbed().Announce(ctx, "restricted likelihood")()
		return w.fromVectors(ctx, at, nil)
	}
	return problem.Measured(ctx, w, at)
}

// fromVectors is the criteria from random vectors; weights near the solution save iterations.
func (w *Problem) fromVectors(ctx context.Context, at problem.Penalty, start []float64) (criteria.Sheet, error) {
	return w.probed(ctx, at, func(at problem.Penalty) ([]float64, error) {
		x, err := w.Solve(ctx, at, start)
		switch {
		case err != nil:
			return nil, err
		case x.X == nil: // rounding has eaten it up
			return nil, solve.ErrNotPositive
		}
		return x.X, nil
	})
}

// Along implements chooser.
func (w *Problem) Along(ctx context.Context, q criteria.Search) (ch criteria.Choice, err error) {
	ch, w.rules, err = w.followSpectrum(ctx, w.setting, q)
	return ch, err
}

// Evaluator implements chooser: the matrix of what was observed.
func (w *Problem) Evaluator(ctx context.Context, _ problem.Penalty, most problem.Limits) (criteria.Evaluator, error) {
	if x, err := w.Exact(ctx, most.Alone); err != nil || x != nil {
		return x, err
	}
	return nil, nil
}

// Exact implements problem.
func (w *Problem) Exact(ctx context.Context, most int) (*criteria.Exact, error) {
	if w.matrixRows() > most {
		return nil, nil
	}
	return w.exactCriteria(ctx)
}

// Otherwise implements chooser: the rules say what they know, with its error.
func (w *Problem) Otherwise(ctx context.Context, ch criteria.Choice) (criteria.Sheet, error) {
	return w.rules.sheetAt(ctx, problem.At(ch.Lambda, ch.Penalty.At(ch.Lambda)))
}

// matrixRows is how many rows the matrix of what was observed has.
func (w *Space) matrixRows() int {
	if w.d == nil {
		return len(w.T)
	}
	return w.Outputs()
}

// Solve implements problem. A system that is not solved to the tolerance is taken for one whose
// λ is too small.
func (w *Problem) Solve(ctx context.Context, at problem.Penalty, start []float64) (*problem.Solution, error) {
	n, _ := w.Dims()
	x := append([]float64(nil), start...)
	if start == nil {
		x = make([]float64, n)
	}
	s := w.Space.At(at)
	how, err := s.solve(ctx, w.setting, x)
	how.Method += ", " + w.K.Describe()
	out := &problem.Solution{X: x, How: how, Unknowns: n}
	if err == nil && !how.Converged && !how.Precise {
		out.Least = problem.RaiseBy * at.Lambda
	}
	return out.UnlessLost(ctx, err, s.InData(), w.setting.Kernel, at.Lambda)
}

// Weigh implements problem.
func (w *Problem) Weigh(ctx context.Context, at problem.Penalty, x []float64) (*problem.Weighed, error) {
	return w.Space.At(at).Weigh(ctx, x), linop.Stopped(ctx)
}

// Contend implements problem: REML at the given λ, or where it is least.
func (w *Problem) Contend(ctx context.Context) (*criteria.Contender, error) {
	q := w.setting.SearchFor(criteria.REML, w)
	ch, err := w.Along(ctx, q)
	if err != nil {
		return nil, err
	}
	var v criteria.Sheet
	switch {
	case w.matrixRows() > problem.ToCompare().Alone:
		var start []float64
		if w.rules.space != nil {
			start = w.rules.space.weights([]int{0})[0]
		}
		v, err = w.fromVectors(ctx, problem.At(ch.Lambda, ch.Penalty.At(ch.Lambda)), start)
		if err == nil && math.IsNaN(v.REML) {
			v, err = w.Otherwise(ctx, ch)
		}
	case w.setting.Lambda > 0:
		v, err = problem.Measured(ctx, w, problem.At(ch.Lambda, ch.Penalty.At(ch.Lambda)))
	default:
		v, err = problem.Decided(ctx, w, q, &ch)
	}
	return &criteria.Contender{Value: v.REML, Err: v.REMLErr}, err
}

// amongWeights is a problem whose λ is chosen in the space of the weights, in balanced units.
type amongWeights struct {
	problem.Problem
	q *problem.Question
}

// Choosing is a problem whose λ is chosen in the space of the weights, in balanced units.
func Choosing(p problem.Problem, q *problem.Question) problem.Problem {
	return amongWeights{p, q}
}

// Measure is the criteria at λ and ρ, as [problem.Problem] has them, by the matrix of what was observed.
func Measure(ctx context.Context, q *problem.Question, at problem.Penalty) (criteria.Sheet, error) {
	w, err := newWeightSpaceOn(ctx, q.Balanced())
	if err != nil {
		return criteria.Sheet{}, err
	}
	p := &Problem{Space: w, setting: q.Setting}
	if err := w.precondition(ctx, q.Setting); err != nil {
		return criteria.Sheet{}, err
	}
	return p.Measure(ctx, at)
}

// Measure implements problem: what the problem knows itself, or else from the weights.
func (a amongWeights) Measure(ctx context.Context, at problem.Penalty) (criteria.Sheet, error) {
	if v, err := a.Problem.Measure(ctx, at); err != nil || !math.IsNaN(v.REML) {
		return v, err
	}
	return Measure(ctx, a.q, at)
}

// Choose implements problem.
func (a amongWeights) Choose(ctx context.Context, by criteria.Criterion) (*problem.Chosen, error) {
	w, err := New(ctx, a.q.Balanced())
	if err != nil {
		return nil, err
	}
	c, err := w.Choose(ctx, by)
	if err != nil {
		return nil, err
	}
	c.Start = nil // in other coordinates
	return c, nil
}

// Contend implements problem.
func (a amongWeights) Contend(ctx context.Context) (*criteria.Contender, error) {
	w, err := New(ctx, a.q.Balanced())
	if err != nil {
		return nil, err
	}
	return w.Contend(ctx)
}

// Exact implements problem.
func (a amongWeights) Exact(ctx context.Context, most int) (*criteria.Exact, error) {
	w, err := New(ctx, a.q.Balanced())
	if err != nil {
		return nil, err
	}
	return w.Exact(ctx, most)
}

// followSpectrum is the choice along the rules, near the best λ of the criterion, or near
// the given one.
func (w *Space) followSpectrum(ctx context.Context, spec *problem.Setting, q criteria.Search) (criteria.Choice, *spectrum, error) {
	if len(w.T) > maxDirect {
		q.Decades = lambdaDecades
	}
	unit := 0.0
	if spec.FreeRatio() && w.Q != nil {
		if unit = w.ratioUnit(); unit > 0 {
			q.Penalty.Ratio = unit
		}
	}
	if w.seen() <= ExactSpectrum {
		q.Unit = unit
		if spec.Rho > 0 && spec.Lambda > 0 {
			q.Penalty.Ratio = spec.Rho / spec.Lambda
		}
		m := &allEigenvalues{w, criteria.Eigenbasis{At: w.Diagonalised, Unit: unit}}
		ch, err := q.Along(ctx, m)
		if err != nil {
			return ch, nil, err
		}
		if _, ok := w.pointwise(); ok { // of these eigenvectors none are left out, at any ρ/λ
			return ch, &spectrum{lambda: ch.Lambda, eigen: &m.Eigenbasis, unsettled: ch.Unsettled}, nil
		}
		s, err := m.exactly(ctx, ch.Penalty.Ratio)
		if err != nil {
			return ch, nil, err
		}
		s.lambda, s.Settled = ch.Lambda, !ch.Unsettled
		ch.Curve = s
		return ch, s, nil
	}
	s := w.newGrowing(q.Penalty.Ratio)
	ch, err := s.grow(ctx, spec, q, unit)
	return ch, s, err
}
