package pde

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// equation is A u + weight S N(u) = right, N the pointwise part of an operator at a time.
type equation struct {
	*pointwise
	matrix *linop.Sparse // A, with the rows of given u
	mean   *linop.Sparse // S
	weight float64
	time   float64
	right  []float64
	edge   []float64 // data of the conditions
}

const (
	newtonSteps  = 60
	newtonHalves = 14
	// residualAllowed is that of a solution, relative to the sum of moduli of what is added up
	// at a point. Rounding leaves about 1e-16 times the entries of a row.
	residualAllowed = 1e-11
	rounding        = 1e-15
	pathSteps       = 100
)

var errNoSolution = errors.New("no solution")

// residual of u, and the largest of its rows relative to what is added up there.
func (q *equation) residual(u []float64) (r []float64, relative float64) {
	n := len(u)
	r, size, part := make([]float64, n), make([]float64, n), make([]float64, n)
	values := q.at(u, q.edge, q.time, nil)
	q.mean.MulVec(part, values)
	for i := range r {
		cols, vals := q.matrix.Row(i)
		r[i], size[i] = q.right[i]-q.weight*part[i], math.Abs(q.right[i])+math.Abs(q.weight*part[i])
		for k, j := range cols {
			r[i] -= vals[k] * u[j]
			size[i] += math.Abs(vals[k] * u[j])
		}
	}
	for i, v := range r {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return r, math.Inf(1)
		case size[i] > 0:
			relative = max(relative, math.Abs(v)/size[i])
		}
	}
	return r, relative
}

// jacobian of the left side at u.
func (q *equation) jacobian(u []float64) *linop.Sparse {
	n := len(u)
	slopes := make([][]float64, len(q.take))
	q.at(u, q.edge, q.time, slopes)
	var entries []linop.Entry
	for k, s := range slopes {
		for i, v := range s {
			cols, vals := q.take[k].Row(i)
			for j := range cols {
				entries = append(entries, linop.Entry{Row: i, Col: cols[j], Value: q.weight * v * vals[j]})
			}
		}
	}
	all := q.mean.Mul(linop.NewSparse(n, n, entries)).Entries(1)
	return linop.NewSparse(n, n, append(all, q.matrix.Entries(1)...))
}

// scaled is the norm of a residual with the rows of the matrix made alike.
func (q *equation) scaled(r []float64) float64 {
	s := 0.0
	for i, v := range r {
		_, vals := q.matrix.Row(i)
		if w := floats.Norm(vals, 1); w > 0 {
			v /= w
		}
		s += v * v
	}
	return math.Sqrt(s)
}

// newton solves from a start, to rounding. A factorisation serves as long as it brings the
// residual down tenfold.
func (q *equation) newton(ctx context.Context, start []float64) ([]float64, error) {
	u := append([]float64(nil), start...)
	r, relative := q.residual(u)
	size := q.scaled(r)
	var factors *elimination
	fresh := false
	for range newtonSteps {
		if math.IsInf(relative, 1) || math.IsNaN(relative) {
			return nil, errNoSolution
		}
		if relative <= rounding {
			return u, nil
		}
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		var err error
		if factors == nil {
			if factors, err = q.eliminate(ctx, q.jacobian(u)); err != nil {
				return nil, noSolution(err)
			}
			fresh = true
		}
		d := mat.NewDense(len(r), 1, append([]float64(nil), r...))
		if err := factors.solve(ctx, d); err != nil {
			return nil, noSolution(err)
		}
		step, before, better := d.RawMatrix().Data, size, false
		for h, t := 0, 1.0; h < newtonHalves && !better; h, t = h+1, t/2 {
			next := append([]float64(nil), u...)
			floats.AddScaled(next, t, step)
			rest, rel := q.residual(next)
			if n := q.scaled(rest); n < (1-t/4)*size {
				u, r, relative, size, better = next, rest, rel, n, true
			}
			if !fresh {
				break
			}
		}
		switch {
		case !better && fresh:
			if relative <= residualAllowed {
				return u, nil
			}
			return nil, errNoSolution
		case !better || size > 0.1*before:
			factors, fresh = nil, false
		default:
			fresh = false
		}
	}
	if relative <= residualAllowed {
		return u, nil
	}
	return nil, errNoSolution
}

// noSolution is errNoSolution for a matrix that is singular.
func noSolution(err error) error {
	if errors.Is(err, solve.ErrSingular) {
		return errNoSolution
	}
	return err
}

// follow solves along a path on which the nonlinear part grows from nothing.
func (q *equation) follow(ctx context.Context, start []float64) ([]float64, error) {
	part := *q
	u, reached, step := start, 0.0, 0.25
	for range pathSteps {
		to := min(1, reached+step)
		part.weight = to * q.weight
		next, err := part.newton(ctx, u)
		switch {
		case err == nil && to == 1:
			return next, nil
		case err == nil:
			u, reached, step = next, to, 1.5*step
		case errors.Is(err, errNoSolution):
			if step /= 2; step < 1e-3 {
				return nil, fmt.Errorf("%w: with a factor before what is not linear in u there is one up to %.2g", errNoSolution, reached)
			}
		default:
			return nil, err
		}
	}
	return nil, errNoSolution
}
