package dataset

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestLoadInputsWithGaps: a file of inputs with gaps makes the pairs that NewCurves makes of what is there, each input
// integrated from one known value to the next; without Missing it is refused.
func TestLoadInputsWithGaps(t *testing.T) {
	nan := math.NaN()
	f := testmain.Must(array.Of([]float64{1, nan, 3, 4, 5, 6, 7, 8}, 2, 4))(t)
	u := testmain.Must(array.Of([]float64{1, 2, nan, 4, 5, 6, 7, 8}, 2, 4))(t)
	path := filepath.Join(t.TempDir(), "a.npz")
	if err := arrays.SaveMembers(path, arrays.Members{Arrays: map[string]*array.Array{"f": f, "u": u}}); err != nil {
		t.Fatal(err)
	}
	m := mesh.Must(mesh.Trapezoid([]float64{0, 1, 2, 4}, "x"))
	d, err := Load(context.Background(), path, LoadSpec{InputMesh: m, OutputMesh: m, Missing: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{(1+3)/2*2 + (3+4)/2.0*2, 5.5 + 6.5 + 7.5*2} {
		got := 0.0
		for k, w := range d.InputMesh.Weights() {
			got += w * d.Input.Data[i*d.InputMesh.Size()+k]
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("the integral of input %d is %g, want %g", i+1, got, want)
		}
	}
	if c := d.InputCurve(0); !slices.Equal(c.Points, []float64{0, 2, 4}) || !slices.Equal(c.Values, []float64{1, 3, 4}) {
		t.Errorf("input 1 is %v", c)
	}
	if c := d.OutputCurve(0); !slices.Equal(c.Points, []float64{0, 1, 4}) || !slices.Equal(c.Values, []float64{1, 2, 4}) {
		t.Errorf("output 1 is %v", c)
	}
	_, err = Load(context.Background(), path, LoadSpec{InputMesh: m, OutputMesh: m})
	wantError(t, err, "input[1][2] is NaN")
}
