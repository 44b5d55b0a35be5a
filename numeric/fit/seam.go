package fit

import (
	"context"
	"fmt"
	"math"

	"github.com/greenbench/workbench/numeric/mesh"
)

// seamMatters is the difference of G on the two sides of a seam, of the largest size of G there, from which the report tells of it.
const seamMatters = .1

// noteSeams says where G differs on the two sides of the point at which a coordinate of a period begins anew, which are one
// point: where the kernel is not periodic, values of the one side say little of the other. Cost: two products of the kernel with
// the weights for each such axis, for at most jumpProbes points of the other mesh.
func (e *Estimate) noteSeams(ctx context.Context) {
	in, out := mesh.JointNames(e.InputMesh, e.OutputMesh)
	e.noteSeam(ctx, e.InputMesh, in, func(at mesh.Mesh) (mesh.Mesh, mesh.Mesh) { return at, few(e.OutputMesh) })
	e.noteSeam(ctx, e.OutputMesh, out, func(at mesh.Mesh) (mesh.Mesh, mesh.Mesh) { return few(e.InputMesh), at })
}

// noteSeam does so for the axes of one mesh, whose points go to their place among the meshes of G.
func (e *Estimate) noteSeam(ctx context.Context, m mesh.Mesh, names []string, place func(at mesh.Mesh) (x, y mesh.Mesh)) {
	axes := m.Axes()
	middle := make([]float64, 0, m.Dim())
	for _, a := range axes {
		for i := range a.Lower {
			middle = append(middle, (a.Lower[i]+a.Upper[i])/2)
		}
	}
	first := 0
	for _, a := range axes {
		if a.Period > 0 && a.Dim() == 1 {
			if gap := e.seam(ctx, m, middle, first, a, place); gap > seamMatters {
				e.Report.note(fmt.Sprintf("G near %s = %.4g", names[first], a.Lower[0]), "G differs by %.2g of its size at %s = %.4g and a period later, which are one point: the kernel is not periodic, and there each side is learned without the other; where G is smooth, give a kernel that is periodic",
					gap, names[first], a.Lower[0])
			}
		}
		first += a.Dim()
	}
}

// seam is by how much G differs between both ends of a period of one coordinate, over its largest size there.
func (e *Estimate) seam(ctx context.Context, m mesh.Mesh, middle []float64, coordinate int, a mesh.Axis, place func(at mesh.Mesh) (x, y mesh.Mesh)) float64 {
	var ends [2][]float64
	for k := range ends {
		at := append([]float64{}, middle...)
		at[coordinate] = a.Lower[0] + float64(k)*a.Period
		axis, err := mesh.Scattered(at, len(at), nil, m.Names()...)
		if err != nil {
			return 0
		}
		x, y := place(mesh.Must(axis, nil))
		g, err := e.Green(ctx, x, y)
		if err != nil {
			return 0
		}
		ends[k] = g.RawMatrix().Data
	}
	gap, size := 0., 0.
	for i, v := range ends[0] {
		gap, size = max(gap, math.Abs(v-ends[1][i])), max(size, math.Abs(v), math.Abs(ends[1][i]))
	}
	if size == 0 {
		return 0
	}
	return gap / size
}

// few are at most jumpProbes points of a mesh.
func few(m mesh.Mesh) mesh.Mesh {
	var at []float64
	columns := m.Columns()
	for _, k := range evenly(m.Size(), jumpProbes) {
		for _, c := range columns {
			at = append(at, c[k])
		}
	}
	return mesh.Must(mesh.Scattered(at, len(columns), nil, m.Names()...))
}
