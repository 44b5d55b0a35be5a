package integrate

import "math"

// epsilon is Wynn's algorithm: the limit of a sequence that converges geometrically, or as
// a sum of several such.
type epsilon struct {
	last    []float64 // the newest diagonal of the table
	results []float64
	sums    []float64
}

// shrinks reports whether the last n changes of the sequence got smaller each: otherwise
// what is extrapolated is no limit.
func (e *epsilon) shrinks(n int) bool {
	s := e.sums
	for i := max(2, len(s)-n); i < len(s); i++ {
		if d := math.Abs(s[i] - s[i-1]); d > 0 && d >= math.Abs(s[i-1]-s[i-2]) {
			return false
		}
	}
	return true
}

// diverges reports whether none of many changes got smaller.
func (e *epsilon) diverges() bool {
	const many = 24
	s := e.sums
	if len(s) < many {
		return false
	}
	for i := len(s) - many + 2; i < len(s); i++ {
		if math.Abs(s[i]-s[i-1]) < (1-1e-9)*math.Abs(s[i-1]-s[i-2]) {
			return false
		}
	}
	return true
}

// add takes the next member of the sequence and returns the limit as it looks now, and
// how much that changed lately: infinite while there are too few to say.
func (e *epsilon) add(s float64) (limit, change float64) {
	e.sums = append(e.sums, s)
	next := []float64{s}
	for i, before := range e.last {
		d := next[i] - before
		if math.Abs(d) <= 0x1p-50*max(math.Abs(next[i]), math.Abs(before)) { // converged, or as good as rounding lets it
			break
		}
		v := 1 / d
		if i > 0 {
			v += e.last[i-1]
		}
		if math.Abs(d) < 1e-300 || math.IsInf(v, 0) {
			break
		}
		next = append(next, v)
		if len(next) > 30 {
			break
		}
	}
	e.last = next
	limit = next[(len(next)-1)/2*2]
	e.results = append(e.results, limit)
	n := len(e.results)
	if n < 6 {
		return limit, math.Inf(1)
	}
	for _, r := range e.results[n-4 : n-1] {
		change += math.Abs(limit - r)
	}
	return limit, change
}
