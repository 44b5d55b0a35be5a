package pde

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/simd"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/solve"
)

// modes is y' = A y + b for the free values y of u, followed by those of u' in an
// equation of second order in time.
type modes struct {
	free      []int
	mass      *solve.Factorisation // of the highest derivative in time
	coupling  [2]*linop.Sparse     // what given u, and its slope, contribute
	size      int                  // of y
	generator *mat.Dense           // A times the step
}

// mostDense is the most unknowns that the dense matrix of exponentials may have.
const mostDense = 2000

func (e *evolution) modes(ctx context.Context) (*modes, error) {
	x := &modes{}
	var given []int
	place := make([]int, e.Mesh.Size())
	for i, is := range e.grid.given {
		if is {
			place[i] = len(given)
			given = append(given, i)
		} else {
			place[i] = len(x.free)
			x.free = append(x.free, i)
		}
	}
	n := len(x.free)
	x.size = n * e.timeOrder
	if n == 0 {
		return nil, errors.New("the sides give u at every point")
	}
	if x.size > mostDense {
		return nil, fmt.Errorf("scheme %q: has %d unknowns, and a dense matrix for at most %d; use %q or fewer points", Exponential, x.size, mostDense, CrankNicolson)
	}
	part := func(k int, fromGiven bool) *linop.Sparse {
		var entries []linop.Entry
		for r, i := range x.free {
			cols, vals := e.at.orders[k].Row(i)
			for q, j := range cols {
				if e.grid.given[j] == fromGiven {
					entries = append(entries, linop.Entry{Row: r, Col: place[j], Value: vals[q]})
				}
			}
		}
		if fromGiven {
			return linop.NewSparse(n, max(1, len(given)), entries)
		}
		return linop.NewSparse(n, n, entries)
	}
	if e.timeOrder == 2 && part(2, true).Len() > 0 && e.Scheme == Exponential {
		return nil, fmt.Errorf("scheme %q: a flux with differences of order 4 and a second derivative in time; use %q", Exponential, CrankNicolson)
	}
	x.coupling = [2]*linop.Sparse{part(0, true), part(1, true)}
	var err error
	if x.mass, err = solve.Factor(ctx, part(e.timeOrder, false)); err != nil {
		return nil, fmt.Errorf("the derivative in time: %w", err)
	}
	x.generator = mat.NewDense(x.size, x.size, nil)
	for k := range e.timeOrder {
		block := linop.Matrix(part(k, false))
		if err := x.mass.Solve(ctx, block); err != nil {
			return nil, err
		}
		block.Scale(-e.dt, block)
		x.generator.Slice(x.size-n, x.size, k*n, (k+1)*n).(*mat.Dense).Copy(block)
	}
	if e.timeOrder == 2 {
		for i := range n {
			x.generator.Set(i, n+i, e.dt)
		}
	}
	return x, nil
}

// exponentialStep is an exact step with b linear between times:
// y₁ = e^(dt A) y₀ + before b₀ + after b₁.
type exponentialStep struct {
	*evolution
	*modes
	kernels             simd.Kernels
	step, before, after *mat.Dense
}

func (e *evolution) newExponentialStep(ctx context.Context) (*exponentialStep, error) {
	m, err := e.modes(ctx)
	if err != nil {
		return nil, err
	}
	step, one, two, err := phi(ctx, m.generator)
	if err != nil {
		return nil, err
	}
	m.generator = nil // phi used it up
	// ∫ of e^((dt-τ) A) times the falling and the rising half of b.
	one.Sub(one, two)
	one.Scale(e.dt, one)
	two.Scale(e.dt, two)
	return &exponentialStep{e, m, simd.Best(), step, one, two}, nil
}

// advance makes one step.
func (x *exponentialStep) advance(s *state, before, after drive) error {
	_, samples := s.u.Dims()
	n := len(x.free)
	y := mat.NewDense(x.size, samples, nil)
	for r, i := range x.free {
		copy(y.RawRowView(r), s.u.RawRowView(i))
		if x.timeOrder == 2 {
			copy(y.RawRowView(n+r), s.v.RawRowView(i))
		}
	}
	b0, err := x.force(before, before, after)
	if err != nil {
		return err
	}
	b1, err := x.force(after, before, after)
	if err != nil {
		return err
	}
	next, part := mat.NewDense(x.size, samples, nil), mat.NewDense(x.size, samples, nil)
	multiply(x.kernels, next, x.step, y)
	multiply(x.kernels, part, x.before, b0)
	next.Add(next, part)
	multiply(x.kernels, part, x.after, b1)
	next.Add(next, part)
	s.u, s.v = mat.DenseCopyOf(after.given), mat.DenseCopyOf(s.v)
	for r, i := range x.free {
		copy(s.u.RawRowView(i), next.RawRowView(r))
		if x.timeOrder == 2 {
			copy(s.v.RawRowView(i), next.RawRowView(n+r))
		}
	}
	return nil
}

// force is b at one end of a step, in which given values of u change linearly.
func (x *exponentialStep) force(at, before, after drive) (*mat.Dense, error) {
	_, samples := at.force.Dims()
	n := len(x.free)
	b := mat.NewDense(x.size, samples, nil)
	own := b.Slice(x.size-n, x.size, 0, samples).(*mat.Dense)
	for r, i := range x.free {
		copy(own.RawRowView(r), at.force.RawRowView(i))
	}
	if x.coupling[0].Len()+x.coupling[1].Len() > 0 {
		_, given := x.coupling[0].Dims()
		value, slope := mat.NewDense(given, samples, nil), mat.NewDense(given, samples, nil)
		k := 0
		for i, is := range x.grid.given {
			if is {
				copy(value.RawRowView(k), at.given.RawRowView(i))
				copy(slope.RawRowView(k), after.given.RawRowView(i))
				row := slope.RawRowView(k)
				for c, v := range before.given.RawRowView(i) {
					row[c] = (row[c] - v) / x.dt
				}
				k++
			}
		}
		x.coupling[0].AddMul(own, -1, value)
		x.coupling[1].AddMul(own, -1, slope)
	}
	return b, x.mass.Solve(context.Background(), own)
}
