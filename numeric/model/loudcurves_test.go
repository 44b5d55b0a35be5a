package model_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/model"
)

// Beside noise that is correlated along the output, loud points and loud samples are found for models of two functions as for
// pairs: each G is about as near the truth as that of the model which is given the covariance, within what the two differ by in
// one small data set, and its bands hold. In other units the same is found.
func TestLoudCurvesOfModels(t *testing.T) {
	testmain.Long(t)
	for _, c := range []struct{ shape, says string }{
		{"AR(1) .9, sd × 30 along y", "along the output"},
		{"AR(1) .9, sd by curve .3/1.95", "from pair to pair"},
	} {
		shapes := noiseShapes()
		two := newOfTwo(t, shapes[slices.IndexFunc(shapes, func(s noiseShape) bool { return s.name == c.shape })], 24, 10, 1)
		fit := func(s model.Spec) *model.Output { return testmain.Must(model.Fit(t.Context(), s))(t).Outputs[0] }
		o, best := fit(two.spec(false)), fit(two.spec(true))
		if r := o.Report.Reason; !strings.Contains(r, "is correlated: a random curve of") || !strings.Contains(r, c.says) {
			t.Errorf("%s: %s", c.shape, r)
		}
		for _, name := range []string{"f", "g"} {
			off, covered := two.off(t, o, name)
			least, _ := two.off(t, best, name)
			if !(off < 1.35*least) || !(covered > .85) {
				t.Errorf("%s, %s: off by %.4f, where the noise is known %.4f; bands cover %.3f", c.shape, name, off, least, covered)
			}
		}
		if c.says == "from pair to pair" {
			continue
		}
		s, d := two.spec(false), *two.d
		d.Outputs = []dataset.Field{two.d.Outputs[0]}
		d.Outputs[0].Values = two.d.Outputs[0].Values.Map(func(v float64) float64 { return 1e9 * v })
		s.Data = &d
		if got := fit(s).Report.Reason; got != o.Report.Reason {
			t.Errorf("%s, times 1e9: %s; as it is: %s", c.shape, got, o.Report.Reason)
		}
	}
}
