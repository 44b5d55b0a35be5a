package fit_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// BenchmarkEvaluate evaluates constrained estimates on about 200 × 200 points, those of
// their weights and others: G, predictions for 20 inputs, and a derivative.
func BenchmarkEvaluate(b *testing.B) {
	axis := func(n int, name string) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, name)) }
	other := func(n int, name string) mesh.Mesh { return mesh.Must(mesh.Uniform(.011, .973, n, name)) }
	k := func(n int) kernel.Kernel {
		l := make(kernel.Lengthscale, n)
		for i := range l {
			l[i] = .2
		}
		return kernel.Matern{Nu: 2.5, Lengthscale: l}
	}
	se := kernel.SE{Lengthscale: kernel.Lengthscale{.2}}
	inv, cau := constraint.TimeInvariant{Input: "s", Output: "t"}, constraint.Causal{Input: "s", Output: "t"}
	line := [4]mesh.Mesh{axis(200, "x"), axis(200, "y"), other(200, "x"), other(190, "y")}
	times := [4]mesh.Mesh{axis(200, "s"), axis(200, "t"), other(200, "s"), other(190, "t")}
	both := [4]mesh.Mesh{productOf(axis(14, "x"), axis(14, "s")), productOf(axis(14, "y"), axis(14, "t")), productOf(other(14, "x"), other(14, "s")), productOf(other(13, "y"), other(14, "t"))}
	plane := [4]mesh.Mesh{axis(200, "x"), productOf(axis(14, "y1"), axis(14, "y2")), other(200, "x"), productOf(other(14, "y1"), other(14, "y2"))}
	for _, c := range []struct {
		name string
		c    constraint.Constraint
		k    kernel.Kernel
		m    [4]mesh.Mesh
	}{
		{"none", nil, k(2), line},
		{"symmetric", constraint.Symmetric{Names: []string{"x", "y"}}, k(2), line},
		{"symmetric, smooth", constraint.Symmetric{Names: []string{"x", "y"}}, se, line},
		{"flip", constraint.Flip{Names: []string{"x", "y"}, About: .5}, k(2), line},
		{"causal", cau, k(2), times},
		{"invariant", inv, k(1), times},
		{"invariant, causal", constraint.List{inv, cau}, k(1), times},
		{"invariant, causal in space", constraint.List{inv, cau}, k(3), both},
		{"permuted outputs", constraint.Permute{Lists: [][]string{{"y1", "y2"}}}, k(3), plane},
	} {
		d := noise(b, 3, c.m[0], c.m[1])
		e := mustFit(b, fit.Spec{Data: d, Kernel: c.k, Constraint: c.c, Lambda: 1e-2, Tolerance: 1e-4, NoBias: true})
		for i, where := range []string{"own", "other"} {
			x, y := c.m[2*i], c.m[2*i+1]
			f := mat.NewDense(20, x.Size(), nil)
			f.Apply(func(i, j int, _ float64) float64 { return float64(i-j%7) / 10 }, f)
			bench := func(what string, do func() error) {
				b.Run(c.name+"/"+where+"/"+what, func(b *testing.B) {
					for b.Loop() {
						if err := do(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
			bench("green", func() error { _, err := e.Green(ctx, x, y); return err })
			bench("predict", func() error { _, err := e.Predict(ctx, f, x, y); return err })
			_, names := mesh.JointNames(e.InputMesh, e.OutputMesh)
			bench("slope", func() error { _, err := e.Diff(ctx, names[:1], elsewhere(x), elsewhere(y)); return err })
			bench("at", func() error { _, err := e.At(ctx, newPoint(x), newPoint(y)); return err })
		}
	}
}

func newPoint(m mesh.Mesh) []float64 { return make([]float64, m.Dim()) }
