package joint

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestGradientSize: the size of the gradient is how steeply the objective falls along it, in the norms of the kernels, relative to
// the misfit alone: by differences of both. Nothing but the misfit has a slope where all weights are zero, and nothing at a minimum.
func TestGradientSize(t *testing.T) {
	c, w := drawnProblem(t, semilinear(t, 6, 7, 30, 30, 1), 2)
	c.lambda = 1e-2
	ctx := t.Context()
	s := c.forward(ctx, w)
	e := mat.DenseCopyOf(s.misfit)
	e.Scale(1/float64(c.samples()), e)
	down := c.scaled(c.adjoint(ctx, s, e), 1)
	slope := func(along *weights, of func(s *state) float64) float64 {
		const h = 1e-5
		return (of(c.forward(ctx, c.add(1, w, -h, along))) - of(c.forward(ctx, c.add(1, w, h, along)))) / (2 * h)
	}
	misfit := slope(down, func(s *state) float64 { return s.mse })
	all := slope(c.add(1, down, -c.lambda, w), func(s *state) float64 { return s.objective })
	if got, want := c.gradientSize(ctx, w, s), math.Sqrt(all/misfit); !(math.Abs(got/want-1) <= 1e-5) {
		t.Errorf("the gradient is %g, by differences %g", got, want)
	}
	if got := c.gradientSize(ctx, c.zero(), c.forward(ctx, c.zero())); !(math.Abs(got-1) <= 1e-12) {
		t.Errorf("of no weights the gradient is %g", got)
	}
	one, _ := drawnProblem(t, semilinear(t, 6, 7, 30, 30, 1), 1)
	least, err := exactly(ctx, one)
	if err != nil {
		t.Fatal(err)
	}
	if got := one.gradientSize(ctx, least, one.forward(ctx, least)); !(got <= 1e-4) {
		t.Errorf("at a minimum the gradient is %g", got)
	}
}

// TestFirstStepOfAdam: the first step of Adam moves each variable, a weight without that of the quadrature, by the rate over the
// root mean square of its kernel with the quadrature, down the slope of the objective as differences have it.
func TestFirstStepOfAdam(t *testing.T) {
	c, w := drawnProblem(t, uneven(t, semilinear(t, 6, 7, 30, 30, 1)), 2)
	c.lambda = 1e-2
	ctx := t.Context()
	const rate = 1e-3
	moved, history, err := c.adamRun(ctx, w, 1, rate)
	same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*b } // but for the rounding of variables and back
	if err != nil || len(history) != 2 || !same(history[0], c.forward(ctx, w).objective) || !same(history[1], c.forward(ctx, moved).objective) {
		t.Fatalf("objectives %v, %v", history, err)
	}
	before, scale := c.variables(w)
	after, _ := c.variables(moved)
	i, small := 0, 0
	next := func(size float64) {
		t.Helper()
		x := append([]float64(nil), before...)
		h := 1e-4 * math.Max(1e-3, math.Abs(x[i]))
		x[i] += h
		up := c.forward(ctx, c.fromVariables(x, scale)).objective
		x[i] -= 2 * h
		down := c.forward(ctx, c.fromVariables(x, scale)).objective
		slope, step := (up-down)/(2*h), after[i]-before[i]
		if math.Abs(slope) < 2e-5 { // beside the little that Adam adds to it
			small++
		} else if !(step*slope <= 0) || !(math.Abs(math.Abs(step)*size/rate-1) <= 1e-3) {
			t.Errorf("variable %d moves by %g of %g, where the slope is %g", i, step, rate/size, slope)
		}
		i++
	}
	for _, l := range c.layers {
		dy, green, bias := l.y.Weights(), 0.0, 0.0
		for a := range l.dx {
			for b, v := range l.dx {
				for p := range dy {
					for q, w := range dy {
						green += math.Pow(l.left.At(a, b)*v*l.right.At(p, q)*w, 2)
					}
				}
			}
		}
		for p := range dy {
			for q, w := range dy {
				bias += math.Pow(l.q.At(p, q)*w, 2)
			}
		}
		for range len(l.dx) * len(dy) {
			next(math.Sqrt(green / float64(len(l.dx)*len(dy))))
		}
		for range dy {
			next(math.Sqrt(bias / float64(len(dy))))
		}
	}
	if i != len(before) || small > i/4 || floats.HasNaN(after) {
		t.Errorf("%d variables of %d, %d of them with hardly a slope", i, len(before), small)
	}
}
