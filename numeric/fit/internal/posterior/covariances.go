package posterior

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// covariances are those of targets with data, by products with the kernel.
type covariances struct {
	p     *Posterior
	d     problem.Complete
	in    *mat.Dense     // rows of the inputs, see problem.Directed.RowsOf
	to    linop.Operator // the kernel from the meshes of the data to those of the targets
	t     targets
	bias  *mat.Dense   // Q/ρ from the points of the data to those of the targets; nil: it has no part
	modes *mat.Dense   // what each mode of the output stands for at its points, before λ: modes × points
	quick *fromFactors // nil: the kernel has no factors
}

// newCovariances are those of weights; of entries of the data once it has these, see take.
func (p *Posterior) newCovariances(ctx context.Context, to linop.Operator, t targets) (*covariances, error) {
	bias, err := p.biasBetween(ctx, t)
	if err != nil {
		return nil, err
	}
	c := &covariances{p: p, to: to, t: t, bias: bias}
	c.quick, err = p.newFromFactors(ctx, to, t, bias)
	return c, err
}

// take prepares those with entries of complete data.
func (c *covariances) take(ctx context.Context, d problem.Complete) error {
	if c.d = d; c.quick == nil {
		c.in, _, _ = d.RowsOf(ctx)
		c.modes = d.Modes(ctx)
	}
	return linop.Stopped(ctx)
}

// direction stores those with entry j of the data: its weights are an outer product.
func (c *covariances) direction(ctx context.Context, dst []float64, j int) {
	if c.quick != nil {
		copy(dst, c.quick.covariances(ctx, j).RawMatrix().Data)
		return
	}
	_, cols := c.in.Dims()
	my, _ := c.modes.Dims()
	b, mode := c.in.RawRowView(j/my), c.modes.RawRowView(j%my)
	w := mat.NewDense(cols, my, nil)
	for x, v := range b {
		floats.AddScaled(w.RawRowView(x), v, mode)
	}
	c.ofWeights(ctx, dst, w)
}

// data stores those with a sum of the data, each so many times.
func (c *covariances) data(ctx context.Context, dst, times []float64) {
	c.ofWeights(ctx, dst, c.d.Spread(ctx, times))
}

// ofWeights stores those with weights of G and β.
func (c *covariances) ofWeights(ctx context.Context, dst []float64, w *mat.Dense) {
	mx, my := c.t.xs.Size(), c.t.ys.Size()
	values := dst
	if c.t.weights != nil {
		values = make([]float64, mx*my)
	}
	c.to.Apply(ctx, values, w.RawMatrix().Data[:c.p.x.Size()*c.p.y.Size()])
	floats.Scale(1/c.p.at.Lambda, values)
	if c.t.weights == nil {
		return
	}
	sums := mat.NewDense(c.t.count(), my, dst)
	if linop.MulContext(ctx, sums, c.t.weights, mat.NewDense(mx, my, values)) != nil {
		return
	}
	if c.bias != nil {
		var b mat.VecDense
		b.MulVec(c.bias, w.RowView(c.p.x.Size()))
		linop.AddToRows(sums, 1, b.RawVector().Data)
	}
}

// together reports whether a sum of the covariances of all directions takes less than a product with the kernel.
func (c *covariances) together() bool {
	k, ok := c.to.(factoredKernel)
	if c.quick == nil || !ok {
		return false
	}
	x, y, mx, my := float64(c.p.x.Size()), float64(c.p.y.Size()), float64(c.t.xs.Size()), float64(c.t.ys.Size())
	product := float64(k.Terms()) * (x*y*my + x*mx*my)
	n, _ := c.p.a.Dims()
	return float64(n)*float64(c.t.count())*my < product
}

// newQuickIntegrals makes predictions with the covariances that factors of the kernel give; nil where it has none.
func (p *Posterior) newQuickIntegrals(ctx context.Context, t targets) (func(k int, y []float64) (*functionals, error), error) {
	if _, complete := p.Regression.(problem.Complete); !complete || p.few() {
		return nil, nil
	}
	to, err := p.cross(ctx, t.xs, t.ys)
	if _, factored := to.(factoredKernel); !factored || err != nil {
		return nil, err
	}
	c, err := p.newCovariances(ctx, to, t)
	if err != nil || c.quick == nil {
		return nil, err
	}
	prior, err := p.priors(ctx, t)
	if err != nil {
		return nil, err
	}
	size, _ := p.a.Dims()
	n, my := t.count(), t.ys.Size()
	return func(k int, _ []float64) (*functionals, error) {
		l := &functionals{prior: make([]float64, n), with: mat.NewDense(n, size, nil), times: t.times(p)}
		for i := range n {
			l.prior[i] = prior[i*my+k]
			l.with.SetRow(i, c.quick.with(ctx, i*my+k))
		}
		return l, linop.Stopped(ctx)
	}, nil
}
