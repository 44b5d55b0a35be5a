package posterior

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/progress"
)

// someAlone is how many functionals may be solved for by themselves, besides one in a hundred.
const someAlone = 10

// mostCovariances is how many covariances of functionals with directions are held: 400 MB, or a part of the memory limit.
func mostCovariances() int { return gram.MemoryShare(.1, 5e7) }

// byDirections is the standard deviations of targets from what the data say in their leading
// directions: a product with the kernel for each direction has its covariances with all
// values. nil where that does not pay, or rounding hides too many of them.
func (p *Posterior) byDirections(ctx context.Context, t targets) (*mat.Dense, error) {
	count := t.count() * t.ys.Size()
	progress.Report(ctx, progress.Step{Task: "std", Total: float64(count)})
	l, err := p.leads(ctx, count)
	if l == nil || err != nil {
		return nil, err
	}
	to, err := p.cross(ctx, t.xs, t.ys)
	if err != nil {
		return nil, err
	}
	if gram.Evaluates(to) {
		return nil, linop.Stopped(ctx)
	}
	prior, err := p.priors(ctx, t)
	if err != nil {
		return nil, err
	}
	together := max(1, mostCovariances()/l.count())
	std := make([]float64, count)
	for from := 0; from < count; from += together {
		until := min(from+together, count)
		h := mat.NewDense(l.count(), until-from, nil)
		if err := p.covariances(ctx, h, l, to, t, from); err != nil {
			return nil, err
		}
		if err := l.variances(ctx, std[from:until], prior[from:until], h, t.times(p)); err != nil {
			return nil, err
		}
		progress.Report(ctx, progress.Step{Task: "std", Done: float64(until), Total: float64(count)})
	}
	return p.deviationsFrom(ctx, t, std, prior)
}

// deviationsFrom is the standard deviations for variances over τ², which are 0 where rounding hides them and one target
// after the other is computed by itself; nil where these are too many.
func (p *Posterior) deviationsFrom(ctx context.Context, t targets, variances, prior []float64) (*mat.Dense, error) {
	if hidden(variances, prior) {
		return nil, nil
	}
	for i, v := range variances {
		if v == 0 && prior[i] > 0 {
			var err error
			if v, err = p.alone(ctx, t, i); err != nil {
				return nil, err
			}
		}
		variances[i] = math.Sqrt(p.Tau2 * v)
	}
	return mat.NewDense(t.count(), t.ys.Size(), variances), nil
}

// hidden reports whether rounding hides more than some of the variances.
func hidden(variances, prior []float64) bool {
	n := 0
	for i, v := range variances {
		if v == 0 && prior[i] > 0 {
			n++
		}
	}
	return n > someAlone+len(prior)/100
}

// times is how often the free constant of β is in a target.
func (t targets) times(p *Posterior) float64 {
	if t.weights == nil || p.q == nil {
		return 0
	}
	return 1
}

// alone is the variance over τ² of one target, by CG.
func (p *Posterior) alone(ctx context.Context, t targets, i int) (float64, error) {
	s, err := p.oneOf(ctx, t, i)
	if err != nil {
		return 0, err
	}
	v, err := p.variance(ctx, s.prior, s.with, s.times)
	return v / p.Tau2, err
}

// sample is one of targets.
type sample struct {
	prior, times float64
	with         []float64 // covariances with the data
	variance     float64   // given these, over τ²
}

// oneOf is target i, its variance left out.
func (p *Posterior) oneOf(ctx context.Context, t targets, i int) (*sample, error) {
	y := problem.PointOf(t.ys)
	t.ys.Point(y, i%t.ys.Size())
	i /= t.ys.Size()
	if t.weights != nil {
		l, err := p.points(ctx, t.xs, y, true)
		if err != nil {
			return nil, err
		}
		l = l.combined(ctx, t.weights.Slice(i, i+1, 0, t.xs.Size()).(*mat.Dense))
		if p.q != nil {
			if err := p.addBias(ctx, l, y); err != nil {
				return nil, err
			}
		}
		return &sample{prior: l.prior[0], with: l.with.RawRowView(0), times: l.times}, nil
	}
	x := problem.PointOf(t.xs)
	t.xs.Point(x, i)
	row := make([]float64, len(p.all[0]))
	p.f.Row(row, problem.Beside(x, y), p.all)
	floats.Scale(1/p.at.Lambda, row)
	return &sample{prior: p.f.At(problem.Beside(x, y), problem.Beside(x, y)) / p.at.Lambda, with: p.Respond(ctx, row, nil)}, nil
}

// priors are the prior variances of targets over τ².
func (p *Posterior) priors(ctx context.Context, t targets) ([]float64, error) {
	mx, my, n := t.xs.Size(), t.ys.Size(), t.count()
	prior, columns := make([]float64, n*my), t.xs.Columns()
	time := p.f.Time(mx)
	if t.weights != nil {
		time = p.f.Time(mx*mx) + float64(n*mx*mx)/4
	}
	return prior, kernel.Rows(ctx, my, time, func(k int) {
		y := problem.PointOf(t.ys)
		t.ys.Point(y, k)
		if t.weights == nil {
			p.eachPrior(columns, y, func(i int, v float64) { prior[i*my+k] = v / p.at.Lambda })
			return
		}
		at, bias := mat.NewDense(mx, mx, nil), 0.0
		p.atOutput(at, columns, y)
		if p.q != nil {
			bias = p.q.At(y, y) / p.at.Rho
		}
		sums := linop.Product(ctx, t.weights, at)
		for i := range n {
			prior[i*my+k] = floats.Dot(sums.RawRowView(i), t.weights.RawRowView(i))/p.at.Lambda + bias
		}
	})
}

// eachPrior calls do with K((x,y), (x,y)) for all x.
func (p *Posterior) eachPrior(columns [][]float64, y []float64, do func(i int, v float64)) {
	at := append(make([]float64, len(columns)), y...)
	for i := range columns[0] {
		for c, column := range columns {
			at[c] = column[i]
		}
		do(i, p.f.At(at, at))
	}
}

// covariances stores those of targets from … with each direction in the rows of h; to is the
// kernel from the meshes of the data to those of the targets.
func (p *Posterior) covariances(ctx context.Context, h *mat.Dense, l *leading, to linop.Operator, t targets, from int) error {
	bias, err := p.biasBetween(ctx, t)
	if err != nil {
		return err
	}
	_, many := h.Dims()
	mx, my := t.xs.Size(), t.ys.Size()
	quick, err := p.newFromFactors(ctx, to, t, bias)
	if err != nil {
		return err
	}
	n, _ := p.a.Dims()
	return gram.EachProduct(ctx, l.count(), p.x.Size()*p.y.Size()+mx*my, func(j int) {
		if quick != nil && j < len(l.at) {
			copy(h.RawRowView(j), quick.covariances(ctx, l.at[j]).RawMatrix().Data[from:from+many])
			return
		}
		w := l.Spread(ctx, l.direction(ctx, j, n))
		values := make([]float64, mx*my)
		to.Apply(ctx, values, w.RawMatrix().Data[:p.x.Size()*p.y.Size()])
		floats.Scale(1/p.at.Lambda, values)
		if t.weights != nil {
			sums := linop.Product(ctx, t.weights, mat.NewDense(mx, my, values))
			if bias != nil {
				var b mat.VecDense
				b.MulVec(bias, w.RowView(p.x.Size()))
				linop.AddToRows(sums, 1, b.RawVector().Data)
			}
			values = sums.RawMatrix().Data
		}
		copy(h.RawRowView(j), values[from:from+many])
	})
}

// biasBetween is Q/ρ from the points of the data to those of targets; nil where β is no part
// of them.
func (p *Posterior) biasBetween(ctx context.Context, t targets) (*mat.Dense, error) {
	if t.weights == nil || p.q == nil {
		return nil, nil
	}
	q, err := p.q.Gram(ctx, t.ys, p.y)
	if err == nil {
		q.Scale(1/p.at.Rho, q)
	}
	return q, err
}
