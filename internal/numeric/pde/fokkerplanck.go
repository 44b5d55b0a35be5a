package pde

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/simd"
	"github.com/greenbench/workbench/numeric/mesh"
)

// FokkerPlanck is the density u of Brownian particles in a potential V,
//
//	∂u/∂t = ∂/∂x [ (V′/Drag) u + Diffusivity ∂u/∂x ],
//
// in an interval with reflecting ends (paper, section 5.4). The input is u at the
// first time, the output u at all times.
//
// The paper's equation has Drag 1. Its data have Diffusivity 0.05 and Drag 20,
// which scales the drift by 0.05 as well, and V = x⁴ - 3x².
//
// The discrete problem is a master equation: particles at point i jump to i±1 with
// rate Diffusivity/h² exp(-(V(i±1) - V(i))/(2 Diffusivity Drag)) (Holubec, Kroy and
// Steffenoni, Phys. Rev. E 99, 2019, 032117). It keeps densities positive and their
// sum constant, and its steady state is exactly the Boltzmann density. Each point is
// the centre of a cell one spacing wide, so the walls stand half a spacing outside
// of the ends. Times follow each other by the exponential of the step.
type FokkerPlanck struct {
	Mesh        mesh.Mesh   `arg:"mesh" doc:"uniform mesh of the interval"`
	Time        mesh.Mesh   `arg:"time" doc:"uniform mesh of times; the input is the density at the first"`
	Potential   Coefficient `arg:"potential" doc:"V, a function of x"`
	Diffusivity float64     `arg:"diffusivity" doc:"diffusion coefficient, length² / time" default:"0.05" allow:">0"`
	Drag        float64     `arg:"drag" doc:"divides the drift V′; 20 with diffusivity 0.05 is how the paper's data were made" default:"1" allow:">0"`
}

func (p FokkerPlanck) check() error {
	if err := checkSpaceTime(p.Mesh, p.Time); err != nil {
		return err
	}
	if p.Potential == nil {
		return fmt.Errorf("potential: missing; the paper's is x^4 - 3*x^2")
	}
	if err := positive("diffusivity", p.Diffusivity); err != nil {
		return err
	}
	return positive("drag", p.Drag)
}

func (p FokkerPlanck) inputMesh() mesh.Mesh { return p.Mesh }

// outputMesh implements Problem: space, then time.
func (p FokkerPlanck) outputMesh() mesh.Mesh { return product(p.Mesh, p.Time) }

func (p FokkerPlanck) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	rates, err := p.rates()
	if err != nil {
		return nil, err
	}
	rates.Scale(p.Time.Axes()[0].Step, rates)
	step, _, _, err := phi(ctx, rates)
	if err != nil {
		return nil, err
	}
	m, steps := p.Mesh.Size(), p.Time.Size()
	n, _ := f.Dims()
	u := mat.NewDense(n, m*steps, nil)
	kernels := simd.Best()
	now, next := mat.NewDense(m, n, nil), mat.NewDense(m, n, nil)
	transpose(now, f)
	for k := range steps {
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		if k > 0 {
			multiply(kernels, next, step, now)
			now, next = next, now
		}
		storeTime(u, now, k, steps)
	}
	return u, nil
}

// rates is the matrix M of the master equation du/dt = M u.
func (p FokkerPlanck) rates() (*mat.Dense, error) {
	v, err := values("potential", p.Potential, p.Mesh)
	if err != nil {
		return nil, err
	}
	m, h := p.Mesh.Size(), p.Mesh.Axes()[0].Step
	rates := mat.NewDense(m, m, nil)
	jump := func(from, to int) {
		rate := p.Diffusivity / (h * h) * math.Exp((v[from]-v[to])/(2*p.Diffusivity*p.Drag))
		rates.Set(to, from, rate)
		rates.Set(from, from, rates.At(from, from)-rate)
	}
	for i := range m - 1 {
		jump(i, i+1)
		jump(i+1, i)
	}
	return rates, nil
}
