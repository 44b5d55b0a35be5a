package interp_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/interp"
)

func kinds() []string {
	return []string{interp.Linear, interp.Nearest, interp.Cubic, interp.Natural, interp.Clamped, interp.Pchip, interp.Akima}
}

// TestCurves: every kind goes through its values, and reproduces the polynomials that its
// definition says it does, with derivatives and integrals, also beyond the points.
func TestCurves(t *testing.T) {
	degree := map[string]int{interp.Linear: 1, interp.Cubic: 3, interp.Natural: 1, interp.Clamped: 3, interp.Pchip: 1, interp.Akima: 1}
	rng := rand.New(rand.NewPCG(5, 6))
	for _, unit := range []float64{1e-9, 1, 1e9} {
		for _, kind := range kinds() {
			for _, n := range []int{4, 5, 20} {
				x, y := make([]float64, n), make([]float64, n)
				c := [4]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
				for k := degree[kind] + 1; k < 4; k++ {
					c[k] = 0
				}
				p := func(t float64) float64 { t /= unit; return c[0] + t*(c[1]+t*(c[2]+t*c[3])) }
				dp := func(t float64) float64 { t /= unit; return (c[1] + t*(2*c[2]+3*t*c[3])) / unit }
				ip := func(t float64) float64 { t /= unit; return unit * t * (c[0] + t*(c[1]/2+t*(c[2]/3+t*c[3]/4))) }
				for i := range x {
					x[i] = unit * (float64(i) + 0.8*rng.Float64()) / float64(n)
					y[i] = p(x[i])
				}
				f, err := interp.New(x, y, interp.Options{Kind: kind, Outside: interp.Extend, Slopes: [2]float64{dp(x[0]), dp(x[n-1])}})
				if err != nil {
					t.Fatal(err)
				}
				for i, v := range x {
					if got, _ := f.At(v, 0); got != y[i] {
						t.Errorf("%s: %g at a point with %g", kind, got, y[i])
					}
				}
				if kind == interp.Nearest {
					continue
				}
				for range 50 {
					a, b := unit*(1.4*rng.Float64()-0.2), unit*(1.4*rng.Float64()-0.2)
					v, _ := f.At(a, 0)
					d, _ := f.At(a, 1)
					s, _ := f.Integral(a, b)
					if math.Abs(v-p(a)) > 1e-10 || math.Abs(d-dp(a))*unit > 1e-9 || math.Abs(s-(ip(b)-ip(a))) > 1e-10*unit {
						t.Errorf("%s of %d points at %g: %g %g %g, want %g %g %g", kind, n, a, v, d, s, p(a), dp(a), ip(b)-ip(a))
					}
				}
			}
		}
	}
}

// TestPchipStaysBetween: a monotonic curve between its values, on steps too.
func TestPchipStaysBetween(t *testing.T) {
	f, err := interp.New([]float64{0, 1, 2, 2.1, 5, 6}, []float64{0, 0, 0, 1, 1, 3}, interp.Options{Kind: interp.Pchip})
	if err != nil {
		t.Fatal(err)
	}
	before := 0.0
	for i := range 601 {
		v, err := f.At(float64(i)/100, 0)
		if err != nil || v < before-1e-15 {
			t.Errorf("falls at %g: %g %v", float64(i)/100, v, err)
		}
		before = v
	}
}

// TestRefused: what is not given is not invented.
func TestRefused(t *testing.T) {
	f, _ := interp.New([]float64{0, 1, 3}, []float64{1, 2, 0}, interp.Options{})
	for _, x := range []float64{-1e-9, 3.1, math.NaN(), math.Inf(1)} {
		if v, err := f.At(x, 0); err == nil {
			t.Errorf("at %g: %g", x, v)
		}
	}
	f, _ = interp.New([]float64{0, 1, 3}, []float64{1, 2, 0}, interp.Options{Outside: interp.Constant})
	if v, err := f.At(9, 0); v != 0 || err != nil {
		t.Errorf("constant: %g %v", v, err)
	}
	for _, c := range []struct{ x, y []float64 }{
		{[]float64{0}, []float64{0}},
		{[]float64{0, 0}, []float64{0, 1}},
		{[]float64{1, 0}, []float64{0, 1}},
		{[]float64{0, 1}, []float64{0, math.NaN()}},
		{[]float64{0, math.Inf(1)}, []float64{0, 1}},
		{[]float64{0, 1, 2}, []float64{0, 1}},
	} {
		if _, err := interp.New(c.x, c.y, interp.Options{}); err == nil {
			t.Errorf("%v, %v were taken", c.x, c.y)
		}
	}
}

// TestCurvesInAllUnits: a curve is the same in all units of x, the smallest and the largest
// there are, with its derivatives; what has a slope beyond numbers is refused, and a line is not.
func TestCurvesInAllUnits(t *testing.T) {
	x, y := []float64{0, 1, 1.5, 3, 4}, []float64{1, 2, 0, 0.5, 3}
	for _, kind := range []string{interp.Linear, interp.Nearest, interp.Cubic, interp.Natural, interp.Clamped, interp.Pchip, interp.Akima} {
		plain, err := interp.New(x, y, interp.Options{Kind: kind, Slopes: [2]float64{0.5, -1}})
		if err != nil {
			t.Fatal(err)
		}
		for _, unit := range []float64{0x1p-1040, 0x1p-900, 0x1p-200, 0x1p300, 0x1p1020} {
			xs := make([]float64, len(x))
			for i, v := range x {
				xs[i] = v * unit
			}
			c, err := interp.New(xs, y, interp.Options{Kind: kind, Slopes: [2]float64{0.5 / unit, -1 / unit}})
			if unit < 0x1p-1022 && kind == interp.Clamped {
				continue // no such slopes
			}
			if err != nil {
				t.Errorf("%s in units of %g: %v", kind, unit, err)
				continue
			}
			for _, at := range []float64{0, 0.25, 1, 1.25, 2.5, 4} {
				for order := range 2 {
					want, _ := plain.At(at, order)
					got, err := c.At(at*unit, order)
					if order == 1 && unit < 0x1p-1000 {
						continue // beyond numbers
					}
					if want /= math.Pow(unit, float64(order)); err != nil || math.Abs(got-want) > 1e-12*math.Abs(want) {
						t.Errorf("%s in units of %g: derivative %d at %g is %g, want %g; %v", kind, unit, order, at, got, want, err)
					}
				}
			}
		}
		_, err = interp.New([]float64{0, 1e-320, 1}, []float64{0, 1, 2}, interp.Options{Kind: kind})
		if refused := err != nil; refused != (kind != interp.Linear && kind != interp.Nearest) {
			t.Errorf("%s with points 1e-320 apart beside 1: %v", kind, err)
		}
	}
}

// TestGrid: bicubic polynomials are reproduced by the spline, bilinear ones by both, and the
// errors for a smooth function fall with the fourth and the second power of the width.
func TestGrid(t *testing.T) {
	off := func(kind string, n int, f func(x, y float64) float64) (worst float64) {
		x, y := make([]float64, n), make([]float64, n+3)
		for i := range x {
			x[i] = float64(i) / float64(n-1)
		}
		for i := range y {
			y[i] = float64(i) / float64(n+2)
		}
		var z []float64
		for _, a := range x {
			for _, b := range y {
				z = append(z, f(a, b))
			}
		}
		g, err := interp.NewGrid(x, y, z, interp.Options{Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(7, 8))
		for range 200 {
			a, b := rng.Float64(), rng.Float64()
			v, err := g.At(a, b)
			if err != nil {
				t.Fatal(err)
			}
			worst = max(worst, math.Abs(v-f(a, b)))
		}
		return worst
	}
	cubic := func(x, y float64) float64 { return (1 + x - 2*x*x*x) * (y*y*y - y*y + 3) }
	linear := func(x, y float64) float64 { return 1 + 2*x - y + 3*x*y }
	smooth := func(x, y float64) float64 { return math.Sin(3*x+1) * math.Cos(2*y) }
	if e := off(interp.Cubic, 6, cubic); e > 1e-13 {
		t.Errorf("cubic: %g", e)
	}
	if e := max(off(interp.Linear, 6, linear), off(interp.Cubic, 6, linear)); e > 1e-13 {
		t.Errorf("linear: %g", e)
	}
	if a, b := off(interp.Cubic, 11, smooth), off(interp.Cubic, 21, smooth); a/b < 12 {
		t.Errorf("cubic errors %g, %g", a, b)
	}
	if a, b := off(interp.Linear, 11, smooth), off(interp.Linear, 21, smooth); a/b < 3 {
		t.Errorf("linear errors %g, %g", a, b)
	}
}

// TestCurvesLikeSciPy: values of SciPy's CubicSpline, PchipInterpolator and
// Akima1DInterpolator on random points, where SciPy is installed.
func TestCurvesLikeSciPy(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	x, y, at := make([]float64, 30), make([]float64, 30), make([]float64, 300)
	for i := range x {
		x[i] = float64(i) + 0.9*rng.Float64()
		y[i] = math.Round(2*rng.NormFloat64()) / 2 // flat pieces too
	}
	for i := range at {
		at[i] = x[0] + rng.Float64()*(x[29]-x[0])
	}
	text := func(v []float64) string { b, _ := json.Marshal(v); return string(b) }
	script := fmt.Sprintf(`
import json, numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator, Akima1DInterpolator
x, y, at = np.array(%s), np.array(%s), np.array(%s)
print(json.dumps([list(f(at)) for f in [CubicSpline(x, y), CubicSpline(x, y, bc_type='natural'), CubicSpline(x, y, bc_type='clamped'), PchipInterpolator(x, y), Akima1DInterpolator(x, y)]]))
`, text(x), text(y), text(at))
	cmd := exec.CommandContext(t.Context(), "/usr/bin/python3", "-")
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("SciPy does not run: %v", err)
	}
	var want [][]float64
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for k, kind := range []string{interp.Cubic, interp.Natural, interp.Clamped, interp.Pchip, interp.Akima} {
		f, err := interp.New(x, y, interp.Options{Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range at {
			if v, err := f.At(a, 0); err != nil || math.Abs(v-want[k][i]) > 1e-12*max(1, math.Abs(want[k][i])) {
				t.Errorf("%s at %g: %.17g, SciPy %.17g (%v)", kind, a, v, want[k][i], err)
			}
		}
	}
}
