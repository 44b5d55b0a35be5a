package fit

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/numeric/linop"
)

// inWeights is the problem in the space of the weights.
type inWeights struct {
	*weightSpace
	spec *Spec
}

func newInWeights(ctx context.Context, q *question) (*inWeights, error) {
	w, err := newWeightSpaceOn(ctx, q)
	if err != nil {
		return nil, err
	}
	return &inWeights{w, q.spec}, w.precondition(ctx, q.spec)
}

// at is the system at λ and ρ.
func (w *weightSpace) at(p penalty) *weightSpace {
	c := *w
	c.lambda, c.rho = p.lambda, p.rho
	return &c
}

// choose is problem's: by the criterion of the constrained problem itself.
func (w *inWeights) choose(ctx context.Context, by Criterion) (*chosen, error) {
	small := w.matrixRows() <= mostMatrix
	start := by
	if by == LOO {
		if start = GCV; !small {
			return nil, fmt.Errorf("criterion %q: under a constraint, and with missing outputs, leaving out a pair needs the matrix of all output values, which is formed for up to %d of them; there are %d: choose \"reml\", \"gcv\" or \"cv\"", by, mostMatrix, w.matrixRows())
		}
	}
	c, err := w.findRules(ctx, start, w.spec)
	if err != nil {
		return nil, err
	}
	ch := choice{}
	if ch.reml, err = c.least(REML); err != nil {
		return nil, err
	}
	if ch.gcv, err = c.least(GCV); err != nil {
		return nil, err
	}
	v, err := w.decided(ctx, c, by, w.spec)
	if err != nil {
		return nil, err
	}
	ch.took(by, v.lambda)
	out := &chosen{penalty: penalty{v.lambda, v.rho}, free: true}
	if c.space != nil {
		out.start, c.space = c.space.weights([]int{0})[0], nil // its memory is needed for solving
	}
	if w.matrixRows() > mostExactGiven {
		out.sheet = func(at penalty) sheet { return c.sheet(at.lambda, at.rho) }
	}
	r := &out.report
	r.Criterion = string(by)
	r.takeSheet(v)
	r.takeMinimisers(ch)
	r.noteEnds(v.lambda, c.top(), c.decades())
	if !c.settled && !small {
		r.Advice = "lambda was still changing when its search ended: the data have hardly any noise, and a smaller lambda may be better"
	}
	return out, nil
}

// measure is problem's.
func (w *inWeights) measure(ctx context.Context, at penalty) (sheet, error) {
	return w.at(at).measured(ctx)
}

// solve is problem's. A system that is not solved to the tolerance is taken for one whose
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
	if err == nil && !how.Converged {
		out.least = raiseBy * at.lambda
	}
	return out.unlessLost(ctx, err, dataSpace{dataKernel{s}}, w.spec.Kernel, at.lambda)
}

// weigh is problem's.
func (w *inWeights) weigh(ctx context.Context, at penalty, x []float64) (*weighed, error) {
	return w.weightSpace.at(at).weigh(ctx, x), linop.Stopped(ctx)
}

// contend is problem's.
func (w *inWeights) contend(ctx context.Context) (*contender, error) {
	v, err := w.remlOf(ctx)
	return &contender{value: v.reml, err: v.remlErr}, err
}

// remlOf is the criteria at the given λ, or where REML is least.
func (w *inWeights) remlOf(ctx context.Context) (sheet, error) {
	s := w.spec
	c, err := w.findRules(ctx, REML, s)
	if err != nil {
		return sheet{}, err
	}
	if v := c.sheet(c.lambda, c.rho(s, c.lambda)); w.matrixRows() > rankExact {
		return v, nil
	}
	if s.Lambda == 0 {
		return w.decided(ctx, c, REML, s)
	}
	x, err := w.exactCriteria(ctx)
	if err != nil {
		return sheet{}, err
	}
	return x.at(ctx, s.Lambda, s.rho(s.Lambda))
}
