package posterior

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/mesh"
)

// targets are values of G on xs × ys or, for rows of weights, sums of them over xs, with β.
type targets struct {
	xs, ys  mesh.Mesh
	weights *mat.Dense // nil: values of G
}

// count is how many functionals there are for each point of ys.
func (t targets) count() int {
	if t.weights == nil {
		return t.xs.Size()
	}
	n, _ := t.weights.Dims()
	return n
}

// times is how often the free constant of β is in a target.
func (t targets) times(p *Posterior) float64 {
	if t.weights == nil || p.q == nil {
		return 0
	}
	return 1
}

// mostTraced bounds the kernel values that prior variances take: some seconds.
const mostTraced = 5e8

// priors are the prior variances of targets over τ².
func (p *Posterior) priors(ctx context.Context, t targets) ([]float64, error) {
	mx, my, n := t.xs.Size(), t.ys.Size(), t.count()
	prior, columns := make([]float64, n*my), t.xs.Columns()
	time := p.f.Time(mx)
	if t.weights != nil {
		time = p.f.Time(mx*mx) + float64(n*mx*mx)/4
	}
	return prior, kernels.Rows(ctx, my, time, func(k int) {
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

// trace is tr(S K̄ Sᵀ), from the kernel itself.
func (p *Posterior) trace(ctx context.Context, d problem.Directed) (float64, error) {
	b, rdy, roots := d.RowsOf(ctx)
	rows, _ := b.Dims()
	mx, my, cols := p.x.Size(), p.y.Size(), p.x.Columns()
	sums := make([]float64, my)
	err := kernels.Rows(ctx, my, p.f.Time(mx*mx)+float64(rows*mx*mx)/4, func(k int) {
		y := problem.PointOf(p.y)
		p.y.Point(y, k)
		at := mat.NewDense(mx, mx, nil) // K between the inputs, at y
		p.atOutput(at, cols, y)
		of := linop.Product(ctx, b.Slice(0, rows, 0, mx), at)
		for i := range rows {
			v := floats.Dot(of.RawRowView(i), b.RawRowView(i)[:mx]) / p.at.Lambda
			if p.q != nil {
				v += b.At(i, mx) * b.At(i, mx) * p.q.At(y, y) / p.at.Rho
			}
			if roots != nil {
				v *= roots[i*my+k] * roots[i*my+k]
			}
			sums[k] += v * rdy[k] * rdy[k]
		}
	})
	return floats.Sum(sums), err
}

// atOutput stores K between points of the input, given by columns, at one point y of the output.
func (p *Posterior) atOutput(dst *mat.Dense, columns [][]float64, y []float64) {
	n, _ := dst.Dims()
	all := slices.Clone(columns)
	for _, v := range y {
		all = append(all, slices.Repeat([]float64{v}, n))
	}
	at := make([]float64, len(all))
	for i := range n {
		for c := range at {
			at[c] = all[c][i]
		}
		p.f.Row(dst.RawRowView(i), at, all)
	}
}
