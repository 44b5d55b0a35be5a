package expr

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/simd"
	"github.com/greenbench/workbench/internal/testmain"
)

// Every number that a random formula gives is in the interval that is known of it.
func TestIntervalsHoldValues(t *testing.T) {
	narrow := 0
	for seed := range uint64(4000 / testmain.Stride(4)) {
		g := newGenerator(seed, 3)
		n := g.node(1 + g.IntN(12))
		slots, point := g.intervals()
		b := bounds{slots, map[*Node]Interval{}}
		for range 20 {
			x := point()
			for m := range walk(n) {
				i, v := b.of(m), Eval(m, x)
				if !(i.Lo <= v && v <= i.Hi) && !math.IsNaN(v) {
					t.Fatalf("seed %d: %v is %v at %v, not in %v", seed, m, v, x, i)
				}
			}
		}
		if i := b.of(n); isFinite(i.Lo) && isFinite(i.Hi) {
			narrow++
		}
	}
	if narrow < 200 {
		t.Errorf("only of %d formulas anything is known", narrow)
	}
}

// intervals returns intervals for the slots, of all sizes, and points in them.
func (g *generator) intervals() (slots []Interval, point func() []float64) {
	for range g.slots {
		scale := math.Pow(10, []float64{0, 0, 0, -3, 3, -20, 60, 150}[g.IntN(8)])
		lo := g.NormFloat64() * scale
		slots = append(slots, Interval{lo, lo + g.ExpFloat64()*scale})
	}
	return slots, func() (x []float64) {
		for _, i := range slots {
			v := i.Lo + g.Float64()*(i.Hi-i.Lo)
			switch g.IntN(6) {
			case 0:
				v = i.Lo
			case 1:
				v = i.Hi
			}
			x = append(x, min(max(v, i.Lo), i.Hi))
		}
		return x
	}
}

// nonstationary makes kernels of two points, of p, q and their lengthscales, variances and distances.
func (g *generator) nonstationary(size int, scale float64) *Node {
	if len(g.made) > 0 && g.IntN(8) == 0 {
		return g.made[g.IntN(len(g.made))]
	}
	half := g.slots / 2
	of := func() *Node { // of one point
		x := Var(g.IntN(g.slots), "")
		c := Const(math.Exp(g.NormFloat64()) * scale)
		return []*Node{Add(c, Mul(c, sq(x))), Exp(Sub(x, Const(1))), Add(Const(1.5), Sin(x)), Mul(c, Abs(x)), c, x}[g.IntN(6)]
	}
	again := func() *Node { return g.nonstationary((size-1)/2, scale) }
	p := g.IntN(half)
	d := Sub(Var(p, ""), Var(half+p, ""))
	var n *Node
	switch k := g.IntN(12); {
	case size <= 0 && k < 3:
		return of()
	case size <= 0 && k < 7:
		n = sq(d)
	case size <= 0:
		n = Add(sq(of()), sq(of()))
	case k < 3:
		n = Mul(again(), again())
	case k < 5:
		n = Div(again(), again())
	case k < 7:
		n = Sqrt(again())
	case k < 8:
		n = Exp(Neg(again()))
	case k < 9:
		n = Exp(Mul(Const(-0.5), Add(Div(again(), again()), Div(again(), again()))))
	case k < 10:
		n = Exp(Sub(Div(sq(d), again()), Sub(Div(again(), again()), d)))
	case k < 11:
		n = Pow(again(), Const(float64(g.IntN(9)-4)/2))
	default:
		n = Sub(again(), again())
	}
	g.made = append(g.made, n)
	return n
}

// slow counts the quotients, roots and exponentials of what depends on both points.
func slow(p *Program, second int) (count int) {
	sides := p.sides(second)
	for i, v := range p.values {
		if sides[i] == bothSides && (v.op == OpDiv || v.op == OpSqrt || v.op == OpExp) {
			count++
		}
	}
	return count
}

// Formulas for pairs agree with the interpreter as far as rounding of their steps lets them, wherever the variables are in
// their intervals, of any size; most of them have less to do.
func TestPairsAgree(t *testing.T) {
	const half, length = 2, 12
	noise := rand.New(rand.NewPCG(8, 8))
	shorter, total := 0, 0
	for seed := range uint64(3000 / testmain.Stride(25)) {
		g := newGenerator(seed, 2*half)
		n := g.nonstationary(2+g.IntN(14), math.Pow(10, []float64{0, 0, 0, 4, -4, 30, -30, 100, -100, 140, -140}[g.IntN(11)]))
		if g.IntN(4) == 0 {
			n = g.node(1 + g.IntN(25))
		}
		slots, point := g.intervals()
		vars := make([]Operand, 2*half)
		points, want := make([][]float64, length), make([]float64, length)
		for i := range points {
			points[i] = point()
			if g.IntN(8) == 0 { // the same point, where it may be
				for s := range half {
					if x := points[i][s]; slots[half+s].Lo <= x && x <= slots[half+s].Hi {
						points[i][half+s] = x
					}
				}
			}
			for s, x := range points[i] {
				vars[s].Vector = append(vars[s].Vector, x)
			}
			want[i] = Eval(n, points[i])
		}
		exact, err := Compile(n, 2*half)
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range simd.Levels() {
			k, err := simd.New(level)
			if err != nil {
				t.Fatal(err)
			}
			p, err := compilePairs(newVectorOps(k), level != simd.Plain, n, half, slots)
			if err != nil {
				t.Fatal(err)
			}
			if level == simd.Plain && slow(exact, half) > 1 {
				total++
				if slow(p, half) < slow(exact, half) {
					shorter++
				}
			}
			for i, got := range separated(p, vars, length) {
				if sameNumber(got, want[i]) {
					continue
				}
				ok := false
				for range 10 {
					allowed := 20*spread(n, points[i], 5e-16, noise) + 4*math.SmallestNonzeroFloat64
					ok = ok || math.Abs(got-want[i]) <= allowed || math.IsInf(allowed, 1)
				}
				if !ok && !underflows(n, points[i]) {
					t.Fatalf("seed %d, %v: %v at %v is %v, want %v\nwritten %v", seed, level, n, points[i], got, want[i], shorten(n, half, slots))
				}
			}
		}
	}
	t.Logf("%d of %d formulas are shorter", shorter, total)
	if shorter < total/4 || total < 30 {
		t.Errorf("%d of %d formulas are shorter: too few to tell anything", shorter, total)
	}
}

// What would overflow, vanish or lose its sign if it were put together keeps its value.
func TestPairsOfExtremeNumbers(t *testing.T) {
	p, q, u, v := Var(0, "p"), Var(1, "q"), Var(2, "u"), Var(3, "v")
	far, quotients, ratios := Const(0x1p99), Const(1), Const(1e-14)
	for i := range 12 {
		ratios = Mul(ratios, Div(Add(p, Mul(Const(float64(i+2)), u)), q))
		quotients = Mul(quotients, Div(Add(p, Mul(Const(float64(i+2)), u)), Add(q, Mul(Const(float64(i+2)), v))))
	}
	for _, c := range []struct {
		n  *Node
		at float64 // about what the variables are
	}{
		{Mul(Sqrt(Add(p, u)), Sqrt(Add(q, v))), 1e200},
		{Mul(Sqrt(Add(p, u)), Sqrt(Add(q, v))), 1e-200},
		{Mul(Div(p, Add(q, v)), Div(u, Add(p, v))), 1e-200},
		{Mul(Div(p, Add(q, v)), Div(u, Add(p, v))), 1e200},
		{Exp(Neg(Add(Div(p, Add(q, v)), Div(u, Add(p, v))))), 1e200},
		{Exp(Neg(Add(Div(p, Add(q, v)), Div(u, Add(p, v))))), 1e-170},
		{Mul(Mul(far, sq(Sub(p, u))), Mul(far, sq(Sub(q, v)))), 1e-82},
		{Mul(Mul(far, Mul(p, u)), Mul(far, sq(Sub(q, v)))), 1e-82},
		{Add(Div(p, Add(q, v)), Div(u, Add(q, v))), 1e-310},
		{Add(Div(p, Add(q, v)), Div(u, Add(q, v))), 1e305},
		{quotients, 1e28},
		{Exp(Neg(Add(Add(Div(p, Add(q, v)), Div(u, Add(p, v))), ratios))), 1e28},
		{Exp(Sub(Div(Pow(p, Const(10)), Add(q, v)), Div(Pow(u, Const(10)), Add(p, v)))), 1e28},
		{Log(Mul(Mul(Exp(Sub(p, u)), sq(Sub(q, v))), Add(p, v))), 1e-20},
		{Mul(Exp(Mul(p, u)), Exp(Neg(Mul(q, v)))), 26},
	} {
		slots, x := make([]Interval, 4), make([]float64, 4)
		vars := make([]Operand, 4)
		for s := range slots {
			x[s] = c.at * []float64{1, 1.2, 1.5, 1.7}[s]
			slots[s], vars[s] = Interval{c.at, 2 * c.at}, Operand{Vector: x[s : s+1]}
		}
		program, err := CompilePairs(c.n, 2, slots)
		if err != nil {
			t.Fatal(err)
		}
		got, want := separated(program, vars, 1)[0], Eval(c.n, x)
		if !(math.Abs(got-want) <= 1e-14*math.Abs(want)+math.SmallestNonzeroFloat64) && !sameNumber(got, want) {
			t.Errorf("%v at %g: %v, want %v", c.n, x, got, want)
		}
	}
}

// What is put together: of a kernel with lengthscales of two coordinates there is one quotient, one root, one exponential.
// Numbers that would overflow, or change sign, are left as they are.
func TestShorten(t *testing.T) {
	p, q, u, v := Var(0, "p"), Var(1, "q"), Var(2, "u"), Var(3, "v")
	gibbs := func(scale float64) *Node {
		n := Const(1)
		for _, pair := range [][2]*Node{{p, u}, {q, v}} {
			a, b := Mul(Const(scale), Add(Const(1), sq(pair[0]))), Mul(Const(scale), Add(Const(1), sq(pair[1])))
			s := Add(sq(a), sq(b))
			n = Mul(n, Mul(Sqrt(Div(Mul(Const(2), Mul(a, b)), s)), Exp(Neg(Div(sq(Sub(pair[0], pair[1])), s)))))
		}
		return n
	}
	squares := Add(sq(Sub(p, u)), sq(Sub(q, v)))
	unit, wide := Interval{0.1, 1}, Interval{-1, 1}
	for _, c := range []struct {
		n    *Node
		in   Interval
		want int
	}{
		{gibbs(1), unit, 3},
		{gibbs(1), wide, 3},
		{gibbs(1e60), unit, 8},
		{gibbs(1), Interval{0.1, 1e80}, 8},
		{Mul(Sqrt(Add(p, u)), Sqrt(Add(q, v))), unit, 1},
		{Mul(Sqrt(Add(p, u)), Sqrt(Add(q, v))), wide, 2},
		{Add(Div(p, Add(q, v)), Div(u, Add(q, v))), unit, 1},
		{Add(Div(p, Add(q, v)), Div(u, Add(q, v))), wide, 2},
		{Div(sq(Sub(p, u)), Const(3)), wide, 0},
		{Div(Sub(p, u), Sqrt(Add(q, v))), unit, 2},
		{Mul(Mul(Exp(Sub(p, u)), Sub(q, v)), Exp(Sub(q, v))), wide, 1},
		{Mul(Mul(Exp(Sub(p, u)), Sub(q, v)), Exp(Sub(q, v))), Interval{-1000, 1000}, 2},
		{Add(Add(Exp(Sub(p, u)), Exp(Sub(q, v))), Mul(Exp(Sub(p, u)), Exp(Sub(q, v)))), wide, 2}, // both are used twice
		{sq(Sqrt(squares)), wide, 0},
		{Exp(Neg(Div(Pow(Sqrt(squares), Const(4)), Add(sq(p), sq(u))))), unit, 2},
		{Mul(Pow(Sqrt(squares), Const(3)), Add(p, u)), wide, 1},
		{sq(Sqrt(Sub(squares, p))), unit, 1}, // no number where it is negative
	} {
		program, err := compilePairs(noOps{}, false, c.n, 2, []Interval{c.in, c.in, c.in, c.in})
		if err != nil {
			t.Fatal(err)
		}
		if got := slow(program, 2); got != c.want {
			t.Errorf("%v for %v: %d quotients, roots and exponentials, want %d", c.n, c.in, got, c.want)
		}
	}
	// The exponential comes last, with what it is multiplied by, whatever stands where in the formula.
	length := Add(sq(Add(p, v)), Const(1))
	bump := Exp(Neg(Div(squares, length)))
	for _, n := range []*Node{Mul(bump, Div(Mul(p, u), length)), Div(Mul(Mul(p, bump), u), length), Mul(Mul(p, u), Div(bump, length))} {
		program, err := compilePairs(noOps{}, true, n, 2, []Interval{unit, unit, unit, unit})
		if err != nil {
			t.Fatal(err)
		}
		if last := program.values[len(program.values)-1].op; last != opDecay {
			t.Errorf("%v ends with operation %d, want a product with an exponential", n, last)
		}
	}
	// Where numbers are missing, nothing is known.
	if exact, err := compilePairs(noOps{}, false, gibbs(1), 2, []Interval{unit, Values([]float64{1, math.NaN()}), unit, unit}); err != nil || slow(exact, 2) != 8 {
		t.Errorf("with a coordinate that is no number: %d, error %v", slow(exact, 2), err)
	}
}
