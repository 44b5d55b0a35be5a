package noise_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Bands of few values are means over penalties and kernels that the data allow. The noise of a new observation is of the size of
// the report in that mean, too, whatever noise and loss are, where one pair is loud, and in every unit.
func TestNoiseOfFewValues(t *testing.T) {
	auto, known := kernel.Kernel(nil), kernel.Kernel(kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.4}})
	for name, c := range map[string]noise.Choice{
		"white": {}, "diagonal": {Kind: noise.Diagonal}, "auto": {Kind: noise.Auto}, "curves": {Kind: noise.Curves, Kernel: kernel.Exponential{Lengthscale: kernel.Auto}},
		"huber": {Huber: true}, "huber, diagonal": {Kind: noise.Diagonal, Huber: true},
	} {
		for of, k := range map[string]kernel.Kernel{"a kernel that is known": known, "a kernel that is chosen": auto} {
			for _, unit := range []float64{1, 1e6} {
				if !testmain.EveryCase() && name != "diagonal" && (unit != 1 || of != "a kernel that is known") || !testmain.EveryCase() && unit != 1 && of != "a kernel that is known" {
					continue
				}
				d := *simulate(poisson, shape{pair: func(i int) float64 { return 1 + 9*float64(max(0, 1-i)) }}, 14, 7, .2, 3).d
				d.Output = d.Output.Copy()
				floats.Scale(unit, d.Output.Data)
				s := specOf(&d)
				s.Kernel = k
				e := learn(t, s, c)
				got := testmain.Must(e.NoiseDeviation(t.Context()))(t)
				if ratio := got / e.Report.Sigma; !(math.Abs(math.Log(ratio)) < math.Log(1.25)) {
					t.Errorf("%s, %s, unit %g: the noise of a new observation is %.3g of sigma, %s", name, of, unit, ratio, e.Report.Reason)
				}
			}
		}
	}
}
