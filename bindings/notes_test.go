package bindings_test

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

// TestExtrapolationIsTold: a script that keeps only the numbers of a prediction beyond the data is
// told, whichever kind of network made them; one within the data is not.
func TestExtrapolationIsTold(t *testing.T) {
	for name, learn := range map[string]string{
		"network:predict":       `green.network{data = d, kernel = k, lambda = 1e-8, terms = {u3 = function(f, u) return u^3 end}}`,
		"joint_network:predict": `green.network{data = d, kernel = k, lambda = 1e-8, layers = 2, activation = function(z) return math.tanh(z) end}`,
	} {
		var told []string
		ctx := progress.With(t.Context(), func(s progress.Step) {
			if s.Note != "" {
				told = append(told, s.Note)
			}
		})
		h := newHost(t)
		run := func(code string) {
			t.Helper()
			if err := h.Run(ctx, "notes", code); err != nil {
				t.Fatal(err)
			}
		}
		run(`m, k = mesh.uniform(0, 1, 6), kernel.matern{nu = 1.5, lengthscale = 0.3}
f = random.field{kernel = kernel.se{lengthscale = 0.4}, mesh = m, n = 8}
p = pde.poisson{mesh = m}
u = p:solve(f)
for i = 1, 30 do u = p:solve(f - 2 * u^3) end
d = data.new{input = f, output = u, input_mesh = m}
net = ` + learn)
		run(`v = net:predict(f[1])`)
		if len(told) > 0 {
			t.Errorf("%s: within the data: %q", name, told)
		}
		run(`v = net:predict(2 * f)`)
		if len(told) != 1 || !strings.HasPrefix(told[0], name+": the largest |") {
			t.Errorf("%s: beyond the data: %q", name, told)
		}
	}
}
