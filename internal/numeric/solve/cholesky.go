package solve

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/progress"
)

// Cholesky solves with a symmetric positive definite matrix directly: n³/3
// multiplications. It is the reference that iterative solves are compared with.
type Cholesky struct {
	Tolerance float64 // relative residual by which the solution is judged; 0 means DefaultTolerance
}

// Solve stores the solution of A x = b in x. The operator's matrix is formed,
// from n products unless it is linop.Dense. Memory: three matrices. The error is
// the context's, or ErrNotPositive.
func (s Cholesky) Solve(ctx context.Context, a linop.Operator, x, b []float64) (Report, error) {
	rep := Report{Method: "cholesky"}
	if err := checkSystem(a, x, b); err != nil {
		return rep, err
	}
	m, err := matrixOf(ctx, a)
	if err != nil {
		return rep, fmt.Errorf("cholesky stopped: %w", err)
	}
	n := len(b)
	sym := linop.Symmetric(m)
	ch, err := linop.Cholesky(ctx, sym)
	switch {
	case errors.Is(err, linop.ErrNotPositive):
		rep.Reason = "the matrix is not positive definite; raise lambda"
		return rep, fmt.Errorf("cholesky: %w", ErrNotPositive)
	case err != nil:
		return rep, fmt.Errorf("cholesky: %w", err)
	}
	if err := ch.SolveVecTo(mat.NewVecDense(n, x), mat.NewVecDense(n, b)); err != nil {
		rep.Reason = err.Error() // a mat.Condition: the solution is there, less accurate
	}
	rep.Residual, rep.Above = Residual(ctx, a, x, b), above(ctx, a, ch, x, b)
	if ctx.Err() != nil {
		return rep.stopped(ctx)
	}
	tol := s.Tolerance
	if tol == 0 {
		tol = DefaultTolerance
	}
	rep.Converged = rep.Residual <= tol
	switch {
	case !rep.Converged:
		rep.Reason = fmt.Sprintf("direct; rounding leaves a relative residual of %.1e: a larger lambda makes the system better conditioned", rep.Residual)
	case rep.Reason == "":
		rep.Reason = "direct"
	}
	return rep, nil
}

// above is Report.Above, by a solve for what is left of b. Where the matrix is nearly singular that may be
// more than the tolerance, and yet say little of x: it is the rounding of the product.
func above(ctx context.Context, a linop.Operator, ch *mat.Cholesky, x, b []float64) float64 {
	n := len(b)
	left := mat.NewVecDense(n, nil)
	a.Apply(ctx, left.RawVector().Data, x)
	left.SubVec(mat.NewVecDense(n, b), left)
	var step mat.VecDense
	_ = ch.SolveVecTo(&step, left) // a mat.Condition, as before
	if gain := mat.Dot(&step, left); gain > 0 {
		return gain / floats.Dot(x, b)
	}
	return 0
}

// matrixOf returns the matrix of a symmetric operator. Columns are computed by
// all processors and kept as rows.
func matrixOf(ctx context.Context, a linop.Operator) (*mat.Dense, error) {
	if d, ok := a.(linop.Dense); ok {
		return d.M, nil
	}
	n, _ := a.Dims()
	m := mat.NewDense(n, n, nil)
	product := 10 * float64(n) // nanoseconds, of the fastest operators there are
	parallel.Range(n, product, func(lo, hi int) {
		e := make([]float64, n)
		for j := lo; j < hi && ctx.Err() == nil; j++ {
			e[j] = 1
			a.Apply(ctx, m.RawRowView(j), e)
			e[j] = 0
			progress.Report(ctx, progress.Step{Task: "matrix", Done: float64(j), Total: float64(n)})
		}
	})
	return m, context.Cause(ctx)
}
