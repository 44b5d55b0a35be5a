package posterior

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The closed form gives what the inverse of the covariance gives, of the data and in the mean
// over draws.
func TestResidualsOfProductsAreDense(t *testing.T) {
	ctx := context.Background()
	product := kernel.SE{Lengthscale: kernel.Lengthscale{0.4}}
	data := func(n int) *dataset.Dataset {
		x, y := mesh.Must(mesh.Uniform(0, 1, 5, "x")), mesh.Must(mesh.Gauss(0, 1, 4, "y"))
		f, u := testmain.Must(randfield.Normal(1, n, 5))(t), testmain.Must(randfield.Normal(2, n, 4))(t)
		return testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: y}))(t)
	}
	for name, s := range map[string]spec{
		"few":      {Data: data(5), Kernel: product, Lambda: 1e-2, Rho: 1e-1},
		"many":     {Data: data(9), Kernel: product, Lambda: 1e-2, Rho: 1e-1},
		"constant": {Data: data(9), Kernel: product, Lambda: 1e-2, Rho: 1e-1, Flat: true},
		"no bias":  {Data: data(5), Kernel: product, Lambda: 1e-2, NoBias: true},
	} {
		p := s.posterior(t)
		split := testmain.Must(p.newSplitResiduals(ctx, Span{0, p.y.Size()}))(t)
		dense := testmain.Must(p.newDenseResiduals(ctx, Span{0, p.y.Size()}))(t)
		z, form := split.Observed(ctx)
		w, same := dense.Observed(ctx)
		if !(math.Abs(form-same) <= 1e-9*form) || split.Freedom() != dense.Freedom() {
			t.Errorf("%s: form %g, dense %g", name, form, same)
		}
		a, b := split.Residue(ctx, z, 1), dense.Residue(ctx, w, 1)
		if !mat.EqualApprox(a.Values, b.Values, 1e-8) || !mat.EqualApprox(a.LeftOut, b.LeftOut, 1e-8) {
			t.Errorf("%s: residuals %v, dense %v", name, mat.Formatted(a.Values), mat.Formatted(b.Values))
		}
		for i, v := range a.Means {
			if !(math.Abs(v-b.Means[i]) <= 1e-8) {
				t.Errorf("%s: mean of pair %d: %g, dense %g", name, i, v, b.Means[i])
			}
		}
		for _, m := range []Model{split, dense} {
			checkDraws(t, name, m)
		}
		var m, c mat.Dense // M = C⁻¹, and C: the form of what is drawn is that of its own residuals
		m.Mul(dense.x.T(), dense.x)
		if err := c.Inverse(&m); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(7, 8))
		for range 5 {
			z, form := dense.Draw(ctx, rng)
			if want := mat.Inner(z.ColView(0), &c, z.ColView(0)); !(math.Abs(form-want) <= 1e-8*want) {
				t.Errorf("%s: the form of a draw is %.10g, of its residuals %.10g", name, form, want)
			}
		}
		some := Span{1, 3}
		split = testmain.Must(p.newSplitResiduals(ctx, some))(t)
		dense = testmain.Must(p.newDenseResiduals(ctx, some))(t)
		a, b = split.Residue(ctx, z, 1), dense.Residue(ctx, w, 1)
		for i, v := range a.Means {
			if !(math.Abs(v-b.Means[i]) <= 1e-8) {
				t.Errorf("%s: mean of some points of pair %d: %g, dense %g", name, i, v, b.Means[i])
			}
		}
		if got, want := split.Trace(some), dense.Trace(some); !(math.Abs(got-want) <= 1e-8) {
			t.Errorf("%s: trace of some points %g, dense %g", name, got, want)
		}
		checkDraws(t, name, split)
	}
}

// checkDraws wants what is drawn to have unit variance, and the mean form of its freedom. 2000
// draws tell a variance to 3.2 % each: 5 of that.
func checkDraws(t *testing.T, name string, m Model) {
	const draws = 2000
	ctx, rng := context.Background(), rand.New(rand.NewPCG(5, 6))
	var values, left mat.Dense
	means, forms := 0.0, 0.0
	for range draws {
		z, form := m.Draw(ctx, rng)
		r := m.Residue(ctx, z, 1)
		r.Values.MulElem(r.Values, r.Values)
		r.LeftOut.MulElem(r.LeftOut, r.LeftOut)
		if values.IsEmpty() {
			values.CloneFrom(r.Values)
			left.CloneFrom(r.LeftOut)
		} else {
			values.Add(&values, r.Values)
			left.Add(&left, r.LeftOut)
		}
		means += r.Means[1] * r.Means[1] / draws
		forms += form / draws
	}
	for _, v := range append(values.RawMatrix().Data, left.RawMatrix().Data...) {
		if !(math.Abs(v/draws-1) <= 0.16) {
			t.Errorf("%s: %T: a variance of %.3f, want 1", name, m, v/draws)
		}
	}
	if !(math.Abs(means-1) <= 0.16) || !(math.Abs(forms/m.Freedom()-1) <= 0.05) {
		t.Errorf("%s: %T: means %.3f, form %.3f of %g", name, m, means, forms, m.Freedom())
	}
}

// Of a part of the points values are left, one of each, and of all of them the same matrices.
func TestResidueOfAPart(t *testing.T) {
	all := func() *Residue {
		r := &Residue{Means: []float64{7, 8}}
		for k, m := range []**mat.Dense{&r.Values, &r.LeftOut, &r.Errors} {
			*m = mat.NewDense(2, 4, nil)
			(*m).Apply(func(i, j int, _ float64) float64 { return float64(100*k + 10*i + j) }, *m)
		}
		return r
	}
	whole := all()
	before := *whole
	if whole.Cut(Span{0, 4}); whole.Values != before.Values || whole.LeftOut != before.LeftOut || whole.Errors != before.Errors {
		t.Error("all points are copied")
	}
	for _, at := range []Span{{0, 3}, {1, 4}, {1, 3}, {2, 3}} {
		r := all()
		r.Cut(at)
		for k, m := range []*mat.Dense{r.Values, r.LeftOut, r.Errors} {
			if rows, columns := m.Dims(); rows != 2 || columns != at.Hi-at.Lo {
				t.Fatalf("%v: %d × %d values", at, rows, columns)
			}
			for i := range 2 {
				for j := range at.Hi - at.Lo {
					if want := float64(100*k + 10*i + at.Lo + j); m.At(i, j) != want {
						t.Errorf("%v: matrix %d has %g at %d, %d, want %g", at, k, m.At(i, j), i, j, want)
					}
				}
			}
		}
	}
}
