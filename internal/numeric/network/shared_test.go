package network

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// sharedLayers are those of a learner in the closed form, however few its pairs are.
func sharedLayers(t *testing.T, s Spec, input map[string]kernel.Kernel, output kernel.Kernel) (*learner, []*attempt) {
	t.Helper()
	l, err := newLearner(&s)
	if err != nil {
		t.Fatal(err)
	}
	all, err := newShared(l).layers(t.Context(), s.Layers, input, output)
	if err != nil {
		t.Fatal(err)
	}
	return l, all
}

// TestSharedIsFit: layers in the closed form are the fits of the same model, with the same
// certificate, and what they say of a pair left out is what a fit without it says.
func TestSharedIsFit(t *testing.T) {
	d := cubic(t, 14, 9, 4, constant(2), 5)
	for i := range d.Outputs[0].Values.Data {
		d.Outputs[0].Values.Data[i] += 0.01 * math.Sin(float64(7*i)) // so that λ is chosen where rounding is little
	}
	s := spec(d, power(3))
	s.Layers = 2
	k := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.3}}
	l, all := sharedLayers(t, s, map[string]kernel.Kernel{"f": k, "u3": k}, k)
	if len(all) != 2 {
		t.Fatalf("%d layers", len(all))
	}
	a := all[1]
	tab, err := l.table(a.names, all[0].out)
	if err != nil {
		t.Fatal(err)
	}
	in := *tab
	in.Outputs = nil
	o := a.e.Outputs[0]
	want := model.Spec{Data: tab, Kernels: map[string]kernel.Kernel{}, Amplitudes: map[string]float64{}, Bias: k, Intercept: fit.Flat, Lambda: o.Report.Lambda, Rho: o.Report.Rho}
	for _, term := range o.Terms {
		want.Kernels[term.Name], want.Amplitudes[term.Name] = kernel.Tensor{Input: k, Output: k}, term.Factor
	}
	e, err := model.Fit(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := o.Predict(t.Context(), &in, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	ref, err := e.Outputs[0].Predict(t.Context(), &in, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	if off := distance(got, ref); !(off <= 1e-9*norm(ref.RawMatrix().Data)) {
		t.Errorf("predictions: %.2g from those of the fit", off)
	}
	p, q := o.Report, e.Outputs[0].Report
	for name, v := range map[string][2]float64{
		"objective": {p.Objective, q.Objective}, "mse": {p.MSE, q.MSE}, "norm": {p.GreenNorm2, q.GreenNorm2},
		"sigma": {p.Sigma, q.Sigma}, "deviation": {o.Terms[1].Deviation, e.Outputs[0].Terms[1].Deviation},
	} {
		if !(math.Abs(v[0]-v[1]) <= 1e-7*v[1]) {
			t.Errorf("%s %.12g, of the fit %.12g", name, v[0], v[1])
		}
	}
	loo := 0.0 // mse of pairs left out, over all values
	for i := range 14 {
		for k, w := range d.Outputs[0].Mesh.Weights() {
			off := a.out.At(i, k) - l.u.At(i, k)
			loo += off * off * w / 14 / (14 * 9)
		}
	}
	if !(math.Abs(*p.LOO-loo) <= 1e-9*loo) {
		t.Errorf("leave-one-out error %.12g, want %.12g", *p.LOO, loo)
	}
	if !(p.Residual <= 1e-10) || !(p.Gap <= 1e-15*p.Objective) {
		t.Errorf("residual %.2g, gap %.2g of %.2g", p.Residual, p.Gap, p.Objective)
	}
	if p.Unknowns != 14*9 {
		t.Errorf("%d unknowns, want one for each of 14 pairs at each of 9 points", p.Unknowns)
	}
	green, err := o.Term("u3").Green()
	if err != nil {
		t.Fatal(err)
	}
	g, err := green.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	if off := distance(g, a.green["u3"]); !(off <= 1e-9*norm(g.RawMatrix().Data)) {
		t.Errorf("G: %.2g from that of the term", off)
	}

	const left = 3
	rest, err := tab.Select([]int{0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
	if err != nil {
		t.Fatal(err)
	}
	one, err := in.Select([]int{left})
	if err != nil {
		t.Fatal(err)
	}
	want.Data, want.Lambda, want.Rho = rest, want.Lambda*14/13, want.Rho*14/13
	if e, err = model.Fit(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if ref, err = e.Outputs[0].Predict(t.Context(), one, mesh.Mesh{}); err != nil {
		t.Fatal(err)
	}
	if off := distance(ref, mat.NewDense(1, 9, a.out.RawRowView(left))); !(off <= 1e-8*norm(ref.RawMatrix().Data)) {
		t.Errorf("pair left out: %.2g from the fit without it", off)
	}
}

// TestSizeOfSharedTerms: λ and the size of channels beside the inputs predict pairs that are left out
// better than those a step away, and so does no size of a grid, whichever way it lies.
func TestSizeOfSharedTerms(t *testing.T) {
	k := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.3}}
	input := func(string, mesh.Mesh) kernel.Kernel { return k }
	larger := map[string]bool{}
	for _, of := range []Channel{power(1), power(3)} { // the output itself, and a small part of what makes it
		d := cubic(t, 24, 9, 6, constant(2), 5)
		for i := range d.Outputs[0].Values.Data {
			d.Outputs[0].Values.Data[i] += 0.003 * math.Sin(float64(7*i))
		}
		sp := spec(d, of)
		sp.Layers = 2
		l, err := newLearner(&sp)
		if err != nil {
			t.Fatal(err)
		}
		tab, err := l.table(l.names(), l.u)
		if err != nil {
			t.Fatal(err)
		}
		s := newShared(l)
		if err := s.setOutput(t.Context(), k); err != nil {
			t.Fatal(err)
		}
		all, err := s.addends(t.Context(), tab, []string{"f", of.Name}, input)
		if err != nil {
			t.Fatal(err)
		}
		own, err := s.layer(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		for _, by := range []float64{math.Sqrt(10), 1 / math.Sqrt(10)} {
			if by < 1 && own.d.lambda*by < leastLambda*floats.Sum(own.x.w)/float64(s.n)*floats.Max(s.y) {
				continue
			}
			next, err := s.solve(t.Context(), own.x, own.d.lambda*by, true)
			if err != nil {
				t.Fatal(err)
			}
			if !(next.value >= own.d.value) {
				t.Errorf("%s: error %.6g, with %.3g times the λ %.6g", of.Name, own.d.value, by, next.value)
			}
		}
		for size := 1e-3; size < 2e3; size *= 10 {
			x, err := s.weigh(t.Context(), all, size)
			if err != nil {
				t.Fatal(err)
			}
			best, err := s.best(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			if !(best.value >= 0.998*own.d.value) {
				t.Errorf("%s: error %.6g of channels of the size %.3g, %.6g of %.3g", of.Name, own.d.value, own.x.sizes[1], best.value, size)
			}
		}
		larger[of.Name] = own.x.sizes[1] > 1
	}
	if !larger["u1"] || larger["u3"] {
		t.Errorf("channels are larger than inputs: %v", larger)
	}
}

// TestSharedEndsWhereLayersAreOfNoUse: of an operator that is linear there is one layer.
func TestSharedEndsWhereLayersAreOfNoUse(t *testing.T) {
	s := spec(cubic(t, 16, 9, 4, constant(0), 8), power(3))
	s.Layers = 4
	if _, all := sharedLayers(t, s, nil, nil); len(all) != 1 {
		t.Errorf("%d layers, want 1", len(all))
	}
}

// TestSharedInAllUnits: units of f and u, and a number added to u, do not change layers.
func TestSharedInAllUnits(t *testing.T) {
	d := cubic(t, 16, 9, 4, constant(2), 8)
	var first []*attempt
	for _, c := range []struct{ f, u, add float64 }{{1, 1, 0}, {1e9, 1e-9, 0}, {1e-9, 1e9, 0}, {1, 1, 1e3}} {
		f, v := array.New(d.Fields[0].Values.Shape...), array.New(d.Fields[0].Values.Shape...)
		for i := range f.Data {
			f.Data[i], v.Data[i] = c.f*d.Fields[0].Values.Data[i], c.u*d.Outputs[0].Values.Data[i]+c.add
		}
		u := expr.Of(expr.OpSub, expr.Var(0, "u"), expr.Const(c.add))
		s := spec(pairs(t, f, v, d.Fields[0].Mesh, d.Outputs[0].Mesh), Channel{Name: "u3", Map: expr.Of(expr.OpMul, u, expr.Of(expr.OpMul, u, u)), Atoms: []Atom{{}}})
		s.Layers = 3
		_, all := sharedLayers(t, s, nil, nil)
		if first == nil {
			first = all
			if len(all) < 2 || !(all[1].leftOut <= 0.5*all[0].leftOut) {
				t.Errorf("%d layers: no gain", len(all))
			}
			continue
		}
		if r := all[0].e.Outputs[0].Report; !(r.Residual > 0 && r.Residual < 1e-9) || !r.Converged {
			t.Errorf("%+v: the equations are solved to %.2g of the data, converged %t", c, r.Residual, r.Converged)
		}
		if len(all) != len(first) {
			t.Errorf("%+v: %d layers, want %d", c, len(all), len(first))
			continue
		}
		for k, a := range all {
			off, want := a.out, mat.DenseCopyOf(first[k].out)
			want.Apply(func(_, _ int, v float64) float64 { return c.u*v + c.add }, want)
			if e := distance(off, want); !(e <= 1e-5*c.u*norm(first[k].out.RawMatrix().Data)) {
				t.Errorf("%+v, layer %d: predictions %.2g off", c, k+1, e)
			}
		}
	}
}

// TestSharedNeedsASize: terms have a relative size where their inputs have one; inputs that are
// zero, or whose squares no number holds, are refused by name, and others of any size are not.
func TestSharedNeedsASize(t *testing.T) {
	k := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.3}}
	for unit, ok := range map[float64]bool{1: true, 1e-100: true, 1e100: true, 0: false, 1e-200: false, 1e200: false} {
		d := cubic(t, 8, 7, 2, constant(2), 1)
		for i := range d.Fields[0].Values.Data {
			d.Fields[0].Values.Data[i] *= unit
		}
		s := spec(d, power(3))
		l := &learner{spec: &s, data: d, u: rows(&d.Outputs[0])}
		all, err := newShared(l).addends(t.Context(), d, []string{"f"}, func(string, mesh.Mesh) kernel.Kernel { return k })
		switch {
		case !ok && (err == nil || !strings.Contains(err.Error(), "terms.f: is next to nothing, or too large")):
			t.Errorf("inputs × %g: error %v", unit, err)
		case ok && (err != nil || !(math.Abs(mat.Trace(all[0].gram)/8-1) <= 1e-12)):
			t.Errorf("inputs × %g: error %v, or another size than one", unit, err)
		}
	}
}

// TestManyPairs: many pairs are learned from in the closed form, saved and loaded, and end when
// they are stopped; what the closed form does not have is left to fits.
func TestManyPairs(t *testing.T) {
	on := mesh.Must(mesh.Uniform(0, 1, manyNumbers/manyPairs, "x"))
	f := array.New(manyPairs, on.Size())
	for i := range f.Data {
		f.Data[i] = math.Sin(math.Pow(float64(i), 1.5))
	}
	d := pairs(t, f, f, on, on)
	s := spec(d, power(3))
	s.Layers = 2
	if _, k, ok := s.sharing(); !ok || k == nil {
		t.Error("products with one kernel on the output are not taken")
	}
	for name, change := range map[string]func(*Spec){
		"implicit": func(s *Spec) { s.Layers = 0 }, "choose": func(s *Spec) { s.Choose = true }, "lambda": func(s *Spec) { s.Model.Lambda = 1 },
		"no bias": func(s *Spec) { s.Model.NoBias = true }, "no intercept": func(s *Spec) { s.Model.Intercept = fit.NoIntercept },
		"rho": func(s *Spec) { s.Model.Rho = 1 }, "criterion": func(s *Spec) { s.Model.Criterion = fit.GCV }, "dense": func(s *Spec) { s.Model.Dense = true },
		"bias": func(s *Spec) { s.Model.Bias = kernel.Exponential{Lengthscale: kernel.Lengthscale{1}} }, "Huber": func(s *Spec) { s.Model.Noise.Huber = true },
		"noise": func(s *Spec) { s.Model.Noise.Kind = noise.Diagonal }, "errors": func(s *Spec) {
			own := *s.Model.Data
			own.Outputs = slices.Clone(own.Outputs)
			own.Outputs[0].Errors = &dataset.Errors{}
			s.Model.Data = &own
		},
		"missing": func(s *Spec) {
			own := *s.Model.Data
			own.Missing = true
			s.Model.Data = &own
		},
		"automatic": func(s *Spec) {
			s.Model.Kernels = map[string]kernel.Kernel{"f": kernel.Tensor{Input: kernel.SE{Lengthscale: kernel.Auto}, Output: kernel.SE{Lengthscale: kernel.Lengthscale{1}}}}
		},
		"another term": func(s *Spec) { s.Model.Terms = []string{"f", "nowhere"} },
		"joint": func(s *Spec) {
			s.Model.Kernels = map[string]kernel.Kernel{"f": kernel.SE{Lengthscale: kernel.Lengthscale{1}}}
		},
		"two kernels on the output": func(s *Spec) {
			s.Model.Kernels = given("f", "u3")
			s.Model.Kernels["u3"] = kernel.Tensor{Input: kernel.Exponential{}, Output: kernel.Exponential{Lengthscale: kernel.Lengthscale{1}}}
		},
	} {
		other := s
		change(&other)
		if _, _, ok := other.sharing(); ok {
			t.Errorf("%s: is not of the closed form", name)
		}
	}
	train, test := split(t, cubic(t, 18, 9, 4, constant(2), 6), 4)
	s = spec(train, power(3))
	s.Layers = 3
	l, all := sharedLayers(t, s, nil, nil)
	e := &Estimate{Data: train, channels: l.channels, curves: map[string]*Coefficient{}}
	if err := e.finish(t.Context(), l, all, all[0]); err != nil {
		t.Fatal(err)
	}
	savedAlike(t, e, test)
	if c := e.Coefficient("u3"); !(c.Mean < -1) || !math.IsNaN(c.MeanBand) {
		t.Errorf("coefficient %g ± %g", c.Mean, c.MeanBand)
	}
	// Where terms and inputs have meshes of their own, their G cannot be compared.
	whole, own := cubic(t, 18, 17, 4, constant(2), 6), mesh.Must(mesh.Uniform(0, 1, 9, "x"))
	f = array.New(18, own.Size())
	for i := range f.Data {
		f.Data[i] = whole.Fields[0].Values.Data[i/9*17+2*(i%9)]
	}
	s = spec(pairs(t, f, whole.Outputs[0].Values, own, whole.Outputs[0].Mesh), power(3))
	s.Layers = 2
	finer := spec(pairs(t, whole.Fields[0].Values, f, whole.Fields[0].Mesh, own), power(3))
	if l, err := newLearner(&finer); err != nil || l.channels[0].on.Size() != 17 {
		t.Errorf("terms of outputs on 9 points, with inputs on 17, are not integrated on the finer mesh (%v)", err)
	}
	if l, err := newLearner(&s); err != nil {
		t.Error(err)
	} else if c, err := l.coefficient(t.Context(), l.channels[0], &attempt{green: map[string]*mat.Dense{"f": mat.NewDense(9, 17, nil), "u3": mat.NewDense(17, 17, nil)}}); c != nil || err != nil {
		t.Errorf("inputs on a mesh of their own: coefficient %v, error %v", c, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newShared(l).layers(ctx, 2, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after a stop: %v", err)
	}
}
