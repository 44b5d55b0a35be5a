package solve

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
)

// Lanczos reduces a symmetric operator A to a tridiagonal matrix in the Krylov
// space of a vector b, one product a step. What it is for are quadratic forms of
// functions of A, for many functions at the price of one: bᵀ f(A) b is the integral
// of f over a measure that [Lanczos.Rule] gives the Gauss quadrature of (Golub and
// Meurant 2010, chapter 6). With k steps the rule is exact for polynomials of degree
// 2k-1; lost orthogonality repeats nodes and does no harm.
type Lanczos struct {
	a           linop.Operator
	last, v, w  []float64
	norm        float64
	alpha, beta []float64 // of the tridiagonal matrix; beta[k] couples k and k+1
}

// NewLanczos starts from b, which is copied.
func NewLanczos(a linop.Operator, b []float64) *Lanczos {
	l := &Lanczos{a: a, norm: floats.Norm(b, 2), v: append([]float64(nil), b...), last: make([]float64, len(b)), w: make([]float64, len(b))}
	if l.norm > 0 {
		floats.Scale(1/l.norm, l.v)
	}
	return l
}

// Step does one product. It reports false, and does nothing, once the Krylov space
// is exhausted.
func (l *Lanczos) Step() bool {
	k := len(l.alpha)
	if l.norm == 0 || k > 0 && l.beta[k-1] == 0 {
		return false
	}
	l.a.Apply(l.w, l.v)
	if k > 0 {
		floats.AddScaled(l.w, -l.beta[k-1], l.last)
	}
	alpha := floats.Dot(l.w, l.v)
	floats.AddScaled(l.w, -alpha, l.v)
	beta := floats.Norm(l.w, 2)
	l.alpha = append(l.alpha, alpha)
	if scale := max(math.Abs(l.alpha[0]), math.Abs(alpha)); beta <= 1e-14*scale {
		l.beta = append(l.beta, 0)
		return true
	}
	l.beta = append(l.beta, beta)
	floats.Scale(1/beta, l.w)
	l.last, l.v, l.w = l.v, l.w, l.last
	return true
}

// Steps is how many steps were done.
func (l *Lanczos) Steps() int { return len(l.alpha) }

// Rule returns nodes and weights with Σ weights_i f(nodes_i) ≈ bᵀ f(A) b after at
// least one step. For f(x) = 1/(x+λ) on a positive semi-definite A it is a lower
// bound.
func (l *Lanczos) Rule() (nodes, weights []float64) {
	return l.rule(l.alpha)
}

// UpperRule is the rule with one node at 0 (Gauss–Radau): for f(x) = 1/(x+λ) on a
// positive semi-definite A an upper bound.
func (l *Lanczos) UpperRule() (nodes, weights []float64) {
	k := len(l.alpha)
	if l.beta[k-1] == 0 {
		return l.rule(l.alpha)
	}
	// The last entry for which 0 is an eigenvalue: alpha_k = beta² × the last entry
	// of the inverse of the matrix before, by its continued fraction.
	d := l.alpha[0]
	for i := 1; i < k; i++ {
		d = l.alpha[i] - l.beta[i-1]*l.beta[i-1]/d
	}
	return l.rule(append(append([]float64(nil), l.alpha...), l.beta[k-1]*l.beta[k-1]/d))
}

func (l *Lanczos) rule(alpha []float64) (nodes, weights []float64) {
	k := len(alpha)
	t := mat.NewSymDense(k, nil)
	for i, a := range alpha {
		t.SetSym(i, i, a)
		if i > 0 {
			t.SetSym(i-1, i, l.beta[i-1])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(t, true) {
		panic("solve: eigenvalues of a tridiagonal matrix did not converge") // QL always does
	}
	var v mat.Dense
	e.VectorsTo(&v)
	weights = make([]float64, k)
	for i := range weights {
		c := v.At(0, i) * l.norm
		weights[i] = c * c
	}
	return e.Values(nil), weights
}
