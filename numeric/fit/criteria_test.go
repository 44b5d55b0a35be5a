package fit_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The criteria are those of their definitions, for a separable kernel whose
// output factor is the bias kernel, where the diagonal is exact: REML from the
// determinant of the dense matrix, GCV from the trace of its inverse, LOO by
// leaving out one sample after the other.
func TestCriteriaAreTheirDefinitions(t *testing.T) {
	const n, my, lambda = 6, 4, 1e-3
	d := small(t, n, 9, my, interval, interval)
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	e := mustFit(t, fit.Spec{Data: d, Kernel: k, Lambda: lambda})

	h, u := denseSystem(t, d, k, lambda)
	var ch mat.Cholesky
	if !ch.Factorize(h) {
		t.Fatal("dense matrix is not positive definite")
	}
	var z mat.VecDense
	if err := ch.SolveVecTo(&z, u); err != nil {
		t.Fatal(err)
	}
	size := float64(n * my)
	reml := 0.5 * (size*math.Log(mat.Dot(u, &z)/size) + ch.LogDet())
	var inverse mat.SymDense
	if err := ch.InverseTo(&inverse); err != nil {
		t.Fatal(err)
	}
	gcv := size * mat.Dot(&z, &z) / math.Pow(mat.Trace(&inverse), 2)
	if !(math.Abs(*e.Report.REML-reml) <= 1e-9*math.Abs(reml)) {
		t.Errorf("REML %.12g, from the determinant %.12g", *e.Report.REML, reml)
	}
	if !(math.Abs(*e.Report.GCV-gcv) <= 1e-9*gcv) {
		t.Errorf("GCV %.12g, from the trace %.12g", *e.Report.GCV, gcv)
	}
}

// denseSystem is (A ⊗ D^½) K (A ⊗ D^½)ᵀ/λ + bias + I on all n × my values, and the
// scaled outputs.
func denseSystem(t *testing.T, d *dataset.Dataset, k kernel.Kernel, lambda float64) (*mat.SymDense, *mat.VecDense) {
	t.Helper()
	f := testmain.Must(kernels.Compile(k, kernel.Space{Names: []string{"x", "y"}, Inputs: 1}))(t)
	x, y := d.InputMesh.Points(), d.OutputMesh.Points()
	dx, dy := d.InputMesh.Weights(), d.OutputMesh.Weights()
	n, my := d.N(), len(y)
	h, u := mat.NewSymDense(n*my, nil), mat.NewVecDense(n*my, nil)
	for a := range n * my {
		i, p := a/my, a%my
		u.SetVec(a, d.Output.Data[a]*math.Sqrt(dy[p]/float64(n)))
		for b := a; b < n*my; b++ {
			j, q := b/my, b%my
			s := f.At([]float64{.5, y[p]}, []float64{.5, y[q]}) // the bias: a constant input
			for r := range x {
				for c := range x {
					s += d.Input.At(i, r) * dx[r] * d.Input.At(j, c) * dx[c] * f.At([]float64{x[r], y[p]}, []float64{x[c], y[q]})
				}
			}
			s *= math.Sqrt(dy[p]*dy[q]) / float64(n) / lambda
			if a == b {
				s++
			}
			h.SetSym(a, b, s)
		}
	}
	return h, u
}

// Leaving out one sample after the other, with the weight of each sample kept,
// gives the LOO value at the chosen λ.
func TestLeaveOneOutIsLeavingOneOut(t *testing.T) {
	const n = 6
	d := small(t, n, 9, 4, interval, interval)
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	e := mustFit(t, fit.Spec{Data: d, Kernel: k})
	dy := d.OutputMesh.Weights()
	sum := 0.0
	for i := range n {
		rest, left := without(t, d, i)
		// λ and ρ multiply a mean over n - 1 samples here and over n there.
		const more = float64(n) / (n - 1)
		est := mustFit(t, fit.Spec{Data: rest, Kernel: k, Lambda: more * e.Report.Lambda, Rho: more * e.Report.Rho, Intercept: fit.Flat, Tolerance: 1e-12})
		f := testmain.Must(left.Input.Matrix())(t)
		u := testmain.Must(est.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
		for q, w := range dy {
			r := left.Output.Data[q] - u.At(0, q)
			sum += r * r * w / n
		}
	}
	want := sum / float64(n*len(dy))
	if !(math.Abs(*e.Report.LOO-want) <= 1e-7*want) {
		t.Errorf("LOO %.12g, by leaving out %.12g", *e.Report.LOO, want)
	}
}

// without returns the pairs but the i-th, and the i-th.
func without(t *testing.T, d *dataset.Dataset, i int) (rest, left *dataset.Dataset) {
	t.Helper()
	cut := func(a *array.Array) *array.Array {
		m := a.Shape[1]
		data := append(append([]float64(nil), a.Data[:i*m]...), a.Data[(i+1)*m:]...)
		return &array.Array{Shape: []int{a.Shape[0] - 1, m}, Data: data}
	}
	rest = testmain.Must(dataset.New(dataset.Spec{Input: cut(d.Input), Output: cut(d.Output), InputMesh: d.InputMesh, OutputMesh: d.OutputMesh}))(t)
	left = testmain.Must(d.Rows(i, i+1))(t)
	return rest, left
}
