package pde

import "github.com/greenbench/workbench/numeric/mesh"

// arcLength is the mesh of the boundary of a rectangle by the length s of the walk
// around it: along the first row of the array, down the last column, back along the
// last row and up the first column. The first point is also the last.
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
