package pde

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// Heat is ∂u/∂t - Alpha ∂²u/∂x² = f on an interval with u = 0 at both ends and at
// the first time (paper, section 5.5). Input and output are functions of space and
// time. By three-point differences and backward Euler: first order in the time
// step, second in the spacing.
//
// The paper states Alpha 0.01; its data have 0.1.
type Heat struct {
	Mesh  mesh.Mesh `arg:"mesh" doc:"uniform mesh of the interval"`
	Time  mesh.Mesh `arg:"time" doc:"uniform mesh of times; u is zero at the first"`
	Alpha float64   `arg:"alpha" doc:"diffusivity, length² / time" default:"0.1" allow:">0"`
}

func (p Heat) check() error {
	if err := checkSpaceTime(p.Mesh, p.Time); err != nil {
		return err
	}
	return positive("alpha", p.Alpha)
}

// inputMesh implements Problem: space, then time by right Riemann sums.
func (p Heat) inputMesh() mesh.Mesh { return product(p.Mesh, stepped(p.Time)) }

// outputMesh implements Problem: space, then time.
func (p Heat) outputMesh() mesh.Mesh { return product(p.Mesh, p.Time) }

func (p Heat) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	u := Unknown(p.Mesh, p.Time)
	d := betweenEnds(p.Mesh, 0, 0, u.D(u.timeName(), 1).Minus(u.Laplacian().Scale(p.Alpha)))
	d.Time, d.Scheme = p.Time, BackwardEuler
	return outputsOf(ctx, d, f)
}

// greenAt implements Known: the response at y = (y, t) to an impulse at x = (x, s),
//
//	Σ_k 2/L sin(πk(x-a)/L) sin(πk(y-a)/L) exp(-Alpha k²π²(t-s)/L²)  for t > s,
//
// or, where that converges slowly, the same by reflected images of the impulse.
// It is 0 for t <= s; at t = s the impulse itself is left out.
func (p Heat) greenAt(x, y []float64) float64 {
	a, b := ends(p.Mesh)
	return heatKernel(p.Alpha*(y[1]-x[1]), x[0]-a, y[0]-a, b-a)
}

// heatKernel is the heat kernel on [0, l] with zero ends, after time tau for
// diffusivity 1. Both forms give 1e-16 relative to its peak with the terms taken.
func heatKernel(tau, x, y, l float64) float64 {
	if tau <= 0 {
		return 0
	}
	if tau > 0.1*l*l {
		sum := 0.0
		for k := 1; k <= 8; k++ {
			w := float64(k) * math.Pi / l
			sum += math.Sin(w*x) * math.Sin(w*y) * math.Exp(-w*w*tau)
		}
		return 2 / l * sum
	}
	sum := 0.0
	for k := -3; k <= 3; k++ {
		d, r := x-y+2*float64(k)*l, x+y+2*float64(k)*l
		sum += math.Exp(-d*d/(4*tau)) - math.Exp(-r*r/(4*tau))
	}
	return sum / math.Sqrt(4*math.Pi*tau)
}

func (p Heat) biasAt([]float64) float64 { return 0 }
