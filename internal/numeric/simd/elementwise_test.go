package simd

import (
	"fmt"
	"math"
	"testing"
)

// operations lists every elementwise method with its definition on one element.
var operations = []struct {
	name     string
	operands int
	run      func(k Kernels, dst []float64, x [3][]float64)
	define   func(a, b, c float64) float64
}{
	{"Add", 2, func(k Kernels, d []float64, x [3][]float64) { k.Add(d, x[0], x[1]) }, func(a, b, _ float64) float64 { return a + b }},
	{"Sub", 2, func(k Kernels, d []float64, x [3][]float64) { k.Sub(d, x[0], x[1]) }, func(a, b, _ float64) float64 { return a - b }},
	{"Mul", 2, func(k Kernels, d []float64, x [3][]float64) { k.Mul(d, x[0], x[1]) }, func(a, b, _ float64) float64 { return a * b }},
	{"Div", 2, func(k Kernels, d []float64, x [3][]float64) { k.Div(d, x[0], x[1]) }, func(a, b, _ float64) float64 { return a / b }},
	{"Max", 2, func(k Kernels, d []float64, x [3][]float64) { k.Max(d, x[0], x[1]) }, func(a, b, _ float64) float64 { return max(a, b) }},
	{"Min", 2, func(k Kernels, d []float64, x [3][]float64) { k.Min(d, x[0], x[1]) }, func(a, b, _ float64) float64 { return min(a, b) }},
	{"Greater", 2, func(k Kernels, d []float64, x [3][]float64) { k.Greater(d, x[0], x[1]) }, func(a, b, _ float64) float64 { return one(a > b) }},
	{"GreaterOrEqual", 2, func(k Kernels, d []float64, x [3][]float64) { k.GreaterOrEqual(d, x[0], x[1]) }, func(a, b, _ float64) float64 { return one(a >= b) }},
	{"FMA", 3, func(k Kernels, d []float64, x [3][]float64) { k.FMA(d, x[0], x[1], x[2]) }, math.FMA},
	{"Where", 3, func(k Kernels, d []float64, x [3][]float64) { k.Where(d, x[0], x[1], x[2]) }, func(c, a, b float64) float64 {
		if c != 0 {
			return a
		}
		return b
	}},
	{"Neg", 1, func(k Kernels, d []float64, x [3][]float64) { k.Neg(d, x[0]) }, func(a, _, _ float64) float64 { return -a }},
	{"Abs", 1, func(k Kernels, d []float64, x [3][]float64) { k.Abs(d, x[0]) }, func(a, _, _ float64) float64 { return math.Abs(a) }},
	{"Sqrt", 1, func(k Kernels, d []float64, x [3][]float64) { k.Sqrt(d, x[0]) }, func(a, _, _ float64) float64 { return math.Sqrt(a) }},
	{"Floor", 1, func(k Kernels, d []float64, x [3][]float64) { k.Floor(d, x[0]) }, func(a, _, _ float64) float64 { return math.Floor(a) }},
	{"RoundEven", 1, func(k Kernels, d []float64, x [3][]float64) { k.RoundEven(d, x[0]) }, func(a, _, _ float64) float64 { return math.RoundToEven(a) }},
	{"Ceil", 1, func(k Kernels, d []float64, x [3][]float64) { k.Ceil(d, x[0]) }, func(a, _, _ float64) float64 { return math.Ceil(a) }},
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// awkward are values whose combinations are where vector instructions and Go differ.
var awkward = []float64{
	0, math.Copysign(0, -1), 1, -1, 2.5, -2.5, 0.49999999999999994, 1 << 53, -(1 << 52), 4503599627370495.5,
	math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64,
	math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 1e-310,
}

// TestElementwise compares every level with the definition bit by bit, at every length from 0 to 1000, and looks for
// writes beyond the end.
func TestElementwise(t *testing.T) {
	const longest, guard = 1000, 9
	var x [3][]float64
	for i := range x {
		x[i] = random(uint64(i), longest+1)
	}
	for j := range longest {
		if j%7 == 0 { // equal, and zeros for Where
			x[1][j], x[0][(j+1)%longest] = x[0][j], 0
		}
	}
	for _, op := range operations {
		want := make([]float64, longest+1)
		for j := range want {
			want[j] = op.define(x[0][j], x[1][j], x[2][j])
		}
		for _, k := range everyLevel(t) {
			buf := make([]float64, longest+guard+1)
			for n := range longest + 1 {
				start := n % 2 // also where vectors are not aligned
				dst := buf[start : start+min(n, longest)]
				for j := range buf {
					buf[j] = 77
				}
				op.run(k, dst, [3][]float64{x[0][start:], x[1][start:], x[2][start:]})
				for j, v := range dst {
					if !sameBits(v, want[start+j]) {
						t.Fatalf("%s, %v, length %d: element %d is %g: want %g", op.name, k.Level(), n, j, v, want[start+j])
					}
				}
				for j, v := range buf[start+len(dst):] {
					if v != 77 {
						t.Fatalf("%s, %v, length %d wrote %d beyond the end", op.name, k.Level(), n, j)
					}
				}
			}
		}
	}
}

func TestElementwiseSpecialValues(t *testing.T) {
	var x [3][]float64
	for _, a := range awkward {
		for _, b := range awkward {
			for _, c := range awkward {
				x[0], x[1], x[2] = append(x[0], a), append(x[1], b), append(x[2], c)
			}
		}
	}
	dst := make([]float64, len(x[0]))
	for _, op := range operations {
		for _, k := range everyLevel(t) {
			op.run(k, dst, x)
			for j, v := range dst {
				if want := op.define(x[0][j], x[1][j], x[2][j]); !sameBits(v, want) {
					t.Fatalf("%s, %v, of %g, %g, %g: %g, want %g", op.name, k.Level(), x[0][j], x[1][j], x[2][j], v, want)
				}
			}
		}
	}
}

// TestElementwiseLong crosses the limit at which long arrays are split, with dst an operand too.
func TestElementwiseLong(t *testing.T) {
	const n = 2*part + 5
	for _, op := range operations {
		for _, k := range everyLevel(t) {
			x := [3][]float64{random(1, n), random(2, n), random(3, n)}
			a := append([]float64(nil), x[0]...)
			op.run(k, x[0], x)
			for j, v := range x[0] {
				if want := op.define(a[j], x[1][j], x[2][j]); !sameBits(v, want) {
					t.Fatalf("%s, %v: element %d is %g: want %g", op.name, k.Level(), j, v, want)
				}
			}
		}
	}
}

// TestArithmeticWithNumbers holds every operator with one number on either side, or none, against its definition, bit
// by bit, at every length, in place, and looks for writes beyond the end.
func TestArithmeticWithNumbers(t *testing.T) {
	define := [operators]func(a, b float64) float64{
		Plus:  func(a, b float64) float64 { return a + b },
		Minus: func(a, b float64) float64 { return a - b },
		Times: func(a, b float64) float64 { return a * b },
		Over:  func(a, b float64) float64 { return a / b },
	}
	x, y := random(1, 300), random(2, 300)
	copy(x[40:], awkward)
	for i := range awkward {
		y[40+i] = awkward[len(awkward)-1-i]
	}
	for _, k := range everyLevel(t) {
		for o, f := range define {
			for s := range shapes {
				for n := 1; n < len(x); n++ {
					a, b, same := append([]float64(nil), x...), append([]float64(nil), y...), awkward[n%len(awkward)]
					dst := a
					switch s {
					case NumberFirst:
						a, dst = []float64{same}, b
					case NumberSecond:
						b = []float64{same}
					}
					k.Arithmetic(Operator(o), s)(dst[:n], a, b)
					for i, v := range dst {
						want := f(x[i], y[i])
						switch {
						case i >= n && s == NumberFirst:
							want = y[i]
						case i >= n:
							want = x[i]
						case s == NumberFirst:
							want = f(same, y[i])
						case s == NumberSecond:
							want = f(x[i], same)
						}
						if !sameBits(v, want) {
							t.Fatalf("%v, operator %d, shape %d, length %d: element %d is %g: want %g", k.Level(), o, s, n, i, v, want)
						}
					}
				}
			}
		}
	}
}

func TestShortOperandPanics(t *testing.T) {
	for _, k := range everyLevel(t) {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v: an operand shorter than the result was accepted", k.Level())
				}
			}()
			k.Add(make([]float64, 8), make([]float64, 7), make([]float64, 8))
		}()
	}
}

// TestDot allows the rounding of sums in any order: n·2⁻⁵³ of the sum of absolute values, generously.
func TestDot(t *testing.T) {
	a, b := random(1, 1000), random(2, 1000)
	for _, k := range everyLevel(t) {
		for n := range 1001 {
			want, size := 0.0, 0.0
			for i := range n {
				want += a[i] * b[i]
				size += math.Abs(a[i] * b[i])
			}
			if got := k.Dot(a[:n], b); math.Abs(got-want) > 1e-14*size {
				t.Fatalf("%v, length %d: %g, want %g", k.Level(), n, got, want)
			}
		}
	}
}

// TestDotRows: rows of a matrix times a vector are products of vectors to the bit, wherever in the matrix they are, and
// nothing is written beyond them.
func TestDotRows(t *testing.T) {
	const rows = 9
	for _, k := range everyLevel(t) {
		for _, n := range []int{0, 1, 3, 4, 7, 8, 31, 32, 33, 100, part/8 + 1} {
			a, b, got := random(1, rows*n), random(2, n), random(3, rows+1)
			last := got[rows]
			k.DotRows(got[:rows], a, b)
			for i, x := range got[:rows] {
				if want := k.Dot(a[i*n:(i+1)*n], b); !sameBits(x, want) {
					t.Fatalf("%v, length %d: row %d is %g: want %g", k.Level(), n, i, x, want)
				}
			}
			if got[rows] != last {
				t.Fatalf("%v, length %d: wrote beyond the end", k.Level(), n)
			}
		}
	}
}

// TestAddRows: four rows times numbers are added as by the plain loop, to the bit, NaN and Inf among them, and nothing
// is written beyond the end.
func TestAddRows(t *testing.T) {
	a := []float64{1.5, -2, math.Pi, 1e-9}
	for _, n := range []int{0, 1, 5, 8, 16, 17, 100, part + 3} {
		stride := n + 2
		x := random(1, 4*stride)
		for i := range min(n, len(awkward)) {
			x[i], x[stride+n-1-i] = awkward[i], awkward[i]
		}
		want := random(2, n+1)
		for j := range n {
			want[j] += (a[0]*x[j] + a[1]*x[stride+j]) + (a[2]*x[2*stride+j] + a[3]*x[3*stride+j])
		}
		for _, k := range everyLevel(t) {
			got := random(2, n+1)
			k.AddRows(got[:n], a, x, stride)
			for j := range want {
				if !sameBits(got[j], want[j]) {
					t.Fatalf("%v, length %d: element %d is %g: want %g", k.Level(), n, j, got[j], want[j])
				}
			}
		}
	}
}

func BenchmarkElementwise(b *testing.B) {
	const n = 256 // a block of a tape
	x := [3][]float64{random(1, n), random(2, n), random(3, n)}
	for i := range x[0] {
		x[0][i] = math.Abs(x[0][i])
	}
	dst := make([]float64, n)
	for _, op := range operations {
		for _, k := range everyLevel(b) {
			b.Run(fmt.Sprintf("%s/%v", op.name, k.Level()), func(b *testing.B) {
				for range b.N {
					op.run(k, dst, x)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
			})
		}
	}
}

// TestRotations holds turns of neighbouring rows against the two formulas, one turn after the other.
func TestRotations(t *testing.T) {
	for _, k := range everyLevel(t) {
		for n := range 6 {
			rows, turns := random(7, (n+2)*TurnedColumns), make([]Rotation, n)
			want := append([]float64(nil), rows...)
			for i := range turns {
				turns[i].S, turns[i].C = math.Sincos(float64(3*i + 1))
				for j := range TurnedColumns {
					x, y := &want[i*TurnedColumns+j], &want[(i+1)*TurnedColumns+j]
					*x, *y = turns[i].C**x+turns[i].S**y, turns[i].C**y-turns[i].S**x
				}
			}
			k.Rotations(rows, turns)
			for i, v := range rows {
				if !(math.Abs(v-want[i]) <= 1e-14) {
					t.Fatalf("%v, %d turns: number %d is %g, want %g", k.Level(), n, i, v, want[i])
				}
			}
		}
	}
}
