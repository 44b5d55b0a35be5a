package fit_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// bumpy is a kernel and a local one: a spot of amplitude 5 about (.5, .3), of which few
// points of a mesh see anything.
type bumpy struct {
	kernel.Kernel
	width float64
}

func (k bumpy) String() string { return fmt.Sprintf("%s and a bump of width %g", k.Kernel, k.width) }

func (k bumpy) Expr(p, q kernels.Point) (*expr.Node, error) {
	n, err := kernels.Symbolic(k.Kernel, p, q)
	if err != nil {
		return nil, err
	}
	bump := func(x []*expr.Node) *expr.Node {
		a, b := expr.Sub(x[0], expr.Const(.5)), expr.Sub(x[1], expr.Const(.3))
		square := expr.Add(expr.Mul(a, a), expr.Mul(b, b))
		return expr.Mul(expr.Const(5), expr.Exp(expr.Mul(expr.Const(-.5/(k.width*k.width)), square)))
	}
	return expr.Add(n, expr.Mul(n, expr.Mul(bump(p.X), bump(q.X)))), nil
}

// Kernels that are nearly diagonal on the mesh, or large on a spot of it, are fitted as
// by the dense matrix: the same objective and the same G, at the points of the mesh and
// between them, and nothing is lost in a prediction.
func TestLocalKernels(t *testing.T) {
	testmain.Long(t)
	chebyshev := func(n int) mesh.Mesh { return mesh.Must(mesh.Chebyshev(0, 1, n, "")) }
	l := kernel.Lengthscale{.03}
	se := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	for _, c := range []struct {
		k    kernel.Kernel
		mesh func(n int) mesh.Mesh
		n    int
	}{
		{kernel.Hat{Lengthscale: l}, chebyshev, 40},
		{kernel.SE{Lengthscale: kernel.Lengthscale{.0004}}, gauss, 36},
		{kernel.White{}, gauss, 40},
		{kernel.Kink{Base: se, Jump: kernel.Hat{Lengthscale: l}, Power: 1}, gauss, 40},
		{bumpy{se, .01}, interval, 40},
		{bumpy{se, .01}, gauss, 40},
	} {
		spec := fit.Spec{Data: small(t, 5, c.n, c.n, c.mesh, c.mesh), Kernel: c.k, Lambda: 1e-3, NoBias: true, Tolerance: 1e-12}
		got, err := fit.Fit(ctx, spec)
		if err != nil {
			t.Fatal(c.k, err)
		}
		spec.Structure = gram.Full
		want, err := fit.Fit(ctx, spec)
		if err != nil {
			t.Fatal(c.k, err)
		}
		near(t, fmt.Sprint(c.k, ": objective"), []float64{got.Report.Objective}, []float64{want.Report.Objective})
		own := testmain.Must(got.Green(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
		i, j := c.n/2, c.n/3
		at := testmain.Must(want.At(ctx, c.mesh(c.n).Points()[i:i+1], c.mesh(c.n).Points()[j:j+1]))(t)
		if v := own.At(i, j); at == 0 || !(math.Abs(v-at) <= 1e-8*math.Abs(at)) {
			t.Errorf("%s: G is %g on the mesh, must be %g", c.k, v, at)
		}
		if e := got.Report.StructureError; !(e < 1e-12) || got.Report.StructureShare == 0 {
			t.Errorf("%s: structure error %g in %g of the rows", c.k, e, got.Report.StructureShare)
		}
	}
}

// The gap has in it what the structure does to the objective. Far from zero the lags of
// a uniform mesh are equal but for rounding, and so is the Toeplitz matrix: the minimum
// of the dense matrix is below the objective by no more than the gap says, whatever is
// observed and known.
func TestGapCoversTheStructure(t *testing.T) {
	far := func(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(1e6, 1e6+1, n, "")) }
	near := func(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, "")) }
	moved := func(missing bool) *dataset.Dataset {
		d := small(t, 8, 24, 24, near, near)
		u := d.Output
		if missing {
			for i := 0; i < len(u.Data); i += 7 {
				u.Data[i] = math.NaN()
			}
		}
		return testmain.Must(dataset.New(dataset.Spec{Input: d.Input, Output: u, InputMesh: far(24), OutputMesh: far(24), Missing: missing}))(t)
	}
	for name, s := range map[string]fit.Spec{
		"free":       {Data: moved(false)},
		"no bias":    {Data: moved(false), NoBias: true},
		"missing":    {Data: moved(true)},
		"constraint": {Data: moved(false), Constraint: constraint.Symmetric{Names: []string{"x", "y"}}},
	} {
		s.Kernel, s.Lambda, s.Tolerance = kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.1}}, 1e-5, 1e-12
		s.Structure = gram.FFT
		got, err := fit.Fit(ctx, s)
		if err != nil {
			t.Fatal(name, err)
		}
		s.Structure = gram.Full
		want, err := fit.Fit(ctx, s)
		if err != nil {
			t.Fatal(name, err)
		}
		a, b := got.Report, want.Report
		if !(a.StructureError >= 1e-12) || b.StructureError != 0 {
			t.Errorf("%s: structure errors %g and %g: nothing is tried", name, a.StructureError, b.StructureError)
		}
		above := math.Abs(a.Objective - b.Objective)
		t.Logf("%s: structure error %.1e, %.1e from the minimum, gap %.1e (%.1e of the objective)", name, a.StructureError, above, a.Gap, a.Gap/a.Objective)
		if !(above <= a.Gap+b.Gap+1e-14*a.Objective) || !(a.Gap <= 1e-6*a.Objective) {
			t.Errorf("%s: %g from the minimum, gap %g", name, above, a.Gap)
		}
	}
}
