package arrays

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// A reducer is one way to make a number of many.
type reducer struct {
	some bool    // not of no numbers
	time float64 // of each number, in nanoseconds
	// of must neither keep nor change its argument; after the end of the context it
	// is any number.
	of func(ctx context.Context, x []float64) float64
	// add, where it is not nil, takes further rows of numbers to what there is,
	// beginning with start, or for NaN with the first row; pairwise in halves.
	add      func(dst, a, b []float64)
	start    float64
	pairwise bool
	mean     bool // divided by their number
	// variance says that it is one, divided by the number less ddof, or its root.
	variance, root bool
	ddof           float64
	// place says that it is the index of the least or the greatest.
	place, greatest bool
}

// reductions are those of [Reduce], with their parameter.
func reductions(p float64) map[string]reducer {
	type numbers = []float64
	least := func(ctx context.Context, x numbers) float64 { return extreme(ctx, x, false) }
	most := func(ctx context.Context, x numbers) float64 { return extreme(ctx, x, true) }
	return map[string]reducer{
		"sum":      {of: total, time: 0.5, add: vector.Add, pairwise: true},
		"mean":     {some: true, of: mean, time: 0.5, add: vector.Add, pairwise: true, mean: true},
		"prod":     {of: product, time: 1, add: vector.Mul, start: 1},
		"min":      {some: true, of: least, time: 0.4, add: vector.Min, start: math.NaN()},
		"max":      {some: true, of: most, time: 0.4, add: vector.Max, start: math.NaN()},
		"argmin":   {some: true, of: func(ctx context.Context, x numbers) float64 { return firstExtreme(ctx, x, false) }, time: 0.5, place: true},
		"argmax":   {some: true, of: func(ctx context.Context, x numbers) float64 { return firstExtreme(ctx, x, true) }, time: 0.5, place: true, greatest: true},
		"var":      {some: true, of: func(ctx context.Context, x numbers) float64 { return variance(ctx, x, p) }, time: 2, variance: true, ddof: p},
		"std":      {some: true, of: func(ctx context.Context, x numbers) float64 { return math.Sqrt(variance(ctx, x, p)) }, time: 2, variance: true, ddof: p, root: true},
		"median":   {some: true, of: median, time: 15},
		"quantile": {some: true, of: func(ctx context.Context, x numbers) float64 { return quantile(ctx, x, p) }, time: 15},
		"norm":     {of: func(ctx context.Context, x numbers) float64 { return norm(ctx, x, p) }, time: 2},
	}
}

func mean(ctx context.Context, x []float64) float64 { return total(ctx, x) / float64(len(x)) }

// large is from how many numbers on a sum is taken in parts, which may go to
// several processors; the order is that of one.
const large = 1 << 16

// total is sum on all processors, to the last bit.
func total(ctx context.Context, x []float64) float64 {
	if len(x) <= large {
		return sum(x)
	}
	var parts [][]float64
	var cut func(x []float64, depth int)
	cut = func(x []float64, depth int) {
		if depth == 0 {
			parts = append(parts, x)
			return
		}
		half := middleOf(len(x))
		cut(x[:half], depth-1)
		cut(x[half:], depth-1)
	}
	cut(x, 4)
	sums := make([]float64, len(parts))
	_ = share(ctx, len(parts), 0.5*float64(len(x)/len(parts)), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			sums[k] = sum(parts[k])
		}
	})
	for ; len(sums) > 1; sums = sums[:len(sums)/2] {
		for k := range len(sums) / 2 {
			sums[k] = sums[2*k] + sums[2*k+1]
		}
	}
	return sums[0]
}

// sum adds the numbers up pairwise: halves of halves, down to runs of up to 2048, which
// are 32 running sums side by side.
func sum(x []float64) float64 {
	if len(x) <= run {
		return vector.Sum(x)
	}
	half := middleOf(len(x))
	return sum(x[:half]) + sum(x[half:])
}

// run is how many numbers are added up without being halved.
const run = 2048

// middleOf is half of n or nearly so, a number of whole runs of all the 32.
func middleOf(n int) int { return n / 2 &^ 31 }

// variance is Σ(x-mean)²/(n-ddof), which is divided by 0 where there are no more
// numbers than ddof.
func variance(ctx context.Context, x []float64, ddof float64) float64 {
	n := max(0, float64(len(x))-ddof)
	m := mean(ctx, x)
	if len(x) <= large {
		return squares(x, m) / n
	}
	parts := make([]float64, (len(x)+large-1)/large)
	_ = share(ctx, len(parts), large, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			parts[k] = squares(x[k*large:min((k+1)*large, len(x))], m)
		}
	})
	return sum(parts) / n
}

// squares is the sum of (x-m)², pairwise.
func squares(x []float64, m float64) float64 {
	if len(x) > 128 {
		return squares(x[:len(x)/2], m) + squares(x[len(x)/2:], m)
	}
	s := 0.0
	for _, v := range x {
		s += (v - m) * (v - m)
	}
	return s
}

// spread adds (x-m)² to dst for rows x, m, as squares does for numbers.
func spread(dst, x, m []float64) {
	x, m = x[:len(dst)], m[:len(dst)]
	for i, v := range x {
		dst[i] += (v - m[i]) * (v - m[i])
	}
}

func product(ctx context.Context, x []float64) float64 {
	p := 1.0
	_ = inTurn(ctx, len(x), 1, func(lo, hi int) {
		q := p
		for _, v := range x[lo:hi] {
			q *= v
		}
		p = q
	})
	return p
}

// extreme is the least or the greatest number, NaN if there is one.
func extreme(ctx context.Context, x []float64, greatest bool) float64 {
	if len(x) <= large {
		return vector.Extremum(greatest, x)
	}
	return vector.Extremum(greatest, extremes(ctx, x, greatest))
}

// extremes are those of parts of x.
func extremes(ctx context.Context, x []float64, greatest bool) []float64 {
	const width = 1 << 12
	parts := make([]float64, (len(x)+width-1)/width)
	_ = share(ctx, len(parts), 0.2*width, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			parts[k] = vector.Extremum(greatest, x[k*width:min((k+1)*width, len(x))])
		}
	})
	return parts
}

// firstExtreme is the first index of the least or the greatest number, or of NaN.
func firstExtreme(ctx context.Context, x []float64, greatest bool) float64 {
	const width = 1 << 12
	if len(x) <= width {
		return float64(indexOf(x, vector.Extremum(greatest, x)))
	}
	parts := extremes(ctx, x, greatest)
	k := indexOf(parts, vector.Extremum(greatest, parts))
	part := x[k*width : min((k+1)*width, len(x))]
	return float64(k*width + indexOf(part, parts[k]))
}

// indexOf is the first index of a value, which is there.
func indexOf(x []float64, value float64) int {
	if math.IsNaN(value) {
		return slices.IndexFunc(x, math.IsNaN)
	}
	return slices.Index(x, value)
}

// norm is (Σ|x|^p)^(1/p); for 0 how many are not 0.
func norm(ctx context.Context, x []float64, p float64) float64 {
	time := 2.0 // of each number, in nanoseconds
	fold := func(of func(s, v float64) float64, s float64) float64 {
		_ = inTurn(ctx, len(x), time, func(lo, hi int) {
			for _, v := range x[lo:hi] {
				s = of(s, math.Abs(v))
			}
		})
		return s
	}
	switch {
	case p == 2 && len(x) > block:
		return euclidean(ctx, x)
	case p == 2:
		return floats.Norm(x, 2)
	case math.IsInf(p, 1):
		return fold(func(s, v float64) float64 { return max(s, v) }, 0)
	case math.IsInf(p, -1):
		return fold(func(s, v float64) float64 { return min(s, v) }, math.Inf(1))
	case p == 0:
		return fold(func(s, v float64) float64 {
			if v != 0 {
				s++
			}
			return s
		}, 0)
	case p == 1:
		parts := make([]float64, (len(x)+large-1)/large)
		_ = share(ctx, len(parts), large, func(lo, hi int) {
			for k := lo; k < hi; k++ {
				parts[k] = absolutes(x[k*large : min((k+1)*large, len(x))])
			}
		})
		return sum(parts)
	}
	time = 50
	return math.Pow(fold(func(s, v float64) float64 { return s + math.Pow(v, p) }, 0), 1/p)
}

// absolutes is the sum of |x|, pairwise, four at a time.
func absolutes(x []float64) float64 {
	if len(x) > 128 {
		return absolutes(x[:len(x)/2]) + absolutes(x[len(x)/2:])
	}
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		s0 += math.Abs(x[0])
		s1 += math.Abs(x[1])
		s2 += math.Abs(x[2])
		s3 += math.Abs(x[3])
	}
	for _, v := range x {
		s0 += math.Abs(v)
	}
	return (s0 + s1) + (s2 + s3)
}

// euclidean is the root of the sum of squares where those neither overflow nor
// vanish, and otherwise what takes more care.
func euclidean(ctx context.Context, x []float64) float64 {
	parts := make([]float64, (len(x)+large-1)/large)
	_ = share(ctx, len(parts), 0.5*large, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			part := x[k*large : min((k+1)*large, len(x))]
			parts[k] = vector.Dot(part, part)
		}
	})
	s := sum(parts)
	if s > 1e-250 && s < math.Inf(1) {
		return math.Sqrt(s)
	}
	_ = share(ctx, len(parts), 5*large, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			parts[k] = floats.Norm(x[k*large:min((k+1)*large, len(x))], 2)
		}
	})
	return floats.Norm(parts, 2)
}
