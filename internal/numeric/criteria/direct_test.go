package criteria

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// recorded is an evaluator of a parabola of log λ, which remembers the least value that it gave.
type recorded struct {
	least, lowest, at float64
}

func (r *recorded) At(_ context.Context, lambda, rho float64) (Sheet, error) {
	d := math.Log(lambda) - r.least
	v := Sheet{Lambda: lambda, Rho: rho, LOO: math.Exp(d * d / 10)}
	if r.at == 0 || v.LOO < r.lowest {
		r.lowest, r.at = v.LOO, lambda
	}
	return v, nil
}

// Without a model the best of all that was evaluated is taken, not the last.
func TestDirectSearchTakesTheBest(t *testing.T) {
	for _, least := range []float64{-7.3, -3.1, -1.01, -.4, 0, .77, 1.9} {
		r := &recorded{least: least}
		d := &decision{Search: Search{By: LOO, Outputs: 20}, lo: -9, hi: 3}
		v, err := d.direct(t.Context(), r)
		if err != nil || v.Lambda != r.at || !(math.Abs(math.Log(v.Lambda)-least) <= directTo) {
			t.Errorf("least at %g: λ = %g, %v, the best was %g", least, math.Log(v.Lambda), err, math.Log(r.at))
		}
	}
}

// Where ρ is given the derivative of REML is that by λ alone.
func TestKnotsKnowWhatIsGiven(t *testing.T) {
	for _, c := range []struct{ rho, want float64 }{{0, 2}, {.3, 1.5}, {5, 1.5}} {
		d := &decision{Search: Search{By: REML}, Choice: Choice{Curve: bowl{curvature: 4}, Penalty: Penalty{Rho: c.rho, Ratio: 1}}}
		if err := d.add(t.Context(), .25, Sheet{REML: 7, Slope: 2, RhoSlope: .5}); err != nil {
			t.Fatal(err)
		}
		k := d.knots[0]
		if !(math.Abs(k.slope-(c.want-1)) <= 1e-9) || !k.sloped || !(math.Abs(k.off-(7-.125)) <= 1e-12) { // the bowl has the slope 4 × ¼
			t.Errorf("ρ = %g: %+v", c.rho, k)
		}
	}
}

// A pair is left out of several, or of one where no constant is free.
func TestLeavingOutTheOnlyPair(t *testing.T) {
	for _, c := range []struct {
		pairs      int
		flat, told bool
	}{{1, true, false}, {1, false, true}, {2, true, true}, {2, false, true}} {
		b := newProblem(c.pairs, c.pairs, 3, true, true, c.flat, 1)
		v, err := b.exact().At(t.Context(), .1, .2)
		if err != nil {
			t.Fatal(err)
		}
		if told := !math.IsNaN(v.LOO); told != c.told {
			t.Errorf("%+v: LOO %g", c, v.LOO)
		}
	}
}

// Leave-one-out is followed everywhere where it costs little, and three decades around other choices where it does not.
func TestHowFarLeaveOneOutIsFollowed(t *testing.T) {
	for pairs, want := range map[int]float64{1000: math.Inf(1), 1001: 3} {
		c := &Closed{P: mat.NewDense(pairs, 200, nil), T: mat.NewDense(200, 200, nil), Green: mat.NewDense(200, 200, nil)} // 4e7 from 1000 pairs
		if got := (closedCurve{Closed: c}).Reach(LOO); got != want {
			t.Errorf("%d pairs: %g decades, want %g", pairs, got, want)
		}
	}
}

// A sample that has all there is of the free constant is corrected as if a little were left.
func TestSamplesWithAllOfTheConstant(t *testing.T) {
	o := bias{y: []float64{1, 2}, size: 20}
	g, keep, e := []float64{2, 2}, []float64{1, 1}, []float64{1, -1} // v = (2, 4), whose square is 20
	o.alone(e, keep, g)
	by := (2. - 4) / (1e-12 * 20)
	if e[0] != 1+by*2 || e[1] != -1+by*4 {
		t.Errorf("%v", e)
	}
}
