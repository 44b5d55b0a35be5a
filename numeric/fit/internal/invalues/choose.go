package invalues

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Choose implements problem.
func (p *Problem) Choose(ctx context.Context, by criteria.Criterion) (*problem.Chosen, error) {
	if most := problem.ToChoose(criteria.LOO).Rows; by == criteria.LOO && len(p.t) > most {
		return nil, fmt.Errorf("criterion %q: leaving out a pair of %d values that were observed needs their matrix, which is inverted for up to %d: choose \"reml\", \"gcv\" or \"cv\"", by, len(p.t), most)
	}
	return problem.ChooseBy(ctx, p.q.Setting, p, by)
}

// Measure implements problem.
func (p *Problem) Measure(ctx context.Context, at problem.Penalty) (criteria.Sheet, error) {
	return problem.Measured(ctx, p, at)
}

// Contend implements problem: the eigenvalues tell REML to rounding.
func (p *Problem) Contend(ctx context.Context) (*criteria.Contender, error) {
	ch, err := p.Along(ctx, p.q.Setting.SearchFor(criteria.REML, p))
	if err != nil {
		return nil, err
	}
	v, err := ch.Curve.Value(ctx, criteria.REML, ch.Lambda)
	return &criteria.Contender{Value: v}, err
}

// Outputs implements chooser.
func (p *Problem) Outputs() int { return len(p.t) }

// Along implements chooser: from one eigenproblem.
func (p *Problem) Along(ctx context.Context, q criteria.Search) (criteria.Choice, error) {
	m := &valueModel{p, criteria.Eigenbasis{At: p.diagonalised}}
	s := p.q.Setting
	if s.FreeRatio() && p.beta != nil {
		if unit := mat.Trace(p.beta) / mat.Trace(p.green); unit > 0 && !math.IsInf(unit, 0) {
			q.Penalty.Ratio, q.Unit, m.Unit = unit, unit, unit
		}
	} else if s.Rho > 0 && s.Lambda > 0 {
		q.Penalty.Ratio = s.Rho / s.Lambda
	}
	return q.Along(ctx, m)
}

// Evaluator implements chooser: the matrix.
func (p *Problem) Evaluator(ctx context.Context, _ problem.Penalty, most problem.Limits) (criteria.Evaluator, error) {
	if x, err := p.Exact(ctx, most.Rows); err != nil || x != nil {
		return x, err
	}
	return nil, nil
}

// Exact implements problem.
func (p *Problem) Exact(ctx context.Context, most int) (*criteria.Exact, error) {
	if len(p.t) > most {
		return nil, nil
	}
	x := &criteria.Exact{Green: p.green, T: p.t, Outputs: float64(len(p.t)), Width: 1, Pairs: p.pairs()}
	if p.flat != nil {
		x.Contrast = p.flat
	}
	if p.beta != nil {
		x.Bias = lowRank(p.beta)
	}
	return x, linop.Stopped(ctx)
}

// Otherwise implements chooser: the eigenvalues know all but leaving out a pair.
func (p *Problem) Otherwise(ctx context.Context, ch criteria.Choice) (criteria.Sheet, error) {
	return ch.Curve.Sheet(ctx, ch.Lambda)
}

// valueModel is the criteria from the eigenvectors of S K̄ Sᵀ, as [allEigenvalues].
type valueModel struct {
	p *Problem
	criteria.Eigenbasis
}

// Tied implements criteria.Model.
func (m *valueModel) Tied() bool { return m.p.beta != nil }

// diagonalised is the problem in its eigenvectors at a ρ/λ.
func (p *Problem) diagonalised(ctx context.Context, ratio float64) (*criteria.Diagonalised, error) {
	n := len(p.t)
	d := &criteria.Diagonalised{Outputs: n, Values: n, Ratio: ratio}
	a := p.covariance(problem.At(1, ratio))
	if p.flat != nil {
		d.Values--
		p.flat.Contrasts(a)
	}
	values, v, err := linop.Eigen(ctx, a)
	if err != nil {
		return nil, err
	}
	t := mat.NewVecDense(n, nil)
	t.MulVec(v.T(), mat.NewVecDense(n, p.t))
	d.Eigenvalues, d.T = values, t.RawVector().Data
	d.KnowZeros()
	if p.beta == nil {
		return d, nil
	}
	u := lowRank(p.beta)
	_, k := u.Dims()
	for j := range k {
		column := mat.Col(nil, j, u)
		p.flat.Project(column)
		u.SetCol(j, column)
	}
	d.Bias = mat.NewDense(n, k, nil)
	return d, linop.MulContext(ctx, d.Bias, v.T(), u)
}

// lowRank is U of a positive semidefinite A = U Uᵀ to rounding, by Cholesky with pivots.
func lowRank(a *mat.Dense) *mat.Dense {
	n, _ := a.Dims()
	left := make([]float64, n)
	for i := range left {
		left[i] = a.At(i, i)
	}
	least := 1e-16 * floats.Max(left)
	var columns [][]float64
	for len(columns) < n {
		i := floats.MaxIdx(left)
		if !(left[i] > least) && len(columns) > 0 {
			break
		}
		c, size := make([]float64, n), math.Sqrt(max(left[i], math.SmallestNonzeroFloat64))
		copy(c, a.RawRowView(i))
		for _, before := range columns {
			floats.AddScaled(c, -before[i], before)
		}
		floats.Scale(1/size, c)
		for j, v := range c {
			left[j] = max(left[j]-v*v, 0)
		}
		left[i] = 0
		columns = append(columns, c)
	}
	u := mat.NewDense(n, len(columns), nil)
	for j, c := range columns {
		u.SetCol(j, c)
	}
	return u
}
