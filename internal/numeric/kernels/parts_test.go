package kernels

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

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

// A mean over coordinates leaves some of those of the space, each point with a weight that is not negative.
func TestMeansThatAreMeans(t *testing.T) {
	se := kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}
	space := kernel.Space{Names: []string{"x", "y"}, Inputs: 1}
	at, w := [][]float64{{0, 1}, {0, 2}}, []float64{1, 0}
	for _, c := range []struct {
		k  averaged
		ok bool
	}{
		{averaged{se, space, 0, 1, at, w}, true},
		{averaged{se, space, 1, 2, at, w}, true},
		{averaged{se, space, 0, 2, at, w}, true},
		{averaged{se, space, -1, 1, at, w}, false},
		{averaged{se, space, 1, 0, at, w}, false},
		{averaged{se, space, 1, 3, at, w}, false},
		{averaged{se, space, 0, 1, nil, nil}, false},
		{averaged{se, space, 0, 1, at, w[:1]}, false},
		{averaged{se, space, 0, 1, [][]float64{{0}, {0, 1}}, w}, false},
		{averaged{se, space, 0, 1, at, []float64{1, -1}}, false},
	} {
		if err := c.k.Check(); c.ok != (err == nil) {
			t.Errorf("coordinates %d to %d, %v with %v: error %v", c.k.From, c.k.To, c.k.At, c.k.Weights, err)
		}
	}
}

// The covariance between outputs is the kernel between them: a number in between is the nearest output, of two the upper, and
// one beyond them the last.
func TestCovariancesBetweenOutputsAreTheKernel(t *testing.T) {
	k := Coregional{Covariance: []float64{4, 1, 0, 1, 2, -1, 0, -1, 3}}
	f, err := Compile(k, kernel.Space{Names: []string{"x", OutputName}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	outputs := []float64{2, 0, 1, 1.2, .5, 1.5, .4, -3, 7, 2}
	b := k.Between(outputs)
	for i, x := range outputs {
		for j, y := range outputs {
			if got, want := b.At(i, j), f.At([]float64{.1, x}, []float64{.7, y}); got != want {
				t.Errorf("between outputs %g and %g the covariance is %g, the kernel %g", x, y, got, want)
			}
		}
	}
	if b.At(1, 2) != 1 || b.At(0, 4) != -1 || b.At(0, 0) != 3 {
		t.Errorf("the outputs themselves have %v", mat.Formatted(b))
	}
}

// A covariance of outputs is square, finite, symmetric and not negative on its diagonal, or refused for what it is not.
func TestCovariancesOfOutputsThatAreNone(t *testing.T) {
	for _, c := range []struct {
		b    []float64
		want string
	}{
		{[]float64{2, 1, 1, 3}, ""},
		{[]float64{0}, ""},
		{[]float64{0, 0, 0, 5}, ""},
		{[]float64{2, -1, -1, 3}, ""}, // signs beside the diagonal are any
		{nil, "0 numbers"},
		{[]float64{1, 2, 3}, "3 numbers"},
		{[]float64{2, 1, .5, 3}, "symmetric"},
		{[]float64{2, math.NaN(), math.NaN(), 3}, "finite"},
		{[]float64{2, math.Inf(1), math.Inf(1), 3}, "finite"},
		{[]float64{math.Inf(1), 1, 1, 3}, "finite"},
		{[]float64{2, 1, 1, -1e-9}, "not negative"},
	} {
		err := Coregional{Covariance: c.b}.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v, want %q", c.b, err, c.want)
		}
	}
}
