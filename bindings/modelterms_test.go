package bindings_test

import (
	"slices"
	"testing"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
)

// An operator of no given form says under its own name what it cannot be asked for.
func TestFreeformTerm(t *testing.T) {
	others := slices.DeleteFunc(bindings.All(), func(m bind.Module) bool { return m.Name == "array" || m.Name == "linalg" })
	eval := evaluator(t, others...)
	const o = `m = mesh.uniform(0, 1, 7)
f = 8 * pde.poisson{mesh = m}:sample{n = 16, input = {kernel = kernel.se{lengthscale = 0.4}}}.input
d = data.new{input = {f = f}, output = {u = f^2}, input_mesh = m}
k = kernel.tensor(kernel.matern{}, kernel.matern{lengthscale = 0.4})
o = green.fit{data = d, terms = {term.operator{kernel = k}}}.u["operator(f)"]
`
	for code, want := range map[string]string{
		"return o:effect()": "<string>:6: a learned_operator has no 'effect'; it has neither a Green's function nor a curve: predict with the model, as in est:predict({f = f}).u",
		"return o.name":     "operator(f)",
	} {
		if got := eval(o + code); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}
