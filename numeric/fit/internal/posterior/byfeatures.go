package posterior

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

const (
	mostFeatures     = 1000
	featureTolerance = 1e-14 // of the largest value of a kernel, that its features may leave of others
	featureWidth     = 0.01  // by which a band may be too wide
)

// byFeatures is the standard deviations of targets from features of the kernels; nil where
// these are many, or leave too much.
func (p *Posterior) byFeatures(ctx context.Context, t targets) (*mat.Dense, error) {
	root, err := p.featureRoot(ctx, t, someAlone+t.count()*t.ys.Size()/100)
	if root == nil || err != nil {
		return nil, err
	}
	std := linop.SquaresOfColumns(root)
	for i, v := range std {
		std[i] = math.Sqrt(v)
	}
	progress.Report(ctx, progress.Step{Task: "std", Done: float64(len(std)), Total: float64(len(std))})
	return mat.NewDense(t.count(), t.ys.Size(), std), nil
}

// featureRoot is R with Rᵀ R about the posterior covariance of targets, one column for each, as
// long as its band is wide; nil where features are many, or leave too much of more targets than
// may be alone: these have the right length only.
func (p *Posterior) featureRoot(ctx context.Context, t targets, alone int) (*mat.Dense, error) {
	s, err := p.features(ctx)
	if s == nil || err != nil {
		return nil, err
	}
	count, k := t.count()*t.ys.Size(), s.factor.SymmetricDim()
	if k > factoredPerFunctional*count || k*max(count, t.xs.Size()*t.ys.Size()) > mostCovariances() {
		return nil, nil
	}
	c, err := s.of(ctx, p, t)
	if err != nil {
		return nil, err
	}
	prior, err := p.priors(ctx, t)
	if err != nil {
		return nil, err
	}
	floats.Sub(prior, linop.SquaresOfColumns(c.Slice(0, s.count(), 0, count).(*mat.Dense)))
	if err := linop.ForwardSolve(ctx, s.factor, c); err != nil {
		return nil, fmt.Errorf("std: %w", err)
	}
	widths, err := p.featureWidths(ctx, t, linop.SquaresOfColumns(c), prior, s.excess, alone)
	if widths == nil || err != nil {
		return nil, err
	}
	for q := range k {
		floats.Mul(c.RawRowView(q), widths)
	}
	return c, linop.Stopped(ctx)
}

// featureWidths is how much wider than by the features alone the bands of targets are, times τ,
// for their variances by the features and what these leave of their priors; nil where that is
// too much for more than may be alone.
func (p *Posterior) featureWidths(ctx context.Context, t targets, variances, missing []float64, excess float64, alone int) ([]float64, error) {
	for i, v := range variances {
		least := math.Sqrt(v)
		most := math.Sqrt(1+excess)*least + math.Sqrt(max(missing[i], 0))
		if most > (1+featureWidth)*least {
			if alone--; alone < 0 || v == 0 {
				return nil, nil
			}
			v, err := p.alone(ctx, t, i)
			if err != nil {
				return nil, err
			}
			most = math.Sqrt(v)
		}
		variances[i] = math.Sqrt(p.Tau2)
		if least > 0 {
			variances[i] *= most / least
		}
	}
	return variances, nil
}

// count is how many coefficients have a prior.
func (s *features) count() int {
	n := s.green.Count()
	if s.bias != nil {
		n += s.bias.Count()
	}
	return n
}

// features are made when they are first asked for; nil where there are too many.
func (p *Posterior) features(ctx context.Context) (*features, error) {
	p.factor.Lock()
	defer p.factor.Unlock()
	if p.factor.featured {
		return p.factor.features, nil
	}
	s, err := p.newFeatures(ctx)
	if err != nil {
		return nil, err
	}
	p.factor.features, p.factor.featured = s, true
	return s, nil
}

// newFeatures finds the functions, whose coefficients w and v are independent with the variance
// τ²; nil where they are many. With H the data of each function, the variance of a
// functional whose features are c is
//
//	τ² ⟨c, (I + H Hᵀ)⁻¹ c⟩,
//
// from which nothing is subtracted: it is exact where the data leave 10⁻¹² of a prior variance,
// as of a smooth kernel they do, and that of the covariance of the data is lost in rounding.
//
// The kernels that are missing, in the data R and r in a functional, make the variance V
//
//	⟨c, (I + H Hᵀ)⁻¹ c⟩ ≤ V/τ² ≤ ((1 + tr R)^½ ⟨c, (I + H Hᵀ)⁻¹ c⟩^½ + r^½)²:
//
// the estimate of w for R = 0 is not the best, and its errors have at most 1 + tr R times that
// variance. The greater is the band.
func (p *Posterior) newFeatures(ctx context.Context) (*features, error) {
	d, ok := p.Regression.(problem.Directed)
	n, _ := p.a.Dims()
	if mx, my := float64(p.x.Size()), float64(p.y.Size()); !ok || d.Mixed() || mx*mx*my > mostTraced {
		return nil, nil
	}
	if dense.CheckSize("std:", float64(mostFeatures)*float64(len(p.all[0])+n)) != nil {
		return nil, nil
	}
	points, err := problem.Joint(p.f.Space, p.x, p.y)
	if err != nil {
		return nil, err
	}
	s := &features{}
	if s.green, err = gram.NewLandmarks(ctx, p.f, points, featureTolerance, mostFeatures); s.green == nil || err != nil {
		return nil, err
	}
	if p.q != nil {
		if s.bias, err = gram.NewLandmarks(ctx, p.q, p.y, featureTolerance, mostFeatures); s.bias == nil || err != nil {
			return nil, err
		}
	}
	h, err := s.data(ctx, p, n)
	if err != nil {
		return nil, err
	}
	err = s.condition(ctx, p, d, h)
	if errors.Is(err, linop.ErrNotPositive) {
		return nil, linop.Stopped(ctx)
	}
	return s, err
}

// data is H, the data of each function, a row for each.
func (s *features) data(ctx context.Context, p *Posterior, n int) (*mat.Dense, error) {
	flat, length := p.Constants()
	k, all := s.green.Count(), s.count()
	if s.free = flat != nil; s.free {
		all++
	}
	h := mat.NewDense(all, n, nil)
	if s.free {
		floats.AddScaled(h.RawRowView(all-1), length, flat)
	}
	return h, gram.EachProduct(ctx, s.count(), n, func(j int) {
		var g, b []float64
		if j < k {
			g = append(g, s.green.Values.RawRowView(j)...)
			floats.Scale(1/math.Sqrt(p.at.Lambda), g)
		} else {
			b = append(b, s.bias.Values.RawRowView(j-k)...)
			floats.Scale(1/math.Sqrt(p.at.Rho), b)
		}
		copy(h.RawRowView(j), p.Respond(ctx, g, b))
	})
}

// condition factors the precision of the coefficients given the data, and bounds what the
// features leave out of these.
func (s *features) condition(ctx context.Context, p *Posterior, d problem.Directed, h *mat.Dense) error {
	k, _ := h.Dims()
	product := linop.Product(ctx, h, h.T())
	precision := mat.NewSymDense(k, nil)
	had := 0.0
	for i := range k {
		for j := range i + 1 {
			precision.SetSym(i, j, product.At(i, j))
		}
		if i < s.count() {
			had += product.At(i, i)
			precision.SetSym(i, i, product.At(i, i)+1)
		}
	}
	total, err := p.trace(ctx, d)
	if err != nil {
		return err
	}
	s.excess = max(0, total-had)
	s.factor, err = linop.Cholesky(ctx, precision)
	if err != nil {
		return fmt.Errorf("std: %w", err)
	}
	return linop.Stopped(ctx)
}

// of is the features of targets: a row for each, with the free constant last.
func (s *features) of(ctx context.Context, p *Posterior, t targets) (*mat.Dense, error) {
	points, err := problem.Joint(p.f.Space, t.xs, t.ys)
	if err != nil {
		return nil, err
	}
	at, err := s.green.On(ctx, points)
	if err != nil {
		return nil, err
	}
	mx, my, k := t.xs.Size(), t.ys.Size(), s.green.Count()
	c := mat.NewDense(s.factor.SymmetricDim(), t.count()*my, nil)
	for q := range k {
		row := at.RawRowView(q)
		if t.weights != nil {
			row = linop.Product(ctx, t.weights, mat.NewDense(mx, my, row)).RawMatrix().Data
		}
		floats.AddScaled(c.RawRowView(q), 1/math.Sqrt(p.at.Lambda), row)
	}
	if t.weights == nil || s.bias == nil {
		return c, linop.Stopped(ctx)
	}
	bias, err := s.bias.On(ctx, t.ys)
	if err != nil {
		return nil, err
	}
	for i := range t.count() {
		for q := range s.bias.Count() {
			floats.AddScaled(c.RawRowView(k + q)[i*my:(i+1)*my], 1/math.Sqrt(p.at.Rho), bias.RawRowView(q))
		}
	}
	if s.free {
		floats.AddConst(t.times(p), c.RawRowView(s.count()))
	}
	return c, linop.Stopped(ctx)
}
