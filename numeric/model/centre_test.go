package model_test

import (
	"math"
	"slices"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model"
)

// A covariate is less its mean where another term has the rest: the bias, or the function or group of a product. Otherwise it
// is as it was given.
func TestWhereTheMeanOfACovariateIs(t *testing.T) {
	d := everything(t, 9, false, false)
	z := d.Scalar("age").Values
	mean := 0.0
	for _, v := range z {
		mean += v / float64(len(z))
	}
	f := d.Field("f")
	for _, c := range []struct {
		terms   []string
		noBias  bool
		centred bool
	}{
		{[]string{"age"}, false, true},
		{[]string{"age"}, true, false},
		{[]string{"age*f"}, false, false},
		{[]string{"age*f", "age"}, true, false},
		{[]string{"age*f", "f"}, false, true},
		{[]string{"age*f", "f"}, true, true},
		{[]string{"age*who"}, false, false},
		{[]string{"age*who", "who"}, false, true},
		{[]string{"age*who", "who"}, true, true},
	} {
		s := model.Spec{Data: d, Terms: c.terms, Kernels: map[string]kernel.Kernel{}, Amplitudes: map[string]float64{}, Lambda: 1e-2, NoBias: c.noBias}
		for _, name := range c.terms {
			s.Kernels[name], s.Amplitudes[name] = givenKernels()[name], 1
		}
		columns, on := testmain.Must(model.Fit(t.Context(), s))(t).Outputs[0].Terms[0].Columns()
		for i, v := range z {
			if c.centred {
				v -= mean
			}
			want := []float64{v}
			switch c.terms[0] {
			case "age*f":
				want = slices.Clone(f.Values.Data[i*on.Size() : (i+1)*on.Size()])
				for j := range want {
					want[j] *= v
				}
			case "age*who":
				want = make([]float64, on.Size())
				want[d.Groups[0].Of[i]] = v
			}
			for j, w := range want {
				if got := columns.At(i, j); math.Abs(got-w) > 1e-12 {
					t.Fatalf("%v, no bias %v: sample %d has %g in column %d, want %g", c.terms, c.noBias, i, got, j, w)
				}
			}
		}
	}
}
