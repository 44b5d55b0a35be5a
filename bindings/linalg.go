package bindings

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linalg"
	"github.com/greenbench/workbench/numeric/array"
)

// Linalg is the Lua module linalg: dense linear algebra on arrays.
func Linalg() bind.Module {
	return bind.Module{
		Name: "linalg",
		Doc:  "Dense linear algebra on arrays. Matrices have rank 2; a vector stands for a column where that makes sense.",
		Funcs: append([]bind.Func{
			bind.Fn("solve", "Solves A x = b for a square matrix A by LU decomposition.", func(c *bind.Call, p *struct {
				A *array.Array `arg:"A" pos:"1" doc:"n × n matrix"`
				B *array.Array `arg:"b" pos:"2" doc:"right side: vector of length n, or n × k for k of them"`
			},
			) (*array.Array, error) {
				return solveLinear(c, p.A, p.B)
			}, bind.Returns("x, of the shape of b"), bind.Errors("A is singular to working precision", "shapes that do not fit"),
				bind.Example("linalg.solve({{2, 0}, {0, 4}}, {2, 8})[2]  --> 2"), bind.See("linalg.lstsq", "linalg.cholesky")),
			bind.Fn("cholesky", "Decomposes a symmetric positive definite matrix: A = L Lᵀ.",
				func(c *bind.Call, p *matrixArgument) (*array.Array, error) {
					return cholesky(c, p.A)
				}, bind.Returns("L, lower triangular"), bind.Errors("A is not symmetric", "A is not positive definite"),
				bind.Example("linalg.cholesky{{4, 2}, {2, 5}}:at(2, 1)  --> 1")),
			bind.Fn("eigh", "Eigenvalues and eigenvectors of a symmetric matrix: A = V diag(w) Vᵀ.",
				func(c *bind.Call, p *matrixArgument) (bind.Results, error) {
					return eigh(c, p.A)
				}, bind.ReturnsAs("array", "w, eigenvalues in increasing order"),
				bind.ReturnsAs("array", "V, orthonormal eigenvectors in its columns, in the order of w"),
				bind.Errors("A is not symmetric"), bind.Example("local w, V = linalg.eigh{{2, 1}, {1, 2}}\nw[1] + w[2]  --> 4"),
				bind.Keywords("eigenvalues")),
			bind.Fn("svd", "Singular value decomposition, thin: A = U diag(s) Vᵀ.",
				func(c *bind.Call, p *matrixArgument) (bind.Results, error) {
					return svd(c, p.A)
				}, bind.ReturnsAs("array", "U, n × min(n, m)"), bind.ReturnsAs("array", "s, singular values in decreasing order"),
				bind.ReturnsAs("array", "V, m × min(n, m); not its transpose"),
				bind.Example("local U, s, V = linalg.svd{{3, 0}, {0, -4}}\ns[1]  --> 4")),
			bind.Fn("qr", "QR decomposition, thin: A = Q R.",
				func(c *bind.Call, p *matrixArgument) (bind.Results, error) {
					return qr(c, p.A)
				}, bind.ReturnsAs("array", "Q, n × min(n, m), orthonormal columns"),
				bind.ReturnsAs("array", "R, min(n, m) × m, upper triangular"),
				bind.Example("local Q, R = linalg.qr{{3, 1}, {4, 2}}\nmath.abs(R:at(1, 1))  --> 5")),
			bind.Fn("lstsq", "Least squares: the x of least norm among those that minimise |A x - b|.", func(c *bind.Call, p *struct {
				A    *array.Array `arg:"A" pos:"1" doc:"n × m matrix of any rank"`
				B    *array.Array `arg:"b" pos:"2" doc:"vector of length n, or n × k for k of them"`
				Rtol float64      `arg:"rtol" doc:"singular values below rtol times the largest count as zero" default:"1e-13" allow:"[0, 1)"`
			},
			) (bind.Results, error) {
				return lstsq(c, p.A, p.B, p.Rtol)
			}, bind.ReturnsAs("array", "x: vector of length m, or m × k"), bind.ReturnsAs("integer", "rank of A"),
				bind.Example("local x, rank = linalg.lstsq({{1, 0}, {1, 1}, {1, 2}}, {1, 3, 5})\nx[2]  --> 2"), bind.See("linalg.solve")),
			bind.Fn("det", "Determinant of a square matrix.", func(c *bind.Call, p *matrixArgument) (float64, error) {
				return det(c, p.A)
			}, bind.Example("linalg.det{{1, 2}, {3, 4}}  --> -2")),
			bind.Fn("inv", "Inverse of a square matrix. To solve A x = b, linalg.solve is faster and more accurate.",
				func(c *bind.Call, p *matrixArgument) (*array.Array, error) {
					n, err := square("A", p.A)
					if err != nil {
						return nil, err
					}
					one, err := arrays.Eye(c, n)
					if err != nil {
						return nil, err
					}
					return solveLinear(c, p.A, one)
				}, bind.Returns("n × n matrix"), bind.Errors("A is singular to working precision"),
				bind.Example("linalg.inv{{2, 0}, {0, 4}}:at(2, 2)  --> 0.25"), bind.See("linalg.solve")),
		}, append(spectral(), matrixFunctions()...)...),
	}
}

// solveLinear solves A x = b and refuses to when A is too ill-conditioned for
// any digit of x to be right.
func solveLinear(ctx context.Context, a, b *array.Array) (*array.Array, error) {
	if _, err := square("A", a); err != nil {
		return nil, err
	}
	m, rhs, err := system(a, b)
	if err != nil {
		return nil, err
	}
	x, err := linalg.Solve(ctx, m, rhs)
	if errors.Is(err, linalg.ErrSingular) {
		return nil, fmt.Errorf("%w; linalg.pinv(A) and linalg.lstsq(A, b) work with such ones", err)
	}
	if err != nil {
		return nil, err
	}
	return like(b, x), nil
}

func cholesky(ctx context.Context, a *array.Array) (*array.Array, error) {
	m, err := symmetric(a)
	if err != nil {
		return nil, err
	}
	l, err := linalg.Cholesky(ctx, m)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w; linalg.solve works with such ones, and linalg.eigh(A) shows which eigenvalues are not positive", err)
	}
	if err != nil {
		return nil, err
	}
	return array.FromMatrix(l), nil
}

func eigh(ctx context.Context, a *array.Array) (bind.Results, error) {
	m, err := symmetric(a)
	if err != nil {
		return nil, err
	}
	values, v, err := linalg.Eigen(ctx, m)
	if err != nil {
		return nil, err
	}
	return bind.Results{array.Vector(values), array.FromMatrix(v)}, nil
}

func svd(ctx context.Context, a *array.Array) (bind.Results, error) {
	m, err := matrix("A", a)
	if err != nil {
		return nil, err
	}
	u, values, v, err := linalg.SVD(ctx, m)
	if err != nil {
		return nil, err
	}
	return bind.Results{array.FromMatrix(u), array.Vector(values), array.FromMatrix(v)}, nil
}

// qr decomposes the first min(n, m) columns; the others follow by R = Qᵀ A.
func qr(ctx context.Context, a *array.Array) (bind.Results, error) {
	m, err := matrix("A", a)
	if err != nil {
		return nil, err
	}
	rows, cols := m.Dims()
	k := min(rows, cols)
	q, square, err := linalg.QR(ctx, mat.DenseCopyOf(m.Slice(0, rows, 0, k)))
	if err != nil {
		return nil, err
	}
	r := mat.NewDense(k, cols, nil)
	if err := linalg.Mul(ctx, r, q.T(), m); err != nil {
		return nil, err
	}
	for i := range k { // exact zeros below the diagonal, and no rounding of the product above it
		copy(r.RawRowView(i), square.RawRowView(i))
	}
	return bind.Results{array.FromMatrix(q), array.FromMatrix(r)}, nil
}

func lstsq(ctx context.Context, a, b *array.Array, rtol float64) (bind.Results, error) {
	m, rhs, err := system(a, b)
	if err != nil {
		return nil, err
	}
	u, values, v, err := linalg.SVD(ctx, m)
	if err != nil {
		return nil, err
	}
	rank := linalg.Rank(values, rtol)
	x, err := linalg.LeastSquares(ctx, u, values[:rank], v, rhs)
	if err != nil {
		return nil, err
	}
	return bind.Results{like(b, x), rank}, nil
}

func det(ctx context.Context, a *array.Array) (float64, error) {
	if _, err := square("A", a); err != nil {
		return 0, err
	}
	m, err := matrix("A", a)
	if err != nil {
		return 0, err
	}
	lu, err := linalg.NewLU(ctx, m)
	if err != nil {
		return 0, err
	}
	return lu.Det(), nil
}

// symmetric returns a symmetric matrix; differences at the level of rounding
// are averaged away.
func symmetric(a *array.Array) (*mat.SymDense, error) {
	n, err := square("A", a)
	if err != nil {
		return nil, err
	}
	if err := finite("A", a); err != nil {
		return nil, err
	}
	const (
		rounding = 1e-10
		side     = 64 // of blocks that are in cache while they are read by rows and by columns
	)
	largest := 0.0
	for _, x := range a.Data {
		largest = max(largest, math.Abs(x))
	}
	s := mat.NewSymDense(n, nil)
	to := s.RawSymmetric()
	for top := 0; top < n; top += side {
		for left := top; left < n; left += side {
			for i := top; i < min(top+side, n); i++ {
				for j := max(i, left); j < min(left+side, n); j++ {
					x, y := a.Data[i*n+j], a.Data[j*n+i]
					if math.Abs(x-y) > rounding*largest {
						return nil, fmt.Errorf("the matrix is not symmetric: elements [%d %d] and [%d %d] are %g and %g; (A + A:transpose()) / 2 is, if they should be the same", i+1, j+1, j+1, i+1, x, y)
					}
					to.Data[i*to.Stride+j] = x/2 + y/2
				}
			}
		}
	}
	return s, nil
}

// system returns the matrix and the right sides, as columns, of A x = b.
func system(a, b *array.Array) (m, rhs *mat.Dense, err error) {
	if m, err = matrix("A", a); err != nil {
		return nil, nil, err
	}
	if b.Rank() > 2 || b.Shape[0] != a.Shape[0] {
		return nil, nil, fmt.Errorf("b of shape %s: want %d rows, as A of shape %s has",
			dense.ShapeString(b.Shape), a.Shape[0], dense.ShapeString(a.Shape))
	}
	columns := b
	if b.Rank() == 1 {
		if columns, err = b.Reshape(b.Shape[0], 1); err != nil {
			return nil, nil, err
		}
	}
	rhs, err = finiteMatrix("b", columns)
	return m, rhs, err
}
