package linop

import (
	"math"
	"slices"
)

// leftOut bounds what is left out of a row of a Toeplitz matrix: the sum of the absolute entries over the largest of all.
// It is half a unit in the last place, less than products by Fourier transforms round.
const leftOut = 0x1p-53

// withinReach leaves out the lags from reach on along each axis, where the entries are nothing beside the largest:
// transforms need be no longer than an array and the reach together. Each axis has its share of what may be left out.
// An entry that is not finite keeps all of them. lagShape is as in [NewToeplitz], and kept that of the values that stay.
func withinReach(shape, lagShape []int, lags []float64) (reach, kept []int, values []float64) {
	sums := make([][]float64, len(shape))
	for i, n := range shape {
		sums[i] = make([]float64, n)
	}
	total, largest := tally(sums, lagShape, lags, 1)
	reach = slices.Clone(shape)
	if share := leftOut * largest / float64(len(shape)); !math.IsInf(total, 1) {
		for i := range reach {
			for left := sums[i][reach[i]-1]; reach[i] > 1 && left <= share; left += sums[i][reach[i]-1] {
				reach[i]--
			}
		}
	}
	if slices.Equal(reach, shape) {
		return reach, lagShape, lags
	}
	kept = slices.Clone(reach)
	for i, n := range shape {
		if lagShape[i] != n {
			kept[i] = 2*reach[i] - 1
		}
	}
	return reach, kept, within(nil, reach, shape, lagShape, lags)
}

// tally adds the absolute entries, times a factor, to the sums of each axis, by how far along it they are; those of an
// even axis are there twice. It returns the sum of all, and the largest.
func tally(sums [][]float64, lagShape []int, lags []float64, times float64) (total, largest float64) {
	n, inner := len(sums[0]), len(lags)/lagShape[0]
	for k := range lagShape[0] {
		far, each := k, times
		switch {
		case lagShape[0] != n:
			far = max(k-n+1, n-1-k)
		case k > 0:
			each *= 2
		}
		value := math.Abs(lags[k*inner])
		sum := each * value
		if len(sums) > 1 {
			sum, value = tally(sums[1:], lagShape[1:], lags[k*inner:(k+1)*inner], each)
		}
		sums[0][far] += sum
		total, largest = total+sum, max(largest, value)
	}
	return total, largest
}

// within appends the lags that are nearer than reach.
func within(to []float64, reach, shape, lagShape []int, lags []float64) []float64 {
	if len(shape) == 0 {
		return append(to, lags...)
	}
	first, end, inner := 0, reach[0], len(lags)/lagShape[0]
	if lagShape[0] != shape[0] {
		first, end = shape[0]-reach[0], shape[0]+reach[0]-1
	}
	if len(shape) == 1 {
		return append(to, lags[first:end]...)
	}
	for k := first; k < end; k++ {
		to = within(to, reach[1:], shape[1:], lagShape[1:], lags[k*inner:(k+1)*inner])
	}
	return to
}
