package network

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestListed: a message names four terms and counts the others.
func TestListed(t *testing.T) {
	names := []string{"u²", "u³", "u·u′", "sin u", "eᵘ", "|u|"}
	for n, want := range map[int]string{1: "u²", 4: "u², u³, u·u′, sin u", 5: "u², u³, u·u′, sin u and 1 more", 6: "u², u³, u·u′, sin u and 2 more"} {
		if got := listed(names[:n]); got != want {
			t.Errorf("%d names: %q, want %q", n, got, want)
		}
	}
}

// TestNothingToAdvise: a report in which nothing is suspicious has no advice, and each thing that
// is has one from its bound on.
func TestNothingToAdvise(t *testing.T) {
	on := mesh.Must(mesh.Uniform(0, 1, 2, "x"))
	values := func(name string) map[string]*array.Array {
		return map[string]*array.Array{name: array.FromMatrix(mat.NewDense(2, 2, []float64{1, 2, 3, 5}))}
	}
	d, err := dataset.NewTable(dataset.TableSpec{Input: values("f"), InputMesh: dataset.Meshes{All: on}, Output: values("u"), OutputMesh: dataset.Meshes{All: on}})
	if err != nil {
		t.Fatal(err)
	}
	l := &learner{data: d}
	for _, c := range []struct {
		r    Report
		says bool
	}{
		{Report{Linear: 1}, false},
		{Report{Linear: 1, LeftOut: noGain}, false},
		{Report{Linear: 1, LeftOut: 0.81}, true},
		{Report{Linear: 1, Implicit: true, Radius: nearlyOne}, false},
		{Report{Linear: 1, Implicit: true, Radius: 0.96}, true},
		{Report{Linear: 1, Failed: 1}, true},
		{Report{Linear: 1, Noise: 1}, false}, // no term suffers
	} {
		if c.r.advise(l); (c.r.Advice != "") != c.says {
			t.Errorf("%+v", c.r)
		}
	}
}
