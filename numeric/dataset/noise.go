package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// Second words of the seeds, so that noise and split of one seed have nothing
// to do with each other.
const (
	noiseStream uint64 = 0x6e6f697365 // "noise"
	splitStream uint64 = 0x73706c6974 // "split"
)

// Spread is σ_u = √(mean over i and k of (u_ik - ū_k)²), ū_k the mean of output
// point k over the pairs (paper, appendix "Noise Model"): by how much outputs
// differ between pairs. Missing outputs do not count. Outputs on points of their own are
// compared with the mean of all pairs there, taken linearly between the points of each and
// beyond them as at the nearest.
func (d *Dataset) Spread() float64 {
	if ofCurves(d.OutputMesh) && d.OutputMesh.Dim() == 1 {
		return d.spreadOfCurves()
	}
	n, m := d.N(), d.OutputMesh.Size()
	total, observed := 0.0, 0
	for k := range m {
		mean, count := 0.0, 0
		for i := range n {
			if v := d.Output.Data[i*m+k]; !math.IsNaN(v) {
				mean += v
				count++
			}
		}
		mean /= float64(count)
		for i := range n {
			if v := d.Output.Data[i*m+k]; !math.IsNaN(v) {
				total += (v - mean) * (v - mean)
			}
		}
		observed += count
	}
	return math.Sqrt(total / float64(observed))
}

// Noise returns the dataset with noisy outputs u + level·σ_u·ε, σ_u the
// [Dataset.Spread] and ε independent standard normal numbers: the paper's noise
// model, level 0.2 being 20 %. The receiver keeps the clean outputs. Missing
// outputs stay missing and do not change the noise of the others.
func (d *Dataset) Noise(level float64, seed uint64) (*Dataset, error) {
	if !(level >= 0) || math.IsInf(level, 1) {
		return nil, fmt.Errorf("level %g: must be >= 0 and finite", level)
	}
	sigma := level * d.Spread()
	if sigma == 0 && level > 0 {
		return nil, fmt.Errorf("level %g: noise is relative to how outputs differ between pairs, and the %d pairs do not", level, d.N())
	}
	rng := rand.New(rand.NewPCG(seed, noiseStream))
	out := *d
	out.NoiseLevel = math.Hypot(d.NoiseLevel, level)
	out.Output = d.Output.Map(func(u float64) float64 {
		// The conversion forbids a fused multiply-add: same bits on every machine.
		return u + float64(sigma*rng.NormFloat64())
	})
	return &out, nil
}

// RelativeErrors returns for each row √(Σ(pred-truth)² / Σ truth²), unweighted
// sums over the points. Both are n × m; points where the truth is NaN (missing)
// do not count. A row of the truth without a number that is not 0 is an error.
func RelativeErrors(pred, truth *array.Array) ([]float64, error) {
	if !sameShape(pred, truth) {
		return nil, fmt.Errorf("predictions %s, truth %s: want the same shape, pairs × points",
			dense.ShapeString(pred.Shape), dense.ShapeString(truth.Shape))
	}
	n, m := truth.Shape[0], truth.Shape[1]
	relative := make([]float64, n)
	difference, observed := make([]float64, 0, m), make([]float64, 0, m)
	for i := range n {
		difference, observed = difference[:0], observed[:0]
		for k := i * m; k < (i+1)*m; k++ {
			if u := truth.Data[k]; !math.IsNaN(u) {
				difference = append(difference, pred.Data[k]-u)
				observed = append(observed, u)
			}
		}
		norm := floats.Norm(observed, 2)
		if norm == 0 {
			return nil, fmt.Errorf("truth[%d]: is 0 or missing everywhere, so that there is no relative error", i+1)
		}
		relative[i] = floats.Norm(difference, 2) / norm
	}
	return relative, nil
}

func sameShape(a, b *array.Array) bool {
	return a.Rank() == 2 && b.Rank() == 2 && a.Shape[0] == b.Shape[0] && a.Shape[1] == b.Shape[1]
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
	if !sameShape(pred, truth) {
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
