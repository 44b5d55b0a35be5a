package outputs

import (
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/numeric/dataset"
)

// Fill puts zeros in place of missing outputs. Of the errors it leaves the weights of pairs.
func Fill(d *dataset.Dataset) *dataset.Dataset {
	filled := *d
	filled.Output, filled.Missing, filled.Errors = d.Output.Copy(), false, pairErrors(d)
	for i, v := range filled.Output.Data {
		if math.IsNaN(v) {
			filled.Output.Data[i] = 0
		}
	}
	return &filled
}

// pairErrors are the weights of pairs alone; nil where there are none.
func pairErrors(d *dataset.Dataset) *dataset.Errors {
	if d.Errors == nil || d.Errors.Pairs == nil {
		return nil
	}
	return &dataset.Errors{Pairs: d.Errors.Pairs}
}

// FewComplete reports whether the pairs without missing outputs are too few to choose λ
// from: less than a quarter.
func FewComplete(d *dataset.Dataset) bool {
	if !Missing(d) {
		return false
	}
	complete, my := 0, d.OutputMesh.Size()
	for i := range d.N() {
		if !slices.ContainsFunc(d.Output.Data[i*my:(i+1)*my], math.IsNaN) {
			complete++
		}
	}
	return complete < max(2, d.N()/4)
}

// CompletePairs returns the pairs without missing outputs, from which λ and
// lengthscales are chosen.
func CompletePairs(d *dataset.Dataset) (*dataset.Dataset, error) {
	var complete []int
	my := d.OutputMesh.Size()
	for i := range d.N() {
		if u := d.Output.Data[i*my : (i+1)*my]; !slices.ContainsFunc(u, math.IsNaN) {
			complete = append(complete, i)
		}
	}
	if n := len(complete); n < 2 {
		return nil, fmt.Errorf("choosing lambda or a lengthscale needs at least 2 pairs without missing outputs, there are %d; give numbers", n)
	}
	out, err := d.Select(complete)
	if err != nil {
		return nil, err
	}
	out.Missing = false
	return out, nil
}

// alikeErrors reports whether the errors of all pairs have the same covariance, up to a factor
// for each: then the outputs are whitened as functions, in the bases of the axis.
func alikeErrors(d *dataset.Dataset) bool { return !Missing(d) && alikeWhereComplete(d) }

// alikeWhereComplete is that of the pairs without missing outputs.
func alikeWhereComplete(d *dataset.Dataset) bool {
	e := d.Errors
	return e != nil && e.Covariance != nil && e.Values == nil && len(d.OutputMesh.Axes()) == 1
}

// Uneven reports whether outputs are missing, or have errors that are not alike: then a fit is one of single values.
func Uneven(d *dataset.Dataset) bool { return Sharp(d) && !alikeErrors(d) }

// FromObserved reports whether λ is to be chosen from single values, however many there are: few pairs are complete, or these have
// errors that are not alike.
func FromObserved(d *dataset.Dataset) bool {
	return FewComplete(d) || sharpErrors(d) && !alikeWhereComplete(d)
}

// Count is the number of observed output values.
func Count(d *dataset.Dataset) int {
	n := 0
	for _, v := range d.Output.Data {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// Missing reports whether an output is NaN.
func Missing(d *dataset.Dataset) bool { return d.Missing && Count(d) < len(d.Output.Data) }

// Sharp reports whether outputs are missing, or their errors differ by more than weights of
// whole pairs.
func Sharp(d *dataset.Dataset) bool { return Missing(d) || sharpErrors(d) }

// sharpErrors reports whether errors differ by more than weights of whole pairs.
func sharpErrors(d *dataset.Dataset) bool {
	e := d.Errors
	return e != nil && (e.Points != nil || e.Values != nil || e.Covariance != nil)
}
