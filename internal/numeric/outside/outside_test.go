package outside

import (
	"testing"

	"github.com/greenbench/workbench/numeric/dataset"
)

func TestParameters(t *testing.T) {
	data := []dataset.Scalar{{Name: "theta", Values: []float64{3, 1, 2}}, {Name: "phi", Values: []float64{-1, 1, 0}}}
	for _, c := range []struct {
		theta, phi []float64
		want       string
	}{
		{[]float64{2}, []float64{0}, ""},
		{[]float64{4}, []float64{-2}, ""}, // half the range beyond its ends
		{[]float64{30}, []float64{0}, "theta = 30 (data: [1, 3])"},
		{[]float64{-1}, []float64{2.5}, "theta = -1 (data: [1, 3]), phi = 2.5 (data: [-1, 1])"},
		{[]float64{2, 30}, []float64{0, 0}, "theta in [2, 30] (data: [1, 3])"},
	} {
		if got := Parameters([]dataset.Scalar{{Name: "theta", Values: c.theta}, {Name: "phi", Values: c.phi}}, data); got != c.want {
			t.Errorf("%v, %v: %q, want %q", c.theta, c.phi, got, c.want)
		}
	}
	if got := Parameters(Sample([]string{"theta"}, []float64{30}), data); got != "theta = 30 (data: [1, 3])" {
		t.Errorf("of one sample %q", got)
	}
}
