package fit_test

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Inputs and outputs on different windows of time, as impulse responses have: a causal,
// time-invariant G is learned on lags of both signs, by the same convolutions, and is that
// of the dense route; lengthscales and λ can be left open. Steps that rounding makes uneven
// are no obstacle, and windows that the mirrored lags do not meet go by the expression.
func TestWindowsOfTime(t *testing.T) {
	inv, cau := constraint.TimeInvariant{Input: "s", Output: "t"}, constraint.Causal{Input: "s", Output: "t"}
	window := func(a, b float64, n int, name string) mesh.Mesh { return mesh.Must(mesh.Uniform(a, b, n, name)) }
	for _, c := range []struct {
		name    string
		s, t    mesh.Mesh
		c       constraint.Constraint
		offGrid bool
	}{
		{"burn-in", window(0, 12, 13, "s"), window(5, 12, 8, "t"), constraint.List{inv, cau}, false},
		{"burn-in, tenths", window(0, 1.2, 13, "s"), window(.3, 1.2, 10, "t"), constraint.List{cau, inv}, false},
		{"output longer", window(0, 3, 4, "s"), window(-2, 6, 9, "t"), constraint.List{inv, cau}, false},
		{"later", window(0, 3, 4, "s"), window(10, 14, 5, "t"), constraint.List{inv, cau}, false},
		{"anticausal", window(3, 9, 7, "s"), window(0, 8, 9, "t"), constraint.List{inv, constraint.Anticausal{Input: "s", Output: "t"}}, false},
		{"no mask", window(0, 12, 13, "s"), window(5, 12, 8, "t"), inv, false},
		{"half steps apart", window(0, 6, 7, "s"), window(2.5, 6.5, 5, "t"), constraint.List{inv, cau}, false},
		{"thirds of a step apart", window(0, 6, 7, "s"), window(2+1./3, 6+1./3, 5, "t"), constraint.List{inv, cau}, true},
	} {
		d := noise(t, 4, c.s, c.t)
		for _, bias := range []bool{false, true} {
			spec := fit.Spec{Data: d, Kernel: kernel.Exponential{Lengthscale: kernel.Lengthscale{2.3}}, Constraint: c.c, Lambda: 1e-3, NoBias: !bias, Tolerance: 1e-13}
			got, err := fit.Fit(ctx, spec)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if off := strings.Contains(got.Report.Reason, "part of the kernel's expression"); off != c.offGrid {
				t.Errorf("%s: %s", c.name, got.Report.Reason)
			}
			spec.Dense = true
			want := testmain.Must(fit.Fit(ctx, spec))(t)
			close8(t, c.name+": objective", []float64{got.Report.Objective}, []float64{want.Report.Objective})
			g := testmain.Must(got.Green(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
			w := testmain.Must(want.Green(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
			close8(t, c.name+": G", g.RawMatrix().Data, w.RawMatrix().Data)
			f := testmain.Must(d.Input.Matrix())(t)
			checkPredictions(t, got, want, f)
		}
		for _, k := range []kernel.Kernel{kernel.Exponential{Lengthscale: kernel.Lengthscale{2.3}}, kernel.Exponential{}} {
			e, err := fit.Fit(ctx, fit.Spec{Data: d, Kernel: k, Constraint: c.c})
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, k, err)
			} else if !e.Report.Converged {
				t.Errorf("%s, %s: %s", c.name, k, e.Report)
			}
		}
	}
}
