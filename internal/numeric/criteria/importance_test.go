package criteria

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Parameters are drawn in pairs on either side of the middle, with Student's distribution of the scale of the root, and each
// has minus the logarithm of its posterior.
func TestProposalsAreOfStudentsDistribution(t *testing.T) {
	c := randomComponents(5, 12, []float64{1, 0})
	q := drawn{posterior: &posterior{likelihood: c, free: parameters{count: 2}}, rng: rand.New(rand.NewPCG(2, 4))}
	root, inverse := mat.NewDense(2, 2, []float64{.5, 0, -.3, .2}), mat.NewDense(2, 2, nil)
	if err := inverse.Inverse(root); err != nil {
		t.Fatal(err)
	}
	s := student{middle: []float64{.4, -.2}, root: root, inverse: inverse}
	const times = 40
	for range times {
		if err := q.from(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if len(q.x) != times*proposals || len(q.values) != len(q.x) || len(q.by) != times {
		t.Fatalf("%d draws of %d distributions with %d values", len(q.x), len(q.by), len(q.values))
	}
	var whitened [2][]float64
	for i := 0; i < len(q.x); i += 2 {
		for k, m := range s.middle {
			if mean := (q.x[i][k] + q.x[i+1][k]) / 2; !(math.Abs(mean-m) <= 1e-12) || q.x[i][k] == q.x[i+1][k] {
				t.Fatalf("draws %v and %v are not on either side of %v", q.x[i], q.x[i+1], s.middle)
			}
		}
		off := mat.NewVecDense(2, []float64{q.x[i][0] - s.middle[0], q.x[i][1] - s.middle[1]})
		off.MulVec(inverse, mat.VecDenseCopyOf(off))
		for k := range whitened {
			whitened[k] = append(whitened[k], off.AtVec(k))
		}
	}
	for k, z := range whitened { // 0.741 and 2.132 are the median and 0.9 of |t| with four degrees of freedom
		for size, share := range map[float64]float64{.741: .5, 2.132: .9} {
			inside := 0
			for _, v := range z {
				if math.Abs(v) < size {
					inside++
				}
			}
			n := float64(len(z))
			if off := math.Abs(float64(inside) - share*n); !(off <= 4*math.Sqrt(share*(1-share)*n)) {
				t.Errorf("of %g values of direction %d, %d are within %g, want %g", n, k, inside, size, share*n)
			}
		}
	}
	for _, i := range []int{0, 1, 77} {
		sizes := Sizes(slices.Clone(q.x[i]))
		value, err := c.value(t.Context(), sizes)
		if err != nil {
			t.Fatal(err)
		}
		prior, _, _ := q.beforehand(sizes)
		if want := value + prior; !(math.Abs(q.values[i]-want) <= 1e-12) {
			t.Errorf("draw %d has the value %g, want %g", i, q.values[i], want)
		}
	}
}

// The weight of a draw is its posterior over the mean of the densities it may have been drawn with, and weights are one
// together; variants that are likely have half their weights, and half of what all have.
func TestWeightsOfProposals(t *testing.T) {
	one, two := mat.NewDense(1, 1, []float64{1}), mat.NewDense(1, 1, []float64{3})
	third := mat.NewDense(1, 1, []float64{1. / 3})
	q := drawn{
		posterior: &posterior{variants: [][]*mat.Dense{nil, {one, two}}},
		by: []student{
			{[]float64{0}, one, one, [][]float64{nil, {.5, .5}}},
			{[]float64{2}, two, third, [][]float64{nil, {.25, .75}}},
		},
		x:      [][]float64{{0}, {1.5}, {-4}},
		chosen: [][]int{{0, 1}, {0, 0}, {0, 1}},
		values: []float64{1, .3, 4},
	}
	density := func(x, middle, scale float64) float64 {
		return math.Pow(1+(x-middle)*(x-middle)/scale/scale/4, -2.5) / scale
	}
	want, all := make([]float64, 3), 0.0
	for i, x := range []float64{0, 1.5, -4} {
		v := q.chosen[i][1]
		by := density(x, 0, 1)*.5 + density(x, 2, 3)*[]float64{.25, .75}[v]
		want[i] = math.Exp(-q.values[i]) / by
		all += want[i]
	}
	for i, share := range q.shares() {
		if !(math.Abs(share-want[i]/all) <= 1e-12) {
			t.Errorf("draw %d weighs %g, want %g", i, share, want[i]/all)
		}
	}
	likely := q.likely()
	if second := .25 + (want[0]+want[2])/all/2; likely[0] != nil || !(math.Abs(likely[1][1]-second) <= 1e-12) || !(math.Abs(likely[1][0]+second-1) <= 1e-12) {
		t.Errorf("variants have probabilities %v, want %g of the second", likely, second)
	}
	s := student{variants: [][]float64{nil, {.2, .5, .3}}}
	counts, rng := make([]float64, 3), rand.New(rand.NewPCG(3, 3))
	for range 4000 {
		v := s.draw(rng)
		if v[0] != 0 {
			t.Fatalf("a term without variants has variant %d", v[0])
		}
		counts[v[1]]++
	}
	for v, p := range s.variants[1] {
		if !(math.Abs(counts[v]-4000*p) <= 4*math.Sqrt(4000*p*(1-p))) {
			t.Errorf("variant %d is drawn %g times of 4000, want %g", v, counts[v], 4000*p)
		}
	}
}

// From far around, draws are made twice: about the middle with five of log s in each direction, then about the mean of the
// first by their weights, as wide as these scatter.
func TestProposalsFromFarAreMadeTwice(t *testing.T) {
	c := randomComponents(5, 12, []float64{1, 0})
	q := drawn{posterior: &posterior{likelihood: c, free: parameters{count: 2}}, rng: rand.New(rand.NewPCG(2, 4))}
	start := student{middle: []float64{.4, -.2}, root: mat.NewDense(2, 2, []float64{1, 0, 0, 1}), inverse: mat.NewDense(2, 2, []float64{1, 0, 0, 1})}
	q.by = []student{start}
	if err := q.fromFar(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(q.by) != 3 || len(q.x) != 2*proposals {
		t.Fatalf("%d draws of %d distributions", len(q.x), len(q.by))
	}
	if wide := q.by[1]; !slices.Equal(wide.middle, start.middle) || !mat.Equal(wide.root, mat.NewDense(2, 2, []float64{5, 0, 0, 5})) {
		t.Errorf("the first draws are about %v, with the root %v", wide.middle, mat.Formatted(wide.root))
	}
	first := drawn{posterior: q.posterior, by: q.by[:2], x: q.x[:proposals], values: q.values[:proposals], chosen: q.chosen[:proposals]}
	shares := first.shares()
	mean, covariance := make([]float64, 2), mat.NewSymDense(2, []float64{leastInformation, 0, 0, leastInformation})
	for i, w := range shares {
		for k := range mean {
			mean[k] += w * q.x[i][k]
		}
	}
	for i, w := range shares {
		off := mat.NewVecDense(2, []float64{q.x[i][0] - mean[0], q.x[i][1] - mean[1]})
		covariance.SymRankOne(covariance, w, off)
	}
	last := q.by[2]
	var got, one mat.Dense
	got.Mul(last.root, last.root.T())
	one.Mul(last.root, last.inverse)
	for k, m := range mean {
		if !(math.Abs(last.middle[k]-m) <= 1e-12) {
			t.Errorf("the second draws are about %v, want %v", last.middle, mean)
		}
		for j := range mean {
			unit := 0.0
			if j == k {
				unit = 1
			}
			if !(math.Abs(got.At(j, k)-covariance.At(j, k)) <= 1e-12) || !(math.Abs(one.At(j, k)-unit) <= 1e-12) {
				t.Errorf("they scatter by %v, want %v", mat.Formatted(&got), mat.Formatted(covariance))
			}
		}
	}
}
