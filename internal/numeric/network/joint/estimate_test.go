package joint

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

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
	if r := e.Report.Layers[0]; !(math.Abs(r.Objective-ref.Report.Objective) <= 1e-8*ref.Report.Objective) || !(r.Gap <= 1e-8*r.Objective) {
		t.Errorf("objective %.12g, of the fit %.12g, gap %.2g", r.Objective, ref.Report.Objective, r.Gap)
	}
	if r := e.Report; !(math.Abs(r.Bound-r.Objective) <= 1e-8*r.Objective) {
		t.Errorf("objective %.12g, bound %.12g", r.Objective, r.Bound)
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
	if got := off(u, d); !(math.Abs(got-e.Report.Misfit) <= 0.02*got) { // one is weighted
		t.Errorf("predictions of the pairs are off by %.3g, the report says %.3g", got, e.Report.Misfit)
	}
	fine, err := d.OutputMesh.Refine(2)
	if err != nil {
		t.Fatal(err)
	}
	v := predicted(t, e, d, fine)
	for k := range d.OutputMesh.Size() {
		if diff := math.Abs(u.At(3, k) - v.At(3, 2*k)); !(diff <= 1e-9) {
			t.Errorf("point %d: %.2g off on a finer mesh", k, diff)
		}
	}
	if r := e.Report; !(r.Bound <= r.Objective) || !(r.Bound >= 0.99*r.Objective) || len(r.Layers) != 2 || !r.Converged || !(r.Gradient > 0 && r.Gradient < 0.2) {
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
	refusesDamaged(t, path)
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

// TestUnits: in other units, also of the axes, and with a number added to the outputs, predictions are the same ones, and so
// is what is said of the layers.
func TestUnits(t *testing.T) {
	s := small(t, 2)
	s.Data, s.Lambda = semilinear(t, 12, 9, 30, 30, 1), 1e-4
	e := fitted(t, s)
	u := predicted(t, e, s.Data, mesh.Mesh{})
	f, v := array.New(s.Data.Input.Shape...), array.New(s.Data.Output.Shape...)
	for i := range f.Data {
		f.Data[i], v.Data[i] = 1e9*s.Data.Input.Data[i], 3+1e-6*s.Data.Output.Data[i]
	}
	other, on := s, mesh.Must(mesh.Uniform(2, 8, 9, "x"))
	var err error
	if other.Data, err = dataset.New(dataset.Spec{Input: f, Output: v, InputMesh: on, OutputMesh: on}); err != nil {
		t.Fatal(err)
	}
	other.Kernel = matern(6 * .3)
	o := fitted(t, other)
	w := predicted(t, o, other.Data, mesh.Mesh{})
	for k, l := range o.Report.Layers {
		if own := e.Report.Layers[k]; !(math.Abs(l.Residual-own.Residual) <= 1e-3) || !(math.Abs(l.Gap/l.Objective-own.Gap/own.Objective) <= 1e-3) {
			t.Errorf("layer %d: %+v, in other units %+v", k+1, own, l)
		}
	}
	w.Apply(func(_, _ int, x float64) float64 { return (x - 3) * 1e6 }, w)
	if err := distance(w, u); !(err <= 1e-4) {
		t.Errorf("in other units predictions differ by %.2g", err)
	}
}

// refusesDamaged: what a file says of a network has to be of this kind, and its parts as many as one another.
func refusesDamaged(t *testing.T, path string) {
	t.Helper()
	f := testmain.Must(arrays.Open(path))(t)
	defer f.Close()
	text, ok, err := f.Text(headerName)
	if err != nil || !ok {
		t.Fatal(err)
	}
	z, w := expr.Var(0, "z"), expr.Var(1, "w")
	for want, damage := range map[string]func(h *header){
		`format "net"`:              func(h *header) { h.Format = "net" },
		"version 0: this":           func(h *header) { h.Version = 0 },
		"version 2: this":           func(h *header) { h.Version = 2 },
		"do not go together":        func(h *header) { h.Report.Layers = h.Report.Layers[1:] },
		"joint.json: its":           func(h *header) { h.Layers, h.Report.Layers, h.Activations = 0, nil, nil },
		"its parts do not":          func(h *header) { h.Layers, h.Report.Layers = 3, append(h.Report.Layers, LayerReport{}) },
		"joint.json: its par":       func(h *header) { h.Activations = slices.Repeat(h.Activations, 3) },
		"activation of layer 1":     func(h *header) { h.Activations[0] = Activation{Map: expr.Of(expr.OpAdd, z, w)} },
		"layer 1: is on other mesh": func(h *header) { h.InputMesh = mesh.Must(mesh.Uniform(0, 2, 9, "x")) },
	} {
		var h header
		if err := json.Unmarshal([]byte(text), &h); err != nil {
			t.Fatal(err)
		}
		damage(&h)
		damaged := testmain.Must(json.Marshal(h))(t)
		part := func(prefix string) arrays.Parts { return arrays.Nested{File: f, Prefix: prefix} }
		if _, err := read(t.Context(), part, string(damaged)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestAdvice: what is suspicious is said, one line each: no minimum, with what to try, no gain beside one layer, and the end of the λ
// that are tried.
func TestAdvice(t *testing.T) {
	const noMinimum, more, other = "not at a minimum: the objective is 2 after %d steps, and that of the network linearised there goes down to 1; ", "take more steps, or a larger lambda", "steps from here hardly lower it; try a larger lambda, or another seed"
	const noGain, least = "pairs that were left out are predicted with an error of 0.5, and 0.5 by one linear layer: these pairs show no gain from the network", "λ is the least that is tried: the pairs bear a smaller one"
	none := math.NaN()
	for _, c := range []struct {
		r    Report
		want []string
	}{
		{Report{Method: Jointly, Converged: true, LeftOut: none, Linear: none}, nil},
		{Report{Method: Jointly, Steps: 7, Objective: 2, Bound: 1, LeftOut: none, Linear: none}, []string{fmt.Sprintf(noMinimum, 7) + more}},
		{Report{Method: Jointly, Steps: 6, Objective: 2, Bound: 1, LeftOut: none, Linear: none}, []string{fmt.Sprintf(noMinimum, 6) + other}},
		{Report{Method: Adam, Objective: 2, Bound: 1, LeftOut: .4, Linear: .5}, nil},
		{Report{Method: LayerByLayer, LeftOut: .5, Linear: .5, Lambda: leastLambda, Tried: []Trial{{}}}, []string{noGain, least}},
		{Report{Method: LayerByLayer, LeftOut: none, Linear: none, Lambda: 3 * leastLambda, Tried: []Trial{{}}}, nil},
		{Report{Method: LayerByLayer, LeftOut: none, Linear: none, Lambda: leastLambda}, nil},
	} {
		c.r.advise(&problem{spec: &Spec{Steps: 7}})
		if want := strings.Join(c.want, "\n"); c.r.Advice != want {
			t.Errorf("%+v: %q, want %q", c.r, c.r.Advice, want)
		}
	}
}
