package sparse

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// Report says what an iteration did.
type Report = solve.Report

// Iteration are the limits of one.
type Iteration struct {
	Tolerance     float64 // ‖b - A x‖/‖b‖ at which it ends
	MaxIterations int     // 0 means ten for each unknown
	Restart       int     // of GMRES: vectors that are kept; 0 means 150
	Factors       *Factors
	// Factors, if given, are those of a matrix near A: the preconditioner. Otherwise CG takes the
	// diagonal.
}

// CG solves A x = b for a symmetric positive definite matrix by conjugate gradients, from
// x = start or 0. Not converging is said by the report, not as an error.
func (it Iteration) CG(ctx context.Context, a *Matrix, b, start []float64) ([]float64, Report, error) {
	if err := checkFactored(a); err != nil {
		return nil, Report{}, err
	}
	if !a.Symmetric(1e-10) {
		return nil, Report{}, errors.New("the matrix is not symmetric; GMRES and LU factors take such a matrix")
	}
	inverse := make(linop.Diagonal, a.rows)
	for i := range inverse {
		d := a.At(i, i)
		if !(d > 0) {
			return nil, Report{}, fmt.Errorf("%w: its diagonal has %g in row %d", ErrNotPositive, d, i+1)
		}
		inverse[i] = 1 / d
	}
	s := solve.CG{Tolerance: it.Tolerance, MaxIterations: it.limit(a), Preconditioner: inverse}
	if it.Factors != nil {
		s.Preconditioner = preconditioner{it.Factors}
	}
	x, report, err := it.run(ctx, a, b, start, s)
	switch {
	case errors.Is(err, solve.ErrNotPositive) && it.Factors != nil:
		err = fmt.Errorf("%w, or its preconditioner is not; GMRES and LU factors take such a matrix", ErrNotPositive)
	case errors.Is(err, solve.ErrNotPositive):
		err = fmt.Errorf("%w: a search direction d has dᵀ A d <= 0; GMRES and LU factors take such a matrix, unless it is singular: then take the part in its null space off b first (its mean, for differences without boundary values)", ErrNotPositive)
	}
	return x, report, err
}

// GMRES solves A x = b for any square matrix by the generalised minimal residual method.
func (it Iteration) GMRES(ctx context.Context, a *Matrix, b, start []float64) ([]float64, Report, error) {
	if err := checkFactored(a); err != nil {
		return nil, Report{}, err
	}
	s := solve.GMRES{Tolerance: it.Tolerance, MaxIterations: it.limit(a), Restart: it.Restart}
	if it.Factors != nil {
		s.Preconditioner = preconditioner{it.Factors}
	}
	return it.run(ctx, a, b, start, s)
}

func (it Iteration) limit(a *Matrix) int {
	if it.MaxIterations > 0 {
		return it.MaxIterations
	}
	return 10 * a.rows
}

func (it Iteration) run(ctx context.Context, a *Matrix, b, start []float64, s interface {
	Solve(ctx context.Context, a linop.Operator, x, b []float64) (solve.Report, error)
},
) ([]float64, Report, error) {
	x := make([]float64, a.rows)
	for what, v := range map[string][]float64{"right side": b, "start": start} {
		if len(v) != a.rows && (what != "start" || v != nil) {
			return nil, Report{}, fmt.Errorf("%s of %d numbers: must be %d, as the matrix has rows", what, len(v), a.rows)
		}
	}
	if it.Factors != nil && it.Factors.Size() != a.rows {
		return nil, Report{}, fmt.Errorf("preconditioner for %d unknowns: must be for %d", it.Factors.Size(), a.rows)
	}
	copy(x, start)
	report, err := s.Solve(ctx, a, x, b)
	if what, advice, given := strings.Cut(report.Reason, "; "); given && strings.Contains(advice, "lambda") { // an estimate's
		report.Reason = what + "; the matrix is singular or nearly so: its LU factors estimate the condition"
	}
	return x, report, err
}

// preconditioner applies the inverse of factors.
type preconditioner struct{ f *Factors }

func (p preconditioner) Dims() (r, c int) { return p.f.a.rows, p.f.a.cols }

func (p preconditioner) Apply(_ context.Context, dst, x []float64) {
	p.f.once(dst, x, make([]float64, len(x)))
}
