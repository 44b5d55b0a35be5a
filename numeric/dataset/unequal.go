package dataset

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// unequal says what may be wrong with arrays of another number of rows each: both are points ×
// pairs, or one of them, or one has rows that are no pairs.
func (s LoadSpec) unequal(input, output *array.Array) error {
	n, k := input.Shape[0], output.Shape[0]
	if len(input.Shape) == 2 && len(output.Shape) == 2 && !s.Columns {
		inputTurned, outputTurned := mayBeTurned(input, s.InputMesh), mayBeTurned(output, s.OutputMesh)
		switch {
		case inputTurned && outputTurned && input.Shape[1] == output.Shape[1]:
			return bothTransposed(input, output)
		case outputTurned && output.Shape[1] == n:
			return oneTransposed("output", output, "input", n)
		case inputTurned && input.Shape[1] == k:
			return oneTransposed("input", input, "output", k)
		}
	}
	return remedy.FirstRows.For(notPairs(n, k), min(n, k))
}

// mayBeTurned reports whether a matrix may be points × pairs: it fits its mesh that way, and not the
// other; a mesh that is not given yet says nothing.
func mayBeTurned(a *array.Array, m mesh.Mesh) bool {
	return m.Size() == 0 || a.Shape[0] == m.Size() && a.Shape[1] != m.Size()
}

func oneTransposed(name string, a *array.Array, other string, rows int) error {
	return remedy.TransposeOne.For(fmt.Errorf("%s %s: want one row for each pair, and it has as many columns as %s has rows, %d",
		name, dense.ShapeString(a.Shape), other, rows), name)
}
