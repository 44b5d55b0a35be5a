package pde

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// evolution steps a scripted problem through time:
//
//	M₂ u″ + M₁ u′ + K u = S f + B g,
//
// by the θ-method (θ = 1 backward Euler, ½ Crank–Nicolson; for a second derivative in
// time applied to u and u′), or by exponentials. Given values of u are set at every
// time.
type evolution struct {
	*Defined
	steps int
	dt    float64
	theta float64
	at    *discrete // at the first time; at all, unless coefficients depend on time
	step  *thetaStep
	exact *exponentialStep
}

// thetaStep is one step: left u₁ = right u₀ + velocity u′₀ + drives.
type thetaStep struct {
	left            *elimination  // nil: what is on the left is not linear in u
	matrix          *linop.Sparse // on the left
	right, velocity *linop.Sparse
}

func newEvolution(ctx context.Context, p *Defined) (*evolution, error) {
	e := &evolution{Defined: p, steps: p.Time.Size(), dt: p.Time.Axes()[0].Step, theta: 1}
	if p.Scheme == CrankNicolson {
		e.theta = 0.5
	}
	if !p.trusted {
		if err := p.checkGrowth(ctx); err != nil {
			return nil, err
		}
	}
	var err error
	if e.at, err = p.grid.discretise(ctx, p.Operator, e.time(0)); err != nil {
		return nil, err
	}
	switch {
	case p.Scheme == Exponential:
		e.exact, err = e.newExponentialStep(ctx)
	case !p.timeVaries:
		e.step, err = e.newThetaStep(ctx, e.at, e.at)
	}
	return e, err
}

func (e *evolution) time(k int) float64 { return e.Time.Axes()[0].Coordinates[k] }

// newThetaStep factors the step between two times with the operators there.
func (e *evolution) newThetaStep(ctx context.Context, from, to *discrete) (*thetaStep, error) {
	n := e.Mesh.Size()
	var left, right, velocity []linop.Entry
	for _, w := range []struct {
		d      *discrete
		weight float64
	}{{to, e.theta}, {from, 1 - e.theta}} {
		if w.weight == 0 {
			continue
		}
		for _, side := range []*[]linop.Entry{&left, &right} {
			*side = append(*side, w.d.orders[1].Entries(w.weight/e.dt)...)
			*side = append(*side, w.d.orders[2].Entries(w.weight/(e.theta*e.dt*e.dt))...)
		}
		velocity = append(velocity, w.d.orders[2].Entries(w.weight/(e.theta*e.dt))...)
	}
	left = append(left, to.orders[0].Entries(e.theta)...)
	right = append(right, from.orders[0].Entries(e.theta-1)...)
	matrix := to.withGiven(e.grid, left)
	var solver *elimination
	if e.curved == nil {
		var err error
		if solver, err = e.grid.eliminate(ctx, matrix); err != nil {
			return nil, err
		}
	}
	return &thetaStep{solver, matrix, linop.NewSparse(n, n, right), linop.NewSparse(n, n, velocity)}, nil
}

// drive is what acts on a batch of samples at one time: S f + B g in the rows of free
// u, and the given values of u in the others; points × samples.
type drive struct {
	force, given *mat.Dense
	edge         *mat.Dense    // data of the conditions, where the operator is not linear
	mean         *linop.Sparse // S
	time         float64
}

func (e *evolution) drive(d *discrete, f *mat.Dense, k int) (drive, error) {
	n, samples := e.Mesh.Size(), 0
	samples, _ = f.Dims()
	g, err := e.boundaryData(e.time(k))
	if err != nil {
		return drive{}, err
	}
	source, err := e.source.at(e.time(k))
	if err != nil {
		return drive{}, fmt.Errorf("source: %w", err)
	}
	force, part, given := make([]float64, n), make([]float64, n), make([]float64, n)
	d.forcing.MulVec(force, source)
	d.data.MulVec(part, g)
	for i, v := range part {
		force[i] += v
	}
	d.fixed.MulVec(given, g)
	r := drive{force: spread(force, samples), given: spread(given, samples), mean: d.forcing, time: e.time(k)}
	if e.curved != nil && len(g) > 0 {
		r.edge = spread(g, samples)
	}
	if e.Input == InputInitial {
		return r, nil
	}
	now := mat.NewDense(e.perTime, samples, nil)
	loadTime(now, f, k, e.steps)
	if e.Input == InputForcing {
		d.forcing.AddMul(r.force, 1, now)
		return r, nil
	}
	d.data.Mul(e.fromInput).AddMul(r.force, 1, now)
	d.fixed.Mul(e.fromInput).AddMul(r.given, 1, now)
	if r.edge != nil {
		e.fromInput.AddMul(r.edge, 1, now)
	}
	return r, nil
}

// spread repeats a column.
func spread(v []float64, columns int) *mat.Dense {
	m := mat.NewDense(len(v), columns, nil)
	for i, x := range v {
		row := m.RawRowView(i)
		for k := range row {
			row[k] = x
		}
	}
	return m
}

// state is u and, with a second derivative in time, u′: points × samples.
type state struct{ u, v *mat.Dense }

// start is the state at the first time.
func (e *evolution) start(f *mat.Dense, given *mat.Dense) (state, error) {
	samples, _ := f.Dims()
	var s state
	cols := e.grid.columns(-1)
	for _, c := range []struct {
		name  string
		value Coefficient
		to    **mat.Dense
	}{{"initial", e.Initial, &s.u}, {"velocity", e.Velocity, &s.v}} {
		v, err := e.grid.evaluate(c.value, cols, e.time(0), nil)
		if err != nil {
			return s, fmt.Errorf("%s: %w", c.name, err)
		}
		*c.to = spread(v, samples)
	}
	if e.Input == InputInitial {
		transpose(s.u, f)
	}
	e.impose(s.u, given)
	return s, nil
}

// impose sets the given values of u.
func (e *evolution) impose(u, given *mat.Dense) {
	for i, is := range e.grid.given {
		if is {
			copy(u.RawRowView(i), given.RawRowView(i))
		}
	}
}

// outputs steps all inputs through time, batch by batch.
func (e *evolution) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	n, _ := f.Dims()
	u := mat.NewDense(n, e.output.Size(), nil)
	err := batches(n, e.Mesh.Size(), func(lo, hi int) error {
		err := e.run(ctx, rows(f, lo, hi), rows(u, lo, hi))
		var s sampleError
		if errors.As(err, &s) {
			return fmt.Errorf("f[%d]: %w", lo+s.sample+1, s.error)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return u, nil
}

func (e *evolution) run(ctx context.Context, f, u *mat.Dense) error {
	d := e.at
	before, err := e.drive(d, f, 0)
	if err != nil {
		return err
	}
	s, err := e.start(f, before.given)
	if err != nil {
		return err
	}
	storeTime(u, s.u, 0, e.steps)
	for k := 1; k < e.steps; k++ {
		if err := stopped(ctx); err != nil {
			return err
		}
		next, step := d, e.step
		if e.timeVaries {
			if next, err = e.grid.discretise(ctx, e.Operator, e.time(k)); err != nil {
				return err
			}
			if step, err = e.newThetaStep(ctx, d, next); err != nil {
				return err
			}
		}
		after, err := e.drive(next, f, k)
		if err != nil {
			return err
		}
		if e.exact != nil {
			err = e.exact.advance(ctx, &s, before, after)
		} else {
			err = e.advance(ctx, step, &s, before, after)
		}
		if err != nil {
			return err
		}
		storeTime(u, s.u, k, e.steps)
		d, before = next, after
	}
	return nil
}

// advance makes one step of the θ-method.
func (e *evolution) advance(ctx context.Context, step *thetaStep, s *state, before, after drive) error {
	next := mat.DenseCopyOf(after.given)
	step.right.AddMul(next, 1, s.u)
	addScaled(next, e.theta, after.force)
	addScaled(next, 1-e.theta, before.force)
	if e.timeOrder == 2 {
		step.velocity.AddMul(next, 1, s.v)
	}
	var err error
	if e.curved == nil {
		err = step.left.solve(ctx, next)
	} else {
		err = e.advanceNonlinear(ctx, step, s.u, next, before, after)
	}
	if err != nil {
		return err
	}
	if e.timeOrder == 2 {
		// u₁ = u₀ + dt (θ u′₁ + (1-θ) u′₀), solved for u′₁.
		s.v.Scale(-(1-e.theta)/e.theta, s.v)
		addScaled(s.v, 1/(e.theta*e.dt), next)
		addScaled(s.v, -1/(e.theta*e.dt), s.u)
	}
	s.u = next
	return nil
}

// advanceNonlinear replaces the right sides in next, without what is not linear in u, by the
// solutions, which Newton's method finds from those before.
func (e *evolution) advanceNonlinear(ctx context.Context, step *thetaStep, now, next *mat.Dense, before, after drive) error {
	n, samples := next.Dims()
	for k := range samples {
		q := &equation{
			pointwise: e.curved, matrix: step.matrix, mean: after.mean, weight: e.theta, time: after.time,
			right: mat.Col(nil, k, next), edge: column(after.edge, k),
		}
		start := mat.Col(nil, k, now)
		if e.theta < 1 {
			part := make([]float64, n)
			before.mean.MulVec(part, e.curved.at(start, column(before.edge, k), before.time, nil))
			floats.AddScaled(q.right, e.theta-1, part)
		}
		for i, given := range e.grid.given {
			if given {
				start[i] = after.given.At(i, k)
			}
		}
		u, err := q.newton(ctx, start)
		if errors.Is(err, errNoSolution) {
			return sampleError{k, fmt.Errorf("no solution at %s = %.4g that Newton's method finds: u may grow without bound; if it does not, take shorter steps", e.Operator.timeName(), after.time)}
		}
		if err != nil {
			return err
		}
		next.SetCol(k, u)
	}
	return nil
}

// sampleError is the error of one of a batch of samples.
type sampleError struct {
	sample int
	error
}

// column is a column of m, if there is m.
func column(m *mat.Dense, k int) []float64 {
	if m == nil {
		return nil
	}
	return mat.Col(nil, k, m)
}

// addScaled adds alpha x to y.
func addScaled(y *mat.Dense, alpha float64, x *mat.Dense) {
	if alpha == 0 {
		return
	}
	to, from := y.RawMatrix(), x.RawMatrix()
	for i := range to.Rows {
		row := from.Data[i*from.Stride:][:to.Cols]
		for k, v := range row {
			to.Data[i*to.Stride+k] += alpha * v
		}
	}
}
