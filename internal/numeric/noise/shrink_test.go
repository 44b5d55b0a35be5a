package noise

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A smooth part without correlations is an independent one: what is computed with matrices is
// what is computed without, up to rounding.
func TestPosteriorWithoutCorrelations(t *testing.T) {
	z, v := []float64{1, 3, -2, 0.5}, uncertain{variances: []float64{.5, 1, 2, .1}}
	eye := mat.NewDense(4, 4, nil)
	for i := range 4 {
		eye.Set(i, i, 1)
	}
	same := uncertain{covariance: v.matrix()}
	for _, size := range []float64{.3, 4} {
		means, numbers, value, err := posterior(t.Context(), z, v, nil, 0, size)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			v    uncertain
			k    *mat.Dense
			s, t float64
		}{{v, eye, size / 4, size * 3 / 4}, {same, eye, size / 4, size * 3 / 4}, {same, nil, 0, size}} {
			dense, asked, likelihood, err := posterior(t.Context(), z, c.v, c.k, c.s, c.t)
			if err != nil {
				t.Fatal(err)
			}
			for i := range z {
				if !(math.Abs(means[i]-dense[i]) <= 1e-12) {
					t.Errorf("size %g: mean %d is %g, with matrices %g", size, i, means[i], dense[i])
				}
			}
			if !(math.Abs(numbers-asked) <= 1e-12) || !(math.Abs(value-likelihood) <= 1e-12) {
				t.Errorf("size %g: %g numbers, minus log likelihood %g; with matrices %g, %g", size, numbers, value, asked, likelihood)
			}
		}
	}
	// Of a size without bound, the means are the data and as many numbers as are free.
	if means, numbers, _, err := posterior(t.Context(), z, v, nil, 0, 1e12); err != nil || !(math.Abs(means[1]-3) <= 1e-9) || !(math.Abs(numbers-3) <= 1e-9) {
		t.Errorf("%v, %g numbers, %v; want the data and 3", means, numbers, err)
	}
}

// Errors that are correlated are drawn towards each other by what they have in common: of two numbers that are known
// by their difference, 2 ± 0.1 apart, each to ± 10, the difference stays.
func TestPosteriorOfCorrelatedErrors(t *testing.T) {
	v := uncertain{covariance: mat.NewSymDense(2, []float64{100.01, 100, 100, 100.01})}
	means, numbers, _, err := posterior(t.Context(), []float64{1, -1}, v, nil, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	// The difference has the variance 2 before, and 0.02 of its errors.
	if want := 2 * 2 / 2.02; !(math.Abs(means[0]-means[1]-want) <= 1e-9) || !(math.Abs(numbers-2/2.02) <= 1e-9) {
		t.Errorf("a difference of %.10g by %.10g numbers, want %.10g", means[0]-means[1], numbers, want)
	}
}

// Variances that are known to all digits, of pairs times those of points, are found as they are, and
// take as many numbers as are free: one less than there are pairs, and points.
func TestVariancesThatAreKnown(t *testing.T) {
	pairs, points := []float64{-1, 0, 1}, []float64{2, -1, 0, -1}
	squares, freedom := make([]float64, 12), make([]float64, 12)
	for i := range squares {
		freedom[i] = 1e12
		squares[i] = freedom[i] * math.Exp(pairs[i/4]+points[i%4])
	}
	p, numbers, err := product{make([]float64, 3), make([]float64, 4)}.fitted(t.Context(), squares, freedom, func(i, j int) float64 { return math.Abs(float64(i - j)) })
	if err != nil || !(math.Abs(numbers.all()-(2+3)) <= 1e-6) || !(p.change(product{pairs, points}) <= 1e-6) {
		t.Errorf("%v and %v, %g numbers, %v; want %v and %v, 5 numbers", p.pairs, p.points, numbers, err, pairs, points)
	}
}

// Variances are held together: none is further from their mean than a factor of 1e12.
func TestVariancesAreHeldTogether(t *testing.T) {
	p := product{pairs: []float64{0, 0, 300, -300}, points: []float64{1, 2}}
	p.centre()
	most := 12 * math.Log(10)
	for i, want := range []float64{0, 0, most, -most} {
		if !(math.Abs(p.pairs[i]-want) <= 1e-12) {
			t.Errorf("pair %d: %g, want %g", i, p.pairs[i], want)
		}
	}
	if p.points[0] != -.5 || p.points[1] != .5 {
		t.Errorf("points %v, want their mean to be zero", p.points)
	}
}

// Points in a square lie as far apart as those along one of its sides.
func TestSpacingInAnyNumberOfCoordinates(t *testing.T) {
	line := mesh.Must(mesh.Uniform(0, 1, 10, "x"))
	square, err := mesh.Product(line, mesh.Must(mesh.Uniform(0, 1, 10, "y")))
	if err != nil {
		t.Fatal(err)
	}
	if got := []float64{spacing(line), spacing(square)}; !(math.Abs(got[0]-.1) <= 1e-15) || !(math.Abs(got[1]-.1) <= 1e-15) {
		t.Errorf("%g, want 0.1", got)
	}
}

// What logarithms of variances are off by, where they were drawn towards each other, is what is said: of variances that are spread
// and of some that are loud; nothing where they are all the same.
func TestHowFarVariancesAreOff(t *testing.T) {
	const n, each = 2000, 20
	rng := rand.New(rand.NewPCG(1, 2))
	for name, of := range map[string]func(i int) float64{
		"spread": func(int) float64 { return .7 * rng.NormFloat64() },
		"little": func(int) float64 { return .3 * rng.NormFloat64() },
		"loud":   func(i int) float64 { return float64(i%4) / 3 * float64(i%4/3) * 3.7 },
	} {
		truth, z, v, freedom := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n*each)
		for i := range truth {
			truth[i] = of(i)
			sum := 0.0
			for k := range each {
				freedom[i*each+k] = .8
			}
			for range each * 8 / 10 {
				e := rng.NormFloat64()
				sum += e * e
			}
			z[i], v[i] = logVariance(math.Exp(truth[i])*sum/(each*.8), each*.8)
		}
		means, _, err := shrunk(t.Context(), z, uncertain{variances: v}, nil)
		if err != nil {
			t.Fatal(err)
		}
		weights, square := make([]float64, n), 0.0
		for i, m := range means {
			weights[i] = math.Exp(-m)
		}
		for i, d := range loose(&dataset.Errors{Pairs: weights}, freedom) {
			square += (means[i] - truth[i]) * (means[i] - truth[i]) / (d * d) / n
		}
		if !(math.Abs(square-1) < .15) {
			t.Errorf("%s: the mean square of errors over their variances is %.3f, want 1", name, square)
		}
	}
	if got := loose(&dataset.Errors{Pairs: []float64{1, 1, 1}}, make([]float64, 12)); got != nil {
		t.Errorf("variances that are the same are off by %v", got)
	}
}

// With correlations the means, the numbers that they take and the likelihood are those of the Gaussian model, by their definitions:
// the numbers are by how much each mean follows its own value, without the one of the common mean.
func TestPosteriorWithCorrelations(t *testing.T) {
	z, v := []float64{1, 3, -2, 0.5}, []float64{.5, 1, 2, .1}
	const s, size = .7, .4
	k, h := mat.NewDense(4, 4, nil), mat.NewDense(4, 4, nil)
	k.Apply(func(i, j int, _ float64) float64 { return smoothly(math.Abs(float64(i-j)) / 2) }, k)
	h.Scale(s, k)
	for i, v := range v {
		h.Set(i, i, h.At(i, i)+size+v)
	}
	var inverse mat.Dense
	if err := inverse.Inverse(h); err != nil {
		t.Fatal(err)
	}
	sum, mean := 0.0, 0.0
	for i := range z {
		for j := range z {
			sum, mean = sum+inverse.At(i, j), mean+inverse.At(i, j)*z[j]
		}
	}
	mean /= sum
	logDet, _ := mat.LogDet(h)
	means, numbers, value, err := posterior(t.Context(), z, uncertain{variances: v}, k, s, size)
	if err != nil {
		t.Fatal(err)
	}
	want, follow := (logDet+math.Log(sum))/2, 0.0
	for i := range z {
		own := mean
		for j := range z {
			for l := range z {
				g := s * k.At(i, j)
				if i == j {
					g += size
				}
				own += g * inverse.At(j, l) * (z[l] - mean)
			}
			want += (z[i] - mean) * inverse.At(i, j) * (z[j] - mean) / 2
		}
		if !(math.Abs(means[i]-own) <= 1e-12) {
			t.Errorf("mean %d is %g, want %g", i, means[i], own)
		}
		moved := slices.Clone(z)
		moved[i]++
		other, _, _, err := posterior(t.Context(), moved, uncertain{variances: v}, k, s, size)
		if err != nil {
			t.Fatal(err)
		}
		follow += other[i] - means[i]
	}
	if !(math.Abs(value-want) <= 1e-12) || !(math.Abs(numbers-(follow-1)) <= 1e-12) {
		t.Errorf("minus log likelihood %g, want %g; %g numbers, want %g", value, want, numbers, follow-1)
	}
}
