package plot

import "math"

// Axis is one side of a panel: the values at its ends and how it is labelled.
type Axis struct {
	Label  string
	Lo, Hi float64
	Log    bool
	Linear float64 // > 0: logarithmic for both signs, linear from -Linear to Linear
	names  *[]string
}

// Norm returns where v stands on the axis: 0 at lo, 1 at hi; NaN for what the
// axis cannot show. Halving first keeps differences of huge numbers finite.
func (a Axis) Norm(v float64) float64 {
	lo, hi := a.Lo, a.Hi
	switch {
	case a.Log && v <= 0:
		return math.Inf(-1)
	case a.Log:
		lo, hi, v = math.Log10(lo), math.Log10(hi), math.Log10(v)
	case a.Linear > 0:
		lo, hi, v = a.bend(lo), a.bend(hi), a.bend(v)
	}
	return (v/2 - lo/2) / (hi/2 - lo/2)
}

// value is the inverse of norm.
func (a Axis) value(t float64) float64 {
	if a.Log {
		lo, hi := math.Log10(a.Lo), math.Log10(a.Hi)
		return math.Pow(10, lo+t*(hi-lo))
	}
	if a.Linear > 0 {
		return a.unbend(a.bend(a.Lo)*(1-t) + a.bend(a.Hi)*t)
	}
	return a.Lo*(1-t) + a.Hi*t
}

// bend is the scale of an axis that is linear around zero: v/Linear there, and beyond
// one more for each power of ten.
func (a Axis) bend(v float64) float64 {
	if size := math.Abs(v) / a.Linear; size > 1 {
		return math.Copysign(1+math.Log10(size), v)
	}
	return v / a.Linear
}

func (a Axis) unbend(t float64) float64 {
	if size := math.Abs(t); size > 1 {
		return math.Copysign(a.Linear*math.Pow(10, size-1), t)
	}
	return t * a.Linear
}

// least is a length below which nothing is told apart: the arithmetic of
// denormal numbers is not ours to repair.
const least = 1e-300

// spread makes room around a range that has (nearly) none, so that a constant
// can be drawn: half of its size on both sides, or one around zero.
func spread(lo, hi float64, log bool) (float64, float64) {
	if log {
		lo, hi = max(lo, 10*least), max(hi, 10*least)
		if hi/lo > 1+1e-12 {
			return lo, hi
		}
		return lo / math.Sqrt(10), min(hi*math.Sqrt(10), math.MaxFloat64)
	}
	size := max(math.Abs(lo), math.Abs(hi))
	if hi/2-lo/2 > max(1e-12*size/2, least) {
		return lo, hi
	}
	d := size / 2
	if size < 4*least {
		d = 1
	}
	return max(lo-d, -math.MaxFloat64), min(hi+d, math.MaxFloat64)
}

// pad widens a range by a fraction of its length on both sides.
func pad(lo, hi, fraction float64, log bool) (float64, float64) {
	if log {
		a, b := math.Log10(lo), math.Log10(hi)
		d := fraction * (b - a)
		return max(math.Pow(10, a-d), least), min(math.Pow(10, b+d), math.MaxFloat64)
	}
	d := 2 * fraction * (hi/2 - lo/2)
	return max(lo-d, -math.MaxFloat64), min(hi+d, math.MaxFloat64)
}

// extent collects the smallest and the largest finite value it is shown.
type extent struct {
	lo, hi float64
	log    bool // only positive values count
}

func newExtent(log bool) extent { return extent{math.Inf(1), math.Inf(-1), log} }

func (e *extent) add(values ...float64) {
	for _, v := range values {
		if finite(v) && (!e.log || v > 0) {
			e.lo, e.hi = min(e.lo, v), max(e.hi, v)
		}
	}
}

func (e extent) empty() bool { return e.lo > e.hi }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
