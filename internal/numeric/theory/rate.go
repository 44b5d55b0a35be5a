package theory

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// RateStudy is an experiment on the rate of convergence: for each number of pairs
// n, inputs with covariance Input and outputs ∫ G f + noise are drawn, and G is
// learned with λ = Scale n^(-r/(r+1)).
type RateStudy struct {
	Kernel     kernel.Kernel // of the estimator
	Input      kernel.Kernel // Σ_F, the covariance of the inputs
	InputMesh  mesh.Mesh
	OutputMesh mesh.Mesh
	Green      *mat.Dense // the truth, mx × my
	Noise      float64    // standard deviation of an output value
	N          []int
	Repeat     int     // draws for each n; 0: 5
	Scale      float64 // 0: such that λ is REML's choice at the smallest n
	Decay      float64 // r; 0: fitted to γ of the inputs of the largest n
	Seed       uint64
}

// Rate is what a RateStudy finds. The theory (paper, theorem 4.5) bounds the error
// by a multiple of n^Predicted; a steeper Slope is no contradiction.
type Rate struct {
	N         []float64
	Lambda    []float64
	Error     []float64 // mean of ‖Ĝ - G‖²_ΣF, the prediction error beyond the noise
	Slope     float64   // of log Error against log N
	Predicted float64   // -r/(r+1)
	Decay     float64   // r
}

// Run does the experiment.
func (s RateStudy) Run(ctx context.Context) (*Rate, error) {
	if len(s.N) < 2 || slices.Min(s.N) < 1 || slices.Min(s.N) == slices.Max(s.N) {
		return nil, fmt.Errorf("n: must hold at least two different numbers of pairs")
	}
	if r, c := s.Green.Dims(); r != s.InputMesh.Size() || c != s.OutputMesh.Size() {
		return nil, fmt.Errorf("green: is %d × %d, must be %d × %d, one value for each pair of points", r, c, s.InputMesh.Size(), s.OutputMesh.Size())
	}
	if s.Repeat == 0 {
		s.Repeat = 5
	}
	out := &Rate{Decay: s.Decay}
	seed := s.Seed
	if out.Decay == 0 {
		d, err := s.draw(ctx, slices.Max(s.N), seed)
		if err != nil {
			return nil, err
		}
		both, err := Simultaneous(ctx, d, s.Kernel, 0)
		if err != nil {
			return nil, err
		}
		law, err := FitDecay(both.Gamma, false)
		if err != nil {
			return nil, err
		}
		if out.Decay = law.Rate; law.Exponential { // faster than any power
			out.Decay = math.Inf(1)
		}
	}
	out.Predicted = -1
	if !math.IsInf(out.Decay, 1) {
		out.Predicted = -out.Decay / (out.Decay + 1)
	}
	population, err := s.population(ctx)
	if err != nil {
		return nil, err
	}
	done, logN, logE := 0, []float64{}, []float64{}
	for _, n := range sortedInts(s.N) {
		sum, lambda := 0.0, s.Scale*math.Pow(float64(n), out.Predicted)
		for range s.Repeat {
			seed++
			d, err := s.draw(ctx, n, seed)
			if err != nil {
				return nil, err
			}
			e, err := fit.Minimise(ctx, fit.Spec{Data: d, Kernel: s.Kernel, NoBias: true, Lambda: lambda})
			if err != nil {
				return nil, err
			}
			if lambda == 0 {
				lambda = e.Report.Lambda
				s.Scale = lambda * math.Pow(float64(n), -out.Predicted)
			}
			v, err := s.error(ctx, e, population)
			if err != nil {
				return nil, err
			}
			sum += v
			done++
			progress.Report(ctx, progress.Step{Task: "rate", Done: float64(done), Total: float64(len(s.N) * s.Repeat)})
		}
		mean := sum / float64(s.Repeat)
		out.N, out.Lambda, out.Error = append(out.N, float64(n)), append(out.Lambda, lambda), append(out.Error, mean)
		logN, logE = append(logN, math.Log(float64(n))), append(logE, math.Log(mean))
	}
	_, out.Slope = stat.LinearRegression(logN, logE, nil, false)
	return out, nil
}

func sortedInts(v []int) []int {
	s := slices.Clone(v)
	slices.Sort(s)
	return slices.Compact(s)
}

// draw makes n pairs.
func (s RateStudy) draw(ctx context.Context, n int, seed uint64) (*dataset.Dataset, error) {
	f, err := randfield.Field{Kernel: s.Input, Mesh: s.InputMesh, N: n, Seed: seed}.Draw(ctx)
	if err != nil {
		return nil, err
	}
	in, err := f.Matrix()
	if err != nil {
		return nil, err
	}
	noise, err := randfield.Normal(seed+1<<32, n, s.OutputMesh.Size())
	if err != nil {
		return nil, err
	}
	weighted := mat.DenseCopyOf(in)
	w := s.InputMesh.Weights()
	weighted.Apply(func(_, j int, v float64) float64 { return v * w[j] }, weighted)
	u := mat.NewDense(n, s.OutputMesh.Size(), nil)
	if err := linop.MulContext(ctx, u, weighted, s.Green); err != nil {
		return nil, err
	}
	for i, v := range noise.Data {
		u.RawMatrix().Data[i] += s.Noise * v
	}
	return dataset.New(dataset.Spec{Input: f, Output: array.FromMatrix(u), InputMesh: s.InputMesh, OutputMesh: s.OutputMesh})
}

// population is dx Σ_F dx.
func (s RateStudy) population(ctx context.Context) (*mat.Dense, error) {
	f, err := kernels.Compile(s.Input, kernel.Space{Names: s.InputMesh.Names()})
	if err != nil {
		return nil, err
	}
	g, err := f.Gram(ctx, s.InputMesh, s.InputMesh)
	if err != nil {
		return nil, err
	}
	w := s.InputMesh.Weights()
	g.Apply(func(i, j int, v float64) float64 { return w[i] * v * w[j] }, g)
	return g, nil
}

// error is ‖Ĝ - G‖²_ΣF.
func (s RateStudy) error(ctx context.Context, e *fit.Estimate, population *mat.Dense) (float64, error) {
	g, err := e.Green(ctx, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return 0, err
	}
	g.Sub(g, s.Green)
	var t mat.Dense
	if err := linop.MulContext(ctx, &t, population, g); err != nil {
		return 0, err
	}
	sum := 0.0
	for k, w := range s.OutputMesh.Weights() {
		sum += w * mat.Dot(g.ColView(k), t.ColView(k))
	}
	return sum, nil
}
