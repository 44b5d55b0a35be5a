package expr

import (
	"math"
	"testing"
)

// Parameters are variables until bound; gradients agree with differences of
// bound formulas.
func TestParams(t *testing.T) {
	x, y := Var(0, "x"), Var(1, "y")
	p := Params{First: 2}
	l, err := p.Declare("lengthscale", 0.3)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := p.Declare("scale", 2)
	if _, err := p.Declare("scale", 1); err == nil || err.Error() != `parameter name "scale": is already declared` {
		t.Errorf("second declaration: %v", err)
	}
	n := Mul(s, Exp(Neg(Div(Abs(Sub(x, y)), l))))
	if got, want := p.Bind(n).String(), "2*exp(-abs(x - y)/0.3)"; got != want {
		t.Errorf("bound: %s, want %s", got, want)
	}
	vars := make([]Operand, 4)
	vars[0].Scalar, vars[1].Scalar = 0.7, 0.2
	p.Set(vars)
	d := 0.5
	e := math.Exp(-d / 0.3)
	// d/dl 2 exp(-d/l) = 2 exp(-d/l) d/l², d/ds = exp(-d/l)
	for i, want := range []float64{2 * e * d / 0.09, e} {
		prog, err := Compile(p.Gradient(n)[i], 4)
		if err != nil {
			t.Fatal(err)
		}
		var got [1]float64
		prog.Block(got[:], vars)
		if math.Abs(got[0]-want) > 1e-14 {
			t.Errorf("derivative by %s: %g, want %g", p.Names[i], got[0], want)
		}
	}
	if slot, ok := p.Slot("scale"); slot != 3 || !ok {
		t.Errorf("slot of scale: %d %t", slot, ok)
	}
}
