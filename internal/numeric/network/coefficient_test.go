package network

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// exact are n pairs of -u″ + φ(u, u′) = f, u(0) = u(1) = 0, exact in the continuum: u is drawn, and
// f is what the equation makes of it.
func exact(t testing.TB, n, m int, phi func(u, slope float64) float64, seed uint64) *dataset.Table {
	t.Helper()
	on := mesh.Must(mesh.Uniform(0, 1, m, "x"))
	rng := rand.New(rand.NewPCG(seed, 3))
	f, u := array.New(n, m), array.New(n, m)
	for i := range n {
		in, out, slope := f.Data[i*m:(i+1)*m], u.Data[i*m:(i+1)*m], make([]float64, m)
		for k := 1; k <= 5; k++ {
			a, w := 2*rng.NormFloat64()/float64(k*k), math.Pi*float64(k)
			for j, x := range on.Points() {
				sin, cos := math.Sincos(w * x)
				in[j], out[j], slope[j] = in[j]+a*w*w*sin, out[j]+a*sin, slope[j]+a*w*cos
			}
		}
		for j := range in {
			in[j] += phi(out[j], slope[j])
		}
	}
	return pairs(t, f, u, on, on)
}

// advection is the channel u u′.
func advection() Channel {
	return Channel{Name: "uux", Map: expr.Of(expr.OpMul, expr.Var(0, "u"), expr.Var(1, "u_x")), Atoms: []Atom{{}, {Order: []int{1}}}}
}

// TestCoefficientOfWhatPairsShow: u u′ has no integral where u is zero at the ends, so that pairs
// leave G_c open but for a function of y. The mean of the coefficient does not depend on it, and c(x),
// which does, has a band that says so.
func TestCoefficientOfWhatPairsShow(t *testing.T) {
	d := exact(t, 24, 17, func(u, slope float64) float64 { return 1.5 * u * slope }, 4)
	e, err := Fit(t.Context(), spec(d, advection()))
	if err != nil {
		t.Fatal(err)
	}
	const integrals = 0.005 // what those of 17 points are off by
	k := e.Coefficient("uux")
	if math.Abs(k.Mean+1.5) > integrals || k.MeanBand > 0.05 {
		t.Errorf("coefficient %g ± %g, want -1.5", k.Mean, k.MeanBand)
	}
	for x, v := range k.Value {
		if math.Abs(v+1.5) > k.Band[x]+integrals {
			t.Errorf("c is %g ± %g at point %d, want -1.5", v, k.Band[x], x)
		}
	}
}
