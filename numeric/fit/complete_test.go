package fit

import (
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
)

// An estimate is completed by what was decided before it: what of this is said, in which order, what its bands know of, and what they
// take as known.
func TestEstimatesAreCompletedByWhatWasDecided(t *testing.T) {
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.5}}
	given, small, large := waves(t, 30, 9, .1), waves(t, 11, 9, .1), waves(t, 12, 9, .1) // 99 outputs and 108
	const uncertain = "may be far too narrow"
	two := []rival{{kernel: k, share: .5, ratio: 2}, {kernel: kernel.Matern{Nu: 1.5, Lengthscale: k.Lengthscale}, share: .5}}
	for what, c := range map[string]struct {
		change func(r *resolved)
		reason string // before that of the solver
		notes  []string
		call   bool
		rivals int
		open   openness
	}{
		"λ is open":               {func(r *resolved) {}, "", nil, true, 0, openness{true, true}},
		"dense":                   {func(r *resolved) { r.Dense = true }, "", nil, true, 0, openness{false, true}},
		"ρ is given":              {func(r *resolved) { r.Rho = 1e-3 }, "", nil, true, 0, openness{true, false}},
		"no bias":                 {func(r *resolved) { r.NoBias = true }, "", nil, true, 0, openness{true, false}},
		"λ is given":              {func(r *resolved) { r.Lambda, r.rivals = 1e-3, two }, "", nil, false, 0, openness{}},
		"λ is one":                {func(r *resolved) { r.Lambda, r.rivals = 1, two }, "", nil, false, 0, openness{}},
		"λ was chosen before":     {func(r *resolved) { r.Lambda, r.Chosen = 1e-3, true }, "", nil, false, 0, openness{true, true}},
		"so were rivals":          {func(r *resolved) { r.Lambda, r.Chosen, r.rivals = 1e-3, true, two }, "", nil, false, 0, openness{true, true}},
		"a kernel at a given λ":   {func(r *resolved) { r.Lambda, r.why = 1e-3, "it is smooth" }, "it is smooth; ", nil, true, 0, openness{}},
		"a kernel":                {func(r *resolved) { r.why, r.found = "it is smooth", "nothing" }, "nothing; it is smooth; ", nil, true, 0, openness{true, true}},
		"a note":                  {func(r *resolved) { r.note = criteria.Note{Text: "at the end"} }, "", []string{"at the end"}, true, 0, openness{true, true}},
		"one rival":               {func(r *resolved) { r.rivals = two[:1] }, "", nil, true, 1, openness{true, true}},
		"two":                     {func(r *resolved) { r.rivals = two }, "", nil, true, 2, openness{true, true}},
		"a kernel from few":       {func(r *resolved) { r.Data, r.why = small, "x" }, "x; ", []string{"chosen from 99 output values"}, true, 0, openness{true, true}},
		"and one rival":           {func(r *resolved) { r.Data, r.why, r.rivals = small, "x", two[:1] }, "x; ", []string{uncertain}, true, 1, openness{true, true}},
		"and two":                 {func(r *resolved) { r.Data, r.why, r.rivals = small, "x", two }, "x; ", nil, true, 2, openness{true, true}},
		"and two at a given λ":    {func(r *resolved) { r.Data, r.why, r.rivals, r.Lambda = small, "x", two, 1 }, "x; ", []string{uncertain}, true, 0, openness{}},
		"a kernel of few":         {func(r *resolved) { r.Data = small }, "", nil, true, 0, openness{true, true}},
		"a kernel from some more": {func(r *resolved) { r.Data, r.why, r.note = large, "x", criteria.Note{Text: "one"} }, "x; ", []string{"one"}, true, 0, openness{true, true}},
	} {
		s := Spec{Data: given, Kernel: k}
		e := testmain.Must(Fit(t.Context(), s))(t)
		intercept, reml := e.Intercept, *e.Report.REML
		e.Report.Reason, e.Report.Advice, e.Report.Call, e.learned = "solved", "", "", nil
		r := &resolved{Spec: s, given: given, mean: 3, density: 5}
		c.change(r)
		r.complete(t.Context(), e)
		got := &e.Report
		if got.Reason != c.reason+"solved" || (got.Call != "") != c.call {
			t.Errorf("%s: reason %q, call %q", what, got.Reason, got.Call)
		}
		said := strings.Split(got.Advice, "\n")
		if got.Advice == "" {
			said = nil
		}
		if !slices.EqualFunc(said, c.notes, strings.Contains) {
			t.Errorf("%s: notes %q, want %q", what, said, c.notes)
		}
		if e.Intercept != intercept+3 || *got.REML != reml+5 {
			t.Errorf("%s: intercept %g, reml %g, from %g and %g", what, e.Intercept, *got.REML, intercept, reml)
		}
		l := e.learned
		if l.open != c.open || l.spec.Data != given || l.spec.seal != sealOf(given) {
			t.Errorf("%s: learned %+v from %v", what, l.open, l.spec.Data)
		}
		rivals := 0
		if l.rivals != nil {
			if rivals = len(l.rivals.of); rivals == 0 {
				t.Errorf("%s: no rivals are told", what)
			}
		}
		if rivals != c.rivals || (l.others.make != nil) != (rivals > 0) {
			t.Errorf("%s: %d rivals, want %d; bands know of others: %v", what, rivals, c.rivals, l.others.make != nil)
		}
	}
}

// Bands know of other λ up to 200 outputs.
func TestBandsOfFewOutputsKnowOfOtherLambdas(t *testing.T) {
	for outputs, d := range map[int]*dataset.Dataset{200: waves(t, 25, 8, .1), 201: waves(t, 67, 3, .1)} {
		e := testmain.Must(Fit(t.Context(), Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}}))(t)
		if knows := e.learned.others.make != nil; knows != (outputs == 200) {
			t.Errorf("%d outputs: bands know of others: %v", outputs, knows)
		}
	}
}
