package joint

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Gauss–Newton: with the network linearised at its present weights θ, all G_l and β_l are terms of
// one linear model of the misfits r, whose exact minimiser is
//
//	δ = (p - λ θ)/(λ + d),  p = Jᵀζ,  (n + J K Jᵀ/(λ + d)) ζ = r + λ/(λ + d) J K θ,
//
// K the kernels of all layers, J the tangent, and d the damping of Levenberg and Marquardt, all
// relative to the sizes of the kernels. ζ has as many unknowns as outputs were observed, however
// many weights there are.

const (
	firstDamping = 1e-3
	easier       = 0.1 // damping after a step that came as foretold, in that of the one before
	harder       = 4.0 // and after one that was of no use
	mostRefusals = 16
	inexact      = 0.1  // residual of the inner system, relative to the misfit that a step leaves
	nearlyExact  = 1e-6 // the same where it is to be solved once
	leastInner   = 1e-7
	innerSteps   = 200
	littleFall   = 1e-5 // of the objective in a step, relative, that is as good as none
	mostSlow     = 3    // steps like that in a row

	mostPolishing = 6
)

// descent is a descent by Gauss–Newton steps.
type descent struct {
	c        *chain
	p        *weights
	s        *state
	damping  float64
	inner    float64
	modes    *mat.Dense // see blocks; made with the first step
	zeta     *mat.Dense // of the step before
	history  []float64
	products int  // of the tangent with its adjoint, and evaluations of the network
	done     bool // no step lowers the objective
}

func newDescent(ctx context.Context, c *chain, p *weights) *descent {
	d := &descent{c: c, p: p, s: c.forward(ctx, p), damping: firstDamping, inner: inexact, products: 1}
	d.history = []float64{d.s.objective}
	return d
}

// taken is how many steps there were.
func (d *descent) taken() int { return len(d.history) - 1 }

// step is a step that lowers the objective, with as much damping as that takes.
func (d *descent) step(ctx context.Context) error {
	c := d.c
	for range mostRefusals {
		next, foretold, err := d.propose(ctx)
		if err != nil {
			return err
		}
		s := c.forward(ctx, next)
		d.products++
		if err := linop.Stopped(ctx); err != nil {
			return err
		}
		gain, expected := d.s.objective-s.objective, d.s.objective-foretold
		if gain > 0 && gain > 0.1*expected {
			if gain > 0.7*expected {
				d.damping *= easier
				d.inner = min(2*d.inner, inexact)
			}
			d.p, d.s = next, s
			d.history = append(d.history, s.objective)
			return nil
		}
		if expected < 1e-13*d.s.objective { // it is not the minimiser that it should be, or there is no further one
			if d.inner <= leastInner {
				break
			}
			d.inner *= 0.1
		}
		d.damping = max(harder*d.damping, c.lambda)
	}
	d.done = true
	return nil
}

// propose is the minimiser of the damped linear problem, and the value of that without damping.
func (d *descent) propose(ctx context.Context) (*weights, float64, error) {
	c, s := d.c, d.s
	total := c.lambda + d.damping
	zeta, err := d.solve(ctx, total, d.inner)
	if err != nil {
		return nil, 0, err
	}
	d.zeta = zeta
	step := c.add(1/total, c.scaled(c.adjoint(ctx, s, zeta), 1), -c.lambda/total, d.p)
	left := c.tangent(ctx, s, c.functions(ctx, step))
	left.Sub(s.misfit, left)
	next := c.add(1, d.p, 1, step)
	return next, inner(left, left)/float64(c.samples()) + c.lambda*c.functions(ctx, next).norm, nil
}

// solve is ζ for λ + d = total, to a residual relative to the misfit.
func (d *descent) solve(ctx context.Context, total, tolerance float64) (*mat.Dense, error) {
	c, s, n := d.c, d.s, float64(d.c.samples())
	if d.modes == nil {
		var err error
		if d.modes, err = c.outputModes(ctx); err != nil {
			return nil, err
		}
	}
	pre, err := c.precondition(ctx, s, d.modes, total)
	if err != nil {
		return nil, err
	}
	b := c.tangent(ctx, s, s.at)
	b.Scale(c.lambda/total, b)
	b.Add(b, s.misfit)
	if d.zeta == nil {
		d.zeta = mat.DenseCopyOf(s.misfit)
		d.zeta.Scale(1/n, d.zeta)
	}
	return conjugate(ctx, func(z *mat.Dense) *mat.Dense {
		d.products++
		out := c.tangent(ctx, s, c.functions(ctx, c.scaled(c.adjoint(ctx, s, z), 1/total)))
		floats.AddScaled(out.RawMatrix().Data, n, z.RawMatrix().Data)
		return out
	}, pre, b, d.zeta, tolerance*n)
}

// conjugate is the method of conjugate gradients with a preconditioner. It ends when the residual
// is small beside x.
func conjugate(ctx context.Context, apply func(*mat.Dense) *mat.Dense, pre *blocks, b, start *mat.Dense, tolerance float64) (*mat.Dense, error) {
	x := mat.DenseCopyOf(start)
	var r mat.Dense
	r.Sub(b, apply(x))
	z, err := pre.solve(ctx, &r)
	if err != nil {
		return nil, err
	}
	p, energy := mat.DenseCopyOf(z), inner(&r, z)
	for range innerSteps {
		if mat.Norm(&r, 2) <= tolerance*mat.Norm(x, 2) || !(energy > 0) {
			break
		}
		ap := apply(p)
		along := inner(p, ap)
		if !(along > 0) || ctx.Err() != nil {
			break
		}
		floats.AddScaled(x.RawMatrix().Data, energy/along, p.RawMatrix().Data)
		floats.AddScaled(r.RawMatrix().Data, -energy/along, ap.RawMatrix().Data)
		if z, err = pre.solve(ctx, &r); err != nil {
			return nil, err
		}
		before := energy
		energy = inner(&r, z)
		p.Scale(energy/before, p)
		p.Add(p, z)
	}
	return x, linop.Stopped(ctx)
}

func inner(a, b *mat.Dense) float64 { return floats.Dot(a.RawMatrix().Data, b.RawMatrix().Data) }

// bound is a lower bound of the objective of the network linearised here, over all weights, by
// duality: 2⟨ζ, r + J K θ⟩ - n‖ζ‖² - ‖Jᵀζ‖²/λ for whatever ζ. Of one linear layer it is one of
// the objective itself.
func (d *descent) bound(ctx context.Context) (float64, error) {
	c, s := d.c, d.s
	zeta, err := d.solve(ctx, c.lambda, nearlyExact)
	if err != nil {
		return 0, err
	}
	at := c.tangent(ctx, s, s.at)
	at.Add(at, s.misfit)
	p := c.scaled(c.adjoint(ctx, s, zeta), 1)
	return 2*inner(zeta, at) - float64(c.samples())*inner(zeta, zeta) - c.functions(ctx, p).norm/c.lambda, linop.Stopped(ctx)
}

// gradientSize is the gradient of the objective in the norms of the kernels, relative to that of
// the misfit alone: 0 at a minimum.
func (c *chain) gradientSize(ctx context.Context, p *weights, s *state) float64 {
	e := mat.DenseCopyOf(s.misfit)
	e.Scale(1/float64(c.samples()), e)
	of := c.scaled(c.adjoint(ctx, s, e), 1)
	size := c.functions(ctx, of).norm
	if size == 0 {
		return 0
	}
	return math.Sqrt(max(c.functions(ctx, c.add(1, of, -c.lambda, p)).norm, 0) / size)
}
