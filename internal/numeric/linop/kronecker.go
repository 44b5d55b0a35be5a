package linop

import (
	"context"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// Kronecker is A ⊗ B: on a row-major array X of shape (columns of A) × (columns
// of B) it is A X Bᵀ.
type Kronecker struct{ A, B *mat.Dense }

// Dims implements Operator.
func (k Kronecker) Dims() (r, c int) {
	ar, ac := k.A.Dims()
	br, bc := k.B.Dims()
	return ar * br, ac * bc
}

// Apply implements Operator: two matrix products.
func (k Kronecker) Apply(ctx context.Context, dst, x []float64) { kronecker(ctx, dst, x, k.A, k.B) }

// ApplyTranspose implements Adjoint.
func (k Kronecker) ApplyTranspose(ctx context.Context, dst, x []float64) {
	kronecker(ctx, dst, x, k.A.T(), k.B.T())
}

func kronecker(ctx context.Context, dst, x []float64, a, b mat.Matrix) {
	ar, ac := a.Dims()
	br, bc := b.Dims()
	var t mat.Dense
	if MulContext(ctx, &t, mat.NewDense(ac, bc, x), b.T()) == nil {
		_ = MulContext(ctx, mat.NewDense(ar, br, dst), a, &t)
	}
}

// Describe implements Describer.
func (k Kronecker) Describe() string {
	ar, ac := k.A.Dims()
	br, bc := k.B.Dims()
	return fmt.Sprintf("Kronecker product of %d × %d and %d × %d", ar, ac, br, bc)
}

// kroneckerParts is how many parts a product with a KroneckerSum is done in.
const kroneckerParts = 8

// KroneckerSum is Σ_q A_q ⊗ B_q. All A_q have one shape, all B_q another. The
// factors are held side by side, so that a product is two large matrix products.
type KroneckerSum struct {
	a  *mat.Dense // [A_1 … A_Q], ar × Q ac
	b  *mat.Dense // [B_1ᵀ … B_Qᵀ], bc × Q br
	ar int
	ac int
	br int
	bc int
	q  int

	scratch sync.Pool // of *[]float64
	turns   parallel.Turns
}

// NewKroneckerSum returns Σ_q A_q ⊗ B_q; len(a) == len(b) ≥ 1.
func NewKroneckerSum(a, b []*mat.Dense) (*KroneckerSum, error) {
	if len(a) == 0 || len(a) != len(b) {
		return nil, fmt.Errorf("kronecker sum: %d left and %d right factors: must be equally many, at least 1", len(a), len(b))
	}
	s := &KroneckerSum{q: len(a), turns: parallel.NewTurns()}
	s.ar, s.ac = a[0].Dims()
	s.br, s.bc = b[0].Dims()
	s.a = mat.NewDense(s.ar, s.q*s.ac, nil)
	s.b = mat.NewDense(s.bc, s.q*s.br, nil)
	for i := range a {
		if r, c := a[i].Dims(); r != s.ar || c != s.ac {
			return nil, fmt.Errorf("kronecker sum: left factor %d is %d × %d, the first is %d × %d", i+1, r, c, s.ar, s.ac)
		}
		if r, c := b[i].Dims(); r != s.br || c != s.bc {
			return nil, fmt.Errorf("kronecker sum: right factor %d is %d × %d, the first is %d × %d", i+1, r, c, s.br, s.bc)
		}
		s.a.Slice(0, s.ar, i*s.ac, (i+1)*s.ac).(*mat.Dense).Copy(a[i])
		s.b.Slice(0, s.bc, i*s.br, (i+1)*s.br).(*mat.Dense).Copy(b[i].T())
	}
	return s, nil
}

// Between is Σ_q (C A_q Cᵀ) ⊗ B_q for C of r × ar: what the sum is on the left between the rows of C. The B_q are
// shared, not copied. Cost: 2 Q ar r (ac + r) flops.
func (s *KroneckerSum) Between(ctx context.Context, c mat.Matrix) (*KroneckerSum, error) {
	r, _ := c.Dims()
	out := &KroneckerSum{a: mat.NewDense(r, s.q*r, nil), b: s.b, ar: r, ac: r, br: s.br, bc: s.bc, q: s.q, turns: parallel.NewTurns()}
	var t mat.Dense
	for q := range s.q {
		if err := MulContext(ctx, &t, c, s.Left(q)); err != nil {
			return nil, err
		}
		if err := MulContext(ctx, out.a.Slice(0, r, q*r, (q+1)*r).(*mat.Dense), &t, c.T()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Terms is the number of Kronecker products in the sum.
func (s *KroneckerSum) Terms() int { return s.q }

// Left returns A_q, a view.
func (s *KroneckerSum) Left(q int) mat.Matrix { return s.a.Slice(0, s.ar, q*s.ac, (q+1)*s.ac) }

// Right returns B_q, a view.
func (s *KroneckerSum) Right(q int) mat.Matrix { return s.b.Slice(0, s.bc, q*s.br, (q+1)*s.br).T() }

// Dims implements Operator.
func (s *KroneckerSum) Dims() (r, c int) { return s.ar * s.br, s.ac * s.bc }

// Apply implements Operator. Each processor takes some terms, so that their
// blocks X B_qᵀ are still in its cache when they are multiplied by [A_1 … A_Q]. The
// terms are shared out alike whatever the number of processors, and so is the order
// of the sum.
func (s *KroneckerSum) Apply(ctx context.Context, dst, x []float64) {
	parts := min(s.q, kroneckerParts)
	buf, done := s.buffer(ctx, s.q*s.ac*s.br+parts*s.ar*s.br)
	defer done()
	if buf == nil {
		return
	}
	stacked, sums := mat.NewDense(s.q*s.ac, s.br, buf[:s.q*s.ac*s.br]), buf[s.q*s.ac*s.br:]
	in := strided(mat.NewDense(s.ac, s.bc, x))
	time := float64(s.q) * (vector.ProductTime(s.ac, s.bc, s.br) + vector.ProductTime(s.ar, s.ac, s.br))
	parallel.Pieces(parallel.Workers(time), parts, func(k int) {
		lo, hi := k*s.q/parts, (k+1)*s.q/parts
		for q := lo; q < hi; q++ {
			_ = gemm(ctx, vector.Gemm, 1, in, strided(s.b.Slice(0, s.bc, q*s.br, (q+1)*s.br)), 0, strided(s.blocks(stacked, q, q+1)))
		}
		sum := mat.NewDense(s.ar, s.br, sums[k*s.ar*s.br:][:s.ar*s.br])
		_ = gemm(ctx, vector.Gemm, 1, strided(s.a.Slice(0, s.ar, lo*s.ac, hi*s.ac)), strided(s.blocks(stacked, lo, hi)), 0, strided(sum))
	})
	copy(dst, sums)
	for at := len(dst); at < len(sums); at += len(dst) {
		floats.Add(dst, sums[at:at+len(dst)])
	}
}

// ApplyTranspose implements Adjoint: Σ_q of the blocks A_qᵀ X, times B_q.
func (s *KroneckerSum) ApplyTranspose(ctx context.Context, dst, x []float64) {
	buf, done := s.buffer(ctx, s.q*s.ac*s.br)
	defer done()
	if buf == nil {
		return
	}
	stacked := mat.NewDense(s.q*s.ac, s.br, buf)
	if MulContext(ctx, stacked, s.a.T(), mat.NewDense(s.ar, s.br, x)) != nil {
		return
	}
	out := strided(mat.NewDense(s.ac, s.bc, dst))
	for q := range s.q {
		_ = gemm(ctx, vector.Gemm, 1, strided(s.blocks(stacked, q, q+1)), strided(s.Right(q)), min(float64(q), 1), out)
	}
}

// At stores entry (i[p], j[p]) in dst[p].
func (s *KroneckerSum) At(dst []float64, i, j []int) {
	a, b := s.a.RawMatrix(), s.b.RawMatrix()
	for p := range dst {
		dst[p] = 0
		left, right := a.Data[i[p]/s.br*a.Stride+j[p]/s.bc:], b.Data[j[p]%s.bc*b.Stride+i[p]%s.br:]
		for q := range s.q {
			dst[p] += left[q*s.ac] * right[q*s.br]
		}
	}
}

// blocks returns terms lo … hi-1 of blocks of ac × br, one above the other.
func (s *KroneckerSum) blocks(stacked *mat.Dense, lo, hi int) mat.Matrix {
	return stacked.Slice(lo*s.ac, hi*s.ac, 0, s.br)
}

// largeBuffer is from how many numbers on scratch memory is there once at a time: a tenth
// of a gigabyte.
const largeBuffer = 1 << 24

// buffer returns scratch memory, to be given back by done; nil where ctx has ended.
func (s *KroneckerSum) buffer(ctx context.Context, n int) (buf []float64, done func()) {
	end := func() {}
	if n > largeBuffer {
		var ok bool
		if end, ok = s.turns.Take(ctx); !ok {
			return nil, end
		}
	}
	p, _ := s.scratch.Get().(*[]float64)
	if p == nil || cap(*p) < n {
		b, err := parallel.Zeros(ctx, n)
		if err != nil {
			end()
			return nil, func() {}
		}
		p = &b
	}
	return (*p)[:n], func() {
		s.scratch.Put(p)
		end()
	}
}

// Describe implements Describer.
func (s *KroneckerSum) Describe() string {
	if s.q == 1 {
		return fmt.Sprintf("Kronecker product of %d × %d and %d × %d", s.ar, s.ac, s.br, s.bc)
	}
	return fmt.Sprintf("sum of %d Kronecker products of %d × %d and %d × %d", s.q, s.ar, s.ac, s.br, s.bc)
}
