package pde

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// What the input of a scripted problem is.
const (
	InputForcing  = "forcing"  // f in L u = f
	InputInitial  = "initial"  // u at the first time
	InputBoundary = "boundary" // the values of the conditions marked with InputValue
)

// How a scripted problem steps through time.
const (
	BackwardEuler = "backward_euler" // first order; damps what the step cannot resolve
	CrankNicolson = "crank_nicolson" // second order; for smooth data
	Exponential   = "exponential"    // exact in time for inputs linear between times; a dense matrix
)

// Definition is a PDE given by its operator: L u = f, with L in one or two space
// coordinates and perhaps time, whose derivative is part of L. L is linear in the derivatives
// of highest order, with factors of the coordinates; what else there is may be nonlinear, as in
// -u″ + u³ or -u″ + u u′ (a semilinear equation), and is solved by Newton's method.
//
// It is discretised by differences of the given order of accuracy: on a uniform
// mesh central ones, over the ends as far as the conditions there carry, and
// one-sided otherwise; fluxes by cells around the points, so that what flows out of
// one flows into the next. With order 4 and fluxes the equation holds in the mean
// over each cell.
type Definition struct {
	Name     string          `arg:"name" doc:"name that errors and printing use" default:"pde"`
	Mesh     mesh.Mesh       `arg:"mesh" doc:"space: a uniform or periodic mesh, or the product of two"`
	Time     mesh.Mesh       `arg:"time" doc:"uniform mesh of times, if the operator has a derivative in time" default:"nil"`
	Operator *Operator       `arg:"operator" doc:"L, linear in the derivatives of u of highest order"`
	Boundary map[string]Side `arg:"boundary" doc:"conditions by side: \"x-\", \"x+\", \"y-\", \"y+\"" default:"{}"`
	Initial  Coefficient     `arg:"initial" doc:"u at the first time" default:"0"`
	Velocity Coefficient     `arg:"velocity" doc:"∂u/∂t at the first time, if the operator is of second order in time" default:"0"`
	Source   Coefficient     `arg:"source" doc:"a known part of the right-hand side, besides the input" default:"0"`
	Input    string          `arg:"input" doc:"what the input is" default:"forcing" allow:"forcing|initial|boundary"`
	Scheme   string          `arg:"scheme" doc:"time stepping; the forcing of backward_euler is integrated in time by right Riemann sums, see mesh:right" default:"crank_nicolson" allow:"backward_euler|crank_nicolson|exponential"`
	Order    int             `arg:"order" doc:"order of accuracy of the differences in space" default:"2" allow:"2|4"`
	Several  bool            `arg:"several" doc:"of a nonlinear steady problem: the outputs need not be the only ones; then it is the one that Newton's method reaches from that of the linear part" default:"false"`
}

// Defined is a scripted problem, discretised and factored. It is a [Problem], safe
// for concurrent use.
type Defined struct {
	Definition
	grid       *grid
	input      mesh.Mesh
	output     mesh.Mesh
	given      []datum
	source     *sampled
	fromInput  *linop.Sparse // boundary data × inputs at one time
	timeOrder  int           // of the highest derivative in time
	steadily   steady
	solver     *elimination // of the steady problem; nil: its linear part is singular
	curved     *pointwise   // what is not linear in u; nil: nothing
	monotone   bool         // of a steady problem that is not linear: no two outputs have the same input
	evolution  *evolution
	perTime    int  // inputs at one time
	timeVaries bool // the operator's coefficients depend on time
	trusted    bool // a named problem, whose own Check has seen to its being well posed
}

// Define discretises a problem and factors it. It refuses what has no unique
// solution, with the reason: conditions that are missing or too many, an operator
// that is not elliptic, an evolution whose short waves grow without bound, a
// singular matrix, an eigenvalue that the mesh cannot tell from zero. Whether a nonlinear
// problem has a solution is known for each input only, see [Solve].
func Define(ctx context.Context, d Definition) (*Defined, error) {
	p := &Defined{Definition: d.filled()}
	if err := p.define(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return p, nil
}

// filled sets what was left out to its default.
func (d Definition) filled() Definition {
	word := func(s *string, v string) {
		if *s == "" {
			*s = v
		}
	}
	word(&d.Name, "pde")
	word(&d.Input, InputForcing)
	word(&d.Scheme, CrankNicolson)
	if d.Order == 0 {
		d.Order = 2
	}
	for _, c := range []*Coefficient{&d.Initial, &d.Velocity, &d.Source} {
		if *c == nil {
			*c = Constant(0)
		}
	}
	return d
}

func (p *Defined) define(ctx context.Context) error {
	if err := p.checkParts(); err != nil {
		return err
	}
	p.grid = newGrid(p.Mesh, p.Boundary, p.Operator, p.Order)
	if err := p.checkPrincipalPart(); err != nil {
		return err
	}
	if err := p.meshes(); err != nil {
		return err
	}
	if err := p.sampleGiven(); err != nil {
		return err
	}
	if p.Operator.isNonlinear() {
		var err error
		if p.curved, err = p.pointwise(); err != nil {
			return err
		}
	}
	if p.Time.Size() > 0 {
		e, err := newEvolution(ctx, p)
		p.evolution = e
		return err
	}
	return p.settle(ctx)
}

// settle prepares the steady problem.
func (p *Defined) settle(ctx context.Context) error {
	d, err := p.grid.discretise(ctx, p.Operator, 0)
	if err != nil {
		return err
	}
	g, err := p.boundaryData(0)
	if err != nil {
		return err
	}
	source, err := p.source.at(0)
	if err != nil {
		return fmt.Errorf("source: %w", err)
	}
	n := p.Mesh.Size()
	p.steadily = steady{matrix: d.withGiven(p.grid, d.orders[0].Entries(1)), constant: make([]float64, n)}
	boundary := linop.NewSparse(n, p.grid.data, append(d.data.Entries(1), d.fixed.Entries(1)...))
	p.steadily.input = d.forcing
	if p.Input == InputBoundary {
		p.steadily.input = boundary.Mul(p.fromInput)
	}
	boundary.MulVec(p.steadily.constant, g)
	given := make([]float64, n)
	d.forcing.MulVec(given, source)
	for i, v := range given {
		p.steadily.constant[i] += v
	}
	p.solver, err = p.grid.eliminate(ctx, p.steadily.matrix)
	if p.curved != nil {
		return p.settleNonlinear(d, err)
	}
	if err != nil {
		return p.explain(d, err)
	}
	if p.trusted {
		return nil
	}
	return p.checkEigenvalue(ctx, d)
}

// withGiven adds the rows of given u to a matrix.
func (d *discrete) withGiven(g *grid, entries []linop.Entry) *linop.Sparse {
	for i, given := range g.given {
		if given {
			entries = append(entries, linop.Entry{Row: i, Col: i, Value: 1})
		}
	}
	return linop.NewSparse(len(g.given), len(g.given), entries)
}

// datum is the value of a condition along its side.
type datum struct {
	*sampled
	first int // of its boundary data
	name  string
}

// sampleGiven prepares the values of all conditions, and the source.
func (p *Defined) sampleGiven() error {
	for axis := range p.grid.sides {
		for s, side := range p.grid.sides[axis] {
			for _, b := range side.all() {
				name := fmt.Sprintf("boundary: %q: %s", p.sideName(axis, s), b.name)
				v, err := p.grid.sample(b.value, p.grid.sideColumns(axis, s), nil)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				p.given = append(p.given, datum{v, b.first, name})
			}
		}
	}
	var err error
	if p.source, err = p.grid.sample(p.Source, p.grid.columns(-1), nil); err != nil {
		return fmt.Errorf("source: %w", err)
	}
	return nil
}

// boundaryData are the values of all conditions at time t; the input's are zero.
func (p *Defined) boundaryData(t float64) ([]float64, error) {
	data := make([]float64, p.grid.data)
	for _, d := range p.given {
		v, err := d.at(t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
		copy(data[d.first:], v)
	}
	return data, nil
}

func (s gridSide) all() []boundary {
	if s.fixed != nil {
		return append([]boundary{*s.fixed}, s.others...)
	}
	return s.others
}

func (p *Defined) sideName(axis, side int) string { return sideNames(p.Mesh.Names())[2*axis+side] }

// check implements Problem: a Defined has been checked.
func (p *Defined) check() error { return nil }

func (p *Defined) inputMesh() mesh.Mesh { return p.input }

func (p *Defined) outputMesh() mesh.Mesh { return p.output }

// outputs implements Problem, without factoring anew.
func (p *Defined) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	if p.evolution != nil {
		return p.evolution.outputs(ctx, f)
	}
	if p.curved != nil {
		return p.nonlinearOutputs(ctx, f)
	}
	return p.steadily.solve(ctx, p.solver, f)
}

// outputsOf defines a named problem and solves it.
func outputsOf(ctx context.Context, d Definition, f *mat.Dense) (*mat.Dense, error) {
	p := &Defined{Definition: d.filled(), trusted: true}
	if err := p.define(ctx); err != nil {
		return nil, err
	}
	return p.outputs(ctx, f)
}
