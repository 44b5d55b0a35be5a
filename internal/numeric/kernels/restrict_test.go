package kernels_test

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
)

func TestRestrictionKeepsTheForm(t *testing.T) {
	l := kernel.Lengthscale{.3, .5}
	for _, c := range []struct {
		k    kernel.Kernel
		want string
	}{
		{kernel.Matern{Nu: 1.5, Lengthscale: l}, "matern{nu=1.5, lengthscale=0.5}"},
		{kernel.Tensor{Input: kernel.White{}, Output: kernel.Hat{Lengthscale: kernel.Lengthscale{1}}}, "hat{lengthscale=1}"},
		{kernel.Scaled{Factor: 2, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.25}}}, "2 * se{lengthscale=0.25}"},
		{kernel.SE{Lengthscale: kernel.Lengthscale{1, 2, 3}}, "se{lengthscale={1, 2, 3}}"}, // which is refused where it is used
	} {
		if got := kernels.Restrict(c.k, plane, 1, 2, []float64{.5, .5}).String(); got != c.want {
			t.Errorf("restriction of %s is %s, want %s", c.k, got, c.want)
		}
	}
	// A kernel that cannot tell is restricted by its values.
	k := kernel.Polynomial{Degree: 2, Offset: 1}
	r := compile(t, kernels.Restrict(k, plane, 1, 2, []float64{.5, 0}), kernels.Line())
	f := compile(t, k, plane)
	if a, b := r.At([]float64{.2}, []float64{.7}), f.At([]float64{.5, .2}, []float64{.5, .7}); !(math.Abs(a-b) <= 1e-15) {
		t.Errorf("restricted value %g, full value %g", a, b)
	}
}

// The mean over x of K((x, y), (x, η)) is the restriction, to the letter, where K is
// stationary in x, and otherwise what the values say.
func TestAverageOverTheInput(t *testing.T) {
	l := kernel.Lengthscale{.3, .5}
	se, poly := kernel.SE{Lengthscale: l}, kernel.Polynomial{Degree: 2, Offset: 1}
	bridge := kernel.BrownianBridge{Lower: 0, Upper: 1}
	points, weights := [][]float64{{.1, 0}, {.5, 0}, {.8, 0}}, []float64{.25, .25, .5}
	average := func(k kernel.Kernel) kernel.Kernel { return kernels.Average(k, plane, 1, 2, points, weights) }
	for _, c := range []struct {
		k    kernel.Kernel
		want string
	}{
		{se, "se{lengthscale=0.5}"},
		{kernel.Sum{Terms: []kernel.Kernel{se, kernel.Scaled{Factor: 3, Kernel: kernel.White{}}}}, "se{lengthscale=0.5} + 3 * restriction of white{}"},
		{kernel.Product{Factors: []kernel.Kernel{se, kernel.Hat{Lengthscale: l}}}, "se{lengthscale=0.5} * hat{lengthscale=0.5}"},
		{kernel.Tensor{Input: kernel.White{}, Output: poly}, poly.String()},
		{kernel.Tensor{Input: kernel.Scaled{Factor: .25, Kernel: kernel.White{}}, Output: poly}, "0.25 * " + poly.String()},
		{kernel.Tensor{Input: poly, Output: bridge}, "1.9904500000000003 * " + bridge.String()}, // Σ w (1 + x²)²
		{kernel.Kink{Base: se, Jump: se, Power: 1}, "se{lengthscale=0.5}"},
		{poly, "mean over x of " + poly.String()},
	} {
		if got := average(c.k).String(); got != c.want {
			t.Errorf("average of %s is %s, want %s", c.k, got, c.want)
		}
	}
	var sides []kernel.Kernel
	for _, e := range kernels.Catalog() {
		if e.Name != "kink" { // which needs both sides; of it the smooth part is taken
			sides = append(sides, e.Example, kernel.Tensor{Input: e.Example, Output: poly})
		}
	}
	for _, k := range append(sides, []kernel.Kernel{
		poly, bridge,
		kernel.Tensor{Input: poly, Output: bridge},
		kernel.Tensor{Input: kernel.Scaled{Factor: .25, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}}, Output: poly},
		kernel.Sum{Terms: []kernel.Kernel{kernel.Tensor{Input: kernel.Scaled{Factor: .25, Kernel: kernel.White{}}, Output: poly}, se}},
		kernel.Product{Factors: []kernel.Kernel{se, poly}},
		kernel.Sum{Terms: []kernel.Kernel{se, kernel.Scaled{Factor: 2, Kernel: poly}}},
		kernels.ScaledBy{Base: se, By: wave(1)},
		kernel.Vanishing{Base: se, Where: map[string][]float64{"x": {0}, "y": {1}}},
	}...) {
		f, q := compile(t, k, plane), average(k)
		b, err := kernels.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		back, err := kernels.Unmarshal(b)
		if err != nil {
			t.Fatal(err)
		}
		mean, read, want := compile(t, q, kernel.Space{Names: []string{"y"}}), compile(t, back, kernel.Space{Names: []string{"y"}}), 0.0
		for i, p := range points {
			want += weights[i] * f.At([]float64{p[0], .2}, []float64{p[0], .7})
		}
		if got := mean.At([]float64{.2}, []float64{.7}); !(math.Abs(got-want) <= 1e-15) || read.At([]float64{.2}, []float64{.7}) != got {
			t.Errorf("average of %s: %g, want %g", k, got, want)
		}
	}
}

// Where the input's kernel is nothing at all points, that of the output stays as it is; one point is a mean, too.
func TestAveragesOverFewPoints(t *testing.T) {
	bridge, poly := kernel.BrownianBridge{Lower: 0, Upper: 1}, kernel.Polynomial{Degree: 2, Offset: 1}
	k := kernels.Average(kernel.Tensor{Input: bridge, Output: poly}, plane, 1, 2, [][]float64{{0, 0}, {1, 0}}, []float64{.5, .5})
	if got := k.String(); got != poly.String() {
		t.Errorf("over the ends: %s", got)
	}
	white := kernel.Scaled{Factor: .25, Kernel: kernel.White{}}
	k = kernels.Average(kernel.Tensor{Input: white, Output: poly}, plane, 1, 2, [][]float64{{.3, 0}}, []float64{1})
	if got := k.String(); got != "0.25 * "+poly.String() {
		t.Errorf("over one point: %s", got)
	}
}

// The mean over the output is one of a kernel of the input.
func TestAverageOverTheOutput(t *testing.T) {
	poly := kernel.Polynomial{Degree: 2, Offset: 1}
	mean := compile(t, kernels.Average(poly, plane, 0, 1, [][]float64{{0, .5}, {0, 1}}, []float64{.25, .75}), kernels.Line())
	f := compile(t, poly, plane)
	want := .25*f.At([]float64{.2, .5}, []float64{.7, .5}) + .75*f.At([]float64{.2, 1}, []float64{.7, 1})
	if got := mean.At([]float64{.2}, []float64{.7}); !(math.Abs(got-want) <= 1e-15) {
		t.Errorf("%g, want %g", got, want)
	}
}

// A product of two sides takes the only two coordinates that there are, though nothing says which is
// the input; of more it has to be said.
func TestTensorsOfTwoCoordinates(t *testing.T) {
	k := kernel.Tensor{Input: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Output: kernel.Polynomial{Degree: 1, Offset: 1}}
	two := compile(t, k, kernel.Space{Names: []string{"x", "y"}})
	if got, want := two.At([]float64{.1, .2}, []float64{.4, .5}), math.Exp(-.5)*1.1; !(math.Abs(got-want) <= 1e-15) {
		t.Errorf("%g, want %g", got, want)
	}
	for _, names := range [][]string{{"x"}, {"x", "y", "z"}} {
		if _, err := kernels.Compile(k, kernel.Space{Names: names}); err == nil || !strings.Contains(err.Error(), "not split into input and output") {
			t.Errorf("of %v: %v", names, err)
		}
	}
}

// A mean whose points and weights do not fit, as a file may have it, is refused.
func TestMeansThatDoNotFit(t *testing.T) {
	poly, line := kernel.Polynomial{Degree: 2, Offset: 1}, kernel.Space{Names: []string{"y"}}
	mean := func(points [][]float64, weights []float64) error {
		_, err := kernels.Compile(kernels.Average(poly, plane, 1, 2, points, weights), line)
		return err
	}
	for _, weights := range [][]float64{{.5, .5}, {0, 1}} {
		if err := mean([][]float64{{.1, 0}, {.5, 0}}, weights); err != nil {
			t.Error(err)
		}
	}
	for name, err := range map[string]error{
		"no points":         mean(nil, nil),
		"a weight too few":  mean([][]float64{{.1, 0}, {.5, 0}}, []float64{.5}),
		"a weight too many": mean([][]float64{{.1, 0}}, []float64{.5, .5}),
		"a short point":     mean([][]float64{{.1}, {.5, 0}}, []float64{.5, .5}),
		"a negative weight": mean([][]float64{{.1, 0}, {.5, 0}}, []float64{1.5, -.5}),
	} {
		if err == nil || !strings.Contains(err.Error(), "mean over") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := mean([][]float64{{.1, 0}, {.5}}, []float64{.5, .5}); err == nil || !strings.Contains(err.Error(), "point 2 has 1 coordinates and weight 0.5") {
		t.Errorf("of a short point: %v", err)
	}
}
