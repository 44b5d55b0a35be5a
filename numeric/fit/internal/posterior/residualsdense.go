package posterior

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// denseResiduals are those of any kernel and of data with missing outputs, value by value, by
// the inverse X of the Cholesky factor of C: M = XᵀX, less the part of the free constant.
type denseResiduals struct {
	n, my       int
	pair, point []int     // of each value, by pairs
	t           []float64 // the data
	x           *mat.Dense
	e           []float64 // of the free constant; nil: there is none
	me          []float64 // C⁻¹ e
	size        float64   // eᵀ C⁻¹ e

	sd     []float64    // of residuals
	blocks []pairsBlock // one for each pair that has values

	drawn []([]float64) // residuals that are ready
	forms []float64
}

// pairsBlock is what is known of a pair that is left out.
type pairsBlock struct {
	pair, lo, hi int
	inverse      *mat.Dense // of the block of M
	sd           []float64
	mean         []float64 // weights of the mean over the output
	meanSD       float64
}

const drawnTogether = 50

// DenseModel is that of any kernel, over some points of the output. Cost: the inverse of the covariance of all values.
func (p *Posterior) DenseModel(ctx context.Context, at Span) (Model, error) {
	return p.newDenseResiduals(ctx, at)
}

func (p *Posterior) newDenseResiduals(ctx context.Context, at Span) (*denseResiduals, error) {
	v, err := p.Values(ctx, p.at)
	if err != nil {
		return nil, err
	}
	m := &denseResiduals{n: v.Pairs, my: p.y.Size(), pair: v.Pair, point: v.Point, t: v.T, e: v.Constant}
	if m.x, err = inverseFactor(ctx, v.Covariance); err != nil {
		return nil, fmt.Errorf("residuals: %w", err)
	}
	if m.e != nil {
		e := mat.NewDense(len(m.t), 1, m.e)
		m.me = linop.Product(ctx, m.x.T(), linop.Product(ctx, m.x, e)).RawMatrix().Data
		m.size = floats.Dot(m.e, m.me)
	}
	return m, m.setBlocks(ctx, at.within(p.y.Weights()))
}

// inverseFactor is X, lower triangular, with XᵀX the inverse of a.
func inverseFactor(ctx context.Context, a *mat.SymDense) (*mat.Dense, error) {
	factor, err := linop.Cholesky(ctx, a)
	if err := linop.Stopped(ctx); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("the noise is lost in rounding beside what the kernel explains: %w", err)
	}
	return linop.InverseFactor(ctx, factor)
}

func inverseOf(ctx context.Context, a *mat.SymDense) (*mat.Dense, error) {
	x, err := inverseFactor(ctx, a)
	if err != nil {
		return nil, err
	}
	return linop.Product(ctx, x.T(), x), nil
}

// setBlocks finds the deviations.
func (m *denseResiduals) setBlocks(ctx context.Context, dy []float64) error {
	n := len(m.t)
	m.sd = make([]float64, n)
	for lo := 0; lo < n; {
		hi := lo
		for hi < n && m.pair[hi] == m.pair[lo] {
			hi++
		}
		own := m.block(ctx, lo, hi)
		b := pairsBlock{pair: m.pair[lo], lo: lo, hi: hi}
		for a := lo; a < hi; a++ {
			m.sd[a] = math.Sqrt(max(0, own.At(a-lo, a-lo)))
			b.mean = append(b.mean, math.Sqrt(dy[m.point[a]]))
		}
		var err error
		if b.inverse, err = inverseOf(ctx, linop.Symmetric(own)); err != nil {
			return fmt.Errorf("residuals: pair %d: %w", b.pair+1, err)
		}
		for a := range hi - lo {
			b.sd = append(b.sd, math.Sqrt(b.inverse.At(a, a)))
		}
		weights := mat.NewVecDense(len(b.mean), b.mean)
		b.meanSD = math.Sqrt(mat.Inner(weights, b.inverse, weights))
		m.blocks, lo = append(m.blocks, b), hi
	}
	return nil
}

// block is that of M of the values lo, …, hi - 1.
func (m *denseResiduals) block(ctx context.Context, lo, hi int) *mat.Dense {
	columns := m.x.Slice(lo, len(m.t), lo, hi) // X is lower triangular
	own := linop.Product(ctx, columns.T(), columns)
	if m.e != nil {
		me := mat.NewVecDense(hi-lo, m.me[lo:hi])
		own.RankOne(own, -1/m.size, me, me)
	}
	return own
}

// Block implements Model.
func (m *denseResiduals) Block(ctx context.Context, pair int) *mat.Dense {
	all := mat.NewDense(m.my, m.my, nil)
	for _, b := range m.blocks {
		if b.pair != pair {
			continue
		}
		own := m.block(ctx, b.lo, b.hi)
		for a := b.lo; a < b.hi; a++ {
			for c := b.lo; c < b.hi; c++ {
				all.Set(m.point[a], m.point[c], own.At(a-b.lo, c-b.lo))
			}
		}
	}
	return all
}

// Freedom implements residualModel.
func (m *denseResiduals) Freedom() float64 {
	if m.e != nil {
		return float64(len(m.t) - 1)
	}
	return float64(len(m.t))
}

// Trace implements residualModel.
func (m *denseResiduals) Trace(at Span) (sum float64) {
	for a, sd := range m.sd {
		if k := m.point[a]; k >= at.Lo && k < at.Hi {
			sum += sd * sd
		}
	}
	return sum
}

// Shares implements residualModel.
func (m *denseResiduals) Shares() *mat.Dense {
	all := mat.NewDense(m.n, m.my, nil)
	for a, sd := range m.sd {
		all.Set(m.pair[a], m.point[a], sd*sd)
	}
	return all
}

// Observed implements residualModel.
func (m *denseResiduals) Observed(ctx context.Context) (*mat.Dense, float64) {
	n := len(m.t)
	z := linop.Product(ctx, m.x.T(), linop.Product(ctx, m.x, mat.NewDense(n, 1, m.t)))
	data := z.RawMatrix().Data
	if m.e != nil {
		floats.AddScaled(data, -floats.Dot(m.e, data)/m.size, m.me)
	}
	return z, floats.Dot(m.t, data)
}

// Draw implements residualModel, many at a time.
func (m *denseResiduals) Draw(ctx context.Context, rng *rand.Rand) (*mat.Dense, float64) {
	n := len(m.t)
	if len(m.drawn) == 0 {
		eps := mat.NewDense(n, drawnTogether, linop.Normal(rng, n*drawnTogether))
		all := linop.Product(ctx, m.x.T(), eps)
		m.forms = m.forms[:0]
		for j := range drawnTogether {
			z, w := mat.Col(nil, j, all), mat.Col(nil, j, eps)
			form := floats.Dot(w, w)
			if m.e != nil {
				along := floats.Dot(m.e, z)
				form -= along * along / m.size
				floats.AddScaled(z, -along/m.size, m.me)
			}
			m.drawn, m.forms = append(m.drawn, z), append(m.forms, form)
		}
	}
	z, form := m.drawn[0], m.forms[0]
	m.drawn, m.forms = m.drawn[1:], m.forms[1:]
	return mat.NewDense(n, 1, z), form
}

// Residue implements residualModel.
func (m *denseResiduals) Residue(_ context.Context, z *mat.Dense, tau2 float64) *Residue {
	tau, data := math.Sqrt(tau2), z.RawMatrix().Data
	nothing := func() *mat.Dense {
		d := mat.NewDense(m.n, m.my, nil)
		d.Apply(func(_, _ int, _ float64) float64 { return math.NaN() }, d)
		return d
	}
	out := &Residue{Values: nothing(), LeftOut: nothing(), Errors: nothing(), Means: make([]float64, m.n)}
	for i := range out.Means {
		out.Means[i] = math.NaN()
	}
	for a, v := range data {
		out.Values.Set(m.pair[a], m.point[a], v/(tau*m.sd[a]))
	}
	for _, b := range m.blocks {
		var e mat.VecDense
		e.MulVec(b.inverse, mat.NewVecDense(b.hi-b.lo, data[b.lo:b.hi]))
		for a := range b.hi - b.lo {
			out.Errors.Set(b.pair, m.point[b.lo+a], e.AtVec(a))
			out.LeftOut.Set(b.pair, m.point[b.lo+a], e.AtVec(a)/(tau*b.sd[a]))
		}
		out.Means[b.pair] = floats.Dot(b.mean, e.RawVector().Data) / (tau * b.meanSD)
	}
	return out
}
