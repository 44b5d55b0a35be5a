package linop

import (
	"context"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Operator is a linear map from R^c to R^r.
type Operator interface {
	// Dims returns the lengths of results and of arguments.
	Dims() (r, c int)
	// Apply stores A x in dst; len(dst) == r, len(x) == c, no overlap. It may be
	// called from several goroutines at once. Where ctx ends it returns early, and what
	// dst holds is of no use: whoever goes on with it asks [Stopped] first.
	Apply(ctx context.Context, dst, x []float64)
}

// Adjoint is an operator that applies its transpose. Operators without it are
// symmetric.
type Adjoint interface {
	Operator
	// ApplyTranspose stores Aᵀ x in dst; len(dst) == c, len(x) == r. It ends with ctx as
	// Apply does.
	ApplyTranspose(ctx context.Context, dst, x []float64)
}

// Describer is an operator that says what structure it has.
type Describer interface{ Describe() string }

// Describe returns a line about the structure of a.
func Describe(a Operator) string {
	if d, ok := a.(Describer); ok {
		return d.Describe()
	}
	r, c := a.Dims()
	return fmt.Sprintf("%T, %d × %d", a, r, c)
}

// Matrix returns the entries of a by applying it to every unit vector: O(c)
// products. For tests and for small operators. The error is the context's.
func Matrix(ctx context.Context, a Operator) (*mat.Dense, error) {
	r, c := a.Dims()
	m := mat.NewDense(r, c, nil)
	e, col := make([]float64, c), make([]float64, r)
	for j := range c {
		if err := Stopped(ctx); err != nil {
			return nil, err
		}
		e[j] = 1
		a.Apply(ctx, col, e)
		e[j] = 0
		m.SetCol(j, col)
	}
	return m, Stopped(ctx)
}

// Dense is an operator given by its matrix.
type Dense struct{ M *mat.Dense }

// Dims implements Operator.
func (d Dense) Dims() (r, c int) { return d.M.Dims() }

// Apply implements Operator; r c multiplications.
func (d Dense) Apply(_ context.Context, dst, x []float64) {
	mat.NewVecDense(len(dst), dst).MulVec(d.M, mat.NewVecDense(len(x), x))
}

// ApplyTranspose implements Adjoint.
func (d Dense) ApplyTranspose(_ context.Context, dst, x []float64) {
	mat.NewVecDense(len(dst), dst).MulVec(d.M.T(), mat.NewVecDense(len(x), x))
}

// Describe implements Describer.
func (d Dense) Describe() string {
	r, c := d.Dims()
	return fmt.Sprintf("dense matrix, %d × %d", r, c)
}

// Diagonal is the operator x ↦ d ∘ x.
type Diagonal []float64

// Dims implements Operator.
func (d Diagonal) Dims() (r, c int) { return len(d), len(d) }

// Apply implements Operator.
func (d Diagonal) Apply(_ context.Context, dst, x []float64) {
	for i, v := range d {
		dst[i] = v * x[i]
	}
}

// Describe implements Describer.
func (d Diagonal) Describe() string { return fmt.Sprintf("diagonal, %d", len(d)) }

// Shift is A + Lambda I for a square A.
type Shift struct {
	A      Operator
	Lambda float64
}

// Dims implements Operator.
func (s Shift) Dims() (r, c int) { return s.A.Dims() }

// Apply implements Operator.
func (s Shift) Apply(ctx context.Context, dst, x []float64) {
	s.A.Apply(ctx, dst, x)
	for i, v := range x {
		dst[i] += s.Lambda * v
	}
}

// Describe implements Describer.
func (s Shift) Describe() string {
	return fmt.Sprintf("%s + %g on the diagonal", Describe(s.A), s.Lambda)
}

// Scale is Factor times A.
type Scale struct {
	A      Operator
	Factor float64
}

// Dims implements Operator.
func (s Scale) Dims() (r, c int) { return s.A.Dims() }

// Apply implements Operator.
func (s Scale) Apply(ctx context.Context, dst, x []float64) {
	s.A.Apply(ctx, dst, x)
	for i := range dst {
		dst[i] *= s.Factor
	}
}

// Describe implements Describer.
func (s Scale) Describe() string { return fmt.Sprintf("%g × %s", s.Factor, Describe(s.A)) }

// describeShape writes a product of lengths as "100 × 50".
func describeShape(shape []int) string {
	s := make([]string, len(shape))
	for i, n := range shape {
		s[i] = fmt.Sprint(n)
	}
	return strings.Join(s, " × ")
}
