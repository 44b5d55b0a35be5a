package pde

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/params"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Problem makes outputs u of inputs f; of a linear one u is an affine function of f. The
// parameter structs of [Catalog] are problems, and [Define] makes others from an operator;
// [Solve], [Sample], [Green] and [Bias] ask them.
type Problem interface {
	inputMesh() mesh.Mesh
	outputMesh() mesh.Mesh
	check() error
	// outputs solves for inputs in the rows of f, n × input points, whose shape has
	// been checked: n × output points.
	outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error)
}

// Check refuses parameters without a unique solution, by the arg tag of their fields.
// Everything that solves a problem asks it first.
func Check(p Problem) error { return p.check() }

// Meshes returns where inputs and outputs are sampled: f has as many columns as the first
// has points, u as the second.
func Meshes(p Problem) (input, output mesh.Mesh) { return p.inputMesh(), p.outputMesh() }

// describe is a problem of the catalog as its name with its parameters, and a defined one
// as its equation.
func describe(p Problem) string {
	for _, e := range append(Catalog(), NonlinearCatalog()...) {
		if reflect.TypeOf(e.Example) == reflect.TypeOf(p) {
			return params.Text(e.Name, p)
		}
	}
	return fmt.Sprint(p)
}

// nonlinearProblem is one that may not be linear.
type nonlinearProblem interface{ isNonlinear() bool }

// sampler is a problem whose random inputs are made of a random field in its own way.
type sampler interface {
	sample(ctx context.Context, n int, field randfield.Field) (*dataset.Dataset, error)
}

// nameOf is the name of a problem, without its parameters.
func nameOf(p Problem) string {
	name, _, _ := strings.Cut(describe(p), "{")
	if d, ok := p.(*Defined); ok {
		name = d.Name
	}
	return name
}

func (p *Defined) isNonlinear() bool { return p.curved != nil }

// known is a problem whose answer is known in closed form.
type known interface {
	Problem
	// greenAt returns G(x, y); x and y are points of input and output.
	greenAt(x, y []float64) float64
	// biasAt returns β(y).
	biasAt(y []float64) float64
}

// Solve returns the outputs for inputs in the rows of f: n × output points. It
// refuses inputs of the wrong length or that are not finite, and outputs that are
// not. Of a nonlinear problem it refuses inputs for which Newton's method finds no
// solution, or more than one; the residual of those it finds is that of rounding.
func Solve(ctx context.Context, p Problem, f *mat.Dense) (*mat.Dense, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	n, m := f.Dims()
	if want := p.inputMesh().Size(); m != want {
		return nil, fmt.Errorf("f: has %d values per input, must be %d, one per point of the input mesh", m, want)
	}
	for i := range n {
		for j, v := range f.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("f[%d][%d] is %g: must be finite", i+1, j+1, v)
			}
		}
	}
	if err := dense.CheckMatrix("outputs", 2, n, p.outputMesh().Size()); err != nil {
		return nil, err
	}
	u, err := p.outputs(ctx, f)
	if err != nil {
		return nil, err
	}
	for i := range n {
		for j, v := range u.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("the solution for f[%d] is %g at output point %d: it grows beyond double precision", i+1, v, j+1)
			}
		}
	}
	return u, nil
}

// Green returns the Green's function on xs × ys, a matrix of their sizes. Meshes
// without points stand for the problem's own. Without a closed form it is
// computed on the problem's own meshes, one column for every input point: the
// output for the unit impulse at x_j, which is one over the quadrature weight
// there, less the output for zero. Points without weight have no influence.
func Green(ctx context.Context, p Problem, xs, ys mesh.Mesh) (*mat.Dense, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if n, ok := p.(nonlinearProblem); ok && n.isNonlinear() {
		return nil, fmt.Errorf("%s: the problem is not linear, so it has no Green's function", nameOf(p))
	}
	if xs.Size() == 0 {
		xs = p.inputMesh()
	}
	if ys.Size() == 0 {
		ys = p.outputMesh()
	}
	if err := sameDim(p, xs, ys); err != nil {
		return nil, err
	}
	k, ok := p.(known)
	if !ok {
		return greenByColumns(ctx, p, xs, ys)
	}
	if err := dense.CheckMatrix("green", 1, xs.Size(), ys.Size()); err != nil {
		return nil, err
	}
	g := mat.NewDense(xs.Size(), ys.Size(), nil)
	x, y := make([]float64, xs.Dim()), make([]float64, ys.Dim())
	for i := range xs.Size() {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("green stopped: %w", context.Cause(ctx))
		}
		xs.Point(x, i)
		row := g.RawRowView(i)
		for j := range row {
			ys.Point(y, j)
			row[j] = k.greenAt(x, y)
		}
	}
	return g, nil
}

func sameDim(p Problem, xs, ys mesh.Mesh) error {
	if d := p.inputMesh().Dim(); xs.Dim() != d {
		return fmt.Errorf("xmesh: has %d coordinates, must have the %d of the input", xs.Dim(), d)
	}
	if d := p.outputMesh().Dim(); ys.Dim() != d {
		return fmt.Errorf("ymesh: has %d coordinates, must have the %d of the output", ys.Dim(), d)
	}
	return nil
}

func greenByColumns(ctx context.Context, p Problem, xs, ys mesh.Mesh) (*mat.Dense, error) {
	if !xs.Equal(p.inputMesh()) || !ys.Equal(p.outputMesh()) {
		return nil, fmt.Errorf("xmesh, ymesh: %s has no closed form, so its Green's function is computed on its own meshes only; leave them out", describe(p))
	}
	m := xs.Size()
	if err := dense.CheckMatrix("green", 2, m, max(m, ys.Size())); err != nil {
		return nil, err
	}
	f := mat.NewDense(m, m, nil)
	for j, w := range xs.Weights() {
		if w > 0 {
			f.Set(j, j, 1/w)
		}
	}
	g, err := p.outputs(ctx, f)
	if err != nil {
		return nil, err
	}
	zero, err := p.outputs(ctx, mat.NewDense(1, m, nil))
	if err != nil {
		return nil, err
	}
	for i := range m {
		row := g.RawRowView(i)
		for k, b := range zero.RawRowView(0) {
			row[k] -= b
		}
	}
	return g, nil
}

// Bias returns β on ys, or on the problem's own mesh when ys has no points; without
// a closed form it is the output for zero input, on that mesh only.
func Bias(ctx context.Context, p Problem, ys mesh.Mesh) ([]float64, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if ys.Size() == 0 {
		ys = p.outputMesh()
	}
	if err := sameDim(p, p.inputMesh(), ys); err != nil {
		return nil, err
	}
	if k, ok := p.(known); ok {
		b, y := make([]float64, ys.Size()), make([]float64, ys.Dim())
		for i := range b {
			ys.Point(y, i)
			b[i] = k.biasAt(y)
		}
		return b, nil
	}
	if !ys.Equal(p.outputMesh()) {
		return nil, fmt.Errorf("ymesh: %s has no closed form, so its bias is computed on its own mesh only; leave it out", describe(p))
	}
	u, err := p.outputs(ctx, mat.NewDense(1, p.inputMesh().Size(), nil))
	if err != nil {
		return nil, err
	}
	return u.RawRowView(0), nil
}

// Sample draws n random inputs and solves for their outputs. The mesh and N of
// the field are set here.
func Sample(ctx context.Context, p Problem, n int, input randfield.Field) (*dataset.Dataset, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if s, ok := p.(sampler); ok {
		return s.sample(ctx, n, input)
	}
	input.Mesh, input.N = p.inputMesh(), n
	f, err := input.Draw(ctx)
	if err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	return Pairs(ctx, p, f)
}

// Pairs solves for given inputs, n × input points, and returns both.
func Pairs(ctx context.Context, p Problem, f *array.Array) (*dataset.Dataset, error) {
	fm, err := f.Matrix()
	if err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	u, err := Solve(ctx, p, fm)
	if err != nil {
		return nil, err
	}
	return dataset.New(dataset.Spec{Input: f, Output: array.FromMatrix(u), InputMesh: p.inputMesh(), OutputMesh: p.outputMesh()})
}
