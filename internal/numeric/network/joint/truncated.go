package joint

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
)

const (
	mostInner   = 60   // products with the linearised network in a step
	innerReturn = 0.25 // of the mean fall of the inner steps, in that of the last one
	mostShorter = 4    // lengths that a step is tried with
	softer      = 0.2  // damping after a step that came as foretold, in that of the one before
	firmer      = 3.0  // and after one that had to be shortened
)

// truncated is a descent by truncated Gauss–Newton steps in coordinates of modes: about as cheap as
// one by gradients, as long as few products with the linearised network find most of a step.
type truncated struct {
	c        *chain
	x        []float64
	s        *state
	damping  float64
	history  []float64
	products int
	done     bool // no step lowers the objective
}

func newTruncated(ctx context.Context, c *chain, p *weights) *truncated {
	q := &truncated{c: c, x: c.coordinates(ctx, p), damping: firstDamping, products: 1}
	q.s = c.forwardAt(ctx, c.reducedFunctions(ctx, q.x))
	return q
}

func (q *truncated) run(ctx context.Context, steps int) error {
	slow := 0
	for k := 0; k < steps && !q.done && slow < mostSlow; k++ {
		before := q.s.objective
		if err := q.step(ctx); err != nil {
			return err
		}
		progress.Report(ctx, progress.Step{Task: "all layers", Done: float64(k + 1), Total: float64(steps), Label: "objective", Value: q.s.objective})
		if slow++; before-q.s.objective > littleFall*before {
			slow = 0
		}
	}
	return linop.Stopped(ctx)
}

// step is a step that lowers the objective, with as much damping as that takes.
func (q *truncated) step(ctx context.Context) error {
	t, err := q.c.linearise(ctx, q.s)
	if err != nil {
		q.done = true // where a slope is infinite, there is no linearised network
		return linop.Stopped(ctx)
	}
	g := t.adjoint(ctx, q.s.misfit, true) // half the gradient, downwards
	floats.Scale(1/float64(q.c.samples()), g)
	floats.AddScaled(g, -q.c.lambda, t.rotate(ctx, q.x))
	for range mostRefusals {
		d, expected := q.solve(ctx, t, g)
		taken, err := q.along(ctx, t.back(ctx, d), 2*floats.Dot(g, d), expected)
		if err != nil || taken {
			return err
		}
		if expected < 1e-13*q.s.objective {
			break
		}
		q.damping = firmer * max(q.damping, q.c.lambda)
	}
	q.done = true
	return nil
}

// along goes along d as far as the objective falls: at once, or by the parabola through what is
// known. slope is how steeply it begins to fall, and expected how far it would with the network linearised.
func (q *truncated) along(ctx context.Context, d []float64, slope, expected float64) (taken bool, err error) {
	length := 1.0
	for k := range mostShorter {
		next := append([]float64(nil), q.x...)
		floats.AddScaled(next, length, d)
		s := q.c.forwardAt(ctx, q.c.reducedFunctions(ctx, next))
		q.products++
		if err := linop.Stopped(ctx); err != nil {
			return false, err
		}
		gain := q.s.objective - s.objective
		if gain > 0 && gain > 0.1*expected*length*(2-length) {
			if k > 0 || gain < 0.3*expected {
				q.damping = firmer * max(q.damping, q.c.lambda)
			} else if gain > 0.7*expected {
				q.damping *= softer
			}
			q.x, q.s = next, s
			q.history = append(q.history, s.objective)
			return true, nil
		}
		shorter := slope * length / (2 * (slope*length - gain)) // the least value of the parabola, if it has one
		if !(shorter > 0.1) {
			shorter = 0.1
		}
		length *= min(shorter, 0.5)
	}
	return false, nil
}

// solve is about (JᵀJ/n + λ + d)⁻¹ g, with the fall of the objective of the linearised network there:
// conjugate gradients as long as they are worth their while (Nash and Sofer, Assessing a search direction
// within a truncated-Newton method, 1990).
func (q *truncated) solve(ctx context.Context, t *linearised, g []float64) (d []float64, expected float64) {
	total, n := q.c.lambda+q.damping, float64(q.c.samples())
	d, r, z := make([]float64, len(g)), append([]float64(nil), g...), make([]float64, len(g))
	precondition := func() {
		for i, v := range r {
			z[i] = v / (t.curve[i] + total)
		}
	}
	precondition()
	p, energy, all := append([]float64(nil), z...), floats.Dot(r, z), 0.0
	for k := 1; k <= mostInner && energy > 0; k++ {
		hp := t.adjoint(ctx, t.tangent(ctx, p), false)
		q.products++
		floats.Scale(1/n, hp)
		floats.AddScaled(hp, total, p)
		curvature := floats.Dot(p, hp)
		if !(curvature > 0) || ctx.Err() != nil {
			break
		}
		floats.AddScaled(d, energy/curvature, p)
		floats.AddScaled(r, -energy/curvature, hp)
		fall := energy * energy / curvature
		if all += fall; float64(k)*fall < innerReturn*all {
			break
		}
		precondition()
		before := energy
		energy = floats.Dot(r, z)
		floats.Scale(energy/before, p)
		floats.Add(p, z)
	}
	return d, floats.Dot(g, d) + floats.Dot(r, d) + q.damping*floats.Dot(d, d)
}
