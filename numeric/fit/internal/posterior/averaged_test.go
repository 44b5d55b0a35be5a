package posterior

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A constrained kernel between averages of another is that of its formula: of each kind of map, with signs and masks, for kernels
// that the maps leave alone and others, on the meshes of the data and on others.
func TestAveragedKernels(t *testing.T) {
	ctx := t.Context()
	x, y := mesh.Must(mesh.Uniform(0, 1, 24, "x")), mesh.Must(mesh.Uniform(0, 1, 24, "y"))
	xs, ys := mesh.Must(mesh.Gauss(0, 1, 12, "x")), mesh.Must(mesh.Uniform(-.1, 1.1, 9, "y"))
	rough := kernel.Exponential{Lengthscale: kernel.Lengthscale{.3}}
	names := []string{"x", "y"}
	for _, c := range []struct {
		name    string
		k       kernel.Kernel
		c       constraint.Constraint
		between bool // it is one of other meshes, too
	}{
		{"symmetric", rough, constraint.Symmetric{Names: names}, true},
		{"antisymmetric", rough, constraint.Antisymmetric{Names: names}, true},
		{"flipped", rough, constraint.Flip{Names: names, About: .5}, true},
		{"flipped, odd", rough, constraint.Flip{Names: names, About: .5, Odd: true}, true},
		{"causal", rough, constraint.Causal{Input: "x", Output: "y"}, false},
		{"symmetric, another kernel in x and y", kernel.Exponential{Lengthscale: kernel.Lengthscale{.3, .1}}, constraint.Symmetric{Names: names}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := spec{Data: smoothPairs(t, x, y, 4, false), Kernel: c.k, Constraint: c.c}
			f := testmain.Must(kernels.Compile(constraint.Apply(c.c, c.k), lattice.Space(x, y)))(t)
			by, _, err := gram.Self(ctx, f, x, y, gram.Options{Structure: gram.Blocks})
			if err != nil {
				t.Fatal(err)
			}
			a := testmain.Must(newAveraged(ctx, s.setting(), by, f))(t)
			if a == nil {
				t.Fatal("no average")
			}
			whole := s.setting().Composed()
			whole.Structure = gram.Blocks
			q := testmain.Must(problem.NewQuestion(whole, nil))(t)
			if held := testmain.Must(holdAveraged(ctx, q, s.setting()))(t); held == nil || q.Held.K != gram.Product(held) {
				t.Errorf("%v is held in place of an average", q.Held.K)
			}
			p := &Posterior{averaged: a, f: f, x: x, y: y}
			if got := testmain.Must(p.cross(ctx, x, y))(t); got != linop.Operator(a) {
				t.Error("on the meshes of the data it is another operator")
			}
			if got := testmain.Must(p.self(ctx, targets{xs: x, ys: y}))(t); got != linop.Operator(a) {
				t.Error("prior covariances of targets on the meshes of the data are by another operator")
			}
			alike(t, f, testmain.Must(p.self(ctx, targets{xs: xs, ys: ys}))(t), xs, ys, xs, ys)
			alike(t, f, a, x, y, x, y)
			to := testmain.Must(p.cross(ctx, xs, ys))(t)
			if _, ok := to.(fromAveraged); ok != c.between {
				t.Errorf("between other meshes: an average is %v", ok)
			}
			alike(t, f, to, xs, ys, x, y)
		})
	}
}

// alike compares an operator from functions on x × y to such on xs × ys with the matrix of a kernel.
func alike(t *testing.T, f *kernels.Function, op linop.Operator, xs, ys, x, y mesh.Mesh) {
	t.Helper()
	ctx := t.Context()
	to, from := testmain.Must(problem.Joint(f.Space, xs, ys))(t), testmain.Must(problem.Joint(f.Space, x, y))(t)
	m := testmain.Must(f.Gram(ctx, to, from))(t)
	v, got, want := linop.Normal(rand.New(rand.NewPCG(1, 8)), from.Size()), make([]float64, to.Size()), make([]float64, to.Size())
	op.Apply(ctx, got, v)
	linop.Dense{M: m}.Apply(ctx, want, v)
	size := floats.Norm(want, math.Inf(1))
	if floats.Sub(got, want); !(floats.Norm(got, math.Inf(1)) <= 1e-11*size) {
		t.Errorf("a product is off by %g of %g", floats.Norm(got, math.Inf(1)), size)
	}
}
