package prepare_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Curves that each have points of their own are summarised as measured, drawn, and put
// together with others.
func TestCurves(t *testing.T) {
	curve := func(n int, scale float64) dataset.Curve {
		var c dataset.Curve
		for k := range n {
			c.Points, c.Values = append(c.Points, float64(k)/float64(n-1)), append(c.Values, scale*float64(k))
		}
		return c
	}
	d, err := dataset.NewCurves(dataset.CurvesSpec{Input: []dataset.Curve{curve(4, 1), curve(6, 2)}, Output: []dataset.Curve{curve(3, 1), curve(7, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	s := summary(t, prepare.Measured(d))
	if s.Inputs[0].High != 10 || s.Outputs[0].High != 6 || len(s.Notes) > 0 {
		t.Errorf("%+v %+v %q: inputs go to 10, outputs to 6", s.Inputs[0], s.Outputs[0], s.Notes)
	}
	fig, err := prepare.Figure(prepare.Measured(d), nil)
	if err == nil {
		err = plot.Check(fig)
	}
	if err != nil {
		t.Error(err)
	}
	both, err := prepare.ConcatPairs(d, d)
	if err != nil || both.N() != 4 || !slices.Equal(both.InputCurve(3).Values, d.InputCurve(1).Values) || !slices.Equal(both.OutputCurve(2).Values, d.OutputCurve(0).Values) {
		t.Errorf("%v, %v: must be the curves twice", both, err)
	}
}

// Inputs on meshes of their own keep their quadrature when they are put together, in the plane
// too: Gauss points have other integrals than trapezoids between them. The summary has their
// values as they were measured.
func TestCurvesOnMeshes(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b mesh.Mesh
	}{
		{"Gauss", mesh.Must(mesh.Gauss(0, 1, 5, "x")), mesh.Must(mesh.Gauss(0, 2, 7, "x"))},
		{"plane", plane(t, 3), plane(t, 4)},
	} {
		d, err := dataset.NewCurves(dataset.CurvesSpec{
			Input:  []dataset.Curve{{Mesh: c.a, Values: counted(c.a.Size())}, {Mesh: c.b, Values: counted(c.b.Size())}},
			Output: []dataset.Curve{{Points: []float64{0, 1}, Values: []float64{1, 2}}, {Points: []float64{0.5}, Values: []float64{4}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		both, err := prepare.ConcatPairs(d, d)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range []mesh.Mesh{c.a, c.b, c.a, c.b} {
			got, want := floats.Dot(both.InputMesh.Weights(), both.Input.Data[i*both.InputMesh.Size():][:both.InputMesh.Size()]), floats.Dot(m.Weights(), counted(m.Size()))
			if math.Abs(got-want) > 1e-12*want {
				t.Errorf("%s: the integral of input %d is %.16g, must be %.16g", c.name, i+1, got, want)
			}
		}
		if s := summary(t, prepare.Measured(d)); s.Inputs[0].Low != 1 || s.Inputs[0].High != float64(c.b.Size()) || len(s.Notes) > 0 {
			t.Errorf("%s: inputs go from %g to %g, must be from 1 to %d; %q", c.name, s.Inputs[0].Low, s.Inputs[0].High, c.b.Size(), s.Notes)
		}
	}
}

// counted are 1 to n.
func counted(n int) []float64 { return floats.Span(make([]float64, n), 1, float64(n)) }

// plane is a grid of n × 3 points.
func plane(t *testing.T, n int) mesh.Mesh {
	t.Helper()
	m, err := mesh.New(mesh.Must(mesh.Uniform(0, 1, n, "x")).Axes()[0], mesh.Must(mesh.Uniform(0, 1, 3, "z")).Axes()[0])
	if err != nil {
		t.Fatal(err)
	}
	return m
}
