package pde

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// AdvectionDiffusion is ∂u/∂t + Velocity ∂u/∂x - Diffusivity ∂²u/∂x² = 0 on an
// interval with u = 0 at both ends. The input is u at the first time, the output u
// at all times. Second order in the spacing, exact in time.
type AdvectionDiffusion struct {
	Mesh        mesh.Mesh `arg:"mesh" doc:"uniform mesh of the interval"`
	Time        mesh.Mesh `arg:"time" doc:"uniform mesh of times; the input is u at the first"`
	Velocity    float64   `arg:"velocity" doc:"of the flow, length / time" default:"1" allow:"finite"`
	Diffusivity float64   `arg:"diffusivity" doc:"length² / time" default:"0.1" allow:">0"`
}

func (p AdvectionDiffusion) check() error {
	if err := checkSpaceTime(p.Mesh, p.Time); err != nil {
		return err
	}
	if math.IsNaN(p.Velocity) || math.IsInf(p.Velocity, 0) {
		return fmt.Errorf("velocity %g: must be finite", p.Velocity)
	}
	return positive("diffusivity", p.Diffusivity)
}

func (p AdvectionDiffusion) inputMesh() mesh.Mesh { return p.Mesh }

// outputMesh implements Problem: space, then time.
func (p AdvectionDiffusion) outputMesh() mesh.Mesh { return product(p.Mesh, p.Time) }

func (p AdvectionDiffusion) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	u := Unknown(p.Mesh, p.Time)
	o := u.D(u.timeName(), 1).Plus(u.Grad()[0].Scale(p.Velocity), u.Laplacian().Scale(-p.Diffusivity))
	d := betweenEnds(p.Mesh, 0, 0, o)
	d.Time, d.Scheme, d.Input = p.Time, Exponential, InputInitial
	return outputsOf(ctx, d, f)
}

// greenAt implements Known: with κ = Velocity/(2 Diffusivity) and τ the time since
// the first, e^(κ(y-x) - κ² Diffusivity τ) times the heat kernel; at τ = 0, where it
// is the impulse itself, 0.
func (p AdvectionDiffusion) greenAt(x, y []float64) float64 {
	a, b := ends(p.Mesh)
	tau := p.Diffusivity * (y[1] - p.Time.Axes()[0].Lower[0])
	kappa := p.Velocity / (2 * p.Diffusivity)
	return math.Exp(kappa*(y[0]-x[0])-kappa*kappa*tau) * heatKernel(tau, x[0]-a, y[0]-a, b-a)
}

func (p AdvectionDiffusion) biasAt([]float64) float64 { return 0 }
