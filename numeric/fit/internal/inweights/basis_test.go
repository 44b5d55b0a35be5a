package inweights

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// smooth is n pairs of smooth inputs on m points and their outputs by a symmetric G.
func smooth(t *testing.T, n, m int) *dataset.Dataset {
	t.Helper()
	x := mesh.Must(mesh.Uniform(0, 1, m, "x"))
	f := testmain.Must(randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.07}}, Mesh: x, N: n, Seed: 5}.Draw(context.Background()))(t)
	u, p, w := f.Copy(), x.Points(), x.Weights()
	for i := range n {
		for j := range m {
			v := 0.0
			for l := range m {
				v += w[l] * min(p[j], p[l]) * (1 - max(p[j], p[l])) * f.Data[i*m+l]
			}
			u.Data[i*m+j] = v
		}
	}
	return testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: mesh.Must(mesh.Uniform(0, 1, m, "y"))}))(t)
}

// The preconditioner takes the bases in which GMRES needs fewer iterations: those of the inputs'
// covariance for rough kernels, those of the kernel for smooth ones. They are orthonormal, and
// axes that are exchanged have the same.
func TestBasesSuitThePenalty(t *testing.T) {
	ctx, m := context.Background(), 40
	d := smooth(t, 60, m)
	for _, c := range []struct {
		lengthscale, lambda float64
		inputs              bool
	}{{.02, 1e-5, true}, {.02, 1e-8, true}, {.3, 1e-5, false}, {.3, 1e-8, false}} {
		s := &problem.Setting{
			Data: d, Kernel: kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{c.lengthscale}},
			Constraint: constraint.Symmetric{Names: []string{"x", "y"}}, Lambda: c.lambda,
		}
		w, _, err := NewSpace(ctx, s, latticeAt(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.precondition(ctx, s); err != nil {
			t.Fatal(err)
		}
		w = w.At(problem.At(c.lambda, c.lambda))
		suited := testmain.Must(w.suited(ctx, s))(t)
		if other := suited != w; other != c.inputs {
			t.Errorf("lengthscale %g, lambda %g: bases by the inputs %t, want %t", c.lengthscale, c.lambda, other, c.inputs)
		}
		bases := testmain.Must(w.inputBases(ctx, s))(t)
		if bases == nil {
			continue // those promise nothing
		}
		other := *w
		if err := other.diagonalIn(ctx, bases, bases); err != nil {
			t.Fatal(err)
		}
		var gram mat.Dense
		if gram.Mul(bases[0].T(), bases[0]); !mat.EqualApprox(&gram, linop.Identity(m), 1e-12) {
			t.Errorf("lengthscale %g, lambda %g: the basis by the inputs is not orthonormal", c.lengthscale, c.lambda)
		}
		kernels, inputs := iterations(t, w), iterations(t, &other)
		if (inputs < kernels) != c.inputs {
			t.Errorf("lengthscale %g, lambda %g: %d iterations in the kernel's bases, %d in those by the inputs", c.lengthscale, c.lambda, kernels, inputs)
		}
	}
}

func iterations(t *testing.T, w *Space) int {
	t.Helper()
	ctx, scaled := context.Background(), w.balanced()
	b := scaled.folded(w.RightHandSide(ctx))
	scaled.rows(b)
	r := testmain.Must(solve.GMRES{Tolerance: 1e-8, Preconditioner: balancedPreconditioner{scaled}}.Solve(ctx, scaled, make([]float64, len(b)), b))(t)
	return r.Iterations
}

// The inputs' covariance on one of several axes is the sum over the points of the others.
func TestMarginal(t *testing.T) {
	const rows, before, n, after = 3, 2, 4, 5
	rng := rand.New(rand.NewPCG(1, 2))
	c := mat.NewDense(rows, before*n*after, nil)
	for i := range c.RawMatrix().Data {
		c.RawMatrix().Data[i] = rng.NormFloat64()
	}
	got := pointwise{c: c, my: 1}.Marginal(context.Background(), before, n, after)
	for i := range n {
		for j := range n {
			want := 0.0
			for r := range rows {
				for b := range before {
					for a := range after {
						want += c.At(r, (b*n+i)*after+a) * c.At(r, (b*n+j)*after+a)
					}
				}
			}
			if !(math.Abs(got.At(i, j)-want) <= 1e-12) {
				t.Fatalf("(%d, %d): %g, want %g", i, j, got.At(i, j), want)
			}
		}
	}
}

// latticeAt is the constraint of a setting, which its meshes have.
func latticeAt(t *testing.T, s *problem.Setting) *lattice.Lattice {
	t.Helper()
	l, why, err := problem.OnMeshes(t.Context(), s.Data, s.Kernel, s.Constraint)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	return l
}

// Directions that the inputs hardly have are free to be turned: the basis has the kernel's own there, and the inputs' elsewhere;
// where all of them are seen alike, the kernel's basis stays.
func TestHiddenDirectionsAreTurnedToTheKernel(t *testing.T) {
	const n, hidden = 6, 3
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
	half := mat.NewDense(n, n, nil)
	half.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, half)
	var k mat.Dense
	k.Mul(half, half.T())
	c := mat.NewDense(n, n, nil)
	for i := hidden; i < n; i++ {
		c.Set(i, i, float64(i))
	}
	_, own, err := linop.Eigen(ctx, mat.DenseCopyOf(&k))
	if err != nil {
		t.Fatal(err)
	}
	o := oneAxis{c: c, k: &k, lambda: 1e-6, top: 1}
	v, better, err := o.best(ctx, own)
	if err != nil || !better {
		t.Fatal("the basis of the kernel is taken for inputs that have three directions", err)
	}
	var unit, inputs, kernels mat.Dense
	unit.Mul(v.T(), v)
	inputs.Product(v.T(), c, v)
	kernels.Product(v.T(), &k, v)
	for i := range n {
		for j := range n {
			want := 0.0
			if i == j {
				want = 1
			}
			if !(math.Abs(unit.At(i, j)-want) <= 1e-12) {
				t.Fatalf("the basis is not orthonormal: %v", mat.Formatted(&unit))
			}
			if i != j && (!(math.Abs(inputs.At(i, j)) <= 1e-12) || i < hidden && j < hidden && !(math.Abs(kernels.At(i, j)) <= 1e-12)) {
				t.Errorf("directions %d and %d are not apart: %g of the inputs, %g of the kernel", i, j, inputs.At(i, j), kernels.At(i, j))
			}
		}
	}
	o.c = linop.Identity(n)
	if v, better, err := o.best(ctx, own); better || v != own || err != nil {
		t.Errorf("inputs that have all directions alike get another basis than the kernel's (%v)", err)
	}
}
