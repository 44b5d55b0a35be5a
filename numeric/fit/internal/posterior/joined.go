package posterior

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// joined is the posterior covariance of targets over τ², as a function of two of them.
type joined struct {
	prior []float64  // variances
	seen  *mat.Dense // U⁻ᵀ H: what the data say of each target, in the columns
	flat  []float64  // what a free constant adds; nil: nothing
	count int        // of functionals, each at all points of the output
	row   priorRow
}

// priorRow stores the prior covariances over τ² of one target with those of functionals
// from … to-1 at all points of the output.
type priorRow func(ctx context.Context, i, from, to int, dst []float64)

// joined conditions targets on the data.
func (p *Posterior) joined(ctx context.Context, t targets) (*joined, error) {
	count := t.count() * t.ys.Size()
	c, err := p.conditioned(ctx, mostFactored)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, fmt.Errorf("draws: the data say too much for their covariance to be factored: more than %d directions of them matter; fit to fewer pairs, or on coarser meshes, or take std, which needs no covariances", mostFactored)
	}
	if err := dense.CheckMatrix("draws", 3, c.factor.SymmetricDim(), count); err != nil {
		return nil, err
	}
	j := &joined{count: t.count()}
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
func (p *Posterior) allCovariances(ctx context.Context, c *conditioned, t targets) (*mat.Dense, error) {
	count, my := t.count(), t.ys.Size()
	k := c.factor.SymmetricDim()
	if err := dense.CheckMatrix("draws", 3, k, count*my); err != nil {
		return nil, err
	}
	h := mat.NewDense(k, count*my, nil)
	if l := p.leading(); l != nil { // c is its own
		to, err := p.cross(ctx, t.xs, t.ys)
		if err != nil {
			return nil, err
		}
		if !gram.Evaluates(to) {
			return h, p.covariances(ctx, h, l, to, t, 0)
		}
	}
	y := problem.PointOf(t.ys)
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
func (p *Posterior) functionalsAt(ctx context.Context, t targets, y []float64) (*functionals, error) {
	l, err := p.points(ctx, t.xs, y, t.weights != nil)
	if err != nil || t.weights == nil {
		return l, err
	}
	if l = l.combined(ctx, t.weights); p.q == nil {
		return l, nil
	}
	return l, p.addBias(ctx, l, y)
}

// priorRows is what stores the prior covariances of targets.
func (p *Posterior) priorRows(ctx context.Context, t targets) (priorRow, error) {
	my := t.ys.Size()
	if t.weights == nil {
		all, err := problem.Joint(p.f.Space, t.xs, t.ys)
		if err != nil {
			return nil, err
		}
		points := all.Columns()
		return func(_ context.Context, i, from, to int, dst []float64) {
			x, y := problem.PointOf(t.xs), problem.PointOf(t.ys)
			t.xs.Point(x, i/my)
			t.ys.Point(y, i%my)
			some := make([][]float64, len(points))
			for c, v := range points {
				some[c] = v[from*my : to*my]
			}
			p.f.Row(dst, problem.Beside(x, y), some)
			floats.Scale(1/p.at.Lambda, dst)
		}, nil
	}
	self, err := p.self(ctx, t)
	if err != nil {
		return nil, err
	}
	var q *mat.Dense
	if p.q != nil {
		if q, err = p.q.Gram(ctx, t.ys, t.ys); err != nil {
			return nil, err
		}
		q.Scale(1/p.at.Rho, q)
	}
	if row, err := p.rowFactors(ctx, self, t, q); row != nil || err != nil {
		return row, err
	}
	mx := t.xs.Size()
	return func(ctx context.Context, i, from, to int, dst []float64) {
		in, kin := make([]float64, mx*my), make([]float64, mx*my)
		for x, w := range t.weights.RawRowView(i / my) {
			in[x*my+i%my] = w / p.at.Lambda
		}
		self.Apply(ctx, kin, in)
		sums := mat.NewDense(to-from, my, dst)
		sums.Copy(linop.Product(ctx, t.weights.Slice(from, to, 0, mx), mat.NewDense(mx, my, kin)))
		if q != nil {
			linop.AddToRows(sums, 1, q.RawRowView(i%my))
		}
	}, nil
}

// self is the kernel between the meshes of targets.
func (p *Posterior) self(ctx context.Context, t targets) (linop.Operator, error) {
	if p.averaged != nil && t.xs.Equal(p.x) && t.ys.Equal(p.y) {
		return p.averaged, nil
	}
	k, _, err := gram.Self(ctx, p.f, t.xs, t.ys, gram.Options{})
	return k, err
}

// rowFactors are prior covariances of predictions with a kernel that has factors, as priorRows has them; nil where it
// has none. q is that of β over ρ, nil for none.
func (p *Posterior) rowFactors(ctx context.Context, self linop.Operator, t targets, q *mat.Dense) (priorRow, error) {
	k, factored := self.(factoredKernel)
	if !factored {
		return nil, nil
	}
	n, my := t.count(), t.ys.Size()
	left := make([]*mat.Dense, n) // by prediction: predictions × terms
	for i := range left {
		left[i] = mat.NewDense(n, k.Terms(), nil)
	}
	right := make([]*mat.Dense, my) // by point: terms × points
	for i := range right {
		right[i] = mat.NewDense(k.Terms(), my, nil)
	}
	for e := range k.Terms() {
		between := linop.Product(ctx, linop.Product(ctx, t.weights, k.Left(e)), t.weights.T())
		between.Scale(1/p.at.Lambda, between)
		for i, own := range left {
			own.SetCol(e, between.RawRowView(i))
		}
		for i, own := range right {
			own.SetRow(e, mat.Row(nil, i, k.Right(e)))
		}
	}
	return func(ctx context.Context, i, from, to int, dst []float64) {
		sums := mat.NewDense(to-from, my, dst)
		sums.Copy(linop.Product(ctx, left[i/my].Slice(from, to, 0, k.Terms()), right[i%my]))
		if q != nil {
			linop.AddToRows(sums, 1, q.RawRowView(i%my))
		}
	}, linop.Stopped(ctx)
}
