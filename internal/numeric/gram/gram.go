package gram

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Product is the kernel operator K on weights over X × Y, row-major mx × my.
// It is symmetric.
type Product interface {
	linop.Operator
	linop.Describer
	// Diagonal keeps of K, between each pair of inputs, only the diagonal in the
	// output vectors v. The error is the context's.
	Diagonal(ctx context.Context, v Basis) (Diagonal, error)
	// Check says how it was held against the kernel; nil for an operator that is
	// evaluated from the kernel itself.
	Check() *Check
}

// Factored is a Product held as Σ_q Left(q) ⊗ Right(q).
type Factored interface {
	Product
	Terms() int
	Left(q int) mat.Matrix  // mx × mx
	Right(q int) mat.Matrix // my × my
}

// Between is a Product of which C K Cᵀ is held as a sum of Kronecker products, for C on the points of the input.
type Between interface {
	Product
	Between(ctx context.Context, c mat.Matrix) (*linop.KroneckerSum, error)
}

// Whole is a Product that may be held as its matrix; nil: it is not.
type Whole interface {
	Product
	Whole() *mat.Dense
}

// Rough is a Product whose Diagonal comes from a rough form of the kernel: good
// enough to choose bases by, but not a preconditioner to rely on.
type Rough interface {
	Product
	Rough()
}

// Basis holds vectors on the output mesh, one matrix per axis with a vector in
// each column; the vectors of the mesh are their tensor products, row-major.
type Basis []*mat.Dense

// Diagonal is C_k(x, ξ) = v_kᵀ K(x,·; ξ,·) v_k for every output vector v_k.
type Diagonal interface {
	// Sum returns Σ_k C_k, mx × mx. The error is the context's.
	Sum(ctx context.Context) (*mat.SymDense, error)
	// Forms returns ⟨b_i, C_k b_i⟩ for the columns b_i of b: r × my for b of
	// mx × r. The error is the context's.
	Forms(ctx context.Context, b *mat.Dense) (*mat.Dense, error)
}

// Within is a Diagonal that knows bᵀ Σ_k C_k b better than by way of the sum.
type Within interface {
	Within(ctx context.Context, b *mat.Dense) (*mat.Dense, error)
}

// SumWithin returns bᵀ Σ_k C_k b, r × r for b of mx × r. The error is the context's.
func SumWithin(ctx context.Context, d Diagonal, b *mat.Dense) (*mat.Dense, error) {
	if w, ok := d.(Within); ok {
		return w.Within(ctx, b)
	}
	sum, err := d.Sum(ctx)
	if err != nil {
		return nil, err
	}
	var t, out mat.Dense
	if err := linop.MulContext(ctx, &t, sum, b); err != nil {
		return nil, err
	}
	return &out, linop.MulContext(ctx, &out, b.T(), &t)
}

// Structure says which form an operator takes.
type Structure string

// Automatic lets gram choose; the others are in the files of the structures.
const Automatic Structure = ""

// Options change the choice; the zero value lets gram choose.
type Options struct {
	Structure Structure // insist on one; refused where it does not apply
}

// Matrix returns the tensor products of the basis' vectors, my × my. For one
// axis it is the matrix itself.
func (v Basis) Matrix() *mat.Dense {
	m := v[0]
	for _, a := range v[1:] {
		var k mat.Dense
		k.Kronecker(m, a)
		m = &k
	}
	return m
}
