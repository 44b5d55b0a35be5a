package fit

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// chooseLambda sets λ and ρ of a constrained fit.
//
// Where the data are seen point by point the criterion is that of the
// unconstrained problem, whose factors are accurate, and λ is multiplied by the
// fraction of functions that the constraint leaves: with fewer functions to share
// the same signal each has more of it. For convolutions REML is taken along the
// path that the diagonals ν and κ give.
func (w *weightSpace) chooseLambda(ctx context.Context, s *Spec, rep *Report) error {
	w.lambda, w.rho = s.Lambda, s.Rho
	if s.Lambda > 0 {
		rep.Criterion = "given"
		if s.Rho == 0 {
			w.rho = s.Lambda
		}
		return nil
	}
	if w.g.lag == nil {
		return w.unconstrainedLambda(ctx, s, rep)
	}
	return w.diagonalLambda(ctx, s, rep)
}

func (w *weightSpace) unconstrainedLambda(ctx context.Context, s *Spec, rep *Report) error {
	free := *s
	free.Constraint = nil
	sys, _, err := newSystem(ctx, &free)
	if err != nil {
		return err
	}
	m, err := newSimultaneous(sys, &free, 1)
	if err != nil {
		return err
	}
	if err := sys.chooseLambda(ctx, &free, m, rep); err != nil {
		return err
	}
	w.lambda = sys.lambda * w.g.fraction()
	w.rho = sys.rho
	rep.Criterion += " without the constraint"
	return nil
}

// remlOf is REML at the given λ, or at the best one.
func (w *weightSpace) remlOf(ctx context.Context, s *Spec) (float64, error) {
	if s.Lambda > 0 {
		reml, _ := w.reml(s)(s.Lambda)
		return reml, nil
	}
	var rep Report
	err := w.diagonalLambda(ctx, s, &rep)
	return rep.REML, err
}

// reml returns REML and the variance of the scaled noise as functions of λ, for K
// and 𝒜ᵀ𝒜 diagonal in V.
func (w *weightSpace) reml(s *Spec) func(lambda float64) (reml, sigma2 float64) {
	cut := w.g.weights()
	b := w.rightHandSide()
	all := append(append(axisBasis{}, w.vx...), w.vy...)
	all.forward(b[:cut])
	if w.q != nil {
		w.vq.forward(b[cut:])
	}
	nu, kappa := w.nu.RawMatrix().Data, w.kappa.RawMatrix().Data
	total := w.rss0 + floats.Dot(w.t, w.t)
	size := float64(w.n * len(w.rdy))
	part := w.g.fraction()
	c2 := floats.Dot(w.c, w.c)
	return func(lambda float64) (reml, sigma2 float64) {
		rho := orDefault(s.Rho, lambda)
		quad, logDet := total, 0.0
		for i, v := range b[:cut] {
			quad -= kappa[i] * v * v / (nu[i]*kappa[i] + lambda)
			logDet += part * math.Log1p(nu[i]*kappa[i]/lambda)
		}
		for i, v := range b[cut:] {
			q := max(w.qd[i], 0)
			quad -= q * v * v / (c2*q + rho)
			logDet += math.Log1p(c2 * q / rho)
		}
		quad = max(quad, 1e-12*total)
		return 0.5 * (size*math.Log(quad/size) + logDet), quad / size
	}
}

// diagonalLambda minimises REML for K and 𝒜ᵀ𝒜 diagonal in V.
func (w *weightSpace) diagonalLambda(ctx context.Context, s *Spec, rep *Report) error {
	if s.Criterion != "" && s.Criterion != REML {
		return fmt.Errorf("criterion %q: a time-invariant fit chooses lambda by \"reml\" only", s.Criterion)
	}
	value := w.reml(s)
	nu, kappa := w.nu.RawMatrix().Data, w.kappa.RawMatrix().Data
	top := 0.0
	for i := range nu {
		top = max(top, nu[i]*kappa[i])
	}
	if !(top > 0) {
		return fmt.Errorf("lambda \"auto\": the inputs are zero, so nothing can be chosen; give a number")
	}
	best, at := math.Inf(1), 0.0
	for step := 0.0; step <= pathDecades; step += 0.25 {
		if ctx.Err() != nil {
			return fmt.Errorf("lambda path stopped: %w", context.Cause(ctx))
		}
		lambda := 10 * top * math.Pow(10, -step)
		if v, _ := value(lambda); v < best {
			best, at = v, lambda
		}
	}
	w.lambda, w.rho = at, orDefault(s.Rho, at)
	var sigma2 float64
	rep.REML, sigma2 = value(at)
	rep.Criterion, rep.LambdaREML = string(REML), at
	dy := floats.Dot(w.rdy, w.rdy)
	rep.Sigma = math.Sqrt(sigma2 * float64(w.n*len(w.rdy)) / dy)
	return nil
}
