package elementary

import "math"

// double is high + low, arithmetic with about 104 bits (Dekker 1971), which a million comparisons can afford.
type double struct{ high, low float64 }

func sum(a, b float64) double {
	s := a + b
	t := s - a
	return double{s, (a - (s - t)) + (b - t)}
}

func (a double) plus(b double) double {
	s := sum(a.high, b.high)
	return sum(s.high, s.low+(a.low+b.low))
}

func (a double) times(b double) double {
	p := float64(a.high * b.high)
	return sum(p, math.FMA(a.high, b.high, -p)+(float64(a.high*b.low)+float64(a.low*b.high)))
}

func (a double) over(b double) double {
	q := a.high / b.high
	return sum(q, (math.FMA(-q, b.high, a.high)+(a.low-float64(q*b.low)))/b.high)
}

// scale is a 2^k.
func (a double) scale(k int) double { return double{math.Ldexp(a.high, k), math.Ldexp(a.low, k)} }

// ln2Parts is ln 2 in three parts of which a whole number of up to 11 bits times the first is exact.
var ln2Parts = [3]float64{0x1.62e42fefa38p-1, 0x1.ef35793c76p-45, 0x1.cc01f97b57a08p-87}

// doubleExp is 2^k times the second value: Taylor's series of a 512th of what is left of the multiples of ln 2, and nine
// squarings.
func doubleExp(a double) (k int, e double) {
	n := math.RoundToEven(a.high / math.Ln2)
	r := a
	for _, part := range ln2Parts {
		r = r.plus(sum(-n*part, 0))
	}
	r = r.scale(-9)
	term, e := double{1, 0}, double{}
	for i := 1.0; i < 14; i++ { // e^r - 1, so that squaring loses nothing
		term = term.times(r).over(double{i, 0})
		e = e.plus(term)
	}
	for range 9 {
		e = e.plus(e).plus(e.times(e)) // (1 + e)² - 1
	}
	return int(n), e.plus(double{1, 0})
}

// doubleLog improves math.Log by two steps of Newton's method; near 1 it is the series 2 atanh((x-1)/(x+1)).
func doubleLog(x float64) double {
	fraction, k := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction, k = 2*fraction, k-1
	}
	f := fraction - 1
	y := double{math.Log(fraction), 0}
	if math.Abs(f) < 1./64 {
		s := double{f, 0}.over(sum(2, f))
		y = double{}
		square := s.times(s)
		for i := 25.0; i > 0; i -= 2 {
			y = y.times(square).plus(double{2, 0}.over(double{i, 0}))
		}
		y = y.times(s)
	}
	for range 2 * min(1, int(64*math.Abs(f))) {
		minus := double{-y.high, -y.low}
		n, e := doubleExp(minus)
		e = e.scale(n).times(double{fraction, 0})
		e = e.plus(double{-1, 0}) // x e^-y - 1, of which y + it - its square / 2 is ln x
		half := e.times(e)
		y = y.plus(e).plus(double{-half.high / 2, -half.low / 2})
	}
	for _, part := range ln2Parts {
		y = y.plus(sum(float64(k)*part, 0))
	}
	return y
}

// ulpsFrom is the distance of got from 2^k want in units of the last place of the nearest number.
func ulpsFrom(got float64, k int, want double) float64 {
	nearest := math.Ldexp(want.high, k) // rounded once more where it is denormal
	_, e := math.Frexp(nearest)
	last := max(e-53, -1074) // exponent of the last place
	if nearest == 0 {
		last = -1074
	}
	if math.IsInf(nearest, 0) {
		last = 1024 - 53
		if math.IsInf(got, 0) {
			return 0
		}
	}
	// Exactly: both are whole numbers of places, or nearly.
	distance := double{math.Ldexp(got, -last), 0}.plus(want.scale(k - last).times(double{-1, 0}))
	return math.Abs(distance.high + distance.low)
}
