package fit_test

import (
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Whoever writes to the arrays of the data after a fit is told so by all that needs them: bands, residuals, the objective,
// a file with the data, and the criteria at a given λ; what the weights answer is as it was. Written back, they are the same data.
func TestDataAreWrittenTo(t *testing.T) {
	d := noise(t, 9, interval(7), interval(6))
	s := fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, Lambda: 1e-2}
	e, err := fit.Minimise(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	before := testmain.Must(e.Green(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
	uses := map[string]func() error{
		"std":       func() error { _, err := e.Std(ctx, mesh.Mesh{}, mesh.Mesh{}); return err },
		"residuals": func() error { _, err := e.Residuals(ctx); return err },
		"span":      func() error { _, err := e.Span(ctx, mat.NewDense(1, 7, nil), 1e-6); return err },
		"beside":    func() error { _, err := e.Beside(ctx, make([]float64, 7)); return err },
		"data":      func() error { _, _, _, err := e.Fitted(ctx); return err },
		"objective": func() error { _, err := e.Objective(ctx); return err },
		"file":      func() error { return e.SaveWithData(ctx, filepath.Join(t.TempDir(), "e.npz")) },
	}
	for _, a := range [][]float64{d.Input.Data, d.Output.Data} {
		for _, i := range []int{0, 2, len(a) - 1} {
			was := a[i]
			a[i] += 1e-9
			for name, use := range uses {
				if err := use(); err == nil || !strings.Contains(err.Error(), "written to after the fit") {
					t.Errorf("%s of data that changed: %v", name, err)
				}
			}
			fresh, err := fit.Minimise(ctx, s)
			if err != nil {
				t.Fatal(err)
			}
			a[i] = was
			r, err := fresh.Report.Measured(ctx)
			if err != nil || r.REML != nil || r.LOO != nil || !strings.Contains(r.Advice, "written to after the fit") {
				t.Errorf("criteria of data that changed: %v, %v, %v, %q", err, r.REML, r.LOO, r.Advice)
			}
		}
	}
	for name, use := range uses {
		if err := use(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r, err := e.Report.Measured(ctx); err != nil || r.REML == nil {
		t.Errorf("criteria: %v, %v", r.REML, err)
	}
	if after := testmain.Must(e.Green(ctx, mesh.Mesh{}, mesh.Mesh{}))(t); !mat.Equal(before, after) {
		t.Error("G is another one")
	}
}
