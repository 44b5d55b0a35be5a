package assess

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The bands of an estimate hold 95 % of G if G is distributed as the estimate itself has it, and of another's what the normal
// distribution of each value has between the ends of its band, in the mean.
func TestShareThatBandsHoldByDefinition(t *testing.T) {
	ctx := t.Context()
	m := mesh.Must(mesh.Uniform(0, 1, 5, "x"))
	in, out := array.New(6, 5), array.New(6, 5)
	for i := range in.Data {
		in.Data[i] = math.Sin(float64(7 * i * i))
		out.Data[i] = in.Data[i] + .1*math.Cos(float64(3*i*i))
	}
	d, err := dataset.New(dataset.Spec{Input: in, Output: out, InputMesh: m, OutputMesh: m})
	if err != nil {
		t.Fatal(err)
	}
	var of [2]*fit.Estimate
	var mean, std [2]*mat.Dense
	for i, l := range []float64{.3, 1} {
		if of[i], err = fit.Fit(ctx, fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{l}}, Lambda: .01}); err != nil {
			t.Fatal(err)
		}
		if mean[i], err = of[i].Green(ctx, m, m); err != nil {
			t.Fatal(err)
		}
		if std[i], err = of[i].Std(ctx, m, m); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 2 {
		for j := range 2 {
			got, err := heldIf(ctx, of[i], of[j], d)
			if err != nil {
				t.Fatal(err)
			}
			want := 0.0
			for k, g := range mean[i].RawMatrix().Data {
				below := func(v float64) float64 {
					return math.Erfc(-(v-mean[j].RawMatrix().Data[k])/std[j].RawMatrix().Data[k]/math.Sqrt2) / 2
				}
				half := 1.959963984540054 * std[i].RawMatrix().Data[k]
				want += (below(g+half) - below(g-half)) / 25
			}
			if i == j {
				want = .95
			}
			if !(math.Abs(got-want) <= 1e-9) {
				t.Errorf("of estimate %d as %d has it bands hold %.12g, want %.12g", i+1, j+1, got, want)
			}
		}
	}
}
