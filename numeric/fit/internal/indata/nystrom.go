package indata

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// nystrom is the preconditioner for kernels that the diagonal D of diagonalPreconditioner
// does not describe. With K ≈ Fᵀ F, and U the image of the rows of F (and of
// those of the bias) in the space of the data, it is the inverse of
//
//	M = D' + Uᵀ U,   D' = max(1, D - diag(Uᵀ U)),
//
// by the formula of Woodbury: F takes the large eigenvalues, whatever their
// vectors, and D what F leaves.
type nystrom struct {
	root []float64  // D'^-½
	u    *mat.Dense // U D'^-½, k × r my
	c    *mat.Cholesky
}

const (
	maxRank      = 1000
	maxFactor    = 1 << 26 // numbers in F and its image, half a gigabyte
	maxBiasRank  = 128
	trialLimit   = 80   // iterations after which the diagonal may count as a bad preconditioner
	worthTrying  = 400  // in how many it is to get there then: what a factor costs
	worthKeeping = 0.05 // eigenvalues of M - 1 below need no care
)

// newNystrom sets the preconditioner up for the λ and ρ of the system; m has been
// made for it.
func newNystrom(ctx context.Context, sys *System, s *problem.Setting, m *Preconditioner) (*nystrom, error) {
	r, _ := sys.B.Dims()
	var bias *mat.Dense
	var err error
	if sys.Q != nil {
		if bias, err = sys.biasFactor(ctx, m.weighted); err != nil {
			return nil, err
		}
	}
	extra := 0
	if bias != nil {
		extra, _ = bias.Dims()
	}
	u, err := sys.lowRankImage(ctx, s, m, extra)
	if err != nil {
		return nil, err
	}
	p := &nystrom{u: u}
	rows, _ := u.Dims()
	k := rows - extra
	floats.Scale(1/math.Sqrt(sys.Lambda), u.RawMatrix().Data[:k*r*sys.My])
	for q := range extra {
		row, out := p.u.RawRowView(k+q), bias.RawRowView(q)
		for i := range r {
			for j, v := range out {
				row[i*sys.My+j] = sys.B.At(i, sys.Mx+sys.parts.Of(j)) * v
			}
		}
	}
	return p, p.factorise(ctx, m.At(sys.Lambda, sys.Rho).D)
}

// lowRankImage returns the image of F with room for extra rows. F is at hand when
// the kernel is held that way; otherwise it is as good as λ asks for.
func (sys *System) lowRankImage(ctx context.Context, s *problem.Setting, m *Preconditioner, extra int) (*mat.Dense, error) {
	if sys.Core != nil && sys.Core.factor != nil {
		k, n := sys.Core.factor.Dims()
		u := mat.NewDense(k+extra, n, nil)
		u.Copy(sys.Core.factor)
		return u, nil
	}
	f, err := kernels.Compile(s.Kernel, lattice.Space(s.Data.InputMesh, s.Data.OutputMesh))
	if err != nil {
		return nil, err
	}
	tol := min(0.1, max(1e-13, worthKeeping*sys.Lambda/mat.Max(m.Green)))
	data := sys.Rows() * sys.My
	limit := min(maxRank, data, max(1, maxFactor/(sys.Mx*sys.My+data)))
	factor, err := gram.LowRank(ctx, f, s.Data.InputMesh, s.Data.OutputMesh, tol, limit)
	if err != nil {
		return nil, err
	}
	return sys.image(ctx, factor, m.weighted, extra)
}

// biasFactor returns rows g with Vᵀ dy^½ Q dy^½ V / ρ ≈ Σ g gᵀ; nil when none
// matters.
func (sys *System) biasFactor(ctx context.Context, weighted gram.Basis) (*mat.Dense, error) {
	form, err := sys.biasForm(ctx, weighted)
	if err != nil {
		return nil, err
	}
	values, vectors, err := linop.Eigen(ctx, form)
	if err != nil {
		return nil, fmt.Errorf("preconditioner: bias: %w", err)
	}
	size := mat.Norm(sys.biasColumns(), 2)
	var rows []float64
	count := 0
	for j := sys.My - 1; j >= 0 && count < maxBiasRank && values[j]*size*size > worthKeeping*sys.Rho; j-- {
		g := mat.Col(nil, j, vectors)
		floats.Scale(math.Sqrt(values[j]/sys.Rho), g)
		rows = append(rows, g...)
		count++
	}
	if count == 0 {
		return nil, nil
	}
	return mat.NewDense(count, sys.My, rows), nil
}

// factorise forms D' from D, and the Cholesky factor of I + U D'⁻¹ Uᵀ.
func (p *nystrom) factorise(ctx context.Context, d []float64) error {
	k, n := p.u.Dims()
	p.root = make([]float64, n)
	for q := range k {
		for i, v := range p.u.RawRowView(q) {
			p.root[i] += v * v
		}
	}
	for i, v := range p.root {
		p.root[i] = 1 / math.Sqrt(max(1, d[i]-v))
	}
	for q := range k {
		row := p.u.RawRowView(q)
		for i, v := range p.root {
			row[i] *= v
		}
	}
	var g mat.Dense
	if err := linop.MulContext(ctx, &g, p.u, p.u.T()); err != nil {
		return err
	}
	for i := range k {
		g.Set(i, i, g.At(i, i)+1)
	}
	var err error
	if p.c, err = linop.Cholesky(ctx, linop.Symmetric(&g)); errors.Is(err, linop.ErrNotPositive) {
		return fmt.Errorf("preconditioner: low-rank factor of %d rows: %w", k, solve.ErrNotPositive)
	}
	return err
}

// Dims implements linop.Operator.
func (p *nystrom) Dims() (r, c int) { return len(p.root), len(p.root) }

// Apply implements linop.Operator: D'^-½ (I - W (I + Wᵀ W)⁻¹ Wᵀ) D'^-½ r with
// W = D'^-½ Uᵀ.
func (p *nystrom) Apply(_ context.Context, dst, r []float64) {
	y := mat.NewVecDense(len(r), nil)
	for i, v := range p.root {
		y.SetVec(i, v*r[i])
	}
	var c, back mat.VecDense
	c.MulVec(p.u, y)
	_ = p.c.SolveVecTo(&c, &c) // a bad condition number is no harm in a preconditioner
	back.MulVec(p.u.T(), &c)
	for i, v := range p.root {
		dst[i] = v * (y.AtVec(i) - back.AtVec(i))
	}
}

// iterate solves for Z by preconditioned CG, starting from z, which is nil for
// none. The preconditioner is the diagonal of m; where that comes from a rough
// form of the kernel, or will not get there in worthTrying iterations by what trialLimit
// of them have done, a low-rank factor of the kernel is added to it. why is empty, or says
// so.
func (sys *System) iterate(ctx context.Context, s *problem.Setting, m *Preconditioner, z []float64) (out []float64, rep solve.Report, why string, err error) {
	limit := s.MaxIterations
	t := sys.T.RawMatrix().Data
	cg := solve.CG{Tolerance: s.Tolerance, MaxIterations: min(limit, worthTrying)}
	_, rough := sys.K.(gram.Rough)
	done := 0
	if !rough {
		pre := sys.Flat.Inverse(ctx, m.At(sys.Lambda, sys.Rho))
		if z == nil {
			z = make([]float64, len(t))
			pre.Apply(ctx, z, t)
		}
		cg.Preconditioner = pre
		cg.Hopeless = func(iterations int, residual float64) bool {
			return iterations == trialLimit && trialLimit*math.Log(cg.Tolerance) < worthTrying*math.Log(residual)
		}
		rep, err = cg.Solve(ctx, sys.Flat.Operator(sys), z, t)
		known := &problem.Solution{X: z, How: rep}
		if err != nil || rep.Iterations < trialLimit || rep.Iterations == limit || known.CertifiedBy(t, sys.RSS0, s.Tolerance).How.Converged {
			return z, rep, "", err
		}
		done, cg.Hopeless = rep.Iterations, nil
	}
	low, err := newNystrom(ctx, sys, s, m)
	if err != nil {
		return z, rep, "", err
	}
	pre := sys.Flat.Inverse(ctx, low)
	if z == nil {
		z = make([]float64, len(t))
		pre.Apply(ctx, z, t)
	}
	cg.Preconditioner, cg.MaxIterations = pre, limit-done
	rep, err = cg.Solve(ctx, sys.Flat.Operator(sys), z, t)
	rep.Iterations += done
	k, _ := low.u.Dims()
	why = fmt.Sprintf("preconditioned with %d rows of a partial Cholesky factor, for ", k)
	if rough {
		why += "the diagonal of the kernel is known roughly only"
	} else {
		why += "the diagonal alone did not get there in " + spelling.Count(done, "iteration")
	}
	return z, rep, why, err
}
