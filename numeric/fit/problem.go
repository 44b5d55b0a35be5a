package fit

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/lattice"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/outputs"
	"github.com/greenbench/workbench/numeric/internal/solve"
)

// problem is the optimality system of a fit, in coordinates of its own, for every λ and ρ.
type problem interface {
	// choose finds the λ and ρ that a criterion likes best.
	choose(ctx context.Context, by Criterion) (*chosen, error)
	// measure is the criteria at λ and ρ, not known where they would take much longer than
	// the fit.
	measure(ctx context.Context, at penalty) (criteria.Sheet, error)
	// solve finds the solution, beginning with one for λ and ρ nearby; nil: none is known.
	solve(ctx context.Context, at penalty, start []float64) (*solution, error)
	// weigh turns a solution into weights. Solutions are not used any more then.
	weigh(ctx context.Context, at penalty, x []float64) (*weighed, error)
	// contend is the criterion REML, of this kernel among others.
	contend(ctx context.Context) (*contender, error)
	// exact is the matrix of the outputs, of at most so many rows; nil where it is not known.
	exact(ctx context.Context, most int) (*criteria.Exact, error)
}

// solution is what a solver found.
type solution struct {
	x        []float64 // nil: λ is lost in rounding
	how      solve.Report
	unknowns int
	least    float64 // where λ is too small: what can be solved for is about this at least; else 0
}

// posed is a fit as a problem.
type posed struct {
	problem
	name, why string
	spec      *Spec            // what was posed: composed, the constraint is in the kernel
	lattice   *lattice.Lattice // that the weights stand on; nil: the meshes of the data
	held      *held
}

const (
	raises  = 3
	raiseBy = 10 // what λ is raised by
)

// lost says that a λ that was given is too small; it is solve.ErrNotPositive.
type lost struct{ lambda, least float64 }

func (l lost) Error() string {
	return fmt.Sprintf("lambda %.3g: is lost in rounding beside the kernel on these data; the least that can be solved for is about %.0e", l.lambda, l.least)
}

func (l lost) Is(target error) bool { return target == solve.ErrNotPositive }

// solveChosen solves for λ and ρ. Where a λ that was chosen, not given, is too small to be
// solved for, it is raised.
func (p *posed) solveChosen(ctx context.Context, c *chosen) (*chosen, *solution, error) {
	best := c.lambda
	x, err := p.solve(ctx, c.penalty, c.start)
	for k := 0; k < raises && err == nil && x.least > 0 && c.free; k++ {
		if c, err = p.raised(ctx, c, max(raiseBy*c.lambda, x.least)); err != nil {
			return nil, nil, err
		}
		said := c.report.Advice
		c.report.Advice = ""
		c.report.note("the best lambda is %.3g, for which the weights could not be found: the data have hardly any noise; lambda was raised", best)
		if said != "" {
			c.report.note("%s", said)
		}
		c.start = x.x
		x, err = p.solve(ctx, c.penalty, c.start)
	}
	if err == nil && x.x == nil {
		err = lost{c.lambda, x.least}
	}
	if err == nil && c.free && x.how.Precise && p.spec.tolerance() >= solve.DefaultTolerance {
		x.how.Converged = true // a greater λ, whose residual is less, would be a worse one
	}
	return c, x, err
}

// raised is a choice with another λ, and ρ with it where it is not given.
func (p *posed) raised(ctx context.Context, c *chosen, lambda float64) (*chosen, error) {
	r := *c
	r.penalty = penalty{lambda, p.spec.Rho}
	if r.rho == 0 {
		r.rho = c.rho / c.lambda * lambda
	}
	var v criteria.Sheet
	var err error
	if c.sheet != nil {
		v = c.sheet(r.penalty)
	} else if v, err = p.measure(ctx, r.penalty); err != nil {
		return nil, err
	}
	r.report.Advice = "" // of the other λ
	r.report.takeSheet(v)
	return &r, nil
}

// regression is a problem in the space of the data, as the posterior needs it.
type regression interface {
	problem
	// equations are S K̄ Sᵀ + I and about its inverse.
	equations(ctx context.Context, at penalty) (a, inverse linop.Operator, err error)
	// respond returns S (g; b) for values g of G on X × Y and b of β on Y, nil for zero.
	respond(ctx context.Context, g, b []float64) []float64
	// constants is the direction of the data of a free constant of β, nil without one, and
	// the length of those of the constant one.
	constants() (outputs.Contrast, float64)
	// observed is how many outputs there are.
	observed() int
}
