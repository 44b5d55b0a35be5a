package bindings_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

// Whoever asks a family for parameters far from those of the data is told so, by whatever function, and by the report of the member;
// near the data nobody is.
func TestFamiliesFarFromTheirDataAreNoted(t *testing.T) {
	var notes []string
	L := openAll(t, func(int, string) {})
	L.SetContext(progress.With(t.Context(), func(s progress.Step) {
		if s.Note != "" {
			notes = append(notes, s.Note)
		}
	}))
	if err := L.DoString(`m = mesh.uniform(0, 1, 6)
F = random.field{kernel = kernel.se{lengthscale = 0.3}, mesh = m, n = 9, seed = 4}
theta = array.linspace(1, 3, 9)
d = data.new{input = {f = F}, output = {u = theta:reshape(9, 1) * F}, input_mesh = m, parameter = {theta = theta}}
est = green.fit{data = d, kernel = {f = kernel.se{lengthscale = 0.3}}, lambda = 1e-4}`); err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{"est:at{theta = %g}", "est.u.f:at{theta = %g}", "est:predict{f = F[1], theta = %g}", "est.u:predict{f = F[1], theta = %g}"} {
		for theta, noted := range map[float64]bool{2: false, 3.5: false, 30: true, -7: true} {
			notes = nil
			if err := L.DoString(fmt.Sprintf(call, theta)); err != nil {
				t.Fatal(err)
			}
			if told := strings.Contains(strings.Join(notes, "\n"), fmt.Sprintf("theta = %g (data: [1, 3])", theta)); told != noted {
				t.Errorf(call+": told %v, want %v: %q", theta, told, noted, notes)
			}
		}
	}
	if err := L.DoString(`assert(est:at{theta = 30}.u.f.report.advice:find("theta = 30", 1, true))
assert(not est:at{theta = 2}.u.f.report.advice:find("theta = ", 1, true))`); err != nil {
		t.Error(err)
	}
}
