package expr

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/internal/elementary"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// Powers by vector code are within 3 ulp of elementary.Pow, which is the nearest number
// nearly always, and the same to the bit where the exponent of e is not modest and for special
// values; on every instruction set, for every length, also in place.
func TestVectorPower(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	special := []float64{0, math.Copysign(0, -1), 1, -1, 2, -2.5, 5e-324, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for name, ops := range allOps(t) {
		worst := 0.0
		o, vector := ops.(vectorOps)
		if !vector || o.Level() == simd.Plain {
			continue
		}
		for n := range blockSize + 1 {
			x, y, dst := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range x {
				x[i], y[i] = math.Exp(3*rng.NormFloat64()), 2*rng.NormFloat64()
				if rng.IntN(4) == 0 {
					x[i], y[i] = special[rng.IntN(len(special))], special[rng.IntN(len(special))]
				}
			}
			in := append([]float64(nil), x...)
			if n%2 == 1 {
				dst = x
			}
			power := o.Loop(OpPow, simd.Vectors).binary
			if power == nil {
				t.Fatalf("%s: powers are not computed", name)
			}
			power(dst, x, y)
			for i, got := range dst {
				want, allowed := elementary.Pow(in[i], y[i]), 0.0
				if math.Abs(y[i]*math.Log(in[i])) <= modest {
					place := math.Nextafter(want, math.Inf(1)) - want
					worst, allowed = max(worst, math.Abs(got-want)/place), 3*place
				}
				if isProduct(y[i]) {
					want = pow(in[i], y[i])
				}
				if !sameNumber(got, want) && !(math.Abs(got-want) <= allowed) {
					t.Fatalf("%s: %v^%v is %v, must be %v", name, in[i], y[i], got, want)
				}
			}
		}
		t.Logf("%s: powers within %.2g ulp", name, worst)
	}
}

// What operations are said to take: nothing where no slot varies, more for more of them, and never more with vectors.
func TestTime(t *testing.T) {
	for op := OpAdd; op < opCount; op++ {
		n := build(op, 1.2, [3]*Node{px, py, px})
		before := math.Inf(1)
		for _, level := range simd.Levels() {
			k, err := simd.New(level)
			if err != nil {
				t.Fatal(err)
			}
			time := func(n *Node, varies bool) float64 {
				p, err := compileWith(newVectorOps(k), n, 2)
				if err != nil {
					t.Fatal(err)
				}
				return p.Time(func(int) bool { return varies })
			}
			one, two := time(n, true), time(Add(n, Exp(n)), true)
			if !(one > 0) || !(two > one) || one > before || time(n, false) != 0 {
				t.Errorf("%v, %v: %g ns, with an exponential %g, at the level before %g, not varying %g", op, level, one, two, before, time(n, false))
			}
			before = one
		}
	}
}
