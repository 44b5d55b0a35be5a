package model

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Where the likelihood is not known, the error counts what was observed of all outputs together, and says what keeps it from
// being known: gaps, outputs that are all the same, or their number.
func TestWhyThereIsNoLikelihood(t *testing.T) {
	on := mesh.Must(mesh.Uniform(0, 1, 3, "y"))
	field := func(v ...float64) *dataset.Field {
		return &dataset.Field{Values: &array.Array{Shape: []int{2, 3}, Data: v}, Mesh: on}
	}
	varied, gap := field(1, 2, 3, 4, 5, 7), field(1, math.NaN(), 3, 4, 5, 7)
	for want, outs := range map[string][]*dataset.Field{
		"11 of 12 outputs were observed": {varied, gap},
		"factored for up to 2000":        {gap},
		"are the same":                   {field(1, 2, 3, 1, 2, 3)},
		"not computed, of 12 outputs":    {varied, varied},
	} {
		if err := noLikelihood(outs); !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
