package model

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/greenbench/workbench/numeric/dataset"
)

// orderOfCoupled is the order in which coupled outputs are fitted, for the search for their covariances ends where it does by way
// of their parameters, of which the first output has others than the last: by how much was observed of them, then by the
// fourth moment of what was, in its own units, whatever their names, units and origins; nil where they are not coupled.
func (s *Spec) orderOfCoupled() []int {
	if !s.Coregional {
		return nil
	}
	order, keys := make([]int, len(s.Data.Outputs)), make([][2]float64, len(s.Data.Outputs))
	for i := range order {
		order[i] = i
		keys[i][0], keys[i][1] = fourthMoment(&s.Data.Outputs[i])
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(keys[b][0], keys[a][0]), cmp.Compare(keys[b][1], keys[a][1]))
	})
	return order
}

// fourthMoment is that of what was observed of an output, without its mean, over the square of the second, and how much that was.
func fourthMoment(out *dataset.Field) (count, moment float64) {
	var seen []float64
	for _, v := range out.Values.Data {
		if !math.IsNaN(v) {
			seen = append(seen, v)
		}
	}
	if len(seen) == 0 {
		return 0, 0
	}
	slices.Sort(seen) // sums do not depend on the order of the samples
	count = float64(len(seen))
	mean, second, fourth := 0.0, 0.0, 0.0
	for _, v := range seen {
		mean += (v - seen[0]) / count
	}
	for _, v := range seen {
		second += (v - seen[0] - mean) * (v - seen[0] - mean) / count
	}
	if !(second > 0) {
		return count, 0
	}
	for _, v := range seen {
		z := (v - seen[0] - mean) / math.Sqrt(second)
		fourth += z * z * z * z / count
	}
	return count, fourth
}

// asNamed is a list by outputs in the order of the data, from that in which they were fitted.
func asNamed[T any](order []int, list []T) []T {
	if order == nil {
		return list
	}
	out := make([]T, len(list))
	for i, at := range order {
		out[at] = list[i]
	}
	return out
}

// checkOrder tells whether an order that was read is one of the outputs; nil: as they are.
func (s *Spec) checkOrder() error {
	sorted := slices.Sorted(slices.Values(s.order))
	for i, at := range sorted {
		if i != at || len(sorted) != len(s.Data.Outputs) || !s.Coregional {
			return errors.New("order: is none of the outputs")
		}
	}
	return nil
}
