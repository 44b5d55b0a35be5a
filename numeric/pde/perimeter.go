package pde

import "github.com/greenbench/workbench/numeric/mesh"

// perimeter lists the boundary points of an nx × ny grid as they come along the
// walk around it: the first row, the last column, the last row backwards, the first
// column backwards. The first point is also the last.
func perimeter(nx, ny int) []int {
	walk := make([]int, 0, 2*(nx+ny)-3)
	for j := range ny {
		walk = append(walk, j)
	}
	for i := 1; i < nx; i++ {
		walk = append(walk, i*ny+ny-1)
	}
	for j := ny - 2; j >= 0; j-- {
		walk = append(walk, (nx-1)*ny+j)
	}
	for i := nx - 2; i >= 0; i-- {
		walk = append(walk, i*ny)
	}
	return walk
}

// arcLength is the mesh of the boundary of a rectangle by the length s of the walk
// around it, from 0 to the perimeter.
func arcLength(m mesh.Mesh) mesh.Mesh {
	x, y := m.Axes()[0], m.Axes()[1]
	var s []float64
	side := func(from float64, a mesh.Axis) {
		for k := range a.Size() - 1 {
			s = append(s, from+a.Length()*(float64(k)/float64(a.Size()-1)))
		}
	}
	lx, ly := x.Length(), y.Length()
	side(0, y)
	side(ly, x)
	side(ly+lx, y)
	side(2*ly+lx, x)
	return mesh.Must(mesh.Trapezoid(append(s, 2*(lx+ly)), "s"))
}
