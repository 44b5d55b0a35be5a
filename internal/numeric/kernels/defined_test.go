package kernels_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/kernel"
)

// numbered is coordinate i of point j, named the coordinate called names[k].
func numbered(j, i int) *expr.Node { return expr.Var(kernels.NumberSlot(j, i), "") }

func named(j, k int) *expr.Node { return expr.Var(kernels.NameSlot(j, k), "") }

// squares is Σ (a_i - b_i)².
func squares(a, b []*expr.Node) *expr.Node {
	sum := expr.Const(0)
	for i := range a {
		d := expr.Sub(a[i], b[i])
		sum = expr.Add(sum, expr.Mul(d, d))
	}
	return sum
}

// scriptedSE is exp(-t/(2 lengthscale²)), t the squared distance over all
// coordinates, as a script would define it for one and two coordinates.
func scriptedSE(t *testing.T) kernels.Defined {
	t.Helper()
	f := kernels.Formula{Points: 2, Params: []string{"lengthscale"}, Values: []float64{0.3}}
	l := expr.Var(kernels.ParamSlot(0), "v.lengthscale")
	for d := 1; d <= 2; d++ {
		var p, q []*expr.Node
		for i := range d {
			p, q = append(p, numbered(0, i)), append(q, numbered(1, i))
		}
		n := expr.Exp(expr.Div(squares(p, q), expr.Mul(expr.Const(-2), expr.Mul(l, l))))
		f.Forms = append(f.Forms, kernels.Form{Dim: d, Nodes: []*expr.Node{n}})
	}
	k, err := kernels.NewDefined(f, "function(p, q, v) … end")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// along is exp(-(p.a - q.a)²) in one coordinate, by name.
func along(t *testing.T, names ...string) kernels.Defined {
	t.Helper()
	var p, q []*expr.Node
	for k := range names {
		p, q = append(p, named(0, k)), append(q, named(1, k))
	}
	f := kernels.Formula{Points: 2, Names: names, Forms: []kernels.Form{{Nodes: []*expr.Node{expr.Exp(expr.Neg(squares(p, q)))}}}}
	k, err := kernels.NewDefined(f, "function(p, q) … end")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A kernel given by its formula is the kernel of the library with the same
// formula: values, structure, and what it is after a file and after a restriction.
func TestDefinedIsLikeTheLibrary(t *testing.T) {
	k, se := scriptedSE(t), kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}
	for _, s := range []kernel.Space{kernels.Line(), plane} {
		f, g := compile(t, k, s), compile(t, se, s)
		p, q := make([]float64, s.Dim()), make([]float64, s.Dim())
		for i := range 20 {
			p[0], q[s.Dim()-1] = float64(i)/20, float64(i*7%20)/20
			if a, b := f.At(p, q), g.At(p, q); !(math.Abs(a-b) <= 1e-15) {
				t.Fatalf("%d coordinates: %.17g, the library has %.17g", s.Dim(), a, b)
			}
		}
		for i := range s.Dim() {
			if !f.Stationary(i) || !f.Even(i) {
				t.Errorf("%d coordinates: structure of coordinate %d is not found", s.Dim(), i)
			}
		}
	}
	on := kernels.Restrict(k, plane, 1, 2, []float64{0.5, 0})
	if a, b := compile(t, on, kernel.Space{Names: []string{"y"}}).At([]float64{0}, []float64{.2}), math.Exp(-2./9); !(math.Abs(a-b) <= 1e-15) {
		t.Errorf("restricted: %g, must be %g", a, b)
	}
	for _, k := range []kernel.Kernel{k, on, along(t, "t", "x"), kernel.Sum{Terms: []kernel.Kernel{k, se}}} {
		b, err := kernels.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		back, err := kernels.Unmarshal(b)
		if err != nil {
			t.Fatal(err)
		}
		s := kernel.Space{Names: []string{"x", "t"}, Inputs: 1}
		if kernels.IsRestricted(k) {
			s = kernel.Space{Names: []string{"t"}}
		}
		if back.String() != k.String() || !expr.Equal(compile(t, back, s).Node, compile(t, k, s).Node) {
			t.Errorf("read back as %s", back)
		}
	}
}

// Names find their coordinates wherever they are; x, y and z stand for the first,
// second and third coordinate of a space that has no such names, and nothing else
// is guessed.
func TestDefinedFindsItsCoordinates(t *testing.T) {
	space := func(names ...string) kernel.Space { return kernel.Space{Names: names} }
	for _, c := range []struct {
		k    kernel.Kernel
		s    kernel.Space
		uses []int // coordinates that matter
		fail string
	}{
		{along(t, "t"), space("x", "t"), []int{1}, ""},
		{along(t, "x", "y"), space("y", "s", "x"), []int{0, 2}, ""},
		{along(t, "x"), space("t"), []int{0}, ""},
		{along(t, "x", "y"), space("s", "t"), []int{0, 1}, ""},
		{along(t, "x", "y"), space("y", "t"), []int{0, 1}, ""}, // not y by name and x by guess
		{along(t, "x", "y", "z"), space("r", "s", "t"), []int{0, 1, 2}, ""},
		{along(t, "x"), space("s", "t"), nil, `no coordinate "x": the coordinates here are s, t`},
		{along(t, "t"), space("x"), nil, `no coordinate "t"`},
		{along(t, "y"), space("x"), nil, `no coordinate "y"`},
		{along(t, "x", "y"), kernels.Unnamed(2), nil, `no coordinate "x"`},
		{scriptedSE(t), space("a", "b"), []int{0, 1}, ""},
		{scriptedSE(t), space("a", "b", "c"), nil, "works for points of 1, 2 coordinates; the points here have 3: a, b, c"},
	} {
		f, err := kernels.Compile(c.k, c.s)
		if c.fail != "" {
			if err == nil || !strings.Contains(err.Error(), c.fail) {
				t.Errorf("%v in %v: error %v, want %s", c.k, c.s.Names, err, c.fail)
			}
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		d := c.s.Dim()
		for i := range d {
			p, q := make([]float64, d), make([]float64, d)
			p[i] = 0.5
			want := false
			for _, u := range c.uses {
				want = want || u == i
			}
			if (f.At(p, q) != f.At(q, q)) != want {
				t.Errorf("%v in %v: coordinate %d matters %t, must %t", c.k, c.s.Names, i, !want, want)
			}
		}
	}
}

// A formula of fewer coordinates than there are may leave the others out; one of more may not, and an
// image of points does not either.
func TestFormulasOfOtherDimensions(t *testing.T) {
	one := []*expr.Node{expr.Const(1)}
	for _, c := range []struct {
		points, dim, on int
		remedy          bool
	}{{2, 1, 2, true}, {2, 3, 2, false}, {1, 1, 2, false}, {1, 3, 2, false}} {
		f := kernels.Formula{Points: c.points, Forms: []kernels.Form{{Dim: c.dim, Nodes: one}}}
		_, err := f.Form(kernels.Unnamed(c.on))
		var r *remedy.Error
		if err == nil || errors.As(err, &r) != c.remedy {
			t.Errorf("%d points of %d coordinates where there are %d: %v; a remedy %t", c.points, c.dim, c.on, err, c.remedy)
		}
	}
}

// Derivatives with respect to parameters against central differences, and values
// after With; "auto" waits for a fit, and counts with the mean of what it chose.
func TestDefinedParameters(t *testing.T) {
	k := scriptedSE(t)
	p, q := kernels.Points(plane)
	g, err := k.Gradient(p, q)
	if err != nil {
		t.Fatal(err)
	}
	at := []float64{.1, .2, .4, .3}
	value := func(l float64) float64 {
		k, err := k.With("lengthscale", l)
		if err != nil {
			t.Fatal(err)
		}
		return compile(t, k, plane).At(at[:2], at[2:])
	}
	const h = 1e-5
	if a, b := expr.Eval(g[0], at), (value(.3+h)-value(.3-h))/(2*h); !(math.Abs(a-b) <= 1e-8) {
		t.Errorf("derivative %.10g, differences give %.10g", a, b)
	}
	if got, want := value(.5), math.Exp(-.1/.5); !(math.Abs(got-want) <= 1e-15) {
		t.Errorf("with lengthscale 0.5: %g, must be %g", got, want)
	}
	for _, c := range []struct {
		of    kernels.Defined
		name  string
		value float64
		says  string
	}{
		{k, "lengthscal", 1, `no parameter "lengthscal": the parameters are lengthscale`},
		{along(t, "t"), "lengthscale", 1, `no parameter "lengthscale": the kernel has none`},
		{k, "lengthscale", -1, "lengthscale -1: must be > 0 and finite"},
		{k, "lengthscale", math.NaN(), "lengthscale NaN: must be finite"},
		{k, "lengthscale", math.Inf(-1), "lengthscale -Inf: must be finite"},
	} {
		if _, err := c.of.With(c.name, c.value); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("With(%q, %g): %v, want %s", c.name, c.value, err, c.says)
		}
	}
	if kernels.IsAuto(k) {
		t.Error("a lengthscale that is given counts as auto")
	}
	for text, want := range map[string]string{"": "define(…, ", "f": "define(f, "} {
		if k.Text = text; !strings.HasPrefix(k.String(), want) {
			t.Errorf("%s, want %s", k, want)
		}
	}
	two := k
	two.Formula.Params, two.Formula.Values = append([]string{"alpha"}, k.Formula.Params...), append([]float64{1}, k.Formula.Values...)
	for name, want := range map[string]string{"alpha": ", alpha=2, lengthscale=0.3)", "lengthscale": ", alpha=1, lengthscale=2)"} {
		if with, err := two.With(name, 2); err != nil || !strings.HasSuffix(with.String(), want) {
			t.Errorf("with %s = 2: %s (%v), want %s", name, with, err, want)
		}
	}
	k.Lengthscale = kernel.Auto
	if !kernels.IsAuto(k) || !strings.HasSuffix(k.String(), `, lengthscale=auto)`) {
		t.Errorf("auto: %s", k)
	}
	if _, err := kernels.Compile(k, plane); err == nil || !strings.Contains(err.Error(), "auto") {
		t.Errorf("auto: compiles with error %v", err)
	}
	chosen := kernels.Resolve(k, kernel.Lengthscale{.2, .45}, .2)
	if got, want := compile(t, chosen, plane).At(at[:2], at[2:]), value(.3); !(math.Abs(got-want) <= 1e-14) { // .3² = .2 × .45
		t.Errorf("chosen: %g, must be %g", got, want)
	}
}

// Structure that shows only once terms are collected is found:
// exp(x) exp(-ξ) is exp(x - ξ). Where it is not found, as in
// x² - 2 x ξ + ξ², values are the same.
func TestDefinedIsSimplified(t *testing.T) {
	for name, c := range map[string]struct {
		p, q  *expr.Node
		names []string
		dim   int
		on    kernel.Space
	}{
		"by number": {numbered(0, 0), numbered(1, 0), nil, 1, kernels.Line()},
		"by name":   {named(0, 0), named(1, 0), []string{"t"}, 0, kernel.Space{Names: []string{"t"}}},
	} {
		p, q := c.p, c.q
		square := expr.Add(expr.Sub(expr.Mul(p, p), expr.Mul(expr.Const(2), expr.Mul(p, q))), expr.Mul(q, q))
		wide := expr.Sub(expr.Add(p, expr.Const(1)), expr.Add(q, expr.Const(1)))
		apart := expr.Log(expr.Mul(expr.Exp(p), expr.Exp(expr.Neg(q))))
		for i, n := range []*expr.Node{expr.Exp(expr.Neg(expr.Mul(wide, wide))), expr.Exp(expr.Neg(expr.Mul(apart, apart))), expr.Exp(expr.Neg(square))} {
			k, err := kernels.NewDefined(kernels.Formula{Points: 2, Names: c.names, Forms: []kernels.Form{{Dim: c.dim, Nodes: []*expr.Node{n}}}}, "")
			if err != nil {
				t.Fatal(err)
			}
			f := compile(t, k, c.on)
			if got, want := f.At([]float64{.3}, []float64{.1}), math.Exp(-.04); !(math.Abs(got-want) <= 1e-15) {
				t.Errorf("%s, %s: %g, must be %g", name, n, got, want)
			}
			if !f.Stationary(0) && i < 2 {
				t.Errorf("%s, %s: stationary, and not found", name, n)
			}
		}
	}
}

// A file that no program has written is refused and never panics.
func FuzzDefined(f *testing.F) {
	good, err := json.Marshal(kernels.Formula{
		Points: 2, Names: []string{"t"},
		Forms: []kernels.Form{{Dim: 1, Nodes: []*expr.Node{expr.Mul(numbered(0, 0), named(1, 0))}}},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(good))
	f.Add(`{"points":2,"forms":[{"dim":1,"nodes":[null]}]}`)
	f.Add(`{"points":2,"forms":[{"dim":1,"nodes":[{"version":1,"nodes":[{"op":"var","slot":40}]}]}]}`)
	f.Add(`{"points":1,"forms":[]}`)
	f.Add(`{"points":2,"params":["a"],"forms":[{"dim":0,"nodes":[{"version":1,"nodes":[{"op":"const","value":1}]}]}]}`)
	f.Fuzz(func(t *testing.T, formula string) {
		k, err := kernels.Unmarshal([]byte(`{"kernel":"define","fields":{"Formula":` + formula + `,"Lengthscale":[],"Text":"","Given":""}}`))
		if err != nil {
			return
		}
		for _, s := range []kernel.Space{kernels.Line(), plane, {Names: []string{"t"}}} {
			if fn, err := kernels.Compile(k, s); err == nil {
				fn.At(make([]float64, s.Dim()), make([]float64, s.Dim()))
			}
		}
		if _, err := kernels.Marshal(k); err != nil {
			t.Errorf("what was read cannot be written: %v", err)
		}
	})
}

// Files of kernels hold numbers of slots: these stay as they are, or the format gets another
// version.
func TestSlotsAreOfTheFormat(t *testing.T) {
	got := [6]int{kernels.NumberSlot(0, 0), kernels.NumberSlot(1, 2), kernels.NameSlot(0, 0), kernels.NameSlot(1, 3), kernels.ParamSlot(0), kernels.ParamSlot(5)}
	if want := [6]int{0, 66, 32, 99, 128, 133}; got != want {
		t.Errorf("slots %d, were %d", got, want)
	}
	if last := kernels.ParamSlot(kernels.MaxParams - 1); last != kernels.FormulaSlots-1 {
		t.Errorf("the last slot is %d of %d", last, kernels.FormulaSlots)
	}
}
