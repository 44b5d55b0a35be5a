package posterior

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/pose"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/mesh"
)

// averaged is a constrained kernel on meshes that the maps of the constraint send to themselves: K between two averages, and
// masks. Its structure is that of K, while its formula has the square of the group's order of terms for each pair of points.
type averaged struct {
	gram.Product // the formula, whose rough form is that of Diagonal
	of           linop.Operator
	f            *kernels.Function // K
	lattice      *lattice.Lattice
}

// averagesChecked is how many columns are held against the formula, to averageError of its values there.
const (
	averagesChecked = 24
	averageError    = 1e-10
)

// newAveraged is nil where the kernel with its constraint, formula held as by, has a structure itself, or without it has none.
func newAveraged(ctx context.Context, s *problem.Setting, by gram.Product, f *kernels.Function) (*averaged, error) {
	if s.Constraint == nil || !gram.Evaluates(by) {
		return nil, nil
	}
	l, why, err := problem.OnMeshes(ctx, s.Data, s.Kernel, s.Constraint)
	if err != nil || why != "" || l.Lag() != nil {
		return nil, err
	}
	a := &averaged{Product: by, lattice: l}
	if a.f, err = kernels.Compile(l.Kernel(s.Kernel), l.Space()); err != nil {
		return nil, err
	}
	a.of, _, err = gram.Self(ctx, a.f, l.X(), l.Y(), gram.Options{})
	if err != nil || gram.Evaluates(a.of) {
		return nil, err
	}
	ok, err := a.is(ctx, a, f, l.X(), l.Y())
	if !ok || err != nil {
		return nil, err
	}
	return a, nil
}

// is holds an operator from the meshes to others against a formula.
func (a *averaged) is(ctx context.Context, op linop.Operator, f *kernels.Function, xs, ys mesh.Mesh) (bool, error) {
	from, err := problem.Joint(f.Space, a.lattice.X(), a.lattice.Y())
	if err != nil {
		return false, err
	}
	to, err := problem.Joint(f.Space, xs, ys)
	if err != nil {
		return false, err
	}
	columns, n, at := to.Columns(), from.Size(), make([]float64, from.Dim())
	draw := rand.New(rand.NewPCG(1, 10))
	for range averagesChecked {
		j := draw.IntN(n)
		one, got, want := make([]float64, n), make([]float64, to.Size()), make([]float64, to.Size())
		one[j] = 1
		op.Apply(ctx, got, one)
		from.Point(at, j)
		f.Row(want, at, columns)
		if err := linop.Stopped(ctx); err != nil {
			return false, err
		}
		size := floats.Norm(want, math.Inf(1))
		if floats.Sub(got, want); !(floats.Norm(got, math.Inf(1)) <= averageError*size) {
			return false, nil
		}
	}
	return true, nil
}

// Rough implements gram.Rough.
func (a *averaged) Rough() {}

// Apply implements linop.Operator.
func (a *averaged) Apply(ctx context.Context, dst, w []float64) {
	a.of.Apply(ctx, dst, a.project(w))
	a.lattice.Average(dst)
	a.lattice.Mask(dst)
}

// project is a copy of weights, masked and averaged.
func (a *averaged) project(w []float64) []float64 {
	in := slices.Clone(w)
	a.lattice.Mask(in)
	a.lattice.Average(in)
	return in
}

// Describe implements linop.Describer.
func (a *averaged) Describe() string { return linop.Describe(a.of) + ", averaged by the constraint" }

// fromAveraged is K from the averages of weights to other meshes: the constrained kernel there, where K is the same for the
// images of two points as for these.
type fromAveraged struct {
	linop.Operator
	a *averaged
}

// Apply implements linop.Operator.
func (o fromAveraged) Apply(ctx context.Context, dst, w []float64) {
	o.Operator.Apply(ctx, dst, o.a.project(w))
}

// holdAveraged holds the kernel of a question as an average, where its constraint, that of a setting, allows that; nil where not.
func holdAveraged(ctx context.Context, q *problem.Question, apart *problem.Setting) (*averaged, error) {
	if apart.Constraint == nil {
		return nil, nil
	}
	d := q.Setting.Data
	if err := pose.Hold(ctx, q); err != nil {
		return nil, err
	}
	f, err := kernels.Compile(q.Setting.Kernel, lattice.Space(d.InputMesh, d.OutputMesh))
	if err != nil {
		return nil, err
	}
	a, err := newAveraged(ctx, apart, q.Held.K, f)
	if a != nil {
		q.Held = &problem.Held{K: a, Why: q.Held.Why}
	}
	return a, err
}
