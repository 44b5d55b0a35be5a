package noise

import (
	"math"
	"slices"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Values of parts of the output lie behind one another in each pair, and the errors of several
// parts are weights of the values: those given, over the variances of the part, the pair and the point.
func TestPartsOfTheOutput(t *testing.T) {
	for parts := 1; parts <= 3; parts++ {
		const n, each = 4, 5
		v := newVariances(n, parts*each, parts)
		given := make([]float64, n*parts*each)
		for part := range v {
			for i := range n {
				for k := range each {
					at := i*parts*each + part*each + k
					if got := v.at(part, i*each+k); got != at {
						t.Errorf("%d parts: value %d of pair %d of part %d is at %d, want %d", parts, k, i, part, got, at)
					}
					v[part].pairs[i], v[part].points[k] = float64(i*(part+1)), .1*float64(k-part)
					given[at] = 1 + float64(at)
				}
			}
		}
		if parts == 1 {
			e := v.errors(&dataset.Errors{Pairs: []float64{1, 2, 3, 4}})
			if !(math.Abs(e.Pairs[2]-3*math.Exp(-2)) <= 1e-15) || !(math.Abs(e.Points[3]-math.Exp(-.3)) <= 1e-15) || e.Values != nil {
				t.Errorf("weights %v and %v", e.Pairs, e.Points)
			}
			continue
		}
		e := v.errors(&dataset.Errors{Values: &array.Array{Shape: []int{n, parts * each}, Data: given}})
		if !slices.Equal(e.Values.Shape, []int{n, parts * each}) {
			t.Errorf("%d parts: weights of shape %v", parts, e.Values.Shape)
		}
		for part := range v {
			for i := range n {
				for k := range each {
					at := i*parts*each + part*each + k
					want := given[at] * math.Exp(-v[part].pairs[i]-v[part].points[k])
					if got := e.Values.Data[at]; !(math.Abs(got-want) <= 1e-14*want) {
						t.Errorf("%d parts: weight %d is %g, want %g", parts, at, got, want)
					}
				}
			}
		}
	}
}

// Variances that are all the same change no weights; others divide them.
func TestWeightsOverVariances(t *testing.T) {
	w := []float64{2, 3}
	if got := weighted(w, []float64{5, 5}); !slices.Equal(got, w) {
		t.Errorf("variances that are the same: %v, want %v", got, w)
	}
	if got := weighted(nil, []float64{-1, -1 + few/2}); got != nil {
		t.Errorf("variances that are nearly the same, without weights: %v", got)
	}
	if got := weighted(nil, []float64{0, 1e-8}); got == nil || got[0] != 1 || got[1] != math.Exp(-1e-8) {
		t.Errorf("variances that differ: %v", got)
	}
	if got := weighted(w, []float64{-1, 1}); got[0] != 2*math.E || !(math.Abs(got[1]-3/math.E) <= 1e-15) {
		t.Errorf("%v, want weights over variances", got)
	}
}

// Distances are fractions of the lengths of the axes, one after the other.
func TestDistancesAreFractions(t *testing.T) {
	m, err := mesh.Product(mesh.Must(mesh.Uniform(1, 5, 3, "x")), mesh.Must(mesh.Uniform(-10, 30, 5, "y")))
	if err != nil {
		t.Fatal(err)
	}
	of, p, q := distances(m), make([]float64, 2), make([]float64, 2)
	for i := range m.Size() {
		for j := range m.Size() {
			m.Point(p, i)
			m.Point(q, j)
			if want := math.Hypot((p[0]-q[0])/4, (p[1]-q[1])/40); !(math.Abs(of(i, j)-want) <= 1e-15) {
				t.Errorf("%v and %v are %g apart, want %g", p, q, of(i, j), want)
			}
		}
	}
}

// Signs are of size one, both as often, the same for a seed and others for others.
func TestSigns(t *testing.T) {
	for seed := range uint64(3) {
		s, sum := signs(1000, seed), 0.0
		for _, v := range s {
			if sum += v; math.Abs(v) != 1 {
				t.Fatalf("a sign of %g", v)
			}
		}
		if !(math.Abs(sum) <= 130) || !slices.Equal(s, signs(1000, seed)) || slices.Equal(s, signs(1000, seed+1)) { // four standard deviations
			t.Errorf("seed %d: the sum is %g", seed, sum)
		}
	}
}

// Residuals count where a pair has all of them but for points without weight, which are zero, and
// where there are three such pairs at least.
func TestCompleteResiduals(t *testing.T) {
	y := mesh.Must(mesh.Uniform(0, 1, 4, "y"))
	none := math.NaN()
	rows := []float64{1, 2, 3, 4, none, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	got := complete(rows, y)
	if r, c := got.Dims(); r != 3 || c != 4 || !slices.Equal(got.RawMatrix().Data, append(slices.Clone(rows[:4]), rows[8:]...)) {
		t.Errorf("%v, want all pairs but the second", got)
	}
	right, err := mesh.Must(mesh.Uniform(0, 1, 4, "y")).Right() // the first point has no weight
	if err != nil {
		t.Fatal(err)
	}
	if got := complete(rows, right); got.At(1, 0) != 0 || got.At(1, 1) != 6 || got.At(3, 0) != 0 || got.At(3, 3) != 16 {
		t.Errorf("%v, want all pairs with zeros in front", got)
	}
	if got := complete(rows[:12], y); got != nil {
		t.Errorf("of two pairs: %v", got)
	}
}

// The median is the number in the middle, of an even number of them the mean of the two there.
func TestMedian(t *testing.T) {
	for _, c := range []struct {
		of   []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{5, 1}, 3}, {[]float64{9, 1, 4}, 4}, {[]float64{9, 1, 4, 6}, 5}} {
		if got := median(c.of); got != c.want {
			t.Errorf("of %v it is %g, want %g", c.of, got, c.want)
		}
	}
}

// Logarithms of variances are half as far apart as standard deviations are; of several parts the farthest count.
func TestHowFarVariancesChange(t *testing.T) {
	p := product{[]float64{0, 1}, []float64{0, 0, 0}}
	q := product{[]float64{.5, 1}, []float64{0, -3, 1}}
	if got := p.change(q); got != 1.5 {
		t.Errorf("%g, want 1.5", got)
	}
	if got := (variances{p, p}).change(variances{p, q}); got != 1.5 {
		t.Errorf("of two parts %g, want 1.5", got)
	}
	if got := q.change(q); got != 0 {
		t.Errorf("of the same %g", got)
	}
}
