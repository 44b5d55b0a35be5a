package problem

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// Posed is a fit as a problem.
type Posed struct {
	Problem
	Name, Why string
	Setting   *Setting         // what was posed: composed, the constraint is in the kernel
	Lattice   *lattice.Lattice // that the weights stand on; nil: the meshes of the data
	Held      *Held
}

// SolveChosen solves for λ and ρ. Where a λ that was chosen, not given, is too small to be
// solved for, it is raised.
func (p *Posed) SolveChosen(ctx context.Context, c *Chosen) (*Chosen, *Solution, error) {
	best := c.Lambda
	x, err := p.Solve(ctx, c.Penalty, c.Start)
	for k := 0; k < Raises && err == nil && x.Least > 0 && c.Free; k++ {
		if c, err = p.Raised(ctx, c, max(RaiseBy*c.Lambda, x.Least)); err != nil {
			return nil, nil, err
		}
		c.Notes = []criteria.Note{{Excepts: criteria.FollowLambda, Text: fmt.Sprintf("the best lambda is %.3g, for which the weights could not be found: the data have hardly any noise; lambda was raised", best)}}
		c.Start = x.X
		x, err = p.Solve(ctx, c.Penalty, c.Start)
	}
	if err == nil && x.X == nil {
		err = lost{c.Lambda, x.Least}
	}
	if err == nil && c.Free && x.How.Precise && p.Setting.Tolerance >= solve.DefaultTolerance {
		x.How.Converged = true // a greater λ, whose residual is less, would be a worse one
	}
	return c, x, err
}

// Raised is a choice with another λ, and ρ with it where it is not given.
func (p *Posed) Raised(ctx context.Context, c *Chosen, lambda float64) (*Chosen, error) {
	r := *c
	r.Penalty = Penalty{lambda, p.Setting.Rho}
	if r.Rho == 0 {
		r.Rho = c.Rho / c.Lambda * lambda
	}
	var v criteria.Sheet
	var err error
	if c.Near != nil {
		v = c.Near(r.Penalty)
		r.Unmeasured = math.IsNaN(v.REML)
	} else if v, err = p.Measure(ctx, r.Penalty); err != nil {
		return nil, err
	}
	r.Sheet = v
	return &r, nil
}

// Meshes are those of the weights.
func (p *Posed) Meshes() *lattice.Lattice {
	if p.Lattice != nil {
		return p.Lattice
	}
	return lattice.On(p.Setting.Data.InputMesh, p.Setting.Data.OutputMesh)
}

// GivenAt is λ and ρ as they are, and the criteria there.
func (p *Posed) GivenAt(ctx context.Context, at Penalty) (*Chosen, error) {
	c := Given(at)
	var err error
	c.Sheet, err = p.Measure(ctx, at)
	return c, err
}

// ValuesOf is G of weights, on the meshes of the problem.
func (p *Posed) ValuesOf(ctx context.Context, weights *mat.Dense) *mat.Dense {
	mx, my := weights.Dims()
	g := mat.NewDense(mx, my, nil)
	p.Held.K.Apply(ctx, g.RawMatrix().Data, weights.RawMatrix().Data)
	return g
}
