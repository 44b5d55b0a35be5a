package simd

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"
)

func complexes(seed uint64, n int) Complex { return Complex{random(seed, n), random(seed+100, n)} }

func (z Complex) at(i int) complex128 { return complex(z.Re[i], z.Im[i]) }

// stageDefinition is the formula of Stage, term by term.
func stageDefinition(radix int, x Complex, m, s int) []complex128 {
	y := make([]complex128, radix*m*s)
	for q := range m {
		for j := range radix {
			for r := range s {
				var sum complex128
				for l := range radix {
					sum += cmplx.Rect(1, -2*math.Pi*float64(l*j)/float64(radix)) * x.at((l*m+q)*s+r)
				}
				y[(q*radix+j)*s+r] = sum * cmplx.Rect(1, -2*math.Pi*float64(q*j)/float64(radix*m))
			}
		}
	}
	return y
}

func twiddles(radix, m int) []float64 {
	w := make([]float64, 2*m*(radix-1))
	for q := range m {
		for j := 1; j < radix; j++ {
			z := cmplx.Rect(1, -2*math.Pi*float64(q*j)/float64(radix*m))
			w[2*(q*(radix-1)+j-1)], w[2*(q*(radix-1)+j-1)+1] = real(z), imag(z)
		}
	}
	return w
}

func TestStage(t *testing.T) {
	const guard = 9
	for _, k := range everyLevel(t) {
		for radix := 2; radix <= 5; radix++ {
			for _, m := range []int{1, 2, 5} {
				for s := range 70 {
					n := radix * m * s
					x := complexes(uint64(s), n)
					y := Complex{make([]float64, n+guard), make([]float64, n+guard)}
					k.Stage(radix, y, x, m, s, twiddles(radix, m))
					for i, want := range stageDefinition(radix, x, m, s) {
						if e := cmplx.Abs(y.at(i) - want); e > 2e-14 { // sums of 5 numbers up to about 5
							t.Fatalf("%v, radix %d, m %d, s %d: element %d is off by %.2g", k.Level(), radix, m, s, i, e)
						}
					}
					for i := range guard {
						if y.at(n+i) != 0 {
							t.Fatalf("%v, radix %d, m %d, s %d: wrote beyond the end", k.Level(), radix, m, s)
						}
					}
				}
			}
		}
	}
}

// TestStageLarge crosses the limits at which a stage is done in several calls.
func TestStageLarge(t *testing.T) {
	for _, k := range vectorLevels(t) {
		for _, c := range [][2]int{{3, part + 5}, {part / 100, 131}} {
			m, s := c[0], c[1]
			x := complexes(1, 3*m*s)
			y, want := complexes(2, 3*m*s), complexes(3, 3*m*s)
			w := twiddles(3, m)
			k.Stage(3, y, x, m, s, w)
			plainLevel, _ := New(Plain)
			plainLevel.Stage(3, want, x, m, s, w)
			for i := range y.Re {
				if e := cmplx.Abs(y.at(i) - want.at(i)); e > 1e-14 {
					t.Fatalf("%v, m %d, s %d: element %d is off by %.2g", k.Level(), m, s, i, e)
				}
			}
		}
	}
}

func TestMultiplyComplex(t *testing.T) {
	for _, k := range everyLevel(t) {
		for _, n := range append([]int{2*part + 3}, seq(1001)...) {
			z, c := complexes(1, n+9), complexes(2, n)
			plain, conj := complexes(1, n+9), complexes(1, n+9)
			k.MultiplyComplex(plain.Slice(0, n), c)
			k.MultiplyComplex(conj.Slice(0, n).Swapped(), c)
			for i := range n + 9 {
				want, wantConj := z.at(i), z.at(i)
				if i < n {
					want, wantConj = want*c.at(i), want*cmplx.Conj(c.at(i))
				}
				if cmplx.Abs(plain.at(i)-want) > 1e-14 || cmplx.Abs(conj.at(i)-wantConj) > 1e-14 {
					t.Fatalf("%v, length %d: element %d is wrong", k.Level(), n, i)
				}
			}
		}
	}
}

// seq is 0, 1, … n−1.
func seq(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func TestHalves(t *testing.T) {
	const scale = 0.25
	for _, k := range everyLevel(t) {
		for h := range 12 {
			for batch := range 40 {
				z := complexes(uint64(h), h*batch+9)
				was := Complex{append([]float64(nil), z.Re...), append([]float64(nil), z.Im...)}
				w := random(5, 2*h+2)
				k.Halves(z, h, batch, w, scale)
				for i := range h*batch + 9 {
					want := was.at(i)
					// Rows above the middle are the conjugate of e − o of their mirror image.
					if row := i / max(1, batch); row > 0 && row < h && i < h*batch {
						low := min(row, h-row)
						a, b := was.at(low*batch+i%batch), cmplx.Conj(was.at((h-low)*batch+i%batch))
						e := scale * (a + b)
						o := scale * (a - b) * complex(w[2*low+1], -w[2*low])
						if want = e + o; 2*row >= h {
							want = cmplx.Conj(e - o)
						}
					}
					if e := cmplx.Abs(z.at(i) - want); e > 1e-14 {
						t.Fatalf("%v, h %d, batch %d: element %d is off by %.2g", k.Level(), h, batch, i, e)
					}
				}
			}
		}
	}
}

// TestColumns compares transpositions with their definition for every small shape, in and out, with gaps between rows.
func TestColumns(t *testing.T) {
	for _, k := range everyLevel(t) {
		for rows := range 20 {
			for cols := range 27 {
				label := fmt.Sprintf("%v, %d x %d", k.Level(), rows, cols)
				stride, xStride := rows+2, cols+3
				x := random(1, rows*xStride)
				even, odd := make([]float64, (cols+1)/2*stride), make([]float64, cols/2*stride)
				both := make([]float64, cols*stride)
				k.SplitColumns(even, odd, stride, x, xStride, rows, cols)
				k.Transpose(both, stride, x, xStride, rows, cols)
				back := make([]float64, len(x))
				k.JoinColumns(back, xStride, even, odd, stride, rows, cols)
				written := 0
				for i := range rows {
					for j := range cols {
						from, want := [2][]float64{even, odd}[j%2], x[i*xStride+j]
						if from[j/2*stride+i] != want || both[j*stride+i] != want || back[i*xStride+j] != want {
							t.Fatalf("%s: element (%d, %d) is wrong", label, i, j)
						}
						written++
					}
				}
				if nonzero(even)+nonzero(odd) != written || nonzero(both) != written || nonzero(back) != written {
					t.Fatalf("%s: wrote between or beyond the rows", label)
				}
			}
		}
	}
}

func nonzero(x []float64) int {
	n := 0
	for _, v := range x {
		if v != 0 {
			n++
		}
	}
	return n
}

func BenchmarkStage(b *testing.B) {
	const m, s = 10, 40
	for radix := 2; radix <= 5; radix++ {
		n := radix * m * s
		x, y, w := complexes(1, n), complexes(2, n), twiddles(radix, m)
		for _, k := range everyLevel(b) {
			b.Run(fmt.Sprintf("%d/%v", radix, k.Level()), func(b *testing.B) {
				for range b.N {
					k.Stage(radix, y, x, m, s, w)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/point")
			})
		}
	}
}
