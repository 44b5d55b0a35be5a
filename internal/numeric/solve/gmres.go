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

// GMRES is the generalised minimal residual method with right preconditioning and
// restarts (Saad & Schultz 1986), for operators that need not be symmetric.
// It is backward stable.
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
	norm := norm2(b)
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
			rep.Residual = norm2(g.current()) / norm
		}
		if ctx.Err() != nil { // what was computed last is of no use
			return rep.stopped(ctx)
		}
		rep.Converged = rep.Residual <= tol
		switch {
		case g.done, rep.Converged && (g.left <= 0 || rep.Residual > hardlyBetter*best):
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

// hardlyBetter is how much of the residual a cycle leaves, after the tolerance is reached, that
// rounding lets go on no more: no other cycle comes nearer to what is wanted beyond it.
const hardlyBetter = 0.5

// gmresRun is the state of one solve across restarts.
type gmresRun struct {
	ctx    context.Context
	a, pre linop.Operator
	x, b   []float64
	target float64
	left   int

	known []float64 // the true residual of x; nil: it is not known

	wanted func(x []float64, residual float64) float64
	norm   float64 // of b
	done   bool    // x is what was asked for
}

// enough sets done if x, which has a residual, is what was asked for.
func (g *gmresRun) enough(x []float64, residual float64) bool {
	if residual > g.target {
		return false
	}
	g.done = true
	if g.wanted != nil {
		to := g.wanted(x, residual/g.norm)
		g.done = to >= residual/g.norm
		g.target = min(g.target, g.norm*to)
	}
	return g.done
}

// apply is a product with the matrix.
func (g *gmresRun) apply(dst, x []float64) {
	progress.Count(g.ctx, 0, 1)
	g.a.Apply(g.ctx, dst, x)
}

func (g *gmresRun) residual(x []float64) []float64 {
	if !slices.ContainsFunc(x, func(v float64) bool { return v != 0 }) {
		return slices.Clone(g.b)
	}
	r := make([]float64, len(g.b))
	g.apply(r, x)
	return floats.SubTo(r, g.b, r)
}

// current is the true residual of x.
func (g *gmresRun) current() []float64 {
	if g.known == nil {
		g.known = g.residual(g.x)
	}
	return g.known
}

// move sets x, of the given residual, nil if that is not known.
func (g *gmresRun) move(x, residual []float64) {
	copy(g.x, x)
	g.known = residual
}

// cycle builds one Krylov basis from the true residual and adds the best
// correction in it to x. It ends early where the residual that the basis gives is no
// longer the true one: what is left is rounding then, which a new cycle does not have.
func (g *gmresRun) cycle(restart int) {
	r := g.current()
	beta := norm2(r)
	if g.enough(g.x, beta) {
		return
	}
	basis := &basis{}
	basis.add(r, beta)
	g.known = nil // its memory is not needed until x moves
	h := newHessenberg(restart, beta)
	z, w, history := make([]float64, len(r)), make([]float64, len(r)), []float64(nil)
	for basis.size <= restart && g.left > 0 {
		g.left--
		g.precondition(z, basis.last())
		g.apply(w, z)
		progress.Count(g.ctx, 1, 0)
		if g.ctx.Err() != nil {
			return // Solve says so
		}
		column := basis.orthogonalise(w)
		norm := norm2(w)
		res := h.add(append(column, norm))
		progress.Report(g.ctx, progress.Step{
			Task: "solve", Done: math.Log(beta / max(res, 1e-300)), Total: math.Log(beta / g.target),
			Label: "residual", Value: res / beta,
		})
		if norm <= 1e-14*beta {
			break
		}
		history = append(history, res)
		if res <= g.target || stalled(history, beta) {
			x := g.candidate(basis, h)
			left := g.residual(x)
			truth := norm2(left)
			if g.ctx.Err() != nil {
				return
			}
			if g.enough(x, truth) || truth > rounded*res {
				g.move(x, left)
				return
			}
			history = history[:0]
		}
		basis.add(w, norm)
	}
	g.move(g.candidate(basis, h), nil)
}

// rounded is by which factor the true residual exceeds that of the basis where rounding
// has spoilt this.
const rounded = 2

// stalled reports whether the residuals of a cycle that began at beta have fallen far
// and now fall no more: what is left may be rounding.
func stalled(history []float64, beta float64) bool {
	const back, far, hardly = 20, 1e-6, 0.5
	k := len(history) - 1
	return k >= back && history[k] < far*beta && history[k] > hardly*history[k-back]
}

// candidate is x with the best correction in the basis.
func (g *gmresRun) candidate(q *basis, h *hessenberg) []float64 {
	sum, z := make([]float64, len(g.x)), make([]float64, len(g.x))
	c := make([]float64, q.size)
	copy(c, h.solve())
	q.addTo(sum, 1, c)
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
