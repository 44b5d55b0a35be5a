package outputs

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
)

// ErrorVariances are those of the errors of all outputs that were observed, over that of white
// noise, and NaN of the others.
func ErrorVariances(d *dataset.Dataset) []float64 {
	my, e, dy := d.OutputMesh.Size(), d.Errors, d.OutputMesh.Weights()
	var c *mat.SymDense
	if e != nil && e.Covariance != nil {
		c = ScaledCovariance(d)
	}
	out := make([]float64, len(d.Output.Data))
	for i, v := range d.Output.Data {
		out[i] = 1
		switch {
		case math.IsNaN(v) || !(dy[i%my] > 0):
			out[i] = math.NaN()
			continue
		case e == nil:
			continue
		case c != nil:
			out[i] = c.At(i%my, i%my)
		}
		if e.Pairs != nil {
			out[i] /= e.Pairs[i/my]
		}
		if e.Points != nil {
			out[i] /= e.Points[i%my]
		}
		if e.Values != nil {
			out[i] /= e.Values.Data[i]
		}
	}
	return out
}

// MeanVariance is that of the errors of what was observed of outputs, over that of white noise.
func MeanVariance(d *dataset.Dataset) float64 {
	sum, count := 0.0, 0.0
	for _, v := range ErrorVariances(d) {
		if !math.IsNaN(v) {
			sum, count = sum+v, count+1
		}
	}
	return sum / max(count, 1)
}

// NoiseDeviation is that of the noise of a value, for the least value of the objective: REML
// takes this for the noise of the samples, squared and integrated over the observed outputs,
// where their errors have the variance of white noise.
func NoiseDeviation(d *dataset.Dataset, least float64) float64 {
	length, dy := 0.0, d.OutputMesh.Weights()
	for i, v := range d.Output.Data {
		if !math.IsNaN(v) {
			length += dy[i%len(dy)] / float64(d.N())
		}
	}
	return math.Sqrt(least * MeanVariance(d) / length)
}
