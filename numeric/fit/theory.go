package fit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/progress"
	"github.com/greenbench/workbench/numeric/randfield"
)

// The quantities of the paper's error analysis (section 4, appendices C and D) on
// meshes: spectra of kernels, the simultaneous diagonalisation of the inputs and
// the kernel, and the rate of convergence they predict.

// maxSpectrum bounds the matrices whose eigenvalues are computed.
const maxSpectrum = 2500

// Eigenvalues returns the eigenvalues of the integral operator of a kernel, by the
// quadrature of the mesh, largest first: those of w^½ k w^½. O(m³).
func Eigenvalues(ctx context.Context, k kernel.Kernel, m mesh.Mesh) ([]float64, error) {
	if m.Size() > maxSpectrum {
		return nil, fmt.Errorf("mesh: has %d points, must have at most %d for all eigenvalues", m.Size(), maxSpectrum)
	}
	f, err := kernel.Compile(k, kernel.Space{Names: m.Names()})
	if err != nil {
		return nil, err
	}
	g, err := f.Gram(ctx, m, m)
	if err != nil {
		return nil, err
	}
	root := roots(m.Weights(), []float64{1})
	g.Apply(func(i, j int, v float64) float64 { return root[i] * v * root[j] }, g)
	values, _, err := spectrum(ctx, g, false)
	return values, err
}

// spectrum returns the eigenvalues of the symmetric part of a matrix, largest
// first, and eigenvectors in columns.
func spectrum(ctx context.Context, a *mat.Dense, vectors bool) ([]float64, *mat.Dense, error) {
	n, _ := a.Dims()
	if !vectors {
		values, err := linop.Eigenvalues(ctx, a)
		slices.Reverse(values)
		return values, nil, err
	}
	values, v, err := linop.Eigen(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	slices.Reverse(values)
	turned := mat.NewDense(n, n, nil)
	turned.Apply(func(i, j int, _ float64) float64 { return v.At(i, n-1-j) }, turned)
	return values, turned, nil
}

// Decay describes how values fall: like k^(-Rate), or like exp(-Rate k) when
// Exponential.
type Decay struct {
	Rate        float64
	Exponential bool    // a line in log value against k fits better than one against log k
	Fit         float64 // R² of the line
	From, To    int     // the values it was fitted to, counted from 1
}

// FitDecay fits the decay of values, sorted first, by least squares on their
// logarithms. It leaves out the first, where an asymptotic law does not hold yet,
// those below 1e-12 of the largest, which are rounding, and of the rest the last
// three quarters, which a mesh does not resolve; all says to keep these.
func FitDecay(values []float64, all bool) (Decay, error) {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	slices.Reverse(sorted)
	const rounding, least = 1e-12, 4
	n := 0
	for n < len(sorted) && sorted[n] > rounding*sorted[0] {
		n++
	}
	from, to := 2, n
	if !all {
		to = max(n/4, min(n, least+1))
	}
	if to-from+1 < least {
		return Decay{}, fmt.Errorf("values: %d of %d are positive and above rounding, must be at least %d", n, len(values), least+1)
	}
	var k, logK, logV []float64
	for i := from; i <= to; i++ {
		k, logK, logV = append(k, float64(i)), append(logK, math.Log(float64(i))), append(logV, math.Log(sorted[i-1]))
	}
	d := Decay{From: from, To: to}
	a, b := stat.LinearRegression(logK, logV, nil, false)
	d.Rate, d.Fit = -b, stat.RSquared(logK, logV, nil, a, b)
	c, e := stat.LinearRegression(k, logV, nil, false)
	if r := stat.RSquared(k, logV, nil, c, e); r > d.Fit {
		d.Rate, d.Fit, d.Exponential = -e, r, true
	}
	return d, nil
}

// Diagonalisation is the simultaneous diagonalisation of Σ_F ⊗ I and K (paper,
// theorem 4.2), Σ_F the second moment of the inputs: G = Σ g_k Ω_k has
// ‖G‖²_ΣF = Σ g_k² and ‖G‖²_K = Σ g_k² / γ_k.
type Diagonalisation struct {
	Gamma []float64    // largest first
	Omega []*mat.Dense // mx × my each, of the first few
}

// Simultaneous diagonalises the inputs of a dataset and a kernel. γ are the
// eigenvalues of S K Sᵀ, S f the inputs' response to f, and Ω = K Sᵀ z / γ for unit
// eigenvectors z. functions says how many Ω are wanted. For a separable kernel it
// costs what a fit does, otherwise O((n my)³) for at most 2,500 unknowns.
func Simultaneous(ctx context.Context, d *dataset.Dataset, k kernel.Kernel, functions int) (*Diagonalisation, error) {
	s := Spec{Data: d, Kernel: k, NoBias: true, Lambda: 1, Rho: 1}
	if err := s.check(); err != nil {
		return nil, err
	}
	sys, _, err := newSystem(ctx, &s)
	if err != nil {
		return nil, err
	}
	m, err := newSimultaneous(ctx, sys, &s)
	if err != nil {
		return nil, err
	}
	sys.lambda, sys.rho = 1, 1
	p := &factors{sys: sys, pre: m.at(1, 1)}
	n, _ := sys.Dims()
	out := &Diagonalisation{}
	var vector func(k int) []float64
	switch {
	case p.diagonal(ctx):
		values := m.green.RawMatrix().Data
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		sort.SliceStable(order, func(i, j int) bool { return values[order[i]] > values[order[j]] })
		for _, i := range order {
			out.Gamma = append(out.Gamma, values[i])
		}
		vector = func(k int) []float64 {
			z := make([]float64, n)
			z[order[k]] = 1
			return z
		}
	case n <= maxSpectrum:
		a, e := mat.NewDense(n, n, nil), make([]float64, n)
		for i := range n {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("simultaneous stopped: %w", context.Cause(ctx))
			}
			clear(e)
			e[i] = 1
			sys.applyKernel(ctx, a.RawRowView(i), e)
		}
		values, v, err := spectrum(ctx, a, true)
		if err != nil {
			return nil, err
		}
		out.Gamma = values
		vector = func(k int) []float64 { return mat.Col(nil, k, v) }
	default:
		return nil, fmt.Errorf("data: %d unknowns, must be at most %d for a kernel that is not separable; use coarser meshes or fewer pairs", n, maxSpectrum)
	}
	for k := range min(functions, n) {
		if !(out.Gamma[k] > 0) {
			break
		}
		omega := sys.kernelTimes(ctx, sys.weights(ctx, vector(k)))
		omega.Scale(1/out.Gamma[k], omega)
		out.Omega = append(out.Omega, omega)
	}
	return out, linop.Stopped(ctx)
}

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
			e, err := Fit(ctx, Spec{Data: d, Kernel: s.Kernel, NoBias: true, Lambda: lambda})
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
	timesRows(weighted.RawMatrix().Data, s.InputMesh.Weights())
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
	f, err := kernel.Compile(s.Input, kernel.Space{Names: s.InputMesh.Names()})
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
func (s RateStudy) error(ctx context.Context, e *Estimate, population *mat.Dense) (float64, error) {
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
