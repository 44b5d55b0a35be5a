package fit

import (
	"context"
	"errors"
	"math"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/solve"
)

// Limits to what the criteria may cost beside a fit: an evaluation from the matrix takes
// half a second of one processor for 1,600 rows, 5 s for 4,000; from random vectors some
// times what a solve does, with errors of some tenths of a nat as a rule.
type limits struct {
	rows     int  // of a matrix that is factored
	alone    int  // the same where random vectors do not help
	unknowns int  // of a system whose criteria are estimated from random vectors
	blocks   int  // of these, for systems that are not large
	closed   bool // what is exact in closed form is not computed from a matrix, which tells more
}

// mostMatrix is the rows of a matrix that is factored to choose λ with constraints and
// missing outputs, where less else is to be had.
const mostMatrix = 2000

// toReport is what criteria at a λ that is given may cost.
func toReport() limits { return limits{rows: 1000, alone: 1000, unknowns: 5000, blocks: 1} }

// toCompare is what those of each of several kernels may.
func toCompare() limits {
	return limits{rows: 800, alone: 800, unknowns: criteria.MostProbed, blocks: 1, closed: true}
}

// toChoose is what may be spent on choosing λ by a criterion: leaving out pairs is known
// from a matrix alone.
func toChoose(by Criterion) limits {
	l := limits{rows: 1200, alone: mostMatrix, unknowns: criteria.MostProbed, blocks: 3}
	if by == LOO {
		l.rows = 4000
	}
	return l
}

// chooser is a problem as far as the choice of λ and ρ goes.
type chooser interface {
	// outputs is how many values were observed.
	outputs() int
	// along follows the model of the problem.
	along(ctx context.Context, q criteria.Search) (criteria.Choice, error)
	// evaluator tells the criteria of the problem at λ and ρ, and others; nil where that
	// would cost more than the limits.
	evaluator(ctx context.Context, at penalty, most limits) (criteria.Evaluator, error)
	// otherwise is what is known of a choice that nothing else tells of.
	otherwise(ctx context.Context, ch criteria.Choice) (criteria.Sheet, error)
}

// searchFor is the search that a spec asks for.
func (s *Spec) searchFor(by Criterion, p chooser) criteria.Search {
	return criteria.Search{By: by, Given: s.Lambda, Penalty: criteria.Penalty{Rho: s.Rho, Ratio: 1}, Outputs: float64(p.outputs())}
}

// chooseBy finds the λ and ρ of a problem that a criterion likes best.
func chooseBy(ctx context.Context, s *Spec, p chooser, by Criterion) (*chosen, error) {
	q := s.searchFor(by, p)
	ch, err := p.along(ctx, q)
	if err != nil {
		return nil, err
	}
	v, err := decided(ctx, p, q, &ch)
	if err != nil {
		return nil, err
	}
	out := &chosen{penalty: penalty{v.Lambda, v.Rho}, free: true}
	r := &out.report
	r.Criterion = string(by)
	if math.IsNaN(v.Of(by)) {
		r.Criterion += ", approximately"
	}
	r.takeSheet(v)
	if s.OwnNoise {
		ch.LOO = 0
	}
	r.takeMinimisers(ch)
	for _, text := range ch.Notes(r.NoiseOpen) {
		r.note("%s", text)
	}
	return out, nil
}

// measured is the criteria at a λ and ρ; not known where they would take much longer than
// the fit, or where rounding has eaten the smallest eigenvalues up.
func measured(ctx context.Context, p chooser, at penalty) (criteria.Sheet, error) {
	unknown := criteria.Unknown(at.lambda, at.rho)
	e, err := p.evaluator(ctx, at, toReport())
	if err != nil || e == nil {
		return unknown, err
	}
	v, err := e.At(ctx, at.lambda, at.rho)
	if errors.Is(err, solve.ErrNotPositive) {
		unknown.LOOLost = true
		return unknown, nil
	}
	return v, err
}

// decided is the criteria at the λ that is best by one of them, from the choice of a model:
// that choice where the model is exact or nothing else tells, otherwise what a search with
// the evaluator finds.
func decided(ctx context.Context, p chooser, q criteria.Search, ch *criteria.Choice) (criteria.Sheet, error) {
	from := penalty{ch.Lambda, ch.Penalty.At(ch.Lambda)}
	e, err := p.evaluator(ctx, from, toChoose(q.By))
	if err != nil {
		return criteria.Sheet{}, err
	}
	if e == nil {
		return p.otherwise(ctx, *ch)
	}
	v, err := q.Decide(ctx, *ch, e)
	if errors.Is(err, solve.ErrNotPositive) {
		v, err := p.otherwise(ctx, *ch)
		v.LOOLost = math.IsNaN(v.LOO)
		return v, err
	}
	ch.Took(q.By, v.Lambda)
	ch.Unsettled = false
	return v, err
}

// chosen is λ and ρ, and what is known of them.
type chosen struct {
	penalty
	report Report                          // the part that says so
	free   bool                            // they were not given, and may be raised
	start  []float64                       // a solution for λ and ρ nearby; nil: none is known
	sheet  func(at penalty) criteria.Sheet // the criteria at λ and ρ nearby; nil: by measuring
}
