package joint

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

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
		if !(joint <= 0.05) || !(byLayer >= 0.2) {
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
		if p.chain.lambda != lambda || !(next.s.objective < begun) || (m == LayerByLayer) != (next.s.objective == fresh.s.objective) || !(next.s.objective <= fresh.s.objective) {
			t.Errorf("%s, λ = %g: the objective is %.6g, from where the λ before came to %.6g, from the beginning %.6g", m, p.chain.lambda, next.s.objective, begun, fresh.s.objective)
		}
	}
}

// TestLambdasThatAreTried: they go down from the first by one factor, a network is trained with each, and the one is taken that
// predicts pairs best that it has not seen; the search ends where two more are no better.
func TestLambdasThatAreTried(t *testing.T) {
	ctx := t.Context()
	s := small(t, 2)
	s.Data, s.Method, s.Lambda = semilinear(t, 10, 5, 30, 30, 1), LayerByLayer, 0
	p := testmain.Must(newProblem(ctx, &s))(t)
	r := Report{Method: LayerByLayer}
	if err := p.chooseLambda(ctx, &r); err != nil {
		t.Fatal(err)
	}
	in, out := criteria.FoldsOf(10, p.chain.f.RawRowView, p.chain.u.RawRowView)
	best := 0
	for k, c := range r.Tried {
		part, held := p.of(in[0]), p.of(out[0])
		part.chain.lambda = firstLambda * math.Pow(thinner, float64(k))
		d := testmain.Must(part.train(ctx, 0, &Report{Method: LayerByLayer}))(t)
		want := held.relative(testmain.Must(held.mse(ctx, d.p))(t))
		if !(math.Abs(c.Lambda/part.chain.lambda-1) <= 1e-12) || !(math.Abs(c.LeftOut/want-1) <= 1e-6) {
			t.Errorf("trial %d: %+v, want λ = %g with an error of %g", k, c, part.chain.lambda, want)
		}
		if c.LeftOut < r.Tried[best].LeftOut {
			best = k
		}
	}
	if k := len(r.Tried); p.chain.lambda != r.Tried[best].Lambda || r.LeftOut != r.Tried[best].LeftOut || k != best+1+patience && !(r.Tried[k-1].Lambda <= 1.1*leastLambda) {
		t.Errorf("λ = %g, error %g, of %+v", p.chain.lambda, r.LeftOut, r.Tried)
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

// Steps of a training are told one after the other, from the first to the last one that is allowed, with the objective
// after each, which never rises.
func TestStepsAreToldInOrder(t *testing.T) {
	for name, change := range map[string]func(s *Spec){
		"in coordinates of modes": func(*Spec) {},
		"in all points":           func(s *Spec) { s.Kernel = kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.4}} },
	} {
		s := small(t, 3)
		s.Data, s.Starts, s.Steps = semilinear(t, 8, 6, 30, 30, 1), 1, 9
		change(&s)
		done, before := 0.0, math.Inf(1)
		_, err := Fit(progress.With(t.Context(), func(p progress.Step) {
			if p.Task != "all layers" || p.Total == 0 {
				return
			}
			if p.Done == 1 {
				done, before = 0, math.Inf(1)
			}
			if done++; p.Done != done || p.Done > p.Total || !(p.Value <= before) {
				t.Errorf("%s: step %g of %g after %g, objective %g after %g", name, p.Done, p.Total, done-1, p.Value, before)
			}
			before = p.Value
		}), s)
		if err != nil || done == 0 {
			t.Errorf("%s: %g steps, %v", name, done, err)
		}
	}
}
