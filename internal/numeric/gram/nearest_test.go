package gram

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/numeric/mesh"
)

// The point of another mesh that is found next to one is on each axis as near as any of that axis: of lines in any order, of scattered points
// in the plane and in space, alone and beside one another, of more and of fewer points than the mesh itself.
func TestNearestPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	axis := func(dim, n int, name ...string) mesh.Axis {
		at := make([]float64, n*dim)
		for i := range at {
			at[i] = 10 * rng.Float64()
		}
		a, err := mesh.Scattered(at, dim, nil, name...)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	line, plane, space := []string{"x"}, []string{"u", "v"}, []string{"p", "q", "r"}
	for _, size := range [][2]int{{7, 12}, {13, 5}, {1, 9}} {
		for _, axes := range [][][]string{{line}, {plane}, {space}, {plane, line}, {line, space}} {
			var of [2]mesh.Mesh
			for side := range of {
				var all []mesh.Axis
				for _, names := range axes {
					all = append(all, axis(len(names), size[side], names...))
				}
				m, err := mesh.New(all...)
				if err != nil {
					t.Fatal(err)
				}
				of[side] = m
			}
			find := nearest(of[0], of[1])
			p, q := make([]float64, of[0].Dim()), make([]float64, of[0].Dim())
			for i := range of[0].Size() {
				of[0].Point(p, i)
				of[1].Point(q, find(i))
				from := 0
				for k, names := range axes {
					least, own := math.Inf(1), 0.0
					b := of[1].Axes()[k]
					for j := range b.Size() {
						off := 0.0
						for c := range names {
							off += math.Pow(p[from+c]-b.Coordinates[j*len(names)+c], 2)
						}
						least = min(least, off)
					}
					for c := range names {
						own += math.Pow(p[from+c]-q[from+c], 2)
					}
					if !(own <= least+1e-12) {
						t.Fatalf("%v, point %d: on axis %d the one found is %.3g away, the nearest %.3g", axes, i, k, math.Sqrt(own), math.Sqrt(least))
					}
					from += len(names)
				}
			}
		}
	}
}
