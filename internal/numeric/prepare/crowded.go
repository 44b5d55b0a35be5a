package prepare

import (
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/numeric/mesh"
)

// crowded is the part of a line that equal weights may attribute to the wrong points.
const crowded = 0.1

// Crowded says of a mesh of named functions where integrals count most where its points crowd: on a
// line with uneven spacing, when they count alike.
func Crowded(name string, m mesh.Mesh) (notes []string) {
	for _, a := range m.Axes() {
		if off := misplaced(a); off > crowded {
			notes = append(notes, fmt.Sprintf(
				"%s: its points lie on a line, are unevenly spaced and count alike, so that integrals count most where points crowd (%.0f %% of the line is attributed to the wrong points): make them a mesh by the trapezoid rule, or give each point its weight",
				name, 100*off))
		}
	}
	return notes
}

// misplaced is the part of a line that scattered points with equal weights attribute to the wrong
// points, beside the trapezoid rule: 0 of even spacing, about 0.27 of points at random, and 0 of
// all other axes.
func misplaced(a mesh.Axis) float64 {
	if a.Rule != mesh.MonteCarloRule || a.Dim() != 1 || a.Size() < 3 {
		return 0
	}
	at := slices.Sorted(slices.Values(a.Coordinates))
	last := len(at) - 1
	length, off := at[last]-at[0], 0.0
	for i := range at {
		cell, equal := (at[min(i+1, last)]-at[max(i-1, 0)])/2, length/float64(last)
		if i == 0 || i == last {
			equal /= 2
		}
		off += math.Abs(cell - equal)
	}
	return off / 2 / length
}
