package criteria

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Factor takes the eigenvectors of A = B Bᵀ from (B, T), data × columns and one, where there are fewer columns than data; the
// last of the columns of B, as many as it says, are those of the bias, U/Ratio^½. With B = Q R and R Rᵀ = W S Wᵀ they are Q W,
// and U is in them Wᵀ times these columns of R, times Ratio^½. Those of Bᵀ B, without Q, would be orthogonal in B only where
// eigenvalues are large. Cost: for n data and k columns 4 n k² multiplications and additions, and the eigenvectors of k × k.
func (d *Diagonalised) Factor(ctx context.Context, b *mat.Dense, bias int) error {
	n, columns := b.Dims()
	columns--
	r, err := triangle(ctx, b) // its last column is Qᵀ T, and what is left of T
	if err != nil {
		return err
	}
	d.Rest, d.Zeros = r.At(columns, columns)*r.At(columns, columns), n-columns
	t := mat.Col(nil, columns, r)[:columns]
	r = r.Slice(0, columns, 0, columns).(*mat.Dense)
	h := mat.NewDense(columns, columns, nil)
	if err := linop.MulContext(ctx, h, r, r.T()); err != nil {
		return err
	}
	var v *mat.Dense
	if d.Eigenvalues, v, err = linop.Eigen(ctx, h); err != nil {
		return err
	}
	along := mat.NewVecDense(columns, nil)
	along.MulVec(v.T(), mat.NewVecDense(columns, t))
	d.T = along.RawVector().Data
	if bias == 0 {
		return nil
	}
	d.Bias = mat.NewDense(columns, bias, nil)
	err = linop.MulContext(ctx, d.Bias, v.T(), r.Slice(0, columns, columns-bias, columns))
	d.Bias.Scale(math.Sqrt(d.Ratio), d.Bias)
	return err
}

// triangle is R of B = Q R, for no fewer rows than columns: of some rows after the other, so that
// it takes no more memory than these.
func triangle(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	rows, cols := b.Dims()
	r, atOnce := new(mat.Dense), 8*cols
	for from := 0; from < rows; from += atOnce {
		all := part(b, from, min(rows, from+atOnce), 0, cols)
		if !r.IsEmpty() {
			next := all
			all = new(mat.Dense)
			all.Stack(r, next)
		}
		var err error
		if r, err = linop.Triangle(ctx, all); err != nil {
			return nil, err
		}
	}
	return r, nil
}
