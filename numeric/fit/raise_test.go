package fit

import (
	"context"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/internal/criteria"
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
