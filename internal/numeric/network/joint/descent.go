package joint

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
)

// run takes steps until the objective falls by next to nothing.
func (d *descent) run(ctx context.Context, steps int) error {
	if some, all := d.c.reducible(); some {
		before := d.taken()
		if err := d.runReduced(ctx, steps); err != nil || all {
			return err
		}
		steps -= d.taken() - before
	}
	slow := 0
	for k := 0; k < steps && !d.done && slow < mostSlow; k++ {
		before := d.s.objective
		if err := d.step(ctx); err != nil {
			return err
		}
		progress.Report(ctx, progress.Step{Task: "all layers", Done: float64(k + 1), Total: float64(steps), Label: "objective", Value: d.s.objective})
		if slow++; before-d.s.objective > littleFall*before {
			slow = 0
		}
	}
	return linop.Stopped(ctx)
}

// runReduced takes steps in coordinates of the modes.
func (d *descent) runReduced(ctx context.Context, steps int) error {
	q := newTruncated(ctx, d.c, d.p)
	q.damping = d.damping
	if err := q.run(ctx, steps); err != nil {
		return err
	}
	d.products += q.products
	p := d.c.fromCoordinates(ctx, q.x)
	s := d.c.forward(ctx, p)
	if !(s.objective < d.s.objective) {
		return linop.Stopped(ctx)
	}
	d.p, d.s, d.damping = p, s, q.damping
	d.history = append(d.history, q.history...)
	d.history[d.taken()] = s.objective
	return linop.Stopped(ctx)
}

// polish takes at most so many steps without damping, solved exactly, from where the others come
// to: there they double the digits of the functions, of which the objective knows little.
func (d *descent) polish(ctx context.Context, steps int) error {
	damping := d.damping
	d.damping, d.inner = 0, nearlyExact
	for range steps {
		before := d.s.objective
		if err := d.step(ctx); err != nil {
			return err
		}
		if d.damping > 0 || before-d.s.objective < 1e-12*before {
			break
		}
	}
	d.damping, d.inner = damping, inexact
	return linop.Stopped(ctx)
}
