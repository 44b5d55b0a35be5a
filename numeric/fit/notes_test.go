package fit

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// noted is a fit of data with the outputs in rows, on a line of so many points.
func noted(t *testing.T, rows ...[]float64) *Spec {
	t.Helper()
	n, m := len(rows), len(rows[0])
	in, out := mat.NewDense(n, 4, nil), mat.NewDense(n, m, nil)
	missing := false
	for i, row := range rows {
		in.SetRow(i, []float64{1 + float64(i*i), -2, float64(i), .5})
		out.SetRow(i, row)
		for _, v := range row {
			missing = missing || math.IsNaN(v)
		}
	}
	x, y := mesh.Must(mesh.Uniform(0, 1, 4, "x")), mesh.Must(mesh.Trapezoid(axis(m), "y"))
	d := testmain.Must(dataset.New(dataset.Spec{Input: array.FromMatrix(in), Output: array.FromMatrix(out), InputMesh: x, OutputMesh: y, Missing: missing}))(t)
	return &Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{2}}}
}

// axis are points of which none has the weight of another.
func axis(m int) (at []float64) {
	for i := range m {
		at = append(at, float64(i)+.25*float64(i*i))
	}
	return at
}

// The mean of the outputs and their standard deviation are over pairs and the output, by the weights of its mesh and without what
// is missing; the misfit is over what the mean curve leaves, each square over its variance.
func TestMomentsOfOutputs(t *testing.T) {
	nan := math.NaN()
	for what, c := range map[string]struct {
		rows   [][]float64
		errors *dataset.Errors
	}{
		"complete": {[][]float64{{1, 2, 4}, {3, 3, 0}, {-1, 5, 2}}, nil},
		"missing":  {[][]float64{{1, 2, 4}, {3, nan, 0}, {-1, 5, nan}, {2, 2, 2}}, nil},
		"weights":  {[][]float64{{1, 2, 4}, {3, 3, 0}, {-1, 5, 2}}, &dataset.Errors{Pairs: []float64{1, 4, .25}, Points: []float64{1, .5, 2}}},
	} {
		s := noted(t, c.rows...)
		if c.errors != nil {
			s.Data = testmain.Must(s.Data.WithErrors(c.errors))(t)
		}
		w := s.Data.OutputMesh.Weights()
		length, sum, square := 0.0, 0.0, 0.0
		for _, row := range c.rows {
			for k, v := range row {
				if !math.IsNaN(v) {
					length, sum, square = length+w[k], sum+w[k]*v, square+w[k]*v*v
				}
			}
		}
		left := 0.0
		for k := range w {
			a, b := 0.0, 0.0
			of := func(i int) float64 { // of a value
				if c.errors == nil {
					return w[k]
				}
				return w[k] * c.errors.Pairs[i] * c.errors.Points[k]
			}
			for i, row := range c.rows {
				if !math.IsNaN(row[k]) {
					a, b = a+of(i), b+of(i)*row[k]
				}
			}
			for i, row := range c.rows {
				if !math.IsNaN(row[k]) {
					left += of(i) * (row[k] - b/a) * (row[k] - b/a)
				}
			}
		}
		r := &Report{MSE: .5}
		mean, spread, misfit := s.outputMoments(r)
		near(t, what+", mean", mean, sum/length)
		near(t, what+", spread", spread, math.Sqrt(square/length-mean*mean))
		near(t, what+", misfit", misfit, .5*float64(len(c.rows))/left)
	}
	same := noted(t, []float64{1, 2, 3}, []float64{1, 2, 3}, []float64{1, 2, 3})
	if _, spread, misfit := same.outputMoments(&Report{MSE: 1}); misfit != 0 || !(spread > .5) {
		t.Errorf("no pair differs: spread %g, misfit %g", spread, misfit)
	}
	two := noted(t, []float64{1, 2, 3}, []float64{2, 2, 3})
	if _, _, misfit := two.outputMoments(&Report{MSE: 1}); misfit != 0 {
		t.Errorf("two pairs: misfit %g", misfit)
	}
	of := noted(t, []float64{1, 2, 4}, []float64{3, 3, 0}, []float64{-1, 5, 2})
	of.Data = testmain.Must(of.Data.WithErrors(&dataset.Errors{Covariance: mat.NewSymDense(3, []float64{2, 1, 0, 1, 2, 1, 0, 1, 2})}))(t)
	if _, _, misfit := of.outputMoments(&Report{MSE: 1}); misfit != 0 {
		t.Errorf("errors that are correlated: misfit %g", misfit)
	}
}

// What is said of the data and the choices, each where it is so and not otherwise.
func TestNotesOfAFit(t *testing.T) {
	rows := func(offset float64) *Spec { // mean offset, spread of all one
		return noted(t, []float64{offset + 1, offset - 1}, []float64{offset - 1, offset + 1}, []float64{offset + 1, offset - 1}, []float64{offset - 1, offset + 1})
	}
	ok := Report{Objective: 2, Gap: 1e-9, MSE: .1}
	for what, c := range map[string]struct {
		s      *Spec
		change func(s *Spec, r *Report)
		want   string // "": nothing is said
	}{
		"nothing":                         {rows(0), func(s *Spec, r *Report) {}, ""},
		"a mean":                          {rows(11), func(s *Spec, r *Report) { s.Intercept = NoIntercept }, "the mean of the outputs, 11, is 11 times their spread"},
		"a mean below zero":               {rows(-11), func(s *Spec, r *Report) { s.Intercept = NoIntercept }, "the mean of the outputs, -11, is 11 times their spread"},
		"a small mean":                    {rows(9), func(s *Spec, r *Report) { s.Intercept = NoIntercept }, ""},
		"a mean with an intercept":        {rows(11), func(s *Spec, r *Report) { s.Intercept = Flat }, ""},
		"a mean without bias":             {rows(11), func(s *Spec, r *Report) { s.Intercept, s.NoBias = NoIntercept, true }, ""},
		"a wide certificate":              {rows(0), func(s *Spec, r *Report) { r.Gap = 4e-3 }, "the certificate is wide: the objective may be 0.2 % above"},
		"a certificate just not wide":     {rows(0), func(s *Spec, r *Report) { r.Gap = 1.9e-3 }, ""},
		"a wide certificate of adam":      {rows(0), func(s *Spec, r *Report) { r.Gap, r.Minimum = 4e-3, 1 }, ""},
		"a wide certificate of landmarks": {rows(0), func(s *Spec, r *Report) { r.Gap, r.LandmarksX = 4e-3, 1 }, ""},
		"a misfit":                        {rows(0), func(s *Spec, r *Report) { r.MSE = 1.7 * around(s) }, "the misfit is 1.7 times that of the mean curve"}, // of 4 pairs: times 3/4
		"a misfit by chance":              {rows(0), func(s *Spec, r *Report) { r.MSE = 1.5 * around(s) }, ""},
		"noise that is open":              {rows(0), func(s *Spec, r *Report) { r.NoiseOpen = true }, "sigma is open"},
		"noise of its own":                {rows(0), func(s *Spec, r *Report) { r.NoiseOpen, s.OwnNoise = true, true }, ""},
	} {
		r := ok
		c.change(c.s, &r)
		c.s.notes(&r)
		said := r.Advice
		if !strings.Contains(said, c.want) || (said == "") != (c.want == "") || strings.Contains(said, "\n") {
			t.Errorf("%s: %q, want %q", what, said, c.want)
		}
		if what == "noise of its own" && r.NoiseOpen {
			t.Errorf("%s is open", what)
		}
	}
}

// around is the mean square that the mean curve leaves.
func around(s *Spec) float64 { return s.aroundMeanCurve() / float64(s.Data.N()) }

// A few noisy values are said to make sigma what it is where the root of the mean variance is four times that of the median.
func TestNoteOfLoudValues(t *testing.T) {
	s := noted(t, []float64{1, 2, 4, 1, 1}, []float64{3, 3, 0, 2, 2}, []float64{-1, 5, 2, 0, 1})
	for weight, says := range map[float64]bool{1. / 40: false, 1. / 400: true} {
		own := *s
		own.Data = testmain.Must(s.Data.WithErrors(&dataset.Errors{Points: []float64{1, 1, 1, 1, weight}}))(t)
		var r Report
		own.noteLoud(&r)
		if (r.Advice != "") != says {
			t.Errorf("a weight of %g: %q", weight, r.Advice)
		}
		own.reweighted = true
		var of Report
		if own.noteLoud(&of); of.Advice != "" {
			t.Errorf("a weight of %g by a loss, whose sigma is of what is right: %q", weight, of.Advice)
		}
	}
	var r Report
	if s.noteLoud(&r); r.Advice != "" {
		t.Errorf("white noise: %q", r.Advice)
	}
}

// Data are refused that are so large or small that squares of products are no numbers, with what to divide by.
func TestDataOfNoScale(t *testing.T) {
	for _, c := range []struct {
		input, output float64
		want          string
	}{
		{1, 1, ""},
		{1e100, 1e-100, ""},
		{0, 0, ""},
		{1.1e100, 1, "the largest input is 1.1e+100"},
		{1, -1.1e100, "the largest output is 1.1e+100"},
		{.9e-100, 1, "divide the inputs by 1e-101"},
		{1, .9e-100, "the largest output is 9e-101"},
	} {
		s := noted(t, []float64{c.output, 0}, []float64{0, 0})
		s.Data.Input.Data = make([]float64, 8)
		s.Data.Input.Data[3] = c.input
		err := s.checkScale()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%g, %g: %v, want %q", c.input, c.output, err, c.want)
		}
	}
}
