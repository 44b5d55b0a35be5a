package linop

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
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
func (k Kronecker) Apply(dst, x []float64) { kronecker(dst, x, k.A, k.B) }

// ApplyTranspose implements Adjoint.
func (k Kronecker) ApplyTranspose(dst, x []float64) { kronecker(dst, x, k.A.T(), k.B.T()) }

func kronecker(dst, x []float64, a, b mat.Matrix) {
	ar, ac := a.Dims()
	br, bc := b.Dims()
	var t mat.Dense
	Mul(&t, mat.NewDense(ac, bc, x), b.T())
	Mul(mat.NewDense(ar, br, dst), a, &t)
}

// Describe implements Describer.
func (k Kronecker) Describe() string {
	ar, ac := k.A.Dims()
	br, bc := k.B.Dims()
	return fmt.Sprintf("Kronecker product of %d × %d and %d × %d", ar, ac, br, bc)
}

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
}

// NewKroneckerSum returns Σ_q A_q ⊗ B_q; len(a) == len(b) ≥ 1.
func NewKroneckerSum(a, b []*mat.Dense) (*KroneckerSum, error) {
	if len(a) == 0 || len(a) != len(b) {
		return nil, fmt.Errorf("kronecker sum: %d left and %d right factors: must be equally many, at least 1", len(a), len(b))
	}
	s := &KroneckerSum{q: len(a)}
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

// Terms is the number of Kronecker products in the sum.
func (s *KroneckerSum) Terms() int { return s.q }

// Left returns A_q, a view.
func (s *KroneckerSum) Left(q int) mat.Matrix { return s.a.Slice(0, s.ar, q*s.ac, (q+1)*s.ac) }

// Right returns B_q, a view.
func (s *KroneckerSum) Right(q int) mat.Matrix { return s.b.Slice(0, s.bc, q*s.br, (q+1)*s.br).T() }

// Dims implements Operator.
func (s *KroneckerSum) Dims() (r, c int) { return s.ar * s.br, s.ac * s.bc }

// Apply implements Operator: X [B_1ᵀ … B_Qᵀ], its blocks stacked, times
// [A_1 … A_Q].
func (s *KroneckerSum) Apply(dst, x []float64) {
	right := mat.NewDense(s.ac, s.q*s.br, nil)
	Mul(right, mat.NewDense(s.ac, s.bc, x), s.b)
	stacked := mat.NewDense(s.q*s.ac, s.br, nil)
	for i := range s.ac {
		row := right.RawRowView(i)
		for q := range s.q {
			copy(stacked.RawRowView(q*s.ac+i), row[q*s.br:(q+1)*s.br])
		}
	}
	Mul(mat.NewDense(s.ar, s.br, dst), s.a, stacked)
}

// ApplyTranspose implements Adjoint.
func (s *KroneckerSum) ApplyTranspose(dst, x []float64) {
	left := mat.NewDense(s.q*s.ac, s.br, nil)
	Mul(left, s.a.T(), mat.NewDense(s.ar, s.br, x))
	unstacked := mat.NewDense(s.ac, s.q*s.br, nil)
	for i := range s.ac {
		row := unstacked.RawRowView(i)
		for q := range s.q {
			copy(row[q*s.br:(q+1)*s.br], left.RawRowView(q*s.ac+i))
		}
	}
	Mul(mat.NewDense(s.ac, s.bc, dst), unstacked, s.b.T())
}

// Describe implements Describer.
func (s *KroneckerSum) Describe() string {
	return fmt.Sprintf("sum of %d Kronecker products of %d × %d and %d × %d", s.q, s.ar, s.ac, s.br, s.bc)
}
