package dataset_test

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Inputs that are the same in all pairs, exactly or but for rounding, tell nothing of G: it is noted of pairs, and refused of fields
// among others, whatever the unit; inputs that differ by more are neither.
func TestInputsThatAreTheSame(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 4, "x"))
	for _, unit := range []float64{1, 1e-30, 1e30} {
		for off, same := range map[float64]bool{0: true, 1e-15: true, 1e-9: false, 1: false} {
			f, g, u := array.New(6, 4), array.New(6, 4), array.New(6, 4)
			for i := range f.Data {
				row, k := i/4, i%4
				f.Data[i] = unit * (float64(k+1) + off*float64(row%3))
				g.Data[i], u.Data[i] = float64(i*i%7), float64(i%5)
			}
			d, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: m, OutputMesh: m})
			if err != nil {
				t.Fatal(err)
			}
			if noted := strings.Contains(strings.Join(d.Suspicious(), "\n"), "the inputs of all 6 pairs are the same"); noted != same {
				t.Errorf("unit %g, off by %g: noted %v, want %v: %q", unit, off, noted, same, d.Suspicious())
			}
			_, err = dataset.NewTable(dataset.TableSpec{
				Input: map[string]*array.Array{"f": f, "g": g}, Output: map[string]*array.Array{"u": u},
				InputMesh: dataset.Meshes{All: m}, OutputMesh: dataset.Meshes{All: m},
			})
			if refused := err != nil && strings.Contains(err.Error(), "input.f: is the same in every sample"); refused != same {
				t.Errorf("unit %g, off by %g: refused %v, want %v: %v", unit, off, refused, same, err)
			}
		}
	}
}
