package arrays

import (
	"context"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// sortKey maps numbers to integers in their order, NaN last; descending, the
// other numbers the other way round. -0 comes before 0.
func sortKey(x float64, descending bool) uint64 {
	if x != x {
		return math.MaxUint64
	}
	u := math.Float64bits(x)
	if u>>63 != 0 {
		u = ^u
	} else {
		u |= 1 << 63
	}
	if descending {
		return ^u
	}
	return u
}

// ofKey is the number of a key.
func ofKey(u uint64, descending bool) float64 {
	if u == math.MaxUint64 {
		return math.NaN()
	}
	if descending {
		u = ^u
	}
	if u>>63 != 0 {
		return math.Float64frombits(u &^ (1 << 63))
	}
	return math.Float64frombits(^u)
}

// Keys are sorted by comparison up to so many, and by digits beyond.
const fewKeys = 600

// digitBits is how many bits of the keys one pass sorts by.
const digitBits = 11

// sortKeys sorts keys, with what goes with each where places is not nil, stably.
// It needs as much memory again.
func sortKeys(ctx context.Context, keys []uint64, places []int32) error {
	const each = 20 // nanoseconds for a key
	n := len(keys)
	runs := 1
	for runs < parallel.Workers(each*float64(n)) && n/runs > 1<<15 {
		runs *= 2
	}
	other := dense.Room[uint64](n)
	var moved []int32
	if places != nil {
		moved = make([]int32, n)
	}
	bounds := make([]int, runs+1)
	for k := range bounds {
		bounds[k] = k * n / runs
	}
	part := func(x []int32, lo, hi int) []int32 {
		if x == nil {
			return nil
		}
		return x[lo:hi]
	}
	parallel.Pieces(runs, runs, func(k int) {
		lo, hi := bounds[k], bounds[k+1]
		radix(ctx, keys[lo:hi], other[lo:hi], part(places, lo, hi), part(moved, lo, hi))
	})
	for ; runs > 1 && ctx.Err() == nil; runs /= 2 {
		// Each pair of runs is merged in two pieces.
		parallel.Pieces(runs, runs, func(k int) {
			lo, mid, hi := bounds[k/2*2], bounds[k/2*2+1], bounds[k/2*2+2]
			from, to := (hi-lo)/2*(k%2), hi-lo
			if k%2 == 0 {
				to = (hi - lo) / 2
			}
			merge(ctx, keys, other, places, moved, lo, mid, hi, from, to)
		})
		_ = copyAll(ctx, keys, other)
		if places != nil {
			_ = copyAll(ctx, places, moved)
		}
		for k := range runs/2 + 1 {
			bounds[k] = bounds[2*k]
		}
	}
	return ended(ctx)
}

func copyAll[T any](ctx context.Context, dst, src []T) error {
	return share(ctx, len(dst), 0.5, func(lo, hi int) { copy(dst[lo:hi], src[lo:hi]) })
}

// merge writes the elements from … to of the merged runs lo … mid and mid … hi of
// keys to other.
func merge(ctx context.Context, keys, other []uint64, places, moved []int32, lo, mid, hi, from, to int) {
	a, b := keys[lo:mid], keys[mid:hi]
	// How many of the first elements come from a: those not greater than what b has there.
	i, end := max(0, from-len(b)), min(from, len(a))
	for i < end {
		m := (i + end) / 2
		if a[m] <= b[from-m-1] {
			i = m + 1
		} else {
			end = m
		}
	}
	j := from - i
	_ = inTurn(ctx, to-from, 5, func(first, last int) {
		for k := lo + from + first; k < lo+from+last; k++ {
			if j >= len(b) || i < len(a) && a[i] <= b[j] {
				if other[k] = a[i]; places != nil {
					moved[k] = places[lo+i]
				}
				i++
			} else {
				if other[k] = b[j]; places != nil {
					moved[k] = places[mid+j]
				}
				j++
			}
		}
	})
}

// radix sorts keys stably by their digits, the lowest first.
func radix(ctx context.Context, keys, other []uint64, places, moved []int32) {
	if len(keys) <= fewKeys {
		sortFew(keys, places)
		return
	}
	const passes = (64 + digitBits - 1) / digitBits
	const digits = 1 << digitBits
	counts := make([][digits]int32, passes)
	if inTurn(ctx, len(keys), 3, func(lo, hi int) {
		for _, u := range keys[lo:hi] {
			for p := range passes {
				counts[p][u>>(p*digitBits)&(digits-1)]++
			}
		}
	}) != nil {
		return
	}
	from, to, fromAt, toAt := keys, other, places, moved
	for p := range passes {
		count, at := &counts[p], int32(0)
		if int(count[keys[0]>>(p*digitBits)&(digits-1)]) == len(keys) {
			continue // all alike
		}
		for d, n := range count {
			count[d], at = at, at+n
		}
		shift := p * digitBits
		if inTurn(ctx, len(from), 3, func(lo, hi int) {
			if places == nil {
				for _, u := range from[lo:hi] {
					d := u >> shift & (digits - 1)
					to[count[d]] = u
					count[d]++
				}
				return
			}
			for i := lo; i < hi; i++ {
				u := from[i]
				d := u >> shift & (digits - 1)
				k := count[d]
				to[k], toAt[k] = u, fromAt[i]
				count[d]++
			}
		}) != nil {
			return
		}
		from, to, fromAt, toAt = to, from, toAt, fromAt
	}
	if &from[0] != &keys[0] {
		_ = copyAll(ctx, keys, from)
		_ = copyAll(ctx, places, fromAt)
	}
}

// sortFew sorts by comparison.
func sortFew(keys []uint64, places []int32) {
	if places == nil {
		slices.Sort(keys)
		return
	}
	type pair struct {
		key   uint64
		place int32
	}
	pairs := make([]pair, len(keys))
	for i := range pairs {
		pairs[i] = pair{keys[i], places[i]}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return 0
	})
	for i, p := range pairs {
		keys[i], places[i] = p.key, p.place
	}
}
