package families

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The factor of a jump may be turned as one likes: compressed it is that of the same covariance,
// in the data and at the probed points, and no longer than its columns are independent there.
func TestCompressedJumpsHaveTheSameCovariance(t *testing.T) {
	const rows, columns, points = 3, 4, 5
	column := func(size, seed int) *mat.Dense {
		m := mat.NewDense(size, 1, nil)
		for i := range size {
			m.Set(i, 0, float64((7*i*i+5*seed*i+seed)%11)-5)
		}
		return m
	}
	for _, c := range []struct{ parts, repeated, rank int }{{1, 0, 1}, {3, 0, 3}, {3, 1, 3}} {
		rank := c.parts + c.repeated
		z := &ramps{r: rows, q: columns, probes: mat.NewDense(points, rank, nil)}
		for k := range rank {
			seed := k % c.parts // those that are repeated are so everywhere
			z.parts = append(z.parts, mat.NewDense(rows, columns, column(rows*columns, seed+1).RawMatrix().Data))
			z.probes.Slice(0, points, k, k+1).(*mat.Dense).Copy(column(points, seed+3))
		}
		covariance := func() (data, probed mat.Dense) {
			all := mat.NewDense(len(z.parts), rows*columns, nil)
			for k, p := range z.parts {
				all.SetRow(k, p.RawMatrix().Data)
			}
			data.Mul(all.T(), all)
			probed.Mul(z.probes, z.probes.T())
			return data, probed
		}
		data, probed := covariance()
		if err := z.compress(t.Context(), kinkSeen); err != nil {
			t.Fatal(err)
		}
		gotData, gotProbed := covariance()
		if !mat.EqualApprox(&gotData, &data, 1e-10) || !mat.EqualApprox(&gotProbed, &probed, 1e-10) {
			t.Errorf("%d parts, %d repeated: another covariance", c.parts, c.repeated)
		}
		if _, n := z.probes.Dims(); n != c.rank || len(z.parts) != c.rank {
			t.Errorf("%d parts, %d repeated: %d parts, %d columns at the probed points, want %d", c.parts, c.repeated, len(z.parts), n, c.rank)
		}
	}
}

// Kinks that will not come to be better than a smooth kernel, or than each other, are no more than starts:
// those that are hopeless in all and in left-out pairs.
func TestMarkedStarts(t *testing.T) {
	at := func(value, loo float64) candidate { return candidate{value: value, reml: value - loo} }
	for _, c := range []struct {
		field  []candidate
		smooth candidate
		want   []bool
	}{
		{[]candidate{at(50, 20)}, at(100, 40), []bool{false}},                                                                 // better than the smooth one
		{[]candidate{at(101, 39.5)}, at(100, 40), []bool{false}},                                                              // nearly as good
		{[]candidate{at(100+hopeless, 40)}, at(100, 40), []bool{true}},                                                        // hopeless
		{[]candidate{at(100+hopeless, 40-2*worth)}, at(100, 40), []bool{false}},                                               // but better for left-out pairs
		{[]candidate{at(50, 20), at(50+hopeless, 20+hopeless), at(49+hopeless, 90)}, at(100, 40), []bool{false, true, false}}, // than another kink
		{[]candidate{at(50, 20), at(500, 15)}, at(100, 40), []bool{false, false}},
	} {
		var field []kinked
		for _, k := range c.field {
			field = append(field, kinked{candidate: k})
		}
		mark(field, c.smooth)
		for i, k := range field {
			if k.start != c.want[i] {
				t.Errorf("%+v beside %+v: kink %d is a start %t", c.field, c.smooth, i+1, k.start)
			}
		}
	}
	for _, c := range []struct {
		logs []float64
		want bool
	}{{nil, false}, {[]float64{-3}, true}, {[]float64{math.Inf(-1), -700}, true}, {[]float64{math.Inf(-1)}, false}, {[]float64{1, math.NaN()}, false}, {[]float64{math.Inf(1)}, false}} {
		if got := likely(c.logs); got != c.want {
			t.Errorf("of the logarithms %v there is a likelihood: %t", c.logs, got)
		}
	}
}

// The minimum is found by steps of half a decade to between two places where the function is greater, then at the bottom of the
// parabola through these where that is finer than asked for; nothing is looked at twice, and nothing where there is no number beside it.
func TestDescentToAMinimum(t *testing.T) {
	for _, c := range []struct {
		from, bottom, last float64
		wall               float64 // from where the function has no number
		want               []float64
	}{
		{0, 1.1, fine, 9, []float64{.5, 1, 1.5, 1.1}},
		{0, -1.1, fine, 9, []float64{.5, -.5, -1, -1.5, -1.1}},
		{0, 1.1, halfDecade, 9, []float64{.5, 1, 1.5}},
		{0, 0.001, fine, 9, []float64{.5, -.5}}, // as near as asked for
		{0, .7, fine, .9, []float64{.5, 1}},     // a wall beside the minimum
	} {
		var seen []float64
		f := func(x float64) float64 {
			if x > c.wall {
				return math.Inf(1)
			}
			return 5 + (x-c.bottom)*(x-c.bottom)
		}
		descendTo(c.from, f(c.from), c.last, func(x float64) float64 {
			seen = append(seen, x)
			return f(x)
		})
		if len(seen) != len(c.want) {
			t.Errorf("from %g to %g: looked at %v, want %v", c.from, c.bottom, seen, c.want)
			continue
		}
		for i, want := range c.want {
			if !(math.Abs(seen[i]-want) <= 1e-12) {
				t.Errorf("from %g to %g: looked at %v, want %v", c.from, c.bottom, seen, c.want)
			}
		}
	}
}
