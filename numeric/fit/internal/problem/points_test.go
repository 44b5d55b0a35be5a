package problem

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/numeric/mesh"
)

// Half of the pairs are of the mesh. The first point of the others is in the domain, evenly; the second is to either
// side of it, at all scales from the size of the domain to a ten-thousandth of it, in every coordinate.
func TestPairsAreDrawnAtAllScales(t *testing.T) {
	const draws = 4000
	m, err := mesh.Product(mesh.Must(mesh.Uniform(2, 5, 4, "a")), mesh.Must(mesh.Uniform(-30, -10, 3, "b")))
	if err != nil {
		t.Fatal(err)
	}
	lower, size := []float64{2, -30}, []float64{3, 20}
	onMesh := func(p []float64) bool {
		at := make([]float64, 2)
		for i := range m.Size() {
			if m.Point(at, i); at[0] == p[0] && at[1] == p[1] {
				return true
			}
		}
		return false
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var of, left [2]float64
	scales, last, middle := [4]int{}, 0, 0
	p, q := make([]float64, 2), make([]float64, 2)
	for range draws {
		RandomPair(rng, m, p, q)
		if onMesh(p) && onMesh(q) {
			last++
			continue
		}
		away := 0.0
		for k := range p {
			at, by := (p[k]-lower[k])/size[k], (q[k]-p[k])/size[k]
			if !(at >= 0 && at <= 1) || !(math.Abs(by) <= 1) {
				t.Fatalf("%v and %v are not both near the domain", p, q)
			}
			if of[k]++; by < 0 {
				left[k]++
			}
			if at > .25 && at < .75 {
				middle++
			}
			away = max(away, math.Abs(by))
		}
		if s := int(-math.Log10(away)); s < len(scales) {
			scales[s]++
		}
	}
	if share := float64(last) / draws; !(math.Abs(share-.5) <= .04) {
		t.Errorf("%.3f of the pairs are of the mesh", share)
	}
	for k := range of {
		if share := left[k] / of[k]; !(math.Abs(share-.5) <= .06) {
			t.Errorf("in coordinate %d %.3f of the second points are below the first", k+1, share)
		}
	}
	if share := float64(middle) / (of[0] + of[1]); !(math.Abs(share-.5) <= .05) {
		t.Errorf("%.3f of the first points are in the middle half", share)
	}
	for s, n := range scales {
		if share := float64(n) / of[0]; !(share > .1 && share < .4) {
			t.Errorf("%.3f of the pairs are at the scale 1e-%d", share, s)
		}
	}
}
