package expr

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// Steps made of several give what these gave, at a point and in blocks, whichever variables vary; and there are few of
// them where a kernel of two points has a lengthscale at each.
func TestFusedSteps(t *testing.T) {
	const half, length = 3, 11
	var at, other [half]*Node
	for i := range half {
		at[i], other[i] = Var(i, "p"), Var(half+i, "q")
	}
	squares := Const(0)
	for i := range half {
		squares = Add(squares, sq(Sub(at[i], other[i])))
	}
	s := Add(sq(Add(at[0], Const(0.5))), sq(Add(other[0], Const(0.5))))
	differently := Sub(sq(Sub(at[2], other[2])), Sub(at[1], other[1])) // the first alone, the second no square
	for _, c := range []struct {
		n     *Node
		steps map[Op]int
	}{
		{Mul(s, Exp(Neg(Mul(squares, s)))), map[Op]int{opSquared: 1, opAddSquared: 2, opDecay: 1, OpExp: 0, OpSub: 0, OpNeg: 0}},
		{Mul(s, Exp(Mul(squares, s))), map[Op]int{opDecay: 0, OpExp: 1}},
		{Add(Exp(Neg(Mul(squares, s))), s), map[Op]int{opDecay: 0, OpExp: 1}},
		{Mul(Exp(Neg(Mul(squares, s))), Exp(Neg(Mul(squares, s)))), map[Op]int{opDecay: 0, OpExp: 1}}, // used twice
		{differently, map[Op]int{opSquared: 1, OpSub: 2}},
	} {
		exact, err := Compile(c.n, 2*half)
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range simd.Levels() {
			k, err := simd.New(level)
			if err != nil {
				t.Fatal(err)
			}
			plain, err := compileWith(newVectorOps(k), c.n, 2*half)
			if err != nil {
				t.Fatal(err)
			}
			fused := plain.fuse(half)
			for op, want := range c.steps {
				if got := stepsOf(fused, op); got != want {
					t.Errorf("%v: %d steps of operation %d, want %d", c.n, got, op, want)
				}
			}
			for varying := range 1 << (2 * half) {
				vars, points := varied(2*half, length, varying)
				dst := make([]float64, length)
				fused.Block(dst, vars)
				for i, x := range points {
					want := exact.Eval(x)
					for _, got := range []float64{dst[i], fused.Eval(x)} {
						if !(math.Abs(got-want) <= 1e-14*max(1, math.Abs(want))) {
							t.Fatalf("%v, %v, slots %b vary, at %g: %g, want %g", level, c.n, varying, x, got, want)
						}
					}
				}
			}
		}
	}
	// One form without operations in blocks.
	p, err := compilePairs(noOps{}, true, Mul(s, Exp(Neg(Mul(squares, s)))), half, []Interval{{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{.1, .2, .3, .4, .5, .6}
	vars := make([]Operand, len(x))
	for s := range vars {
		vars[s].Vector = x[s : s+1]
	}
	dst := make([]float64, 1)
	if p.Block(dst, vars); dst[0] != p.Eval(x) {
		t.Errorf("plain loops give %g, want %g", dst[0], p.Eval(x))
	}
}

func stepsOf(p *Program, op Op) (count int) {
	for _, v := range p.values {
		if v.op == op {
			count++
		}
	}
	return count
}

// varied are points of which the coordinates whose bits are set vary.
func varied(slots, length, varying int) (vars []Operand, points [][]float64) {
	vars, points = make([]Operand, slots), make([][]float64, length)
	for i := range points {
		for s := range vars {
			x := 0.1 * float64(s+1)
			if varying>>s&1 == 1 {
				x = 0.1 + 0.07*float64((3*i+5*s)%length)
				vars[s].Vector = append(vars[s].Vector, x)
			}
			points[i], vars[s].Scalar = append(points[i], x), x
		}
	}
	return vars, points
}
