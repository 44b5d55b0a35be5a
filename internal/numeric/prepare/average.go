package prepare

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
)

// Averaging says which samples [Average] takes together.
type Averaging struct {
	// Block is how many samples in a row are one, the last block being what is left; 0
	// takes those together that have the same inputs.
	Block int
	// Tolerance is by how much inputs may differ and be the same, as a fraction of the
	// largest value of that input.
	Tolerance float64
}

// Average returns one sample for each group of repeats, with the mean of their functions and
// numbers, in the order of their first samples, and how many samples each is the mean of. The
// mean of an output is that of the values that were observed at a point. Samples with other
// labels or parameters are never repeats of one another; a block of such is refused.
func Average(t *dataset.Table, a Averaging) (*dataset.Table, []int, error) {
	if a.Block < 0 {
		return nil, nil, fmt.Errorf("block %d: must be at least 1", a.Block)
	}
	if !(a.Tolerance >= 0 && a.Tolerance < 1) {
		return nil, nil, fmt.Errorf("tolerance %g: must be at least 0 and less than 1", a.Tolerance)
	}
	var groups [][]int
	switch {
	case a.Block > 0:
		for i := range t.N() {
			if i%a.Block == 0 {
				groups = append(groups, nil)
			}
			groups[len(groups)-1] = append(groups[len(groups)-1], i)
		}
		if err := oneLabel(t, groups); err != nil {
			return nil, nil, err
		}
	default:
		groups = repeats(t, a.Tolerance)
	}
	first, counts := make([]int, len(groups)), make([]int, len(groups))
	for k, g := range groups {
		first[k], counts[k] = g[0], len(g)
	}
	out, err := t.Select(first) // labels and parameters
	if err != nil {
		return nil, nil, err
	}
	for k, f := range t.Fields {
		out.Fields[k].Values = means(f, groups)
	}
	for k, f := range t.Outputs {
		out.Outputs[k].Values = means(f, groups)
	}
	for k, s := range t.Scalars {
		out.Scalars[k].Values = means(dataset.Field{Values: matrix(s.Values, 1)}, groups).Data
	}
	return out, counts, nil
}

// oneLabel refuses blocks with several labels or parameters.
func oneLabel(t *dataset.Table, groups [][]int) error {
	for b, g := range groups {
		for _, i := range g[1:] {
			for _, by := range t.Groups {
				if by.Of[i] != by.Of[g[0]] {
					return fmt.Errorf("block %d holds samples of %q and of %q in group %s: their mean would be of neither; choose a block length that does not mix them", b+1, by.Labels[by.Of[g[0]]], by.Labels[by.Of[i]], by.Name)
				}
			}
			for _, p := range t.Parameters {
				if p.Values[i] != p.Values[g[0]] {
					return fmt.Errorf("block %d holds samples with %s = %g and %g: their mean would be of neither; choose a block length that does not mix them", b+1, p.Name, p.Values[g[0]], p.Values[i])
				}
			}
		}
	}
	return nil
}

// repeats are the samples in groups with the same inputs, labels and parameters.
func repeats(t *dataset.Table, tolerance float64) [][]int {
	scale := make([]float64, len(t.Fields)+len(t.Scalars))
	for k, f := range t.Fields {
		scale[k] = tolerance * largest(f.Values.Data)
	}
	for k, s := range t.Scalars {
		scale[len(t.Fields)+k] = tolerance * largest(s.Values)
	}
	var groups [][]int
	known := make(map[string][]int) // groups by what has to be the same to the bit
	for i := range t.N() {
		key := exactKey(t, i, tolerance == 0)
		found := false
		for _, g := range known[key] {
			if found = sameInputs(t, groups[g][0], i, scale); found {
				groups[g] = append(groups[g], i)
				break
			}
		}
		if !found {
			known[key] = append(known[key], len(groups))
			groups = append(groups, []int{i})
		}
	}
	return groups
}

func largest(v []float64) (size float64) {
	for _, x := range v {
		size = max(size, math.Abs(x))
	}
	return size
}

// exactKey is what has to be the same to the bit in repeats of a sample: labels, parameters,
// and, where inputs have no tolerance, those.
func exactKey(t *dataset.Table, i int, inputs bool) string {
	var b []byte
	number := func(v float64) { b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v+0)) } // -0 + 0 is 0
	for _, g := range t.Groups {
		number(float64(g.Of[i]))
	}
	for _, p := range t.Parameters {
		number(p.Values[i])
	}
	if !inputs {
		return string(b)
	}
	for _, f := range t.Fields {
		for _, v := range row(f, i) {
			number(v)
		}
	}
	for _, s := range t.Scalars {
		number(s.Values[i])
	}
	return string(b)
}

// sameInputs reports whether inputs differ by no more than their scale allows.
func sameInputs(t *dataset.Table, i, j int, scale []float64) bool {
	for k, f := range t.Fields {
		b := row(f, j)
		for p, v := range row(f, i) {
			if math.Abs(v-b[p]) > scale[k] {
				return false
			}
		}
	}
	for k, s := range t.Scalars {
		if math.Abs(s.Values[i]-s.Values[j]) > scale[len(t.Fields)+k] {
			return false
		}
	}
	return true
}

// means are those of the rows of each group, over what is observed.
func means(f dataset.Field, groups [][]int) *array.Array {
	m := f.Values.Shape[1]
	out := array.New(len(groups), m)
	for k, g := range groups {
		to := out.Data[k*m : (k+1)*m]
		for p := range to {
			sum, count := 0.0, 0.0
			for _, i := range g {
				if v := f.Values.Data[i*m+p]; !math.IsNaN(v) {
					sum += v / float64(len(g)) // so that large values have a finite mean
					count++
				}
			}
			to[p] = sum * (float64(len(g)) / count) // NaN where nothing was observed
			if count == 1 && len(g) == 1 {
				to[p] = f.Values.Data[g[0]*m+p]
			}
		}
	}
	return out
}

// row is function i of a field.
func row(f dataset.Field, i int) []float64 {
	m := f.Values.Shape[1]
	return f.Values.Data[i*m : (i+1)*m]
}
