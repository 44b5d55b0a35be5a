package posterior

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Variances are the prior ones less what the data explain, and what a free constant adds, by the definition; where what is left is
// no more than rounding may hide they are not known, with a constant, too.
func TestVariancesGivenData(t *testing.T) {
	const n, k = 5, 4
	rng := rand.New(rand.NewPCG(4, 9))
	b := mat.NewDense(n, n, linop.Normal(rng, n*n))
	var a mat.Dense
	a.Mul(b, b.T())
	for i := range n {
		a.Set(i, i, a.At(i, i)+1)
	}
	h, e := mat.NewDense(n, k, linop.Normal(rng, n*k)), linop.Normal(rng, n)
	factor := &mat.Cholesky{}
	if !factor.Factorize(linop.Symmetric(&a)) {
		t.Fatal("not positive")
	}
	var me, mh mat.VecDense
	if err := me.SolveVec(&a, mat.NewVecDense(n, e)); err != nil {
		t.Fatal(err)
	}
	size := mat.Dot(&me, mat.NewVecDense(n, e))
	explained := make([]float64, k)
	for i := range k {
		if err := mh.SolveVec(&a, h.ColView(i)); err != nil {
			t.Fatal(err)
		}
		explained[i] = mat.Dot(&mh, h.ColView(i))
	}
	prior := []float64{explained[0] + 1, explained[1] / (1 - .9e-3), explained[2] / (1 - 1.1e-3), explained[3] * .9}
	for _, free := range []bool{false, true} {
		c := &conditioned{factor: factor, least: 1e-3}
		if free {
			c.constant = &constant{me: me.RawVector().Data, size: size}
		}
		got := make([]float64, k)
		if err := c.variances(t.Context(), got, prior, mat.DenseCopyOf(h), 1); err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			want := prior[i] - explained[i]
			if free {
				left := 1 - floats.Dot(me.RawVector().Data, mat.Col(nil, i, h))
				want += left * left / size
				if add := c.constant.add(1, mat.Col(nil, i, h)); math.Abs(add-left*left/size) > 1e-12*add {
					t.Errorf("a constant adds %g, want %g", add, left*left/size)
				}
			}
			if i == 1 || i == 3 {
				want = 0
			}
			if !(math.Abs(v-want) <= 1e-9*prior[i]) {
				t.Errorf("free constant %v, functional %d: %g, want %g", free, i, v, want)
			}
		}
	}
	var none *constant
	if none.add(1, e) != 0 {
		t.Error("no constant adds something")
	}
}

// Data that are gathered in some directions are so for each functional.
func TestReducedCovariances(t *testing.T) {
	with := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	all := (&conditioned{}).reduced(t.Context(), with)
	if r, c := all.Dims(); r != 3 || c != 2 || all.At(2, 0) != 3 || all.At(0, 1) != 4 {
		t.Errorf("%v", mat.Formatted(all))
	}
	factor := &mat.Cholesky{}
	factor.Factorize(mat.NewSymDense(2, []float64{1, 0, 0, 1}))
	some := &conditioned{factor: factor, gather: func(_ context.Context, data []float64) []float64 { return slices.Clone(data[1:]) }}
	if h := some.reduced(t.Context(), with); h.At(0, 0) != 2 || h.At(1, 0) != 3 || h.At(1, 1) != 6 {
		t.Errorf("%v", mat.Formatted(h))
	}
}

// Sums of values at points have the sums of their covariances, and the variance that these make.
func TestSumsOfFunctionals(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 8))
	b := mat.NewDense(3, 3, linop.Normal(rng, 9))
	l := &functionals{with: mat.NewDense(3, 2, linop.Normal(rng, 6)), own: mat.NewDense(3, 3, nil)}
	l.own.Mul(b, b.T())
	w := mat.NewDense(2, 3, linop.Normal(rng, 6))
	got := l.combined(t.Context(), w)
	for i := range 2 {
		variance := mat.Inner(w.RowView(i), l.own, w.RowView(i))
		if math.Abs(got.prior[i]-variance) > 1e-12 {
			t.Errorf("sum %d has the variance %g, want %g", i, got.prior[i], variance)
		}
		for j := range 2 {
			if want := mat.Dot(w.RowView(i), l.with.ColView(j)); math.Abs(got.with.At(i, j)-want) > 1e-13 {
				t.Errorf("sum %d has the covariance %g, want %g", i, got.with.At(i, j), want)
			}
		}
	}
}
