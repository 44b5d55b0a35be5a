package known

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Values are those of G and β on meshes, which say nothing of other points: an [Operator].
type Values struct {
	X, Y  mesh.Mesh
	G     *mat.Dense // X.Size × Y.Size
	Curve []float64  // β; nil: zero
}

var errElsewhere = errors.New("its values are on the meshes of the data and say nothing elsewhere; an estimate or a problem as the prior knows other points")

// Green implements Operator.
func (v Values) Green(_ context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	if xs.Size() > 0 && !xs.Equal(v.X) || ys.Size() > 0 && !ys.Equal(v.Y) {
		return nil, errElsewhere
	}
	return mat.DenseCopyOf(v.G), nil
}

// Bias implements Operator.
func (v Values) Bias(_ context.Context, ys mesh.Mesh) ([]float64, error) {
	switch {
	case v.Curve != nil && ys.Size() > 0 && !ys.Equal(v.Y):
		return nil, errElsewhere
	case v.Curve != nil:
		return append([]float64(nil), v.Curve...), nil
	case ys.Size() > 0:
		return make([]float64, ys.Size()), nil
	}
	return make([]float64, v.Y.Size()), nil
}

// Predict implements Operator.
func (v Values) Predict(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	if xs.Size() == 0 {
		xs = v.X
	}
	return Predict(ctx, v, f, xs, ys)
}

// Predict is β + ∫ G f by the quadrature of xs.
func Predict(ctx context.Context, k Functions, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	g, err := k.Green(ctx, xs, ys)
	if err != nil {
		return nil, err
	}
	b, err := k.Bias(ctx, ys)
	if err != nil {
		return nil, err
	}
	weighted := mat.DenseCopyOf(f)
	linop.TimesRows(weighted.RawMatrix().Data, xs.Weights())
	var u mat.Dense
	if err := linop.MulContext(ctx, &u, weighted, g); err != nil {
		return nil, err
	}
	linop.AddToRows(&u, 1, b)
	return &u, nil
}
