package solve

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
)

// Cholesky solves with a symmetric positive definite matrix directly: n³/3
// multiplications. It is the reference that iterative solves are compared with.
type Cholesky struct{}

// Solve stores the solution of A x = b in x. The operator's matrix is formed.
func (Cholesky) Solve(ctx context.Context, a linop.Operator, x, b []float64) (Report, error) {
	rep := Report{Method: "cholesky"}
	if err := checkSystem(a, x, b); err != nil {
		return rep, err
	}
	m := matrixOf(a)
	n := len(b)
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sym.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	if err := ctx.Err(); err != nil {
		return rep, fmt.Errorf("cholesky stopped: %w", context.Cause(ctx))
	}
	var ch mat.Cholesky
	if !ch.Factorize(sym) {
		rep.Reason = "the matrix is not positive definite; raise lambda"
		return rep, fmt.Errorf("cholesky: %w", ErrNotPositive)
	}
	if err := ch.SolveVecTo(mat.NewVecDense(n, x), mat.NewVecDense(n, b)); err != nil {
		rep.Reason = err.Error() // a mat.Condition: the solution is there, less accurate
	}
	rep.Residual = Residual(a, x, b)
	rep.Converged = rep.Residual < 1e-8
	if rep.Reason == "" {
		rep.Reason = "direct"
	}
	return rep, nil
}

func matrixOf(a linop.Operator) *mat.Dense {
	if d, ok := a.(linop.Dense); ok {
		return d.M
	}
	return linop.Matrix(a)
}
