package outputs

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/numeric/dataset"
)

// VariancesOf returns what stores the variances of the errors of all outputs of one pair, over that of white noise, and
// NaN for those that were not observed.
func VariancesOf(d *dataset.Dataset) func(dst []float64, pair int) {
	my, e, dy := d.OutputMesh.Size(), d.Errors, d.OutputMesh.Weights()
	var c *mat.SymDense
	if e != nil && e.Covariance != nil {
		c = ScaledCovariance(d)
	}
	return func(dst []float64, pair int) {
		for k, v := range d.Output.Data[pair*my:][:my] {
			dst[k] = 1
			switch {
			case math.IsNaN(v) || !(dy[k] > 0):
				dst[k] = math.NaN()
				continue
			case e == nil:
				continue
			case c != nil:
				dst[k] = c.At(k, k)
			}
			if e.Pairs != nil {
				dst[k] /= e.Pairs[pair]
			}
			if e.Points != nil {
				dst[k] /= e.Points[k]
			}
			if e.Values != nil {
				dst[k] /= e.Values.Data[pair*my+k]
			}
		}
	}
}

// ErrorVariances are those of all pairs, one after the other.
func ErrorVariances(d *dataset.Dataset) []float64 {
	my, of := d.OutputMesh.Size(), VariancesOf(d)
	out := make([]float64, len(d.Output.Data))
	for i := range d.Output.Shape[0] { // inputs are not needed
		of(out[i*my:][:my], i)
	}
	return out
}

// MeanVariance is that of the errors of what was observed of outputs, over that of white noise.
func MeanVariance(d *dataset.Dataset) float64 {
	sum, count := 0.0, 0.0
	row, of := make([]float64, d.OutputMesh.Size()), VariancesOf(d)
	for i := range d.Output.Shape[0] {
		of(row, i)
		for _, v := range row {
			if !math.IsNaN(v) {
				sum, count = sum+v, count+1
			}
		}
		if d.Errors == nil && count > 0 { // all are alike
			return 1
		}
	}
	return sum / max(count, 1)
}

// NoiseDeviation is that of the noise of a value, for the least value of the objective: REML
// takes this for the noise of the samples, squared and integrated over the observed outputs,
// where their errors have the variance of white noise. A free constant is fitted to one of the values.
func NoiseDeviation(d *dataset.Dataset, least float64, flat bool) float64 {
	length, count, share := 0.0, 0.0, d.OutputMesh.Weights()
	for k := range share {
		share[k] /= float64(d.N())
	}
	for row := range slices.Chunk(d.Output.Data, len(share)) {
		for k, v := range row {
			if !math.IsNaN(v) {
				length, count = length+share[k], count+1
			}
		}
	}
	if flat && count > 1 {
		length *= 1 - 1/count
	}
	return math.Sqrt(least * MeanVariance(d) / length)
}

// Spread2 is the squared difference of the outputs from their mean curve, integrated, in the mean of
// the pairs; values that are missing do not count. At points that curves have for themselves the others are
// as [dataset.Field.Filled] has them.
func Spread2(d *dataset.Dataset) float64 {
	my, sum, filled := d.OutputMesh.Size(), 0.0, d.Filled()
	for k, w := range d.OutputMesh.Weights() {
		var all []float64
		for i := range d.N() {
			if v := filled.At(i, k); !math.IsNaN(v) {
				all = append(all, v)
			}
		}
		mean := stat.Mean(all, nil)
		for i := range d.N() {
			if v := d.Output.Data[i*my+k]; !math.IsNaN(v) {
				sum += w * (v - mean) * (v - mean) / float64(d.N())
			}
		}
	}
	return sum
}
