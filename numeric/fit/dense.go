package fit

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/lattice"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/outputs"
	"github.com/greenbench/workbench/numeric/internal/solve"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// maxDenseUnknowns bounds the memory of the reference method.
const maxDenseUnknowns = 6000

// inFull is the slow, obvious way to solve a fit: the matrix S K̄ Sᵀ + I of what was
// observed from kernel values one by one, and Cholesky. Nothing of the preconditioner, of
// FFTs or of Kronecker sums enters.
type inFull struct {
	spec *Spec
	sys  *system
	o    *inObserved // nil: all outputs were observed
}

func newDense(ctx context.Context, s *Spec) (*inFull, error) {
	d := s.Data
	if n, k := d.N()*d.OutputMesh.Size(), d.InputMesh.Size()*d.OutputMesh.Size(); k > 2*maxDenseUnknowns || min(n, k+d.OutputMesh.Size()) > maxDenseUnknowns {
		return nil, fmt.Errorf("method \"dense\": %d unknowns on %d weights; it is for at most %d and %d", n, k, maxDenseUnknowns, 2*maxDenseUnknowns)
	}
	q := &question{spec: s}
	if err := q.hold(ctx, systemSize(d.N(), d.InputMesh, d.OutputMesh)); err != nil {
		return nil, err
	}
	var err error
	f := &inFull{spec: s}
	if outputs.Sharp(d) { // the covariance of errors pair by pair
		if f.o, err = newInObserved(ctx, q); err == nil {
			f.sys = f.o.whole.sys
		}
		return f, err
	}
	f.sys, err = newSystemWith(ctx, s, q.held, true)
	return f, err
}

// choose implements problem.
func (f *inFull) choose(context.Context, Criterion) (*chosen, error) {
	return nil, fmt.Errorf("method \"dense\": needs a number for lambda")
}

// exact implements problem: lambda is given.
func (f *inFull) exact(context.Context, int) (*criteria.Exact, error) { return nil, nil }

// contend implements problem.
func (f *inFull) contend(context.Context) (*contender, error) {
	return nil, fmt.Errorf("method \"dense\": needs numbers for lengthscales")
}

// measure implements problem.
func (f *inFull) measure(_ context.Context, at penalty) (criteria.Sheet, error) {
	return criteria.Unknown(at.lambda, at.rho), nil
}

// solve implements problem.
func (f *inFull) solve(ctx context.Context, at penalty, _ []float64) (*solution, error) {
	h, err := f.matrix(ctx, at)
	if err != nil {
		return nil, err
	}
	n, _ := h.Dims()
	z := make([]float64, n)
	out := &solution{x: z, unknowns: len(z)}
	t := f.sys.t.RawMatrix().Data
	if f.o != nil {
		t, out.unknowns = f.o.t, outputs.Count(f.spec.Data)
		whitened(h, f.o.part.d)
	}
	out.how, err = solve.Cholesky{Tolerance: f.spec.tolerance()}.Solve(ctx, linop.Dense{M: h}, z, t)
	out.how.Method += ", dense matrix"
	return out.unlessLost(ctx, err, linop.Dense{M: h}, f.spec.Kernel, at.lambda)
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

// weigh implements problem.
func (f *inFull) weigh(ctx context.Context, at penalty, z []float64) (*weighed, error) {
	if f.o != nil {
		return f.o.weigh(ctx, at, z)
	}
	return f.sys.at(at).weigh(ctx, z), linop.Stopped(ctx)
}

// matrix is S K̄ Sᵀ + I of all outputs.
func (f *inFull) matrix(ctx context.Context, at penalty) (*mat.Dense, error) {
	sys, x, y := f.sys, f.spec.Data.InputMesh, f.spec.Data.OutputMesh
	k, err := gramOf(ctx, f.spec.Kernel, x, y)
	if err != nil {
		return nil, err
	}
	n, _ := sys.Dims()
	h := mat.NewDense(n, n, nil)
	r := sys.rows()
	bx := sys.b.Slice(0, r, 0, sys.mx)
	block := mat.NewDense(sys.mx, sys.mx, nil)
	for k1 := range sys.my {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		for k2 := range sys.my {
			for i := range sys.mx {
				for j := range sys.mx {
					block.Set(i, j, k.At(i*sys.my+k1, j*sys.my+k2))
				}
			}
			mid := linop.Sandwich(ctx, bx.T(), block)
			for i := range r {
				for j := range r {
					h.Set(i*sys.my+k1, j*sys.my+k2, mid.At(i, j)*sys.rdy[k1]*sys.rdy[k2]/at.lambda)
				}
			}
		}
	}
	if err := f.addBias(ctx, h, at.rho); err != nil {
		return nil, err
	}
	for i := range n {
		h.Set(i, i, h.At(i, i)+1)
	}
	return h, nil
}

func (f *inFull) addBias(ctx context.Context, h *mat.Dense, rho float64) error {
	sys, y := f.sys, f.spec.Data.OutputMesh
	if sys.q == nil {
		return nil
	}
	k, err := kernel.Compile(f.spec.biasKernel(), kernel.Space{Names: y.Names()})
	if err != nil {
		return err
	}
	q, err := k.Gram(ctx, y, y)
	if err != nil {
		return err
	}
	n, _ := h.Dims()
	for i := range n {
		bi := sys.b.At(i/sys.my, sys.mx) * sys.rdy[i%sys.my]
		for j := range n {
			bj := sys.b.At(j/sys.my, sys.mx) * sys.rdy[j%sys.my]
			h.Set(i, j, h.At(i, j)+bi*bj*q.At(i%sys.my, j%sys.my)/rho)
		}
	}
	return nil
}

// gramOf is the matrix of a kernel between all points of X × Y.
func gramOf(ctx context.Context, k kernel.Kernel, x, y mesh.Mesh) (*mat.Dense, error) {
	f, err := kernel.Compile(k, lattice.Space(x, y))
	if err != nil {
		return nil, err
	}
	points, err := joint(f.Space, x, y)
	if err != nil {
		return nil, err
	}
	return f.Gram(ctx, points, points)
}
