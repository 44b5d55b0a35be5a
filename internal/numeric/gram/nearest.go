package gram

import (
	"math"
	"sort"

	"github.com/greenbench/workbench/numeric/mesh"
)

// nearest returns, for a point of mesh a, a point of b next to it, axis by axis: the
// pairs at which kernels are large. Where axes do not pair up it is the first point.
func nearest(a, b mesh.Mesh) func(i int) int {
	if !sameShape(a, b) {
		return func(int) int { return 0 }
	}
	var next [][]int
	for k, axis := range a.Axes() {
		next = append(next, nearestOnAxis(axis, b.Axes()[k]))
	}
	bx := b.Axes()
	return func(i int) int {
		at, stride := 0, 1
		for k := len(next) - 1; k >= 0; k-- {
			at += stride * next[k][i%len(next[k])]
			i, stride = i/len(next[k]), stride*bx[k].Size()
		}
		return at
	}
}

// mostDistances bounds the work on one axis of scattered points; beyond, some points
// of the second are left out.
const mostDistances = 1 << 24

func nearestOnAxis(a, b mesh.Axis) []int {
	next, d := make([]int, a.Size()), a.Dim()
	if sameAxis(a, b) {
		for i := range next {
			next[i] = i
		}
		return next
	}
	if d == 1 {
		return nearestOnLine(a.Coordinates, b.Coordinates)
	}
	step := 1 + a.Size()*b.Size()/mostDistances
	for i := range next {
		best := math.Inf(1)
		for j := 0; j < b.Size(); j += step {
			sum := 0.0
			for k := range d {
				v := a.Coordinates[i*d+k] - b.Coordinates[j*d+k]
				sum += v * v
			}
			if sum < best {
				best, next[i] = sum, j
			}
		}
	}
	return next
}

// nearestOnLine needs no order of either.
func nearestOnLine(a, b []float64) []int {
	order := make([]int, len(b))
	for j := range order {
		order[j] = j
	}
	sort.Slice(order, func(i, j int) bool { return b[order[i]] < b[order[j]] })
	next := make([]int, len(a))
	for i, v := range a {
		j := sort.Search(len(order), func(j int) bool { return b[order[j]] >= v })
		if j == len(order) || j > 0 && v-b[order[j-1]] < b[order[j]]-v {
			j--
		}
		next[i] = order[j]
	}
	return next
}

// sameShape reports whether the axes of two meshes pair up.
func sameShape(a, b mesh.Mesh) bool {
	p, q := a.Axes(), b.Axes()
	if len(p) != len(q) {
		return false
	}
	for i := range p {
		if p[i].Dim() != q[i].Dim() {
			return false
		}
	}
	return true
}
