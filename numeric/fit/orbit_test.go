package fit

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit/internal/inweights"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Where a constraint maps inputs and outputs separately, REML and GCV come from the
// diagonal of the pairs with their images. For separable kernels they are those of the
// matrix of all data of the constrained problem, and least where it says. Kernels that
// are not invariant, and maps that mix inputs and outputs, go another way.
func TestOrbits(t *testing.T) {
	flip := func(odd bool, names ...string) constraint.Flip {
		return constraint.Flip{Names: names, About: .5, Odd: odd}
	}
	se := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	tilted := kernel.Sum{Terms: []kernel.Kernel{se, kernel.Polynomial{Degree: 1, Offset: 1}}}
	for _, c := range []struct {
		name       string
		n          int
		kernel     kernel.Kernel
		constraint constraint.Constraint
		orbit      bool
	}{
		{"both", 9, se, flip(false, "s", "t"), true},
		{"many pairs", 50, se, flip(false, "s", "t"), true},
		{"odd", 9, se, flip(true, "s", "t"), true},
		{"input alone", 9, se, flip(false, "s"), true},
		{"each", 9, se, constraint.List{flip(false, "s"), flip(true, "t")}, true},
		{"not invariant", 9, tilted, flip(false, "s", "t"), false},
		{"exchange", 9, se, constraint.List{flip(false, "s", "t"), constraint.Symmetric{Names: []string{"s", "t"}}}, false},
	} {
		d, _ := decaying(t, c.n, 12)
		s := Spec{Data: d, Kernel: c.kernel, Constraint: c.constraint, NoBias: true}
		e, err := Fit(context.Background(), s)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := strings.Contains(e.Report.Reason, "taken with its images"); got != c.orbit {
			t.Errorf("%s: orbit %t: %s", c.name, got, e.Report.Reason)
		}
		w, _, err := inweights.NewSpace(context.Background(), s.setting(), latticeOf(t, &s))
		if err != nil {
			t.Fatal(err)
		}
		r := e.Report
		reml, gcv := criteriaOfMatrix(t, w, r.Lambda, r.Lambda)
		if !(math.Abs(*r.REML-reml) <= 1e-9*math.Abs(reml)) || !(math.Abs(*r.GCV-gcv) <= 1e-9*gcv) {
			t.Errorf("%s: REML %.12g, GCV %.12g; of the matrix %.12g, %.12g", c.name, *r.REML, *r.GCV, reml, gcv)
		}
		for _, factor := range []float64{.5, 2} {
			if other, _ := criteriaOfMatrix(t, w, r.Lambda*factor, r.Lambda*factor); !(other >= reml) {
				t.Errorf("%s: REML is %.6g at the λ chosen and %.6g at %g times it", c.name, reml, other, factor)
			}
		}
	}
}

// latticeOf is the constraint of a spec, which its meshes have.
func latticeOf(t *testing.T, s *Spec) *lattice.Lattice {
	t.Helper()
	l, why, err := s.lattice(t.Context())
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	return l
}
