package ode_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/ode"
)

// TestOrder: with steps of one size the errors fall as the order says, at the steps and
// between.
func TestOrder(t *testing.T) {
	f := ode.System{F: func(t float64, y, d []float64) error {
		d[0], d[1] = y[1]*math.Cos(t), -y[0]*math.Cos(t)
		return nil
	}} // a rotation by sin(t)
	for _, c := range []struct {
		method         string
		n              int
		order, between float64
	}{{ode.RK45, 40, 5, 4.5}, {ode.DOP853, 12, 8, 7.5}} {
		var at, between [2]float64
		for k := range 2 {
			steps := c.n << k
			h := 4 / float64(steps)
			s, err := ode.Solve(t.Context(), f, 0, 4, []float64{0, 1}, ode.Options{Method: c.method, Rel: 0.99, Abs: []float64{1e9}, FirstStep: h, MaxStep: h})
			if err != nil || math.Abs(float64(s.Steps-steps)) > 1 {
				t.Fatalf("%s: %v", c.method, err)
			}
			for i := range 16 * steps {
				x := 4 * float64(i+1) / float64(16*steps)
				y, err := s.At(t.Context(), x)
				if err != nil {
					t.Fatal(err)
				}
				off := math.Hypot(y[0]-math.Sin(math.Sin(x)), y[1]-math.Cos(math.Sin(x)))
				between[k] = max(between[k], off)
				if (i+1)%16 == 0 {
					at[k] = max(at[k], off)
				}
			}
		}
		if got := math.Log2(at[0] / at[1]); got < c.order-0.3 {
			t.Errorf("%s: order %.2f at the steps, want %g (%.1e, %.1e)", c.method, got, c.order, at[0], at[1])
		}
		if got := math.Log2(between[0] / between[1]); got < c.between-0.3 {
			t.Errorf("%s: order %.2f between, want %g (%.1e, %.1e)", c.method, got, c.between, between[0], between[1])
		}
	}
}

// TestOrbits: after ten periods a planet is where it began, within the tolerance, or a few where that
// is coarse; forwards and backwards, in any units, at any time.
func TestOrbits(t *testing.T) {
	for _, e := range []float64{0, 0.5, 0.9} {
		for _, rel := range []float64{1e-4, 1e-8} {
			for _, c := range []struct{ unit, shift, sign float64 }{{1, 0, 1}, {1, 0, -1}, {1e9, 0, 1}, {1e-9, 0, -1}, {1, 1e3, 1}} {
				y0 := []float64{c.unit * (1 - e), 0, 0, c.sign * math.Sqrt((1+e)/(1-e))}
				f := ode.System{F: func(_ float64, y, d []float64) error {
					r3 := math.Pow(math.Hypot(y[0], y[1])/c.unit, 3) * c.unit * c.unit
					d[0], d[1], d[2], d[3] = y[2], y[3], -y[0]/r3, -y[1]/r3
					return nil
				}}
				to := c.shift + 20*math.Pi*c.unit*c.sign
				s, err := ode.Solve(t.Context(), f, c.shift, to, y0, ode.Options{Rel: rel, Times: []float64{to}})
				if err != nil || len(s.T) != 1 {
					t.Fatal(err)
				}
				size := []float64{(1 + e) * c.unit, c.unit, y0[3], y0[3]}
				off := 0.0
				for i, v := range last(s) {
					off = max(off, math.Abs((v-y0[i])/size[i])/rel)
				}
				most := 1.0
				if rel > 1e-6 {
					most = 5 // in steps this large the estimate is right to some factor only
				}
				if !(off <= most) || !(s.Off <= 1) {
					t.Errorf("e = %g at %g, %+v: %.2g × the tolerance, by estimate %.2g", e, rel, c, off, s.Off)
				}
			}
		}
	}
}

// TestSaysTheError: where the error cannot be brought within the tolerance, the solution says
// so: chaos.
func TestSaysTheError(t *testing.T) {
	lorenz := problem{"Lorenz", func(_ float64, y, d []float64) {
		d[0], d[1], d[2] = 10*(y[1]-y[0]), y[0]*(28-y[2])-y[1], y[0]*y[1]-8*y[2]/3
	}, []float64{1, 1, 1}, 60}
	s := solve(t, lorenz, ode.Options{})
	if !(s.Off > 1) || !strings.Contains(s.Message, "× the tolerance") {
		t.Errorf("after 60: %g: %s", s.Off, s.Message)
	}
	lorenz.end = 10
	s = solve(t, lorenz, ode.Options{})
	ref := solve(t, lorenz, ode.Options{Method: ode.DOP853, Rel: 1e-13})
	if off := apart(last(s), last(ref), []float64{20, 25, 45}); s.Off > 1 || off > 1e-6 || !strings.Contains(s.Message, "within the tolerance") {
		t.Errorf("after 10: %g, by estimate %g × 1e-6: %s", off, s.Off, s.Message)
	}
	if s := solve(t, lorenz, ode.Options{Method: ode.DOP853}); s.Error != nil || strings.Contains(s.Message, "tolerance") {
		t.Errorf("solved once: %v, %s", s.Error, s.Message)
	}
}

// TestFThatChanges: an F with a memory is refused where a second pass sees another one.
func TestFThatChanges(t *testing.T) {
	met := false
	f := ode.System{F: func(_ float64, y, d []float64) error {
		if met = met || y[0] > 2; met {
			d[0] = 1
		} else {
			d[0] = y[0]
		}
		return nil
	}}
	_, err := ode.Solve(t.Context(), f, 0, 3, []float64{1.1}, ode.Options{})
	if err == nil || !strings.Contains(err.Error(), "f at t = 0 was {1.1} and is now {1}") {
		t.Errorf("a switch: %v", err)
	}
	met = false
	if s, err := ode.Solve(t.Context(), f, 0, 3, []float64{1.1}, ode.Options{Method: ode.RK45, MaxStep: 0.01}); err != nil || math.Abs(last(s)[0]-(2+3-math.Log(2/1.1))) > 0.02 {
		t.Errorf("solved once: %v, %v", last(s), err)
	}
}

// TestHardBeginnings: nothing at the beginning, kicks and switches, a tolerance below rounding,
// no absolute tolerance, an empty range, a first pass that leaves the domain of F.
func TestHardBeginnings(t *testing.T) {
	kick := func(t float64) float64 { return math.Exp(-math.Pow((t-7)/0.05, 2)) }
	area := 0.05 * math.Sqrt(math.Pi)
	for _, c := range []struct {
		name string
		problem
		o    ode.Options
		want []float64
	}{
		{"from 0", problem{"", func(t float64, _, d []float64) { d[0] = math.Cos(t) }, []float64{0}, 1}, ode.Options{Abs: []float64{0}}, []float64{math.Sin(1)}},
		{"a kick", problem{"", func(t float64, y, d []float64) { d[0], d[1] = y[1], kick(t) }, []float64{0, 0}, 10}, ode.Options{MaxStep: 0.1}, []float64{3 * area, area}},
		{"a switch", problem{"", func(t float64, _, d []float64) { d[0] = math.Copysign(1, t-math.Sqrt2) }, []float64{1}, 4}, ode.Options{}, []float64{1 + 4 - 2*math.Sqrt2}},
		{"a corner", problem{"", func(t float64, y, d []float64) { d[0] = -math.Abs(t-1) * y[0] }, []float64{1}, 3}, ode.Options{}, []float64{math.Exp(-2.5)}},
		{"below rounding", problem{"", func(_ float64, y, d []float64) { d[0] = -y[0] }, []float64{1}, 1}, ode.Options{Rel: 1e-14}, []float64{math.Exp(-1)}},
		{"no absolute tolerance", problem{"", func(_ float64, y, d []float64) { d[0], d[1] = y[1], -y[0] }, []float64{0, 1}, 7}, ode.Options{Abs: []float64{0}}, []float64{math.Sin(7), math.Cos(7)}},
		{"an empty range", problem{"", func(_ float64, y, d []float64) { d[0] = -y[0] }, []float64{1}, 0}, ode.Options{}, []float64{1}},
		{"a root that must not be passed", problem{"", func(_ float64, y, d []float64) { d[0] = -math.Sqrt(y[0]) / 2 }, []float64{1}, 3.9}, ode.Options{Rel: 1e-2}, []float64{math.Pow(1-3.9/4, 2)}},
	} {
		s, err := ode.Solve(t.Context(), c.system(), 0, c.end, c.y0, c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		rel := max(c.o.Rel, 1e-6)
		for i, v := range last(s) {
			size := math.Abs(c.want[i])
			for _, y := range s.Y {
				size = max(size, math.Abs(y[i]))
			}
			if math.Abs(v-c.want[i]) > rel*size {
				t.Errorf("%s: %v, want %v; %s", c.name, last(s), c.want, s.Message)
			}
		}
		t.Log(c.name, s.Calls, s.Off, s.Message)
	}
}

// TestStaysInItsDomain: an error of F in the first pass, whose errors are large, does not end
// the solution, and one that every pass meets does.
func TestStaysInItsDomain(t *testing.T) {
	f := ode.System{F: func(_ float64, y, d []float64) error {
		if y[0] < -1e-7 {
			return fmt.Errorf("a negative concentration: %g", y[0])
		}
		d[0], d[1] = -50*y[0]*y[1], 50*y[0]*y[1]-y[1]
		return nil
	}}
	s, err := ode.Solve(t.Context(), f, 0, 5, []float64{1, 0.01}, ode.Options{Rel: 1e-3, Abs: []float64{1e-9}})
	if err != nil || !(s.Off <= 1) {
		t.Errorf("%v (%v)", s, err)
	}
}

// TestUnstable: where errors grow as much as the solution, relative errors stay small; where
// they grow more, the solution says that it is wrong.
func TestUnstable(t *testing.T) {
	s := solve(t, problem{"growth", func(_ float64, y, d []float64) { d[0] = y[0] }, []float64{1e-200}, 300}, ode.Options{})
	if want := 1e-200 * math.Exp(300); !(math.Abs(last(s)[0]/want-1) <= 1e-6) || !(s.Off <= 1) {
		t.Errorf("growth: %v, want %g; by estimate %g off", last(s), want, s.Off)
	}
	for _, rate := range []float64{2, 5, 10, 50} {
		s := solve(t, problem{"", func(t float64, y, d []float64) { d[0] = rate*(y[0]-math.Sin(t)) + math.Cos(t) }, []float64{0}, 3}, ode.Options{})
		if off := math.Abs(last(s)[0]-math.Sin(3)) / 1e-6; off > 1 && s.Off <= 1 {
			t.Errorf("rate %g: %v, want %g; by estimate %g off", rate, last(s), math.Sin(3), s.Off)
		}
	}
	for _, abs := range [][]float64{nil, {0}, {1}} {
		s := solve(t, problem{"nothing", func(_ float64, y, d []float64) { d[0] = -y[0] }, []float64{0}, 3}, ode.Options{Abs: abs})
		if last(s)[0] != 0 || s.Off != 0 || !strings.Contains(s.Message, "within") {
			t.Errorf("nothing: %v, %g: %s", last(s), s.Off, s.Message)
		}
	}
}
