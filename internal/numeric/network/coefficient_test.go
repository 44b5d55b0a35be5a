package network

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

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
	if !(math.Abs(k.Mean+1.5) <= integrals) || !(k.MeanBand <= 0.05) {
		t.Errorf("coefficient %g ± %g, want -1.5", k.Mean, k.MeanBand)
	}
	for x, v := range k.Value {
		if !(math.Abs(v+1.5) <= k.Band[x]+integrals) {
			t.Errorf("c is %g ± %g at point %d, want -1.5", v, k.Band[x], x)
		}
	}
}

// TestCoefficientByDefinition: of G and c(x) G the coefficient is c(x), but where G is nothing; the mean is
// that of the quotients of what both make of the data, weighted by what G makes of them.
func TestCoefficientByDefinition(t *testing.T) {
	const n, p, m, nothing = 3, 4, 6, 2
	rng := rand.New(rand.NewPCG(4, 4))
	random := func(r, c int) *mat.Dense {
		a := mat.NewDense(r, c, nil)
		a.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, a)
		return a
	}
	k := &comparison{phi: random(n, p), weights: []float64{.5, 1, 2, .3, 1, .7}}
	// What no pair shows: φ times it is nothing.
	var unseen mat.VecDense
	if err := unseen.SolveVec(k.phi.Slice(0, n, 0, n), k.phi.ColView(n)); err != nil {
		t.Fatal(err)
	}
	for _, varies := range []float64{0, 1} {
		var g [2]*mat.Dense
		g[0], g[1] = random(p, m), mat.NewDense(p, m, nil)
		c := func(x int) float64 { return -3 + varies*float64(x) }
		for x := range p {
			for y := range m {
				if x == nothing {
					g[0].Set(x, y, 1e-3*g[0].At(x, y))
				}
				g[1].Set(x, y, c(x)*g[0].At(x, y))
			}
		}
		value, mean := k.compare(t.Context(), g)
		for x, v := range value {
			if x == nothing != math.IsNaN(v) || x != nothing && !(math.Abs(v-c(x)) <= 1e-12) {
				t.Errorf("c is %g at point %d, want %g", v, x, c(x))
			}
		}
		var u, v mat.Dense
		u.Mul(k.phi, g[0])
		v.Mul(k.phi, g[1])
		above, below := 0.0, 0.0
		for i := range n {
			for y, w := range k.weights {
				above, below = above+w*u.At(i, y)*v.At(i, y), below+w*u.At(i, y)*u.At(i, y)
			}
		}
		if !(math.Abs(mean-above/below) <= 1e-12) || varies == 0 && !(math.Abs(mean+3) <= 1e-12) {
			t.Errorf("mean %g, want %g", mean, above/below)
		}
		if varies == 0 {
			for y := range m {
				g[1].Set(n, y, g[1].At(n, y)-rng.NormFloat64())
				for x := range n {
					g[1].Set(x, y, g[1].At(x, y)+(g[1].At(n, y)+3*g[0].At(n, y))*-unseen.AtVec(x))
				}
			}
			value, mean = k.compare(t.Context(), g)
			if !(math.Abs(mean+3) <= 1e-12) || !(math.Abs(value[0]+3) >= 1e-3) {
				t.Errorf("with what no pair shows c is %g and its mean %g, want -3", value[0], mean)
			}
		}
		if constant := k.constant(t.Context(), g, value, mean); constant != (varies == 0) {
			t.Errorf("c varies by %g: taken for constant %t", varies, constant)
		}
	}
	// Of n fits, each without one of n groups, whose deviations from their mean are d, the variance is
	// (n-1)/n Σ d² (Efron and Tibshirani, An Introduction to the Bootstrap, section 11.2).
	if got, want := jackknife([]float64{1, 2, 3, 4, 5}), studentT4*math.Sqrt(10*4./5); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("half width of the band %g, want %g", got, want)
	}
}

// The band of a coefficient has what leaving out folds changes and what another fit has instead, in squares; of a constant one
// how far it is from its mean, and the band of that, on top.
func TestBandOfACoefficient(t *testing.T) {
	folds, far := [][]float64{{1, -3}, {2, -3}, {3, -3}, {4, -3}, {5, -3}}, []float64{3.5, -2}
	half := jackknife([]float64{1, 2, 3, 4, 5})
	for constant, want := range map[bool][]float64{
		false: {math.Hypot(half, .5), 1},
		true:  {math.Hypot(half, .5) + 2 + .25, 1 + 4 + .25},
	} {
		k := &Coefficient{Value: []float64{3, -3}, Mean: 1, MeanBand: .25}
		k.setBand(folds, far, constant)
		for x, w := range want {
			if len(k.Band) != 2 || !(math.Abs(k.Band[x]-w) <= 1e-12) {
				t.Errorf("constant %t: the band is %v, want %v", constant, k.Band, want)
			}
		}
	}
}
