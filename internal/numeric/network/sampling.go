package network

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// stencil is how many points of an axis an interpolant or a derivative is made from.
const stencil = 6

// newSampling is the matrix that takes values on a mesh to those of a derivative, and shifted,
// at the points of another one: to.Size() × from.Size(). Along every axis it is the local
// polynomial of degree 5 through the nearest points, in the derivative or between the points
// exact for polynomials of that degree. Order and shift are by coordinate; nil: none.
func newSampling(from, to mesh.Mesh, order []int, shift []float64) (*linop.Sparse, error) {
	same := from.Equal(to) && len(order) == 0 && len(shift) == 0
	if same {
		entries := make([]linop.Entry, to.Size())
		for i := range entries {
			entries[i] = linop.Entry{Row: i, Col: i, Value: 1}
		}
		return linop.NewSparse(to.Size(), to.Size(), entries), nil
	}
	a, b := from.Axes(), to.Axes()
	if len(a) != len(b) {
		return nil, fmt.Errorf("is on %s, and the points wanted are %s: values between points need meshes with the same axes", from, to)
	}
	parts := make([]axisSampling, len(a))
	for k := range a {
		if a[k].Scattered() || b[k].Scattered() || a[k].Dim() != 1 || b[k].Dim() != 1 {
			return nil, fmt.Errorf("is on scattered points: it has values at those points only, and no derivatives; put inputs and outputs on the same points, or on axes of a grid")
		}
		d, s := 0, 0.0
		if k < len(order) {
			d = order[k]
		}
		if k < len(shift) {
			s = shift[k]
		}
		var err error
		if parts[k], err = sampleAxis(a[k], b[k].Coordinates, d, s); err != nil {
			return nil, err
		}
	}
	return product(parts), nil
}

// axisSampling are the points of an axis, and their weights, that each point wanted is made from.
type axisSampling struct {
	from    int
	at      [][]int
	weights [][]float64
}

// sampleAxis samples at the points z shifted. Beyond the ends of an axis that has no period it
// holds the value at the end.
func sampleAxis(a mesh.Axis, z []float64, order int, shift float64) (axisSampling, error) {
	n := a.Size()
	width := min(stencil+order, n)
	if order > 0 && width <= order {
		return axisSampling{}, fmt.Errorf("has %d points along %s: a derivative of order %d needs at least %d", n, strings.Join(a.Names, ", "), order, order+1)
	}
	if first, last := a.Coordinates[0], a.Coordinates[n-1]; a.Period == 0 && shift != 0 && (z[0]+shift >= last || z[len(z)-1]+shift <= first) {
		return axisSampling{}, fmt.Errorf("is shifted by %g, which leads out of the mesh [%g, %g] from every point: give a shift that is shorter than the mesh", shift, first, last)
	}
	s := axisSampling{from: n}
	for _, x := range z {
		x += shift
		if a.Period == 0 && shift != 0 {
			x = min(max(x, a.Coordinates[0]), a.Coordinates[n-1])
		}
		at, points := nearest(a, x, width)
		s.at = append(s.at, at)
		s.weights = append(s.weights, fornberg(x, points, order))
	}
	return s, nil
}

// nearest are the points of a stencil around x: their numbers, and where they are, of periodic
// axes in the period that x is in.
func nearest(a mesh.Axis, x float64, width int) (at []int, points []float64) {
	n := a.Size()
	coordinate := func(i int) float64 {
		turn := math.Floor(float64(i) / float64(n))
		return a.Coordinates[i-int(turn)*n] + turn*a.Period
	}
	base := 0
	if a.Period > 0 {
		base = int(math.Floor((x-a.Coordinates[0])/a.Period)) * n
	}
	first, _ := slices.BinarySearch(a.Coordinates, x-float64(base/n)*a.Period)
	first += base - width
	for step := true; step; { // the one whose points are nearest
		step = math.Abs(coordinate(first+width)-x) < math.Abs(coordinate(first)-x)-1e-12*math.Abs(x) && (a.Period > 0 || first+width < n)
		if step {
			first++
		}
	}
	if a.Period == 0 {
		first = min(max(first, 0), n-width)
	}
	for i := first; i < first+width; i++ {
		at = append(at, ((i%n)+n)%n)
		points = append(points, coordinate(i))
	}
	return at, points
}

// fornberg are the weights of a derivative at z of the polynomial through points (Fornberg,
// Mathematics of Computation 51, 1988).
func fornberg(z float64, points []float64, order int) []float64 {
	n := len(points)
	c := make([][]float64, n)
	for i := range c {
		c[i] = make([]float64, order+1)
	}
	c[0][0] = 1
	c1, c4 := 1.0, points[0]-z
	for i := 1; i < n; i++ {
		most := min(i, order)
		c2, c5 := 1.0, c4
		c4 = points[i] - z
		for j := range i {
			c3 := points[i] - points[j]
			c2 *= c3
			if j == i-1 {
				for k := most; k >= 1; k-- {
					c[i][k] = c1 * (float64(k)*c[i-1][k-1] - c5*c[i-1][k]) / c2
				}
				c[i][0] = -c1 * c5 * c[i-1][0] / c2
			}
			for k := most; k >= 1; k-- {
				c[j][k] = (c4*c[j][k] - float64(k)*c[j][k-1]) / c3
			}
			c[j][0] = c4 * c[j][0] / c3
		}
		c1 = c2
	}
	w := make([]float64, n)
	for i := range w {
		w[i] = c[i][order]
	}
	return w
}

// product is the sampling of all axes at once.
func product(parts []axisSampling) *linop.Sparse {
	rows, columns := 1, 1
	entries := []linop.Entry{{Value: 1}}
	for _, p := range parts {
		var next []linop.Entry
		for _, e := range entries {
			for i, at := range p.at {
				for k, j := range at {
					if w := p.weights[i][k]; w != 0 {
						next = append(next, linop.Entry{Row: e.Row*len(p.at) + i, Col: e.Col*p.from + j, Value: e.Value * w})
					}
				}
			}
		}
		entries, rows, columns = next, rows*len(p.at), columns*p.from
	}
	return linop.NewSparse(rows, columns, entries)
}
