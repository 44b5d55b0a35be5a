package kernels_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The terms of a kernel add up to it; built-in and written-out kinks have the
// same scales; kernels without scales have no terms.
func TestTerms(t *testing.T) {
	l := kernel.Lengthscale{.3}
	se, ex := kernel.SE{Lengthscale: l}, kernel.Exponential{Lengthscale: l}
	kink := kernel.Kink{Base: se, Jump: ex, Power: 1}
	written := scripted{name: "kink", of: func(p, q []*expr.Node) *expr.Node {
		size := func(x []*expr.Node) *expr.Node { return expr.Abs(expr.Sub(x[0], x[1])) }
		d := expr.Add(expr.Abs(expr.Sub(p[0], q[0])), expr.Abs(expr.Sub(p[1], q[1])))
		return expr.Sub(expr.Mul(size(p), expr.Mul(expr.Exp(expr.Neg(d)), size(q))), expr.Neg(expr.Exp(expr.Mul(expr.Const(-2), d))))
	}}
	signs := scripted{name: "signs", of: func(p, q []*expr.Node) *expr.Node { // a - b - (c - (-d - 2a)) of two scales
		n := make([]*expr.Node, 4)
		for i := range n {
			d := expr.Abs(expr.Sub(p[0], q[0]))
			n[i] = expr.Exp(expr.Mul(expr.Const(-float64(i+1)), d))
			if i%2 == 0 {
				n[i] = expr.Mul(expr.Mul(expr.Exp(p[1]), n[i]), expr.Exp(q[1]))
			}
		}
		return expr.Sub(expr.Sub(n[0], n[1]), expr.Sub(n[2], expr.Sub(expr.Neg(n[3]), expr.Mul(expr.Const(2), n[0]))))
	}}
	growing := func(k int) kernel.Kernel { // exp(p_k) exp(-2 d) exp(q_k), of one coordinate only
		return scripted{name: "growing", of: func(p, q []*expr.Node) *expr.Node {
			d := expr.Add(expr.Abs(expr.Sub(p[0], q[0])), expr.Abs(expr.Sub(p[1], q[1])))
			return expr.Mul(expr.Exp(p[k]), expr.Mul(expr.Exp(expr.Mul(expr.Const(-2), d)), expr.Exp(q[k])))
		}}
	}
	for _, c := range []struct {
		k    kernel.Kernel
		want int
	}{
		{se, 0},
		{kernel.Sum{Terms: []kernel.Kernel{se, ex}}, 0},
		{kernel.BrownianBridge{Lower: 0, Upper: 1}, 0},
		{kink, 2},
		{written, 2},
		{signs, 2},
		{growing(0), 1},
		{growing(1), 1},
		{kernel.Sum{Terms: []kernel.Kernel{ex, kink}}, 2},
		{kernel.Sum{Terms: []kernel.Kernel{kink, kernel.Kink{Base: ex, Jump: se, Power: 3}}}, 3},
	} {
		f := compile(t, c.k, plane)
		terms, err := f.Terms()
		if err != nil {
			t.Fatal(err)
		}
		if len(terms) != c.want {
			t.Errorf("%s: %d terms, want %d", c.k, len(terms), c.want)
		}
		if terms == nil {
			continue
		}
		rng := rand.New(rand.NewPCG(1, 7))
		for range 50 {
			p, q := randomPoint(rng), randomPoint(rng)
			sum := 0.0
			for _, term := range terms {
				v := term.Function.At(p, q)
				if term.Scale != nil {
					v *= expr.Eval(term.Scale, p) * expr.Eval(term.Scale, q)
				}
				sum += v
			}
			if want := f.At(p, q); !(math.Abs(sum-want) <= 1e-13) {
				t.Fatalf("%s: terms add up to %.17g at %v, %v, want %.17g", c.k, sum, p, q, want)
			}
		}
	}
}

// What is not symmetric, not finite or not positive is found in kernels of any size, and rounding is not.
func TestVerifyInAllUnits(t *testing.T) {
	line := mesh.Must(mesh.Uniform(0, 1, 6, "x"))
	space := kernel.Space{Names: []string{"x"}}
	for _, unit := range []float64{1, 1e-9, 1e9, 1e-200, 1e-303} {
		of := func(more *expr.Node) func(p, q []*expr.Node) *expr.Node {
			return func(p, q []*expr.Node) *expr.Node {
				d := expr.Sub(p[0], q[0])
				return expr.Mul(expr.Const(unit), expr.Add(expr.Exp(expr.Neg(expr.Mul(d, d))), expr.Mul(more, d)))
			}
		}
		for want, f := range map[string]func(p, q []*expr.Node) *expr.Node{
			"": of(expr.Const(1e-13)), "not symmetric": of(expr.Const(1e-4)), "not positive": func(p, q []*expr.Node) *expr.Node {
				d := expr.Sub(p[0], q[0])
				return expr.Mul(expr.Const(unit), expr.Sub(expr.Exp(expr.Neg(expr.Mul(d, d))), expr.Const(.9)))
			},
			"is -Inf at": func(p, q []*expr.Node) *expr.Node {
				return expr.Where(expr.LT(expr.Abs(expr.Sub(p[0], expr.Const(.4))), expr.Const(.01)), expr.Neg(expr.Exp(expr.Const(1000))), expr.Mul(expr.Const(unit), expr.Mul(p[0], q[0])))
			},
		} {
			k, err := kernels.Compile(scripted{name: "written", of: f}, space)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := k.Verify(t.Context(), line); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("in units of %g: error %v, want %q", unit, err, want)
			}
		}
	}
}
