package indata

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// normalPairs are n pairs of normal numbers on two lines.
func normalPairs(t *testing.T, n, mx, my int) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	of := func(m int) *array.Array { return &array.Array{Shape: []int{n, m}, Data: linop.Normal(rng, n*m)} }
	return testmain.Must(dataset.New(dataset.Spec{
		Input: of(mx), Output: of(my), InputMesh: mesh.Must(mesh.Uniform(0, 1, mx, "x")), OutputMesh: mesh.Must(mesh.Uniform(0, 2, my, "y")),
	}))(t)
}

// The preconditioner is the inverse of D' + UᵀU, where D' is what U leaves of D, but one at least.
func TestNystromIsAnInverse(t *testing.T) {
	const k, n = 3, 6
	rng := rand.New(rand.NewPCG(1, 3))
	u := mat.NewDense(k, n, linop.Normal(rng, k*n))
	d := []float64{50, 40, 30, .1, 20, 1} // the fourth and the last are below what is left
	m := mat.NewDense(n, n, nil)
	m.Mul(u.T(), u)
	for i := range n {
		m.Set(i, i, m.At(i, i)+max(1, d[i]-m.At(i, i)))
	}
	if m.At(0, 0) != 50 {
		t.Fatal("the example is another one")
	}
	p := &nystrom{u: mat.DenseCopyOf(u)}
	if err := p.factorise(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	z, got := linop.Normal(rng, n), make([]float64, n)
	var mz mat.VecDense
	mz.MulVec(m, mat.NewVecDense(n, z))
	p.Apply(t.Context(), got, mz.RawVector().Data)
	if off := floats.Distance(got, z, math.Inf(1)); !(off <= 1e-12) {
		t.Errorf("off by %.1e", off)
	}
	if r, c := p.Dims(); r != n || c != n {
		t.Errorf("%d × %d", r, c)
	}
}

// For kernels of few functions the low-rank factors of G and β are all of them, so that the preconditioner is the inverse of the system
// itself: with few pairs and with reduced rows, with β and without.
func TestNystromOfFewFunctionsIsTheSystem(t *testing.T) {
	few := kernel.Polynomial{Degree: 1, Offset: 1}
	for _, c := range []struct {
		n    int
		bias kernel.Kernel
	}{{5, nil}, {5, few}, {20, few}} {
		s := &problem.Setting{Data: normalPairs(t, c.n, 7, 6), Kernel: few, Bias: c.bias, Lambda: 1e-3, Rho: 3e-2}
		sys, _, err := SystemOf(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		m := testmain.Must(NewPreconditioner(t.Context(), sys, s))(t)
		at := sys.At(problem.At(s.Lambda, s.Rho))
		p := testmain.Must(newNystrom(t.Context(), at, s, m))(t)
		size, _ := at.Dims()
		z, az, got := linop.Normal(rand.New(rand.NewPCG(2, 3)), size), make([]float64, size), make([]float64, size)
		at.Apply(t.Context(), az, z)
		p.Apply(t.Context(), got, az)
		if off := floats.Distance(got, z, math.Inf(1)); !(off <= 1e-7) { // the system's condition is about 1e5
			t.Errorf("%d pairs, bias %v: off by %.1e", c.n, c.bias, off)
		}
	}
}

// The factor of β has a row for each eigenvalue of Q that matters beside ρ, the largest first: what it leaves is less.
func TestFactorOfTheBias(t *testing.T) {
	s := &problem.Setting{Data: normalPairs(t, 4, 5, 12), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}, Bias: kernel.SE{Lengthscale: kernel.Lengthscale{.6}}, Lambda: 1, Rho: 1}
	sys, _, err := SystemOf(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	m := testmain.Must(NewPreconditioner(t.Context(), sys, s))(t)
	form := testmain.Must(sys.biasForm(t.Context(), m.weighted))(t)
	values, _, err := linop.Eigen(t.Context(), form)
	if err != nil {
		t.Fatal(err)
	}
	size := math.Pow(mat.Norm(sys.biasColumns(), 2), 2)
	for _, rho := range []float64{1e-1, 1e-3, 1e3} {
		at := sys.At(problem.At(1, rho))
		want := 0
		for _, v := range values {
			if v*size/rho > worthKeeping {
				want++
			}
		}
		f := testmain.Must(at.biasFactor(t.Context(), m.weighted))(t)
		if f == nil {
			if want > 0 {
				t.Errorf("ρ = %g: none of %d", rho, want)
			}
			continue
		}
		rows, _ := f.Dims()
		left := mat.DenseCopyOf(form)
		left.Scale(1/rho, left)
		var of mat.Dense
		of.Mul(f.T(), f)
		left.Sub(left, &of)
		if most := mat.Norm(left, 2) * size; rows != want || !(most <= 2*worthKeeping) {
			t.Errorf("ρ = %g: %d rows, want %d; they leave %g", rho, rows, want, most)
		}
	}
}

// The parts of β are what its maps make of it, in the mean with their signs: each is one once more, and with all signs there are
// they are all of it.
func TestPartsOfTheBias(t *testing.T) {
	// both axes of a mesh of 2 × 3 points are mirrored, together or the second alone
	o := &Orbit{N: 2, Sign: []float64{1, -1}, y: [][]int32{{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}}, axes: [][][]int32{{{0, 1}, {0, 1, 2}}, {{1, 0}, {2, 1, 0}}}}
	h := math.Sqrt(.5)
	even := linop.AxisBasis{mat.NewDense(2, 2, []float64{h, h, h, -h}), mat.NewDense(3, 3, []float64{h, h, 0, 0, 0, 1, h, -h, 0})}
	p := o.Parts(even)
	if p == nil || p.count() != 2 {
		t.Fatalf("%+v", p)
	}
	// even or odd as the product of both is: (+,−) × (+,−,+)
	want := []int{0, 1, 0, 1, 0, 1}
	for k, c := range want {
		if p.Of(k) != c || p.classes()[k] != c {
			t.Errorf("mode %d is in part %d", k, p.Of(k))
		}
	}
	for c, sign := range []float64{1, -1} {
		for i, g := range []int{0, 0, 1, 1} { // two pairs, then their images with the sign of G
			if got := p.factor(c, i); got != []float64{1, -sign}[g] {
				t.Errorf("part %d has %g for pair %d", c, got, i)
			}
		}
		values := []float64{1, 2, 4, 8, 16, 32}
		p.project(c, values)
		for k, v := range []float64{1, 2, 4, 8, 16, 32} {
			if mean := (v + sign*[]float64{32, 16, 8, 4, 2, 1}[k]) / 2; values[k] != mean {
				t.Errorf("part %d at point %d: %g, want %g", c, k, values[k], mean)
			}
		}
	}
	both := []float64{1, 2, 4, 8, 16, 32, 1, 2, 4, 8, 16, 32}
	for k, v := range p.total(both) {
		if v != both[k] {
			t.Errorf("the parts at point %d: %g, want %g", k, v, both[k])
		}
	}
	columns := mat.NewDense(1, 2, []float64{3, 5})
	for k, v := range p.response(columns, []float64{1, 2, 4, 8, 16, 32}, true) {
		if w := []float64{3, 5}[want[k]] * both[k]; v != w {
			t.Errorf("response in mode %d: %g, want %g", k, v, w)
		}
	}
	for k, v := range p.response(columns, []float64{1, 2, 4, 8, 16, 32}, false) {
		e, odd := (both[k]+both[5-k])/2, (both[k]-both[5-k])/2
		if w := 3*e + 5*odd; v != w {
			t.Errorf("response at point %d: %g, want %g", k, v, w)
		}
	}
	mixed := linop.AxisBasis{even[0], mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})}
	if p := o.Parts(mixed); p != nil {
		t.Errorf("modes that the maps mix have parts: %+v", p)
	}
	var none *BiasParts
	if none.count() != 1 || none.Of(3) != 0 || none.classes() != nil || none.factor(0, 9) != 1 || none.total(both)[11] != 32 {
		t.Error("one part is all of β")
	}
}

// Values of a pair are mixed where their errors are correlated.
func TestMixedData(t *testing.T) {
	d := normalPairs(t, 4, 5, 3)
	of := func(e *dataset.Errors) bool {
		own := testmain.Must(d.WithErrors(e))(t)
		q := &problem.Question{Setting: &problem.Setting{Data: own, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}}}
		if err := q.Hold(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		return testmain.Must(New(t.Context(), q))(t).Mixed()
	}
	if of(&dataset.Errors{Pairs: []float64{1, 2, 3, 4}}) || !of(&dataset.Errors{Covariance: mat.NewSymDense(3, []float64{2, 1, 0, 1, 2, 1, 0, 1, 2})}) {
		t.Error("data are mixed where errors are not correlated, or not where they are")
	}
}
