package joint

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

func small(t testing.TB, layers int) Spec {
	s := Spec{Data: semilinear(t, 16, 11, 30, 30, 1), Layers: layers, Kernel: matern(0.3), Lambda: 1e-6, Starts: 1}
	for range layers - 1 {
		s.Activations = append(s.Activations, tanh())
	}
	return s
}

func fitted(t testing.TB, s Spec) *Estimate {
	t.Helper()
	e, err := Fit(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func predicted(t testing.TB, e *Estimate, d *dataset.Dataset, ys mesh.Mesh) *mat.Dense {
	t.Helper()
	f, err := d.Input.Matrix()
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Predict(t.Context(), f, d.InputMesh, ys)
	if err != nil {
		t.Fatal(err)
	}
	return p.U
}

func off(a *mat.Dense, d *dataset.Dataset) float64 {
	return floats.Distance(a.RawMatrix().Data, d.Output.Data, 2) / floats.Norm(d.Output.Data, 2)
}

// TestTangent: the tangent is the limit of differences of outputs, and the adjoint its transpose.
func TestTangent(t *testing.T) {
	s := small(t, 3)
	p, err := newProblem(t.Context(), &s)
	if err != nil {
		t.Fatal(err)
	}
	c, ctx := p.chain, t.Context()
	w, err := c.drawn(ctx, exactly, 1)
	if err != nil {
		t.Fatal(err)
	}
	d, err := c.drawn(ctx, exactly, 2)
	if err != nil {
		t.Fatal(err)
	}
	at := c.forward(ctx, w)
	dir := c.functions(ctx, d)
	tangent := c.tangent(ctx, at, dir)
	const h = 1e-5
	plus, minus := c.forward(ctx, c.add(1, w, h, d)).misfit, c.forward(ctx, c.add(1, w, -h, d)).misfit
	var difference mat.Dense
	difference.Sub(minus, plus)
	difference.Scale(1/(2*h), &difference)
	if err := distance(tangent, &difference); !(err <= 1e-7) {
		t.Errorf("the tangent is off by %.2g", err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	e := mat.NewDense(c.samples(), len(c.roots), nil)
	for i := range e.RawMatrix().Data {
		e.RawMatrix().Data[i] = rng.NormFloat64()
	}
	q := c.adjoint(ctx, at, e)
	sum := 0.0
	for k, l := range c.layers {
		g := mat.DenseCopyOf(dir.g[k])
		for i, w := range l.dx {
			floats.Scale(1/w, g.RawRowView(i))
		}
		sum += inner(q.v[k], g) + floats.Dot(q.w[k], dir.beta[k])
	}
	if want := inner(e, tangent); !(math.Abs(sum-want) <= 1e-10*math.Abs(want)) {
		t.Errorf("⟨adjoint e, d⟩ = %g, ⟨e, tangent d⟩ = %g", sum, want)
	}
}

func distance(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return mat.Norm(&d, 2) / mat.Norm(b, 2)
}

// TestRefused: what cannot be trained is named.
func TestRefused(t *testing.T) {
	ok := small(t, 2)
	with := func(change func(s *Spec)) Spec {
		s := ok
		change(&s)
		return s
	}
	missing := *ok.Data
	missing.Output = array.New(ok.Data.Output.Shape...)
	missing.Output.Data[3] = math.NaN()
	same := *ok.Data
	same.Output = array.New(ok.Data.Output.Shape...)
	z := expr.Var(0, "z")
	for _, c := range []struct {
		s    Spec
		want string
	}{
		{with(func(s *Spec) { s.Data = nil }), "data: missing"},
		{with(func(s *Spec) { s.Data = &missing }), "outputs are missing"},
		{with(func(s *Spec) { s.Data = &same }), "all outputs are the same"},
		{with(func(s *Spec) { s.Layers = 40 }), "layers 40"},
		{with(func(s *Spec) { s.Layers = 4 }), "1 of them for 4 layers"},
		{with(func(s *Spec) { s.Activations = []Activation{{Map: expr.Const(1)}} }), "same number for every z"},
		{with(func(s *Spec) {
			s.Activations = []Activation{{Map: expr.Of(expr.OpLog, expr.Of(expr.OpSub, z, expr.Const(100)))}}
		}), "not finite"},
		{with(func(s *Spec) { s.Lambda = -1 }), "lambda"},
		{with(func(s *Spec) { s.Method = "sgd" }), "method"},
	} {
		if _, err := Fit(t.Context(), c.s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Fit(ctx, ok); !errors.Is(err, context.Canceled) {
		t.Errorf("after a stop: %v", err)
	}
}

// TestAddGram: α e k eᵀ, entry by entry times another matrix, by its definition, also where all rows are the same.
func TestAddGram(t *testing.T) {
	e, k, times := mat.NewDense(2, 3, []float64{1, 2, 3, -1, 0, 2}), mat.NewDense(3, 3, []float64{2, 1, 0, 1, 3, 1, 0, 1, 4}), mat.NewDense(2, 2, []float64{1, 2, 2, 5})
	alike := mat.NewDense(2, 3, []float64{1, 2, 3, 1, 2, 3})
	for _, rows := range []*mat.Dense{e, alike} {
		for _, by := range []*mat.Dense{nil, times} {
			for _, same := range []bool{false, true} {
				if same && rows == e {
					continue
				}
				got, want := mat.NewDense(2, 2, []float64{1, 1, 1, 1}), mat.NewDense(2, 2, nil)
				addGram(t.Context(), got, rows, k, .5, by, same)
				var left mat.Dense
				left.Mul(rows, k)
				want.Mul(&left, rows.T())
				if by != nil {
					want.MulElem(want, by)
				}
				want.Apply(func(_, _ int, v float64) float64 { return 1 + v/2 }, want)
				if !mat.EqualApprox(got, want, 1e-13) {
					t.Errorf("all rows the same %t, times another %t: %v, want %v", same, by != nil, mat.Formatted(got), mat.Formatted(want))
				}
			}
		}
	}
}

// TestActivationsAreFinite: values that an activation has no number for are refused, of either sign, and none
// is left half done.
func TestActivationsAreFinite(t *testing.T) {
	z := expr.Var(0, "z")
	log := Activation{Map: expr.Of(expr.OpLog, expr.Of(expr.OpMul, z, z)), Text: "log z^2"}
	inverse := Activation{Map: expr.Of(expr.OpDiv, expr.Const(1), z), Text: "1/z"}
	for _, a := range []Activation{log, inverse} {
		v := mat.NewDense(1, 2, []float64{2, 0})
		if err := a.apply(v); err == nil || !strings.Contains(err.Error(), "at 0: the input is beyond what the network was trained on") || v.At(0, 0) != 2 {
			t.Errorf("%s at 0: error %v, first value %g", a.Text, err, v.At(0, 0))
		}
		v.Set(0, 1, 4)
		if err := a.apply(v); err != nil || v.At(0, 0) == 2 {
			t.Errorf("%s at 2 and 4: error %v, %v", a.Text, err, v)
		}
	}
}
