package assess_test

import (
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/assess"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// What a summary says of a fit on landmarks is of the outputs as they were given, of both sides or of one, as the definitions
// say, before it is saved and after.
func TestSummaryOnLandmarksByDefinition(t *testing.T) {
	few, many := line(9), line(14)
	for name, c := range map[string]struct{ x, y mesh.Mesh }{"both": {many, many}, "input": {many, few}, "output": {few, many}} {
		d := simulated(t, line(14), 12, pde.Poisson{Mesh: line(14)}, white(.2), 5)
		d.Input, d.InputMesh = inputs(t, c.x, 12, 5), c.x
		if c.y.Size() != many.Size() {
			_, u := d.Matrices()
			d.Output, d.OutputMesh = array.FromMatrix(mat.DenseCopyOf(u.Slice(0, 12, 0, c.y.Size()))), c.y
		}
		s := fit.Spec{Data: d, Kernel: matern(.3), Landmarks: 10, Lambda: 1e-3, NoBias: true} // β is no combination of the functions of the landmarks
		e := fitted(t, s)
		if r := e.Report; r.LandmarksX != min(10, c.x.Size()) || r.LandmarksY != min(10, c.y.Size()) {
			t.Fatalf("%s: landmarks %d × %d", name, r.LandmarksX, r.LandmarksY)
		}
		f, u := d.Matrices()
		r2 := testmain.Must(stats.R2(array.FromMatrix(testmain.Must(e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)), d.Output, c.y.Weights()))(t)
		n, my := u.Dims()
		var left, all float64
		for i := range n {
			rest := others(n, i)
			less, share := s, float64(n)/float64(n-1)
			less.Data, less.Lambda = testmain.Must(d.Select(rest))(t), s.Lambda*share
			v := testmain.Must(fitted(t, less).Predict(ctx, f.Slice(i, i+1, 0, c.x.Size()).(*mat.Dense), mesh.Mesh{}, mesh.Mesh{}))(t)
			for k, w := range c.y.Weights() {
				mean := 0.0
				for _, j := range rest {
					mean += u.At(j, k) / float64(n-1)
				}
				left, all = left+w*math.Pow(u.At(i, k)-v.At(0, k), 2), all+w*math.Pow(u.At(i, k)-mean, 2)
			}
		}
		path := filepath.Join(t.TempDir(), "e.npz")
		if err := e.SaveWithData(ctx, path); err != nil {
			t.Fatal(err)
		}
		for _, e := range []*fit.Estimate{e, testmain.Must(fit.Load(ctx, path))(t)} {
			got := testmain.Must(assess.Summarise(ctx, e, 1))(t)
			if got.Values != n*my || got.Noise != "white" || !(math.Abs(got.R2-r2) <= 1e-8) || !(math.Abs(got.R2Left-(1-left/all)) <= 1e-6) {
				t.Errorf("%s: R² %.12g, want %.12g, of left-out pairs %.12g, want %.12g\n%s", name, got.R2, r2, got.R2Left, 1-left/all, got)
			}
			if f := got.Terms[0].F; f != nil && !(*f > 0) {
				t.Errorf("%s: F %g", name, *f)
			}
		}
	}
}
