package arrays

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// Histogram counts the numbers between neighbouring edges, which increase: each
// from its left edge on to before the right one, the last one with it. Numbers
// outside and NaN are left out. Weights, where they are not nil, are added up. The
// context can stop it.
func Histogram(ctx context.Context, a *array.Array, edges []float64, weights *array.Array) (*array.Array, error) {
	if len(edges) < 2 {
		return nil, fmt.Errorf("%d edges: want two or more", len(edges))
	}
	for i, x := range edges {
		if math.IsNaN(x) || i > 0 && x < edges[i-1] {
			return nil, fmt.Errorf("edges[%d] %g: want increasing numbers", i+1, x)
		}
	}
	if weights != nil && !slices.Equal(weights.Shape, a.Shape) {
		return nil, fmt.Errorf("weights of shape %s: want one for each number, shape %s", dense.ShapeString(weights.Shape), dense.ShapeString(a.Shape))
	}
	counts, err := Full(ctx, 0, len(edges)-1)
	if err != nil {
		return nil, err
	}
	last := len(edges) - 1
	low, high := edges[0], edges[last]
	scale := float64(last) / (high - low)
	even := dense.Finite(scale) && scale > 0
	err = inTurn(ctx, a.Size(), 10, func(lo, hi int) {
		for i, x := range a.Data[lo:hi] {
			if !(x >= low && x <= high) {
				continue
			}
			k := 0
			if even { // a guess, which the edges around it put right
				k = min(int((x-low)*scale), last-1)
				for k > 0 && x < edges[k] {
					k--
				}
				for steps := 0; k < last-1 && x >= edges[k+1]; steps++ {
					if k++; steps > 4 {
						break
					}
				}
			}
			if !(x >= edges[k] && (x < edges[k+1] || k == last-1)) {
				k = min(sort.Search(len(edges), func(j int) bool { return edges[j] > x })-1, last-1)
			}
			w := 1.0
			if weights != nil {
				w = weights.Data[lo+i]
			}
			counts.Data[k] += w
		}
	})
	return counts, err
}

// Bins returns n+1 equally spaced edges from the least to the greatest number; of
// no numbers 0 to 1, and of equal ones half a unit to both sides.
func Bins(ctx context.Context, a *array.Array, n int, low, high float64) (*array.Array, error) {
	if n < 1 {
		return nil, fmt.Errorf("bins %d: must be at least 1", n)
	}
	if math.IsNaN(low) {
		if low, high = 0, 1; a.Size() > 0 {
			low, high = extreme(ctx, a.Data, false), extreme(ctx, a.Data, true)
		}
	}
	if err := ended(ctx); err != nil {
		return nil, err
	}
	if !dense.Finite(low) || !dense.Finite(high) {
		return nil, fmt.Errorf("the numbers reach from %g to %g: give a finite range", low, high)
	}
	if high < low {
		return nil, fmt.Errorf("range {%g, %g}: want the lower end first", low, high)
	}
	if low == high {
		low, high = low-0.5, high+0.5
	}
	return LinSpace(ctx, low, high, n+1)
}

// BinCount counts how often each of the integers 0, 1, … comes, up to the greatest,
// but at least so many of them; weights, where they are not nil, are added up. The
// context can stop it.
func BinCount(ctx context.Context, a *array.Array, weights *array.Array, least int) (*array.Array, error) {
	if weights != nil && weights.Size() != a.Size() {
		return nil, fmt.Errorf("%d weights: want one for each of the %d numbers", weights.Size(), a.Size())
	}
	if counts, err := countFew(ctx, a, weights, least); counts != nil || err != nil {
		return counts, err
	}
	top, wrong, err := greatestCount(ctx, a)
	if err != nil {
		return nil, err
	}
	if wrong < a.Size() {
		return nil, fmt.Errorf("element %d is %g: want integers from 0 on", wrong+1, a.Data[wrong])
	}
	n := max(top+1, float64(least))
	if err := dense.CheckSize(fmt.Sprintf("counts of 0 to %.0f:", n-1), n); err != nil {
		return nil, err
	}
	out, err := Full(ctx, 0, int(n))
	if err != nil {
		return nil, err
	}
	return out, inTurn(ctx, a.Size(), 3, func(lo, hi int) {
		if weights == nil {
			for _, x := range a.Data[lo:hi] {
				out.Data[int(x)]++
			}
			return
		}
		for i, x := range a.Data[lo:hi] {
			out.Data[int(x)] += weights.Data[lo+i]
		}
	})
}

// greatestCount is the greatest number, -1 of none, and the place of the first one
// that is no integer from 0 on, or behind the last.
func greatestCount(ctx context.Context, a *array.Array) (top float64, wrong int, err error) {
	var lock sync.Mutex
	top, wrong = -1, a.Size()
	err = share(ctx, a.Size(), 1, func(lo, hi int) {
		most, bad := -1.0, hi
		for i, x := range a.Data[lo:hi] {
			if !(x >= 0 && x <= 1<<53) || float64(int(x)) != x {
				bad = lo + i
				break
			}
			most = max(most, x)
		}
		lock.Lock()
		defer lock.Unlock()
		top = max(top, most)
		if bad < hi {
			wrong = min(wrong, bad)
		}
	})
	return top, wrong, err
}

// countable is how many counts a processor has of its own: they stay in the fastest cache.
const countable = 1 << 12

// countFew counts integers below countable on all processors, or adds up their weights:
// pieces, which are the same for any number of processors, have sums of their own,
// which are added up in their order. It is nil where there are other numbers.
func countFew(ctx context.Context, a *array.Array, weights *array.Array, least int) (*array.Array, error) {
	const piece = 1 << 18
	if a.Size() < countable || least > countable {
		return nil, nil
	}
	sums, tops := make([][countable]float64, (a.Size()+piece-1)/piece), make([]int, (a.Size()+piece-1)/piece)
	var others atomic.Bool
	err := share(ctx, len(sums), 2*piece, func(lo, hi int) {
		for p := lo; p < hi && !others.Load(); p++ {
			from, to, ok := p*piece, min((p+1)*piece, a.Size()), false
			if weights == nil {
				tops[p], ok = countEach(&sums[p], a.Data[from:to])
			} else {
				tops[p], ok = addEach(&sums[p], a.Data[from:to], weights.Data[from:to])
			}
			if !ok {
				others.Store(true)
			}
		}
	})
	if err != nil || others.Load() {
		return nil, err
	}
	total := sums[0][:]
	for p := range sums[1:] {
		vector.Add(total, total, sums[p+1][:])
	}
	return array.Vector(slices.Clone(total[:max(slices.Max(tops)+1, least)])), nil
}

// countEach sets sums to how often each integer comes, and returns the greatest one;
// it stops at a number that is none from 0 on and below countable.
func countEach(sums *[countable]float64, numbers []float64) (top int, ok bool) {
	var counts [countable]int32 // faster than to add 1 to a float64
	for _, x := range numbers {
		k := int(x)
		if uint(k) >= countable || float64(k) != x {
			return 0, false
		}
		counts[k]++
	}
	for k, n := range counts {
		if sums[k] = float64(n); n > 0 {
			top = k
		}
	}
	return top, true
}

// addEach is countEach with a weight for each number, which it adds.
func addEach(sums *[countable]float64, numbers, weights []float64) (top int, ok bool) {
	weights = weights[:len(numbers)]
	for i, x := range numbers {
		k := int(x)
		if uint(k) >= countable || float64(k) != x {
			return 0, false
		}
		sums[k] += weights[i]
		top = max(top, k)
	}
	return top, true
}

// Update sets a to a op b in place: op is one of + - * / ^, or = for b alone, which
// is repeated to the shape of a. b may be a part of a.
func Update(ctx context.Context, a *array.Array, op byte, b *array.Array) error {
	shape, err := broadcastShape(a.Shape, b.Shape)
	if err != nil || !slices.Equal(shape, a.Shape) {
		return fmt.Errorf("value of shape %s: does not fit into shape %s", dense.ShapeString(b.Shape), dense.ShapeString(a.Shape))
	}
	if len(b.Data) > 0 && len(b.Data) != len(a.Data) && (len(b.Data) == 1 || sharing(a.Data, b.Data)) {
		b = b.Copy() // it would change on the way
	}
	return updated(ctx, a, b, op)
}

// Clip returns the numbers, those below low or above high set to them, which
// broadcast; NaN stays. Where low is above high, it is high.
func Clip(ctx context.Context, a *array.Array, low, high *array.Array) (*array.Array, error) {
	out, err := combined(ctx, a, low, vector.Max, 0.5)
	if err != nil {
		return nil, err
	}
	shape, err := broadcastShape(out.Shape, high.Shape)
	if err != nil || !slices.Equal(shape, out.Shape) {
		return combined(ctx, out, high, vector.Min, 0.5)
	}
	return out, zipped(ctx, out.Data, layoutOf(shape, shape, high.Shape), out.Data, high.Data, 0.5, vector.Min)
}

// Round returns the numbers to so many decimals, negative for tens, hundreds …;
// halves go to the even neighbour, as in NumPy.
func Round(ctx context.Context, a *array.Array, decimals int) (*array.Array, error) {
	scale := math.Pow10(max(decimals, -decimals))
	out, err := unset(a.Shape...)
	if err != nil {
		return nil, err
	}
	return out, mapped(ctx, out.Data, a.Data, 1.5, func(dst, a []float64) {
		a = a[:len(dst)]
		if decimals == 0 {
			vector.RoundEven(dst, a)
			return
		}
		for i, x := range a {
			y := math.RoundToEven(x*scale) / scale
			if decimals < 0 {
				y = math.RoundToEven(x/scale) * scale
			}
			switch {
			case dense.Finite(y):
			case decimals < 0 && dense.Finite(x): // every number is nearer to 0 than to the scale
				y = math.Copysign(0, x)
			default:
				y = x // the scale is too much for it
			}
			dst[i] = y
		}
	})
}
