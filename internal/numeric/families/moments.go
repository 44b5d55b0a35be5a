package families

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// moments are the means and the variances of G at the probed points of both sides, of a kernel at a λ.
type moments struct{ mean, variance []float64 }

// moments are those of a kernel that is a product.
func (p *product) moments(lambda float64) moments {
	c, z, scale := p.loads(), make([]float64, len(p.d)), p.quadratic(lambda)/float64(len(p.t))/lambda
	points, _ := c.Dims()
	out := moments{make([]float64, points), make([]float64, points)}
	for k := range points {
		row := c.RawRowView(k)
		for i, d := range p.d {
			z[i] = row[i] / (d + lambda)
		}
		out.mean[k] = floats.Dot(z, p.t)
		out.variance[k] = scale * max(0, 1-floats.Dot(z, row))
	}
	return out
}

// quadratic is ⟨T, H⁻¹ T⟩.
func (p *product) quadratic(lambda float64) (sum float64) {
	for i, d := range p.d {
		sum += p.t[i] * p.t[i] / (1 + d/lambda)
	}
	return sum
}

// loads are the covariances of G at the probed points, of X × of Y, and T in the bases.
func (p *product) loads() *mat.Dense {
	x, _ := p.rows.loads.Dims()
	y, _ := p.cols.loads.Dims()
	out := mat.NewDense(x*y, len(p.d), nil)
	for i := range x {
		for k := range y {
			row := out.RawRowView(i*y + k)[:0]
			for _, a := range p.rows.loads.RawRowView(i) {
				for _, b := range p.cols.loads.RawRowView(k) {
					row = append(row, a*b)
				}
			}
		}
	}
	return out
}

// moments are those with a kink, for a weight, of which the jump at the probed points is given.
func (b *bent) moments(ctx context.Context, lambda, w float64, z *ramps) (out moments, err error) {
	rank, n := b.z.Dims()
	half, root := mat.NewDense(rank, n, nil), make([]float64, n) // √w Z (λ + D)^-½
	for i, d := range b.d {
		root[i] = 1 / math.Sqrt(d+lambda)
	}
	for i := range rank {
		floats.MulTo(half.RawRowView(i), b.z.RawRowView(i), root)
	}
	half.Scale(math.Sqrt(w), half)
	inner := linop.Product(ctx, half, half.T())
	for i := range rank {
		inner.Set(i, i, inner.At(i, i)+1)
	}
	if err := linop.Stopped(ctx); err != nil {
		return out, err
	}
	chol, err := linop.Cholesky(ctx, mat.NewSymDense(rank, inner.RawMatrix().Data))
	if err != nil {
		return out, linop.Stopped(ctx) // lost in rounding: no moments
	}
	c := b.loads()
	points, _ := c.Dims()
	jump := linop.Product(ctx, z.probes, b.z)
	jump.Scale(w*math.Sqrt(z.unit), jump)
	c.Add(c, jump)
	for k := range points {
		floats.Mul(c.RawRowView(k), root)
	}
	t := make([]float64, n)
	floats.MulTo(t, b.t, root)
	both := mat.NewDense(points+1, n, nil)
	both.Slice(0, points, 0, n).(*mat.Dense).Copy(c)
	both.SetRow(points, t)
	along := linop.Product(ctx, half, both.T())
	var solved mat.Dense
	if err := chol.SolveTo(&solved, along); err != nil {
		return out, linop.Stopped(ctx)
	}
	scale := (floats.Dot(t, t) - mat.Dot(along.ColView(points), solved.ColView(points))) / float64(len(b.t))
	out = moments{make([]float64, points), make([]float64, points)}
	for k := range points {
		row := c.RawRowView(k)
		out.mean[k] = floats.Dot(row, t) - mat.Dot(along.ColView(k), solved.ColView(points))
		explained := floats.Dot(row, row) - mat.Dot(along.ColView(k), solved.ColView(k))
		out.variance[k] = scale * max(0, 1+w*z.unit*z.sizes[k]-explained)
	}
	return out, linop.Stopped(ctx)
}
