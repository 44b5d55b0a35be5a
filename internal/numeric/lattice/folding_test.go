package lattice_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The vectors of a folding are orthonormal and span what averages of masked arrays are; there is none without a constraint.
func TestFoldingsSpanWhatObeys(t *testing.T) {
	if f := lattice.On(mesh.Must(mesh.Uniform(0, 1, 5, "")), mesh.Must(mesh.Uniform(0, 1, 5, ""))).Folding(); f != nil {
		t.Errorf("%d vectors where everything obeys", f.Size())
	}
	axis := mesh.Must(mesh.Uniform(0, 1, 5, ""))
	plane, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 4, "a")), mesh.Must(mesh.Uniform(0, 1, 4, "b")))
	if err != nil {
		t.Fatal(err)
	}
	entries := written.Catalog()
	both := constraint.List{constraint.Symmetric{Names: []string{"x1", "y1"}}, constraint.Causal{Input: "x2", Output: "y2"}}
	entries = append(entries, written.Entry{Name: "symmetric, causal", Example: both, Space: kernel.Space{Names: []string{"x1", "x2", "y1", "y2"}, Inputs: 2}})
	for _, e := range entries {
		name, m := e.Name, axis
		if e.Space.Inputs == 2 {
			m = plane
		}
		x, err := m.Rename(e.Space.Names[:e.Space.Inputs]...)
		if err != nil {
			t.Fatal(err)
		}
		y, err := m.Rename(e.Space.Names[e.Space.Inputs:]...)
		if err != nil {
			t.Fatal(err)
		}
		l, err := lattice.New(t.Context(), e.Example, x, y)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f := l.Folding()
		if f == nil {
			if l.Fraction() != 1 {
				t.Errorf("%s: no folding, though a part of %g obeys", name, l.Fraction())
			}
			continue
		}
		rng := rand.New(rand.NewPCG(1, 1))
		normal := func(n int) []float64 {
			v := make([]float64, n)
			for i := range v {
				v[i] = rng.NormFloat64()
			}
			return v
		}
		c, back, v := normal(f.Size()), make([]float64, f.Size()), make([]float64, l.Size())
		f.Unfold(v, c)
		f.Fold(back, v)
		if d := floats.Distance(back, c, math.Inf(1)); !(d <= 1e-14*floats.Norm(c, math.Inf(1))) {
			t.Errorf("%s: coefficients come back off by %.2g", name, d)
		}
		if d := math.Abs(floats.Norm(v, 2) - floats.Norm(c, 2)); !(d <= 1e-14*floats.Norm(c, 2)) {
			t.Errorf("%s: the norm changes by %.2g", name, d)
		}
		v = normal(l.Size())
		l.Mask(v)
		l.Average(v)
		again := make([]float64, l.Size())
		f.Fold(back, v)
		f.Unfold(again, back)
		if d := floats.Distance(again, v, math.Inf(1)); !(d <= 1e-14*floats.Norm(v, math.Inf(1))) {
			t.Errorf("%s: an array that obeys comes back off by %.2g", name, d)
		}
	}
}
