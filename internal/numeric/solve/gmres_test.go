package solve_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// GMRES takes as many iterations as the best approximations from the Krylov spaces need,
// found with bases that are orthogonal to rounding: its own must not lose that over
// hundreds of vectors, nor a slow spell be taken for rounding. The matrices have
// eigenvalues of several sizes, some of them complex, that are found one after another.
func TestGMRESTakesNoMoreIterationsThanTheKrylovSpacesNeed(t *testing.T) {
	const n, tolerance = 400, 1e-10
	for _, decades := range []float64{2, 4, 6} {
		rng := rand.New(rand.NewPCG(7, uint64(decades)))
		m, b := mat.NewDense(n, n, nil), make([]float64, n)
		for i := range n {
			d := math.Pow(10, -decades*float64(i)/n)
			m.Set(i, i, d)
			if i > 0 {
				m.Set(i, i-1, .3*d)
				m.Set(i-1, i, -.3*d)
			}
			b[i] = rng.NormFloat64()
		}
		rep, err := solve.GMRES{Tolerance: tolerance, Restart: n}.Solve(t.Context(), linop.Dense{M: m}, make([]float64, n), b)
		if err != nil || !rep.Converged {
			t.Fatalf("%g decades: %+v, %v", decades, rep, err)
		}
		if want := krylovIterations(m, b, tolerance); rep.Iterations > want+1 {
			t.Errorf("%g decades: %d iterations, the spaces need %d", decades, rep.Iterations, want)
		}
	}
}

// krylovIterations is the dimension of the first Krylov space with an approximation of a
// relative residual, from orthonormal bases of the spaces A K: b less its part there.
func krylovIterations(a *mat.Dense, b []float64, tolerance float64) int {
	n := len(b)
	var q, aq [][]float64 // of K and of A K
	orthonormal := func(w []float64, basis [][]float64) []float64 {
		for range 3 {
			for _, v := range basis {
				floats.AddScaled(w, -floats.Dot(w, v), v)
			}
		}
		floats.Scale(1/floats.Norm(w, 2), w)
		return w
	}
	r := append([]float64(nil), b...)
	next := append([]float64(nil), b...)
	for k := 1; k < n; k++ {
		q = append(q, orthonormal(next, q))
		w := make([]float64, n)
		mat.NewVecDense(n, w).MulVec(a, mat.NewVecDense(n, q[k-1]))
		next = append([]float64(nil), w...)
		aq = append(aq, orthonormal(w, aq))
		floats.AddScaled(r, -floats.Dot(r, aq[k-1]), aq[k-1])
		if floats.Norm(r, 2) <= tolerance*floats.Norm(b, 2) {
			return k
		}
	}
	return n
}

// From nothing, a solve takes a product for each iteration and one for the true residual, and one more to begin with
// from elsewhere.
func TestGMRESComputesNoResidualTwice(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 50
	m, b := mat.NewDense(n, n, nil), make([]float64, n)
	for i := range n {
		m.Set(i, i, 2+float64(i%7))
		m.Set(i, (i+1)%n, .3)
		b[i] = rng.NormFloat64()
	}
	for _, start := range []float64{0, 1} {
		a := &counted{Operator: linop.Dense{M: m}}
		x := make([]float64, n)
		x[3] = start
		rep, err := solve.GMRES{Tolerance: 1e-8}.Solve(t.Context(), a, x, b)
		if err != nil || !rep.Converged {
			t.Fatalf("%+v, %v", rep, err)
		}
		if want := rep.Iterations + 1 + int(start); a.products != want {
			t.Errorf("from %g: %d products in %d iterations, want %d", start, a.products, rep.Iterations, want)
		}
		if truth := solve.Residual(t.Context(), a.Operator, x, b); math.Abs(truth-rep.Residual) > 1e-12 {
			t.Errorf("from %g: the residual is %g, said to be %g", start, truth, rep.Residual)
		}
	}
}

type counted struct {
	linop.Operator
	products int
}

func (c *counted) Apply(ctx context.Context, dst, x []float64) {
	c.products++
	c.Operator.Apply(ctx, dst, x)
}
