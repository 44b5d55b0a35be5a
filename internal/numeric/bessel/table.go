package bessel

import "math"

// The largest orders that tables serve: K is too steep near 0 beyond that.
const (
	MaxMaternTable = 10
	MaxKTable      = 2
)

// The segments of a table: quarters of octaves, from 2^tableLow to 2^tableHigh.
const (
	tableLow    = -56
	tableHigh   = 11
	segments    = 4 * (tableHigh - tableLow)
	firstBits   = (1023 + tableLow) << 2 // the first segment's exponent and quarter
	tableDegree = 12
)

// Table evaluates exp(x) K(nu, x) or the scaled Matérn function at many points:
// a polynomial on each quarter of an octave, from values that the slow
// functions compute once, in about 2 ms and 28 KB. It is immutable.
//
// The functions are analytic but for a branch point at 0, so that on [a, 5/4 a]
// the error of the interpolation falls by 1/18 with each degree.
type Table struct {
	slow         func(x float64) float64
	coefficients [segments][tableDegree + 1]float64
}

// NewMaternTable makes the table of MaternScaled, 0 < nu <= MaxMaternTable.
func NewMaternTable(nu float64) *Table {
	return newTable(func(z float64) float64 { return MaternScaled(nu, z) })
}

// NewKTable makes the table of KScaled, 0 <= nu <= MaxKTable.
func NewKTable(nu float64) *Table {
	return newTable(func(x float64) float64 { return KScaled(nu, x) })
}

func newTable(slow func(float64) float64) *Table {
	t := Table{slow: slow}
	for s := range t.coefficients {
		from := math.Float64frombits(uint64(firstBits+s) << 50)
		to := math.Float64frombits(uint64(firstBits+s+1) << 50)
		t.coefficients[s] = interpolate(slow, from, to)
	}
	return &t
}

// interpolate returns the polynomial through f at the Chebyshev points of an
// interval, as coefficients of powers of a variable that goes from -1 to 1.
func interpolate(f func(float64) float64, from, to float64) (c [tableDegree + 1]float64) {
	const n = tableDegree + 1
	var value, chebyshev [n]float64
	for j := range value {
		node := math.Cos(math.Pi * (float64(j) + 0.5) / n)
		value[j] = f((from+to)/2 + (to-from)/2*node)
	}
	for k := range chebyshev {
		for j, v := range value {
			chebyshev[k] += 2. / n * v * math.Cos(math.Pi*float64(k)*(float64(j)+0.5)/n)
		}
	}
	chebyshev[0] /= 2
	// Sum of chebyshev[k] T_k, with T_{k+1} = 2 x T_k - T_{k-1} in coefficients.
	var previous, current [n]float64
	previous[0], current[1] = 1, 1
	c[0] = chebyshev[0]
	for k := 1; k < n; k++ {
		var next [n]float64
		for i, v := range current {
			c[i] += chebyshev[k] * v
			next[i] -= previous[i]
			if i+1 < n {
				next[i+1] += 2 * v
			}
		}
		previous, current = current, next
	}
	return c
}

// Eval sets dst[i] to the function at x[i] >= 0, to a relative error of 1e-14;
// len(x) >= len(dst), and dst may be x. About 8 ns for each.
func (t *Table) Eval(dst, x []float64) {
	x = x[:len(dst)]
	for i, v := range x {
		b := math.Float64bits(v)
		s := b>>50 - firstBits
		if s >= segments {
			dst[i] = t.slow(v)
			continue
		}
		c := &t.coefficients[s]
		// The mantissa from the middle of its quarter, in units of 1/8.
		const one = 1023 << 52
		mantissa := math.Float64frombits(b&(1<<52-1) | one)
		middle := math.Float64frombits(b&(3<<50) | 1<<49 | one)
		u := (mantissa - middle) * 8
		u2 := u * u
		even := c[0] + u2*(c[2]+u2*(c[4]+u2*(c[6]+u2*(c[8]+u2*(c[10]+u2*c[12])))))
		odd := c[1] + u2*(c[3]+u2*(c[5]+u2*(c[7]+u2*(c[9]+u2*c[11]))))
		dst[i] = even + u*odd
	}
}
