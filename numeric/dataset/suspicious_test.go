package dataset_test

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Pairs that are there twice, noise and all, are said; equal inputs with other outputs, which are
// repeats, and outputs that do not vary are not.
func TestTwinsAreSaid(t *testing.T) {
	for _, c := range []struct {
		name   string
		output []float64 // 4 pairs of 3 points; the inputs of the first two are the same
		says   string
	}{
		{"twins", []float64{1, 2, 4, 1, 2, 4, 5, 6, 8, 7, 9, 8}, "pair 2 has the inputs and outputs of pair 1, noise"},
		{"repeats", []float64{1, 2, 4, 1, 2, 4.5, 5, 6, 8, 7, 9, 8}, ""},
		{"constant", []float64{2, 2, 2, 2, 2, 2, 5, 6, 8, 7, 9, 8}, ""},
	} {
		m := mesh.Must(mesh.Uniform(0, 1, 3, "x"))
		d, err := dataset.New(dataset.Spec{
			Input:     &array.Array{Shape: []int{4, 3}, Data: []float64{3, 1, 2, 3, 1, 2, 0, 1, 0, 1, 1, 5}},
			Output:    &array.Array{Shape: []int{4, 3}, Data: c.output},
			InputMesh: m, OutputMesh: m,
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(d.Suspicious(), "\n"); !strings.Contains(got, c.says) || c.says == "" && got != "" {
			t.Errorf("%s: %q, want %q", c.name, got, c.says)
		}
	}
}
