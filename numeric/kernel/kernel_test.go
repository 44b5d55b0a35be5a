package kernel_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

func TestMain(m *testing.M) { testmain.Run(m) }

func TestBadParametersAreRefusedByName(t *testing.T) {
	l := kernel.Lengthscale{1}
	inf := math.Inf(1)
	for _, c := range []struct {
		k    kernel.Kernel
		want string
	}{
		{kernel.SE{Lengthscale: kernel.Lengthscale{0}}, "lengthscale 0: must be > 0"},
		{kernel.SE{Lengthscale: kernel.Lengthscale{1, -2}}, "lengthscale[2] = -2: must be > 0"},
		{kernel.SE{Lengthscale: kernel.Lengthscale{inf}}, "lengthscale +Inf"},
		{kernel.SE{Lengthscale: kernel.Lengthscale{1e-310}}, "lengthscale 1e-310: is too small"},
		{kernel.RationalQuadratic{Alpha: 1e-310, Lengthscale: l}, "no less than 1e-300"},
		{kernel.Periodic{Period: 1e-310, Lengthscale: l}, "no less than 1e-300"},
		{kernel.Sobolev{Terms: 0, Lower: 0, Upper: 1}, "terms 0: must be at least 1"},
		{kernel.Sobolev{Terms: 5, Lower: 1, Upper: 1}, "upper 1: must be greater than lower = 1"},
		{kernel.Vanishing{Base: kernel.White{}}, "where: must name a coordinate"},
		{kernel.Vanishing{Base: kernel.White{}, Where: map[string][]float64{"x": {inf}}}, "where.x +Inf: must be finite"},
		{kernel.Matern{Nu: 0, Lengthscale: l}, "nu 0: must be > 0"},
		{kernel.Matern{Nu: 60, Lengthscale: l}, "use the squared exponential kernel"},
		{kernel.Matern{Nu: 50.5, Lengthscale: l}, "at most 50"},
		{kernel.RationalQuadratic{Alpha: -1, Lengthscale: l}, "alpha -1: must be > 0"},
		{kernel.Periodic{Period: 0, Lengthscale: l}, "period 0: must be > 0"},
		{kernel.Periodic{Period: -1, Lengthscale: l}, "period -1: must be > 0"},
		{kernel.Periodic{Period: math.Inf(1), Lengthscale: l}, "period +Inf: must be > 0 and finite"},
		{kernel.Periodic{Period: math.NaN(), Lengthscale: l}, "period NaN: must be > 0"},
		{kernel.BrownianBridge{Lower: 1, Upper: 1}, "upper 1: must be greater than lower = 1"},
		{kernel.BrownianBridge{Lower: -1.7e308, Upper: 1.7e308}, "by a finite number"},
		{kernel.Polynomial{Degree: -1}, "degree -1: must be >= 0"},
		{kernel.Kink{Base: kernel.SE{Lengthscale: l}, Power: 1}, "kernel: missing"},
		{kernel.Kink{Base: kernel.SE{Lengthscale: l}, Jump: kernel.SE{Lengthscale: l}}, "a jump across the diagonal is a kink with one_sided"},
		{kernel.Kink{Base: kernel.SE{Lengthscale: l}, Jump: kernel.SE{Lengthscale: l}, Power: -1, OneSided: true}, "power -1: must be > 0, or 0"},
		{kernel.Scaled{Factor: 0, Kernel: kernel.SE{Lengthscale: l}}, "factor 0: must be finite and > 0"},
		{kernel.Scaled{Factor: inf, Kernel: kernel.SE{Lengthscale: l}}, "factor +Inf: must be finite and > 0"},
		{kernel.Sum{}, "at least one kernel"},
		{kernel.Scaled{Factor: -1, Kernel: kernel.SE{Lengthscale: l}}, "factor -1: must be finite and > 0"},
	} {
		for _, k := range []kernel.Kernel{c.k, kernel.Tensor{Input: kernel.White{}, Output: c.k}} {
			if err := kernel.Check(k); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: error %v, want %q", k, err, c.want)
			}
		}
	}
}

// What is at the end of what is allowed is allowed.
func TestParametersAtTheEndAreAllowed(t *testing.T) {
	l := kernel.Lengthscale{1}
	se := kernel.SE{Lengthscale: l}
	for _, k := range []kernel.Kernel{
		kernel.Polynomial{},
		kernel.Matern{Nu: 50, Lengthscale: l},
		kernel.Matern{Nu: 1e-3, Lengthscale: l},
		kernel.Sobolev{Terms: 1, Lower: 0, Upper: 1e-9},
		kernel.RationalQuadratic{Alpha: 1e-300, Lengthscale: l},
		kernel.Periodic{Period: 1e-300, Lengthscale: l},
		kernel.SE{Lengthscale: kernel.Lengthscale{1e-300, 1e300}},
		kernel.Kink{Base: se, Jump: se, OneSided: true},
		kernel.Scaled{Factor: 1e-300, Kernel: se},
		kernel.Sum{Terms: []kernel.Kernel{se}},
		kernel.BrownianBridge{Lower: 0, Upper: 1e-300},
	} {
		if err := kernel.Check(k); err != nil {
			t.Errorf("%v: %v", k, err)
		}
	}
}

// Lengths are one for each coordinate, or a single one that stands for all.
func TestLengthsAreFractionsOfAxes(t *testing.T) {
	x, y := mesh.Must(mesh.Uniform(-1, 3, 5, "x")), mesh.Must(mesh.Uniform(0, 2, 5, "y"))
	point := mesh.Must(mesh.Scattered([]float64{7}, 1, nil, "z"))
	plane, err := mesh.Product(x, y)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		on   []mesh.Mesh
		want kernel.Lengthscale
	}{
		{[]mesh.Mesh{x}, kernel.Lengthscale{1}},
		{[]mesh.Mesh{x, x}, kernel.Lengthscale{1}},
		{[]mesh.Mesh{plane}, kernel.Lengthscale{1, 0.5}},
		{[]mesh.Mesh{y, x, point}, kernel.Lengthscale{0.5, 1, 0.25}},
	} {
		if got := kernel.Lengths(0.25, c.on...); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// A kernel is printed as a formula of named kernels.
func TestKernelsPrintAsFormulas(t *testing.T) {
	se, white := kernel.SE{Lengthscale: kernel.Lengthscale{0.5, 2}}, kernel.White{}
	both := kernel.Sum{Terms: []kernel.Kernel{se, white}}
	for want, k := range map[string]kernel.Kernel{
		"se{lengthscale=auto}":                               kernel.SE{},
		"se{lengthscale={0.5, 2}} + white{}":                 both,
		"3 * (se{lengthscale={0.5, 2}} + white{})":           kernel.Scaled{Factor: 3, Kernel: both},
		"(se{lengthscale={0.5, 2}} + white{}) * white{}":     kernel.Product{Factors: []kernel.Kernel{both, white}},
		"tensor(white{}, se{lengthscale={0.5, 2}})":          kernel.Tensor{Input: white, Output: se},
		"vanishing{base=white{}, where={x={0, 1}, y={0.5}}}": kernel.Vanishing{Base: white, Where: map[string][]float64{"y": {0.5}, "x": {0, 1}}},
	} {
		if k.String() != want {
			t.Errorf("got %s, want %s", k, want)
		}
	}
}

// Parameters are taken up to what they may be, in any unit.
func TestGoodParametersAreTaken(t *testing.T) {
	l := kernel.Lengthscale{1}
	for _, k := range []kernel.Kernel{
		kernel.Matern{Nu: 50, Lengthscale: l},
		kernel.Matern{Nu: 1e-3, Lengthscale: l},
		kernel.SE{Lengthscale: kernel.Lengthscale{1e-300, 1e300}},
		kernel.Periodic{Period: 365, Lengthscale: l},
		kernel.Periodic{Period: 1e-9, Lengthscale: l},
		kernel.Periodic{Period: 1e300, Lengthscale: l},
		kernel.RationalQuadratic{Alpha: 1e-9, Lengthscale: l},
		kernel.RationalQuadratic{Alpha: 1e300, Lengthscale: l},
		kernel.BrownianBridge{Lower: 1.7e308, Upper: 1.75e308},
		kernel.BrownianBridge{Lower: -1e-300, Upper: 0},
	} {
		if err := kernel.Check(k); err != nil {
			t.Errorf("%s: %v", k, err)
		}
	}
}
