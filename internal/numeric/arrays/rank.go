package arrays

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/greenbench/workbench/internal/numeric/dense"
)

// few is up to how many numbers one is found among them by putting them in order.
const few = 1 << 14

// median is the number in the middle, or the mean of the two there.
func median(ctx context.Context, x []float64) float64 {
	lower, upper := ranked(ctx, x, (len(x)-1)/2)
	if len(x)%2 == 1 {
		return lower
	}
	if m := (lower + upper) / 2; !math.IsInf(m, 0) || math.IsInf(lower, 0) || math.IsInf(upper, 0) {
		return m
	}
	return lower/2 + upper/2
}

// quantile interpolates between the two numbers beside (n-1)·q.
func quantile(ctx context.Context, x []float64, q float64) float64 {
	at := float64(len(x)-1) * q
	k := min(int(at), len(x)-1)
	t := at - float64(k)
	lower, upper := ranked(ctx, x, k)
	if t == 0 || lower == upper {
		return lower
	}
	switch d := upper - lower; {
	case math.IsInf(d, 0) && dense.Finite(lower) && dense.Finite(upper):
		return lower*(1-t) + upper*t
	case t >= 0.5:
		return upper - d*(1-t)
	default:
		return lower + d*t
	}
}

// ranked returns the numbers with the ranks k and k+1, from 0, or twice the last
// one; both are NaN if one of the numbers is. Many numbers are sorted out by the
// digits of their keys, the highest first.
func ranked(ctx context.Context, x []float64, k int) (lower, upper float64) {
	upper = math.NaN() // it is still among x
	for digit := 64 - digitBits; len(x) > few && digit > -digitBits; digit -= digitBits {
		c, nan := countDigits(ctx, x, max(0, digit))
		if nan || ended(ctx) != nil {
			return math.NaN(), math.NaN()
		}
		d, before := c.holding(k)
		if after := before + c.total[d]; upper != upper && k+1 == after && after < len(x) {
			upper = c.leastAbove(ctx, x, d)
		}
		x, k = c.gathered(ctx, x, d), k-before
	}
	if slices.ContainsFunc(x, math.IsNaN) || ended(ctx) != nil {
		return math.NaN(), math.NaN()
	}
	if len(x) > few { // all digits are alike
		if upper != upper {
			upper = x[0]
		}
		return x[0], upper
	}
	x = slices.Clone(x)
	lower = nth(x, k)
	switch {
	case upper == upper:
	case k == len(x)-1:
		upper = lower
	default:
		upper = slices.Min(x[k+1:])
	}
	return lower, upper
}

// digitCounts are how often the digits of the keys come, in all parts of the
// numbers and in each.
type digitCounts struct {
	shift int
	total [1 << digitBits]int
	parts [][1 << digitBits]int32
}

// counted is how many numbers a part has.
const counted = 1 << 18

func (c *digitCounts) digit(x float64) int {
	return int(sortKey(x, false) >> c.shift & (1<<digitBits - 1))
}

// eachPart visits the parts of the numbers, several at once.
func (c *digitCounts) eachPart(ctx context.Context, x []float64, visit func(p int, part []float64)) {
	_ = share(ctx, len(c.parts), 2*counted, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			visit(p, x[p*counted:min((p+1)*counted, len(x))])
		}
	})
}

// countDigits counts the digits of the keys at a shift, and says whether there are NaN.
func countDigits(ctx context.Context, x []float64, shift int) (*digitCounts, bool) {
	c := &digitCounts{shift: shift, parts: make([][1 << digitBits]int32, (len(x)+counted-1)/counted)}
	var nan atomic.Bool
	c.eachPart(ctx, x, func(p int, part []float64) {
		counts, bad := &c.parts[p], false
		for _, v := range part {
			counts[c.digit(v)]++
			bad = bad || v != v
		}
		if bad {
			nan.Store(true)
		}
	})
	for p := range c.parts {
		for d, n := range c.parts[p] {
			c.total[d] += int(n)
		}
	}
	return c, nan.Load()
}

// holding is the digit of the number with rank k, and how many have lower ones.
func (c *digitCounts) holding(k int) (digit, before int) {
	for before+c.total[digit] <= k {
		before += c.total[digit]
		digit++
	}
	return digit, before
}

// gathered is the numbers with a digit.
func (c *digitCounts) gathered(ctx context.Context, x []float64, digit int) []float64 {
	out, from := make([]float64, c.total[digit]), make([]int, len(c.parts))
	for p, at := 0, 0; p < len(from); p++ {
		from[p] = at
		at += int(c.parts[p][digit])
	}
	c.eachPart(ctx, x, func(p int, part []float64) {
		own := out[from[p]:][:c.parts[p][digit]]
		for _, v := range part {
			if len(own) == 0 {
				return
			}
			if c.digit(v) == digit {
				own[0], own = v, own[1:]
			}
		}
	})
	return out
}

// leastAbove is the least number with a higher digit.
func (c *digitCounts) leastAbove(ctx context.Context, x []float64, digit int) float64 {
	least := make([]float64, len(c.parts))
	c.eachPart(ctx, x, func(p int, part []float64) {
		least[p] = math.Inf(1)
		for _, v := range part {
			if c.digit(v) > digit {
				least[p] = min(least[p], v)
			}
		}
	})
	return slices.Min(least)
}

// nth puts x into an order in which no number before index k is greater than
// x[k], which it returns, and none after it less: quickselect. There are no NaN.
func nth(x []float64, k int) float64 {
	lo, hi := 0, len(x)-1
	for rounds := 0; lo < hi; rounds++ {
		if hi-lo < 32 || rounds > 100 {
			slices.Sort(x[lo : hi+1])
			break
		}
		a, b, c := x[lo], x[lo+(hi-lo)/2], x[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return x[k]
		}
	}
	return x[k]
}
