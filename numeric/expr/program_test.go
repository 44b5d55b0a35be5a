package expr

import (
	"sync"
	"testing"
)

// The tape computes the same numbers as the interpreter, at a point and in
// blocks of every length around the block size, whatever slots vary.
func FuzzProgram(f *testing.F) {
	addSeeds(f, 40)
	f.Fuzz(func(t *testing.T, seed uint64) {
		const slots = 4
		g := newGenerator(seed, slots)
		for range 60 {
			n := g.node(1 + g.IntN(25))
			p, err := Compile(n, slots)
			if err != nil {
				t.Fatal(err)
			}
			x := g.point()
			if got, want := p.Eval(x), Eval(n, x); !sameNumber(got, want) {
				t.Fatalf("%v at %v: program %v, interpreter %v", n, x, got, want)
			}
			length := []int{1, 2, 7, 255, 256, 257, 513}[g.IntN(7)]
			vars := make([]Operand, slots)
			for s := range vars {
				vars[s].Scalar = x[s]
				if g.IntN(2) == 0 {
					vars[s].Vector = make([]float64, length)
					for i := range vars[s].Vector {
						vars[s].Vector[i] = g.point()[s]
					}
				}
			}
			dst := make([]float64, length)
			p.Block(dst, vars)
			for i := range dst {
				for s := range x {
					if vars[s].Vector != nil {
						x[s] = vars[s].Vector[i]
					}
				}
				if want := Eval(n, x); !sameNumber(dst[i], want) {
					t.Fatalf("%v at %v: block %v, interpreter %v", n, x, dst[i], want)
				}
			}
		}
	})
}

// One program serves many goroutines with different sets of varying slots.
func TestProgramConcurrent(t *testing.T) {
	x, y := Var(0, "x"), Var(1, "y")
	p, err := Compile(Exp(Neg(Div(Abs(Sub(x, y)), Const(0.2)))), 2)
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float64, 1000)
	for i := range v {
		v[i] = float64(i) / 1000
	}
	cases := [][]Operand{
		{{Vector: v}, {Scalar: 0.3}}, {{Scalar: 0.3}, {Vector: v}}, {{Scalar: 1}, {Scalar: 2}}, {{Vector: v}, {Vector: v}},
	}
	var wait sync.WaitGroup
	for _, vars := range cases {
		for range 4 {
			wait.Go(func() {
				dst := make([]float64, len(v))
				for range 20 {
					p.Block(dst, vars)
				}
				at := []float64{vars[0].Scalar, vars[1].Scalar}
				for s := range at {
					if vars[s].Vector != nil {
						at[s] = v[777]
					}
				}
				if want := p.Eval(at); dst[777] != want {
					t.Errorf("at %v: %v, want %v", at, dst[777], want)
				}
			})
		}
	}
	wait.Wait()
}

func TestCompileRefusesSlots(t *testing.T) {
	_, err := Compile(Add(Var(0, "x"), Var(5, "y")), 2)
	if err == nil || err.Error() != "slots 2: the formula uses slot 5" {
		t.Errorf("got error %v", err)
	}
}

func TestCommonSubexpressions(t *testing.T) {
	x, y := Var(0, "x"), Var(1, "y")
	// Built twice, so that nothing is shared before compilation.
	d := func() *Node { return Sqrt(Add(Pow(x, Const(2)), Pow(y, Const(2)))) }
	p, err := Compile(Mul(Exp(Neg(d())), Add(Const(1), d())), 2)
	if err != nil {
		t.Fatal(err)
	}
	// x y 2 x² y² + sqrt 1 1+d neg exp product
	if p.Len() != 12 {
		t.Errorf("%d steps, want 12", p.Len())
	}
}
