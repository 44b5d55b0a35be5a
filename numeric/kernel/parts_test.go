package kernel

import "testing"

// A kernel that knows its terms itself is asked for them: found from its expression, a term
// would have no form of its own, and whoever fits with it would take longer.
func TestKernelsSayTheirTerms(t *testing.T) {
	space := Space{Names: []string{"x", "y"}, Inputs: 1}
	se := SE{Lengthscale: Lengthscale{0.3}}
	for _, k := range []decomposer{
		Kink{Base: se, Jump: se, Power: 1},
		Vanishing{Base: se, Where: map[string][]float64{"x": {0}}},
	} {
		f, err := Compile(k.(Kernel), space)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := f.parts()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			if _, ok := p.Kernel.(SE); !ok {
				t.Errorf("%v: a term is %T, want its own %T", f.Kernel, p.Kernel, se)
			}
		}
	}
}

var _ decomposer = ScaledBy{}
