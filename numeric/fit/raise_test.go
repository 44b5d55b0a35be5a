package fit

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// swallowed is a problem of which rounding swallows all λ below the least. Every solve is
// counted.
type swallowed struct {
	problem.Problem
	least  float64
	solves int
}

func (p *swallowed) Measure(_ context.Context, at problem.Penalty) (criteria.Sheet, error) {
	return criteria.Sheet{Lambda: at.Lambda, REML: at.Lambda, GCV: at.Rho}, nil
}

func (p *swallowed) Solve(_ context.Context, at problem.Penalty, _ []float64) (*problem.Solution, error) {
	p.solves++
	if at.Lambda < p.least {
		return &problem.Solution{Least: 2 * at.Lambda}, nil
	}
	return &problem.Solution{X: []float64{at.Lambda}}, nil
}

// A λ that was chosen is raised, with ρ where that is free, until it can be solved for, and
// its criteria are measured anew and the report says so; three times at most. A λ that was
// given is not, and the error says what could be solved for.
func TestLambdaIsRaised(t *testing.T) {
	for _, c := range []struct {
		least, rho float64
		free       bool
		lambda     float64 // that is solved for; 0: none
		solves     int
	}{
		{1e-9, 0, true, 1e-9, 1},
		{5e-8, 0, true, 1e-7, 3},
		{5e-8, 1e-3, true, 1e-7, 3},
		{1, 0, true, 0, 1 + problem.Raises},
		{5e-8, 0, false, 0, 1},
	} {
		p := &swallowed{least: c.least}
		posed := &problem.Posed{Problem: p, Setting: &problem.Setting{Rho: c.rho}}
		first := &problem.Chosen{Penalty: problem.At(1e-9, 3e-9), Free: c.free, By: "reml"}
		if c.rho > 0 {
			first.Rho = c.rho
		}
		got, x, err := posed.SolveChosen(t.Context(), first)
		if p.solves != c.solves {
			t.Errorf("%+v: %d solves", c, p.solves)
		}
		if c.lambda == 0 {
			if err == nil || !strings.Contains(err.Error(), "is lost in rounding") {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil || !close12(x.X[0], c.lambda) || !close12(got.Lambda, c.lambda) {
			t.Fatalf("%+v: λ = %g: %v", c, got.Lambda, err)
		}
		rho := 3 * c.lambda
		if c.rho > 0 {
			rho = c.rho
		}
		if !close12(got.Rho, rho) || first.Lambda != 1e-9 {
			t.Errorf("%+v: ρ = %g, want %g; the first λ is %g now", c, got.Rho, rho, first.Lambda)
		}
		if raised := c.lambda > 1e-9; raised != (len(got.Notes) == 1 && strings.Contains(got.Notes[0].Text, "the best lambda is 1e-09")) || raised && !close12(got.Sheet.GCV, rho) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

func close12(a, b float64) bool { return a-b <= 1e-12*b && b-a <= 1e-12*b }

// A λ that was chosen and cannot be solved for in the iterations allowed is raised,
// and the report says so; a given one is kept.
func TestLambdaIsRaisedUntilItCanBeSolvedFor(t *testing.T) {
	d, _ := decaying(t, 9, 20)
	s := invariant(d)
	s.MaxIterations = 3
	e := testmain.Must(Fit(context.Background(), s))(t)
	if r := e.Report; !strings.Contains(r.Advice, "lambda was raised") || !(r.Lambda >= 900**r.LambdaREML) {
		t.Errorf("lambda %g, best %g, advice %q", r.Lambda, *r.LambdaREML, r.Advice)
	}
	given := s
	given.Lambda = *e.Report.LambdaREML
	e = testmain.Must(Fit(context.Background(), given))(t)
	if r := e.Report; r.Lambda != given.Lambda || r.Converged {
		t.Errorf("lambda %g, given %g, converged %t", r.Lambda, given.Lambda, r.Converged)
	}
}

// eaten is a problem whose matrix rounding eats up.
type eaten struct{ problem.Chooser }

func (eaten) Evaluator(context.Context, problem.Penalty, problem.Limits) (criteria.Evaluator, error) {
	return eaten{}, nil
}

func (eaten) At(context.Context, float64, float64) (criteria.Sheet, error) {
	return criteria.Sheet{}, solve.ErrNotPositive
}

func (eaten) Otherwise(context.Context, criteria.Choice) (criteria.Sheet, error) {
	return criteria.Sheet{Lambda: 1, REML: 2, LOO: math.NaN()}, nil
}

// Errors of left-out pairs that rounding keeps from being known are missing with a word, where λ is
// chosen, given or raised, and those that are not looked for without one.
func TestLostErrorsAreSaid(t *testing.T) {
	at := problem.At(1, 1)
	given, err := problem.Measured(t.Context(), eaten{}, at)
	if err != nil {
		t.Fatal(err)
	}
	ch := criteria.Choice{Lambda: 1, Top: 1, Decades: 14, Curve: &criteria.Rules{T: criteria.Rule{Nodes: []float64{1}, Weights: []float64{1}}, Probes: []criteria.Rule{{}}, Outputs: 3, Values: 3}}
	best, err := problem.Decided(t.Context(), eaten{}, criteria.Search{By: criteria.REML, Outputs: 3}, &ch)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []criteria.Sheet{given, best, criteria.Unknown(1, 1)} {
		var r Report
		if r.takeSheet(v); r.LOO != nil || v.LOOLost != strings.Contains(r.Advice, "loo is not known") {
			t.Errorf("%+v: loo %v, %q", v, r.LOO, r.Advice)
		}
	}
	if !given.LOOLost || !best.LOOLost {
		t.Errorf("%+v and %+v do not say that rounding is to blame", given, best)
	}
}
