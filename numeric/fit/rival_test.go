package fit_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Where the data leave open whether G has a kink, the bands of a kernel that was chosen know of
// the other one: they are wider than those of the chosen kernel alone, most where the kink is,
// and draws of G and of predictions have them, to five standard errors of 4000 draws. (How often
// they cover is found by TestDiagonalStudy of package noise.)
func TestBandsKnowOfTheKernelThatMayBeBetter(t *testing.T) {
	const n, m, draws = 20, 14, 4000
	d := pairs(t, mesh.Must(mesh.Uniform(0, 1, m, "x")), n, 0.2, 1)
	e := mustFit(t, fit.Spec{Data: d})
	if !strings.Contains(e.Report.Reason, "bands know that") {
		t.Fatalf("nothing is undecided: %s", e.Report.Reason)
	}
	alone := mustFit(t, fit.Spec{Data: d, Kernel: e.Kernel, Criterion: fit.LOO})
	in, _ := d.Matrices()
	f := mat.DenseCopyOf(in.Slice(0, 2, 0, m))
	for name, inputs := range map[string]*mat.Dense{"G": nil, "predictions": f} {
		band := func(e *fit.Estimate) []float64 {
			std, err := e.Std(ctx, mesh.Mesh{}, mesh.Mesh{})
			if inputs != nil {
				std, err = e.PredictStd(ctx, inputs, mesh.Mesh{}, mesh.Mesh{})
			}
			if err != nil {
				t.Fatal(err)
			}
			return std.RawMatrix().Data
		}
		wide, narrow, most := band(e), band(alone), 0.0
		drawn := testmain.Must(e.Deviate(ctx, fit.Draws{N: draws, Seed: 1, F: inputs}))(t)
		for k, v := range wide {
			most = max(most, v/narrow[k])
			square := 0.0
			for i := range draws {
				square += drawn.At(i, k) * drawn.At(i, k) / draws
			}
			if math.Abs(square/(v*v)-1) > 0.2 { // a mixture has a kurtosis of at most about 10
				t.Errorf("%s: value %d: band %.4g, draws have %.4g", name, k, v, math.Sqrt(square))
			}
		}
		if inputs == nil && most < 1.1 {
			t.Errorf("the widest band is %.3f times that of the chosen kernel alone", most)
		}
	}
}
