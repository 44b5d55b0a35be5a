package fit_test

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The misfit of pairs that are all the same is not compared with the rounding of their mean, which it may exceed by any factor.
func TestSamePairsHaveNoMeanToBeWorseThan(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 8, "x"))
	for _, unit := range []float64{1, 1e-20, 1e20} {
		f, u := array.New(10, 8), array.New(10, 8)
		for i := range f.Data {
			x := float64(i%8) / 7
			f.Data[i], u.Data[i] = math.Cos(3*x), unit*math.Exp(x)/3
		}
		d, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: m, OutputMesh: m})
		if err != nil {
			t.Fatal(err)
		}
		for _, lambda := range []float64{1e-3, 1e-9} {
			e, err := fit.Fit(t.Context(), fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}, Lambda: lambda})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(e.Report.Advice, "the misfit is") {
				t.Errorf("unit %g, lambda %g: %s", unit, lambda, e.Report.Advice)
			}
		}
	}
}
