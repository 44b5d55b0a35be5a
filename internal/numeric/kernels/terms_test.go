package kernels_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
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
			if want := f.At(p, q); math.Abs(sum-want) > 1e-13 {
				t.Fatalf("%s: terms add up to %.17g at %v, %v, want %.17g", c.k, sum, p, q, want)
			}
		}
	}
}
