package fit

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/solve"
)

// swallowed is a problem of which rounding swallows all λ below the least. Every solve is
// counted.
type swallowed struct {
	problem
	least  float64
	solves int
}

func (p *swallowed) measure(_ context.Context, at penalty) (criteria.Sheet, error) {
	return criteria.Sheet{Lambda: at.lambda, REML: at.lambda, GCV: at.rho}, nil
}

func (p *swallowed) solve(_ context.Context, at penalty, _ []float64) (*solution, error) {
	p.solves++
	if at.lambda < p.least {
		return &solution{least: 2 * at.lambda}, nil
	}
	return &solution{x: []float64{at.lambda}}, nil
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
		{1, 0, true, 0, 1 + raises},
		{5e-8, 0, false, 0, 1},
	} {
		p := &swallowed{least: c.least}
		posed := &posed{problem: p, spec: &Spec{Rho: c.rho}}
		first := &chosen{penalty: penalty{1e-9, 3e-9}, free: c.free, report: Report{Criterion: "reml"}}
		if c.rho > 0 {
			first.rho = c.rho
		}
		got, x, err := posed.solveChosen(t.Context(), first)
		if p.solves != c.solves {
			t.Errorf("%+v: %d solves", c, p.solves)
		}
		if c.lambda == 0 {
			if err == nil || !strings.Contains(err.Error(), "is lost in rounding") {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil || !close12(x.x[0], c.lambda) || !close12(got.lambda, c.lambda) {
			t.Fatalf("%+v: λ = %g: %v", c, got.lambda, err)
		}
		rho := 3 * c.lambda
		if c.rho > 0 {
			rho = c.rho
		}
		if !close12(got.rho, rho) || first.lambda != 1e-9 {
			t.Errorf("%+v: ρ = %g, want %g; the first λ is %g now", c, got.rho, rho, first.lambda)
		}
		if raised := c.lambda > 1e-9; raised != strings.Contains(got.report.Advice, "the best lambda is 1e-09") || raised && !close12(*got.report.GCV, rho) {
			t.Errorf("%+v: report %+v", c, got.report)
		}
	}
}

func close12(a, b float64) bool { return a-b <= 1e-12*b && b-a <= 1e-12*b }

// eaten is a problem whose matrix rounding eats up.
type eaten struct{ chooser }

func (eaten) evaluator(context.Context, penalty, limits) (criteria.Evaluator, error) {
	return eaten{}, nil
}

func (eaten) At(context.Context, float64, float64) (criteria.Sheet, error) {
	return criteria.Sheet{}, solve.ErrNotPositive
}

func (eaten) otherwise(context.Context, criteria.Choice) (criteria.Sheet, error) {
	return criteria.Sheet{Lambda: 1, REML: 2, LOO: math.NaN()}, nil
}

// Errors of left-out pairs that rounding keeps from being known are missing with a word, where λ is
// chosen, given or raised, and those that are not looked for without one.
func TestLostErrorsAreSaid(t *testing.T) {
	at := penalty{1, 1}
	given, err := measured(t.Context(), eaten{}, at)
	if err != nil {
		t.Fatal(err)
	}
	ch := criteria.Choice{Lambda: 1, Top: 1, Decades: 14, Curve: &criteria.Rules{T: criteria.Rule{Nodes: []float64{1}, Weights: []float64{1}}, Probes: []criteria.Rule{{}}, Outputs: 3, Values: 3}}
	best, err := decided(t.Context(), eaten{}, criteria.Search{By: criteria.REML, Outputs: 3}, &ch)
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
