package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

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
// compared with the mean of all pairs there, each as [Dataset.Filled] has it.
func (d *Dataset) Spread() float64 {
	if ofCurves(d.OutputMesh) {
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
	if pred.Rank() != 2 || !slices.Equal(pred.Shape, truth.Shape) {
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
