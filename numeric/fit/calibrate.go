package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit/internal/posterior"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Calibration says how often bands cover the truth, on simulated data.
type Calibration struct {
	Nominal  float64    // the share that bands should cover: 0.95
	Coverage float64    // the share of the points of X × Y and simulations that they do
	Bias     float64    // the same for β
	Map      *mat.Dense // the share at each point of X × Y
	X, Y     mesh.Mesh  // the meshes of the data; landmarks of them where the fit is on these
	N        int        // simulations
}

// Simulation says how Calibrate makes its truths.
type Simulation struct {
	N    int // 0: 20
	Seed uint64
	// Truth on the meshes of the data, mx × my, or of landmarks; nil draws a new G and β from the
	// prior for each simulation. With a truth β is the estimate's.
	Truth *mat.Dense
	// Kernel draws the truths from the prior of another kernel, of the size and with the noise
	// that a fit of the data with it has; nil: of the estimate's.
	Kernel kernel.Kernel
}

const (
	defaultSimulations = 20
	bandQuantile       = 1.959963984540054 // of the normal distribution, for 95 %
)

// Calibrate simulates data for known truths, with the inputs and the noise of the
// estimate's data, fits them with its kernel, λ and ρ, and counts how often the
// bands (the estimate ± 1.96 standard deviations, their amplitude estimated anew)
// hold the truth.
//
// With truths from the prior the coverage is 95 %, unless there are too few data to
// estimate the amplitude: a check of the machinery. With the prior of another Kernel, or a
// Truth such as the G of a similar problem, it says whether the kernel suits that: a smooth
// one covers the kink on the diagonal of a Green's function too seldom. The estimate
// itself is refused for a truth: smoothed by the kernel, it suits that whatever the truth is.
// Of an estimate with a prior it is the rest that is simulated and learned: these
// bands take the prior and its factor for known. Of an estimate on landmarks it is G there: that elsewhere
// follows from it by the kernel.
func (e *Estimate) Calibrate(ctx context.Context, sim Simulation) (*Calibration, error) {
	p, err := e.posterior(ctx)
	if err != nil {
		return nil, err
	}
	if sim.N < 0 {
		return nil, fmt.Errorf("n %d: must be at least 1", sim.N)
	}
	if sim.N == 0 {
		sim.N = defaultSimulations
	}
	if sim.Truth, err = e.onLandmarks(sim.Truth); err != nil {
		return nil, err
	}
	draw := rand.New(rand.NewPCG(sim.Seed, 1))
	from, err := e.truthsFrom(ctx, p, sim)
	if err != nil {
		return nil, err
	}
	truth, err := e.truths(ctx, from, sim.Truth, draw)
	if err != nil {
		return nil, err
	}
	x, y := e.landmarkMeshes()
	band, err := e.std(ctx, x, y, false)
	if err != nil {
		return nil, err
	}
	biasBand, err := e.biasStd(ctx, y, false)
	if err != nil {
		return nil, err
	}
	s := e.learned.spec
	mx, my := band.Dims()
	c := &Calibration{Nominal: 0.95, Map: mat.NewDense(mx, my, nil), X: s.Data.InputMesh, Y: s.Data.OutputMesh, N: sim.N}
	s.Lambda, s.Rho, s.Prior = e.Report.Lambda, e.Report.Rho, nil
	for i := range sim.N {
		g, beta := truth()
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		d := *s.Data
		if d.Output, err = s.simulate(ctx, from.Tau2, g, beta, draw); err != nil {
			return nil, err
		}
		again := s
		again.Data = &d
		if v := s.beyond.Values; v > 0 { // noise alone, as it is taken for
			again.beyond.Squares = from.Tau2 * distuv.ChiSquared{K: float64(v), Src: draw}.Rand()
		}
		r, err := Minimise(ctx, again)
		if err != nil {
			return nil, err
		}
		wide := bandQuantile * math.Sqrt(r.Report.Objective/(p.Tau2*p.Count()))
		if err := c.count(ctx, r, g, beta, band, biasBand, wide); err != nil {
			return nil, err
		}
		progress.Report(ctx, progress.Step{Task: "calibrate", Done: float64(i + 1), Total: float64(sim.N)})
	}
	c.Coverage = mat.Sum(c.Map) / float64(mx*my)
	return c, nil
}

// truthsFrom is the posterior whose prior and noise simulations have: that of the estimate, or of
// a fit with another kernel.
func (e *Estimate) truthsFrom(ctx context.Context, own *posterior.Posterior, sim Simulation) (*posterior.Posterior, error) {
	if sim.Truth != nil {
		if sim.Kernel != nil {
			return nil, fmt.Errorf("truth and kernel: give one of them")
		}
		return own, e.refuseItself(ctx, sim.Truth)
	}
	if sim.Kernel == nil {
		return own, nil
	}
	s := e.learned.spec
	s.Kernel, s.Kernels, s.Bias, s.Lambda, s.Rho, s.Criterion = sim.Kernel, nil, nil, 0, 0, REML
	other, err := Fit(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("kernel: %w", err)
	}
	return other.posterior(ctx)
}

// nearItself is how near, relative to its size, a truth is to the estimate that it is refused for.
const nearItself = 1e-3

func (e *Estimate) refuseItself(ctx context.Context, truth *mat.Dense) error {
	x, y := e.landmarkMeshes()
	g, err := e.Green(ctx, x, y)
	if err != nil {
		return err
	}
	r, c := g.Dims()
	if m, n := truth.Dims(); m != r || n != c {
		return nil // refused elsewhere
	}
	size := mat.Norm(g, 2)
	if g.Sub(g, truth); mat.Norm(g, 2) > nearItself*size {
		return nil
	}
	return remedy.CheckModel.For(fmt.Errorf("truth: is the estimate itself, which its kernel has smoothed: bands hold that whatever the true G is, so this says nothing"))
}

// onLandmarks is a truth on the meshes of the estimate, where that is on landmarks taken to these; others are as they are.
func (e *Estimate) onLandmarks(truth *mat.Dense) (*mat.Dense, error) {
	x, y := e.landmarkMeshes()
	if truth == nil || x.Size() == 0 {
		return truth, nil
	}
	if r, c := truth.Dims(); r != e.InputMesh.Size() || c != e.OutputMesh.Size() {
		return truth, nil
	}
	rows, columns := placesOf(x, e.InputMesh), placesOf(y, e.OutputMesh)
	few := mat.NewDense(x.Size(), y.Size(), nil)
	for j, row := range rows {
		for k, column := range columns {
			if row < 0 || column < 0 {
				return nil, errors.New("truth: the landmarks of the estimate are no points of its meshes")
			}
			few.Set(j, k, truth.At(row, column))
		}
	}
	return few, nil
}

// placesOf are the numbers that the points of a mesh have in another; -1: it is not there.
func placesOf(few, all mesh.Mesh) []int {
	key := func(m mesh.Mesh, i int) string {
		p := make([]float64, m.Dim())
		m.Point(p, i)
		return fmt.Sprint(p)
	}
	at := map[string]int{}
	for i := range all.Size() {
		at[key(all, i)] = i
	}
	places := make([]int, few.Size())
	for j := range places {
		places[j] = -1
		if i, ok := at[key(few, j)]; ok {
			places[j] = i
		}
	}
	return places
}

// count adds where an estimate is within wide times the bands of the truth.
func (c *Calibration) count(ctx context.Context, e *Estimate, g *mat.Dense, beta []float64, band *mat.Dense, biasBand []float64, wide float64) error {
	got, err := e.Green(ctx, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return err
	}
	for k, v := range got.RawMatrix().Data {
		if math.Abs(v-g.RawMatrix().Data[k]) <= wide*band.RawMatrix().Data[k] {
			c.Map.RawMatrix().Data[k] += 1 / float64(c.N)
		}
	}
	b, err := e.Bias(ctx, mesh.Mesh{})
	if err != nil {
		return err
	}
	for k, v := range b {
		if math.Abs(v-beta[k]) <= wide*biasBand[k] {
			c.Bias += 1 / float64(c.N*len(b))
		}
	}
	return nil
}

// simulate returns the outputs for the inputs, with the noise of the
// model, of variance τ² n / dy_k where it is white, and without those that the data miss.
func (s *Spec) simulate(ctx context.Context, tau2 float64, g *mat.Dense, beta []float64, draw *rand.Rand) (*array.Array, error) {
	in, _ := s.Data.Matrices()
	f := mat.DenseCopyOf(in)
	linop.TimesRows(f.RawMatrix().Data, s.Data.InputMesh.Weights())
	n, my, dy := s.Data.N(), s.Data.OutputMesh.Size(), s.Data.OutputMesh.Weights()
	u := linop.Product(ctx, f, g)
	noise := linop.Normal(draw, n*my)
	d, err := outputs.NewWhitening(ctx, s.Data)
	if err != nil {
		return nil, err
	}
	if d != nil {
		d.Back(noise)
	}
	pairs := outputs.PairRoots(s.Data)
	for i := range n {
		for k, w := range dy {
			switch {
			case math.IsNaN(s.Data.Output.Data[i*my+k]):
				u.Set(i, k, math.NaN())
			case w > 0:
				u.Set(i, k, u.At(i, k)+beta[k]+noise[i*my+k]*math.Sqrt(tau2*float64(n)/w)/pairs[i])
			}
		}
	}
	return array.FromMatrix(u), linop.Stopped(ctx)
}

// truths returns what makes the truth of each simulation: the given one, or the prior of p.
func (e *Estimate) truths(ctx context.Context, p *posterior.Posterior, given *mat.Dense, draw *rand.Rand) (func() (*mat.Dense, []float64), error) {
	if given != nil {
		x, y := e.learned.spec.Data.InputMesh, e.learned.spec.Data.OutputMesh
		mx, my := x.Size(), y.Size()
		if r, c := given.Dims(); r != mx || c != my {
			return nil, fmt.Errorf("truth: is %d × %d, must be %d × %d, values on the meshes of the data", r, c, mx, my)
		}
		beta, err := e.Bias(ctx, y)
		if err != nil {
			return nil, err
		}
		given, beta, err = e.prior.rest(ctx, given, beta, x, y)
		return func() (*mat.Dense, []float64) { return given, beta }, err
	}
	return p.PriorDraws(ctx, draw)
}
