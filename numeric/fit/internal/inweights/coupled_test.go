package inweights

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// noise is n pairs of independent random numbers on mx × ns and my × nt points: the worst of samples.
func noise(t *testing.T, n, mx, ns, my, nt int) *dataset.Dataset {
	t.Helper()
	on := func(name, time string, m, mt int) mesh.Mesh {
		space, times := mesh.Must(mesh.Uniform(0, 1, m, name)), mesh.Must(mesh.Uniform(0, float64(mt-1)/10, mt, time))
		return testmain.Must(mesh.New(append(space.Axes(), times.Axes()...)...))(t)
	}
	d := &dataset.Dataset{InputMesh: on("x", "s", mx, ns), OutputMesh: on("y", "t", my, nt)}
	for i, a := range []**array.Array{&d.Input, &d.Output} {
		v := testmain.Must(randfield.Normal(uint64(7+i), n, []int{mx * ns, my * nt}[i]))(t)
		*a = v
	}
	return d
}

// With the modes of which the data say most coupled as the data couple them, GMRES takes at most half the
// iterations that it takes with a diagonal preconditioner, to the same weights: with and without causality,
// and for missing outputs, where the coupling is that of complete ones.
func TestCoupledModes(t *testing.T) {
	time := constraint.TimeInvariant{Input: "s", Output: "t"}
	for _, c := range []struct {
		constraint constraint.List
		missing    bool
	}{
		{constraint.List{time}, false},
		{constraint.List{time, constraint.Causal{Input: "s", Output: "t"}}, false},
		{constraint.List{time}, true},
	} {
		d := noise(t, 20, 5, 9, 4, 12)
		if d.Missing = c.missing; c.missing {
			for i := 0; i < len(d.Output.Data); i += 13 {
				d.Output.Data[i] = math.NaN()
			}
		}
		s := &problem.Setting{Data: d, Kernel: kernel.Exponential{Lengthscale: kernel.Lengthscale{.3}}, Constraint: c.constraint}
		w, _, err := NewSpace(t.Context(), s, latticeAt(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.precondition(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		w = w.At(problem.At(1e-5, 1e-5))
		weights, plain := gmres(t, w, &coupling{lambda: w.Lambda})
		if err := w.couple(t.Context()); err != nil {
			t.Fatal(err)
		}
		same, coupled := gmres(t, w, w.coupling)
		if d := floats.Distance(weights, same, 2); !(d <= 1e-6*floats.Norm(weights, 2)) {
			t.Errorf("%v: weights differ by %.1e of %.1e", c.constraint, d, floats.Norm(weights, 2))
		}
		if 2*coupled > plain {
			t.Errorf("%v: %d iterations with coupled modes, %d with a diagonal", c.constraint, coupled, plain)
		}
	}
}

// gmres solves a fit in the space of the weights with a coupling.
func gmres(t *testing.T, w *Space, c *coupling) (weights []float64, iterations int) {
	t.Helper()
	at := *w
	at.coupling = c
	scaled := at.balanced()
	b := scaled.folded(at.RightHandSide(context.Background()))
	scaled.rows(b)
	x := make([]float64, len(b))
	how, err := solve.GMRES{Tolerance: 1e-10, Preconditioner: balancedPreconditioner{scaled}}.Solve(t.Context(), scaled, x, b)
	if err != nil || !(how.Residual <= 1.1e-10) {
		t.Fatal(how.Reason, err)
	}
	return scaled.unfolded(x), how.Iterations
}
