package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/progress"
)

// Draws asks for functions from the posterior: G on X × Y or, for the inputs in the rows of F,
// sampled on X, predictions on Y without their noise. Meshes without points stand for those
// trained on.
type Draws struct {
	N    int
	Seed uint64
	F    *mat.Dense // nil: G itself
	X, Y mesh.Mesh
}

// Draw draws from the posterior, all points of all predictions together: a row for each of the
// N draws, points of X × points of Y, or predictions × points of Y. Their mean is that of Green
// or Predict and their standard deviation that of Std or PredictStd; the covariance is held to
// one part in 10⁴ of every variance, and one in 10¹⁰ of what it was before the data, by a partial
// Cholesky factorisation of it; for a smooth kernel by its features, as their bands are. Cost:
// that of the bands, a product with the kernel or a row of its values for each of the directions that
// the draws vary in, at most as many as there are values, and with P values and r of these
// directions P r² operations.
func (e *Estimate) Draw(ctx context.Context, d Draws) (*mat.Dense, error) {
	mean, err := e.meanOf(ctx, d)
	if err != nil {
		return nil, err
	}
	out, err := e.Deviate(ctx, d)
	if err != nil {
		return nil, err
	}
	addToRows(out, 1, mean.RawMatrix().Data)
	return out, nil
}

// meanOf is the posterior mean of what is drawn.
func (e *Estimate) meanOf(ctx context.Context, d Draws) (*mat.Dense, error) {
	if d.F == nil {
		return e.Green(ctx, d.X, d.Y)
	}
	return e.Predict(ctx, d.F, d.X, d.Y)
}

// Deviate is Draw without the mean: by how much draws differ from the estimate.
func (e *Estimate) Deviate(ctx context.Context, d Draws) (*mat.Dense, error) {
	if d.N < 1 {
		return nil, fmt.Errorf("n %d: must be at least 1", d.N)
	}
	var err error
	if d.F == nil {
		d.X, d.Y, err = e.meshes(d.X, d.Y)
	} else {
		d.X, d.Y, err = e.meshesFor(d.F, d.X, d.Y)
	}
	if err != nil {
		return nil, err
	}
	if w := e.within; w != nil && (d.F == nil || w.bias) {
		if d.X, d.Y, err = w.place(d.X, d.Y); err != nil {
			return nil, err
		}
		out, err := w.whole.Deviate(ctx, d)
		if err == nil {
			out.Scale(w.unit, out)
		}
		return out, err
	}
	p, err := e.posterior(ctx)
	if err != nil {
		return nil, err
	}
	t := targets{xs: d.X, ys: d.Y}
	if d.F != nil {
		t.weights = mat.DenseCopyOf(d.F)
		timesRows(t.weights.RawMatrix().Data, d.X.Weights())
	}
	if err := array.CheckMatrix("draws", 1, d.N, t.count()*d.Y.Size()); err != nil {
		return nil, err
	}
	root, err := p.root(ctx, t)
	if err != nil {
		return nil, err
	}
	draw := rand.New(rand.NewPCG(d.Seed, 2))
	k, _ := root.Dims()
	out := linop.Product(ctx, mat.NewDense(d.N, k, normal(draw, d.N*k)), root)
	if err := linop.Stopped(ctx); err != nil {
		return nil, err
	}
	return out, e.exchange(ctx, d, draw, out)
}

// exchange puts draws of the other estimate in place of some, with the probability that it is
// that one.
func (e *Estimate) exchange(ctx context.Context, d Draws, draw *rand.Rand, out *mat.Dense) error {
	other, err := e.learned.otherOne(ctx)
	if other == nil || err != nil {
		return err
	}
	drawn, err := other.Draw(ctx, d)
	if err != nil {
		return err
	}
	mean, err := e.meanOf(ctx, d)
	if err != nil {
		return err
	}
	addToRows(drawn, -1, mean.RawMatrix().Data)
	for i := range d.N {
		if draw.Float64() < e.learned.share {
			out.SetRow(i, drawn.RawRowView(i))
		}
	}
	return nil
}

// root is R with Rᵀ R about the posterior covariance of targets, one column for each.
func (p *factors) root(ctx context.Context, t targets) (*mat.Dense, error) {
	if !p.few() {
		if root, err := p.featureRoot(ctx, t, 0); root != nil || err != nil {
			return root, err
		}
	}
	return p.jointRoot(ctx, t)
}

// jointRoot is the root from the covariance of all targets.
func (p *factors) jointRoot(ctx context.Context, t targets) (*mat.Dense, error) {
	j, err := p.joined(ctx, t)
	if err != nil {
		return nil, err
	}
	root, err := j.cholesky(ctx)
	if err != nil {
		return nil, err
	}
	root.Scale(math.Sqrt(p.tau2), root)
	return root, nil
}

// joined is the posterior covariance of targets over τ², as a function of two of them.
type joined struct {
	prior []float64                                             // variances
	row   func(ctx context.Context, i int, dst []float64) error // of the prior covariance
	seen  *mat.Dense                                            // U⁻ᵀ H: what the data say of each target, in the columns
	flat  []float64                                             // what a free constant adds; nil: nothing
}

// joined conditions targets on the data.
func (p *factors) joined(ctx context.Context, t targets) (*joined, error) {
	count := t.count() * t.ys.Size()
	c, err := p.conditioned(ctx, mostFactored)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, fmt.Errorf("draws: the data say too much for their covariance to be factored: more than %d directions of them matter; fit to fewer pairs, or on coarser meshes, or take std, which needs no covariances", mostFactored)
	}
	j := &joined{}
	if j.prior, err = p.priors(ctx, t); err != nil {
		return nil, err
	}
	h, err := p.allCovariances(ctx, c, t)
	if err != nil {
		return nil, err
	}
	if c.constant != nil {
		j.flat = make([]float64, count)
		mat.NewVecDense(count, j.flat).MulVec(h.T(), mat.NewVecDense(len(c.constant.me), c.constant.me))
		for i, v := range j.flat {
			j.flat[i] = (t.times(p) - v) / math.Sqrt(c.constant.size)
		}
	}
	if err := linop.ForwardSolve(ctx, c.factor, h); err != nil {
		return nil, err
	}
	j.seen = h
	j.row, err = p.priorRows(ctx, t)
	return j, err
}

// allCovariances are those of the conditioned data with all targets.
func (p *factors) allCovariances(ctx context.Context, c *conditioned, t targets) (*mat.Dense, error) {
	count, my := t.count(), t.ys.Size()
	k := c.factor.SymmetricDim()
	if err := array.CheckMatrix("draws", 3, k, count*my); err != nil {
		return nil, err
	}
	h := mat.NewDense(k, count*my, nil)
	if l := p.factor.leading; l != nil && c == l.own() {
		to, err := gram.Cross(ctx, p.f, t.xs, t.ys, p.x, p.y)
		if err != nil {
			return nil, err
		}
		if !gram.Evaluates(to) {
			return h, p.covariances(ctx, h, l, to, t, 0)
		}
	}
	y := newPoint(t.ys)
	for at := range my {
		t.ys.Point(y, at)
		l, err := p.functionalsAt(ctx, t, y)
		if err != nil {
			return nil, err
		}
		own := c.reduced(ctx, l.with)
		for i := range count {
			for d := range k {
				h.Set(d, i*my+at, own.At(d, i))
			}
		}
	}
	return h, linop.Stopped(ctx)
}

// functionalsAt are the targets at one point y of the output.
func (p *factors) functionalsAt(ctx context.Context, t targets, y []float64) (*functionals, error) {
	l, err := p.points(ctx, t.xs, y, t.weights != nil)
	if err != nil || t.weights == nil {
		return l, err
	}
	if l = l.combined(ctx, t.weights); p.q == nil {
		return l, nil
	}
	return l, p.addBias(ctx, l, y)
}

// priorRows is what stores the prior covariances over τ² of one target with all.
func (p *factors) priorRows(ctx context.Context, t targets) (func(ctx context.Context, i int, dst []float64) error, error) {
	my := t.ys.Size()
	if t.weights == nil {
		all, err := joint(p.f.Space, t.xs, t.ys)
		if err != nil {
			return nil, err
		}
		points := all.Columns()
		return func(_ context.Context, i int, dst []float64) error {
			x, y := newPoint(t.xs), newPoint(t.ys)
			t.xs.Point(x, i/my)
			t.ys.Point(y, i%my)
			p.f.Row(dst, both(x, y), points)
			floats.Scale(1/p.at.lambda, dst)
			return nil
		}, nil
	}
	self, _, err := gram.Self(ctx, p.f, t.xs, t.ys, gram.Options{})
	if err != nil {
		return nil, err
	}
	var q *mat.Dense
	if p.q != nil {
		if q, err = p.q.Gram(ctx, t.ys, t.ys); err != nil {
			return nil, err
		}
		q.Scale(1/p.at.rho, q)
	}
	size := t.xs.Size() * my
	return func(ctx context.Context, i int, dst []float64) error {
		in, kin := make([]float64, size), make([]float64, size)
		for x, w := range t.weights.RawRowView(i / my) {
			in[x*my+i%my] = w / p.at.lambda
		}
		self.Apply(ctx, kin, in)
		sums := mat.NewDense(t.count(), my, dst)
		if err := linop.MulContext(ctx, sums, t.weights, mat.NewDense(t.xs.Size(), my, kin)); err != nil {
			return err
		}
		if q != nil {
			addToRows(sums, 1, q.RawRowView(i%my))
		}
		return nil
	}, nil
}

const (
	// leastDrawn is the part of every variance that draws may lack.
	leastDrawn = 1e-4
	// leastPrior is the part of a prior variance below which what is left is rounding.
	leastPrior = 1e-10
)

// cholesky is R with Rᵀ R about the covariance, by partial Cholesky factorisation with
// pivoting: a row for each pivot.
func (j *joined) cholesky(ctx context.Context) (*mat.Dense, error) {
	n := len(j.prior)
	k, _ := j.seen.Dims()
	left, least := make([]float64, n), make([]float64, n)
	copy(left, j.prior)
	for d := range k {
		for i, v := range j.seen.RawRowView(d) {
			left[i] -= v * v
		}
	}
	for i := range left {
		if j.flat != nil {
			left[i] += j.flat[i] * j.flat[i]
		}
		left[i] = max(left[i], 0)
		least[i] = max(leastDrawn*left[i], leastPrior*j.prior[i])
	}
	var rows [][]float64
	for {
		at, worst := -1, 0.0
		for i, v := range left {
			if v > least[i] && v > worst {
				at, worst = i, v
			}
		}
		if at < 0 {
			break
		}
		if len(rows)%64 == 0 {
			if err := array.CheckMatrix("draws", 1, len(rows)+64, n); err != nil {
				return nil, err
			}
			progress.Report(ctx, progress.Step{Task: "draw", Done: float64(len(rows))})
		}
		row := make([]float64, n)
		if err := j.covarianceWith(ctx, at, row); err != nil {
			return nil, err
		}
		for _, r := range rows {
			floats.AddScaled(row, -r[at], r)
		}
		floats.Scale(1/math.Sqrt(worst), row)
		for i, v := range row {
			left[i] -= v * v
		}
		left[at] = 0
		rows = append(rows, row)
	}
	progress.Report(ctx, progress.Step{Task: "draw", Done: 1, Total: 1})
	if len(rows) == 0 {
		return mat.NewDense(1, n, nil), nil
	}
	out := mat.NewDense(len(rows), n, nil)
	for i, r := range rows {
		out.SetRow(i, r)
	}
	return out, linop.Stopped(ctx)
}

// covarianceWith stores the covariances of one target with all.
func (j *joined) covarianceWith(ctx context.Context, i int, dst []float64) error {
	if err := j.row(ctx, i, dst); err != nil {
		return err
	}
	k, n := j.seen.Dims()
	var explained mat.VecDense
	explained.MulVec(j.seen.T(), mat.NewVecDense(k, mat.Col(nil, i, j.seen)))
	floats.Sub(dst, explained.RawVector().Data[:n])
	if j.flat != nil {
		floats.AddScaled(dst, j.flat[i], j.flat)
	}
	return linop.Stopped(ctx)
}
