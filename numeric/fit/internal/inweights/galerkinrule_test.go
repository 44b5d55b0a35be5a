package inweights

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// An eigenvalue that is zero to the bit takes no weight of the measure: what the space does not
// see is at zero already.
func TestZeroNodeHasNoWeight(t *testing.T) {
	s := &galerkin{
		rhs: [][]float64{{1, 2}}, nodes: []float64{0, 4}, c: [][]float64{{.5, 2}},
		modes: mat.NewDense(2, 2, []float64{1, 0, 0, 1}),
	}
	if r := s.rule(0); !slices.Equal(r.Nodes, []float64{0, 0, 4}) || !slices.Equal(r.Weights, []float64{4, 0, 1}) {
		t.Errorf("nodes %v, weights %v", r.Nodes, r.Weights)
	}
}
