package problem

import (
	"math"
	"math/rand/v2"

	"github.com/greenbench/workbench/numeric/mesh"
)

// PointOf holds the coordinates of one point of a mesh.
func PointOf(m mesh.Mesh) []float64 { return make([]float64, m.Dim()) }

// Beside is the point (x, y).
func Beside(x, y []float64) []float64 { return append(append([]float64(nil), x...), y...) }

const (
	SplitTolerance = 1e-9
	SplitPairs     = 80 // of random points that the product form is checked on
)

// RandomPair draws two points of a mesh or, every other time, two points of its domain
// at any scale from each other: a kernel that is nearly zero between the points of the
// mesh looks like a product there, and is none in between.
func RandomPair(draw *rand.Rand, m mesh.Mesh, a, b []float64) {
	if draw.IntN(2) == 0 {
		m.Point(a, draw.IntN(m.Size()))
		m.Point(b, draw.IntN(m.Size()))
		return
	}
	i, near := 0, math.Pow(10, -4*draw.Float64())
	for _, axis := range m.Axes() {
		for k := range axis.Lower {
			size := axis.Upper[k] - axis.Lower[k]
			a[i] = axis.Lower[k] + size*draw.Float64()
			b[i] = a[i] + near*size*(2*draw.Float64()-1)
			i++
		}
	}
}
