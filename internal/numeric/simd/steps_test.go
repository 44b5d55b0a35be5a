package simd

import "testing"

// Every step that is several operations gives their bits, at every length, whichever operand is one number and whichever
// the result overwrites, of special values, too; nothing is written beyond the end.
func TestSteps(t *testing.T) {
	const longest = 300
	operands := [3][]float64{random(1, longest), random(2, longest), random(3, longest)}
	for i, v := range awkward {
		operands[0][40+i], operands[1][42+i], operands[2][45+i] = v, awkward[(7*i)%len(awkward)], awkward[(5*i)%len(awkward)]
	}
	for _, k := range everyLevel(t) {
		for n := 1; n <= longest; n++ {
			number := awkward[n%len(awkward)]
			for s := range shapes {
				same := func(x [3][]float64) [3][]float64 {
					if s != Vectors {
						x[s] = []float64{number}
					}
					return x
				}
				broadcast := func(x [3][]float64) [3][]float64 {
					if s != Vectors {
						x[s] = make([]float64, n)
						for i := range x[s] {
							x[s][i] = number
						}
					}
					return x
				}
				sameSteps(t, k, n, operands, func(dst []float64, x [3][]float64) {
					x = same(x)
					k.Squared(s)(dst, x[0], x[1])
				}, func(dst []float64, x [3][]float64) {
					x = broadcast(x)
					k.Sub(dst, x[0], x[1])
					k.Mul(dst, dst, dst)
				})
				sameSteps(t, k, n, operands, func(dst []float64, x [3][]float64) {
					x = same(x)
					k.AddSquared(s)(dst, x[0], x[1], x[2])
				}, func(dst []float64, x [3][]float64) {
					x = broadcast(x)
					d := make([]float64, n)
					k.Sub(d, x[0], x[1])
					k.FMA(dst, d, d, x[2])
				})
			}
			sameSteps(t, k, n, operands, func(dst []float64, x [3][]float64) { k.Decay(dst, x[0], x[1], x[2]) }, func(dst []float64, x [3][]float64) {
				e := make([]float64, n)
				k.Mul(e, x[0], x[1])
				k.Neg(e, e)
				k.Exp(e, e)
				k.Mul(dst, e, x[2])
			})
		}
	}
}

// sameSteps compares a step with the operations that it is made of, for n of the operands and the result apart or in
// place of one of them.
func sameSteps(t *testing.T, k Kernels, n int, operands [3][]float64, step, define func(dst []float64, x [3][]float64)) {
	t.Helper()
	var x [3][]float64
	copied := func() [3][]float64 {
		for i := range x {
			x[i] = append(x[i][:0], operands[i]...)
		}
		return x
	}
	want := make([]float64, n)
	define(want, copied())
	for place := range 4 {
		x := copied()
		dst := append([]float64(nil), operands[0]...)
		kept := operands[0]
		if place < 3 {
			dst, kept = x[place], operands[place]
		}
		step(dst[:n], x)
		for i, v := range dst {
			switch {
			case i < n && !sameBits(v, want[i]):
				t.Fatalf("%v, length %d, in place of %d: element %d is %g, want %g", k.Level(), n, place, i, v, want[i])
			case i >= n && !sameBits(v, kept[i]):
				t.Fatalf("%v, length %d, in place of %d: element %d beyond the end is %g", k.Level(), n, place, i, v)
			}
		}
	}
}
