package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// RelativeError is √(Σ (a - b)² / Σ b²), the relative error of values a against
// the truth b; unweighted sums (paper, section 5).
func RelativeError(a, b []float64) (float64, error) {
	if len(a) != len(b) {
		return 0, fmt.Errorf("relative error: %d values against %d", len(a), len(b))
	}
	norm := floats.Norm(b, 2)
	if norm == 0 {
		return 0, fmt.Errorf("relative error: the truth is zero everywhere")
	}
	return floats.Distance(a, b, 2) / norm, nil
}

// A Summary is what errors of many pairs come to.
type Summary struct {
	Mean float64 `arg:"mean"`
	RMS  float64 `arg:"rms"`
	Max  float64 `arg:"max"`
	R2   float64 `arg:"r2"` // see R2; 0 from Summarize
}

// Summarize returns mean, root mean square and maximum of at least one number;
// a NaN among them makes all three NaN.
func Summarize(values []float64) (Summary, error) {
	if len(values) == 0 {
		return Summary{}, fmt.Errorf("summary: of no numbers")
	}
	s := Summary{Max: math.Inf(-1)}
	for _, v := range values {
		s.Mean += v
		s.RMS += v * v
		s.Max = max(s.Max, v)
	}
	s.Mean /= float64(len(values))
	s.RMS = math.Sqrt(s.RMS / float64(len(values)))
	return s, nil
}

// R2 is 1 - Σ w (truth - pred)² / Σ w (truth - mean curve)², the skill against predicting
// the mean of the rows of the truth: 1 is perfect, 0 no better than the mean. Both are
// n × m; w weighs the m points. Missing values (NaN) of the truth do not count. For one
// row the mean is that over its points. NaN where the truth does not vary.
func R2(pred, truth *array.Array, w []float64) (float64, error) {
	if pred.Rank() != 2 || !slices.Equal(pred.Shape, truth.Shape) {
		return 0, fmt.Errorf("predictions %s, truth %s: want the same shape, pairs × points",
			dense.ShapeString(pred.Shape), dense.ShapeString(truth.Shape))
	}
	m := truth.Shape[1]
	mean := meanCurve(truth, w)
	var misfit, spread float64
	for i, v := range truth.Data {
		if math.IsNaN(v) {
			continue
		}
		k := i % m
		misfit += w[k] * (v - pred.Data[i]) * (v - pred.Data[i])
		spread += w[k] * (v - mean[k]) * (v - mean[k])
	}
	return 1 - misfit/spread, nil
}

// meanCurve is the mean of the rows at each point; of one row the mean over the points.
func meanCurve(truth *array.Array, w []float64) []float64 {
	n, m := truth.Shape[0], truth.Shape[1]
	mean, count := make([]float64, m), make([]float64, m)
	for i, v := range truth.Data {
		if k := i % m; !math.IsNaN(v) {
			mean[k] += v
			count[k]++
		}
	}
	if n == 1 {
		var sum, length float64
		for k, v := range mean {
			sum += w[k] * v
			length += w[k] * count[k]
		}
		for k := range mean {
			mean[k] = sum / length
		}
		return mean
	}
	for k := range mean {
		mean[k] /= max(count[k], 1)
	}
	return mean
}
