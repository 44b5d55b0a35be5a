package fit

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/solve"
)

// maxDenseUnknowns bounds the memory of the reference method.
const maxDenseUnknowns = 6000

// solveDense is the slow, obvious route: the matrix S K̄ Sᵀ + I from kernel values
// one by one, and Cholesky. Nothing of the preconditioner, of FFTs or of
// Kronecker sums enters.
func (sys *system) solveDense(ctx context.Context, s *Spec, rep *Report) ([]float64, error) {
	sys.lambda, sys.rho = s.Lambda, s.Rho
	if s.Rho == 0 {
		sys.rho = s.Lambda
	}
	n, _ := sys.Dims()
	if n > maxDenseUnknowns || sys.mx*sys.my > 2*maxDenseUnknowns {
		return nil, fmt.Errorf("method \"dense\": %d unknowns on %d weights; it is for at most %d and %d", n, sys.mx*sys.my, maxDenseUnknowns, 2*maxDenseUnknowns)
	}
	x, y := s.Data.InputMesh, s.Data.OutputMesh
	f, err := kernel.Compile(s.Kernel, space(x, y))
	if err != nil {
		return nil, err
	}
	joint, err := mesh.Product(mustRename(x, f.Space.Names[:x.Dim()]), mustRename(y, f.Space.Names[x.Dim():]))
	if err != nil {
		return nil, err
	}
	k, err := f.Gram(ctx, joint, joint)
	if err != nil {
		return nil, err
	}
	h := mat.NewDense(n, n, nil)
	r := sys.rows()
	bx := sys.b.Slice(0, r, 0, sys.mx)
	block, left, mid := mat.NewDense(sys.mx, sys.mx, nil), mat.NewDense(r, sys.mx, nil), mat.NewDense(r, r, nil)
	for k1 := range sys.my {
		for k2 := range sys.my {
			for i := range sys.mx {
				for j := range sys.mx {
					block.Set(i, j, k.At(i*sys.my+k1, j*sys.my+k2))
				}
			}
			if err := linop.MulContext(ctx, left, bx, block); err != nil {
				return nil, err
			}
			if err := linop.MulContext(ctx, mid, left, bx.T()); err != nil {
				return nil, err
			}
			for i := range r {
				for j := range r {
					h.Set(i*sys.my+k1, j*sys.my+k2, mid.At(i, j)*sys.rdy[k1]*sys.rdy[k2]/sys.lambda)
				}
			}
		}
	}
	if err := sys.addDenseBias(ctx, s, h); err != nil {
		return nil, err
	}
	for i := range n {
		h.Set(i, i, h.At(i, i)+1)
	}
	z := make([]float64, n)
	out, err := solve.Cholesky{Tolerance: s.tolerance()}.Solve(ctx, linop.Dense{M: h}, z, sys.t.RawMatrix().Data)
	rep.Method, rep.Criterion, rep.Converged = out.Method+", dense matrix", "given", out.Converged
	rep.Reason = "asked for; " + out.Reason
	return z, err
}

func (sys *system) addDenseBias(ctx context.Context, s *Spec, h *mat.Dense) error {
	if sys.q == nil {
		return nil
	}
	y := s.Data.OutputMesh
	f, err := kernel.Compile(s.biasKernel(), kernel.Space{Names: y.Names()})
	if err != nil {
		return err
	}
	q, err := f.Gram(ctx, y, y)
	if err != nil {
		return err
	}
	n, _ := h.Dims()
	for i := range n {
		bi := sys.b.At(i/sys.my, sys.mx) * sys.rdy[i%sys.my]
		for j := range n {
			bj := sys.b.At(j/sys.my, sys.mx) * sys.rdy[j%sys.my]
			h.Set(i, j, h.At(i, j)+bi*bj*q.At(i%sys.my, j%sys.my)/sys.rho)
		}
	}
	return nil
}

// mustRename renames coordinates whose number is known to fit.
func mustRename(m mesh.Mesh, names []string) mesh.Mesh {
	r, err := m.Rename(names...)
	if err != nil {
		panic(err)
	}
	return r
}
