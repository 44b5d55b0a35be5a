package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/outputs"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/progress"
	"github.com/greenbench/workbench/numeric/remedy"
)

// Calibration says how often bands cover the truth, on simulated data.
type Calibration struct {
	Nominal  float64    // the share that bands should cover: 0.95
	Coverage float64    // the share of the points of X × Y and simulations that they do
	Bias     float64    // the same for β
	Map      *mat.Dense // the share at each point of X × Y
	N        int        // simulations
}

// Simulation says how Calibrate makes its truths.
type Simulation struct {
	N    int // 0: 20
	Seed uint64
	// Truth on the meshes of the data, mx × my; nil draws a new G and β from the
	// prior for each simulation. With a truth β is the estimate's.
	Truth *mat.Dense
	// Kernel draws the truths from the prior of another kernel, of the size and with the noise
	// that a fit of the data with it has; nil: of the estimate's.
	Kernel kernel.Kernel
}

const (
	defaultSimulations = 20
	bandQuantile       = 1.959963984540054 // of the normal distribution, for 95 %
	maxPrior           = 2000              // points of X × Y on which a prior that is no product is drawn
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
// Of an estimate with a prior it is the rest that is simulated and learned: the
// bands take the prior for known.
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
	draw := rand.New(rand.NewPCG(sim.Seed, 1))
	from, err := e.truthsFrom(ctx, p, sim)
	if err != nil {
		return nil, err
	}
	truth, err := from.truths(ctx, e, sim.Truth, draw)
	if err != nil {
		return nil, err
	}
	band, err := e.Std(ctx, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return nil, err
	}
	biasBand, err := e.BiasStd(ctx, mesh.Mesh{})
	if err != nil {
		return nil, err
	}
	mx, my := band.Dims()
	c := &Calibration{Nominal: 0.95, Map: mat.NewDense(mx, my, nil), N: sim.N}
	s := e.learned.spec
	s.Lambda, s.Rho, s.Prior = e.Report.Lambda, e.Report.Rho, nil
	for i := range sim.N {
		g, beta := truth()
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		d := *s.Data
		if d.Output, err = from.simulate(ctx, &s, g, beta, draw); err != nil {
			return nil, err
		}
		again := s
		again.Data = &d
		r, err := Minimise(ctx, again)
		if err != nil {
			return nil, err
		}
		wide := bandQuantile * math.Sqrt(r.Report.Objective/(p.tau2*p.values()))
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
func (e *Estimate) truthsFrom(ctx context.Context, own *factors, sim Simulation) (*factors, error) {
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

// itself is how near, relative to its size, a truth is to the estimate that it is refused for.
const itself = 1e-3

func (e *Estimate) refuseItself(ctx context.Context, truth *mat.Dense) error {
	g, err := e.Green(ctx, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return err
	}
	r, c := g.Dims()
	if m, n := truth.Dims(); m != r || n != c {
		return nil // refused elsewhere
	}
	size := mat.Norm(g, 2)
	if g.Sub(g, truth); mat.Norm(g, 2) > itself*size {
		return nil
	}
	return remedy.CheckModel.For(fmt.Errorf("truth: is the estimate itself, which its kernel has smoothed: bands hold that whatever the true G is, so this says nothing"))
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

// simulate returns the outputs for the inputs of a spec, with the noise of the
// model, of variance τ² n / dy_k where it is white, and without those that the data miss.
func (p *factors) simulate(ctx context.Context, s *Spec, g *mat.Dense, beta []float64, draw *rand.Rand) (*array.Array, error) {
	in, _ := s.Data.Matrices()
	f := mat.DenseCopyOf(in)
	linop.TimesRows(f.RawMatrix().Data, p.x.Weights())
	n, my, dy := s.Data.N(), p.y.Size(), p.y.Weights()
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
				u.Set(i, k, u.At(i, k)+beta[k]+noise[i*my+k]*math.Sqrt(p.tau2*float64(n)/w)/pairs[i])
			}
		}
	}
	return array.FromMatrix(u), linop.Stopped(ctx)
}

// truths returns what makes the truth of each simulation.
func (p *factors) truths(ctx context.Context, e *Estimate, given *mat.Dense, draw *rand.Rand) (func() (*mat.Dense, []float64), error) {
	mx, my := p.x.Size(), p.y.Size()
	if given != nil {
		if r, c := given.Dims(); r != mx || c != my {
			return nil, fmt.Errorf("truth: is %d × %d, must be %d × %d, values on the meshes of the data", r, c, mx, my)
		}
		beta, err := e.Bias(ctx, mesh.Mesh{})
		if err != nil {
			return nil, err
		}
		given, beta, err = e.prior.rest(ctx, given, beta, p.x, p.y)
		return func() (*mat.Dense, []float64) { return given, beta }, err
	}
	green, err := p.priorGreen(ctx, draw)
	if err != nil {
		return nil, err
	}
	bias := func() []float64 { return make([]float64, my) }
	if p.q != nil {
		q, err := p.q.Gram(ctx, p.y, p.y)
		if err != nil {
			return nil, err
		}
		root, err := linop.SquareRoot(ctx, q, p.tau2/p.at.Rho)
		if err != nil {
			return nil, err
		}
		bias = func() []float64 {
			var v mat.VecDense
			v.MulVec(root, mat.NewVecDense(my, linop.Normal(draw, my)))
			return v.RawVector().Data
		}
	}
	return func() (*mat.Dense, []float64) { return green(), bias() }, nil
}

// priorGreen draws from the prior of G on X × Y.
func (p *factors) priorGreen(ctx context.Context, draw *rand.Rand) (func() *mat.Dense, error) {
	mx, my, amplitude := p.x.Size(), p.y.Size(), p.tau2/p.at.Lambda
	if p.split != nil {
		left, err := linop.SquareRoot(ctx, p.inputs(ctx, p.x, p.x), amplitude)
		if err != nil {
			return nil, err
		}
		right, err := linop.SquareRoot(ctx, p.outputs(ctx, p.y, p.y), 1)
		if err != nil {
			return nil, err
		}
		return func() *mat.Dense {
			return linop.Product(ctx, linop.Product(ctx, left, mat.NewDense(mx, my, linop.Normal(draw, mx*my))), right.T())
		}, nil
	}
	if mx*my > maxPrior {
		return nil, fmt.Errorf("the prior of a kernel that is no product is drawn on at most %d points of input × output, here are %d × %d; give a truth", maxPrior, mx, my)
	}
	k := mat.NewDense(mx*my, mx*my, nil)
	at := make([]float64, len(p.all))
	for i := range mx * my {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for c, col := range p.all {
			at[c] = col[i]
		}
		p.f.Row(k.RawRowView(i), at, p.all)
	}
	root, err := linop.SquareRoot(ctx, k, amplitude)
	if err != nil {
		return nil, err
	}
	return func() *mat.Dense {
		var v mat.VecDense
		v.MulVec(root, mat.NewVecDense(mx*my, linop.Normal(draw, mx*my)))
		return mat.NewDense(mx, my, v.RawVector().Data)
	}, nil
}
