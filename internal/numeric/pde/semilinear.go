package pde

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// settleNonlinear prepares a steady problem that is not linear. Its linear part may be
// singular, as -u″ with no u given in -u″ + u³.
func (p *Defined) settleNonlinear(d *discrete, err error) error {
	if err != nil && !errors.Is(err, solve.ErrSingular) {
		return err
	}
	p.steadily.mean = d.forcing
	p.monotone = p.solver != nil && dominant(p.solver.inside) && p.curved.increasing(p.Operator)
	if err != nil {
		p.solver = nil
	}
	return nil
}

// nonlinearOutputs solves for one input after the other.
func (p *Defined) nonlinearOutputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	n, _ := f.Dims()
	g, err := p.boundaryData(0)
	if err != nil {
		return nil, err
	}
	u := mat.NewDense(n, p.Mesh.Size(), nil)
	for i := range n {
		progress.Report(ctx, progress.Step{Task: "solutions", Done: float64(i), Total: float64(n)})
		in := f.RawRowView(i)
		q := &equation{
			pointwise: p.curved, matrix: p.steadily.matrix, mean: p.steadily.mean, weight: 1,
			right: append([]float64(nil), p.steadily.constant...), edge: append([]float64(nil), g...),
		}
		addTo(q.right, p.steadily.input, in)
		if p.Input == InputBoundary {
			addTo(q.edge, p.fromInput, in)
		}
		v, err := p.solution(ctx, q, i < probed)
		if err != nil {
			if n > 1 {
				err = fmt.Errorf("f[%d]: %w", i+1, err)
			}
			return nil, err
		}
		copy(u.RawRowView(i), v)
	}
	return u, nil
}

// addTo adds m x to v.
func addTo(v []float64, m *linop.Sparse, x []float64) {
	part := make([]float64, len(v))
	m.MulVec(part, x)
	floats.Add(v, part)
}

// solution is that which Newton's method reaches from the one without the nonlinear part.
func (p *Defined) solution(ctx context.Context, q *equation, far bool) ([]float64, error) {
	linear, err := p.linearStart(ctx, q)
	if err != nil {
		return nil, err
	}
	zero := make([]float64, len(q.right))
	starts := [][]float64{linear, zero}
	if linear == nil {
		starts = [][]float64{zero}
		for _, v := range []float64{1, -1, 0.1, -0.1, 10, -10} {
			starts = append(starts, filled(len(zero), v))
		}
	}
	var u []float64
	var why error = errNoSolution
	for _, s := range starts {
		if s == nil || u != nil {
			continue
		}
		switch v, err := q.newton(ctx, s); {
		case err == nil:
			u = v
		case !errors.Is(err, errNoSolution):
			return nil, err
		}
	}
	if u == nil && linear != nil {
		if u, err = q.follow(ctx, linear); err != nil && !errors.Is(err, errNoSolution) {
			return nil, err
		} else if err != nil {
			why = err
		}
	}
	if u == nil {
		return nil, fmt.Errorf("%w that Newton's method finds; the equation may have none for this input: try a smaller one", why)
	}
	if p.monotone || p.Several {
		return u, nil
	}
	return u, p.only(ctx, q, u, far)
}

func filled(n int, v float64) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = v
	}
	return s
}

// linearStart is the solution without the nonlinear part; nil where that has none.
func (p *Defined) linearStart(ctx context.Context, q *equation) ([]float64, error) {
	if p.solver == nil {
		return nil, nil
	}
	x := mat.NewDense(len(q.right), 1, append([]float64(nil), q.right...))
	if err := p.solver.solve(ctx, x); err != nil {
		return nil, err
	}
	u := x.RawMatrix().Data
	if floats.HasNaN(u) || math.IsInf(floats.Norm(u, math.Inf(1)), 1) {
		return nil, nil
	}
	return u, nil
}

const (
	apart  = 1e-6 // how far solutions differ, relative to the larger, that are not the same
	probed = 8    // inputs for which solutions are looked for far away
)

// only refuses a solution beside which Newton's method finds another one: from zero, from
// multiples of it, and from far beyond it.
func (p *Defined) only(ctx context.Context, q *equation, u []float64, far bool) error {
	n, size := len(u), floats.Norm(u, math.Inf(1))
	var starts [][]float64
	for _, factor := range []float64{0, -1, 2} {
		start := make([]float64, n)
		floats.AddScaled(start, factor, u)
		starts = append(starts, start)
	}
	if far {
		if size == 0 {
			size = 1
		}
		for _, factor := range []float64{3, -3, 30, -30, 300, -300} {
			starts = append(starts, filled(n, factor*size))
		}
	}
	for _, start := range starts {
		v, err := q.newton(ctx, start)
		switch {
		case errors.Is(err, errNoSolution):
			continue
		case err != nil:
			return err
		}
		most := max(floats.Norm(u, math.Inf(1)), floats.Norm(v, math.Inf(1)))
		if d := floats.Distance(u, v, math.Inf(1)); d > apart*most {
			return remedy.AllowSeveral.For(fmt.Errorf("the solution is not the only one: Newton's method finds two, which differ by %.3g where the larger is %.3g; change the input, a condition or a coefficient", d, most))
		}
	}
	return nil
}
