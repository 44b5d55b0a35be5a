package solve

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
)

// CG is the preconditioned conjugate gradient method for symmetric positive
// definite operators (Golub & Van Loan 2013, algorithm 11.5.1), with two
// departures: it starts from the x it is given, and when the recurrence says it
// has converged the residual is recomputed and, if rounding has parted the two,
// the iteration is restarted from the true residual.
type CG struct {
	Tolerance      float64        // relative residual; 0 means DefaultTolerance
	MaxIterations  int            // 0 means 1000
	Preconditioner linop.Operator // approximates the inverse; nil means none

	// Enough, if given, ends the iteration when it says so, before the tolerance does: it is
	// asked ahead of every step about ‖b - A x‖² and the energy 2⟨b, x⟩ - ⟨x, A x⟩, which
	// grows with every step towards ⟨b, A⁻¹ b⟩. Then the residual of the report is that of
	// the recurrence, and no progress is reported.
	Enough func(energy, residual2 float64) bool

	// Hopeless, if given, is asked after every step about the relative residual, by the
	// recurrence, after so many iterations: whether to end as at the limit of iterations.
	Hopeless func(iterations int, residual float64) bool
}

// Solve improves x, which is overwritten, until ‖b - A x‖ ≤ Tolerance ‖b‖. It
// returns a report always; the error is the context's, or ErrNotPositive. Not
// converging is not an error: see Report.Converged.
func (s CG) Solve(ctx context.Context, a linop.Operator, x, b []float64) (Report, error) {
	rep := Report{Method: "cg"}
	if err := checkSystem(a, x, b); err != nil {
		return rep, err
	}
	if s.Preconditioner != nil {
		rep.Method = "preconditioned cg"
	}
	tol, limit := s.Tolerance, s.MaxIterations
	if tol == 0 {
		tol = DefaultTolerance
	}
	if limit == 0 {
		limit = 1000
	}
	norm := norm2(b)
	if norm == 0 {
		clear(x)
		rep.Converged, rep.Reason = true, "the right-hand side is zero"
		return rep, nil
	}
	run := cgRun{ctx: ctx, a: a, pre: s.Preconditioner, enough: s.Enough, x: x, b: b, target: tol * norm, left: limit}
	if s.Hopeless != nil {
		run.hopeless = func(residual float64) bool { return s.Hopeless(limit-run.left+1, residual/norm) }
	}
	best := math.Inf(1)
	for {
		err := run.cycle()
		rep.Iterations = limit - run.left
		if run.done && ctx.Err() == nil {
			rep.Residual, rep.Converged, rep.Reason = run.residual/norm, true, "enough is known of the energy"
			return rep, nil
		}
		if ctx.Err() == nil {
			rep.Residual = run.trueResidual() / norm
		}
		if ctx.Err() != nil { // what was computed last is of no use
			return rep.stopped(ctx)
		}
		rep.Converged = rep.Residual <= tol
		switch {
		case err != nil:
			rep.Reason = err.Error()
			return rep, err
		case rep.Converged:
			rep.Reason = fmt.Sprintf("relative residual below %.1g", tol)
			return rep, nil
		case run.left == 0 || run.ended:
			rep.Reason = fmt.Sprintf("stopped at the limit of %d iterations with relative residual %.2g; raise max_iterations, or lambda", rep.Iterations, rep.Residual)
			return rep, nil
		case rep.Residual > best/2:
			rep.Rounded = true
			rep.Reason = fmt.Sprintf("rounding errors stop the relative residual at %.2g; a larger lambda makes the system better conditioned", rep.Residual)
			return rep, nil
		}
		best = rep.Residual
	}
}

// cgRun is the state of one solve across restarts.
type cgRun struct {
	ctx    context.Context
	a, pre linop.Operator
	enough func(energy, residual2 float64) bool
	x, b   []float64
	target float64 // absolute residual wanted
	left   int     // iterations that may still be made

	hopeless func(residual float64) bool // nil: never
	ended    bool                        // it was

	done     bool    // there is enough
	residual float64 // by the recurrence, at that point
}

// apply is a product with the matrix.
func (c *cgRun) apply(dst, x []float64) {
	progress.Count(c.ctx, 0, 1)
	c.a.Apply(c.ctx, dst, x)
}

func (c *cgRun) trueResidual() float64 {
	r := make([]float64, len(c.b))
	c.apply(r, c.x)
	return norm2(floats.SubTo(r, c.b, r))
}

// cycle iterates from the true residual of x until the recurrence meets the
// target or the iterations are used up.
func (c *cgRun) cycle() error {
	n := len(c.b)
	r, z, p, ap := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	copy(r, c.b)
	if slices.ContainsFunc(c.x, func(v float64) bool { return v != 0 }) {
		c.apply(r, c.x)
		floats.SubTo(r, c.b, r)
	}
	energy, start := floats.Dot(c.b, c.x)+floats.Dot(c.x, r), norm2(r)
	if start <= c.target || c.ends(energy, start) {
		return nil
	}
	c.precondition(z, r)
	copy(p, z)
	rz := floats.Dot(r, z)
	for ; c.left > 0; c.left-- {
		if c.ctx.Err() != nil {
			return nil // Solve says so
		}
		if !(rz > 0) {
			return fmt.Errorf("cg: preconditioner: %w", ErrNotPositive)
		}
		c.apply(ap, p)
		progress.Count(c.ctx, 1, 0)
		curvature := floats.Dot(p, ap)
		if !(curvature > 0) {
			return fmt.Errorf("cg: operator: %w", ErrNotPositive)
		}
		alpha := rz / curvature
		floats.AddScaled(c.x, alpha, p)
		floats.AddScaled(r, -alpha, ap)
		energy += alpha * rz
		norm := norm2(r)
		if c.ends(energy, norm) {
			c.left--
			return nil
		}
		if c.enough == nil {
			progress.Report(c.ctx, progress.Step{
				Task: "solve", Done: math.Log(start / norm), Total: math.Log(start / c.target),
				Label: "residual", Value: norm / start,
			})
		}
		if norm <= c.target {
			c.left--
			return nil
		}
		if c.hopeless != nil && c.hopeless(norm) {
			c.left--
			c.ended = true
			return nil
		}
		c.precondition(z, r)
		next := floats.Dot(r, z)
		floats.AddScaledTo(p, z, next/rz, p)
		rz = next
	}
	return nil
}

// ends asks whether there is enough.
func (c *cgRun) ends(energy, residual float64) bool {
	if c.enough == nil || !c.enough(energy, residual*residual) {
		return false
	}
	c.done, c.residual = true, residual
	return true
}

func (c *cgRun) precondition(z, r []float64) {
	if c.pre == nil {
		copy(z, r)
		return
	}
	c.pre.Apply(c.ctx, z, r)
}
