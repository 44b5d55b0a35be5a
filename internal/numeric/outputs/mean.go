package outputs

import (
	"math"

	"github.com/greenbench/workbench/numeric/dataset"
)

// WithoutMean subtracts from the outputs their mean, weighted by the quadrature, which
// is part of the free constant: a large one would cost digits in everything that follows.
func WithoutMean(d *dataset.Dataset) (*dataset.Dataset, float64) {
	dy := d.OutputMesh.Weights()
	mean := weightedMean(d, dy)
	mean += weightedMean(shifted(d, mean), dy) // what rounding left of it
	return shifted(d, mean), mean
}

func shifted(d *dataset.Dataset, by float64) *dataset.Dataset {
	out := *d
	out.Output = d.Output.Copy()
	for i := range out.Output.Data {
		out.Output.Data[i] -= by
	}
	return &out
}

func weightedMean(d *dataset.Dataset, dy []float64) float64 {
	var sum, length float64
	for i, v := range d.Output.Data {
		if w := dy[i%len(dy)]; !math.IsNaN(v) && w > 0 {
			sum += w * v
			length += w
		}
	}
	if length == 0 {
		return 0
	}
	return sum / length
}
