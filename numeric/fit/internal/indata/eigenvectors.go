package indata

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

const (
	mostColumns = 1000    // of the root of an operator, whose eigenvectors are computed
	mostEntries = 1 << 24 // of that root
)

// eigenvectors are the criteria of an operator that is held as Fᵀ F, of few rows, beside the part of the bias: exact, from
// the eigenvectors of both. They are nil for operators that are not, and for those whose root is large.
func (sys *System) eigenvectors(ctx context.Context) (*criteria.Eigenvectors, error) {
	if sys.Core == nil || sys.Core.factor == nil || sys.Orbit != nil || sys.parts != nil {
		return nil, nil
	}
	k, n := sys.Core.factor.Dims()
	if columns := k + sys.biases()*sys.My; columns > mostColumns || columns >= n || n*columns > mostEntries {
		return nil, nil
	}
	root, width, err := sys.biasRoot(ctx)
	if err != nil {
		return nil, err
	}
	t := sys.T.RawMatrix().Data
	return &criteria.Eigenvectors{Eigenbasis: criteria.Eigenbasis{At: func(ctx context.Context, ratio float64) (*criteria.Diagonalised, error) {
		columns := mat.NewDense(k+width+1, n, nil) // each of them a row
		columns.Slice(0, k, 0, n).(*mat.Dense).Copy(sys.Core.factor)
		for j := range width {
			row := columns.RawRowView(k + j)
			for i := range row {
				row[i] = sys.Core.b.At(i/sys.My, 0) * root.At(i%sys.My, j) / math.Sqrt(ratio)
			}
		}
		columns.SetRow(k+width, t)
		d := &criteria.Diagonalised{RSS0: sys.RSS0, Outputs: sys.outputs(), Values: sys.outputs(), Ratio: ratio}
		if sys.Flat != nil {
			d.Values--
			for j := range k + width {
				sys.Flat.Project(columns.RawRowView(j))
			}
		}
		return d, d.Factor(ctx, mat.DenseCopyOf(columns.T()), width)
	}}}, nil
}

// biasRoot is a root of the form of the bias, my × width, without columns that are rounding of the others.
func (sys *System) biasRoot(ctx context.Context) (root *mat.Dense, width int, err error) {
	if sys.Core.bias == nil {
		return nil, 0, nil
	}
	all, err := linop.SquareRoot(ctx, sys.Core.bias, 1)
	if err != nil {
		return nil, 0, err
	}
	squares := linop.SquaresOfColumns(all)
	least, first := 1e-16*floats.Max(squares), 0 // they increase
	for first < sys.My-1 && squares[first] <= least {
		first++
	}
	return mat.DenseCopyOf(all.Slice(0, sys.My, first, sys.My)), sys.My - first, nil
}
