package fit

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/linop"
)

// covariances are those of targets with data, by products with the kernel.
type covariances struct {
	p     *factors
	d     *inData
	to    linop.Operator // the kernel from the meshes of the data to those of the targets
	t     targets
	bias  *mat.Dense   // Q/ρ from the points of the data to those of the targets; nil: it has no part
	modes *mat.Dense   // what each mode of the output stands for at its points, before λ: modes × points
	quick *fromFactors // nil: the kernel has no factors
}

func (p *factors) newCovariances(ctx context.Context, d *inData, to linop.Operator, t targets) (*covariances, error) {
	bias, err := p.biasBetween(ctx, t)
	if err != nil {
		return nil, err
	}
	c := &covariances{p: p, d: d, to: to, t: t, bias: bias}
	if c.quick, err = p.newFromFactors(ctx, to, t, bias); c.quick != nil || err != nil {
		return c, err
	}
	c.modes = d.sys.modes(ctx)
	return c, linop.Stopped(ctx)
}

// direction stores those with entry j of the data: its weights are an outer product.
func (c *covariances) direction(ctx context.Context, dst []float64, j int) {
	if c.quick != nil {
		copy(dst, c.quick.covariances(ctx, j).RawMatrix().Data)
		return
	}
	sys := c.d.sys
	_, cols := sys.b.Dims()
	b, mode := sys.b.RawRowView(j/sys.my), c.modes.RawRowView(j%sys.my)
	w := mat.NewDense(cols, sys.my, nil)
	for x, v := range b {
		floats.AddScaled(w.RawRowView(x), v, mode)
	}
	c.ofWeights(ctx, dst, w)
}

// data stores those with a sum of the data, each so many times.
func (c *covariances) data(ctx context.Context, dst, times []float64) {
	c.ofWeights(ctx, dst, c.d.spread(ctx, times))
}

// ofWeights stores those with weights of G and β.
func (c *covariances) ofWeights(ctx context.Context, dst []float64, w *mat.Dense) {
	mx, my := c.t.xs.Size(), c.t.ys.Size()
	values := dst
	if c.t.weights != nil {
		values = make([]float64, mx*my)
	}
	c.to.Apply(ctx, values, w.RawMatrix().Data[:c.p.x.Size()*c.p.y.Size()])
	floats.Scale(1/c.p.at.lambda, values)
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
