package criteria

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// randomComponents has three covariances of low rank, data that were drawn with the given
// logarithms of sizes, and a direction that is free.
func randomComponents(seed uint64, n int, logs []float64) *Components {
	rng := rand.New(rand.NewPCG(seed, 7))
	c := &Components{T: make([]float64, n), Contrast: [][]float64{make([]float64, n)}}
	for i := range n {
		c.T[i] = rng.NormFloat64()
		c.Contrast[0][i] = 1 / math.Sqrt(float64(n))
	}
	for _, l := range logs {
		b := mat.NewDense(n, n/3, nil)
		b.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, b)
		var m mat.Dense
		m.Mul(b, b.T())
		m.Scale(3/float64(n), &m)
		c.C = append(c.C, &m)
		for j := range n / 3 {
			z := rng.NormFloat64() * math.Sqrt(3*math.Exp(l)/float64(n))
			for i := range n {
				c.T[i] += z * b.At(i, j)
			}
		}
	}
	return c
}

// The value is that of the definition by dense linear algebra, and the gradient that of
// finite differences.
func TestComponents(t *testing.T) {
	c := randomComponents(1, 30, []float64{1, -1, 2})
	s := Sizes{.5, -1, 1}
	p, err := c.at(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if alone, err := c.value(t.Context(), s); err != nil || !(math.Abs(alone-p.value) <= 1e-9) {
		t.Errorf("without derivatives %g, with them %g, %v", alone, p.value, err)
	}
	h := mat.NewDense(30, 30, nil)
	for i := range 30 {
		h.Set(i, i, 1)
	}
	for k, m := range c.C {
		var scaled mat.Dense
		scaled.Scale(math.Exp(s[k]), m)
		h.Add(h, &scaled)
	}
	logDet, _ := mat.LogDet(h)
	var inverse mat.Dense
	if err := inverse.Inverse(h); err != nil {
		t.Fatal(err)
	}
	one, u := mat.NewVecDense(30, c.Contrast[0]), mat.NewVecDense(30, c.T)
	size, along := mat.Inner(one, &inverse, one), mat.Inner(one, &inverse, u)
	quad := mat.Inner(u, &inverse, u) - along*along/size
	if want := .5 * (29*math.Log(quad/29) + logDet + math.Log(size)); !(math.Abs(p.value-want) <= 1e-9) {
		t.Errorf("value %.12g, by definition %.12g", p.value, want)
	}
	for k := range s {
		const step = 1e-5
		up, down := append(Sizes(nil), s...), append(Sizes(nil), s...)
		up[k], down[k] = s[k]+step, s[k]-step
		a, err := c.at(t.Context(), up)
		if err != nil {
			t.Fatal(err)
		}
		b, err := c.at(t.Context(), down)
		if err != nil {
			t.Fatal(err)
		}
		if want := (a.value - b.value) / (2 * step); !(math.Abs(p.gradient[k]-want) <= 1e-5) {
			t.Errorf("derivative %d is %g, by differences %g", k, p.gradient[k], want)
		}
	}
}

// The search ends where no single size does better, from every start; sizes that are fixed
// keep their difference.
func TestBestComponents(t *testing.T) {
	for seed := range uint64(5) {
		c := randomComponents(seed, 60, []float64{1, -2, 3})
		for _, fixed := range []map[int]float64{nil, {0: 0, 2: 1.5}} {
			s, value, err := c.Best(t.Context(), nil, Limits{Apart: fixed}, 60, math.Inf(1))
			if err != nil {
				t.Fatal(err)
			}
			if fixed != nil && !(math.Abs(s[2]-s[0]-1.5) <= 1e-9) {
				t.Errorf("fixed sizes became %v", s)
			}
			for k := range s {
				if _, held := fixed[k]; held {
					continue
				}
				for _, d := range []float64{-.5, .5, -3, 3} {
					moved := append(Sizes(nil), s...)
					moved[k] = Clamp(s[k] + d)
					p, err := c.at(t.Context(), moved)
					if err != nil {
						t.Fatal(err)
					}
					if !(p.value >= value-5e-3) {
						t.Errorf("seed %d, fixed %v: %v has %.6f, and %v %.6f", seed, fixed, s, value, moved, p.value)
					}
				}
			}
		}
	}
}

// Every start with noise alone ends at the same likelihood, also beside terms of which there are none: a size that is on its way to
// nothing does not keep the others from where they are best. That is at most what it is without the term.
func TestEveryStartEndsAtTheBest(t *testing.T) {
	for seed := range uint64(6) {
		c := randomComponents(seed, 60, []float64{1, -40, 3})
		least, err := math.Inf(1), error(nil)
		var ends []float64
		for _, all := range []float64{1e-3, 1e-1, 1, 10, 1e2} {
			s := Sizes{math.Log(all), math.Log(all), math.Log(all)}
			_, value, failed := c.Best(t.Context(), s, Limits{}, 60, math.Inf(1))
			if err = failed; err != nil {
				t.Fatal(err)
			}
			ends, least = append(ends, value), min(least, value)
		}
		for k := range c.C {
			_, without, err := c.Best(t.Context(), nil, Limits{Held: map[int]float64{k: leastSize}}, 60, math.Inf(1))
			if err != nil {
				t.Fatal(err)
			}
			least = min(least, without)
		}
		for _, v := range ends {
			if !(v <= least+.02) {
				t.Errorf("seed %d: starts end at %.4f, the best is %.4f", seed, ends, least)
				break
			}
		}
	}
}
