package joint

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
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

// TestOneLayerIsTheFit: a network of one linear layer is the fit with its λ and ρ, and its bound is
// that of duality.
func TestOneLayerIsTheFit(t *testing.T) {
	s := small(t, 1)
	e := fitted(t, s)
	l := e.Layers[0]
	centred := array.New(s.Data.Output.Shape...)
	copy(centred.Data, s.Data.Output.Data)
	floats.AddConst(-l.Intercept, centred.Data)
	d, err := dataset.New(dataset.Spec{Input: s.Data.Input, Output: centred, InputMesh: s.Data.InputMesh, OutputMesh: s.Data.OutputMesh})
	if err != nil {
		t.Fatal(err)
	}
	spec := fit.Spec{Data: d, Kernel: s.Kernel, Bias: l.BiasKernel, Lambda: l.Report.Lambda, Rho: l.Report.Rho, Intercept: fit.NoIntercept}
	ref, err := fit.Fit(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if r := e.Report.Layers[0]; math.Abs(r.Objective-ref.Report.Objective) > 1e-8*ref.Report.Objective || r.Gap > 1e-8*r.Objective {
		t.Errorf("objective %.12g, of the fit %.12g, gap %.2g", r.Objective, ref.Report.Objective, r.Gap)
	}
	if r := e.Report; math.Abs(r.Bound-r.Objective) > 1e-8*r.Objective {
		t.Errorf("objective %.12g, bound %.12g", r.Objective, r.Bound)
	}
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
	if err := distance(tangent, &difference); err > 1e-7 {
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
	if want := inner(e, tangent); math.Abs(sum-want) > 1e-10*math.Abs(want) {
		t.Errorf("⟨adjoint e, d⟩ = %g, ⟨e, tangent d⟩ = %g", sum, want)
	}
}

func distance(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return mat.Norm(&d, 2) / mat.Norm(b, 2)
}

// TestNotWorseThanAdam: from the same start the objective of 2000 epochs of Adam is reached after at
// most 200 products with the network linearised, each about an epoch.
func TestNotWorseThanAdam(t *testing.T) {
	for _, c := range []struct {
		data   *dataset.Dataset
		act    Activation
		kernel kernel.Kernel
	}{
		{semilinear(t, 10, 7, 30, 30, 1), tanh(), matern(0.3)},
		{semilinear(t, 10, 7, 30, 30, 1), tanh(), kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.4}}}, // no product
		{noisy(drawnTruth(t, 12, 9, 4), 0.01), silu(), matern(0.3)},
		{burgers(t, 12, 9, 3), of(expr.OpSin), matern(0.3)},
	} {
		s := small(t, 2)
		s.Data, s.Activations, s.Kernel = c.data, []Activation{c.act}, c.kernel
		p, err := newProblem(t.Context(), &s)
		if err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		w, err := p.chain.layerwise(ctx, roughly)
		if err != nil {
			t.Fatal(err)
		}
		_, rate, err := p.chain.adamRate(ctx, w, 20)
		if err != nil {
			t.Fatal(err)
		}
		_, adam, err := p.chain.adamRun(ctx, w, 2000, rate)
		if err != nil {
			t.Fatal(err)
		}
		d := newDescent(ctx, p.chain, w)
		for d.s.objective > floats.Min(adam) && d.products <= 200 {
			if err := d.run(ctx, 1); err != nil {
				t.Fatal(err)
			}
		}
		if d.products > 200 {
			t.Errorf("%s, %v: after %d products %.4g, Adam %.4g", c.act.Text, c.kernel, d.products, d.s.objective, floats.Min(adam))
		}
	}
}

// TestEstimateIsTheNetwork: the layers as estimates predict what the network was trained to, on its
// mesh and others, have its penalties, and come back from a file to the last bit.
func TestEstimateIsTheNetwork(t *testing.T) {
	s := small(t, 2)
	s.Data, s.Lambda = semilinear(t, 12, 9, 30, 30, 1), 1e-5
	d, ctx := s.Data, t.Context()
	e := fitted(t, s)
	u := predicted(t, e, d, mesh.Mesh{})
	if got := off(u, d); math.Abs(got-e.Report.Misfit) > 0.02*got { // one is weighted
		t.Errorf("predictions of the pairs are off by %.3g, the report says %.3g", got, e.Report.Misfit)
	}
	fine, err := d.OutputMesh.Refine(2)
	if err != nil {
		t.Fatal(err)
	}
	v := predicted(t, e, d, fine)
	for k := range d.OutputMesh.Size() {
		if diff := math.Abs(u.At(3, k) - v.At(3, 2*k)); diff > 1e-9 {
			t.Errorf("point %d: %.2g off on a finer mesh", k, diff)
		}
	}
	if r := e.Report; r.Bound > r.Objective || r.Bound < 0.99*r.Objective || len(r.Layers) != 2 || !r.Converged || !(r.Gradient > 0 && r.Gradient < 0.2) {
		t.Errorf("%+v", r)
	}
	for k, l := range e.Report.Layers {
		if !(l.Residual < 1e-3) || !(l.Gap < 1e-3) {
			t.Errorf("layer %d: %+v", k+1, l)
		}
	}
	path := filepath.Join(t.TempDir(), "net.npz")
	if err := e.Save(ctx, path); err != nil {
		t.Fatal(err)
	}
	b, err := Load(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(u, predicted(t, b, d, mesh.Mesh{})) || !mat.Equal(v, predicted(t, b, d, fine)) || b.Report.Objective != e.Report.Objective || !math.IsNaN(b.Report.LeftOut) {
		t.Error("the saved network differs")
	}
	if _, err := b.Layers[0].Std(ctx, mesh.Mesh{}, mesh.Mesh{}); err == nil || e.Layers[0].Report.Criterion != "given" {
		t.Errorf("a layer without data has bands, or its λ was chosen by %q", e.Layers[0].Report.Criterion)
	}
	if err := e.SaveWithData(ctx, path); err != nil {
		t.Fatal(err)
	}
	if b, err = Load(ctx, path); err != nil {
		t.Fatal(err)
	}
	for k, l := range e.Layers {
		want, got := testmain.Must(l.Std(ctx, mesh.Mesh{}, mesh.Mesh{}))(t), testmain.Must(b.Layers[k].Std(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
		if !mat.EqualApprox(want, got, 1e-9*mat.Max(want)) {
			t.Errorf("layer %d: bands of the saved network differ", k+1)
		}
	}
}

// TestUnits: in other units, and with a number added to the outputs, predictions are the same ones.
func TestUnits(t *testing.T) {
	s := small(t, 2)
	s.Data, s.Lambda = semilinear(t, 12, 9, 30, 30, 1), 1e-4
	u := predicted(t, fitted(t, s), s.Data, mesh.Mesh{})
	f, v := array.New(s.Data.Input.Shape...), array.New(s.Data.Output.Shape...)
	for i := range f.Data {
		f.Data[i], v.Data[i] = 1e9*s.Data.Input.Data[i], 3+1e-6*s.Data.Output.Data[i]
	}
	other := s
	var err error
	if other.Data, err = dataset.New(dataset.Spec{Input: f, Output: v, InputMesh: s.Data.InputMesh, OutputMesh: s.Data.OutputMesh}); err != nil {
		t.Fatal(err)
	}
	w := predicted(t, fitted(t, other), other.Data, mesh.Mesh{})
	w.Apply(func(_, _ int, x float64) float64 { return (x - 3) * 1e6 }, w)
	if err := distance(w, u); err > 1e-4 {
		t.Errorf("in other units predictions differ by %.2g", err)
	}
}

// TestHidden: of u that is even in f no layer by itself learns anything; trained jointly, the
// network predicts pairs that were held out. Kernels need not be products.
func TestHidden(t *testing.T) {
	train, test := split(t, hidden(t, 36, 9, 30, 2), 8)
	kernels := []kernel.Kernel{matern(0.3), kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.4}}}
	if !testmain.EveryCase() {
		kernels = kernels[1:]
	}
	for _, k := range kernels {
		s := Spec{Data: train, Layers: 2, Activations: []Activation{square()}, Kernel: k, Lambda: 1e-5, Steps: 20, Starts: 2}
		joint := off(predicted(t, fitted(t, s), test, mesh.Mesh{}), test)
		s.Method = LayerByLayer
		byLayer := off(predicted(t, fitted(t, s), test, mesh.Mesh{}), test)
		if joint > 0.05 || byLayer < 0.2 {
			t.Errorf("%v: error %.2g, layer by layer %.2g", k, joint, byLayer)
		}
	}
}

// TestLambda: λ is chosen such that pairs left out are predicted better than by a linear layer.
func TestLambda(t *testing.T) {
	if !testmain.EveryCase() {
		t.Skip("takes a second")
	}
	s := small(t, 2)
	s.Data = semilinear(t, 15, 7, 30, 30, 1)
	s.Lambda = 0
	r := fitted(t, s).Report
	if !(r.Lambda > 0) || len(r.Tried) < 2 || !(r.LeftOut < r.Linear) {
		t.Errorf("%+v", r)
	}
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

// TestSteps: no more steps than are asked for, those that polish among them.
func TestSteps(t *testing.T) {
	for _, steps := range []int{1, 2, 9} {
		s := small(t, 2)
		s.Steps, s.Lambda = steps, 1e-6
		e, err := Fit(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if e.Report.Steps > steps || e.Report.Steps == 0 {
			t.Errorf("%d steps, asked for %d", e.Report.Steps, steps)
		}
	}
}

// TestNextLambda: with another λ a network is trained as its method says, layer by layer from the
// beginning, and jointly from what the one before has come to.
func TestNextLambda(t *testing.T) {
	const lambda = 1e-4
	ctx := t.Context()
	for _, m := range []Method{LayerByLayer, Jointly} {
		s := small(t, 2)
		s.Method, s.Lambda = m, 1e-2
		p := testmain.Must(newProblem(ctx, &s))(t)
		p.chain.lambda = s.Lambda
		d := testmain.Must(p.train(ctx, 3, &Report{Method: m}))(t)
		next := testmain.Must(p.next(ctx, d, lambda, m))(t)
		begun := newDescent(ctx, p.chain, d.p).s.objective
		fresh := testmain.Must(p.train(ctx, 0, &Report{Method: m}))(t)
		if p.chain.lambda != lambda || !(next.s.objective < begun) || (m == LayerByLayer) != (next.s.objective == fresh.s.objective) || next.s.objective > fresh.s.objective {
			t.Errorf("%s, λ = %g: the objective is %.6g, from where the λ before came to %.6g, from the beginning %.6g", m, p.chain.lambda, next.s.objective, begun, fresh.s.objective)
		}
	}
}

// TestPolishing: each of the steps at the end makes the objective smaller, and they leave the descent as
// damped as it was.
func TestPolishing(t *testing.T) {
	ctx := t.Context()
	s := small(t, 2)
	s.Lambda = 1e-3
	p := testmain.Must(newProblem(ctx, &s))(t)
	p.chain.lambda = s.Lambda
	w := testmain.Must(p.chain.layerwise(ctx, roughly))(t)
	objective := math.Inf(1)
	for steps := range 4 {
		d := newDescent(ctx, p.chain, w)
		if err := d.run(ctx, 12); err != nil {
			t.Fatal(err)
		}
		damping, taken := d.damping, d.taken()
		if err := d.polish(ctx, steps); err != nil {
			t.Fatal(err)
		}
		if d.damping != damping || d.inner != inexact || d.taken() != taken+steps || !(d.s.objective < objective) {
			t.Errorf("%d steps of %d: objective %.10g, %.10g before; damping %g, %g before", d.taken()-taken, steps, d.s.objective, objective, d.damping, damping)
		}
		objective = d.s.objective
	}
	for asked, most := range map[int]int{0: 3 + mostPolishing, 3: 3} {
		p.spec.Steps = asked
		if d := testmain.Must(p.train(ctx, 3, &Report{Method: Jointly}))(t); d.taken() > most || d.taken() <= 3 && asked == 0 {
			t.Errorf("%d steps asked for: after 3 of them %d were taken, at most %d may be", asked, d.taken(), most)
		}
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
