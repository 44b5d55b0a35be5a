package gram

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Landmarks are points P at which a kernel is about the sum of squares of few functions,
//
//	K(z, w) ≈ ⟨φ(z), φ(w)⟩,  φ(z) = L⁻¹ K(P, z),  L Lᵀ = K(P, P)
//
// (Nyström). What is missing, K - ⟨φ, φ⟩, is a kernel by itself: its diagonal is never
// negative but for rounding.
type Landmarks struct {
	// Values is φ on the mesh that P was chosen from: functions × points.
	Values *mat.Dense

	f    *kernels.Function
	at   [][]float64   // P
	root *mat.Cholesky // of K(P, P)
}

// NewLandmarks chooses points of a mesh, by partial Cholesky factorisation, until what is
// missing is at most tol of the largest value of the kernel on the mesh; nil where more than
// most of them would be needed. Cost: as LowRank.
func NewLandmarks(ctx context.Context, f *kernels.Function, points mesh.Mesh, tol float64, most int) (*Landmarks, error) {
	m, err := f.Matrix(points, points)
	if err != nil {
		return nil, err
	}
	c := newPartialCholesky(f, m, points, most)
	done, err := c.run(ctx, tol, true)
	if err != nil || !done || c.k == 0 {
		return nil, err
	}
	l := &Landmarks{Values: c.result(), f: f}
	upper := mat.NewTriDense(c.k, mat.Upper, nil)
	for j, p := range c.pivots {
		for k := range j + 1 {
			upper.SetTri(k, j, l.Values.At(k, p))
		}
		l.at = append(l.at, make([]float64, points.Dim()))
		points.Point(l.at[j], p)
	}
	l.root = linop.FromFactor(upper)
	return l, nil
}

// Count is how many functions there are.
func (l *Landmarks) Count() int { return l.root.SymmetricDim() }

// On is φ on another mesh: functions × points. Cost: so many values of the kernel, and
// count² operations a point.
func (l *Landmarks) On(ctx context.Context, points mesh.Mesh) (*mat.Dense, error) {
	values := mat.NewDense(l.Count(), points.Size(), nil)
	columns := points.Columns()
	err := kernels.Rows(ctx, l.Count(), l.f.Time(points.Size()), func(i int) {
		l.f.Row(values.RawRowView(i), l.at[i], columns)
	})
	if err != nil {
		return nil, err
	}
	return values, linop.ForwardSolve(ctx, l.root, values)
}
