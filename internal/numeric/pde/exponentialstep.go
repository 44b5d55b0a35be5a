package pde

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/simd"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// modes is y' = A y + b for the free values y of u, followed by those of u' in an
// equation of second order in time.
type modes struct {
	free      []int
	given     []int                // points where u is given
	mass      *solve.Factorisation // of the highest derivative in time
	coupling  [3]*linop.Sparse     // what given u, and its derivatives in time, contribute
	size      int                  // of y
	generator *mat.Dense           // A times the step
}

// mostDense is the most unknowns that the dense matrix of exponentials may have.
const mostDense = 2000

func (e *evolution) modes(ctx context.Context) (*modes, error) {
	x := &modes{}
	place := make([]int, e.Mesh.Size())
	for i, is := range e.grid.given {
		if is {
			place[i] = len(x.given)
			x.given = append(x.given, i)
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
			return linop.NewSparse(n, max(1, len(x.given)), entries)
		}
		return linop.NewSparse(n, n, entries)
	}
	x.coupling = [3]*linop.Sparse{part(0, true), part(1, true), part(2, true)}
	var err error
	if x.mass, err = solve.Factor(ctx, part(e.timeOrder, false)); err != nil {
		return nil, fmt.Errorf("the derivative in time: %w", err)
	}
	x.generator = mat.NewDense(x.size, x.size, nil)
	for k := range e.timeOrder {
		block, err := linop.Matrix(ctx, part(k, false))
		if err != nil {
			return nil, err
		}
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
func (x *exponentialStep) advance(ctx context.Context, s *state, before, after drive) error {
	_, samples := s.u.Dims()
	n := len(x.free)
	if err := x.kick(ctx, s, before, after); err != nil {
		return err
	}
	y := mat.NewDense(x.size, samples, nil)
	for r, i := range x.free {
		copy(y.RawRowView(r), s.u.RawRowView(i))
		if x.timeOrder == 2 {
			copy(y.RawRowView(n+r), s.v.RawRowView(i))
		}
	}
	b0, err := x.force(ctx, before, before, after)
	if err != nil {
		return err
	}
	b1, err := x.force(ctx, after, before, after)
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
func (x *exponentialStep) force(ctx context.Context, at, before, after drive) (*mat.Dense, error) {
	_, samples := at.force.Dims()
	n := len(x.free)
	b := mat.NewDense(x.size, samples, nil)
	own := b.Slice(x.size-n, x.size, 0, samples).(*mat.Dense)
	for r, i := range x.free {
		copy(own.RawRowView(r), at.force.RawRowView(i))
	}
	if x.coupling[0].Len()+x.coupling[1].Len() > 0 {
		value := mat.NewDense(len(x.given), samples, nil)
		for k, i := range x.given {
			copy(value.RawRowView(k), at.given.RawRowView(i))
		}
		x.coupling[0].AddMul(own, -1, value)
		x.coupling[1].AddMul(own, -1, x.slope(before, after))
	}
	return b, x.mass.Solve(ctx, own)
}

// slope is that of the given values of u in a step, given × samples.
func (x *exponentialStep) slope(before, after drive) *mat.Dense {
	_, samples := after.given.Dims()
	slope := mat.NewDense(len(x.given), samples, nil)
	for k, i := range x.given {
		row, from := slope.RawRowView(k), before.given.RawRowView(i)
		for c, v := range after.given.RawRowView(i) {
			row[c] = (v - from[c]) / x.dt
		}
	}
	return slope
}

// kick is what the sudden change of slope of given u at the beginning of a step does
// to u′, where the second derivative of given u enters the equation: it is an impulse.
// The slope before is in the rows of given u of u′.
func (x *exponentialStep) kick(ctx context.Context, s *state, before, after drive) error {
	if x.coupling[2].Len() == 0 {
		return nil
	}
	change := x.slope(before, after)
	for k, i := range x.given {
		row, velocity := change.RawRowView(k), s.v.RawRowView(i)
		for c, v := range row {
			row[c], velocity[c] = v-velocity[c], v
		}
	}
	_, samples := change.Dims()
	impulse := mat.NewDense(len(x.free), samples, nil)
	x.coupling[2].AddMul(impulse, -1, change)
	if err := x.mass.Solve(ctx, impulse); err != nil {
		return err
	}
	for r, i := range x.free {
		velocity := s.v.RawRowView(i)
		for c, v := range impulse.RawRowView(r) {
			velocity[c] += v
		}
	}
	return nil
}
