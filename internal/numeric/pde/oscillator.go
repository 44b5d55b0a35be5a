package pde

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Oscillator is u″ + C u′ + Omega² u = f in time, at rest at the first time (paper,
// section 5.5): time-invariant and causal. Between the points of the mesh f is
// taken as linear, and for that u is exact: second order for a smooth f.
type Oscillator struct {
	Time  mesh.Mesh `arg:"time" doc:"times, a mesh of one interval; u and u′ are zero at the first"`
	C     float64   `arg:"c" doc:"damping, 1 / time" default:"1" allow:">=0"`
	Omega float64   `arg:"omega" doc:"frequency without damping, radians / time" default:"10" allow:">=0"`
}

func (p Oscillator) check() error {
	if err := checkMesh("time", p.Time, 1, remedy.GiveTimes); err != nil {
		return err
	}
	if a := p.Time.Axes()[0]; a.Scattered() || a.Period > 0 || a.Size() < 2 {
		return remedy.UniformPoints.For(fmt.Errorf("time: %s: must be an interval of at least 2 points", a))
	}
	if !(p.C >= 0) || math.IsInf(p.C, 0) {
		return fmt.Errorf("c %g: must be >= 0 and finite", p.C)
	}
	if !(p.Omega >= 0) || math.IsInf(p.Omega, 0) {
		return fmt.Errorf("omega %g: must be >= 0 and finite", p.Omega)
	}
	return nil
}

func (p Oscillator) inputMesh() mesh.Mesh { return p.named() }

func (p Oscillator) outputMesh() mesh.Mesh { return p.named() }

func (p Oscillator) named() mesh.Mesh {
	m, err := nameTime(p.Time)
	if err != nil {
		return mesh.Mesh{}
	}
	return m
}

// outputs implements Problem. The first time of the interval is that of its first
// end, where the mesh may have no point.
func (p Oscillator) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	ax := p.Time.Axes()[0]
	n, m := f.Dims()
	u := mat.NewDense(n, m, nil)
	at, state := ax.Lower[0], mat.NewDense(2, n, nil) // rows u and u′
	var known float64
	var free *mat.Dense
	var before, after [2]float64
	for k := range m {
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		h := ax.Coordinates[k] - at
		if ax.Step > 0 && k > 0 {
			h = ax.Step
		}
		at = ax.Coordinates[k]
		if h > 0 {
			if h != known {
				known = h
				free, before, after = p.propagate(h)
			}
			// Before the first point f is taken as constant.
			p.advance(state, free, before, after, f, max(0, k-1), k)
		}
		for s := range n {
			u.Set(s, k, state.At(0, s))
		}
	}
	return u, nil
}

// propagate returns what a step of length h does to the state (u, u′), and what a
// force does that falls from 1 to 0, or rises from 0 to 1, during the step.
func (p Oscillator) propagate(h float64) (free *mat.Dense, before, after [2]float64) {
	// The force and its slope join the state: (u, u′, f, f′).
	var e mat.Dense
	e.Exp(mat.NewDense(4, 4, []float64{
		0, h, 0, 0,
		-p.Omega * p.Omega * h, -p.C * h, h, 0,
		0, 0, 0, h,
		0, 0, 0, 0,
	}))
	free = mat.NewDense(2, 2, nil)
	for i := range before {
		free.Set(i, 0, e.At(i, 0))
		free.Set(i, 1, e.At(i, 1))
		rise := e.At(i, 3) / h
		before[i], after[i] = e.At(i, 2)-rise, rise
	}
	return free, before, after
}

func (p Oscillator) advance(state, free *mat.Dense, before, after [2]float64, f *mat.Dense, from, to int) {
	n, _ := f.Dims()
	for s := range n {
		u, v := state.At(0, s), state.At(1, s)
		for i := range 2 {
			state.Set(i, s, free.At(i, 0)*u+free.At(i, 1)*v+before[i]*f.At(s, from)+after[i]*f.At(s, to))
		}
	}
}

// greenAt implements Known: (e^(r₁τ) - e^(r₂τ))/(r₁ - r₂) with τ = t - s for t > s,
// r₁ and r₂ the roots of r² + C r + Omega² (paper, section 5.5); zero before.
func (p Oscillator) greenAt(s, t []float64) float64 {
	tau := t[0] - s[0]
	if tau <= 0 {
		return 0
	}
	half := p.C / 2
	square := half*half - p.Omega*p.Omega // of half the difference of the roots
	mu := math.Sqrt(math.Abs(square))
	switch {
	case mu*tau < 1e-4: // both roots together, and their neighbourhood
		return math.Exp(-half*tau) * tau * (1 + square*tau*tau/6)
	case square < 0:
		return math.Exp(-half*tau) * math.Sin(mu*tau) / mu
	}
	slow := -p.Omega * p.Omega / (half + mu) // the root nearer to zero, without cancellation
	return -math.Exp(slow*tau) * math.Expm1(-2*mu*tau) / (2 * mu)
}

func (p Oscillator) biasAt([]float64) float64 { return 0 }
