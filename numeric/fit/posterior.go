package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/gram"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/progress"
	"github.com/greenbench/workbench/numeric/solve"
)

// learned is what an estimate remembers of its making, for questions that its
// weights do not answer. The factors are made when they are first needed.
type learned struct {
	spec    Spec
	mutex   sync.Mutex
	factors *factors
}

// factors is the posterior of G and β. Minus twice the logarithm of the density
// of the outputs, of G and of β is, up to constants, the objective over τ² when
//
//	G ~ GP(0, τ²/λ K),  β ~ GP(0, τ²/ρ Q),  u_ik has noise of variance τ² n / dy_k,
//
// all independent: noise that is white in y, of which a value stands for an
// interval of length dy_k. In the scaled outputs T of a system the noise is τ² I
// and their covariance τ² (S K̄ Sᵀ + I). The one amplitude τ² is that of greatest
// (restricted) likelihood, (rss₀ + ⟨T, (S K̄ Sᵀ + I)⁻¹ T⟩) / (n my): the least value
// of the objective, divided by the number of values.
//
// A linear functional ℓ of (G, β) has the prior variance τ² c, covariances τ² h
// with T, and so the posterior variance τ² (c - ⟨h, M h⟩), M = (S K̄ Sᵀ + I)⁻¹. A free
// constant of β, in the functional ℓ₀ times and in the data as e, adds
// τ² (ℓ₀ - ⟨e, M h⟩)² / ⟨e, M e⟩, and takes one of the n my values.
type factors struct {
	sys  *system // in the bases of pre
	pre  *simultaneous
	tau2 float64
	f    *kernel.Function // K
	q    *kernel.Function // Q; nil without bias
	x, y mesh.Mesh        // of the data
	all  [][]float64      // columns of X × Y

	split *split // closed form; nil when there is none

	constant *constant // free part of β; nil when there is none
}

// constant is what the posterior knows of a free constant.
type constant struct {
	me   []float64 // M e
	size float64   // ⟨e, M e⟩
}

// values is how many outputs the amplitude is estimated from.
func (p *factors) values() float64 {
	n := float64(p.sys.n * p.sys.my)
	if p.sys.flat != nil {
		n--
	}
	return n
}

// setConstant solves for the free constant.
func (p *factors) setConstant(ctx context.Context) error {
	if p.sys.flat == nil {
		return nil
	}
	e := append([]float64(nil), p.sys.flat...)
	scale(e, p.sys.length)
	c := &constant{me: make([]float64, len(e))}
	if p.split != nil {
		p.pre.Apply(ctx, c.me, e)
	} else {
		cg := solve.CG{Tolerance: constantTolerance, MaxIterations: defaultMaxIterations, Preconditioner: p.pre}
		if _, err := cg.Solve(ctx, p.sys, c.me, e); err != nil {
			return err
		}
	}
	c.size = floats.Dot(e, c.me)
	p.constant = c
	return nil
}

// add is what the free constant adds to the variance of a functional, over τ².
func (c *constant) add(times float64, h []float64) float64 {
	if c == nil {
		return 0
	}
	left := times - floats.Dot(c.me, h)
	return left * left / c.size
}

// split is a kernel that is a product, K = kx ky with kx(x, ξ) = K(x,y₀; ξ,y₀)
// and ky(y, η) = K(x₀,y; x₀,η) / K(x₀,y₀; x₀,y₀), and a bias kernel Q = q ky,
// where the preconditioner is the system.
type split struct {
	x0, y0 []float64
	unit   float64 // K(x₀,y₀; x₀,y₀)
	q      float64
}

const (
	splitTolerance = 1e-9
	splitPairs     = 80   // of random points that the product form is checked on
	bandTolerance  = 0.02 // of a posterior variance, by which the iterations may leave it too large
	maxBandSteps   = 500
	leastResidual  = 1e-15 // relative, where rounding ends what the band tolerance does not

	constantTolerance = 1e-8
)

// posterior returns the factors, made from the data on the first call.
func (e *Estimate) posterior(ctx context.Context) (*factors, error) {
	if e.learned == nil {
		return nil, fmt.Errorf("the posterior needs the data, which the file of this estimate does not hold; est:save(path, {data = true}) keeps them: fit again and save so")
	}
	l := e.learned
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.factors == nil {
		p, err := newFactors(ctx, l.spec, &e.Report)
		if err != nil {
			return nil, err
		}
		l.factors = p
	}
	return l.factors, nil
}

// newFactors makes the posterior at the λ and ρ of a report. A constraint is a
// transformed kernel: its iterations are those of the unconstrained problem.
func newFactors(ctx context.Context, s Spec, rep *Report) (*factors, error) {
	if missing(s.Data) {
		return nil, fmt.Errorf("the posterior is not available for data with missing outputs; drop the pairs that have them")
	}
	s.Lambda, s.Rho = rep.Lambda, orDefault(rep.Rho, rep.Lambda)
	if s.Constraint != nil {
		s = *s.composed()
		s.Structure = ""
	}
	sys, _, err := newSystem(ctx, &s)
	if err != nil {
		return nil, err
	}
	m, err := newSimultaneous(ctx, sys, &s)
	if err != nil {
		return nil, err
	}
	sys.lambda, sys.rho = s.Lambda, s.Rho
	p := &factors{sys: sys, pre: m.at(s.Lambda, s.Rho), x: s.Data.InputMesh, y: s.Data.OutputMesh}
	least := rep.Objective
	if rep.Minimum > 0 {
		least = rep.Minimum
	}
	p.tau2 = least / p.values()
	if p.f, err = kernel.Compile(s.Kernel, space(p.x, p.y)); err != nil {
		return nil, err
	}
	if q := s.biasKernel(); q != nil {
		if p.q, err = kernel.Compile(q, kernel.Space{Names: p.y.Names()}); err != nil {
			return nil, err
		}
	}
	if p.all, err = jointColumns(p.f.Space, p.x, p.y); err != nil {
		return nil, err
	}
	p.split = p.findSplit(ctx)
	return p, p.setConstant(ctx)
}

func jointColumns(s kernel.Space, x, y mesh.Mesh) ([][]float64, error) {
	joint, err := mesh.Product(mustRename(x, s.Names[:x.Dim()]), mustRename(y, s.Names[x.Dim():]))
	if err != nil {
		return nil, err
	}
	return joint.Columns(), nil
}

// diagonal reports whether the preconditioner is the system, on a random vector.
func (p *factors) diagonal(ctx context.Context) bool {
	n, _ := p.sys.Dims()
	draw := rand.New(rand.NewPCG(1, 2))
	z, az := make([]float64, n), make([]float64, n)
	for i := range z {
		z[i] = draw.NormFloat64()
	}
	p.sys.Apply(ctx, az, z)
	size := floats.Norm(az, 2)
	for i, d := range p.pre.d {
		az[i] -= d * z[i]
	}
	return floats.Norm(az, 2) <= splitTolerance*size
}

// findSplit checks, in numbers, all that the closed form assumes.
func (p *factors) findSplit(ctx context.Context) *split {
	if !p.diagonal(ctx) {
		return nil
	}
	draw := rand.New(rand.NewPCG(1, 3))
	at := centre(p.x, p.y)
	s := &split{x0: at[:p.x.Dim()], y0: at[p.x.Dim():], unit: p.f.At(at, at)}
	if !(s.unit > 0) {
		return nil
	}
	if p.q != nil {
		s.q = p.q.At(s.y0, s.y0)
	}
	a, b, c, d := room(p.x), room(p.y), room(p.x), room(p.y)
	for range splitPairs {
		randomPair(draw, p.x, a, c)
		randomPair(draw, p.y, b, d)
		kx, ky := p.f.At(both(a, s.y0), both(c, s.y0)), p.f.At(both(s.x0, b), both(s.x0, d))/s.unit
		if math.Abs(p.f.At(both(a, b), both(c, d))-kx*ky) > splitTolerance*s.unit {
			return nil
		}
		if p.q != nil && math.Abs(p.q.At(b, d)-s.q*ky) > splitTolerance*s.q {
			return nil
		}
	}
	if !s.holds(ctx, p.f, p.x, p.y) {
		return nil
	}
	return s
}

// holds reports whether the kernel of every point of xs × ys with itself is the product:
// where a local term of a sum lives, it is not. It ends with ctx.
func (s *split) holds(ctx context.Context, f *kernel.Function, xs, ys mesh.Mesh) bool {
	x, columns := room(xs), ys.Columns()
	own := func(dst, x []float64) { // of (x, y) for all y
		at := make([]expr.Operand, 0, len(x)+len(columns))
		for _, v := range x {
			at = append(at, expr.Operand{Scalar: v})
		}
		for _, c := range columns {
			at = append(at, expr.Operand{Vector: c})
		}
		f.Block(dst, at, at)
	}
	ky, row := make([]float64, ys.Size()), make([]float64, ys.Size())
	own(ky, s.x0)
	for i := range xs.Size() {
		if ctx.Err() != nil {
			return false
		}
		xs.Point(x, i)
		own(row, x)
		at := both(x, s.y0)
		kx := f.At(at, at) / s.unit
		for k, v := range ky {
			if math.Abs(row[k]-kx*v) > splitTolerance*s.unit {
				return false
			}
		}
	}
	return true
}

// randomPair draws two points of a mesh or, every other time, two points of its domain
// at any scale from each other: a kernel that is nearly zero between the points of the
// mesh looks like a product there, and is none in between.
func randomPair(draw *rand.Rand, m mesh.Mesh, a, b []float64) {
	if draw.IntN(2) == 0 {
		m.Point(a, draw.IntN(m.Size()))
		m.Point(b, draw.IntN(m.Size()))
		return
	}
	i, near := 0, math.Pow(10, -4*draw.Float64())
	for _, axis := range m.Axes() {
		for k := range axis.Lower {
			size := axis.Upper[k] - axis.Lower[k]
			a[i] = axis.Lower[k] + size*draw.Float64()
			b[i] = a[i] + near*size*(2*draw.Float64()-1)
			i++
		}
	}
}

// room is a place for one point of a mesh.
func room(m mesh.Mesh) []float64 { return make([]float64, m.Dim()) }

func both(x, y []float64) []float64 { return append(append([]float64(nil), x...), y...) }

// Std is the posterior standard deviation of G on xs × ys; meshes without points
// stand for those trained on. For a separable kernel, whose bias kernel is its
// factor, it is exact and costs a few matrix products. Otherwise each point costs
// some iterations of CG, and the band is exact to 1 %, on the wide side: stopping
// early, after 500 iterations at the latest, can only widen it.
//
// The band is that of the model: G is as smooth as its kernel says, and λ, ρ and the
// kernel are taken for known. See Calibrate.
func (e *Estimate) Std(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	xs, ys, err := e.meshes(xs, ys)
	if err != nil {
		return nil, err
	}
	if e.within != nil {
		if xs, err = e.within.place(xs); err != nil {
			return nil, err
		}
		return e.within.whole.Std(ctx, xs, ys)
	}
	p, err := e.posterior(ctx)
	if err != nil {
		return nil, err
	}
	if p.split != nil && p.split.holds(ctx, p.f, xs, ys) {
		return p.splitStd(ctx, xs, ys)
	}
	return p.std(ctx, xs, ys)
}

// std treats one point after the other.
func (p *factors) std(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	out := mat.NewDense(xs.Size(), ys.Size(), nil)
	x, y := room(xs), room(ys)
	row := make([]float64, len(p.all[0]))
	for i := range xs.Size() {
		xs.Point(x, i)
		for k := range ys.Size() {
			ys.Point(y, k)
			at := both(x, y)
			p.f.Row(row, at, p.all)
			scale(row, 1/p.sys.lambda)
			v, err := p.variance(ctx, p.f.At(at, at)/p.sys.lambda, p.sys.respond(ctx, row, nil), 0)
			if err != nil {
				return nil, err
			}
			out.Set(i, k, math.Sqrt(v))
		}
		progress.Report(ctx, progress.Step{Task: "std", Done: float64(i + 1), Total: float64(xs.Size())})
	}
	return out, nil
}

// variance returns τ² (c - ⟨h, (S K̄ Sᵀ + I)⁻¹ h⟩) by preconditioned CG. The energy of its
// iterates is ⟨h, (S K̄ Sᵀ + I)⁻¹ h⟩ from below, and since the smallest eigenvalue is at
// least 1, what is missing is at most the squared residual. times is how often the free
// constant of β is part of the functional.
func (p *factors) variance(ctx context.Context, c float64, h []float64, times float64) (float64, error) {
	explained := 0.0
	cg := solve.CG{Tolerance: leastResidual, MaxIterations: maxBandSteps, Preconditioner: p.pre}
	cg.Enough = func(energy, residual2 float64) bool {
		explained = energy
		return residual2 <= bandTolerance*(c-energy) || c <= energy
	}
	if _, err := cg.Solve(ctx, p.sys, make([]float64, len(h)), h); err != nil {
		return 0, fmt.Errorf("std: %w", err)
	}
	return p.tau2 * (max(c-explained, 0) + p.constant.add(times, h)), linop.Stopped(ctx)
}

// PredictStd is the posterior standard deviation of the predictions of Predict,
// with the same arguments and shape: of the output without its noise. Costs and
// exactness are those of Std, with one product with the kernel more for each
// output where there is no closed form.
func (e *Estimate) PredictStd(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	xs, ys, err := e.meshes(xs, ys)
	if err != nil {
		return nil, err
	}
	n, m := f.Dims()
	if m != xs.Size() {
		return nil, fmt.Errorf("f: has %d values per input, must be %d, one per point of the input mesh; give xmesh for inputs on another mesh", m, xs.Size())
	}
	p, err := e.posterior(ctx)
	if err != nil {
		return nil, err
	}
	weighted := mat.DenseCopyOf(f)
	timesRows(weighted.RawMatrix().Data, xs.Weights())
	if p.split != nil && p.split.holds(ctx, p.f, xs, ys) {
		return p.splitPredictStd(ctx, weighted, xs, ys)
	}
	to, err := gram.Cross(ctx, p.f, p.x, p.y, xs, ys)
	if err != nil {
		return nil, err
	}
	own, _, err := gram.Self(ctx, p.f, xs, ys, gram.Options{})
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(n, ys.Size(), nil)
	in, g, y := make([]float64, m*ys.Size()), make([]float64, len(p.all[0])), room(ys)
	var b []float64
	kin := make([]float64, len(in))
	for i := range n {
		for k := range ys.Size() {
			clear(in)
			for j, w := range weighted.RawRowView(i) {
				in[j*ys.Size()+k] = w
			}
			to.Apply(ctx, g, in)
			scale(g, 1/p.sys.lambda)
			own.Apply(ctx, kin, in)
			c := floats.Dot(in, kin) / p.sys.lambda
			if p.q != nil {
				ys.Point(y, k)
				b = make([]float64, p.sys.my)
				p.q.Row(b, y, p.y.Columns())
				scale(b, 1/p.sys.rho)
				c += p.q.At(y, y) / p.sys.rho
			}
			v, err := p.variance(ctx, c, p.sys.respond(ctx, g, b), 1)
			if err != nil {
				return nil, err
			}
			out.Set(i, k, math.Sqrt(v))
		}
		progress.Report(ctx, progress.Step{Task: "std", Done: float64(i + 1), Total: float64(n)})
	}
	return out, nil
}

// BiasStd is the posterior standard deviation of β on ys: that of the prediction
// for an input that is zero.
func (e *Estimate) BiasStd(ctx context.Context, ys mesh.Mesh) ([]float64, error) {
	zero := mat.NewDense(1, e.InputMesh.Size(), nil)
	s, err := e.PredictStd(ctx, zero, mesh.Mesh{}, ys)
	if err != nil {
		return nil, err
	}
	return s.RawRowView(0), nil
}
