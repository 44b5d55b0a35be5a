package criteria

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

const (
	enoughGain  = 1e-3 // nats
	patience    = 3    // steps
	farBehind   = 5.0  // nats
	longest     = 3.0  // step, of log s
	muchDamping = 1.0  // with which a step that gains little is no sign of a minimum
)

// climbAll is the best of the climbs from several places, or the last error of them.
func climbAll(ctx context.Context, at likelihood, free parameters, from []Sizes, steps int, hopeless float64) (best *sized, err error) {
	var failed error
	for _, s := range from {
		p, err := climb(ctx, at, free, free.sizes(free.free(s)), steps, hopeless)
		if stopped := linop.Stopped(ctx); stopped != nil {
			return nil, stopped
		}
		if err != nil {
			failed = err
			continue
		}
		if best == nil || p.value < best.value {
			best = p
		}
	}
	if best == nil {
		return nil, failed
	}
	return best, nil
}

// climb takes damped Newton steps with the average information, a few where these leave the
// likelihood far above a value that is known.
func climb(ctx context.Context, at likelihood, free parameters, s Sizes, steps int, hopeless float64) (*sized, error) {
	p, err := at(ctx, s)
	if err != nil {
		return nil, err
	}
	damping := 1e-3
	for k := range steps {
		if k >= patience && p.value > hopeless+farBehind {
			break
		}
		step := free.newton(p, damping)
		if step == nil {
			break
		}
		next := slices.Clone(p.at)
		floats.Add(next, step)
		q, err := at(ctx, next)
		if err != nil || q.value > p.value {
			if linop.Stopped(ctx) != nil || damping > 1e6 {
				break
			}
			damping *= 10
			continue
		}
		gain, whole := p.value-q.value, damping < muchDamping
		p, damping = q, max(damping/10, 1e-6)
		if gain < enoughGain && whole {
			break
		}
	}
	return p, nil
}

// newton is the step of all sizes; nil where there is nothing to gain. The logarithm of a small size has much less information
// than curvature, as its derivative is about as large as its second one, and with that information alone its step is far too long.
// What keeps it short is added to its own information: that shortens no other step, and nothing at the minimum.
func (p parameters) newton(at *sized, damping float64) []float64 {
	n := len(p.free(at.at))
	g := make([]float64, n)
	p.gather(g, at.gradient)
	if floats.Norm(g, 2) < 1e-6 {
		return nil
	}
	m := mat.NewDense(n, n, nil)
	for j := range n {
		e := make([]float64, n)
		e[j] = 1
		column := mat.NewVecDense(p.count, nil)
		column.MulVec(at.information, mat.NewVecDense(p.count, p.spread(e)))
		back := make([]float64, n)
		p.gather(back, column.RawVector().Data)
		m.SetCol(j, back)
	}
	for j := range n {
		m.Set(j, j, m.At(j, j)*(1+damping)+damping*1e-3+1e-9+math.Abs(g[j])/longest)
	}
	x := mat.NewVecDense(n, nil)
	if err := x.SolveVec(m, mat.NewVecDense(n, g)); err != nil && !isCondition(err) {
		return nil
	}
	step := x.RawVector().Data
	if most := max(floats.Max(step), -floats.Min(step)); most > longest && !p.apart {
		floats.Scale(longest/most, step)
	}
	for k := range step {
		step[k] = min(max(step[k], -longest), longest)
	}
	floats.Scale(-1, step)
	return p.spread(step)
}
