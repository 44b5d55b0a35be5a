package posterior

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// splitResiduals are those of a kernel that is a product and complete data, in closed form:
// with C = (P ⊗ V) D (P ⊗ V)ᵀ + (I - P Pᵀ) ⊗ I. Residuals are held in the basis V.
type splitResiduals struct {
	p      *Posterior
	rows   *mat.Dense // P, n × r
	within *mat.Dense // of C⁻¹ without the constant, for each pair with itself: n × my, diagonal in V
	me     *mat.Dense // P M e in V, n × my; nil: there is no free constant
	left   []float64  // for each pair: eᵀC⁻¹e less what is its own
	mean   []float64  // weights of the mean over the output, in V
	sd     *mat.Dense // of residuals
	leftSD *mat.Dense // of errors of pairs that are left out
	meanSD []float64  // of their means
}

// SplitModel is that in closed form, over some points of the output; nil where there is none.
func (p *Posterior) SplitModel(ctx context.Context, at Span) (Model, error) {
	if p.split == nil {
		return nil, nil
	}
	return p.newSplitResiduals(ctx, at)
}

func (p *Posterior) newSplitResiduals(ctx context.Context, at Span) (*splitResiduals, error) {
	d := p.split.data
	n, rows := d.P.Dims()
	my := p.y.Size()
	if err := dense.CheckMatrix("residuals", 8, n+my, my); err != nil {
		return nil, err
	}
	m := &splitResiduals{p: p, rows: d.P, left: make([]float64, n), meanSD: make([]float64, n)}
	inverse, p2 := mat.NewDense(rows, my, nil), mat.DenseCopyOf(d.P)
	for i, v := range p.split.d {
		inverse.RawMatrix().Data[i] = 1 / v
	}
	p2.MulElem(p2, p2)
	m.within = linop.Product(ctx, p2, inverse)
	for i := range n {
		beyond := max(0, 1-floats.Sum(p2.RawRowView(i)))
		floats.AddConst(beyond, m.within.RawRowView(i))
	}
	if p.constant != nil {
		m.me = linop.Product(ctx, d.P, mat.NewDense(rows, my, p.constant.me))
	}
	m.mean = at.within(d.Rdy)
	d.V.Forward(ctx, m.mean)
	v2 := linop.Identity(my)
	d.V.Forward(ctx, v2.RawMatrix().Data)
	v2.MulElem(v2, v2)
	m.setDeviations(ctx, v2)
	return m, linop.Stopped(ctx)
}

// setDeviations computes the deviations for τ = 1, with the squares of V.
func (m *splitResiduals) setDeviations(ctx context.Context, v2 *mat.Dense) {
	n, my := m.within.Dims()
	own := mat.NewDense(n, my, nil) // the inverse of within
	own.Apply(func(_, _ int, v float64) float64 { return 1 / v }, m.within)
	m.sd, m.leftSD = linop.Product(ctx, m.within, v2.T()), linop.Product(ctx, own, v2.T())
	var turned, through *mat.Dense
	if m.me != nil {
		turned, through = mat.DenseCopyOf(m.me), mat.NewDense(n, my, nil)
		m.p.split.data.V.Backward(ctx, turned.RawMatrix().Data)
		through.MulElem(m.me, own)
	}
	for i := range n {
		for l, v := range own.RawRowView(i) {
			m.meanSD[i] += m.mean[l] * m.mean[l] * v
		}
		if m.me == nil {
			continue
		}
		m.left[i] = m.p.constant.size - floats.Dot(m.me.RawRowView(i), through.RawRowView(i))
		along := floats.Dot(m.mean, through.RawRowView(i))
		m.meanSD[i] += along * along / m.left[i]
	}
	if m.me != nil {
		m.p.split.data.V.Backward(ctx, through.RawMatrix().Data)
	}
	for i := range n {
		m.meanSD[i] = math.Sqrt(m.meanSD[i])
		for k := range my {
			sd, left := m.sd.At(i, k), m.leftSD.At(i, k)
			if m.me != nil {
				sd -= turned.At(i, k) * turned.At(i, k) / m.p.constant.size
				left += through.At(i, k) * through.At(i, k) / m.left[i]
			}
			m.sd.Set(i, k, math.Sqrt(max(sd, 0)))
			m.leftSD.Set(i, k, math.Sqrt(left))
		}
	}
}

// Freedom implements residualModel.
func (m *splitResiduals) Freedom() float64 { return m.p.Count() }

// Trace implements residualModel.
func (m *splitResiduals) Trace(at Span) (sum float64) {
	for i := range m.left {
		for k := at.Lo; k < at.Hi; k++ {
			if sd := m.sd.At(i, k); m.p.split.data.Rdy[k] > 0 {
				sum += sd * sd
			}
		}
	}
	return sum
}

// Shares implements residualModel.
func (m *splitResiduals) Shares() *mat.Dense {
	all := mat.DenseCopyOf(m.sd)
	all.Apply(func(_, k int, sd float64) float64 {
		if m.p.split.data.Rdy[k] == 0 {
			return 0
		}
		return sd * sd
	}, all)
	return all
}

// Block implements Model.
func (m *splitResiduals) Block(ctx context.Context, pair int) *mat.Dense {
	of, my := m.p.split.data, m.p.y.Size()
	v := linop.Identity(my)
	of.V.Forward(ctx, v.RawMatrix().Data)
	scaled := mat.DenseCopyOf(v)
	for k := range my {
		floats.Mul(scaled.RawRowView(k), m.within.RawRowView(pair))
	}
	all := linop.Product(ctx, scaled, v.T())
	if m.me != nil {
		me := mat.NewVecDense(my, nil)
		me.MulVec(v, mat.NewVecDense(my, m.me.RawRowView(pair)))
		all.RankOne(all, -1/m.p.constant.size, me, me)
	}
	for k, w := range of.Rdy {
		if w > 0 {
			continue
		}
		for j := range my {
			all.Set(j, k, 0)
			all.Set(k, j, 0)
		}
	}
	return all
}

// Observed implements residualModel.
func (m *splitResiduals) Observed(ctx context.Context) (*mat.Dense, float64) {
	of := m.p.split.data
	z := mat.DenseCopyOf(of.T)
	for i, d := range m.p.split.d {
		z.RawMatrix().Data[i] /= d
	}
	out := m.inPairs(ctx, z, of.Unexplained)
	return out, of.RSS0 + floats.Dot(of.T.RawMatrix().Data, z.RawMatrix().Data)
}

// inPairs takes the part along the free constant off residuals in the bases, and adds what lies
// beyond the inputs, nil for nothing.
func (m *splitResiduals) inPairs(ctx context.Context, z, beyond *mat.Dense) *mat.Dense {
	if c := m.p.constant; c != nil {
		flat, length := m.p.Constants()
		data := z.RawMatrix().Data
		floats.AddScaled(data, -floats.Dot(flat, data)*length/c.size, c.me)
	}
	out := linop.Product(ctx, m.rows, z)
	if beyond != nil {
		out.Add(out, beyond)
	}
	return out
}

// Draw implements residualModel.
func (m *splitResiduals) Draw(ctx context.Context, rng *rand.Rand) (*mat.Dense, float64) {
	n, r := m.rows.Dims()
	my := m.p.y.Size()
	eps := linop.Normal(rng, r*my)
	form := floats.Dot(eps, eps)
	for i, d := range m.p.split.d {
		eps[i] /= math.Sqrt(d)
	}
	if c := m.p.constant; c != nil {
		flat, length := m.p.Constants()
		along := floats.Dot(flat, eps) * length
		form -= along * along / c.size
	}
	var beyond *mat.Dense
	if n > r {
		beyond = mat.NewDense(n, my, linop.Normal(rng, n*my))
		beyond.Sub(beyond, linop.Product(ctx, m.rows, linop.Product(ctx, m.rows.T(), beyond)))
		norm := floats.Norm(beyond.RawMatrix().Data, 2)
		form += norm * norm
	}
	return m.inPairs(ctx, mat.NewDense(r, my, eps), beyond), form
}

// Residue implements residualModel.
func (m *splitResiduals) Residue(ctx context.Context, z *mat.Dense, tau2 float64) *Residue {
	n, my := z.Dims()
	tau := math.Sqrt(tau2)
	errors, out := mat.NewDense(n, my, nil), &Residue{Means: make([]float64, n)}
	for i := range n {
		row, own := errors.RawRowView(i), m.within.RawRowView(i)
		floats.DivTo(row, z.RawRowView(i), own)
		if m.me != nil {
			me := m.me.RawRowView(i)
			along := floats.Dot(me, row) / m.left[i]
			for l, v := range me {
				row[l] += along * v / own[l]
			}
		}
		out.Means[i] = floats.Dot(m.mean, row) / (tau * m.meanSD[i])
	}
	plain := mat.DenseCopyOf(z)
	v := m.p.split.data.V
	v.Backward(ctx, plain.RawMatrix().Data)
	v.Backward(ctx, errors.RawMatrix().Data)
	if rdy := m.p.split.data.Rdy; slices.Contains(rdy, 0) {
		weightless := func(_, k int, v float64) float64 {
			if rdy[k] == 0 {
				return math.NaN()
			}
			return v
		}
		plain.Apply(weightless, plain)
		errors.Apply(weightless, errors)
	}
	out.Errors, out.LeftOut = mat.DenseCopyOf(errors), errors
	plain.Apply(func(i, k int, v float64) float64 { return v / (tau * m.sd.At(i, k)) }, plain)
	errors.Apply(func(i, k int, v float64) float64 { return v / (tau * m.leftSD.At(i, k)) }, errors)
	out.Values = plain
	return out
}
