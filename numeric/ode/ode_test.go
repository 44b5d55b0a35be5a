package ode_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/ode"
)

func solve(t *testing.T, p problem, o ode.Options) *ode.Solution {
	t.Helper()
	s, err := ode.Solve(t.Context(), p.system(), 0, p.end, p.y0, o)
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	return s
}

func last(s *ode.Solution) []float64 { return s.Y[len(s.Y)-1] }

// TestDetest: the error at the end, relative to the largest size of a component, is within
// a small multiple of the tolerance, which holds for each step; the reference is the same
// problem by the other method at the tolerance of rounding.
func TestDetest(t *testing.T) {
	for _, p := range detest() {
		if p.name == "C4" && testing.Short() {
			continue
		}
		ref := solve(t, p, ode.Options{Method: ode.RK45, Rel: 1e-12})
		check := solve(t, p, ode.Options{Method: ode.Radau, Rel: 1e-8})
		scale := make([]float64, len(p.y0))
		for _, y := range ref.Y {
			for i, v := range y {
				scale[i] = max(scale[i], math.Abs(v))
			}
		}
		off := func(s *ode.Solution) (worst float64) {
			for i, v := range last(ref) {
				worst = max(worst, math.Abs(last(s)[i]-v)/scale[i])
			}
			return worst
		}
		line := fmt.Sprintf("%s: Radau at 1e-8 %.0e off (%d calls)", p.name, off(check), check.Calls)
		if off(check) > 1e-5 {
			t.Errorf("%s: two methods differ by %.1e", p.name, off(check))
		}
		for _, rel := range []float64{1e-3, 1e-6, 1e-9} {
			s := solve(t, p, ode.Options{Method: ode.RK45, Rel: rel})
			line += fmt.Sprintf("; RK45 at %.0e: %.1f × (%d calls)", rel, off(s)/rel, s.Calls)
			limit := 100.0
			if p.name[0] == 'D' || p.name == "B1" { // the error grows along an orbit
				limit = 2000
			}
			if off(s) > limit*rel {
				t.Errorf("%s at %g: error %.1e", p.name, rel, off(s))
			}
		}
		t.Log(line)
	}
}

// TestStiff: the error is within the tolerance, Rel |y| + Rel/1000 of the largest |y|, times
// a few: Robertson's reaction to 10¹¹ and van der Pol's oscillator with μ = 1000 to 2000;
// the references are those of the Test Set for IVP Solvers (Mazzia and Magherini, 2008).
func TestStiff(t *testing.T) {
	for _, c := range []struct {
		problem
		want []float64
	}{
		{problem{"Robertson", robertson, unit(3), 1e11}, []float64{0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050}},
		{problem{"van der Pol", vanDerPol, []float64{2, 0}, 2000}, []float64{0.1706167732170483e1, -0.8928097010247975e-3}},
	} {
		for _, method := range []string{ode.Radau, ode.Auto} {
			for _, rel := range []float64{1e-3, 1e-6, 1e-9} {
				s := solve(t, c.problem, ode.Options{Method: method, Rel: rel})
				scale := make([]float64, len(c.want))
				for _, y := range s.Y {
					for i, v := range y {
						scale[i] = max(scale[i], math.Abs(v))
					}
				}
				off := 0.0
				for i, v := range last(s) {
					off = max(off, math.Abs(v-c.want[i])/(math.Abs(c.want[i])+scale[i]/1000))
				}
				t.Logf("%s, %s at %g: error %.1e, %d calls, %d Jacobians, %d steps; %s", c.name, method, rel, off, s.Calls, s.Jacobians, s.Steps, s.Message)
				if off > 20*rel {
					t.Errorf("%s, %s at %g: %v, want %v", c.name, method, rel, last(s), c.want)
				}
			}
		}
	}
}

// TestStiffStays: Robertson's reaction, which leaves for minus infinity where a concentration is
// allowed a little below 0, stays where it is for every tolerance that is not coarse.
func TestStiffStays(t *testing.T) {
	for _, method := range []string{ode.Radau, ode.Auto} {
		for k := range 24 {
			rel := 5e-3 * math.Pow(0.75, float64(k))
			y := last(solve(t, problem{"Robertson", robertson, unit(3), 1e11}, ode.Options{Method: method, Rel: rel}))
			if math.Abs(y[0]) > 1e-5 || math.Abs(y[2]-1) > 1e-2 {
				t.Errorf("%s at %.3g: %v", method, rel, y)
			}
		}
	}
}

// TestDense: the solution between the steps is as exact as at them, in both directions of
// time, and units of t and y do not matter.
func TestDense(t *testing.T) {
	for _, method := range []string{ode.RK45, ode.Radau} {
		for _, unit := range []float64{1, 1e9, 1e-9} {
			f := ode.System{F: func(_ float64, y, d []float64) error {
				d[0], d[1] = y[1]/unit, -y[0]/unit
				return nil
			}}
			for _, end := range []float64{10, -10} {
				s, err := ode.Solve(t.Context(), f, 0, end*unit, []float64{0, unit}, ode.Options{Method: method, Rel: 1e-8})
				if err != nil {
					t.Fatal(err)
				}
				for i := range 101 {
					x := end * float64(i) / 100
					y, err := s.At(x * unit)
					if err != nil || math.Abs(y[0]/unit-math.Sin(x)) > 1e-6 || math.Abs(y[1]/unit-math.Cos(x)) > 1e-6 {
						t.Errorf("%s in units of %g at %g: %v, want %g (%v)", method, unit, x, y, math.Sin(x), err)
					}
				}
				if _, err := s.At(11 * end * unit); err == nil {
					t.Error("a time outside was taken")
				}
			}
		}
	}
}

// TestEvents: a ball that is thrown up reaches its top, and falls to the ground, when
// mechanics says.
func TestEvents(t *testing.T) {
	ball := ode.System{F: func(_ float64, y, d []float64) error {
		d[0], d[1] = y[1], -9.81
		return nil
	}}
	for _, method := range []string{ode.RK45, ode.Radau} {
		s, err := ode.Solve(t.Context(), ball, 0, 100, []float64{0, 20}, ode.Options{Method: method, Events: []ode.Event{
			{G: func(_ float64, y []float64) (float64, error) { return y[0], nil }, Terminal: true, Direction: -1},
			{G: func(_ float64, y []float64) (float64, error) { return y[1], nil }},
			{G: func(_ float64, y []float64) (float64, error) { return y[1], nil }, Direction: 1},
		}})
		if err != nil {
			t.Fatal(err)
		}
		down := 2 * 20 / 9.81
		switch {
		case !s.Ended || math.Abs(s.T[len(s.T)-1]-down) > 1e-9 || math.Abs(last(s)[0]) > 1e-9:
			t.Errorf("%s: ended at %v, want %g: %s", method, s.T, down, s.Message)
		case len(s.Events[1].T) != 1 || math.Abs(s.Events[1].T[0]-down/2) > 1e-9 || math.Abs(s.Events[1].Y[0][0]-20*20/2/9.81) > 1e-6:
			t.Errorf("%s: the top: %+v", method, s.Events[1])
		case len(s.Events[0].T) != 1 || len(s.Events[2].T) != 0:
			t.Errorf("%s: %+v", method, s.Events)
		}
		if y, err := s.At(down / 2); err != nil || math.Abs(y[0]-20*20/2/9.81) > 1e-6 {
			t.Errorf("%s: at the top %v (%v)", method, y, err)
		}
	}
}

// TestFailures: what goes wrong says where.
func TestFailures(t *testing.T) {
	one := func(f func(t, y float64) float64) ode.System {
		return ode.System{F: func(t float64, y, d []float64) error {
			d[0] = f(t, y[0])
			return nil
		}}
	}
	for _, method := range []string{ode.RK45, ode.Radau, ode.Auto} {
		for _, c := range []struct {
			f    func(t, y float64) float64
			want string
		}{
			{func(_, y float64) float64 { return y * y }, "cannot be continued beyond t = 1"},
			{func(t, _ float64) float64 { return math.Sqrt(1 - t) }, "f is not finite at t = 1"},
			{func(_, _ float64) float64 { return math.NaN() }, "f is not finite at t = 0, y = {1}"},
		} {
			if _, err := ode.Solve(t.Context(), one(c.f), 0, 2, []float64{1}, ode.Options{Method: method}); err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "t = 0.99999", "t = 1"), c.want) {
				t.Errorf("%s: %v, want %q", method, err, c.want)
			}
		}
		fails := errors.New("no")
		f := ode.System{F: func(t float64, _, d []float64) error {
			if d[0] = 1; t > 1 {
				return fails
			}
			return nil
		}}
		if _, err := ode.Solve(t.Context(), f, 0, 2, []float64{1}, ode.Options{Method: method}); !errors.Is(err, fails) {
			t.Errorf("%s: an error became %v", method, err)
		}
		stopped, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := ode.Solve(stopped, one(func(_, y float64) float64 { return y }), 0, 1, []float64{1}, ode.Options{Method: method}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: stopped: %v", method, err)
		}
	}
}

// TestCallsLikeSciPy: calls of f against those of SciPy's solve_ivp with the same method and
// tolerances, where SciPy is installed.
func TestCallsLikeSciPy(t *testing.T) {
	const python = "/usr/bin/python3"
	script := `
import numpy as np
from scipy.integrate import solve_ivp
def orbit(t, y):
    r = (y[0]**2 + y[1]**2)**1.5
    return [y[2], y[3], -y[0]/r, -y[1]/r]
def rob(t, y):
    a, b = -0.04*y[0] + 1e4*y[1]*y[2], 3e7*y[1]**2
    return [a, -a - b, b]
calls = 0
def counted(f):
    def g(t, y):
        global calls
        calls += 1
        return f(t, y)
    return g
for f, y0, end, method in [
    (lambda t, y: [2*(y[0]-y[0]*y[1]), -(y[1]-y[0]*y[1])], [1, 3], 20, 'RK45'),
    (orbit, [0.5, 0, 0, 3**0.5], 20, 'RK45'),
    (orbit, [0.1, 0, 0, 19**0.5], 20, 'RK45'),
    (lambda t, y: [y[1], (1-y[0]**2)*y[1]-y[0]], [2, 0], 20, 'RK45'),
    (rob, [1, 0, 0], 1e11, 'Radau'),
    (lambda t, y: [y[1], 1000*(1-y[0]**2)*y[1]-y[0]], [2, 0], 2000, 'Radau')]:
    for rtol in [1e-3, 1e-6] if method == 'RK45' else [1e-3]:
        calls = 0
        solve_ivp(counted(f), (0, end), y0, method=method, rtol=rtol, atol=rtol*1e-3)
        print(calls)
`
	if _, err := os.Stat(python); err != nil {
		t.Skip("no " + python)
	}
	out, err := exec.CommandContext(t.Context(), python, "-c", script).Output()
	if err != nil {
		t.Skipf("SciPy does not run: %v", err)
	}
	numbers := strings.Fields(string(out))
	for _, p := range []struct {
		problem
		method string
	}{
		{detest()[5], ode.RK45},
		{orbit("D3", 0.5), ode.RK45},
		{orbit("D5", 0.9), ode.RK45},
		{detest()[20], ode.RK45},
		{problem{"Robertson", robertson, unit(3), 1e11}, ode.Radau},
		{problem{"van der Pol", vanDerPol, []float64{2, 0}, 2000}, ode.Radau},
	} {
		for _, rel := range []float64{1e-3, 1e-6} {
			if p.method == ode.Radau && rel < 1e-3 { // which takes SciPy seconds
				continue
			}
			theirs := 0
			if _, err := fmt.Sscan(numbers[0], &theirs); err != nil {
				t.Fatal(err)
			}
			numbers = numbers[1:]
			s := solve(t, p.problem, ode.Options{Method: p.method, Rel: rel})
			t.Logf("%s by %s at %g: %d calls, SciPy %d: %.2f ×", p.name, p.method, rel, s.Calls, theirs, float64(s.Calls)/float64(theirs))
			if s.Calls > 3*theirs {
				t.Errorf("%s by %s at %g: %d calls, SciPy %d", p.name, p.method, rel, s.Calls, theirs)
			}
		}
	}
}
