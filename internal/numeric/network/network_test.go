package network

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestImplicit: pairs of -u″ + 2u³ = f on their own mesh give the coefficient -2, and others are
// solved to 1e-4, where a linear fit is off by percents; without the term, none is.
func TestImplicit(t *testing.T) {
	train, test := split(t, cubic(t, 24, 11, 4, constant(2), 3), 4)
	e, err := Fit(t.Context(), spec(train, power(3)))
	if err != nil {
		t.Fatal(err)
	}
	r := e.Report
	if err := testError(t, e, test); !(err <= 1e-4) || !(r.LeftOut <= 1e-3) || !(r.Linear >= 1e-2) {
		t.Errorf("error %.2g of others, %.2g of left-out ones, %.2g without the term", err, r.LeftOut, r.Linear)
	}
	c := r.Terms[0]
	if !(math.Abs(c.Coefficient+2) <= c.Band) || !(c.Band <= 0.1) {
		t.Errorf("coefficient %g ± %g, want -2", c.Coefficient, c.Band)
	}
	if !(r.Radius > 0.05 && r.Radius < 2) {
		t.Errorf("spectral radius %g", r.Radius)
	}
	solves(t, e, test)
	savedAlike(t, e, test)
	onOtherMeshes(t, e, test)
	large := array.New(1, 11)
	for k := range large.Data {
		large.Data[k] = 100 * train.Fields[0].Values.Data[k]
	}
	in, err := dataset.NewInputs(dataset.TableSpec{Input: map[string]*array.Array{"f": large}, InputMesh: dataset.Meshes{All: train.Fields[0].Mesh}})
	if err != nil {
		t.Fatal(err)
	}
	switch p, err := e.Predict(t.Context(), in, mesh.Mesh{}); {
	case err != nil:
		if !errors.Is(err, errNoFixedPoint) || !strings.Contains(err.Error(), "times as large") {
			t.Error(err)
		}
	case len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "extrapolated"):
		t.Errorf("a prediction of %g times the outputs of the data says nothing: %q", largest(p.U.RawMatrix().Data)/largest(train.Outputs[0].Values.Data), p.Notes)
	}
}

// solves: with its own terms as inputs, the model gives back what Newton's method found.
func solves(t *testing.T, e *Estimate, test *dataset.Table) {
	t.Helper()
	p, err := e.Predict(t.Context(), test, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	in := *test
	in.Outputs = nil
	for _, c := range e.channels {
		atoms, err := c.inputs(test)
		if err != nil {
			t.Fatal(err)
		}
		in.Fields = append(in.Fields[:len(in.Fields):len(in.Fields)], dataset.Field{Name: c.Name, Values: array.FromMatrix(c.values(atoms, p.U)), Mesh: c.on})
	}
	u, err := e.Output().Predict(t.Context(), &in, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	if d := distance(u, p.U); !(d <= 1e-9) {
		t.Errorf("the equation is true to %.2g", d)
	}
}

// onOtherMeshes: the output on a finer mesh is the one on that of the data at its points, and
// an input on a finer mesh changes it by the error of the integrals only.
func onOtherMeshes(t *testing.T, e *Estimate, test *dataset.Table) {
	t.Helper()
	on := test.Outputs[0].Mesh
	fine, err := on.Refine(2)
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Predict(t.Context(), test, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := e.Predict(t.Context(), test, fine)
	if err != nil {
		t.Fatal(err)
	}
	for k := range on.Size() {
		if d := math.Abs(p.U.At(0, k) - q.U.At(0, 2*k)); !(d <= 1e-9) {
			t.Errorf("point %d: %.2g off on the finer mesh", k, d)
		}
	}
}

// TestStructuredIsDense: with all choices given, the network is that of the direct method.
func TestStructuredIsDense(t *testing.T) {
	train, test := split(t, cubic(t, 12, 9, 4, constant(2), 5), 3)
	for _, layers := range []int{0, 2} {
		s := spec(train, power(3))
		s.Layers = layers
		s.Model.Lambda, s.Model.Rho, s.Model.Amplitudes = 1e-6, 1e-6, map[string]float64{"f": 1, "u3": 1}
		var u [2]*mat.Dense
		for k, dense := range []bool{false, true} {
			s.Model.Dense = dense
			e, err := Fit(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			p, err := e.Predict(t.Context(), test, mesh.Mesh{})
			if err != nil {
				t.Fatal(err)
			}
			u[k] = p.U
		}
		if d := distance(u[0], u[1]); !(d <= 1e-8*norm(u[1].RawMatrix().Data)) {
			t.Errorf("layers %d: %.2g from the dense one", layers, d)
		}
	}
}

// TestConstants: a number added to the outputs, in whatever units, is added to predictions of
// left-out pairs: the constant of β is free in every fit.
func TestConstants(t *testing.T) {
	d := cubic(t, 10, 7, 3, constant(2), 9)
	var without float64
	for _, c := range []float64{0, 1e6} {
		v := d.Outputs[0].Values
		moved := array.New(v.Shape...)
		for i := range moved.Data {
			moved.Data[i] = v.Data[i] + c
		}
		u := expr.Of(expr.OpSub, expr.Var(0, "u"), expr.Const(c)) // u³ of these would be linear but for 1e-7 of it
		term := Channel{Name: "u3", Map: expr.Of(expr.OpMul, u, expr.Of(expr.OpMul, u, u)), Atoms: []Atom{{}}}
		e, err := Fit(t.Context(), spec(pairs(t, d.Fields[0].Values, moved, d.Fields[0].Mesh, d.Outputs[0].Mesh), term))
		if err != nil {
			t.Fatal(err)
		}
		linear := e.Report.Linear * norm(moved.Data)
		if c == 0 {
			without = linear
		} else if !(math.Abs(linear-without) <= 1e-3*without) {
			t.Errorf("the linear fit is off by %.4g, and by %.4g with %g added", without, linear, c)
		}
	}
}

// TestLayers: each layer predicts left-out pairs better than the one before.
func TestLayers(t *testing.T) {
	train, test := split(t, cubic(t, 22, 9, 3, constant(2), 7), 4)
	s := spec(train, power(3))
	s.Layers = 4
	e, err := Fit(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Layers) < 3 || !(testError(t, e, test) <= 0.1*e.Report.Linear) {
		t.Errorf("%d layers, error %.2g, %.2g without terms", len(e.Layers), testError(t, e, test), e.Report.Linear)
	}
	for k := 1; k < len(e.Report.Layers); k++ {
		if l := e.Report.Layers; !(l[k].LeftOut <= l[k-1].LeftOut) {
			t.Errorf("layer %d: left-out pairs to %.2g, before to %.2g", k+1, l[k].LeftOut, l[k-1].LeftOut)
		}
	}
	if r := e.Report.Layers; !r[len(r)-1].Newton {
		t.Error("the last layer of clean pairs is no step of Newton's method")
	}
	savedAlike(t, e, test)
	onOtherMeshes(t, e, test)
}

// TestLayersWhereIteratingDoesNotContract: steps of Newton's method predict what the iteration
// of the terms, with a spectral radius beyond 1, does not come near.
func TestLayersWhereIteratingDoesNotContract(t *testing.T) {
	testmain.Long(t) // six layers: others have two
	train, test := split(t, cubic(t, 30, 9, 12, constant(8), 7), 5)
	s := spec(train, power(3))
	s.Layers = 6
	e, err := Fit(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if off := testError(t, e, test); !(off <= 1e-3) || !(e.Report.Linear >= 0.05) {
		t.Errorf("error %.2g, %.2g without terms, of %+v", off, e.Report.Linear, e.Report.Layers)
	}
}

// TestChoose: of four maps, one of them of no use beside another, restricted likelihood takes
// the cubic alone.
func TestChoose(t *testing.T) {
	train, _ := split(t, cubic(t, 18, 9, 4, constant(2), 11), 1)
	s := spec(train, power(2), power(3))
	s.Choose = true
	e, err := Fit(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if r := e.Report; r.Terms[0].Chosen || !r.Terms[1].Chosen || len(r.Tried) < 4 {
		t.Errorf("%+v", r)
	}
}

// TestNoise: with 1 % noise bands of the coefficient hold 95 %, and predictions are several
// times better than linear ones. Without terms of predictions it is attenuated.
func TestNoise(t *testing.T) {
	if !testmain.EveryCase() {
		t.Skip("takes seconds")
	}
	const sets, least = 40, 35 // in bands of 95 %: all but five, or more, of 98 in 100 such tests
	in := 0
	for seed := range uint64(sets) {
		train, test := split(t, cubic(t, 70, 21, 4, constant(2), 20+seed), 10)
		train, err := train.Noise(0.01, seed)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Fit(t.Context(), spec(train, power(3)))
		if err != nil {
			t.Fatal(err)
		}
		c := e.Report.Terms[0]
		off := math.Abs(c.Coefficient+2) / c.Band
		if off <= 1 {
			in++
		}
		if !(off <= 3) || !(c.Band <= .1) || !(testError(t, e, test) <= 0.5*e.Report.Linear) || e.Report.Rounds == 0 || !strings.Contains(e.Report.Advice, "attenuation") {
			t.Errorf("coefficient %g ± %g, error %.2g, linear %.2g, rounds %d: %s", c.Coefficient, c.Band, testError(t, e, test), e.Report.Linear, e.Report.Rounds, e.Report.Advice)
		}
	}
	if in < least {
		t.Errorf("%d of %d coefficients are in their bands", in, sets)
	}
}

// TestRefused: what cannot be learned is named.
func TestRefused(t *testing.T) {
	d := cubic(t, 8, 7, 2, constant(2), 1)
	u, f := expr.Var(0, "u"), expr.Var(1, "f")
	atoms := []Atom{{}, {Input: "f"}}
	of := func(name string, n *expr.Node) Spec {
		return spec(d, Channel{Name: name, Map: n, Atoms: atoms})
	}
	missing := *d
	missing.Outputs = []dataset.Field{{Name: "u", Values: array.New(8, 7), Mesh: d.Outputs[0].Mesh}}
	missing.Outputs[0].Values.Data[3] = math.NaN()
	few, err := d.Select([]int{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	many := spec(d, power(3))
	many.Layers = 1000
	for _, c := range []struct {
		s    Spec
		want string
	}{
		{Spec{}, "data: missing"},
		{spec(d), "at least one"},
		{spec(few, power(3)), "needs at least 6"},
		{spec(&missing, power(3)), "outputs are missing"},
		{many, "layers 1000"},
		{of("f", expr.Of(expr.OpMul, u, u)), "name of an input"},
		{of("report", expr.Of(expr.OpMul, u, u)), "is no name"},
		{of("c", expr.Const(3)), "same number for every f and u"},
		{of("l", expr.Of(expr.OpMul, u, expr.Const(3))), "is linear in u"},
		{of("log", expr.Of(expr.OpLog, expr.Of(expr.OpMul, u, u))), "not finite"},
		{spec(d, power(3), power(3)), "there twice"},
		{spec(d, power(3), Channel{Name: "c3", Map: power(3).Map, Atoms: power(3).Atoms}), "terms.c3 and terms.u3: cannot be told apart"},
		{spec(d, Channel{Name: "g", Map: f, Atoms: []Atom{{}, {Input: "g"}}}), "no input g"},
		{spec(d, Channel{Name: "h", Map: expr.Var(4, "h"), Atoms: atoms}), "uses 5 functions, and 2 are given"},
		{spec(d, Channel{Name: "h", Map: expr.Of(expr.OpMul, u, expr.Var(2, "h")), Atoms: atoms}), "uses 3 functions, and 2 are given"},
	} {
		if _, err := Fit(t.Context(), c.s); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "terms: terms.") {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Fit(ctx, spec(d, power(3))); !errors.Is(err, context.Canceled) {
		t.Errorf("after a stop: %v", err)
	}
}

// TestSharpestLambda: λ that pairs without noise would bear, but that cannot be solved for, ends the
// search for smaller ones; given, it is refused.
func TestSharpestLambda(t *testing.T) {
	s := spec(exact(t, 24, 17, func(u, _ float64) float64 { return 0.8 * u * u * u }, 4), power(3))
	k := kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{0.5}}
	for name := range s.Model.Kernels {
		s.Model.Kernels[name] = kernel.Tensor{Input: k, Output: k}
	}
	l, err := newLearner(&s)
	if err != nil {
		t.Fatal(err)
	}
	a, err := l.attempt(t.Context(), l.names(), l.u, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := a.e
	lambda, left := a.like.lambda, testmain.Must(l.applyLeftOut(t.Context(), a, l.u))(t)
	sharper := *a
	if err := l.sharpen(t.Context(), &sharper, l.u); err != nil {
		t.Fatal(err)
	}
	now := testmain.Must(l.applyLeftOut(t.Context(), &sharper, l.u))(t)
	if before, after := distance(left, l.u), distance(now, l.u); !(sharper.like.lambda < 1e-3*lambda) || !(after < 0.1*before) || sharper.other == nil {
		t.Errorf("λ went from %.3g to %.3g, the error of pairs left out from %.3g to %.3g", lambda, sharper.like.lambda, before, after)
	}
	a.like = a.like.with(1e-22)
	if err := l.sharpen(t.Context(), a, l.u); err != nil || a.e != before {
		t.Errorf("a smaller λ was taken: %v; or %v", a.e != before, err)
	}
	s.Model.Lambda = 1e-24
	if _, err := Fit(t.Context(), s); err == nil || !strings.Contains(err.Error(), "is lost in rounding") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := unlessSmaller(ctx, solve.ErrNotPositive); !errors.Is(err, context.Canceled) {
		t.Errorf("after a stop: %v", err)
	}
}
