package joint

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// downwards is a descent at drawn weights, with half the gradient downwards, by directions, and the linearised network.
func downwards(t *testing.T) (*truncated, *linearised, []float64) {
	t.Helper()
	c, w := drawnProblem(t, semilinear(t, 8, 9, 30, 30, 1), 3)
	q := newTruncated(t.Context(), c, w)
	lin, err := c.linearise(t.Context(), q.s)
	if err != nil {
		t.Fatal(err)
	}
	g := lin.adjoint(t.Context(), q.s.misfit, true)
	floats.Scale(1/float64(c.samples()), g)
	floats.AddScaled(g, -c.lambda, lin.rotate(t.Context(), q.x))
	return q, lin, g
}

func (q *truncated) objectiveAt(t *testing.T, length float64, d []float64) float64 {
	next := slices.Clone(q.x)
	floats.AddScaled(next, length, d)
	return q.c.forwardAt(t.Context(), q.c.reducedFunctions(t.Context(), next)).objective
}

// What a direction is foretold to gain is the fall of the objective of the linearised network, by its definition, but for
// modes of which next to nothing is seen.
func TestForetoldFallIsOfTheLinearisedNetwork(t *testing.T) {
	q, lin, g := downwards(t)
	for _, damping := range []float64{1e-6, 1e-3, 1} {
		q.damping = damping
		d, expected := q.solve(t.Context(), lin, g)
		left := lin.tangent(t.Context(), d)
		left.Sub(q.s.misfit, left)
		next := slices.Clone(q.x)
		floats.Add(next, lin.back(t.Context(), d))
		want := q.s.objective - inner(left, left)/float64(q.c.samples()) - q.c.lambda*floats.Dot(next, next)
		if !(math.Abs(expected-want) <= 1e-4*want) || !(want > 0) {
			t.Errorf("damping %g: foretold %.12g, the fall is %.12g", damping, expected, want)
		}
		// with more damping the step is shorter and gains less
		q.damping = 10 * damping
		if shorter, less := q.solve(t.Context(), lin, g); !(floats.Norm(shorter, 2) < floats.Norm(d, 2)) || !(less < expected) {
			t.Errorf("damping %g: a step of %g gains %g, with ten times that %g gains %g", damping, floats.Norm(d, 2), expected, floats.Norm(shorter, 2), less)
		}
	}
}

// After a step that gains 0.7 of what was foretold there is a fifth of the damping, after one that gains less than 0.3 three
// times as much, at least thrice λ; one that gains less than a tenth is shortened.
func TestDampingFollowsWhatStepsGain(t *testing.T) {
	for _, c := range []struct{ share, before, want float64 }{
		{.75, 1e-2, .2e-2}, {1.2, 1e-2, .2e-2}, {.65, 1e-2, 1e-2}, {.35, 1e-2, 1e-2}, {.25, 1e-2, 3e-2}, {.25, 0, 3}, {.12, 1e-2, 3e-2},
	} {
		q, lin, g := downwards(t)
		d := lin.back(t.Context(), g)
		floats.Scale(.05, d)
		gain := q.s.objective - q.objectiveAt(t, 1, d)
		if !(gain > 0) {
			t.Fatalf("a short step downwards gains %g", gain)
		}
		q.damping, q.x = c.before, slices.Clone(q.x)
		want, at := c.want, slices.Clone(q.x)
		if c.before == 0 {
			want *= q.c.lambda
		}
		floats.Add(at, d)
		if taken, err := q.along(t.Context(), d, 2*.05*floats.Dot(g, g), gain/c.share); err != nil || !taken {
			t.Fatalf("gaining %g of what was foretold: %t, %v", c.share, taken, err)
		}
		if !(math.Abs(q.damping-want) <= 1e-12*want) || !slices.Equal(q.x, at) || len(q.history) != 1 || q.history[0] != q.s.objective {
			t.Errorf("gaining %g of what was foretold: damping %g, want %g", c.share, q.damping, want)
		}
	}
}

// A step that is too long is shortened to the least value of the parabola through what is known, by a half at least and to a
// tenth at most, until it gains a tenth of what it is foretold to; and there is more damping afterwards.
func TestStepsThatAreTooLongAreShortened(t *testing.T) {
	shortened := 0
	q, lin, g := downwards(t)
	lo, hi := 0., 1. // where a whole step gains a tenth of what its slope is, less than half of it does more
	for range 40 {
		d, mid := lin.back(t.Context(), g), (lo+hi)/2
		floats.Scale(mid*q.s.objective/floats.Dot(g, g), d)
		if q.s.objective-q.objectiveAt(t, 1, d) > .2*mid*q.s.objective {
			lo = mid
		} else {
			hi = mid
		}
	}
	for _, times := range []float64{lo, .3, 1, 2, 5, 13, 100, 300} {
		for _, told := range [][2]float64{{1, 1}, {1, 4}, {.01, 4}} { // of the slope and of what is foretold
			q, lin, g := downwards(t)
			d := lin.back(t.Context(), g)
			scale := times * q.s.objective / floats.Dot(g, g)
			floats.Scale(scale, d)
			slope, expected := told[0]*2*scale*floats.Dot(g, g), told[1]*scale*floats.Dot(g, g)
			start, from, damping := q.s.objective, slices.Clone(q.x), q.damping
			length, want, tried := 1.0, 0.0, 0
			for want == 0 && tried < mostShorter {
				tried++
				gain := start - q.objectiveAt(t, length, d)
				if gain > 0 && gain > .1*expected*length*(2-length) {
					want = length
					break
				}
				least := .1
				if bend := slope*length - gain; bend > 0 {
					least = min(max(slope*length/bend/2, .1), .5)
				}
				length *= least
			}
			taken, err := q.along(t.Context(), d, slope, expected)
			if err != nil || taken != (want > 0) {
				t.Fatalf("%g times as far as the objective: taken %t, %v", times, taken, err)
			}
			floats.AddScaled(from, want, d)
			if !slices.Equal(q.x, from) || tried != q.products-1 {
				t.Errorf("%g times as far as the objective: %d lengths, want %d up to %g", times, q.products-1, tried, want)
			}
			if taken && tried > 1 {
				shortened++
				if !(q.damping > 2*damping) {
					t.Errorf("%g times as far as the objective: damping %g after %g", times, q.damping, damping)
				}
			}
		}
	}
	if shortened < 4 {
		t.Errorf("%d of the steps were shortened", shortened)
	}
}
