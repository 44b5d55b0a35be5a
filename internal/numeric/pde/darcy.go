package pde

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// How a random field makes the permeability of [Darcy].
const (
	Threshold = "threshold" // High where the field is positive, Low elsewhere
	Lognormal = "lognormal" // its exponential
)

// Darcy is flow through a porous medium, -∇·(a ∇u) = Source on a rectangle with u = 0 on the
// boundary. The input is the permeability a, and u is not linear in it.
//
// It is solved on a mesh with Refine times as many intervals each way, by fluxes between cells
// around its points with the harmonic mean of a on either side (Li et al., Fourier neural
// operator, 2021, have a of two values and Source 1). Given inputs have the same a all through
// the cell around each point of Mesh. Random ones are drawn on the finer mesh, so that pairs
// are those of a finer problem looked at on Mesh.
type Darcy struct {
	Mesh   mesh.Mesh   `arg:"mesh" doc:"product of two uniform meshes, such as mesh.uniform(0, 1, 16) * mesh.uniform(0, 1, 16)"`
	Source Coefficient `arg:"source" doc:"right-hand side" default:"1"`
	Refine int         `arg:"refine" doc:"how many times finer than mesh the grid is on which it is solved" default:"4" allow:">=1"`
	Law    string      `arg:"law" doc:"of random permeabilities: high where a random field is positive and low elsewhere, or its exponential" default:"threshold" allow:"threshold|lognormal"`
	Low    float64     `arg:"low" doc:"permeability where the field is negative" default:"3" allow:">0"`
	High   float64     `arg:"high" doc:"permeability where it is positive" default:"12" allow:">0"`
}

func (p Darcy) check() error {
	if err := checkRectangle(p.Mesh, 3); err != nil {
		return err
	}
	if p.Refine < 1 || p.Refine > 64 {
		return fmt.Errorf("refine %d: must be from 1 to 64", p.Refine)
	}
	if p.Law != Threshold && p.Law != Lognormal {
		return fmt.Errorf("law %q: must be one of %s", p.Law, quoted([]string{Threshold, Lognormal}))
	}
	if p.Source == nil {
		return errors.New("source: missing")
	}
	if err := positive("low", p.Low); err != nil {
		return err
	}
	return positive("high", p.High)
}

func (p Darcy) isNonlinear() bool { return true }

func (p Darcy) inputMesh() mesh.Mesh { return p.Mesh }

func (p Darcy) outputMesh() mesh.Mesh { return p.Mesh }

// fine is the mesh it is solved on.
func (p Darcy) fine() (mesh.Mesh, error) {
	var axes [2]mesh.Mesh
	for k, a := range p.Mesh.Axes() {
		ax, err := mesh.Uniform(a.Lower[0], a.Upper[0], (a.Size()-1)*p.Refine+1, a.Names[0])
		if err != nil {
			return mesh.Mesh{}, err
		}
		if axes[k], err = mesh.New(ax); err != nil {
			return mesh.Mesh{}, err
		}
	}
	return mesh.Product(axes[0], axes[1])
}

// outputs spreads every input over the cells around the points.
func (p Darcy) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	d, err := p.solver(ctx)
	if err != nil {
		return nil, err
	}
	n, m := f.Dims()
	u := mat.NewDense(n, m, nil)
	a := make([]float64, d.size[0]*d.size[1])
	for s := range n {
		for i := range a {
			x, y := (i/d.size[1]+p.Refine/2)/p.Refine, (i%d.size[1]+p.Refine/2)/p.Refine
			a[i] = f.At(s, x*d.coarse[1]+y)
		}
		if err := d.solve(ctx, s, n, a, u.RawRowView(s)); err != nil {
			return nil, err
		}
	}
	return u, nil
}

// sample draws permeabilities on the finer mesh.
func (p Darcy) sample(ctx context.Context, n int, field randfield.Field) (*dataset.Dataset, error) {
	d, err := p.solver(ctx)
	if err != nil {
		return nil, err
	}
	m := p.Mesh.Size()
	if err := dense.CheckMatrix("sample", 2, n, len(d.points)+m); err != nil {
		return nil, err
	}
	if field.Mesh, err = p.fine(); err != nil {
		return nil, err
	}
	field.N = n
	z, err := field.Draw(ctx)
	if err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	in, out := array.New(n, m), array.New(n, m)
	for s := range n {
		a := z.Data[s*len(d.points) : (s+1)*len(d.points)]
		for i, v := range a {
			switch {
			case p.Law == Lognormal:
				a[i] = math.Exp(v)
			case v > 0:
				a[i] = p.High
			default:
				a[i] = p.Low
			}
		}
		for k := range m {
			in.Data[s*m+k] = a[d.at(k)]
		}
		if err := d.solve(ctx, s, n, a, out.Data[s*m:(s+1)*m]); err != nil {
			return nil, err
		}
	}
	return dataset.New(dataset.Spec{Input: in, Output: out, InputMesh: p.Mesh, OutputMesh: p.Mesh})
}

// darcySolver solves on the finer mesh.
type darcySolver struct {
	size, coarse [2]int
	refine       int
	points       []int // place of every point among those inside, -1 on the boundary
	inside       int
	right        []float64 // of those inside
	weight       [2]float64
}

// checkRoom asks for the memory of the finer mesh before any of it is taken: some thirty numbers
// for each point, and the band of its factor, as wide as the shorter side.
func (p Darcy) checkRoom() error {
	points, width := 1.0, math.Inf(1)
	var size [2]int
	for k, a := range p.Mesh.Axes() {
		size[k] = (a.Size()-1)*p.Refine + 1
		points, width = points*float64(size[k]), min(width, float64(size[k]))
	}
	what := fmt.Sprintf("refine %d: to solve on %d × %d points", p.Refine, size[0], size[1])
	return dense.CheckSize(what, points*(width+30))
}

func (p Darcy) solver(ctx context.Context) (*darcySolver, error) {
	if err := p.checkRoom(); err != nil {
		return nil, err
	}
	m, err := p.fine()
	if err != nil {
		return nil, err
	}
	source, err := values("source", p.Source, m)
	if err != nil {
		return nil, err
	}
	d := &darcySolver{refine: p.Refine, points: make([]int, m.Size())}
	for k, a := range m.Axes() {
		d.size[k], d.coarse[k], d.weight[k] = a.Size(), p.Mesh.Axes()[k].Size(), 1/(a.Step*a.Step)
	}
	for i := range d.points {
		if i%d.size[1] == 0 {
			if err := stopped(ctx); err != nil {
				return nil, err
			}
		}
		x, y := i/d.size[1], i%d.size[1]
		d.points[i] = -1
		if x > 0 && y > 0 && x < d.size[0]-1 && y < d.size[1]-1 {
			d.points[i] = d.inside
			d.right = append(d.right, source[i])
			d.inside++
		}
	}
	return d, nil
}

// at is the fine point that coarse point k is.
func (d *darcySolver) at(k int) int {
	return k/d.coarse[1]*d.refine*d.size[1] + k%d.coarse[1]*d.refine
}

// solve stores the solution of sample s of n at the coarse points in u.
func (d *darcySolver) solve(ctx context.Context, s, n int, a, u []float64) error {
	if err := stopped(ctx); err != nil {
		return err
	}
	progress.Report(ctx, progress.Step{Task: "solutions", Done: float64(s), Total: float64(n)})
	if err := d.checkPermeability(s, a); err != nil {
		return err
	}
	matrix, err := d.assemble(ctx, a)
	if err != nil {
		return err
	}
	factors, err := solve.Factor(ctx, matrix)
	if err != nil {
		return fmt.Errorf("f[%d]: %w", s+1, err)
	}
	v := append([]float64(nil), d.right...)
	if err := factors.SolveVector(ctx, v); err != nil {
		return err
	}
	for k := range u {
		if i := d.points[d.at(k)]; i >= 0 {
			u[k] = v[i]
		}
	}
	return nil
}

func (d *darcySolver) checkPermeability(s int, a []float64) error {
	for i, v := range a {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("f[%d]: the permeability is %g at x = %d, y = %d of the mesh: must be positive and finite, or the equation is not elliptic", s+1, v, i/d.size[1]/d.refine+1, i%d.size[1]/d.refine+1)
		}
	}
	return nil
}

// assemble is the matrix of the fluxes between the points inside.
func (d *darcySolver) assemble(ctx context.Context, a []float64) (*linop.Sparse, error) {
	entries := make([]linop.Entry, 0, 8*d.inside)
	for axis, stride := range [2]int{d.size[1], 1} {
		for i := range a {
			if i%d.size[1] == 0 {
				if err := stopped(ctx); err != nil {
					return nil, err
				}
			}
			if axis == 0 && i/d.size[1] == d.size[0]-1 || axis == 1 && i%d.size[1] == d.size[1]-1 {
				continue
			}
			p, q := d.points[i], d.points[i+stride]
			w := d.weight[axis] * 2 / (1/a[i] + 1/a[i+stride])
			if p >= 0 {
				entries = append(entries, linop.Entry{Row: p, Col: p, Value: w})
			}
			if q >= 0 {
				entries = append(entries, linop.Entry{Row: q, Col: q, Value: w})
			}
			if p >= 0 && q >= 0 {
				entries = append(entries, linop.Entry{Row: p, Col: q, Value: -w}, linop.Entry{Row: q, Col: p, Value: -w})
			}
		}
	}
	return linop.Assemble(ctx, d.inside, d.inside, entries)
}
