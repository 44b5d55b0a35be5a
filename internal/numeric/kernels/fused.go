package kernels

import (
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/simd"
	"github.com/greenbench/workbench/numeric/mesh"
)

// fused is a kernel in the form that package simd has loops for:
// amplitude * family(s), s² = Σ (scale_i (p_i - q_i))².
type fused struct {
	family    simd.Family
	scale     []float64
	amplitude float64
}

// findFused returns nil when the expression is no such kernel, however written.
func findFused(node *expr.Node, d int) *fused {
	pairs := make([][2]int, d)
	for i := range pairs {
		pairs[i] = [2]int{i, d + i}
	}
	radial, ok := expr.FindRadial(node, pairs)
	if !ok {
		return nil
	}
	family, scale, amplitude, ok := radial.Family()
	if !ok {
		return nil
	}
	return &fused{family: family, scale: scale, amplitude: amplitude}
}

// scaled returns the points of a mesh relative to an origin among them: far from
// zero the loops, which scale before they subtract, would lose digits. It is nil
// where they would overflow, and the difference of two such points be no number.
func (u *fused) scaled(m mesh.Mesh, origin []float64) []float64 {
	const limit = math.MaxFloat64 / 16 // the loops multiply with numbers up to log2 e
	x := m.Points()
	for point := range slices.Chunk(x, len(origin)) {
		for k, v := range point {
			v -= origin[k]
			if point[k] = v; !(math.Abs(v*u.scale[k]) < limit) || math.Abs(v) > limit {
				return nil
			}
		}
	}
	return x
}

func (u *fused) points(x []float64) (simd.Points, error) {
	return simd.NewPoints(u.family, x, len(u.scale), u.scale)
}
