package mesh

import (
	"math"
	"slices"
)

// maxNodes bounds the points that stand for a mesh.
const maxNodes = 32

// Nodes are at most 32 points of a mesh and weights of sum 1 that stand for all of it: of
// an axis with many points the middle one of every run of neighbours, with the weight of
// the run.
func (m Mesh) Nodes() (points [][]float64, weights []float64) {
	axes := m.Axes()
	most := max(2, int(math.Pow(maxNodes, 1/float64(len(axes)))))
	points, weights = [][]float64{nil}, []float64{1}
	for _, a := range axes {
		var next [][]float64
		var shares []float64
		runs, total := min(most, a.Size()), 0.0
		for _, w := range a.Weights {
			total += w
		}
		for i, p := range points {
			for r := range runs {
				lo, hi := r*a.Size()/runs, (r+1)*a.Size()/runs
				share := float64(hi-lo) / float64(a.Size())
				if total > 0 {
					share = 0
					for _, w := range a.Weights[lo:hi] {
						share += w / total
					}
				}
				at := (lo + hi - 1) / 2 * a.Dim()
				next = append(next, slices.Concat(p, a.Coordinates[at:at+a.Dim()]))
				shares = append(shares, weights[i]*share)
			}
		}
		points, weights = next, shares
	}
	return points, weights
}
