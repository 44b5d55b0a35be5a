package assess

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Choice is an input that is to be measured next.
type Choice struct {
	Candidate int     // from 0
	SD        float64 // of its prediction before that, root mean square over the output
}

// Next chooses inputs, of candidates in the rows of f, one after the other: each the one whose
// prediction is least sure, given the data and those chosen before. Their outputs do not matter for
// that. Cost: n fits, and the bands of all candidates each time.
func Next(ctx context.Context, e *fit.Estimate, f *mat.Dense, n int) ([]Choice, error) {
	count, m := f.Dims()
	switch {
	case m != e.InputMesh.Size():
		return nil, fmt.Errorf("candidates: have %d values each, must have %d, one per point of the input mesh", m, e.InputMesh.Size())
	case n < 1 || n > count:
		return nil, fmt.Errorf("n %d: must be at least 1 and at most %d, the candidates", n, count)
	}
	for i := range count {
		for j, v := range f.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("candidates[%d][%d] is %g: must be finite", i+1, j+1, v)
			}
		}
	}
	weights := e.OutputMesh.Weights()
	total := 0.0
	for _, w := range weights {
		total += w
	}
	taken := make([]bool, count)
	var chosen []Choice
	for k := range n {
		progress.Report(ctx, progress.Step{Task: "next input", Done: float64(k), Total: float64(n)})
		if k > 0 {
			var err error
			if e, err = e.Beside(ctx, f.RawRowView(chosen[k-1].Candidate)); err != nil {
				return nil, err
			}
		}
		sd, err := e.PredictStd(ctx, f, mesh.Mesh{}, mesh.Mesh{})
		if err != nil {
			return nil, err
		}
		best := Choice{SD: -1}
		for i := range count {
			sum := 0.0
			for j, v := range sd.RawRowView(i) {
				sum += weights[j] * v * v / total
			}
			if v := math.Sqrt(sum); !taken[i] && v > best.SD {
				best = Choice{i, v}
			}
		}
		chosen, taken[best.Candidate] = append(chosen, best), true
	}
	return chosen, nil
}
