package pde

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/greenbench/workbench/numeric/mesh"
)

// Airy is -u″ + Kappa² x u = f on an interval with u given at both ends: waves where x
// is negative, none where it is positive.
type Airy struct {
	Mesh  mesh.Mesh `arg:"mesh" doc:"uniform mesh of the interval"`
	Kappa float64   `arg:"kappa" doc:"square root of the slope of the coefficient, length^(-3/2)" default:"10" allow:">0"`
	Left  float64   `arg:"left" doc:"u at the left end" default:"0"`
	Right float64   `arg:"right" doc:"u at the right end" default:"0"`
}

func (p Airy) check() error {
	if err := checkInterval(p.Mesh); err != nil {
		return err
	}
	if err := positive("kappa", p.Kappa); err != nil {
		return err
	}
	const most = 100 // Bi(100) = 6e288
	a, b := ends(p.Mesh)
	if z := p.scale() * max(math.Abs(a), math.Abs(b)); z > most {
		return fmt.Errorf("kappa %g: must be at most %.4g on this interval, where Airy's functions can be computed", p.Kappa, p.Kappa*math.Pow(most/z, 1.5))
	}
	g := p.solutions()
	if size := math.Hypot(g.ai[0], g.bi[0]) * math.Hypot(g.ai[1], g.bi[1]); a < 0 && math.Abs(g.wronskian) < 1e-9*size {
		return fmt.Errorf("kappa %g: an eigenvalue of the interval, so the solution is not unique; change kappa a little", p.Kappa)
	}
	return nil
}

func (p Airy) inputMesh() mesh.Mesh { return p.Mesh }

func (p Airy) outputMesh() mesh.Mesh { return p.Mesh }

func (p Airy) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	u := Unknown(p.Mesh, mesh.Mesh{})
	slope := Formula{coordinate(p.Mesh)}
	return outputsOf(ctx, betweenEnds(p.Mesh, p.Left, p.Right, u.Times(slope).Scale(p.Kappa*p.Kappa).Minus(u.Laplacian())), f)
}

// scale is the factor of x in the argument of Airy's functions.
func (p Airy) scale() float64 { return math.Pow(p.Kappa, 2.0/3) }

// airyEnds are Airy's functions at both ends, and what the solutions that vanish
// there make together.
type airyEnds struct {
	ai, bi    [2]float64
	wronskian float64
}

func (p Airy) solutions() airyEnds {
	a, b := ends(p.Mesh)
	var g airyEnds
	for k, x := range []float64{a, b} {
		g.ai[k], g.bi[k] = airy(p.scale() * x)
	}
	g.wronskian = g.ai[0]*g.bi[1] - g.bi[0]*g.ai[1]
	return g
}

// vanishing is the solution of u″ = Kappa² x u that vanishes at end k, at x.
func (g airyEnds) vanishing(k int, z float64) float64 {
	ai, bi := airy(z)
	return ai*g.bi[k] - bi*g.ai[k]
}

// greenAt implements Known, by the solutions that vanish at one end each: their
// product over their Wronskian, which for Ai and Bi is 1/π.
func (p Airy) greenAt(x, y []float64) float64 {
	g, c := p.solutions(), p.scale()
	return -math.Pi / c * g.vanishing(0, c*min(x[0], y[0])) * g.vanishing(1, c*max(x[0], y[0])) / g.wronskian
}

func (p Airy) biasAt(y []float64) float64 {
	g, z := p.solutions(), p.scale()*y[0]
	return (p.Left*g.vanishing(1, z) - p.Right*g.vanishing(0, z)) / g.wronskian
}

// airy returns Ai(z) and Bi(z) = 2 Re(e^(iπ/6) Ai(z e^(2πi/3))) (Digital Library of
// Mathematical Functions, 9.2.10).
func airy(z float64) (ai, bi float64) {
	turned := mathext.AiryAi(complex(z, 0) * cmplx.Exp(complex(0, 2*math.Pi/3)))
	return real(mathext.AiryAi(complex(z, 0))), 2 * real(cmplx.Exp(complex(0, math.Pi/6))*turned)
}
