package expr

import (
	"testing"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// benchKernels are rows k(p, q_j) as kernels evaluate them: one point fixed,
// the other varying.
func benchKernels() []struct {
	name string
	n    *Node
} {
	r := Sqrt(Add(sq(Div(dx, Const(0.2))), sq(Div(dy, Const(0.3)))))
	z := Mul(Const(2.23606797749979), r)
	return []struct {
		name string
		n    *Node
	}{
		{"exponential1d", Exp(Neg(Div(Abs(dx), Const(0.2))))},
		{"se2d", Exp(Div(Pow(r, Const(2)), Const(-2)))},
		{"matern52-2d", Matern(2.5, r)},
		{"matern52-2d-scripted", Mul(Add(Add(Const(1), z), Div(Pow(z, Const(2)), Const(3))), Exp(Neg(z)))},
		{"matern1.2-2d", Matern(1.2, r)},
		{"periodic1d", Exp(Mul(Const(-2), sq(Sin(Mul(Const(3), dx)))))},
		{"quadratic2d", Pow(Add(Const(1), sq(r)), Const(-1.3))},
		{"gibbs1d", Mul(Sqrt(Div(Mul(Exp(px), Exp(qx)), Add(Exp(px), Exp(qx)))), Exp(Neg(Div(sq(dx), Add(Exp(px), Exp(qx))))))},
	}
}

// BenchmarkRow reports the time per entry of a row of 1000 points, and what Time says of it.
func BenchmarkRow(b *testing.B) {
	const n = 1000
	vars := []Operand{{Scalar: 0.3}, {Scalar: 0.4}, {Vector: make([]float64, n)}, {Vector: make([]float64, n)}}
	for i := range n {
		vars[2].Vector[i] = float64(i) / n
		vars[3].Vector[i] = float64(i*7919%n) / n
	}
	dst := make([]float64, n)
	for _, level := range simd.Levels() {
		k, err := simd.New(level)
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range benchKernels() {
			p, err := compileWith(newVectorOps(k), Simplify(c.n), 4)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(c.name+"/"+level.String(), func(b *testing.B) {
				for range b.N {
					p.Block(dst, vars)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/entry")
				b.ReportMetric(p.Time(func(slot int) bool { return slot >= 2 }), "announced-ns")
			})
		}
	}
}

// BenchmarkCall times one entry: a point by Eval, a block of one by Block, and
// the interpreter.
func BenchmarkCall(b *testing.B) {
	for _, c := range benchKernels()[:3] {
		p, err := Compile(Simplify(c.n), 4)
		if err != nil {
			b.Fatal(err)
		}
		x := []float64{0.3, 0.4, 0.5, 0.9}
		b.Run(c.name+"/point", func(b *testing.B) {
			for range b.N {
				p.Eval(x)
			}
		})
		b.Run(c.name+"/block", func(b *testing.B) {
			var dst [1]float64
			vars := []Operand{{Scalar: 0.3}, {Scalar: 0.4}, {Vector: x[2:3]}, {Vector: x[3:]}}
			for range b.N {
				p.Block(dst[:], vars)
			}
		})
		b.Run(c.name+"/interpreter", func(b *testing.B) {
			for range b.N {
				Eval(c.n, x)
			}
		})
	}
}

// BenchmarkOperation reports the time per entry of each function.
func BenchmarkOperation(b *testing.B) {
	const n = 1024
	vars := []Operand{{Vector: make([]float64, n)}, {Vector: make([]float64, n)}}
	for i := range n {
		vars[0].Vector[i] = float64(i*7919%n)/n*2 - 0.5
		vars[1].Vector[i] = float64(i*104729%n) / n
	}
	dst := make([]float64, n)
	for op := OpAdd; op < opCount; op++ {
		p, err := Compile(build(op, 1.2, [3]*Node{px, py, py}), 2)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(op.String(), func(b *testing.B) {
			for range b.N {
				p.Block(dst, vars)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/entry")
		})
	}
}

// BenchmarkBuild times what happens once for a scripted kernel: simplify,
// structure queries, compile.
func BenchmarkBuild(b *testing.B) {
	for _, c := range benchKernels() {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				n := Simplify(c.n)
				Symmetric(n, []int{0, 1}, []int{2, 3})
				Stationary(n, 0, 2)
				FindRadial(n, [][2]int{{0, 2}, {1, 3}})
				Diff(n, 0)
				if _, err := Compile(n, 4); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
