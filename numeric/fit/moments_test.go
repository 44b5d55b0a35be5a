package fit

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Mean, spread and misfit of the outputs are sums over the outputs that are there, each
// with the weight of its point, written out here as they are defined.
func TestOutputMoments(t *testing.T) {
	m := mesh.Must(mesh.Gauss(0, 2, 4, "y"))
	out := array.New(5, 4)
	for i := range out.Data {
		out.Data[i] = 3 + math.Sin(float64(7*i)) + 2*float64(i%4)
		if i%3 == 1 {
			out.Data[i] = math.NaN()
		}
	}
	d := testmain.Must(dataset.New(dataset.Spec{Input: array.New(5, 4), Output: out, InputMesh: m, OutputMesh: m, Missing: true}))(t)
	sum := func(of func(k int, v float64) float64) (s float64) {
		for i, v := range out.Data {
			if !math.IsNaN(v) {
				s += m.Weights()[i%4] * of(i%4, v)
			}
		}
		return s
	}
	length := sum(func(int, float64) float64 { return 1 })
	mean := sum(func(_ int, v float64) float64 { return v }) / length
	spread := math.Sqrt(sum(func(_ int, v float64) float64 { return (v - mean) * (v - mean) }) / length)
	curve := sum(func(k int, v float64) float64 {
		at, n := 0.0, 0.0
		for i := k; i < len(out.Data); i += 4 {
			if !math.IsNaN(out.Data[i]) {
				at, n = at+out.Data[i], n+1
			}
		}
		return (v - at/n) * (v - at/n)
	})
	s := &Spec{Data: d}
	gotMean, gotSpread, misfit := s.outputMoments(&Report{MSE: 0.7})
	for _, c := range []struct {
		name      string
		got, want float64
	}{{"mean", gotMean, mean}, {"spread", gotSpread, spread}, {"misfit", misfit, 0.7 * 5 / curve}} {
		if !(math.Abs(c.got-c.want) <= 1e-13*math.Abs(c.want)) {
			t.Errorf("%s %.16g, want %.16g", c.name, c.got, c.want)
		}
	}
}
