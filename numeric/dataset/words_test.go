package dataset_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// manyOfOne is a plural after the number one.
var manyOfOne = regexp.MustCompile(`(^|[^\d.])1 [a-z]+s\b`)

// What describes data says "1 pair", whatever there is one of.
func TestOneThingIsSingular(t *testing.T) {
	one, two := mesh.Must(mesh.Scattered([]float64{0}, 1, []float64{1}, "x")), mesh.Must(mesh.Uniform(0, 1, 2, "x"))
	for _, m := range []mesh.Mesh{one, two} {
		size := m.Size()
		d, err := dataset.New(dataset.Spec{Input: array.New(1, size), Output: array.New(1, size), InputMesh: m, OutputMesh: m})
		if err != nil {
			t.Fatal(err)
		}
		table, err := dataset.NewTable(dataset.TableSpec{
			Input: map[string]*array.Array{"f": array.New(1, size)}, Output: map[string]*array.Array{"u": array.New(1, size)},
			InputMesh: dataset.Meshes{All: m}, OutputMesh: dataset.Meshes{All: m},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{d.String(), table.String(), m.String(), fmt.Sprint(m.Axes()[0])} {
			if wrong := manyOfOne.FindString(text); wrong != "" {
				t.Errorf("%q in %q", wrong, text)
			}
		}
	}
}
