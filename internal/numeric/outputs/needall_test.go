package outputs

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestNeedAll: what is missing is named by pair and place, on an axis and in the plane.
func TestNeedAll(t *testing.T) {
	line := mesh.Must(mesh.Uniform(0, 1, 3, "x"))
	plane := mesh.Must(mesh.Scattered([]float64{0, 0, 1, 0, 0, 1}, 2, []float64{1, 2, 3}))
	for _, m := range []mesh.Mesh{line, plane} {
		a := array.New(5, 3)
		if err := NeedAll(a, m, "x"); err != nil {
			t.Error(err)
		}
		a.Data[1*3+2], a.Data[3*3], a.Data[3*3+1] = math.NaN(), math.NaN(), math.NaN()
		want := "3 of 15 outputs are missing (NaN), in 2 of 5 pairs, the first in pair 2 at 1: x needs"
		if m.Dim() == 2 {
			want = strings.Replace(want, "at 1", "at [0 1]", 1)
		}
		if err := NeedAll(a, m, "x"); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "2, 4") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
