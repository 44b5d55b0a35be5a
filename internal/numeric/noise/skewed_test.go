package noise_test

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/noise"
)

// Where so many values are off on one side that they are taken for noise, the report says that residuals are skewed, and to which side;
// not where nothing is off, nor where those that are were found.
func TestSkewedResidualsAreSaid(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape shape
		says  bool
	}{
		{"30 % above", shape{outlier: .3, oneWay: true}, true},
		{"5 % above", shape{outlier: .05, oneWay: true}, false},
		{"5 % on both sides", shape{outlier: .05}, false},
		{"nothing", shape{huber: true}, false},
	} {
		for seed := range uint64(3) {
			data := simulate(helmholtz, c.shape, 40, 16, .3, 8200+seed)
			e := learn(t, specOf(data.d), noise.Choice{Huber: true})
			said := strings.Contains(e.Report.Advice, "residuals are skewed")
			if said != c.says || said && !strings.Contains(e.Report.Advice, "tail above") || said != (len(e.Report.Limits) > 0) {
				t.Errorf("%s, seed %d: error %.2f; %q", c.name, seed, off(t, e, data), e.Report.Advice)
			}
		}
	}
}

// Noise of data with missing outputs is found up to as many as the likelihood is exact for, and refused in true words beyond.
func TestNoiseOfMissingOutputs(t *testing.T) {
	for points, refused := range map[int]bool{8: false, 181: true} {
		data := simulate(poisson, shape{ar: .9}, 12, points, .3, 3)
		data.d.Missing = true
		data.d.Output.Data[5] = math.NaN()
		_, err := noise.Fit(t.Context(), specOf(data.d), noise.Choice{Kind: noise.Auto})
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), "2171 of 2172 outputs were observed") {
			t.Errorf("%d points: %v", points, err)
		}
	}
}
