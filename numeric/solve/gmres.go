package solve

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/progress"
)

// GMRES is the generalised minimal residual method with right preconditioning and
// restarts (Saad & Schultz 1986), for operators that need not be symmetric.
// Orthogonalisation is by classical Gram–Schmidt, in blocks that stay in the
// cache, and done again where it cancelled digits, which makes it as stable as
// Householder's.
type GMRES struct {
	Tolerance      float64        // relative residual; 0 means DefaultTolerance
	MaxIterations  int            // over all restarts; 0 means 1000
	Restart        int            // basis vectors held in memory; 0 means 150
	Preconditioner linop.Operator // approximates the inverse; nil means none
	// Wanted is asked about every x that reaches the tolerance, with its relative
	// residual, and returns the one that is needed: a smaller one to go on. Nil means
	// that the tolerance is enough. What is not reached of it is not counted as not
	// converged.
	Wanted func(x []float64, residual float64) float64
}

// Solve improves x, which is overwritten, until ‖b - A x‖ ≤ Tolerance ‖b‖.
// Memory: Restart + 2 vectors. The error is the context's; not converging is not
// an error: see Report.Converged.
func (s GMRES) Solve(ctx context.Context, a linop.Operator, x, b []float64) (Report, error) {
	rep := Report{Method: "gmres"}
	if err := checkSystem(a, x, b); err != nil {
		return rep, err
	}
	if s.Preconditioner != nil {
		rep.Method = "preconditioned gmres"
	}
	tol, limit, restart := s.Tolerance, s.MaxIterations, s.Restart
	if tol == 0 {
		tol = DefaultTolerance
	}
	if limit == 0 {
		limit = 1000
	}
	if restart == 0 {
		restart = 150
	}
	norm := floats.Norm(b, 2)
	if norm == 0 {
		clear(x)
		rep.Converged, rep.Reason = true, "the right-hand side is zero"
		return rep, nil
	}
	g := &gmresRun{ctx: ctx, a: a, pre: s.Preconditioner, x: x, b: b, target: tol * norm, left: limit, wanted: s.Wanted, norm: norm}
	best := math.Inf(1)
	for {
		g.cycle(min(restart, max(g.left, 1)))
		rep.Iterations = limit - g.left
		if ctx.Err() == nil {
			rep.Residual = floats.Norm(g.residual(), 2) / norm
		}
		if ctx.Err() != nil { // what was computed last is of no use
			return rep.stopped(ctx)
		}
		rep.Converged = rep.Residual <= tol
		switch {
		case rep.Residual*norm <= g.target, rep.Converged && (g.left <= 0 || rep.Residual > 0.999*best):
			rep.Reason = fmt.Sprintf("relative residual below %.1g", tol)
			return rep, nil
		case g.left <= 0:
			rep.Reason = fmt.Sprintf("stopped at the limit of %d iterations with relative residual %.2g; raise max_iterations, or lambda", limit, rep.Residual)
			return rep, nil
		case rep.Residual > 0.999*best:
			rep.Reason = fmt.Sprintf("no progress after a restart at relative residual %.2g; a larger lambda makes the system better conditioned", rep.Residual)
			return rep, nil
		}
		best = rep.Residual
	}
}

// gmresRun is the state of one solve across restarts.
type gmresRun struct {
	ctx    context.Context
	a, pre linop.Operator
	x, b   []float64
	target float64
	left   int

	wanted func(x []float64, residual float64) float64
	norm   float64 // of b
}

// enough reports whether a residual ends the solve; x is only asked for then.
func (g *gmresRun) enough(residual float64, x func() []float64) bool {
	if residual > g.target {
		return false
	}
	if g.wanted != nil {
		g.target = min(g.target, g.norm*g.wanted(x(), residual/g.norm))
	}
	return residual <= g.target
}

func (g *gmresRun) residual() []float64 {
	r := make([]float64, len(g.b))
	g.a.Apply(g.ctx, r, g.x)
	return floats.SubTo(r, g.b, r)
}

// cycle builds one Krylov basis from the true residual and adds the best
// correction in it to x.
func (g *gmresRun) cycle(restart int) {
	r := g.residual()
	beta := floats.Norm(r, 2)
	if g.enough(beta, func() []float64 { return g.x }) {
		return
	}
	floats.Scale(1/beta, r)
	basis := [][]float64{r}
	h := newHessenberg(restart, beta)
	z, history := make([]float64, len(r)), []float64(nil)
	for len(basis) <= restart && g.left > 0 {
		g.left--
		g.precondition(z, basis[len(basis)-1])
		w := make([]float64, len(r))
		g.a.Apply(g.ctx, w, z)
		if g.ctx.Err() != nil {
			return // Solve says so
		}
		column := orthogonalise(w, basis)
		norm := floats.Norm(w, 2)
		res := h.add(append(column, norm))
		progress.Report(g.ctx, progress.Step{
			Task: "solve", Done: math.Log(beta / max(res, 1e-300)), Total: math.Log(beta / g.target),
			Label: "residual", Value: res / beta,
		})
		if norm <= 1e-14*beta || g.enough(res, func() []float64 { return g.candidate(basis, h) }) {
			break
		}
		if history = append(history, res); stalled(history, beta) {
			break
		}
		floats.Scale(1/norm, w)
		basis = append(basis, w)
	}
	copy(g.x, g.candidate(basis, h))
}

// stalled reports whether the residuals of a cycle that began at beta have fallen far
// and now fall no more: what is left then is rounding, which a new cycle, from the true
// residual, does not have.
func stalled(history []float64, beta float64) bool {
	const back, far, hardly = 20, 1e-6, 0.5
	k := len(history) - 1
	return k >= back && history[k] < far*beta && history[k] > hardly*history[k-back]
}

// candidate is x with the best correction in the basis.
func (g *gmresRun) candidate(basis [][]float64, h *hessenberg) []float64 {
	sum, z := make([]float64, len(g.x)), make([]float64, len(g.x))
	for i, c := range h.solve() {
		floats.AddScaled(sum, c, basis[i])
	}
	g.precondition(z, sum)
	return floats.AddTo(z, z, g.x)
}

func (g *gmresRun) precondition(z, r []float64) {
	if g.pre == nil {
		copy(z, r)
		return
	}
	g.pre.Apply(g.ctx, z, r)
}

// orthogonalise removes from w its components along an orthonormal basis and
// returns them.
func orthogonalise(w []float64, basis [][]float64) []float64 {
	before := floats.Norm(w, 2)
	c := gramSchmidt(w, basis)
	if floats.Norm(w, 2) < 0.1*before { // more than a digit was lost: once more
		floats.Add(c, gramSchmidt(w, basis))
	}
	return c
}

// gramSchmidt subtracts the components of w along the basis and returns them.
func gramSchmidt(w []float64, basis [][]float64) []float64 {
	c := Dots(basis, w)
	AddCombinations([][]float64{w}, -1, c, basis)
	return c[0]
}

// hessenberg is the small least-squares problem of GMRES, kept triangular by
// Givens rotations.
type hessenberg struct {
	columns [][]float64 // upper triangular, column by column
	cos, sin,
	rhs []float64
}

func newHessenberg(n int, beta float64) *hessenberg {
	return &hessenberg{rhs: append(make([]float64, 0, n+1), beta)}
}

// add takes the next column of the Hessenberg matrix and returns the residual.
func (h *hessenberg) add(column []float64) float64 {
	k := len(column) - 2
	for i := range k {
		a, b := column[i], column[i+1]
		column[i], column[i+1] = h.cos[i]*a+h.sin[i]*b, -h.sin[i]*a+h.cos[i]*b
	}
	r := math.Hypot(column[k], column[k+1])
	c, s := 1.0, 0.0
	if r > 0 {
		c, s = column[k]/r, column[k+1]/r
	}
	h.cos, h.sin = append(h.cos, c), append(h.sin, s)
	column[k] = r
	h.columns = append(h.columns, column[:k+1])
	last := h.rhs[k]
	h.rhs[k] = c * last
	h.rhs = append(h.rhs, -s*last)
	return math.Abs(s * last)
}

// solve returns the coefficients by back substitution.
func (h *hessenberg) solve() []float64 {
	n := len(h.columns)
	y := append([]float64(nil), h.rhs[:n]...)
	for i := n - 1; i >= 0; i-- {
		if h.columns[i][i] == 0 {
			y[i] = 0
			continue
		}
		y[i] /= h.columns[i][i]
		for j := range i {
			y[j] -= h.columns[i][j] * y[i]
		}
	}
	return y
}
