package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// holes returns the dataset with a third of the outputs of every second pair missing.
func holes(t *testing.T, d *dataset.Dataset) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 8))
	out := d.Output.Copy()
	for i := range out.Data {
		if (i/out.Shape[1])%2 == 1 && rng.Float64() < 1./3 {
			out.Data[i] = math.NaN()
		}
	}
	return testmain.Must(dataset.New(dataset.Spec{Input: d.Input, Output: out, InputMesh: d.InputMesh, OutputMesh: d.OutputMesh, Missing: true}))(t)
}

// With missing outputs the objective is that of the dense system with their rows
// and columns removed, and so are the predictions.
func TestMissingOutputs(t *testing.T) {
	const lambda = 1e-3
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	for _, n := range []int{5, 14} {
		full := small(t, n, 8, 6, gauss, interval)
		d := holes(t, full)
		e := mustFit(t, fit.Spec{Data: d, Kernel: k, Lambda: lambda, Tolerance: 1e-13})

		h, u := denseSystem(t, full, k, lambda)
		var keep []int
		for i, v := range d.Output.Data {
			if !math.IsNaN(v) {
				keep = append(keep, i)
			}
		}
		hs, us := mat.NewSymDense(len(keep), nil), mat.NewVecDense(len(keep), nil)
		for a, i := range keep {
			us.SetVec(a, u.AtVec(i))
			for b := a; b < len(keep); b++ {
				hs.SetSym(a, b, h.At(i, keep[b]))
			}
		}
		var ch mat.Cholesky
		if !ch.Factorize(hs) {
			t.Fatal("dense matrix is not positive definite")
		}
		var z mat.VecDense
		if err := ch.SolveVecTo(&z, us); err != nil {
			t.Fatal(err)
		}
		// At the minimum the objective is ⟨T, Z⟩.
		near(t, "objective", []float64{e.Report.Objective}, []float64{mat.Dot(us, &z)})
		if missing := fmt.Sprintf("; %d of %d outputs are missing", 6*n-len(keep), 6*n); !strings.Contains(e.Report.Reason, missing) {
			t.Errorf("n = %d: %s, want %s", n, e.Report.Reason, missing)
		}
		if e.Report.Unknowns != len(keep) || !(e.Report.Residual <= 1e-12) {
			t.Errorf("n = %d: %d unknowns of %d, residual %.1e", n, e.Report.Unknowns, len(keep), e.Report.Residual)
		}
		// The misfit at every observed value is its z.
		f := testmain.Must(full.Input.Matrix())(t)
		p := testmain.Must(e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
		dy := full.OutputMesh.Weights()
		var got, want []float64
		for a, i := range keep {
			got = append(got, (full.Output.Data[i]-p.RawMatrix().Data[i])*math.Sqrt(dy[i%len(dy)]/float64(n)))
			want = append(want, z.AtVec(a))
		}
		near(t, "misfit", got, want)
	}
}

// λ and lengthscales left open are chosen from all that was observed, and where that is
// too much for a matrix from the complete pairs; the criteria of these are not those of
// the fit.
func TestMissingOutputsWithEverythingAutomatic(t *testing.T) {
	d := holes(t, small(t, 20, 8, 6, gauss, interval))
	e := mustFit(t, fit.Spec{Data: d, Kernel: kernel.SE{}})
	if e.Report.Criterion != "reml" || e.Report.REML == nil || kernels.IsAuto(e.Kernel) {
		t.Errorf("criterion %q, kernel %s", e.Report.Criterion, e.Kernel)
	}
	e = mustFit(t, fit.Spec{Data: holes(t, small(t, 840, 8, 6, gauss, interval)), Kernel: kernel.SE{}})
	if !strings.Contains(e.Report.Criterion, "complete pairs") || e.Report.REML != nil || kernels.IsAuto(e.Kernel) {
		t.Errorf("criterion %q, kernel %s", e.Report.Criterion, e.Kernel)
	}
}

// Where hardly any pair is complete, λ and lengthscales are chosen from all that was
// observed.
func TestMissingOutputsEverywhere(t *testing.T) {
	d := small(t, 20, 8, 6, gauss, interval)
	u := d.Output.Copy()
	for i := range d.N() {
		u.Set(math.NaN(), i, i%6)
	}
	h := testmain.Must(dataset.New(dataset.Spec{Input: d.Input, Output: u, InputMesh: d.InputMesh, OutputMesh: d.OutputMesh, Missing: true}))(t)
	e, all := mustFit(t, fit.Spec{Data: h, Kernel: kernel.SE{}}), mustFit(t, fit.Spec{Data: d, Kernel: kernel.SE{}})
	if e.Report.Criterion != "reml" || kernels.IsAuto(e.Kernel) {
		t.Errorf("criterion %q, kernel %s", e.Report.Criterion, e.Kernel)
	}
	if r := e.Report.Lambda / all.Report.Lambda; !(r >= .2) || !(r <= 5) {
		t.Errorf("λ %.3g with a sixth missing, %.3g of all", e.Report.Lambda, all.Report.Lambda)
	}
}

// Leaving out whole samples is refused where its closed form does not hold and the data
// One value that was observed is the free intercept's: no λ is better than another, which is said. Without
// one it is G's.
func TestOneObservedValue(t *testing.T) {
	d := small(t, 5, 8, 6, gauss, interval)
	for i := range d.Output.Data[1:] {
		d.Output.Data[1+i] = math.NaN()
	}
	d = testmain.Must(dataset.New(dataset.Spec{Input: d.Input, Output: d.Output, InputMesh: d.InputMesh, OutputMesh: d.OutputMesh, Missing: true}))(t)
	s := fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}}
	if _, err := fit.Fit(ctx, s); err == nil || !strings.Contains(err.Error(), "a free intercept fits every output by itself") {
		t.Errorf("with a free intercept: %v", err)
	}
	s.NoBias = true
	if e := mustFit(t, s); !e.Report.Converged {
		t.Error("without: not converged")
	}
}

// are too many for a matrix.
func TestLeaveOneOutIsRefused(t *testing.T) {
	few := small(t, 840, 8, 6, gauss, interval)
	few.Missing = true
	for i := range few.N() {
		few.Output.Set(math.NaN(), i, i%6)
	}
	for _, s := range []fit.Spec{
		{Data: few},
		{Data: small(t, 60, 60, 40, interval, interval), Constraint: constraint.Symmetric{Names: []string{"x", "y"}}},
	} {
		s.Kernel, s.Criterion = kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, fit.LOO
		if _, err := fit.Fit(ctx, s); err == nil || !strings.Contains(err.Error(), `choose "reml", "gcv" or "cv"`) {
			t.Errorf("error %v", err)
		}
	}
}

// A penalty that leaves nothing but noise: its standard deviation is the root mean
// square of the outputs that are there, by the weights of the mesh.
func TestNoiseOfMissingOutputs(t *testing.T) {
	d := holes(t, small(t, 20, 8, 6, gauss, gauss))
	e := mustFit(t, fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Lambda: 1e12})
	var square, size float64
	for i, u := range d.Output.Data {
		if w := d.OutputMesh.Weights()[i%6]; !math.IsNaN(u) {
			square, size = square+w*u*u, size+w
		}
	}
	near(t, "noise", []float64{e.Report.Sigma}, []float64{math.Sqrt(square / size)})
}

// The preconditioner for what is observed is as good as that of the complete system:
// exact when the kernel is separable, whatever λ, and otherwise within a few
// iterations more.
func TestIterationsWithMissingOutputs(t *testing.T) {
	full := small(t, 40, 30, 25, gauss, interval)
	d := holes(t, full)
	for _, c := range []struct {
		k    kernel.Kernel
		most int // iterations more than without holes
	}{
		{kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, 3},
		{kernel.Exponential{Lengthscale: kernel.Lengthscale{.3}}, 20},
	} {
		for _, lambda := range []float64{1e-3, 1e-8} {
			whole := mustFit(t, fit.Spec{Data: full, Kernel: c.k, Lambda: lambda, Tolerance: 1e-9})
			e := mustFit(t, fit.Spec{Data: d, Kernel: c.k, Lambda: lambda, Tolerance: 1e-9})
			if got, least := e.Report.Iterations, whole.Report.Iterations; !e.Report.Converged || got > least+c.most {
				t.Errorf("%s, λ = %g: %d iterations, %d without holes, converged %t", c.k, lambda, got, least, e.Report.Converged)
			}
		}
	}
}
