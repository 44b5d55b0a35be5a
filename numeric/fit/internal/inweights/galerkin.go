package inweights

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// galerkin is the fit of right-hand sides t in the space of the data, restricted to a
// growing space of weights, X: with R the responses to X, the minimum over y of
//
//	‖t - R y‖² + λ yᵀ (Xᵀ K̄ X) y
//
// for all λ at once, where K̄ is K̃, and ρ/λ Q̃ for the bias at a given ρ/λ. It is an
// upper bound on the minimum over all weights, ⟨t, (I + A/λ)⁻¹ t⟩. The space grows by
// the preconditioned residuals, as that of GMRES does, but at a λ that may change from
// one to the next: few directions suffice, also where λ is small.
type galerkin struct {
	w       Space // at the present λ and ρ
	rhs     [][]float64
	x, r    [][]float64 // directions of weights and their responses
	k, q, g [][]float64 // lower triangles of Xᵀ K̃ X, Xᵀ Q̃ X and Rᵀ R, row by row
	c       [][]float64 // ⟨r_j, t_i⟩ for each right-hand side
	cb      [][]float64 // the same of the parts of β
	back    [][]float64 // cᵀ t_i
	y       [][]float64 // the minimisers at the present λ, one for each right-hand side

	nodes    []float64 // see project
	modes    *mat.Dense
	seen     int     // directions in the modes
	topGreen float64 // largest eigenvalue of the part of G; 0: not yet known
	ratio    float64 // their ρ/λ
}

func newGalerkin(w *Space, rhs [][]float64) *galerkin {
	return &galerkin{w: *w, rhs: rhs, c: make([][]float64, len(rhs)), cb: make([][]float64, len(rhs)), y: make([][]float64, len(rhs))}
}

// quotient is the Rayleigh quotient of A without the bias for the first right-hand
// side that says something, which the outputs do not where they are constant: a λ to begin with.
func (s *galerkin) quotient(ctx context.Context) float64 {
	n, _ := s.w.Dims()
	for _, rhs := range s.rhs {
		x := make([]float64, n)
		s.w.Backward(ctx, x, rhs)
		clear(x[s.w.G.Size():])
		r, kv, _ := s.w.Forward(ctx, x)
		if d := floats.Dot(x[:len(kv)], kv); d > 0 {
			return floats.Dot(r, r) / d
		}
	}
	return 0
}

// at solves for another λ and ρ in the space there is.
func (s *galerkin) at(ctx context.Context, lambda, rho float64) error {
	s.w.Lambda, s.w.Rho = lambda, rho
	if len(s.x) == 0 {
		return nil
	}
	if s.seen < len(s.x) || math.Abs(rho-s.ratio*lambda) > 1e-12*rho {
		if err := s.project(ctx); err != nil {
			return err
		}
	}
	for i := range s.rhs {
		z := s.coordinates(i)
		for j, v := range s.nodes {
			z[j] /= v + lambda
		}
		s.y[i] = make([]float64, len(s.x))
		mat.NewVecDense(len(s.x), s.y[i]).MulVec(s.modes, mat.NewVecDense(len(z), z))
	}
	return nil
}

// coordinates are ⟨R u, t_i⟩ for the modes u.
func (s *galerkin) coordinates(i int) []float64 {
	if len(s.nodes) == 0 {
		return nil
	}
	z := make([]float64, len(s.nodes))
	mat.NewVecDense(len(z), z).MulVec(s.modes.T(), mat.NewVecDense(len(s.c[i]), s.c[i]))
	return z
}

// weights are those of the minimisers of the given right-hand sides.
func (s *galerkin) weights(which []int) [][]float64 {
	n, _ := s.w.Dims()
	x, y := make([][]float64, len(which)), make([][]float64, len(which))
	for k, i := range which {
		x[k], y[k] = make([]float64, n), s.y[i]
	}
	solve.AddCombinations(x, 1, y, s.x)
	return x
}

// grow adds the preconditioned residuals of the given right-hand sides. Cost: for each
// one a product with the kernel, a response and its transpose, and reading the space
// twice.
func (s *galerkin) grow(ctx context.Context, which []int) error {
	x, err := s.directions(ctx, which)
	if err != nil {
		return err
	}
	return s.add(ctx, x)
}

func (s *galerkin) directions(ctx context.Context, which []int) ([][]float64, error) {
	if err := s.w.couple(ctx); err != nil {
		return nil, err
	}
	z, y := make([][]float64, len(which)), make([][]float64, len(which))
	for k, i := range which {
		z[k], y[k] = append([]float64(nil), s.rhs[i]...), s.y[i]
	}
	solve.AddCombinations(z, -1, y, s.r)
	x := s.weights(which)
	cut := s.w.G.Size()
	res := make([]float64, len(x[0]))
	for i := range x {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		s.w.Backward(ctx, res, z[i])
		floats.AddScaled(res[:cut], -s.w.Lambda, x[i][:cut])
		floats.AddScaled(res[cut:], -s.w.Rho, x[i][cut:])
		weightPreconditioner{&s.w}.Apply(ctx, x[i], res)
	}
	return x, linop.Stopped(ctx)
}

// add takes directions, each in the scale where its part of what project factors is one.
func (s *galerkin) add(ctx context.Context, xs [][]float64) error {
	var vs, bs, rs, ks, qs [][]float64
	cut := s.w.G.Size()
	for _, t := range s.rhs[len(s.back):] {
		x := make([]float64, len(xs[0]))
		s.w.Backward(ctx, x, t)
		s.back = append(s.back, x[cut:])
	}
	for _, x := range xs {
		r, kv, qb := s.w.Forward(ctx, x)
		if err := linop.Stopped(ctx); err != nil {
			return err
		}
		size := floats.Dot(r, r) + s.w.Lambda*floats.Dot(x[:cut], kv) + s.w.Rho*floats.Dot(x[cut:], qb)
		if !(size > 0) {
			continue
		}
		for _, v := range [][]float64{x, r, kv, qb} {
			floats.Scale(1/math.Sqrt(size), v)
		}
		s.x, s.r = append(s.x, x), append(s.r, r)
		rs, ks, qs = append(rs, r), append(ks, kv), append(qs, qb)
		for i, t := range s.rhs {
			s.c[i] = append(s.c[i], floats.Dot(t, r))
			s.cb[i] = append(s.cb[i], floats.Dot(s.back[i], qb))
		}
	}
	for _, x := range s.x {
		vs, bs = append(vs, x[:cut]), append(bs, x[cut:])
	}
	s.k = lower(s.k, solve.Dots(vs, ks...))
	s.q = lower(s.q, solve.Dots(bs, qs...))
	s.g = lower(s.g, solve.Dots(s.r, rs...))
	return nil
}

// lower adds rows to a lower triangle.
func lower(triangle, rows [][]float64) [][]float64 {
	for _, row := range rows {
		triangle = append(triangle, row[:len(triangle)+1])
	}
	return triangle
}

// leastPart is what directions are dependent below, relative to the largest. Rounding leaves
// 1e-16 over that of a direction: near 1e-12 it makes eigenvalues that are none.
const leastPart = 1e-10

// project finds the modes of the space, U with Uᵀ (Xᵀ K̄ X) U = I and Uᵀ RᵀR U =
// diag(nodes). It goes by way of RᵀR + λ XᵀK̄X, which is well conditioned: directions
// that were chosen at λ are nearly conjugate in it.
func (s *galerkin) project(ctx context.Context) error {
	g, both, q := full(s.g), full(s.k), full(s.q)
	n, _ := g.Dims()
	both.Scale(s.w.Lambda, both)
	q.Scale(s.w.Rho, q)
	both.Add(both, q)
	both.Add(both, g)
	root, err := whitening(ctx, both)
	if err != nil {
		return fmt.Errorf("lambda: %w", err)
	}
	shares, turn, err := linop.Eigen(ctx, linop.Sandwich(ctx, root, g))
	if err != nil {
		return fmt.Errorf("lambda: %w", err)
	}
	s.seen, s.ratio = n, s.w.Rho/s.w.Lambda
	most, err := s.bound(ctx)
	if err != nil {
		return err
	}
	s.modes = linop.Product(ctx, root, turn)
	s.nodes = make([]float64, len(shares))
	for j, share := range shares { // of RᵀR, 0 to 1; the rest is of λ XᵀK̄X
		rest := max(1-share, 1e-15, s.w.Lambda*share/most)
		s.nodes[j] = s.w.Lambda * max(share, 0) / rest
		for i := range n {
			s.modes.Set(i, j, s.modes.At(i, j)*math.Sqrt(s.w.Lambda/rest))
		}
	}
	return linop.Stopped(ctx)
}

// independent is the condition of directions up to which none of them depends on others: far below
// the one from where [leastPart] leaves some out.
const independent = 1e-2 / leastPart

// whitening is V with Vᵀ A V = I, without what depends: by Cholesky where nothing does.
func whitening(ctx context.Context, a *mat.Dense) (*mat.Dense, error) {
	c, err := linop.Cholesky(ctx, linop.Symmetric(a))
	if err != nil || !(c.Cond() <= independent) {
		return whiteningByEigenvectors(ctx, a)
	}
	v, err := linop.InverseFactor(ctx, c)
	return mat.DenseCopyOf(v.T()), err
}

// whiteningByEigenvectors is the same, without the eigenvectors of what depends.
func whiteningByEigenvectors(ctx context.Context, a *mat.Dense) (*mat.Dense, error) {
	values, v, err := linop.Eigen(ctx, a)
	if err != nil {
		return nil, err
	}
	n, first := len(values), 0
	for first < n-1 && values[first] <= leastPart*values[n-1] {
		first++
	}
	root := mat.DenseCopyOf(v.Slice(0, n, first, n))
	for j, w := range values[first:] {
		for i := range n {
			root.Set(i, j, root.At(i, j)/math.Sqrt(w))
		}
	}
	return root, nil
}

// nearEnough is what a step of the power method raises the largest eigenvalue by at last: what is
// left then is far below the factor of two that the bound has to spare.
const nearEnough = 0.01

// bound is what no eigenvalue of A is greater than at the present ρ/λ: rounding makes greater
// ones of directions that depend on others nearly.
func (s *galerkin) bound(ctx context.Context) (float64, error) {
	if s.topGreen == 0 {
		alone := s.w
		alone.Q, alone.Lambda = nil, 1
		s.topGreen = problem.LargestEigenvalue(ctx, dataKernel{&alone}, nearEnough)
	}
	top := s.topGreen
	if s.w.Q != nil {
		top += floats.Dot(s.w.c, s.w.c) * floats.Max(s.w.qd) / s.ratio
	}
	return 2 * top, linop.Stopped(ctx) // the power method is from below
}

// full is the symmetric matrix of a lower triangle.
func full(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows), nil)
	for i, row := range rows {
		for j, v := range row {
			m.Set(i, j, v)
			m.Set(j, i, v)
		}
	}
	return m
}

// rule is the measure of the i-th right-hand side t: the integral of f over it
// stands for tᵀ f(A) t. What the space does not see of t is at zero.
func (s *galerkin) rule(i int) criteria.Rule {
	r := criteria.Rule{Nodes: append([]float64{0}, s.nodes...), Weights: make([]float64, len(s.nodes)+1)}
	r.Weights[0] = floats.Dot(s.rhs[i], s.rhs[i])
	for j, c := range s.coordinates(i) {
		if s.nodes[j] > 0 {
			r.Weights[j+1] = min(c*c/s.nodes[j], r.Weights[0])
			r.Weights[0] -= r.Weights[j+1]
		}
	}
	return r
}
