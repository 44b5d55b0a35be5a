package inweights

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// maxDirect bounds the data for which a constrained fit is solved directly: three
// matrices of that size.
const maxDirect = 4000

// directEnough is the part of the objective that a direct solution may be above its minimum by when
// rounding leaves more of the equations than the tolerance: a greater λ would change it by far more.
const directEnough = 1e-6

// worthDirect is after how many iterations it is.
const worthDirect = 300

// solve improves x. GMRES is fastest, but needs more iterations than there are
// data when the kernel is rough, the samples are few and λ is small; then the
// system is solved in the space of the data instead.
func (w *Space) solve(ctx context.Context, s *problem.Setting, x []float64) (solve.Report, error) {
	w, err := w.suited(ctx, s)
	if err != nil {
		return solve.Report{}, err
	}
	if err := w.couple(ctx); err != nil {
		return solve.Report{}, err
	}
	scaled := w.balanced()
	n, _ := scaled.Dims()
	b := scaled.folded(w.RightHandSide(ctx))
	scaled.rows(b)
	g := solve.GMRES{
		Tolerance: s.Tolerance, MaxIterations: s.MaxIterations, Preconditioner: balancedPreconditioner{scaled},
		Restart: max(20, gram.MemoryShare(.25, 1<<28)/max(1, n)), // a basis of at most two gigabytes
	}
	var asked []float64 // what GMRES asked about last, and how sharp it is
	var sharp float64
	g.Wanted = func(x []float64, residual float64) float64 {
		asked, sharp = slices.Clone(x), w.sharpness(ctx, scaled.unfolded(x), g.Tolerance)
		return residual * sharp
	}
	enough := min(20+len(w.T)/4, worthDirect, g.Restart)
	fallback := len(w.T) <= maxDirect && enough <= g.MaxIterations
	if fallback {
		g.MaxIterations = enough
	}
	in := scaled.folded(x)
	out, err := g.Solve(ctx, scaled, in, b)
	copy(x, scaled.unfolded(in))
	if err != nil || !fallback {
		return out, err
	}
	if out.Converged && !slices.Equal(in, asked) {
		sharp = w.sharpness(ctx, x, g.Tolerance)
	}
	if out.Converged && sharp >= 1 {
		return out, nil
	}
	direct, err := w.solveData(ctx, x)
	if err != nil {
		return out, err
	}
	direct.Residual = solve.Residual(ctx, scaled, scaled.folded(x), b)
	if err := linop.Stopped(ctx); err != nil {
		return out, err
	}
	direct.Precise = direct.Above <= directEnough
	direct.Converged = direct.Residual <= g.Tolerance || direct.Above <= gapPerTolerance*g.Tolerance*gapPerTolerance*g.Tolerance
	direct.Reason = fmt.Sprintf("direct, with the matrix of %d data, after %d iterations of gmres reached %.1e", len(w.T), out.Iterations, out.Residual)
	switch {
	case direct.Residual <= g.Tolerance:
	case direct.Precise:
		direct.Reason += fmt.Sprintf("; rounding leaves a relative residual of %.1e, and the objective within %.1e of its minimum by a solve for that", direct.Residual, direct.Above)
	default:
		direct.Reason += fmt.Sprintf("; rounding leaves a relative residual of %.1e: a larger lambda makes the system better conditioned", direct.Residual)
	}
	direct.Iterations = out.Iterations
	return direct, nil
}

// gapPerTolerance is the relative error of G, in the norm of its space, that goes with a
// relative residual of one: 3e-7 at the default tolerance.
const gapPerTolerance = 3e3

// sharpness is by which factor the residual has to shrink until the duality gap is what
// the tolerance means for it; at least 1 if it is. A residual of the weights says little
// of G where λ is far below the kernel: the error may be as much larger.
func (w *Space) sharpness(ctx context.Context, x []float64, tolerance float64) float64 {
	c := w.State(ctx, x)
	gap, objective := c.Gap(), c.Objective(problem.At(w.Lambda, w.Rho))
	allowed := gapPerTolerance*tolerance*math.Sqrt(max(0, w.Lambda*c.Green2)) + tolerance*math.Sqrt(objective)
	if !(gap > allowed*allowed) {
		return 1
	}
	return allowed / math.Sqrt(gap) / 2
}

// balanced is the optimality system in the coefficients of weights that obey the
// constraint (lattice.Folding), with its equations for the weights of G in the units
// of those for the bias. A residual (v, b) leaves the objective ⟨v, K̃ v⟩/λ + ⟨b, Q̃ b⟩/ρ
// above its minimum at most; scaled so that both parts weigh alike, its norm says so in
// all units of inputs and axes.
type balanced struct {
	*Space
	by   float64
	fold *lattice.Folding // nil: all weights obey
}

func (w *Space) balanced() balanced {
	by := 1.0
	if w.Q != nil {
		if r := mat.Max(w.kappa) / w.Lambda * w.Rho / floats.Max(w.qd); r > 0 && !math.IsInf(r, 0) {
			by = math.Sqrt(r)
		}
	}
	return balanced{w, by, w.G.Folding()}
}

// coefficients is how many coefficients there are for the weights of G.
func (s balanced) coefficients() int {
	if s.fold == nil {
		return s.G.Size()
	}
	return s.fold.Size()
}

// Dims implements linop.Operator.
func (s balanced) Dims() (r, c int) {
	n, _ := s.Space.Dims()
	n += s.coefficients() - s.G.Size()
	return n, n
}

// folded returns the coefficients of weights.
func (s balanced) folded(x []float64) []float64 {
	n, _ := s.Dims()
	c := make([]float64, n)
	copy(c[s.coefficients():], x[s.G.Size():])
	if s.fold == nil {
		copy(c, x)
	} else {
		s.fold.Fold(c[:s.coefficients()], x[:s.G.Size()])
	}
	return c
}

// unfolded returns the weights of coefficients.
func (s balanced) unfolded(c []float64) []float64 {
	n, _ := s.Space.Dims()
	x := make([]float64, n)
	copy(x[s.G.Size():], c[s.coefficients():])
	if s.fold == nil {
		copy(x, c)
	} else {
		s.fold.Unfold(x[:s.G.Size()], c[:s.coefficients()])
	}
	return x
}

// rows scales the equations.
func (s balanced) rows(r []float64) { floats.Scale(s.by, r[:s.coefficients()]) }

// Apply implements linop.Operator.
func (s balanced) Apply(ctx context.Context, dst, c []float64) {
	s.onWeights(dst, c, func(out, x []float64) { s.Space.Apply(ctx, out, x) })
	s.rows(dst)
}

// onWeights is an operator on weights as one on coefficients.
func (s balanced) onWeights(dst, c []float64, apply func(out, x []float64)) {
	if s.fold == nil {
		apply(dst, c)
		return
	}
	x := s.unfolded(c)
	out := s.scratch.Take(len(x))
	apply(out, x)
	copy(dst, s.folded(out))
	s.scratch.Give(out, x)
}

// balancedPreconditioner is the right preconditioner of the balanced system.
type balancedPreconditioner struct{ balanced }

// Apply implements linop.Operator.
func (p balancedPreconditioner) Apply(ctx context.Context, dst, r []float64) {
	p.onWeights(dst, r, func(out, x []float64) {
		weightPreconditioner{p.Space}.Apply(ctx, out, x)
		floats.Scale(1/p.by, out[:p.G.Size()])
	})
}

// solveData stores in x the weights P M 𝒜ᵀ Z / λ and c Z / ρ of the solution of
//
//	(𝒜 M P K̃ P M 𝒜ᵀ / λ + c Q̃ cᵀ / ρ + I) Z = T .
//
// Cost: as many products with the kernel as there are data, and Cholesky.
func (w *Space) solveData(ctx context.Context, x []float64) (solve.Report, error) {
	z := make([]float64, len(w.T))
	out, err := solve.Cholesky{}.Solve(ctx, w.InData(), z, w.T)
	if err == nil {
		w.weightsOf(ctx, x, z)
		err = linop.Stopped(ctx)
	}
	return out, err
}

// dataKernel is 𝒜 M P K̃ P M 𝒜ᵀ / λ + c Q̃ cᵀ / ρ.
type dataKernel struct{ w *Space }

// Dims implements linop.Operator.
func (d dataKernel) Dims() (r, c int) { return len(d.w.T), len(d.w.T) }

// Apply implements linop.Operator.
func (d dataKernel) Apply(ctx context.Context, dst, z []float64) {
	n, _ := d.w.Dims()
	x := make([]float64, n)
	d.w.weightsOf(ctx, x, z)
	out, _, _ := d.w.Forward(ctx, x)
	copy(dst, out)
}

// InData is the system of the same fit in the space of the data, with the identity: symmetric.
func (w *Space) InData() linop.Operator { return dataSpace{dataKernel{w}} }

// dataSpace is the operator of solveData.
type dataSpace struct{ dataKernel }

// Apply implements linop.Operator.
func (d dataSpace) Apply(ctx context.Context, dst, z []float64) {
	d.dataKernel.Apply(ctx, dst, z)
	floats.Add(dst, z)
}
