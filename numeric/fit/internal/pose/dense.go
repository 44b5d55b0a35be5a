package pose

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
	"github.com/greenbench/workbench/numeric/fit/internal/inobserved"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// maxDenseUnknowns bounds the memory of the reference method.
const maxDenseUnknowns = 6000

// inFull is the slow, obvious way to solve a fit: the matrix S K̄ Sᵀ + I of what was
// observed from kernel values one by one, and Cholesky. Nothing of the preconditioner, of
// FFTs or of Kronecker sums enters.
type inFull struct {
	spec *problem.Setting
	sys  *indata.System
	o    *inobserved.Problem // nil: all outputs were observed
}

func newDense(ctx context.Context, s *problem.Setting) (*inFull, error) {
	d := s.Data
	if n, k := d.N()*d.OutputMesh.Size(), d.InputMesh.Size()*d.OutputMesh.Size(); k > 2*maxDenseUnknowns || min(n, k+d.OutputMesh.Size()) > maxDenseUnknowns {
		return nil, fmt.Errorf("method \"dense\": %d unknowns on %d weights; it is for at most %d and %d", n, k, maxDenseUnknowns, 2*maxDenseUnknowns)
	}
	q := &problem.Question{Setting: s}
	if err := q.Hold(ctx, indata.Size(d.N(), d.InputMesh, d.OutputMesh)); err != nil {
		return nil, err
	}
	var err error
	f := &inFull{spec: s}
	if outputs.Sharp(d) { // the covariance of errors pair by pair
		if f.o, err = inobserved.New(ctx, q); err == nil {
			f.sys = f.o.Whole.Sys
		}
		return f, err
	}
	f.sys, err = indata.NewSystem(ctx, s, q.Held, true)
	return f, err
}

// Choose implements problem.
func (f *inFull) Choose(context.Context, criteria.Criterion) (*problem.Chosen, error) {
	return nil, fmt.Errorf("method \"dense\": needs a number for lambda")
}

// Exact implements problem: lambda is given.
func (f *inFull) Exact(context.Context, int) (*criteria.Exact, error) { return nil, nil }

// Contend implements problem.
func (f *inFull) Contend(context.Context) (*criteria.Contender, error) {
	return nil, fmt.Errorf("method \"dense\": needs numbers for lengthscales")
}

// Measure implements problem.
func (f *inFull) Measure(_ context.Context, at problem.Penalty) (criteria.Sheet, error) {
	return criteria.Unknown(at.Lambda, at.Rho), nil
}

// Solve implements problem.
func (f *inFull) Solve(ctx context.Context, at problem.Penalty, _ []float64) (*problem.Solution, error) {
	h, err := f.matrix(ctx, at)
	if err != nil {
		return nil, err
	}
	n, _ := h.Dims()
	z := make([]float64, n)
	out := &problem.Solution{X: z, Unknowns: len(z)}
	t := f.sys.T.RawMatrix().Data
	if f.o != nil {
		t, out.Unknowns = f.o.T, outputs.Count(f.spec.Data)
		whitened(h, f.o.Part.D)
	}
	out.How, err = solve.Cholesky{Tolerance: f.spec.Tolerance}.Solve(ctx, linop.Dense{M: h}, z, t)
	out.How.Method += ", dense matrix"
	return out.UnlessLost(ctx, err, linop.Dense{M: h}, f.spec.Kernel, at.Lambda)
}

// whitened puts D A Dᵀ + I in place of A + I.
func whitened(h *mat.Dense, d *outputs.Whitening) {
	n, _ := h.Dims()
	for i := range n {
		h.Set(i, i, h.At(i, i)-1)
	}
	d.Columns(h)
	for i := range n {
		d.Forward(h.RawRowView(i))
		h.Set(i, i, h.At(i, i)+1)
	}
}

// Weigh implements problem.
func (f *inFull) Weigh(ctx context.Context, at problem.Penalty, z []float64) (*problem.Weighed, error) {
	if f.o != nil {
		return f.o.Weigh(ctx, at, z)
	}
	return f.sys.At(at).Weigh(ctx, z), linop.Stopped(ctx)
}

// matrix is S K̄ Sᵀ + I of all outputs.
func (f *inFull) matrix(ctx context.Context, at problem.Penalty) (*mat.Dense, error) {
	sys, x, y := f.sys, f.spec.Data.InputMesh, f.spec.Data.OutputMesh
	k, err := gramOf(ctx, f.spec.Kernel, x, y)
	if err != nil {
		return nil, err
	}
	n, _ := sys.Dims()
	h := mat.NewDense(n, n, nil)
	r := sys.Rows()
	bx := sys.B.Slice(0, r, 0, sys.Mx)
	block := mat.NewDense(sys.Mx, sys.Mx, nil)
	for k1 := range sys.My {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		for k2 := range sys.My {
			for i := range sys.Mx {
				for j := range sys.Mx {
					block.Set(i, j, k.At(i*sys.My+k1, j*sys.My+k2))
				}
			}
			mid := linop.Sandwich(ctx, bx.T(), block)
			for i := range r {
				for j := range r {
					h.Set(i*sys.My+k1, j*sys.My+k2, mid.At(i, j)*sys.Rdy[k1]*sys.Rdy[k2]/at.Lambda)
				}
			}
		}
	}
	if err := f.addBias(ctx, h, at.Rho); err != nil {
		return nil, err
	}
	for i := range n {
		h.Set(i, i, h.At(i, i)+1)
	}
	return h, nil
}

func (f *inFull) addBias(ctx context.Context, h *mat.Dense, rho float64) error {
	sys := f.sys
	if sys.Q == nil {
		return nil
	}
	q, err := f.spec.BiasMatrix(ctx)
	if err != nil {
		return err
	}
	n, _ := h.Dims()
	for i := range n {
		bi := sys.B.At(i/sys.My, sys.Mx) * sys.Rdy[i%sys.My]
		for j := range n {
			bj := sys.B.At(j/sys.My, sys.Mx) * sys.Rdy[j%sys.My]
			h.Set(i, j, h.At(i, j)+bi*bj*q.At(i%sys.My, j%sys.My)/rho)
		}
	}
	return nil
}

// gramOf is the matrix of a kernel between all points of X × Y.
func gramOf(ctx context.Context, k kernel.Kernel, x, y mesh.Mesh) (*mat.Dense, error) {
	f, err := kernels.Compile(k, lattice.Space(x, y))
	if err != nil {
		return nil, err
	}
	points, err := problem.Joint(f.Space, x, y)
	if err != nil {
		return nil, err
	}
	return f.Gram(ctx, points, points)
}
