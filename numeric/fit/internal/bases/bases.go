package bases

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// OfOutput is axisEigen on the output axes.
func OfOutput(ctx context.Context, k kernel.Kernel, s kernel.Space, at []float64, y mesh.Mesh) (v linop.AxisBasis, scaled gram.Basis, err error) {
	if sum, ok := k.(kernels.DirectSum); ok { // the middle of a union is no point of it
		return OfAxes(ctx, sum.OnOutput(), kernel.Space{Names: y.Names()}, lattice.Centre(y), y.Axes(), 0)
	}
	return OfAxes(ctx, k, s, at, y.Axes(), s.Inputs)
}

// OfAxes returns for each axis the eigenvectors V of the weighted one-axis
// kernel w^½ k w^½, and w^½ V, which is what the kernel is seen by. first is the
// number of the first axis' first coordinate in the space, at the middle of the
// domain.
func OfAxes(ctx context.Context, k kernel.Kernel, s kernel.Space, at []float64, axes []mesh.Axis, first int) (v linop.AxisBasis, scaled gram.Basis, err error) {
	for _, a := range axes {
		e, err := oneAxisEigen(ctx, kernels.Restrict(k, s, first, first+a.Dim(), at), a)
		if err != nil {
			return nil, nil, err
		}
		first += a.Dim()
		v = append(v, e)
	}
	return v, Weighted(v, axes), nil
}

// Weighted is w^½ V on each axis.
func Weighted(v linop.AxisBasis, axes []mesh.Axis) gram.Basis {
	scaled := make(gram.Basis, len(v))
	for k, a := range axes {
		scaled[k] = mat.DenseCopyOf(v[k])
		for i, w := range a.Weights {
			floats.Scale(math.Sqrt(w), scaled[k].RawRowView(i))
		}
	}
	return scaled
}

// oneAxisEigen returns the eigenvectors of w^½ k w^½ on one axis.
func oneAxisEigen(ctx context.Context, k kernel.Kernel, a mesh.Axis) (*mat.Dense, error) {
	g, err := Form(ctx, k, a)
	if err != nil {
		return nil, err
	}
	if !linop.Mirrored(g, mirrored) {
		return Eigenvectors(ctx, g)
	}
	_, v, err := linop.EigenMirrored(ctx, g)
	if err != nil {
		return nil, fmt.Errorf("preconditioner: %w", err)
	}
	return v, nil
}

// Form returns w^½ k w^½ on one axis.
func Form(ctx context.Context, k kernel.Kernel, a mesh.Axis) (*mat.Dense, error) {
	axis, err := mesh.New(a)
	if err != nil {
		return nil, err
	}
	f, err := kernels.Compile(k, kernel.Space{Names: axis.Names()})
	if err != nil {
		return nil, err
	}
	n := a.Size()
	g := mat.NewDense(n, n, nil)
	columns, p := axis.Columns(), make([]float64, a.Dim())
	for i := range n {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		axis.Point(p, i)
		row := g.RawRowView(i)
		f.Row(row, p, columns)
		for j := range row {
			row[j] *= math.Sqrt(a.Weights[i] * a.Weights[j])
		}
	}
	return g, nil
}

// mirrored is what the two ends of a symmetric mesh may differ by: what rounding of the
// points makes of a kernel of short lengthscale.
const mirrored = 1e-13

func Eigenvectors(ctx context.Context, a *mat.Dense) (*mat.Dense, error) {
	_, v, err := linop.Eigen(ctx, a)
	if err != nil {
		return nil, fmt.Errorf("preconditioner: %w", err)
	}
	return v, nil
}

// AtLeastZero removes the negative rounding of forms that are not negative.
func AtLeastZero(m *mat.Dense) {
	data := m.RawMatrix().Data
	for i, v := range data {
		data[i] = max(v, 0)
	}
}
