package assess_test

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/assess"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// What the report of an estimate says against its numbers, its check excepts from what can be reported, in the same words;
// where the report says nothing, nothing is.
func TestChecksExceptWhatTheReportDoes(t *testing.T) {
	m := line(14)
	d := simulated(t, m, 24, se(.3), white(.2), 3)
	jumps := simulated(t, m, 24, func(lag float64) float64 { return math.Exp(-3 * lag) }, white(.2), 3)
	twice := testmain.Must(d.Select([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0}))(t)
	for name, c := range map[string]struct {
		data         *dataset.Dataset
		spec         fit.Spec
		after        func(e *fit.Estimate) error
		excepts, why string
	}{
		"nothing": {d, fit.Spec{Kernel: se(.3)}, nil, "", ""},
		"jump":    {jumps, fit.Spec{Kernel: se(.3), Constraint: constraint.Causal{Input: "x", Output: "y"}}, nil, "G near where y meets x", "if it jumps there"},
		"twins":   {twice, fit.Spec{Kernel: se(.3)}, nil, "G, its bands and sigma", "entered twice"},
		"kernel":  {d, fit.Spec{Kernel: se(.003)}, nil, "G between the points of x", "hardly connects"},
		"far": {d, fit.Spec{Kernel: se(.3)}, func(e *fit.Estimate) error {
			_, err := e.Green(ctx, mesh.Must(mesh.Uniform(30, 31, 2, "x")), mesh.Mesh{})
			return err
		}, "values far outside the data", "the data say nothing"},
	} {
		c.spec.Data = c.data
		e := fitted(t, c.spec)
		if c.after != nil {
			if err := c.after(e); err != nil {
				t.Fatal(name, err)
			}
		}
		r := testmain.Must(assess.Run(ctx, e, assess.Options{NoKernels: true}))(t)
		text := r.String()
		if c.excepts == "" {
			if len(r.Limits) > 0 || r.Passed() && !strings.HasSuffix(text, "can be reported.") {
				t.Errorf("%s: %s", name, text)
			}
			continue
		}
		if strings.Contains(text, "can be reported.") || !strings.Contains(text, "\n- "+c.excepts+": ") || !strings.Contains(text, c.why) {
			t.Errorf("%s: %q, because %q, is not excepted:\n%s", name, c.excepts, c.why, text)
		}
		for _, l := range e.Notes().Limits {
			if !strings.Contains(text, "- "+l.Excepts+": "+l.Text) {
				t.Errorf("%s: the check does not have %+v", name, l)
			}
		}
	}
}
