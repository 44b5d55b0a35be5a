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
	"github.com/greenbench/workbench/internal/numeric/sparse"
	"github.com/greenbench/workbench/numeric/array"
)

// squareMatrix returns a square matrix as a copy, of finite numbers.
func squareMatrix(a *array.Array) (*mat.Dense, error) {
	if _, err := square("A", a); err != nil {
		return nil, err
	}
	return matrix("A", a)
}

type rankArgument struct {
	A    *array.Array `arg:"A" pos:"1" doc:"matrix"`
	Rtol *float64     `arg:"rtol" doc:"singular values below rtol times the largest count as zero; by default max(n, m) 2.2e-16"`
}

// singular is the decomposition of a matrix, with its rank.
func (p rankArgument) singular(ctx context.Context) (u *mat.Dense, s []float64, v *mat.Dense, rank int, err error) {
	m, err := matrix("A", p.A)
	if err != nil {
		return nil, nil, nil, 0, err
	}
	rtol := float64(max(p.A.Shape[0], p.A.Shape[1])) * 0x1p-52
	if p.Rtol != nil {
		if rtol = *p.Rtol; !(rtol >= 0 && rtol < 1) {
			return nil, nil, nil, 0, fmt.Errorf("rtol %g: must be in [0, 1)", rtol)
		}
	}
	if u, s, v, err = linalg.SVD(ctx, m); err != nil {
		return nil, nil, nil, 0, err
	}
	return u, s, v, linalg.Rank(s, rtol), nil
}

// spectral are the functions by eigenvalues and singular values.
func spectral() []bind.Func {
	return []bind.Func{
		bind.Fn("eig", "Eigenvalues and eigenvectors of a square matrix, complex in general: A V = V diag(w).", func(c *bind.Call, p *matrixArgument) (bind.Results, error) {
			m, err := squareMatrix(p.A)
			if err != nil {
				return nil, err
			}
			values, vectors, err := linalg.EigenGeneral(c, m)
			if err != nil {
				return nil, err
			}
			w, err := arrays.ComplexOf(values)
			if err != nil {
				return nil, err
			}
			raw := vectors.RawCMatrix()
			v, err := arrays.ComplexOf(raw.Data, raw.Rows, raw.Cols)
			return bind.Results{w, v}, err
		}, bind.ReturnsAs("complex", "w, eigenvalues by real and then imaginary part"), bind.ReturnsAs("complex", "V, unit eigenvectors in its columns"),
			bind.Errors(fmt.Sprintf("more than %d rows: they would take minutes", linalg.MostEigenvalues)), bind.Keywords("eigenvalues", "eigvals"), bind.See("linalg.eigh", "sparse.eigsh"),
			bind.Example("local w, V = linalg.eig{{0, -2}, {2, 0}}\nw.im[2]  --> 2")),
		bind.Fn("pinv", "Pseudoinverse of Moore and Penrose: V diag(1/s) Uᵀ over the singular values that are not zero.", func(c *bind.Call, p *rankArgument) (*array.Array, error) {
			u, s, v, rank, err := p.singular(c)
			if err != nil {
				return nil, err
			}
			rows, _ := u.Dims()
			one, err := arrays.Eye(c, rows)
			if err != nil {
				return nil, err
			}
			m, err := one.Matrix()
			if err != nil {
				return nil, err
			}
			x, err := linalg.LeastSquares(c, u, s[:rank], v, m)
			if err != nil {
				return nil, err
			}
			return array.FromMatrix(x), nil
		}, bind.Returns("m × n matrix for an n × m one"), bind.Example("linalg.pinv{{2, 0}, {0, 0}}:at(1, 1)  --> 0.5"), bind.See("linalg.lstsq")),
		bind.Fn("matrix_rank", "Number of singular values that are not zero.", func(c *bind.Call, p *rankArgument) (int, error) {
			_, _, _, rank, err := p.singular(c)
			return rank, err
		}, bind.Example("linalg.matrix_rank{{1, 2}, {2, 4}}  --> 1"), bind.Keywords("rank"), bind.See("linalg.svd")),
		bind.Fn("null_space", "Orthonormal basis of the x with A x = 0.", func(c *bind.Call, p *rankArgument) (*array.Array, error) {
			if p.A.Rank() == 2 && p.A.Shape[0] < p.A.Shape[1] { // rows of zeros, so that all right vectors are there
				tall, err := array.Zeros(p.A.Shape[1], p.A.Shape[1])
				if err != nil {
					return nil, err
				}
				copy(tall.Data, p.A.Data)
				p.A = tall
			}
			_, _, v, rank, err := p.singular(c)
			if err != nil {
				return nil, err
			}
			rows, cols := v.Dims()
			if rank == cols {
				return array.Zeros(rows, 0)
			}
			return array.FromMatrix(mat.DenseCopyOf(v.Slice(0, rows, rank, cols))), nil
		}, bind.Returns("matrix with the basis in its columns; m × 0 where there is only x = 0"), bind.Keywords("kernel", "nullspace"),
			bind.Example("local N = linalg.null_space{{1, 1}}\nmath.abs(N:at(1, 1) + N:at(2, 1)) < 1e-15  --> true")),
		bind.Fn("cond", "Condition number |A| |A⁻¹| in the 2-norm: the largest singular value over the smallest.", func(c *bind.Call, p *matrixArgument) (float64, error) {
			_, s, _, _, err := rankArgument{A: p.A}.singular(c)
			if err != nil {
				return 0, err
			}
			if s[len(s)-1] == 0 {
				return math.Inf(1), nil
			}
			return s[0] / s[len(s)-1], nil
		}, bind.Returns("a number >= 1; of a singular matrix infinite, or by rounding about 1e16"), bind.Example("linalg.cond{{4, 0}, {0, 2}}  --> 2"), bind.See("linalg.svd")),
		bind.Fn("norm", "Norm of a vector or a matrix.", func(c *bind.Call, p *struct {
			A   bind.Either[*array.Array, *arrays.Complex] `arg:"A" pos:"1" doc:"vector or matrix, of complex numbers too"`
			Ord *bind.Either[float64, string]              `arg:"ord" pos:"2" doc:"1, 2, \"inf\" or \"fro\"; by default the root of the sum of squares"`
		},
		) (float64, error) {
			if p.A.IsB {
				return normOfComplex(c, p.A.B, p.Ord)
			}
			return normOf(c, p.A.A, p.Ord)
		}, bind.Returns("of a vector Σ|x|, √Σx², max |x|; of a matrix the largest column sum, singular value, row sum; fro is √Σx² of both"),
			bind.Example("linalg.norm({{1, -2}, {3, 4}}, 1)  --> 6"), bind.See("array:norm", "linalg.cond")),
	}
}

// normOfComplex is the norm of the absolute values, but for the largest singular value, which is that of
// {{re, -im}, {im, re}}.
func normOfComplex(ctx context.Context, z *arrays.Complex, ord *bind.Either[float64, string]) (float64, error) {
	if z.Rank() != 2 || ord == nil || ord.IsB || ord.A != 2 {
		sizes, err := z.Abs(ctx)
		if err != nil {
			return 0, err
		}
		return normOf(ctx, sizes, ord)
	}
	re, err := z.Real(ctx)
	if err != nil {
		return 0, err
	}
	im, err := z.Imag(ctx)
	if err != nil {
		return 0, err
	}
	minus, err := arrays.Mul(ctx, im, array.Scalar(-1))
	if err != nil {
		return 0, err
	}
	above, err := arrays.Join(ctx, []*array.Array{re, minus}, 1, false)
	if err != nil {
		return 0, err
	}
	below, err := arrays.Join(ctx, []*array.Array{im, re}, 1, false)
	if err != nil {
		return 0, err
	}
	whole, err := arrays.Join(ctx, []*array.Array{above, below}, 0, false)
	if err != nil {
		return 0, err
	}
	return normOf(ctx, whole, ord)
}

func normOf(ctx context.Context, a *array.Array, ord *bind.Either[float64, string]) (float64, error) {
	if a.Rank() > 2 {
		return 0, fmt.Errorf("%s of shape %s: want a vector or a matrix", "A", dense.ShapeString(a.Shape))
	}
	kind := "fro"
	if ord != nil {
		if kind = ord.B; !ord.IsB {
			if kind = fmt.Sprint(ord.A); ord.A >= math.MaxFloat64 { // what Lua calls math.huge
				kind = "inf"
			}
		}
	}
	if a.Size() == 0 {
		return 0, nil
	}
	frobenius, err := arrays.Reduce(ctx, a, "norm", 2, arrays.All, false)
	if err != nil {
		return 0, err
	}
	if kind == "fro" || kind == "2" && a.Rank() == 1 {
		return frobenius.Data[0], nil
	}
	m, err := columnsOf("A", a)
	if err != nil {
		return 0, err
	}
	switch kind {
	case "1":
		return mat.Norm(m, 1), nil
	case "inf":
		return mat.Norm(m, math.Inf(1)), nil
	case "2":
		_, s, _, err := linalg.SVD(ctx, m)
		if err != nil {
			return 0, err
		}
		return s[0], nil
	}
	return 0, fmt.Errorf("ord %s: must be 1, 2, \"inf\" or \"fro\"", kind)
}

// matrixFunctions are functions of a matrix, and systems of special form.
func matrixFunctions() []bind.Func {
	return []bind.Func{
		bind.Fn("lu", "LU decomposition with partial pivoting: A = P L U.", func(c *bind.Call, p *matrixArgument) (bind.Results, error) {
			m, err := squareMatrix(p.A)
			if err != nil {
				return nil, err
			}
			lu, err := linalg.NewLU(c, m)
			if err != nil {
				return nil, err
			}
			rows, l, u := lu.Parts()
			perm := array.New(len(rows), len(rows))
			for k, i := range rows {
				perm.Set(1, i, k)
			}
			return bind.Results{perm, array.FromMatrix(l), array.FromMatrix(u)}, nil
		}, bind.ReturnsAs("array", "P, permutation"), bind.ReturnsAs("array", "L, lower triangular with ones on the diagonal"), bind.ReturnsAs("array", "U, upper triangular"),
			bind.Example("local P, L, U = linalg.lu{{1, 2}, {4, 4}}\nL:at(2, 1)  --> 0.25"), bind.See("linalg.solve", "sparse.lu")),
		bind.Fn("expm", "Exponential of a matrix.", func(c *bind.Call, p *matrixArgument) (*array.Array, error) {
			m, err := squareMatrix(p.A)
			if err != nil {
				return nil, err
			}
			out, err := linalg.Exp(c, m)
			if err != nil {
				return nil, err
			}
			return array.FromMatrix(out), nil
		}, bind.Returns("n × n matrix"), bind.Errors("it overflows"), bind.Keywords("exp", "exponential"), bind.Example("linalg.expm{{0, 1}, {0, 0}}:at(1, 2)  --> 1")),
		bind.Fn("matrix_power", "Power of a matrix; negative ones are of the inverse.", func(c *bind.Call, p *struct {
			A *array.Array `arg:"A" pos:"1" doc:"n × n matrix"`
			N int          `arg:"n" pos:"2" doc:"exponent"`
		},
		) (*array.Array, error) {
			m, err := squareMatrix(p.A)
			if err != nil {
				return nil, err
			}
			out, err := linalg.Power(c, m, p.N)
			if err != nil {
				return nil, err
			}
			return array.FromMatrix(out), nil
		}, bind.Returns("n × n matrix"), bind.Errors("a negative power of a singular matrix"), bind.Example("linalg.matrix_power({{1, 1}, {1, 0}}, 10):at(1, 2)  --> 55")),
		bind.Fn("solve_toeplitz", "Solves T x = b for the Toeplitz matrix of a first column and a first row, by Levinson's recursion where that keeps the digits.", func(c *bind.Call, p *struct {
			Column []float64    `arg:"column" pos:"1" doc:"first column" allow:"finite nonempty"`
			B      *array.Array `arg:"b" pos:"2" doc:"right side: vector of length n, or n × k for k of them"`
			Row    *[]float64   `arg:"row" doc:"first row, whose first number is not read; by default the column: T is symmetric"`
		},
		) (*array.Array, error) {
			row := p.Column
			if p.Row != nil {
				row = append([]float64{p.Column[0]}, (*p.Row)[min(1, len(*p.Row)):]...)
			}
			n := len(p.Column)
			if len(row) != n || p.B.Rank() > 2 || p.B.Shape[0] != n {
				return nil, fmt.Errorf("column of %d numbers, row of %d, b of shape %s: must be as long as each other", n, len(row), dense.ShapeString(p.B.Shape))
			}
			b, err := columnsOf("b", p.B)
			if err != nil {
				return nil, err
			}
			x, err := linalg.SolveToeplitz(c, p.Column, row, b)
			if err != nil {
				return nil, err
			}
			return like(p.B, x), nil
		}, bind.Returns("x, of the shape of b"), bind.Errors("the matrix is singular to working precision"), bind.Keywords("levinson"),
			bind.Example("linalg.solve_toeplitz({2, 1}, {4, 5})[2]  --> 2"), bind.See("linalg.solve")),
		bind.Fn("solve_banded", "Solves A x = b for a matrix with few diagonals.", func(c *bind.Call, p *struct {
			Lower int          `arg:"lower" pos:"1" doc:"number of diagonals below the main one" allow:">=0"`
			Upper int          `arg:"upper" pos:"2" doc:"number of diagonals above it" allow:">=0"`
			Bands *array.Array `arg:"bands" pos:"3" doc:"the diagonals in rows, the highest first; bands[upper + 1 + i - j][j] is A[i][j], and the corners are not read"`
			B     *array.Array `arg:"b" pos:"4" doc:"right side: vector of length n, or n × k for k of them"`
		},
		) (*array.Array, error) {
			return solveBanded(c, p.Lower, p.Upper, p.Bands, p.B)
		}, bind.Returns("x, of the shape of b"), bind.Errors("the matrix is singular to working precision"), bind.Keywords("tridiagonal", "thomas", "band"),
			bind.Example("linalg.solve_banded(1, 1, {{0, -1, -1}, {2, 2, 2}, {-1, -1, 0}}, {1, 0, 1})[2]  --> 1"), bind.See("sparse.diags", "sparse.solve")),
	}
}

// solveBanded is by sparse factors, which do not fill in outside of the band.
func solveBanded(ctx context.Context, lower, upper int, bands, b *array.Array) (*array.Array, error) {
	if bands.Rank() != 2 || bands.Shape[0] != lower+upper+1 || bands.Shape[1] == 0 {
		return nil, fmt.Errorf("bands of shape %s: want %d × n, a row for each diagonal", dense.ShapeString(bands.Shape), lower+upper+1)
	}
	n := bands.Shape[1]
	if lower >= n || upper >= n {
		return nil, errors.New("more diagonals than the matrix has: their number must be below n")
	}
	var diagonals [][]float64
	var offsets []int
	for k := range bands.Shape[0] {
		o := upper - k
		row := bands.Data[k*n : (k+1)*n]
		diagonals, offsets = append(diagonals, row[max(0, o):min(n, n+o)]), append(offsets, o)
	}
	a, err := sparse.Diagonals(n, n, diagonals, offsets)
	if err != nil {
		return nil, err
	}
	f, err := sparse.LU(ctx, a)
	if err != nil {
		return nil, err
	}
	return solveFactored(ctx, f, b)
}
