package posterior

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/mesh"
)

// functionals are linear functionals of (G, β): their prior variances over τ², their
// covariances with the data over τ², one row each, and how often each has the free constant
// of β in it.
type functionals struct {
	prior []float64
	with  *mat.Dense // functionals × data
	times float64

	own *mat.Dense // prior covariances of values at points; nil: they were not asked for
}

// aloneTogether is how many are solved for at a time where each is by itself, so that all processors take part.
const aloneTogether = 16

// functionalsTogether is how many are solved for at a time, with so many data: 1000, or what a part of the memory limit holds.
func functionalsTogether(data int) int {
	return max(1, min(1000, gram.MemoryShare(.05, 1<<27)/max(1, data)))
}

// rowsPerProduct is how many rows of kernel values cost what a product with it does.
const rowsPerProduct = 20

// deviationsAt is the standard deviations of so many functionals at each point k of ys, y,
// which at makes: count × points of ys.
func (p *Posterior) deviationsAt(ctx context.Context, count int, ys mesh.Mesh, at func(k int, y []float64) (*functionals, error)) (*mat.Dense, error) {
	whole, err := p.conditioned(ctx, count*ys.Size())
	if err != nil {
		return nil, err
	}
	out, y := mat.NewDense(count, ys.Size(), nil), problem.PointOf(ys)
	n, _ := p.a.Dims()
	together := 1 + functionalsTogether(n)/count // points of ys
	if whole == nil {
		together = 1 + aloneTogether/count
		done, err := p.announce(ctx, count*ys.Size(), ys, at)
		if err != nil {
			return nil, err
		}
		defer done()
	}
	for from := 0; from < ys.Size(); from += together {
		to := min(from+together, ys.Size())
		block := functionals{with: mat.NewDense(count*(to-from), n, nil)}
		for k := from; k < to; k++ {
			ys.Point(y, k)
			l, err := at(k, y)
			if err != nil {
				return nil, err
			}
			block.prior, block.times = append(block.prior, l.prior...), l.times
			block.with.Slice((k-from)*count, (k-from+1)*count, 0, n).(*mat.Dense).Copy(l.with)
		}
		std, err := p.deviationsOf(ctx, &block, whole)
		if err != nil {
			return nil, err
		}
		for i, v := range std {
			out.Set(i%count, from+i/count, v)
		}
		progress.Report(ctx, progress.Step{Task: "std", Done: float64(to), Total: float64(ys.Size())})
	}
	return out, linop.Stopped(ctx)
}

// worthAnnouncing is how long what follows takes for it to be said beforehand.
const worthAnnouncing = 2 * time.Second

// announce says about how long so many functionals take, by the first one; done ends that.
func (p *Posterior) announce(ctx context.Context, count int, ys mesh.Mesh, at func(k int, y []float64) (*functionals, error)) (done func(), err error) {
	y := problem.PointOf(ys)
	ys.Point(y, 0)
	l, err := at(0, y)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if _, err := p.variance(ctx, l.prior[0], l.with.RawRowView(0), l.times); err != nil {
		return nil, err
	}
	expected := time.Since(start) * time.Duration(count)
	if expected < worthAnnouncing {
		return func() {}, nil
	}
	s := progress.Step{Task: fmt.Sprintf("std of %d values", count), About: fmt.Sprintf("about %s in all", expected.Round(time.Second))}
	progress.Report(ctx, s)
	s.Done, s.Total = 1, 1
	return func() { progress.Report(ctx, s) }, nil
}

// points are the values of G at (x, y) for all x. own asks for their prior covariances with
// each other.
func (p *Posterior) points(ctx context.Context, xs mesh.Mesh, y []float64, own bool) (*functionals, error) {
	n, _ := p.a.Dims()
	l := &functionals{prior: make([]float64, xs.Size()), with: mat.NewDense(xs.Size(), n, nil)}
	var columns [][]float64
	if own {
		l.own = mat.NewDense(xs.Size(), xs.Size(), nil)
		columns = xs.Columns()
		for _, v := range y {
			columns = append(columns, slices.Repeat([]float64{v}, xs.Size()))
		}
	}
	err := kernels.Rows(ctx, xs.Size(), gram.ApplyTime(len(p.all[0])), func(i int) {
		x := problem.PointOf(xs)
		xs.Point(x, i)
		at := problem.Beside(x, y)
		row := make([]float64, len(p.all[0]))
		p.f.Row(row, at, p.all)
		floats.Scale(1/p.at.Lambda, row)
		copy(l.with.RawRowView(i), p.Respond(ctx, row, nil))
		l.prior[i] = p.f.At(at, at) / p.at.Lambda
		if own {
			p.f.Row(l.own.RawRowView(i), at, columns)
			floats.Scale(1/p.at.Lambda, l.own.RawRowView(i))
		}
	})
	return l, err
}

// combined are sums of values at points, a row of weights for each.
func (l *functionals) combined(ctx context.Context, weights *mat.Dense) *functionals {
	n, _ := weights.Dims()
	sums := &functionals{prior: make([]float64, n), with: linop.Product(ctx, weights, l.with)}
	own := linop.Product(ctx, weights, l.own)
	for i := range n {
		sums.prior[i] = floats.Dot(own.RawRowView(i), weights.RawRowView(i))
	}
	return sums
}

// newIntegrals makes what combined makes of points, by products with the kernel.
func (p *Posterior) newIntegrals(ctx context.Context, weighted *mat.Dense, xs, ys mesh.Mesh) (func(k int, y []float64) (*functionals, error), error) {
	to, err := gram.Cross(ctx, p.f, p.x, p.y, xs, ys)
	if err != nil {
		return nil, err
	}
	self, _, err := gram.Self(ctx, p.f, xs, ys, gram.Options{})
	if err != nil {
		return nil, err
	}
	n, m := weighted.Dims()
	size, _ := p.a.Dims()
	in, g, kin := make([]float64, m*ys.Size()), make([]float64, len(p.all[0])), make([]float64, m*ys.Size())
	return func(k int, _ []float64) (*functionals, error) {
		l := &functionals{prior: make([]float64, n), with: mat.NewDense(n, size, nil)}
		clear(in)
		for i := range n {
			for j, w := range weighted.RawRowView(i) {
				in[j*ys.Size()+k] = w
			}
			to.Apply(ctx, g, in)
			floats.Scale(1/p.at.Lambda, g)
			copy(l.with.RawRowView(i), p.Respond(ctx, g, nil))
			self.Apply(ctx, kin, in)
			l.prior[i] = floats.Dot(in, kin) / p.at.Lambda
		}
		return l, linop.Stopped(ctx)
	}, nil
}

// addBias adds the value of β at y to functionals.
func (p *Posterior) addBias(ctx context.Context, l *functionals, y []float64) error {
	b := make([]float64, p.y.Size())
	p.q.Row(b, y, p.y.Columns())
	floats.Scale(1/p.at.Rho, b)
	h := p.Respond(ctx, nil, b)
	for i := range l.prior {
		l.prior[i] += p.q.At(y, y) / p.at.Rho
		floats.Add(l.with.RawRowView(i), h)
	}
	l.times = 1
	return linop.Stopped(ctx)
}

// conditioned is what pays for so many functionals: the data in their leading directions, or
// all of them; nil where neither does, or where rounding leaves no factor.
func (p *Posterior) conditioned(ctx context.Context, functionals int) (*conditioned, error) {
	l, err := p.leads(ctx, functionals)
	if l != nil || err != nil {
		return l.own(), err
	}
	n, _ := p.a.Dims()
	if n > mostFactored || n > factoredPerFunctional*functionals || dense.CheckSize("std:", 2*float64(n)*float64(n)) != nil {
		return nil, nil
	}
	p.factor.Lock()
	defer p.factor.Unlock()
	if !p.factor.tried {
		if p.factor.whole, err = p.factored(ctx); err != nil {
			return nil, err
		}
		p.factor.tried = true
	}
	return p.factor.whole, nil
}

// deviationsOf is the standard deviations of functionals, by CG for those that c, which may be
// nil, says nothing of.
func (p *Posterior) deviationsOf(ctx context.Context, l *functionals, c *conditioned) ([]float64, error) {
	variances := make([]float64, len(l.prior))
	if c != nil {
		h := c.reduced(ctx, l.with)
		if err := c.variances(ctx, variances, l.prior, h, l.times); err != nil {
			return nil, err
		}
	}
	failed := make([]error, len(variances))
	err := gram.EachProduct(ctx, len(variances), p.x.Size()*p.y.Size(), func(i int) {
		if l.prior[i] == 0 {
			return
		}
		if v := p.Tau2 * variances[i]; v > 0 {
			variances[i] = v
			return
		}
		variances[i], failed[i] = p.variance(ctx, l.prior[i], l.with.RawRowView(i), l.times)
	})
	if err := errors.Join(append(failed, err)...); err != nil {
		return nil, err
	}
	for i, v := range variances {
		variances[i] = math.Sqrt(v)
	}
	return variances, nil
}
