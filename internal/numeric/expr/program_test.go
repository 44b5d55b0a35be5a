package expr

import (
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/simd"
	"github.com/greenbench/workbench/internal/testmain"
)

// noOps has no block operations, so that every step is a plain loop.
type noOps struct{}

func (noOps) Loop(Op, simd.Shape) loop { return loop{} }

// allOps are the block operations that a tape may run on here.
func allOps(t testing.TB) map[string]Ops {
	all := map[string]Ops{"none": noOps{}}
	for _, level := range simd.Levels() {
		k, err := simd.New(level)
		if err != nil {
			t.Fatal(err)
		}
		all[level.String()] = newVectorOps(k)
	}
	return all
}

// The tape computes the same numbers as the interpreter, at a point and in
// blocks of every length around the block size, whatever slots vary and
// whatever operations it runs on: to the bit, but for the functions that have
// block forms of their own, where what a few roundings may do is allowed.
func FuzzProgram(f *testing.F) {
	addSeeds(f, uint64(24/testmain.Stride(3)))
	all := allOps(f)
	f.Fuzz(func(t *testing.T, seed uint64) {
		const slots = 4
		g := newGenerator(seed, slots)
		noise := rand.New(rand.NewPCG(seed, 1)) // apart, so that the programs depend on the seed only
		for range 40 {
			n := g.node(1 + g.IntN(25))
			length := []int{1, 2, 7, 255, blockSize - 1, blockSize, blockSize + 1}[g.IntN(7)]
			points := make([][]float64, length)
			points[0] = g.point()
			vars := make([]Operand, slots)
			for s := range vars {
				vars[s].Scalar = points[0][s]
				if g.IntN(2) == 0 {
					vars[s].Vector = make([]float64, length)
				}
			}
			for i := range points {
				points[i] = g.point()
				for s := range vars {
					if vars[s].Vector == nil {
						points[i][s] = vars[s].Scalar
					} else {
						vars[s].Vector[i] = points[i][s]
					}
				}
			}
			want := make([]float64, length)
			for i, x := range points {
				want[i] = Eval(n, x)
			}
			for name, ops := range all {
				p, err := compileWith(ops, n, slots)
				if err != nil {
					t.Fatal(err)
				}
				dst := make([]float64, length)
				p.Block(dst, vars)
				for i, x := range points {
					sameProgram(t, name+" block", n, x, dst[i], want[i], noise)
				}
				sameProgram(t, name+" point", n, points[0], p.Eval(points[0]), want[0], noise)
			}
		}
	})
}

func sameProgram(t *testing.T, what string, n *Node, x []float64, got, want float64, noise *rand.Rand) {
	t.Helper()
	if sameNumber(got, want) {
		return
	}
	if hasOp(n, OpExp, OpLog, OpPow, OpSin, OpCos, OpTan, OpAsin, OpAcos, OpAtan, OpSinh, OpCosh, OpTanh, OpMatern, OpBesselK) {
		for range 10 { // a decision between branches may hang on the last digit
			allowed := 20 * spread(n, x, 1e-15, noise)
			if math.Abs(got-want) <= allowed || math.IsInf(allowed, 1) {
				return
			}
		}
		if underflows(n, x) {
			return
		}
	}
	t.Errorf("%v at %v: %s %v, interpreter %v", n, x, what, got, want)
}

// underflows reports whether a Bessel function in n is so small at x that its
// product form on a tape is 0 a little early.
func underflows(n *Node, x []float64) bool {
	for m := range walk(n) {
		if v := Eval(m, x); (m.op == OpMatern || m.op == OpBesselK) && v > 0 && v < 1e-280 {
			return true
		}
	}
	return false
}

// One program serves many goroutines with different sets of varying slots.
func TestProgramConcurrent(t *testing.T) {
	x, y := Var(0, "x"), Var(1, "y")
	d := Sub(x, y)
	// The second factor makes a table on first use.
	p, err := Compile(Mul(Exp(Neg(Div(Abs(d), Const(0.2)))), Matern(1.2, d)), 2)
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
				if want := p.Eval(at); math.Abs(dst[777]-want) > 1e-14 {
					t.Errorf("at %v: %v, want %v", at, dst[777], want)
				}
			})
		}
	}
	wait.Wait()
}

// The result may overwrite an argument, and vectors may be longer than it.
func TestBlockInPlace(t *testing.T) {
	x, y := Var(0, "x"), Var(1, "y")
	for _, n := range []*Node{x, Add(x, Mul(x, y)), Exp(Sub(y, x)), Where(LT(x, y), x, Sqrt(y))} {
		p, err := Compile(n, 2)
		if err != nil {
			t.Fatal(err)
		}
		const size = 700
		a, b, want := make([]float64, size), make([]float64, size+5), make([]float64, size)
		for i := range want {
			a[i], b[i] = float64(i)/size, float64(i*i%size)/size
		}
		p.Block(want, []Operand{{Vector: a}, {Vector: b}})
		p.Block(a, []Operand{{Vector: a}, {Vector: b}})
		for i := range want {
			if a[i] != want[i] {
				t.Fatalf("%s in place: [%d] %g, want %g", n, i, a[i], want[i])
			}
		}
	}
}

// Programs without steps: numbers and bare variables.
func TestTrivialPrograms(t *testing.T) {
	p, err := Compile(Const(3), 0)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, 300)
	p.Block(dst, nil)
	if dst[0] != 3 || dst[299] != 3 || p.Eval(nil) != 3 {
		t.Errorf("constant gives %v, %v", dst[0], p.Eval(nil))
	}
	p, _ = Compile(Var(1, "y"), 2)
	p.Block(dst, []Operand{{}, {Scalar: 7}})
	if dst[0] != 7 || dst[299] != 7 {
		t.Errorf("uniform variable gives %v", dst[0])
	}
	p.Block(nil, make([]Operand, 2))
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
	// x y x² y² + sqrt 1 1+d neg exp product
	if p.Len() != 11 {
		t.Errorf("%d steps, want 11", p.Len())
	}
}

// Programs that run once leave next to no memory: they take the registers of those before.
func TestProgramsShareRegisters(t *testing.T) {
	var before, after runtime.MemStats
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	x, dst := Operand{Vector: make([]float64, blockSize)}, make([]float64, blockSize)
	const count = 200
	for i := range count + 1 {
		if i == 1 { // the first one makes them
			runtime.ReadMemStats(&before)
		}
		v := Var(0, "x")
		p, err := Compile(Div(Exp(Mul(Const(float64(i)), v)), Add(Sqrt(Abs(v)), Max(v, Const(1)))), 1)
		if err != nil {
			t.Fatal(err)
		}
		p.Block(dst, []Operand{x})
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / count; each > 16*blockSize {
		t.Errorf("a program that runs once takes %d bytes, want at most those of two registers", each)
	}
}
