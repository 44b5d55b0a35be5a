package criteria

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// coupledData are two terms of three outputs, of which the last is seen at a third of the
// entries.
func coupledData(seed uint64, n int) *Coupled {
	rng := rand.New(rand.NewPCG(seed, 3))
	c := randomComponents(seed, n, []float64{1, 2})
	l := &Coupled{Components: Components{C: c.C}, Outputs: 3}
	shared := make([]float64, n)
	for e := range n {
		shared[e] = c.T[e]
	}
	for e := range n {
		for o := range 3 {
			if o == 2 && e%3 != 0 {
				continue
			}
			l.Entry, l.Output = append(l.Entry, e), append(l.Output, o)
			l.T = append(l.T, float64(o+1)*shared[e]+.3*rng.NormFloat64())
		}
	}
	for o := range 3 {
		one := make([]float64, len(l.T))
		for i := range one {
			if l.Output[i] == o {
				one[i] = 1 / math.Sqrt(float64(n))
			}
		}
		l.Contrast = append(l.Contrast, one)
	}
	return l
}

// The value is that of the definition, REML by the determinant of what the free constants
// leave, and the gradient that of finite differences; without correlations and with equal noise
// the likelihood of Components with the same sizes differs by none.
func TestCoupled(t *testing.T) {
	l := coupledData(1, 18)
	s := make(Sizes, l.count())
	rng := rand.New(rand.NewPCG(5, 5))
	for k := range s {
		s[k] = rng.NormFloat64()
	}
	p, err := l.at(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	n := len(l.T)
	h, v := mat.NewDense(n, n, nil), l.Noise(s)
	for i := range n {
		for j := range n {
			for k := range l.C {
				h.Set(i, j, h.At(i, j)+math.Sqrt(v[l.Output[i]]*v[l.Output[j]])*l.Covariance(s, k).At(l.Output[i], l.Output[j])*l.C[k].At(l.Entry[i], l.Entry[j]))
			}
		}
		h.Set(i, i, h.At(i, i)+v[l.Output[i]])
	}
	c := mat.NewDense(n, 3, nil)
	for o := range 3 {
		c.SetCol(o, l.Contrast[o])
	}
	var inverse, hc, g, free mat.Dense
	if err := inverse.Inverse(h); err != nil {
		t.Fatal(err)
	}
	hc.Mul(&inverse, c)
	g.Mul(c.T(), &hc)
	u := mat.NewVecDense(n, l.T)
	var along, taken mat.VecDense
	along.MulVec(hc.T(), u)
	if err := free.Inverse(&g); err != nil {
		t.Fatal(err)
	}
	taken.MulVec(&free, &along)
	quad := mat.Inner(u, &inverse, u) - mat.Dot(&along, &taken)
	logDet, _ := mat.LogDet(h)
	logFree, _ := mat.LogDet(&g)
	values := float64(n - 3)
	if want := .5 * (values*math.Log(quad/values) + logDet + logFree); !(math.Abs(p.value-want) <= 1e-8) {
		t.Errorf("value %.12g, by definition %.12g", p.value, want)
	}
	for k := range s {
		const step = 1e-5
		up, down := append(Sizes(nil), s...), append(Sizes(nil), s...)
		up[k], down[k] = s[k]+step, s[k]-step
		a, err := l.at(t.Context(), up)
		if err != nil {
			t.Fatal(err)
		}
		b, err := l.at(t.Context(), down)
		if err != nil {
			t.Fatal(err)
		}
		if want := (a.value - b.value) / (2 * step); !(math.Abs(p.gradient[k]-want) <= 1e-5) {
			t.Errorf("derivative %d is %g, by differences %g", k, p.gradient[k], want)
		}
	}
}

// The search finds what the outputs have in common: they are multiples of one function.
func TestBestCoupled(t *testing.T) {
	for seed := range uint64(3) {
		l := coupledData(seed, 36)
		s, value, err := l.Best(t.Context(), nil, Limits{}, 60, math.Inf(1))
		if err != nil {
			t.Fatal(err)
		}
		b := l.Covariance(s, 0)
		b.Add(b, l.Covariance(s, 1))
		if r := b.At(0, 1) / math.Sqrt(b.At(0, 0)*b.At(1, 1)); !(r >= .9) {
			t.Errorf("seed %d: correlation %g", seed, r)
		}
		alone := make(Sizes, len(s))
		copy(alone, s)
		for k := range l.C {
			for z := range 3 {
				alone[k*l.each()+3+z] = 0
			}
		}
		if p, err := l.at(t.Context(), alone); err != nil || !(p.value >= value+10) {
			t.Errorf("seed %d: %g with correlations, %v without (%v)", seed, value, p, err)
		}
	}
}
