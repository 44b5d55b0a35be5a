package ode_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/ode"
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
	for _, method := range []string{ode.RK45, ode.DOP853, ode.Radau, ode.Auto} {
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
					y, err := s.At(t.Context(), x*unit)
					if err != nil || math.Abs(y[0]/unit-math.Sin(x)) > 1e-6 || math.Abs(y[1]/unit-math.Cos(x)) > 1e-6 {
						t.Errorf("%s in units of %g at %g: %v, want %g (%v)", method, unit, x, y, math.Sin(x), err)
					}
				}
				if _, err := s.At(t.Context(), 11*end*unit); err == nil {
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
	for _, method := range []string{ode.RK45, ode.DOP853, ode.Radau, ode.Auto} {
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
		if y, err := s.At(t.Context(), down/2); err != nil || math.Abs(y[0]-20*20/2/9.81) > 1e-6 {
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
	for _, method := range []string{ode.RK45, ode.DOP853, ode.Radau, ode.Auto} {
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
