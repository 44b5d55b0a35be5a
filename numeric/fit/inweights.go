package fit

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/linop"
)

// inWeights is the problem in the space of the weights.
type inWeights struct {
	*weightSpace
	spec  *Spec
	rules *spectrum // the last that λ was chosen by; nil: none
}

func newInWeights(ctx context.Context, q *question) (*inWeights, error) {
	w, err := newWeightSpaceOn(ctx, q)
	if err != nil {
		return nil, err
	}
	return &inWeights{weightSpace: w, spec: q.spec}, w.precondition(ctx, q.spec)
}

// at is the system at λ and ρ.
func (w *weightSpace) at(p penalty) *weightSpace {
	c := *w
	c.lambda, c.rho = p.lambda, p.rho
	return &c
}

// choose implements problem: by the criterion of the constrained problem itself.
func (w *inWeights) choose(ctx context.Context, by Criterion) (*chosen, error) {
	if by == LOO && w.matrixRows() > mostMatrix {
		return nil, fmt.Errorf("criterion %q: under a constraint, and with missing outputs, leaving out a pair needs the matrix of all output values, which is formed for up to %d of them; there are %d: choose \"reml\", \"gcv\" or \"cv\"", by, mostMatrix, w.matrixRows())
	}
	out, err := chooseBy(ctx, w.spec, w, by)
	rules := w.rules
	w.rules = nil
	if err != nil {
		return nil, err
	}
	if rules.space != nil {
		out.start, rules.space = rules.space.weights([]int{0})[0], nil // its memory is needed for solving
	}
	if w.matrixRows() > toReport().alone {
		out.sheet = func(at penalty) criteria.Sheet { return rules.sheetAt(at) }
	}
	return out, nil
}

// measure implements problem.
func (w *inWeights) measure(ctx context.Context, at penalty) (criteria.Sheet, error) {
	return measured(ctx, w, at)
}

// along implements chooser.
func (w *inWeights) along(ctx context.Context, q criteria.Search) (ch criteria.Choice, err error) {
	ch, w.rules, err = w.followSpectrum(ctx, w.spec, q)
	return ch, err
}

// evaluator implements chooser: the matrix of what was observed.
func (w *inWeights) evaluator(ctx context.Context, _ penalty, most limits) (criteria.Evaluator, error) {
	if x, err := w.exact(ctx, most.alone); err != nil || x != nil {
		return x, err
	}
	return nil, nil
}

// exact implements problem.
func (w *inWeights) exact(ctx context.Context, most int) (*criteria.Exact, error) {
	if w.matrixRows() > most {
		return nil, nil
	}
	return w.exactCriteria(ctx)
}

// otherwise implements chooser: the rules say what they know, with its error.
func (w *inWeights) otherwise(_ context.Context, ch criteria.Choice) (criteria.Sheet, error) {
	return w.rules.sheetAt(penalty{ch.Lambda, ch.Penalty.At(ch.Lambda)}), nil
}

// matrixRows is how many rows the matrix of what was observed has.
func (w *weightSpace) matrixRows() int {
	if w.d == nil {
		return len(w.t)
	}
	return w.outputs()
}

// solve implements problem. A system that is not solved to the tolerance is taken for one whose
// λ is too small.
func (w *inWeights) solve(ctx context.Context, at penalty, start []float64) (*solution, error) {
	n, _ := w.Dims()
	x := append([]float64(nil), start...)
	if start == nil {
		x = make([]float64, n)
	}
	s := w.weightSpace.at(at)
	how, err := s.solve(ctx, w.spec, x)
	how.Method += ", " + w.k.Describe()
	out := &solution{x: x, how: how, unknowns: n}
	if err == nil && !how.Converged && !how.Precise {
		out.least = raiseBy * at.lambda
	}
	return out.unlessLost(ctx, err, dataSpace{dataKernel{s}}, w.spec.Kernel, at.lambda)
}

// weigh implements problem.
func (w *inWeights) weigh(ctx context.Context, at penalty, x []float64) (*weighed, error) {
	return w.weightSpace.at(at).weigh(ctx, x), linop.Stopped(ctx)
}

// contend implements problem: REML at the given λ, or where it is least.
func (w *inWeights) contend(ctx context.Context) (*contender, error) {
	q := w.spec.searchFor(REML, w)
	ch, err := w.along(ctx, q)
	if err != nil {
		return nil, err
	}
	var v criteria.Sheet
	switch {
	case w.matrixRows() > toCompare().alone:
		v, err = w.otherwise(ctx, ch)
	case w.spec.Lambda > 0:
		v, err = measured(ctx, w, penalty{ch.Lambda, ch.Penalty.At(ch.Lambda)})
	default:
		v, err = decided(ctx, w, q, &ch)
	}
	return &contender{value: v.REML, err: v.REMLErr}, err
}

// amongWeights is a problem whose λ is chosen in the space of the weights, in balanced units.
type amongWeights struct {
	problem
	q *question
}

// choose implements problem.
func (a amongWeights) choose(ctx context.Context, by Criterion) (*chosen, error) {
	w, err := newInWeights(ctx, a.q.balanced())
	if err != nil {
		return nil, err
	}
	c, err := w.choose(ctx, by)
	if err != nil {
		return nil, err
	}
	c.start = nil // in other coordinates
	return c, nil
}

// contend implements problem.
func (a amongWeights) contend(ctx context.Context) (*contender, error) {
	w, err := newInWeights(ctx, a.q.balanced())
	if err != nil {
		return nil, err
	}
	return w.contend(ctx)
}

// exact implements problem.
func (a amongWeights) exact(ctx context.Context, most int) (*criteria.Exact, error) {
	w, err := newInWeights(ctx, a.q.balanced())
	if err != nil {
		return nil, err
	}
	return w.exact(ctx, most)
}

// followSpectrum is the choice along the rules, near the best λ of the criterion, or near
// the given one.
func (w *weightSpace) followSpectrum(ctx context.Context, spec *Spec, q criteria.Search) (criteria.Choice, *spectrum, error) {
	if len(w.t) > maxDirect {
		q.Decades = lambdaDecades
	}
	unit := 0.0
	if spec.freeRatio() && w.q != nil {
		if unit = w.ratioUnit(); unit > 0 {
			q.Penalty.Ratio = unit
		}
	}
	if unknowns, _ := w.Dims(); min(unknowns, len(w.t)) <= exactSpectrum {
		q.Unit = unit
		if spec.Rho > 0 && spec.Lambda > 0 {
			q.Penalty.Ratio = spec.Rho / spec.Lambda
		}
		m := &allEigenvalues{w, eigenbasis{at: w.diagonalised, unit: unit}}
		ch, err := q.Along(ctx, m)
		if err != nil {
			return ch, nil, err
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
