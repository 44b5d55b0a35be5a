package expr

import (
	"math"
	"slices"
	"testing"
)

// numericDerivative extrapolates central differences with shrinking steps
// (Ridders) and returns the derivative with an estimate of its error.
func numericDerivative(n *Node, vars []float64, slot int) (derivative, uncertainty float64) {
	x := append([]float64(nil), vars...)
	const shrink = 1.6
	h := 0.02
	var table [12][12]float64
	uncertainty = math.Inf(1)
	for i := range table {
		x[slot] = vars[slot] + h
		up := Eval(n, x)
		x[slot] = vars[slot] - h
		table[0][i] = (up - Eval(n, x)) / (2 * h)
		factor := shrink * shrink
		for j := 1; j <= i; j++ {
			table[j][i] = (table[j-1][i]*factor - table[j-1][i-1]) / (factor - 1)
			factor *= shrink * shrink
			e := max(math.Abs(table[j][i]-table[j-1][i]), math.Abs(table[j][i]-table[j-1][i-1]))
			if e <= uncertainty {
				uncertainty, derivative = e, table[j][i]
			}
		}
		h /= shrink
	}
	return derivative, uncertainty
}

// Each operation against extrapolated central differences, at points inside
// its domain.
func TestDiffOfEveryOperation(t *testing.T) {
	x, y := Var(0, "x"), Var(1, "y")
	formulas := []*Node{
		Add(x, Exp(y)), Sub(Pow(x, Const(3)), y), Mul(x, Sin(x)), Div(y, x), Div(x, Add(Const(2), Pow(x, Const(2)))), Neg(Exp(x)),
		Pow(x, Const(-2)), Pow(x, Const(0.3)), Pow(x, Const(2.7)), Pow(x, y), Pow(Const(1.7), x), Exp(Mul(x, y)), Log(x), Sqrt(x),
		Abs(Sub(x, y)), Abs(Sub(y, x)), Sign(x), Sin(x), Cos(x), Tan(x), Asin(Mul(Const(0.4), x)), Acos(Mul(Const(0.4), x)), Atan(x),
		Atan2(y, x), Atan2(x, y), Sinh(x), Cosh(x), Tanh(x), Floor(Mul(Const(3), x)), Ceil(Mul(Const(3), x)), Mod(x, y), Mod(Mul(Const(3), x), y),
		Mod(y, x), Min(x, y), Max(x, y), Where(LT(x, y), Pow(x, Const(2)), Sin(x)), LT(x, y), LE(x, y), besselK(0, x), besselK(1.3, x), besselK(2, Neg(x)),
		Sqrt(Add(Pow(x, Const(2)), Pow(y, Const(2)))), Exp(Neg(Sqrt(Add(Pow(x, Const(2)), Pow(y, Const(2)))))),
	}
	for _, nu := range []float64{0.2, 0.5, 0.8, 1, 1.2, 1.5, 2, 2.5, 3.7, math.Inf(1)} {
		formulas = append(formulas, Matern(nu, Sub(x, y)), Matern(nu, Div(x, y)), Matern(nu, Sqrt(Add(Pow(x, Const(2)), Pow(y, Const(2))))))
	}
	covered := map[Op]bool{OpConst: true}
	for _, n := range formulas {
		for m := range walk(n) {
			covered[m.op] = true
		}
		for slot := range 2 {
			dn := Diff(n, slot)
			for _, at := range [][]float64{{0.7, 1.3}, {1.45, 0.55}, {0.31, 2.2}} {
				want, e := numericDerivative(n, at, slot)
				if got := Eval(dn, at); !(math.Abs(got-want) <= 10*e+1e-8*math.Abs(want)+1e-10) || e > 1e-5 {
					t.Errorf("d/d%d %s = %s: at %v %g, differences give %g ± %g", slot, n, dn, at, got, want, e)
				}
			}
		}
	}
	for op := range opCount {
		if !covered[op] {
			t.Errorf("operation %s is not tested", op)
		}
	}
}

// Random formulas against central differences where these converge.
func FuzzDiff(f *testing.F) {
	addSeeds(f, 30)
	f.Fuzz(func(t *testing.T, seed uint64) {
		const slots = 3
		g := newGenerator(seed, slots)
		checked, immoderate := 0, 0
		for range 100 {
			n := g.node(1 + g.IntN(12))
			slot := g.IntN(slots)
			dn := Diff(n, slot)
			x := []float64{g.Float64() + 0.2, g.Float64() + 0.2, g.Float64() + 0.2}
			want, e := numericDerivative(n, x, slot)
			if !(e < 1e-6*math.Abs(want)) || math.Abs(want) > 1e6 || hasOp(n, OpMod, OpFloor, OpCeil) {
				continue // no derivative, or steps that these differences fall over
			}
			checked++
			if !moderateThroughout(dn, x) {
				immoderate++
				continue
			}
			if got := Eval(dn, x); !(math.Abs(got-want) <= 100*e+1e-7*math.Abs(want)+1e-9) {
				t.Errorf("d/d%d %s\n= %s:\nat %v %g, differences give %g ± %g", slot, n, dn, x, got, want, e)
			}
		}
		if checked == 0 || immoderate > 1+checked/4 {
			t.Errorf("%d formulas had converging differences, and %d of them overflowing parts", checked, immoderate)
		}
	})
}

// Known derivatives in closed form.
func TestDiffForms(t *testing.T) {
	x, y, l := Var(0, "x"), Var(1, "y"), Var(2, "l")
	d := Sub(x, y)
	for _, test := range []struct {
		n    *Node
		slot int
		want string
	}{
		{Pow(x, Const(3)), 0, "3*x^2"},
		{Exp(Neg(Div(Pow(d, Const(2)), Const(2)))), 0, "-(x - y)*exp(-0.5*(x - y)^2)"},
		{Exp(Neg(Div(Abs(d), Const(0.2)))), 1, "5*sign(x - y)*exp(-abs(x - y)/0.2)"},
		{Matern(2.5, Div(d, l)), 0, "-1.6666666666666667*(x - y)*matern(1.5, 1.2909944487358056*(x - y)/l)/l^2"},
		{Div(x, y), 1, "-x/y^2"},
		{Log(Pow(x, Const(2))), 0, "2/x"},
		{Floor(x), 0, "0"},
	} {
		if got := Diff(test.n, test.slot).String(); got != test.want {
			t.Errorf("d %s: got %s, want %s", test.n, got, test.want)
		}
	}
}

// A radial kernel has derivatives at coincident points although its formula
// goes through a root there. Expected numbers: the Taylor series of the kernel
// in r² by hand, -1/2 f”(0) being
//
//	Matérn 3/2 -> 3, 5/2 -> 5/3, SE -> 1;  (1+r)exp(-r) -> 1
//
// for the second derivative along one coordinate, and for Matérn 5/2
// f = 1 - 5/6 r² + 25/24 r⁴ + ... -> fourth derivative 24*25/24 = 25.
func TestDiffAtCoincidentPoints(t *testing.T) {
	x := []*Node{Var(0, "x"), Var(1, "y")}
	u := []*Node{Var(2, "u"), Var(3, "v")}
	square := func(i int) *Node { return Pow(Sub(x[i], u[i]), Const(2)) }
	r2 := Add(square(0), square(1))
	distances := map[string]*Node{"abs": Abs(Sub(x[0], u[0])), "sqrt": Sqrt(r2), "scaled": Div(Sqrt(Add(Div(square(0), Const(4)), Div(square(1), Const(4)))), Const(0.5))}
	kernel := map[string]func(r *Node) *Node{
		"exp":    func(r *Node) *Node { return Exp(Neg(r)) },
		"(1+r)e": func(r *Node) *Node { return Mul(Add(Const(1), r), Exp(Neg(r))) },
		"m3/2":   func(r *Node) *Node { return Matern(1.5, r) },
		"m3/2 by hand": func(r *Node) *Node {
			z := Mul(Const(math.Sqrt(3)), r)
			return Mul(Add(Const(1), z), Exp(Neg(z)))
		},
		"m5/2": func(r *Node) *Node { return Matern(2.5, r) },
		"m5/2 by hand": func(r *Node) *Node {
			z := Mul(Const(math.Sqrt(5)), r)
			return Mul(Add(Add(Const(1), z), Div(Pow(z, Const(2)), Const(3))), Exp(Neg(z)))
		},
		"se":  func(r *Node) *Node { return Exp(Div(Pow(r, Const(2)), Const(-2))) },
		"m.7": func(r *Node) *Node { return Matern(0.7, r) },
		"m1":  func(r *Node) *Node { return Matern(1, r) },
	}
	second := map[string]float64{"(1+r)e": -1, "m3/2": -3, "m3/2 by hand": -3, "m5/2": -5. / 3, "m5/2 by hand": -5. / 3, "se": -1}
	fourth := map[string]float64{"m5/2": 25, "m5/2 by hand": 25, "se": 3}
	at := []float64{0.3, 0.4, 0.3, 0.4}
	near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-12*(1+math.Abs(want)) }
	for dname, r := range distances {
		for kname, k := range kernel {
			n := k(r)
			first := Diff(n, 0)
			if got := Eval(first, at); got != 0 {
				t.Errorf("%s of %s: first derivative %g, want 0", kname, dname, got)
			}
			if want, ok := second[kname]; ok {
				if got := Eval(Diff(first, 0), at); !near(got, want) {
					t.Errorf("%s of %s: second derivative %g, want %g", kname, dname, got, want)
				}
				if got := Eval(Diff(first, 2), at); !near(got, -want) {
					t.Errorf("%s of %s: mixed second derivative %g, want %g", kname, dname, got, -want)
				}
				if got := Eval(Diff(first, 1), at); !near(got, 0) {
					t.Errorf("%s of %s: cross derivative %g, want 0", kname, dname, got)
				}
			}
			if want, ok := fourth[kname]; ok {
				if got := Eval(Diff(Diff(Diff(first, 0), 2), 2), at); !near(got, want) {
					t.Errorf("%s of %s: fourth derivative %g, want %g", kname, dname, got, want)
				}
			}
		}
	}
}

// Roots and magnitudes inside of each other: the right derivative, in a time
// that does not grow with 4^depth.
func TestDiffOfNestedRoots(t *testing.T) {
	x, y := Var(0, "x"), Var(1, "y")
	smooth, kinked := x, x
	for range 9 {
		r := Sqrt(Add(sq(smooth), sq(y)))
		smooth = Mul(Add(Const(1), r), Exp(Neg(r)))
		kinked = Abs(Sub(kinked, Const(0.1)))
	}
	at := []float64{0.43, 0.7}
	for _, n := range []*Node{smooth, kinked} {
		want, e := numericDerivative(n, at, 0)
		if got := Eval(Diff(n, 0), at); math.Abs(got-want) > 10*e+1e-9 {
			t.Errorf("derivative of %s: %g, differences give %g", n, got, want)
		}
	}
}

func hasOp(n *Node, ops ...Op) bool {
	for m := range walk(n) {
		if slices.Contains(ops, m.op) {
			return true
		}
	}
	return false
}
