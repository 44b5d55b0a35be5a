package network

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Outputs of a propagator are on the mesh of the inputs times uniform times, two at least; any other mesh is refused with
// what it is.
func TestTimesOfOutputs(t *testing.T) {
	x := mesh.Must(mesh.Uniform(0, 1, 5, "x"))
	on := func(space mesh.Mesh, last mesh.Mesh) mesh.Mesh {
		m, err := mesh.Product(space, last)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	axis := func(a mesh.Axis, err error) mesh.Mesh { return mesh.Must(a, err) }
	for name, c := range map[string]struct {
		output mesh.Mesh
		want   string
	}{
		"good":        {on(x, axis(mesh.Uniform(0, 1, 3, "t"))), ""},
		"no time":     {x, "space times time"},
		"one time":    {on(x, axis(mesh.Gauss(0, 1, 1, "t"))), "uniform times"},
		"graded":      {on(x, axis(mesh.Chebyshev(0, 1, 6, "t"))), "uniform times"},
		"periodic":    {on(x, axis(mesh.Periodic(0, 1, 6, "t"))), "uniform times"},
		"scattered":   {on(x, axis(mesh.Scattered([]float64{0, .5, 1}, 1, nil, "t"))), "uniform times"},
		"other space": {on(mesh.Must(mesh.Uniform(0, 2, 5, "x")), axis(mesh.Uniform(0, 1, 3, "t"))), "mesh of the inputs"},
	} {
		_, times, err := splitTime(&dataset.Dataset{InputMesh: x, OutputMesh: c.output})
		switch {
		case c.want == "" && (err != nil || times.Size() != 3):
			t.Errorf("%s: %v, %v", name, times, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
