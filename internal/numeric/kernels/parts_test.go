package kernels

import (
	"testing"

	"github.com/greenbench/workbench/numeric/kernel"
)

// A kernel that knows its terms itself is asked for them: found from its expression, a term
// would have no form of its own, and whoever fits with it would take longer.
func TestKernelsSayTheirTerms(t *testing.T) {
	space := kernel.Space{Names: []string{"x", "y"}, Inputs: 1}
	se := kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}
	for _, k := range []kernel.Kernel{
		kernel.Kink{Base: se, Jump: se, Power: 1},
		kernel.Vanishing{Base: se, Where: map[string][]float64{"x": {0}}},
	} {
		f, err := Compile(k, space)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := f.parts()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			if _, ok := p.Kernel.(kernel.SE); !ok {
				t.Errorf("%v: a term is %T, want its own %T", f.Kernel, p.Kernel, se)
			}
		}
	}
}

var _ = []decomposer{kink{}, vanishing{}, ScaledBy{}}
