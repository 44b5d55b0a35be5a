package prepare_test

import (
	"math"
	"slices"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestMeasured: whatever the points of curves — of their own, on meshes, in the plane, with
// gaps — MeasuredInputs has their values where they have points, NaN elsewhere, and the integrals of
// Input are those by the quadrature of each curve.
func TestMeasured(t *testing.T) {
	nan := math.NaN()
	gauss := mesh.Must(mesh.Gauss(0, 1, 3, "x"))
	plane := mesh.Must(mesh.Scattered([]float64{0, 0, 1, 0, 0, 1}, 2, []float64{1, 2, 3}))
	other := mesh.Must(mesh.Scattered([]float64{1, 0, 2, 2}, 2, []float64{4, 5}))
	for name, c := range map[string][]dataset.Curve{
		"points":    {{Points: []float64{1, 0.2, math.Copysign(0, -1)}, Values: []float64{1, 2, 4}}, {Points: []float64{0, 1}, Values: []float64{3, 0}}},
		"gaps":      {{Points: []float64{0, 1, 2}, Values: []float64{1, nan, 4}}, {Points: []float64{0, 1, 2}, Values: []float64{3, 0, 1}}},
		"mesh":      {{Mesh: gauss, Values: []float64{1, 2, 4}}, {Points: []float64{0, 1}, Values: []float64{3, 5}}},
		"the plane": {{Mesh: plane, Values: []float64{1, 2, 4}}, {Mesh: other, Values: []float64{3, 5}}},
	} {
		d, err := dataset.NewCurves(dataset.CurvesSpec{Input: c, Output: c, Missing: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, m, w, at := prepare.MeasuredInputs(d), d.InputMesh.Size(), d.InputMesh.Weights(), make([]float64, d.InputMesh.Dim())
		for i, curve := range c {
			points := curve.Points
			if curve.Mesh.Size() > 0 {
				points = curve.Mesh.Points()
			}
			integral, found := 0.0, 0
			for k := range m {
				integral += d.Input.Data[i*m+k] * w[k]
				want := nan
				d.InputMesh.Point(at, k)
				for j, v := range curve.Values {
					if slices.Equal(at, points[j*len(at):(j+1)*len(at)]) && !math.IsNaN(v) {
						want = v
						found++
					}
				}
				if v := got.Data[i*m+k]; v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
					t.Errorf("%s: pair %d has %g at %g, want %g", name, i+1, v, at, want)
				}
			}
			if one := d.InputCurve(i); len(one.Values) != found {
				t.Errorf("%s: pair %d has %d values, want %d", name, i+1, found, len(one.Values))
			}
			if curve.Mesh.Size() > 0 {
				want := 0.0
				for j, v := range curve.Mesh.Weights() {
					want += v * curve.Values[j]
				}
				if math.Abs(integral-want) > 1e-12*math.Abs(want) {
					t.Errorf("%s: pair %d has the integral %g, want %g", name, i+1, integral, want)
				}
			}
		}
	}
}
