package linalg_test

import (
	"context"
	"errors"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linalg"
)

func randomDense(rng *rand.Rand, n int) *mat.Dense {
	a := mat.NewDense(n, n, nil)
	a.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, a)
	return a
}

// Exponentials in closed form, and exp(A) exp(-A) = 1.
func TestExp(t *testing.T) {
	ctx := context.Background()
	for _, angle := range []float64{0, 1e-9, 0.1, 1, 5, 30, -200} {
		got, err := linalg.Exp(ctx, mat.NewDense(2, 2, []float64{0, -angle, angle, 0}))
		s, c := math.Sincos(angle)
		if err != nil || !mat.EqualApprox(got, mat.NewDense(2, 2, []float64{c, -s, s, c}), 1e-15*(1+10*math.Abs(angle))) {
			t.Errorf("rotation by %g: %v %v", angle, got, err)
		}
	}
	got, err := linalg.Exp(ctx, mat.NewDense(3, 3, []float64{0, 6, 0, 0, 0, 4, 0, 0, 0}))
	if err != nil || !mat.EqualApprox(got, mat.NewDense(3, 3, []float64{1, 6, 12, 0, 1, 4, 0, 0, 1}), 1e-13) {
		t.Errorf("nilpotent: %v %v", got, err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 9, 40} {
		a := randomDense(rng, n)
		var minus, product mat.Dense
		minus.Scale(-1, a)
		e, err1 := linalg.Exp(ctx, a)
		f, err2 := linalg.Exp(ctx, &minus)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		product.Mul(e, f)
		for i := range n {
			product.Set(i, i, product.At(i, i)-1)
		}
		if d := mat.Norm(&product, 1); !(d < 1e-14*mat.Norm(e, 1)*mat.Norm(f, 1)) {
			t.Errorf("%d: exp(A) exp(-A) - 1 = %.1e", n, d)
		}
	}
	if _, err := linalg.Exp(ctx, mat.NewDense(1, 1, []float64{1e4})); err == nil {
		t.Error("exp(1e4) does not overflow")
	}
}

// What rounding makes of the exponential of a large matrix is refused; what has its digits is not.
func TestExpOfLargeMatrices(t *testing.T) {
	for _, c := range []struct {
		a    []float64
		want []float64 // nil: refused
	}{
		{[]float64{-1e20, 0, 0, -3}, []float64{0, 0, 0, math.Exp(-3)}},
		{[]float64{-1.7e308, 0, 0, 0}, []float64{0, 0, 0, 1}},
		{[]float64{-1e6, -1e6, -1e6, -1e6}, []float64{0.5, -0.5, -0.5, 0.5}},
		{[]float64{-0x1p53, -0x1p53, -0x1p53, -0x1p53 - 2}, nil}, // an eigenvalue of 1 beside one of 1e16
		{[]float64{1e300, 0, 0, -1}, nil},
	} {
		got, err := linalg.Exp(t.Context(), mat.NewDense(2, 2, c.a))
		switch {
		case c.want == nil && err == nil:
			t.Errorf("exp of %v: %v is not refused", c.a, got.RawMatrix().Data)
		case c.want != nil && (err != nil || !mat.EqualApprox(got, mat.NewDense(2, 2, c.want), 1e-8)):
			t.Errorf("exp of %v: %v %v", c.a, got, err)
		}
	}
	if p, err := linalg.Power(t.Context(), mat.NewDense(1, 1, []float64{1e200}), 2); err == nil {
		t.Errorf("1e200² = %v", p.At(0, 0))
	}
}

// A v = λ v for random matrices in any unit, and closed forms: rotations, Jordan blocks.
func TestEigenGeneral(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{1, 2, 3, 10, 45} {
		for _, unit := range []float64{1, 1e150, 1e-150, 1e300} {
			a := randomDense(rng, n)
			a.Scale(unit, a)
			values, vectors, err := linalg.EigenGeneral(ctx, a)
			if err != nil {
				t.Fatal(err)
			}
			norm := mat.Norm(a, math.Inf(1))
			for q, l := range values {
				for i := range n {
					sum := -l * vectors.At(i, q)
					for j := range n {
						sum += complex(a.At(i, j), 0) * vectors.At(j, q)
					}
					if !(cmplx.Abs(sum) < 1e-13*norm) {
						t.Fatalf("%d, unit %g: |A v - λ v| = %.1e", n, unit, cmplx.Abs(sum))
					}
				}
			}
		}
	}
	values, _, err := linalg.EigenGeneral(ctx, mat.NewDense(2, 2, []float64{0, -2, 2, 0}))
	if err != nil || cmplx.Abs(values[0]+2i) > 1e-15 || cmplx.Abs(values[1]-2i) > 1e-15 {
		t.Errorf("rotation: %v %v", values, err)
	}
	if _, _, err := linalg.EigenGeneral(ctx, mat.NewDense(1001, 1001, nil)); err == nil {
		t.Error("1001 rows are taken")
	}
}

// Toeplitz systems agree with those of the full matrix, also where Levinson's recursion
// breaks down or loses its digits: zero and tiny leading blocks.
func TestSolveToeplitz(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(3, 3))
	for k := range 60 {
		n := 1 + rng.IntN(30)
		column, row := make([]float64, n), make([]float64, n)
		for i := range n {
			column[i], row[i] = rng.NormFloat64(), rng.NormFloat64()
		}
		switch {
		case k%3 == 1 && n > 1:
			column[0] = []float64{0, 1e-9}[k%2]
		case k%3 == 2:
			column[0] = 20
		}
		row[0] = column[0]
		full := mat.NewDense(n, n, nil)
		full.Apply(func(i, j int, _ float64) float64 {
			if i >= j {
				return column[i-j]
			}
			return row[j-i]
		}, full)
		if mat.Cond(full, 1) > 1e9 {
			continue
		}
		b := mat.NewDense(n, 2, nil)
		b.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, b)
		x, err := linalg.SolveToeplitz(ctx, column, row, b)
		if err != nil {
			t.Fatal(err)
		}
		var r mat.Dense
		r.Mul(full, x)
		r.Sub(&r, b)
		if e := mat.Norm(&r, 1) / (mat.Norm(full, 1)*mat.Norm(x, 1) + mat.Norm(b, 1)); !(e < 1e-12) {
			t.Errorf("%d numbers, case %d: backward error %.1e", n, k%3, e)
		}
	}
	// Nearly singular, with whole numbers, so that the answer is known: (1, 0, -1).
	column, row := []float64{1 << 40, 1<<40 + 3, 1<<40 - 5}, []float64{1 << 40, 1<<40 + 7, 1<<40 + 1}
	x, err := linalg.SolveToeplitz(ctx, column, row, mat.NewDense(3, 1, []float64{column[0] - row[2], column[1] - row[1], column[2] - row[0]}))
	if err != nil || math.Abs(x.At(0, 0)-1) > 1e-3 || math.Abs(x.At(1, 0)) > 1e-3 || math.Abs(x.At(2, 0)+1) > 1e-3 {
		t.Errorf("nearly singular: %v, %v", x, err)
	}
	if _, err := linalg.SolveToeplitz(ctx, []float64{1, 1}, []float64{1, 1}, mat.NewDense(2, 1, []float64{1, 2})); err == nil {
		t.Error("a singular matrix is solved with")
	}
}
