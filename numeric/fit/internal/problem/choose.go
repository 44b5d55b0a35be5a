package problem

import (
	"context"
	"errors"
	"math"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// Limits to what the criteria may cost beside a fit: an evaluation from the matrix takes
// half a second of one processor for 1,600 rows, 5 s for 4,000; from random vectors some
// times what a solve does, with errors of some tenths of a nat as a rule.
type Limits struct {
	Rows     int  // of a matrix that is factored
	Alone    int  // the same where random vectors do not help
	Unknowns int  // of a system whose criteria are estimated from random vectors
	Blocks   int  // of these, for systems that are not large
	Closed   bool // what is exact in closed form is not computed from a matrix, which tells more
}

// MostMatrix is the rows of a matrix that is factored to choose λ with constraints and
// missing outputs, where less else is to be had.
const MostMatrix = 2000

// ToReport is what criteria at a λ that is given may cost.
func ToReport() Limits { return Limits{Rows: 1000, Alone: 1000, Unknowns: 5000, Blocks: 1} }

// ToCompare is what those of each of several kernels may.
func ToCompare() Limits {
	return Limits{Rows: 800, Alone: 800, Unknowns: criteria.MostProbed, Blocks: 1, Closed: true}
}

// ToChoose is what may be spent on choosing λ by a criterion: leaving out pairs is known
// from a matrix alone.
func ToChoose(by criteria.Criterion) Limits {
	l := Limits{Rows: 1200, Alone: MostMatrix, Unknowns: criteria.MostProbed, Blocks: 3}
	if by == criteria.LOO {
		l.Rows = 4000
	}
	return l
}

// Chooser is a problem as far as the choice of λ and ρ goes.
type Chooser interface {
	// Outputs is how many values were observed.
	Outputs() int
	// Along follows the model of the problem.
	Along(ctx context.Context, q criteria.Search) (criteria.Choice, error)
	// Evaluator tells the criteria of the problem at λ and ρ, and others; nil where that
	// would cost more than the limits.
	Evaluator(ctx context.Context, at Penalty, most Limits) (criteria.Evaluator, error)
	// Otherwise is what is known of a choice that nothing else tells of.
	Otherwise(ctx context.Context, ch criteria.Choice) (criteria.Sheet, error)
}

// SearchFor is the search that a spec asks for.
func (s *Setting) SearchFor(by criteria.Criterion, p Chooser) criteria.Search {
	return criteria.Search{By: by, Given: s.Lambda, Penalty: criteria.Penalty{Rho: s.Rho, Ratio: 1}, Outputs: float64(p.Outputs())}
}

// ChooseBy finds the λ and ρ of a problem that a criterion likes best.
func ChooseBy(ctx context.Context, s *Setting, p Chooser, by criteria.Criterion) (*Chosen, error) {
	q := s.SearchFor(by, p)
	ch, err := p.Along(ctx, q)
	if err != nil {
		return nil, err
	}
	v, err := Decided(ctx, p, q, &ch)
	if err != nil {
		return nil, err
	}
	if s.OwnNoise {
		ch.LOO = 0
	}
	out := &Chosen{Penalty: Penalty{v.Lambda, v.Rho}, By: string(by), Sheet: v, Free: true, Notes: ch.Notes(v.NoiseOpen())}
	if math.IsNaN(v.Of(by)) {
		out.By += ", approximately"
	}
	out.Least = Minimisers{ch.REML, ch.GCV, ch.LOO}
	return out, nil
}

// Measured is the criteria at a λ and ρ; not known where they would take much longer than
// the fit, or where rounding has eaten the smallest eigenvalues up.
func Measured(ctx context.Context, p Chooser, at Penalty) (criteria.Sheet, error) {
	unknown := criteria.Unknown(at.Lambda, at.Rho)
	e, err := p.Evaluator(ctx, at, ToReport())
	if err != nil || e == nil {
		return unknown, err
	}
	v, err := e.At(ctx, at.Lambda, at.Rho)
	if errors.Is(err, solve.ErrNotPositive) {
		unknown.LOOLost = true
		return unknown, nil
	}
	return v, err
}

// Decided is the criteria at the λ that is best by one of them, from the choice of a model:
// that choice where the model is exact or nothing else tells, otherwise what a search with
// the evaluator finds.
func Decided(ctx context.Context, p Chooser, q criteria.Search, ch *criteria.Choice) (criteria.Sheet, error) {
	from := Penalty{ch.Lambda, ch.Penalty.At(ch.Lambda)}
	e, err := p.Evaluator(ctx, from, ToChoose(q.By))
	if err != nil {
		return criteria.Sheet{}, err
	}
	if e == nil {
		return p.Otherwise(ctx, *ch)
	}
	v, err := q.Decide(ctx, *ch, e)
	if errors.Is(err, solve.ErrNotPositive) {
		v, err := p.Otherwise(ctx, *ch)
		v.LOOLost = math.IsNaN(v.LOO)
		return v, err
	}
	ch.Took(q.By, v.Lambda)
	ch.Unsettled = false
	return v, err
}

// Chosen is λ and ρ, and what is known of them.
type Chosen struct {
	Penalty
	By         string         // the criterion that chose them, or that they were given
	Sheet      criteria.Sheet // the criteria there
	Unmeasured bool           // nobody has asked for them yet
	Least      Minimisers
	CV         *float64        // the error of cross-validation; nil: not known
	Notes      []criteria.Note // what is to be said of the choice

	Free  bool                            // they were not given, and may be raised
	Start []float64                       // a solution for λ and ρ nearby; nil: none is known
	Near  func(at Penalty) criteria.Sheet // the criteria at λ and ρ nearby; nil: by measuring
}

// Minimisers are the λ where each criterion is least; 0: not known.
type Minimisers struct{ REML, GCV, LOO float64 }

// Given is λ and ρ as they are, of which nothing is known.
func Given(at Penalty) *Chosen {
	return &Chosen{Penalty: at, By: "given", Sheet: criteria.Unknown(at.Lambda, at.Rho)}
}
