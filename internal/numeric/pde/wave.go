package pde

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// Wave is ∂²u/∂t² - Speed² ∂²u/∂x² = f on an interval with u = 0 at both ends, at rest
// at the first time. Input and output are functions of space and time. By three-point
// differences and Crank–Nicolson: second order, and no wave is damped.
type Wave struct {
	Mesh  mesh.Mesh `arg:"mesh" doc:"uniform mesh of the interval"`
	Time  mesh.Mesh `arg:"time" doc:"uniform mesh of times; u and ∂u/∂t are zero at the first"`
	Speed float64   `arg:"speed" doc:"of the waves, length / time" default:"1" allow:">0"`
}

func (p Wave) check() error {
	if err := checkSpaceTime(p.Mesh, p.Time); err != nil {
		return err
	}
	return positive("speed", p.Speed)
}

// inputMesh implements Problem: space, then time.
func (p Wave) inputMesh() mesh.Mesh { return product(p.Mesh, p.Time) }

// outputMesh implements Problem: space, then time.
func (p Wave) outputMesh() mesh.Mesh { return product(p.Mesh, p.Time) }

func (p Wave) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	u := Unknown(p.Mesh, p.Time)
	d := betweenEnds(p.Mesh, 0, 0, u.D(u.timeName(), 2).Minus(u.Laplacian().Scale(p.Speed*p.Speed)))
	d.Time = p.Time
	return outputsOf(ctx, d, f)
}

// greenAt implements Known: the response at y = (y, t) to an impulse at x = (x, s) is
// 1/(2 Speed) where the wave from x has arrived, with a change of sign at every
// reflection (d'Alembert). On a front it is half of that.
func (p Wave) greenAt(x, y []float64) float64 {
	a, b := ends(p.Mesh)
	l, from, to := b-a, x[0]-a, y[0]-a
	reach := p.Speed * (y[1] - x[1])
	if reach <= 0 {
		return 0
	}
	sum, turns := 0.0, math.Floor(reach/(2*l))+1 // images farther away have not arrived
	for n := -turns; n <= turns; n++ {
		sum += step(reach-math.Abs(from-to+2*n*l)) - step(reach-math.Abs(from+to+2*n*l))
	}
	return sum / (2 * p.Speed)
}

// step is 0, ½ or 1 as v is negative, zero or positive.
func step(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return 0
	}
	return 0.5
}

func (p Wave) biasAt([]float64) float64 { return 0 }
