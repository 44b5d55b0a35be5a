package kernels_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Known values: exp(-d), exp(-d²/2) and the Matérn function of √(2ν) d at d = 1/2,
// from their formulas; ν = 1 from tables of K_1 (Abramowitz & Stegun, table 9.8:
// K_1(0.7) = 1.05028 35353).
func TestValues(t *testing.T) {
	one := kernel.Lengthscale{2}
	for _, c := range []struct {
		k    kernel.Kernel
		want float64
		tol  float64
	}{
		{kernel.Exponential{Lengthscale: one}, math.Exp(-.5), 1e-15},
		{kernel.SE{Lengthscale: one}, math.Exp(-.125), 1e-15},
		{kernel.Matern{Nu: 1.5, Lengthscale: one}, (1 + math.Sqrt(3)/2) * math.Exp(-math.Sqrt(3)/2), 1e-15},
		{kernel.Matern{Nu: 2.5, Lengthscale: one}, (1 + math.Sqrt(5)/2 + 5./12) * math.Exp(-math.Sqrt(5)/2), 1e-15},
		{kernel.Matern{Nu: 1, Lengthscale: kernel.Lengthscale{1 / (0.7 / math.Sqrt2)}}, 0.7 * 1.0502835353, 1e-10},
		{kernel.Hat{Lengthscale: one}, .5, 1e-15},
		{kernel.RationalQuadratic{Alpha: 2, Lengthscale: one}, math.Pow(1+.25/4, -2), 1e-15},
		{kernel.Periodic{Period: 4, Lengthscale: kernel.Lengthscale{1}}, math.Exp(-1), 1e-15},
		{kernel.BrownianBridge{Lower: 0, Upper: 4}, 1 - 1*2/4., 1e-15},
		{kernel.Linear{Offset: .5}, .5 + 1*2, 1e-15},
		{kernel.White{}, 0, 0},
		{kernel.BrownianBridge{Lower: -1, Upper: 4}, 2 - 2*3/5., 1e-15},
		{kernel.Sobolev{Terms: 1, Lower: 0, Upper: 4}, 1 - 1*2/4., 1e-15},
		{kernel.Vanishing{Base: kernel.Exponential{Lengthscale: one}, Where: map[string][]float64{"x": {0, 4}}}, 3 * 4 * math.Exp(-.5), 1e-14},
		{kernels.ScaledBy{Base: kernel.White{}, By: wave(.5)}, 0, 0},
		{kernels.Mercer{Functions: []kernels.Formula{wave(.25), wave(.5)}, Eigenvalues: []float64{2, 3}}, math.Sqrt2, 1e-15},
	} {
		f := compile(t, c.k, kernels.Line())
		if got := f.At([]float64{1}, []float64{2}); !(math.Abs(got-c.want) <= c.tol) {
			t.Errorf("%s at 1, 2: %.17g, want %.17g", c.k, got, c.want)
		}
	}
}

// The values of kernels in two coordinates of the input and two of the output, from their
// formulas: each coordinate has its own lengthscale and its own partner.
func TestValuesOfSeveralCoordinates(t *testing.T) {
	space := kernel.Space{Names: []string{"x1", "x2", "y1", "y2"}, Inputs: 2}
	p, q := []float64{.1, .7, .4, .2}, []float64{.5, .3, .9, .6}
	scales := kernel.Lengthscale{.5, 1, 2, 4}
	square, dot := 0.0, 0.0
	for i := range p {
		square += math.Pow((p[i]-q[i])/scales[i], 2)
		dot += p[i] * q[i]
	}
	se, ex := kernel.SE{Lengthscale: scales}, kernel.Exponential{Lengthscale: scales}
	diagonal := func(v []float64) float64 { return math.Hypot(v[0]-v[2], v[1]-v[3]) }
	for _, c := range []struct {
		k    kernel.Kernel
		want float64
	}{
		{se, math.Exp(-square / 2)},
		{ex, math.Exp(-math.Sqrt(square))},
		{kernel.RationalQuadratic{Alpha: 2, Lengthscale: scales}, math.Pow(1+square/4, -2)},
		{kernel.Linear{Offset: .5}, .5 + dot},
		{kernel.Polynomial{Degree: 3, Offset: .5}, math.Pow(.5+dot, 3)},
		{
			kernel.Vanishing{Base: se, Where: map[string][]float64{"x2": {0}, "y1": {1}}},
			math.Exp(-square/2) * p[1] * q[1] * (p[2] - 1) * (q[2] - 1),
		},
		{kernel.Kink{Base: se, Jump: ex, Power: 3}, math.Exp(-square/2) + math.Pow(diagonal(p)*diagonal(q), 3)*math.Exp(-math.Sqrt(square))},
		{kernel.Tensor{Input: kernel.Linear{}, Output: kernel.Linear{Offset: 1}}, (p[0]*q[0] + p[1]*q[1]) * (1 + p[2]*q[2] + p[3]*q[3])},
	} {
		if got := compile(t, c.k, space).At(p, q); !(math.Abs(got-c.want) <= 1e-15*(1+math.Abs(c.want))) {
			t.Errorf("%s: %.17g, want %.17g", c.k, got, c.want)
		}
	}
}

// The Sobolev kernel of the square: its double series (paper, section 2.3), whose
// terms fall like 1/(i² + j²), with the second index summed to 4000 and the tail of
// alternating sines below 1e-6.
func TestSobolevIsItsSeries(t *testing.T) {
	f := compile(t, kernel.Sobolev{Terms: 5, Lower: 0, Upper: 1}, plane)
	p, q := []float64{.3, .25}, []float64{.45, .6}
	want := 0.0
	for i := 1.0; i <= 5; i++ {
		for j := 1.0; j <= 4000; j++ {
			s := func(k, x float64) float64 { return math.Sin(math.Pi * k * x) }
			want += 4 * s(i, p[0]) * s(i, q[0]) * s(j, p[1]) * s(j, q[1]) / (math.Pi * math.Pi * (i*i + j*j))
		}
	}
	if got := f.At(p, q); !(math.Abs(got-want) <= 1e-6) {
		t.Errorf("got %.9f, the series gives %.9f", got, want)
	}
}

// The kernels of W¹₂ reproduce: with the norm ∫|∇f|² the product of K(p, ·) with a
// sine f is ∫ K(p, ·) (-Δf) = f(p), on intervals that are not [0, 1] and in several
// dimensions. A Brownian bridge has the norm of the mixed derivative instead, and an
// eigenvalue of each coordinate. Trapezoid sums of h = L/256 in the coordinate that
// has the kink are off by (π k h/L)²/12 = 1e-4.
func TestSobolevKernelsReproduce(t *testing.T) {
	const a, b = -1, 2.5
	length := float64(b - a)
	for _, modes := range [][]float64{{1}, {3}, {1, 2}, {2, 1}, {2, 1, 3}} {
		d := len(modes)
		m := mesh.Mesh{}
		for i := range d {
			n := 256
			if i < d-1 {
				n = 8 // exact for products of sines of order below 8
			}
			axis := mesh.Must(mesh.Uniform(a, b, n+1, fmt.Sprint("x", i)))
			if m.Size() == 0 {
				m = axis
			} else {
				m, _ = mesh.Product(m, axis)
			}
		}
		sine := func(p []float64) float64 {
			v := 1.0
			for i, k := range modes {
				v *= math.Sin(math.Pi * k * (p[i] - a) / length)
			}
			return v
		}
		square, product := 0.0, 1.0 // eigenvalues of -Δ, and of the mixed derivative
		for _, k := range modes {
			e := math.Pow(math.Pi*k/length, 2)
			square, product = square+e, product*e
		}
		p := make([]float64, d)
		m.Point(p, m.Size()*2/5)
		for _, c := range []struct {
			k    kernel.Kernel
			want float64
		}{
			{kernel.Sobolev{Terms: 4, Lower: a, Upper: b}, sine(p) / square},
			{kernel.BrownianBridge{Lower: a, Upper: b}, sine(p) / product},
		} {
			if _, bridge := c.k.(kernel.BrownianBridge); bridge && d > 1 {
				continue // its kinks in the coarse coordinates
			}
			f, q, got := compile(t, c.k, dims(d)), make([]float64, d), 0.0
			for i, w := range m.Weights() {
				m.Point(q, i)
				got += w * f.At(p, q) * sine(q)
			}
			if !(math.Abs(got-c.want) <= 1e-3*math.Abs(c.want)) {
				t.Errorf("%s, sine of orders %v: %g, want %g", c.k, modes, got, c.want)
			}
		}
	}
}

// Values stay numbers of size at most 1, and 1 at distance 0 for those of distances,
// at every distance and scale that a double can hold, by points and in matrices.
// The kernels that grow with their points are left out: where those overflow, the
// kernel does.
func TestValuesAtTheEndsOfTheRange(t *testing.T) {
	numbers := []float64{0, 5e-324, 1e-310, 1e-308, 1e-160, 1e-17, 1, 1e17, 1.3e154, 1e160, 1e308, -1, -1e160, -1e308}
	var points [][]float64
	var flat []float64
	for _, a := range numbers {
		for _, b := range numbers {
			points, flat = append(points, []float64{a, b}), append(flat, a, b)
		}
	}
	m := mesh.Must(mesh.Scattered(flat, 2, make([]float64, len(points)), "x", "y"))
	for _, l := range []float64{1e-308, 1e-160, .3, 1e160, 1e308} {
		for _, k := range bounded(kernel.Lengthscale{l}) {
			f := compile(t, k, plane)
			g, err := f.Gram(context.Background(), m, m)
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range points {
				for j, q := range points {
					if _, periodic := k.(kernel.Periodic); periodic && (math.IsInf(p[0]-q[0], 0) || math.IsInf(p[1]-q[1], 0)) {
						continue // an infinite distance has no phase
					}
					v, r := f.At(p, q), g.At(i, j)
					if !(math.Abs(v) < 1+1e-14) || !(math.Abs(v-r) < 1e-13) || i == j && f.Stationary(0) && !(v >= 1-1e-14) {
						t.Fatalf("%s at %v, %v: %g, in a matrix %g", k, p, q, v, r)
					}
				}
			}
		}
	}
}

// bounded are the kernels of the catalog with values at most 1.
func bounded(l kernel.Lengthscale) []kernel.Kernel {
	return []kernel.Kernel{
		kernel.SE{Lengthscale: l},
		kernel.Exponential{Lengthscale: l},
		kernel.Hat{Lengthscale: l},
		kernel.Matern{Nu: .5, Lengthscale: l},
		kernel.Matern{Nu: 1.5, Lengthscale: l},
		kernel.Matern{Nu: 2.5, Lengthscale: l},
		kernel.Matern{Nu: 3.5, Lengthscale: l},
		kernel.Matern{Nu: 1.2, Lengthscale: l},
		kernel.Matern{Nu: 40, Lengthscale: l},
		kernel.RationalQuadratic{Alpha: 1.5, Lengthscale: l},
		kernel.RationalQuadratic{Alpha: 1e-3, Lengthscale: l},
		kernel.Periodic{Period: 2, Lengthscale: l},
		kernel.White{},
		kernel.BrownianBridge{Lower: 0, Upper: 1},
		kernel.Sobolev{Terms: 3, Lower: 0, Upper: 1},
	}
}

// White noise tells points apart however near they are.
func TestWhiteNoiseIsOneWherePointsCoincide(t *testing.T) {
	f := compile(t, kernel.White{}, plane)
	if v := f.At([]float64{0, 1}, []float64{1e-200, 1}); v != 0 {
		t.Errorf("at points 1e-200 apart: %g", v)
	}
	if v := f.At([]float64{1e300, 1}, []float64{1e300, 1}); v != 1 {
		t.Errorf("at one point: %g", v)
	}
}

// A kink is across the diagonal of an input and an output of as many coordinates; that of two coordinates
// that are told to be neither is between them.
func TestKinksNeedPairsOfCoordinates(t *testing.T) {
	l := kernel.Lengthscale{.7}
	k := kernel.Kink{Base: kernel.SE{Lengthscale: l}, Jump: kernel.SE{Lengthscale: l}, Power: 1}
	for _, c := range []struct {
		inputs int
		names  []string
		want   string
	}{
		{0, []string{"a", "b"}, ""},
		{1, []string{"a", "b"}, ""},
		{2, []string{"a", "b", "c", "d"}, ""},
		{2, []string{"a", "b"}, "the points here have a, b (2 of input)"},
		{0, []string{"a", "b", "c", "d"}, "a, b, c, d (0 of input)"},
		{1, []string{"a", "b", "c"}, "(1 of input)"},
	} {
		_, err := kernels.Compile(k, kernel.Space{Names: c.names, Inputs: c.inputs})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, %d of input: error %v, want %q", c.names, c.inputs, err, c.want)
		}
	}
}

// A kink on one side is there after the diagonal alone; a jump is on it, too.
func TestKinksOnOneSide(t *testing.T) {
	l := kernel.Lengthscale{.7}
	base, jump := kernel.SE{Lengthscale: l}, kernel.Exponential{Lengthscale: l}
	points := [][]float64{{.2, .2}, {.1, .8}, {.8, .1}, {.3, .5}}
	for _, power := range []float64{0, 1, 3} {
		f := compile(t, kernel.Kink{Base: base, Jump: jump, Power: power, OneSided: true}, plane)
		smooth, rough := compile(t, base, plane), compile(t, jump, plane)
		after := func(p []float64) float64 {
			if p[1] < p[0] {
				return 0
			}
			return math.Pow(p[1]-p[0], power)
		}
		for _, p := range points {
			for _, q := range points {
				want := smooth.At(p, q) + after(p)*after(q)*rough.At(p, q)
				if got := f.At(p, q); !(math.Abs(got-want) <= 1e-15) {
					t.Errorf("power %g at %v, %v: %.17g, want %.17g", power, p, q, got, want)
				}
			}
		}
	}
	square := kernel.Space{Names: []string{"x1", "x2", "y1", "y2"}, Inputs: 2}
	if _, err := kernels.Compile(kernel.Kink{Base: base, Jump: jump, Power: 1, OneSided: true}, square); err == nil || !strings.Contains(err.Error(), "one_sided needs one coordinate") {
		t.Errorf("two coordinates: %v", err)
	}
}
