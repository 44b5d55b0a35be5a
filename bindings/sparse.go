package bindings

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/sparse"
	"github.com/greenbench/workbench/numeric/array"
)

// Sparse is the Lua module sparse: matrices of which few entries are not 0.
func Sparse() bind.Module {
	type matrixOnly struct {
		A *sparse.Matrix `arg:"A" pos:"1" doc:"sparse matrix"`
	}
	return bind.Module{
		Name: "sparse",
		Doc: "Matrices of which few entries are not 0, held by rows. Names are those of scipy.sparse. A:dot(x) multiplies; " +
			"sparse.lu and sparse.cholesky factor once, in an order that keeps the factors sparse, to solve often; sparse.cg and " +
			"sparse.gmres iterate; sparse.eigsh finds a few eigenvalues.",
		Types: []bind.Type{sparseType(), factorType()},
		Funcs: []bind.Func{
			bind.Fn("coo", "The matrix of the given entries. Values at one place are added.", func(_ *bind.Call, p *struct {
				Rows    []int     `arg:"rows" doc:"row of each entry, from 1"`
				Columns []int     `arg:"columns" doc:"column of each entry, from 1"`
				Values  []float64 `arg:"values" doc:"its number" allow:"nan"`
				Shape   *[]int    `arg:"shape" doc:"{rows, columns}; by default as many as there are entries for"`
			},
			) (*sparse.Matrix, error) {
				return sparseOf(p.Rows, p.Columns, p.Values, p.Shape)
			}, bind.Returns("sparse matrix"), bind.Errors("an entry outside of the shape"),
				bind.Example("local A = sparse.coo{rows = {1, 2, 2}, columns = {1, 2, 2}, values = {5, 1, 2}}\nA:at(2, 2)  --> 3"),
				bind.Keywords("coo_matrix", "coordinates", "triplets"), bind.See("sparse.csr", "sparse.diags")),
			bind.Fn("csr", "The sparse matrix of the entries of a dense one that are not 0.", func(_ *bind.Call, p *matrixArgument) (*sparse.Matrix, error) {
				if p.A.Rank() != 2 {
					return nil, fmt.Errorf("%s of shape %s: want a matrix", "A", dense.ShapeString(p.A.Shape))
				}
				m, err := p.A.Matrix()
				if err != nil {
					return nil, fmt.Errorf("%s: %w", "A", err)
				}
				return sparse.FromDense(m)
			}, bind.Returns("sparse matrix"), bind.Example("sparse.csr{{1, 0}, {0, 2}}.nnz  --> 2"), bind.Keywords("csr_matrix", "from dense", "csc"), bind.See("sparse:dense")),
			bind.Fn("diags", "The matrix of given diagonals.", func(_ *bind.Call, p *struct {
				Diagonals [][]float64 `arg:"diagonals" pos:"1" doc:"the numbers of each; one number stands for all of a diagonal"`
				Offsets   []int       `arg:"offsets" pos:"2" doc:"where each is: 0 the main diagonal, 1 above it, -1 below" default:"{0}"`
				Shape     *[]int      `arg:"shape" doc:"{rows, columns}; by default square, as large as the diagonals say"`
			},
			) (*sparse.Matrix, error) {
				return diagonals(p.Diagonals, p.Offsets, p.Shape)
			}, bind.Returns("sparse matrix"), bind.Example(sampleSparse+"A:dot{1, 1, 1, 1}[1]  --> 1"), bind.Keywords("tridiagonal", "laplacian", "spdiags")),
			bind.Fn("eye", "The identity.", func(_ *bind.Call, p *struct {
				N int `arg:"n" pos:"1" doc:"rows and columns" allow:">=1"`
			},
			) (*sparse.Matrix, error) {
				return sparse.Diagonals(p.N, p.N, [][]float64{{1}}, []int{0})
			}, bind.Returns("sparse matrix"), bind.Example("sparse.eye(3).nnz  --> 3"), bind.Keywords("identity")),
			bind.Fn("kron", "The Kronecker product: the block matrix of A[i][j] B.", func(c *bind.Call, p *struct {
				A *sparse.Matrix `arg:"A" pos:"1" doc:"sparse matrix"`
				B *sparse.Matrix `arg:"B" pos:"2" doc:"sparse matrix"`
			},
			) (*sparse.Matrix, error) {
				return sparse.Kron(c, p.A, p.B)
			}, bind.Returns("sparse matrix"),
				bind.Example(sampleSparse+"local I = sparse.eye(4)\nlocal laplacian = sparse.kron(A, I) + sparse.kron(I, A)\nlaplacian.shape[1]  --> 16")),
			bind.Fn("solve", "Solves A x = b: by Cholesky where A is symmetric and positive definite, otherwise by LU.", func(c *bind.Call, p *struct {
				matrixOnly
				B *array.Array `arg:"b" pos:"2" doc:"right side: vector of length n, or n × k for k of them"`
			},
			) (*array.Array, error) {
				f, err := factored(c, p.A)
				if err != nil {
					return nil, err
				}
				return solveFactored(c, f, p.B)
			}, bind.Returns("x, of the shape of b"), bind.Errors("A is singular to working precision"), bind.Keywords("spsolve"),
				bind.Example(sampleSparse+"sparse.solve(A, {1, 0, 0, 1})[2]  --> 1"), bind.See("sparse.lu", "sparse.cholesky", "sparse.cg")),
			bind.Fn("cholesky", "Factors a symmetric positive definite matrix, in an order of minimum degree.", func(c *bind.Call, p *matrixOnly) (*sparse.Factors, error) {
				f, err := sparse.Cholesky(c, p.A)
				if errors.Is(err, sparse.ErrNotPositive) {
					err = fmt.Errorf("%w; sparse.lu works with such ones", err)
				}
				return f, err
			}, bind.Returns("factor, to be solved with"), bind.Errors("A is not symmetric", "A is not positive definite"),
				bind.Example(sampleSparse+"local f = sparse.cholesky(A)\nf:solve{1, 0, 0, 1}[3]  --> 1"), bind.See("factor:solve", "sparse.lu")),
			bind.Fn("lu", "Factors a square matrix, in an order of minimum degree, with threshold partial pivoting.", func(c *bind.Call, p *matrixOnly) (*sparse.Factors, error) {
				return sparse.LU(c, p.A)
			}, bind.Returns("factor, to be solved with"), bind.Errors("A is singular to working precision"), bind.Keywords("splu"),
				bind.Example("local f = sparse.lu(sparse.csr{{0, 2}, {4, 0}})\nf:solve{2, 4}[1]  --> 1"), bind.See("factor:solve", "sparse.cholesky")),
			iteration("cg", "Solves A x = b for a symmetric positive definite A by conjugate gradients.", sparse.Iteration.CG, "sparse.gmres"),
			iteration("gmres", "Solves A x = b for any square A by the generalised minimal residual method.", sparse.Iteration.GMRES, "sparse.cg"),
			bind.Fn("eigsh", "A few eigenvalues of a symmetric matrix, multiple ones as often as they are.", func(c *bind.Call, p *struct {
				matrixOnly
				K         int      `arg:"k" doc:"how many; all, where there are fewer" default:"6" allow:">=1"`
				Which     string   `arg:"which" doc:"which end of the spectrum" default:"largest" allow:"largest|smallest"`
				Sigma     *float64 `arg:"sigma" doc:"those nearest to this number instead"`
				Tolerance float64  `arg:"tolerance" doc:"|A v - w v| relative to |A|" default:"1e-12" allow:"[1e-14, 0.1]"`
			},
			) (bind.Results, error) {
				which, sigma := sparse.Largest, 0.0
				if p.Which == "smallest" {
					which = sparse.Smallest
				}
				if p.Sigma != nil {
					which, sigma = sparse.Nearest, *p.Sigma
				}
				rows, _ := p.A.Dims()
				values, vectors, err := sparse.Eigen(c, p.A, min(p.K, rows), which, sigma, p.Tolerance)
				if err != nil {
					return nil, err
				}
				return bind.Results{array.Vector(values), array.FromMatrix(vectors)}, nil
			}, bind.ReturnsAs("array", "w, eigenvalues in increasing order; as many as A has where that is less than k"), bind.ReturnsAs("array", "V, orthonormal eigenvectors in its columns"),
				bind.Errors("A is not symmetric", "they do not converge"), bind.Keywords("eigs", "lanczos", "eigenvalues", "arpack"),
				bind.Example(sampleSparse+"local w, V = sparse.eigsh(A, {k = 2, which = \"smallest\"})\nw[1]  --> 0.38196601125010515"), bind.See("linalg.eigh")),
		},
	}
}

// sparseOf reads indices from 1.
func sparseOf(rows, columns []int, values []float64, shape *[]int) (*sparse.Matrix, error) {
	lengths := [2]int{}
	zero := [2][]int{make([]int, len(rows)), make([]int, len(columns))}
	for side, list := range [][]int{rows, columns} {
		for k, i := range list {
			if i < 1 {
				return nil, fmt.Errorf("%s[%d] %d: indices start at 1", []string{"rows", "columns"}[side], k+1, i)
			}
			zero[side][k] = i - 1
			lengths[side] = max(lengths[side], i)
		}
	}
	if err := readShape(&lengths, shape); err != nil {
		return nil, err
	}
	return sparse.New(lengths[0], lengths[1], zero[0], zero[1], values)
}

func readShape(lengths *[2]int, shape *[]int) error {
	switch {
	case shape == nil:
		return nil
	case len(*shape) != 2:
		return fmt.Errorf("shape of %d numbers: want {rows, columns}", len(*shape))
	}
	*lengths = [2]int((*shape)[:2])
	return nil
}

func diagonals(diagonals [][]float64, offsets []int, shape *[]int) (*sparse.Matrix, error) {
	n := 0
	for k, d := range diagonals {
		if len(d) > 1 && k < len(offsets) {
			n = max(n, len(d)+int(math.Abs(float64(offsets[k]))))
		}
	}
	lengths := [2]int{n, n}
	if shape == nil && n == 0 {
		return nil, errors.New("shape: missing; diagonals of one number each do not say how large the matrix is")
	}
	if err := readShape(&lengths, shape); err != nil {
		return nil, err
	}
	return sparse.Diagonals(lengths[0], lengths[1], diagonals, offsets)
}

// factored takes Cholesky's method where it can.
func factored(ctx context.Context, a *sparse.Matrix) (*sparse.Factors, error) {
	if a.Symmetric(0) {
		f, err := sparse.Cholesky(ctx, a)
		if err == nil || !errors.Is(err, sparse.ErrNotPositive) {
			return f, err
		}
	}
	return sparse.LU(ctx, a)
}

// iterationReport is what a script sees of a report.
type iterationReport struct {
	Iterations int     `arg:"iterations" doc:"products with A"`
	Residual   float64 `arg:"residual" doc:"|b - A x|/|b|, recomputed"`
	Converged  bool    `arg:"converged" doc:"the residual is at most the tolerance"`
	Reason     string  `arg:"reason" doc:"why it ended, and what to try"`
}

func iteration(name, doc string, run func(it sparse.Iteration, ctx context.Context, a *sparse.Matrix, b, start []float64) ([]float64, sparse.Report, error), see string) bind.Func {
	return bind.Fn(name, doc+" Look at report.converged: not to converge is not an error.", func(c *bind.Call, p *struct {
		A              *sparse.Matrix  `arg:"A" pos:"1" doc:"sparse matrix"`
		B              []float64       `arg:"b" pos:"2" doc:"right side" allow:"finite"`
		Tolerance      float64         `arg:"tolerance" doc:"|b - A x|/|b| at which it ends" default:"1e-10" allow:"(0, 1)"`
		MaxIterations  int             `arg:"max_iterations" doc:"0 for ten times the number of unknowns" default:"0" allow:">=0"`
		Start          *[]float64      `arg:"start" doc:"first x; zeros by default"`
		Preconditioner *sparse.Factors `arg:"preconditioner" doc:"factor of a matrix near A" default:"nil"`
	},
	) (bind.Results, error) {
		var start []float64
		if p.Start != nil {
			start = *p.Start
		}
		it := sparse.Iteration{Tolerance: p.Tolerance, MaxIterations: p.MaxIterations, Factors: p.Preconditioner}
		x, r, err := run(it, c, p.A, p.B, start)
		if err != nil {
			return nil, err
		}
		return bind.Results{array.Vector(x), iterationReport{r.Iterations, r.Residual, r.Converged, r.Reason}}, nil
	}, bind.ReturnsAs("array", "x"), bind.ReturnsAs("table", "report: iterations, residual, converged, reason"),
		bind.Example(sampleSparse+fmt.Sprintf("local x, report = sparse.%s(A, {1, 0, 0, 1})\nprint(report.converged, x[2])  --> true\t1", name)), bind.See(see, "sparse.solve"))
}

// factorType is what sparse.lu and sparse.cholesky return.
func factorType() bind.Type {
	return bind.TypeOf[*sparse.Factors]("factor", "A sparse matrix that is factored: solve with it as often as you like.",
		bind.ToString(func(f *sparse.Factors) string {
			return fmt.Sprintf("factor by %s, %d × %d with %d entries, condition %.2g", f.Method, f.Size(), f.Size(), f.Fill, f.Condition)
		}),
		bind.Properties(
			bind.Prop("method", "cholesky or lu", func(f *sparse.Factors) string { return f.Method }),
			bind.Prop("size", "number of unknowns", (*sparse.Factors).Size),
			bind.Prop("fill", "number of entries kept in the factors", func(f *sparse.Factors) int { return f.Fill }),
			bind.Prop("condition", "estimated condition number of the matrix with rows and columns scaled", func(f *sparse.Factors) float64 { return f.Condition }),
		),
		bind.Methods(bind.Fn("solve", "Solves A x = b.", func(c *bind.Call, p *struct {
			F *sparse.Factors `arg:"self"`
			B *array.Array    `arg:"b" pos:"1" doc:"right side: vector of length n, or n × k for k of them"`
		},
		) (*array.Array, error) {
			return solveFactored(c, p.F, p.B)
		}, bind.Returns("x, of the shape of b"), bind.Example("sparse.lu(sparse.csr{{2, 0}, {0, 4}}):solve{2, 8}[2]  --> 2"), bind.See("sparse.lu"))),
	)
}
