package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/internal/linop"
)

// Residuals are what an estimate leaves of its data, and what it would leave of data for which
// its model is true, with its kernel, λ and ρ. Those of a smoother are neither independent nor
// of one size: in the scaled outputs T, whose covariance is τ² C with C = S K̄ Sᵀ + I, they are
// M T, M = C⁻¹, of covariance τ² M. With a free constant of β, in the data as e,
// M = C⁻¹ - C⁻¹e eᵀC⁻¹ / eᵀC⁻¹e.
type Residuals struct {
	Data     *dataset.Dataset // the pairs, without what was known beforehand; all, or some of them
	Of       int              // pairs of the estimate
	Observed *Residue
	DF       float64 // effective degrees of freedom, the trace of the matrix that takes outputs to predictions, of these pairs
	model    residualModel
}

// Residue is what is left of one set of data, n × points of the output. NaN stands for values
// that were not observed, or have no weight.
type Residue struct {
	Values  *mat.Dense // residuals over their standard deviations in the model
	LeftOut *mat.Dense // errors of predicting each pair from the others, over the predicted deviations, that of the noise included
	Means   []float64  // the same for the mean over the output of each pair
	Errors  *mat.Dense // errors of predicting each pair from the others, in the units of the output
}

// residualModel makes residuals z of unit τ in coordinates of its own.
type residualModel interface {
	// freedom is how many degrees of freedom they have.
	freedom() float64
	// observed returns those of the data t, and the form tᵀ M t.
	observed(ctx context.Context) (z *mat.Dense, form float64)
	// draw returns those of data for which the model is true, and the form of these.
	draw(ctx context.Context, rng *rand.Rand) (z *mat.Dense, form float64)
	// trace is that of M.
	trace() float64
	// residue turns residuals into what is known of them, for a variance τ².
	residue(ctx context.Context, z *mat.Dense, tau2 float64) *Residue
}

const (
	leastPairs = 4    // that residuals and what is left out tell anything of
	mostDense  = 3000 // values whose covariance is inverted, where it has no closed form
)

// Residuals computes the residuals, exactly. Cost: the set-up of a fit; where the kernel is no
// product, or outputs are missing, the inverse of the covariance of at most 3000 values, which
// are those of some of the pairs, evenly chosen, where there are more.
func (e *Estimate) Residuals(ctx context.Context) (*Residuals, error) {
	if e.learned == nil && e.within != nil && e.within.bias {
		return e.within.whole.Residuals(ctx)
	}
	if e.learned == nil {
		return nil, e.noData("residuals need the data")
	}
	s, err := e.learned.spec.alone(ctx)
	if err != nil {
		return nil, err
	}
	n := s.Data.N()
	if n < leastPairs {
		return nil, fmt.Errorf("residuals: %d pairs say nothing about a model; there must be at least %d", n, leastPairs)
	}
	r := &Residuals{Data: s.Data, Of: n}
	rep := e.Report
	p, err := newFactors(ctx, s, &rep)
	if err != nil {
		return nil, err
	}
	if p.split != nil {
		r.model, err = p.newSplitResiduals(ctx)
	} else {
		r.model, r.Data, err = p.denseResidualsOfSome(ctx, s, rep)
	}
	if err != nil {
		return nil, err
	}
	z, form := r.model.observed(ctx)
	r.Observed = r.model.residue(ctx, z, form/r.model.freedom())
	r.DF = -r.model.trace()
	each(r.Observed.Values, func(_, _ int, _ float64) { r.DF++ })
	if err := inUnits(ctx, r.Observed.Errors, r.Data); err != nil {
		return nil, err
	}
	return r, linop.Stopped(ctx)
}

// Draw returns the residue of data for which the model is true.
func (r *Residuals) Draw(ctx context.Context, rng *rand.Rand) (*Residue, error) {
	z, form := r.model.draw(ctx, rng)
	return r.model.residue(ctx, z, form/r.model.freedom()), linop.Stopped(ctx)
}

// each calls f for what is no NaN.
func each(m *mat.Dense, f func(i, k int, v float64)) {
	n, _ := m.Dims()
	for i := range n {
		for k, v := range m.RawRowView(i) {
			if !math.IsNaN(v) {
				f(i, k, v)
			}
		}
	}
}

// inUnits turns scaled errors, white as those of the data, into errors of outputs.
func inUnits(ctx context.Context, m *mat.Dense, d *dataset.Dataset) error {
	whitened, err := newWhitening(ctx, d)
	if err != nil {
		return err
	}
	if whitened != nil {
		plain := mat.DenseCopyOf(m)
		plain.Apply(func(_, _ int, v float64) float64 {
			if math.IsNaN(v) {
				return 0
			}
			return v
		}, plain)
		whitened.back(plain.RawMatrix().Data)
		each(m, func(i, k int, _ float64) { m.Set(i, k, plain.At(i, k)) })
	}
	w, n, pairs := d.OutputMesh.Weights(), float64(d.N()), pairRoots(d)
	each(m, func(i, k int, v float64) { m.Set(i, k, v*math.Sqrt(n/w[k])/pairs[i]) })
	return nil
}

// alone is a spec without what was known beforehand, and without the mean that a free constant
// takes.
func (s Spec) alone(ctx context.Context) (*Spec, error) {
	if s.Prior != nil {
		var err error
		if s.Data, _, err = WithoutPrior(ctx, s.Data, s.Prior); err != nil {
			return nil, err
		}
		s.Prior = nil
	}
	if s.flat() {
		s.Data, _ = withoutMean(s.Data)
	}
	return &s, nil
}

// denseResidualsOfSome inverts the covariance of as many pairs as there is room for: those have
// the λ and ρ of all, of which the noise is a larger part.
func (p *factors) denseResidualsOfSome(ctx context.Context, s *Spec, rep Report) (residualModel, *dataset.Dataset, error) {
	n, each := s.Data.N(), float64(p.observed())/float64(s.Data.N())
	most := int(mostDense / each)
	if most < leastPairs {
		return nil, nil, fmt.Errorf("residuals: a pair has %.0f output values; without a kernel that is a product, residuals of at most %d values can be compared with the model, of %d pairs or more", each, mostDense, leastPairs)
	}
	if most < n {
		some := *s
		var err error
		if some.Data, err = s.Data.Select(evenly(n, most)); err != nil {
			return nil, nil, err
		}
		share := float64(n) / float64(some.Data.N())
		rep.Lambda, rep.Rho = rep.Lambda*share, rep.Rho*share
		if p, err = newFactors(ctx, &some, &rep); err != nil {
			return nil, nil, err
		}
		s = &some
	}
	m, err := p.newDenseResiduals(ctx)
	return m, s.Data, err
}

// splitResiduals are those of a kernel that is a product and complete data, in closed form:
// with C = (P ⊗ V) D (P ⊗ V)ᵀ + (I - P Pᵀ) ⊗ I. Residuals are held in the basis V.
type splitResiduals struct {
	p      *factors
	rows   *mat.Dense // P, n × r
	within *mat.Dense // of C⁻¹ without the constant, for each pair with itself: n × my, diagonal in V
	me     *mat.Dense // P M e in V, n × my; nil: there is no free constant
	left   []float64  // for each pair: eᵀC⁻¹e less what is its own
	mean   []float64  // weights of the mean over the output, in V
	sd     *mat.Dense // of residuals
	leftSD *mat.Dense // of errors of pairs that are left out
	meanSD []float64  // of their means
}

func (p *factors) newSplitResiduals(ctx context.Context) (*splitResiduals, error) {
	sys := p.split.sys
	n, my := sys.n, sys.my
	if err := array.CheckMatrix("residuals", 8, n+my, my); err != nil {
		return nil, err
	}
	m := &splitResiduals{p: p, rows: sys.p, left: make([]float64, n), meanSD: make([]float64, n)}
	inverse, p2 := mat.NewDense(sys.rows(), my, nil), mat.DenseCopyOf(sys.p)
	for i, d := range p.split.pre.d {
		inverse.RawMatrix().Data[i] = 1 / d
	}
	p2.MulElem(p2, p2)
	m.within = linop.Product(ctx, p2, inverse)
	for i := range n {
		beyond := max(0, 1-floats.Sum(p2.RawRowView(i)))
		floats.AddConst(beyond, m.within.RawRowView(i))
	}
	if p.constant != nil {
		m.me = linop.Product(ctx, sys.p, mat.NewDense(sys.rows(), my, p.constant.me))
	}
	m.mean = append([]float64(nil), sys.rdy...)
	sys.v.forward(ctx, m.mean)
	v2 := mat.NewDense(my, my, nil)
	for k := range my {
		v2.Set(k, k, 1)
	}
	sys.v.forward(ctx, v2.RawMatrix().Data)
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
		m.p.split.sys.v.backward(ctx, turned.RawMatrix().Data)
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
		m.p.split.sys.v.backward(ctx, through.RawMatrix().Data)
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

// freedom implements residualModel.
func (m *splitResiduals) freedom() float64 { return m.p.values() }

// trace implements residualModel.
func (m *splitResiduals) trace() (sum float64) {
	for i := range m.left {
		for k, sd := range m.sd.RawRowView(i) {
			if m.p.split.sys.rdy[k] > 0 {
				sum += sd * sd
			}
		}
	}
	return sum
}

// observed implements residualModel.
func (m *splitResiduals) observed(ctx context.Context) (*mat.Dense, float64) {
	sys := m.p.split.sys
	z := mat.DenseCopyOf(sys.t)
	for i, d := range m.p.split.pre.d {
		z.RawMatrix().Data[i] /= d
	}
	out := m.inPairs(ctx, z, sys.unexplained)
	return out, sys.rss0 + floats.Dot(sys.t.RawMatrix().Data, z.RawMatrix().Data)
}

// inPairs takes the part along the free constant off residuals in the bases, and adds what lies
// beyond the inputs, nil for nothing.
func (m *splitResiduals) inPairs(ctx context.Context, z, beyond *mat.Dense) *mat.Dense {
	if c := m.p.constant; c != nil {
		flat, length := m.p.constants()
		data := z.RawMatrix().Data
		floats.AddScaled(data, -floats.Dot(flat, data)*length/c.size, c.me)
	}
	out := linop.Product(ctx, m.rows, z)
	if beyond != nil {
		out.Add(out, beyond)
	}
	return out
}

// draw implements residualModel.
func (m *splitResiduals) draw(ctx context.Context, rng *rand.Rand) (*mat.Dense, float64) {
	n, r := m.rows.Dims()
	my := m.p.split.sys.my
	eps := normal(rng, r*my)
	form := floats.Dot(eps, eps)
	for i, d := range m.p.split.pre.d {
		eps[i] /= math.Sqrt(d)
	}
	if c := m.p.constant; c != nil {
		flat, length := m.p.constants()
		along := floats.Dot(flat, eps) * length
		form -= along * along / c.size
	}
	var beyond *mat.Dense
	if n > r {
		beyond = mat.NewDense(n, my, normal(rng, n*my))
		beyond.Sub(beyond, linop.Product(ctx, m.rows, linop.Product(ctx, m.rows.T(), beyond)))
		norm := floats.Norm(beyond.RawMatrix().Data, 2)
		form += norm * norm
	}
	return m.inPairs(ctx, mat.NewDense(r, my, eps), beyond), form
}

// residue implements residualModel.
func (m *splitResiduals) residue(ctx context.Context, z *mat.Dense, tau2 float64) *Residue {
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
	v := m.p.split.sys.v
	v.backward(ctx, plain.RawMatrix().Data)
	v.backward(ctx, errors.RawMatrix().Data)
	if rdy := m.p.split.sys.rdy; slices.Contains(rdy, 0) {
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

// Learned returns the spec an estimate was learned with, its choices of kernels made and its data
// included; false where it is a part of another, or was read from a file without its data.
func (e *Estimate) Learned() (Spec, bool) {
	if e.learned == nil {
		return Spec{}, false
	}
	return e.learned.spec, true
}

// LearnedFrom returns the pairs an estimate was learned from; nil where it is not known.
func (e *Estimate) LearnedFrom() (*dataset.Dataset, error) {
	switch {
	case e.learned != nil:
		return e.learned.spec.Data, nil
	case e.within == nil || !e.within.bias || e.within.whole.learned == nil:
		return nil, e.noData("its pairs are not known: this needs the data")
	}
	d := e.within.whole.learned.spec.Data // of a term that is the first
	own := array.New(d.N(), e.InputMesh.Size())
	for i := range d.N() {
		m := d.InputMesh.Size()
		copy(own.Data[i*e.InputMesh.Size():(i+1)*e.InputMesh.Size()], d.Input.Data[i*m:])
	}
	return dataset.New(dataset.Spec{Input: own, Output: d.Output, InputMesh: e.InputMesh, OutputMesh: e.OutputMesh, Missing: d.Missing})
}
