package criteria

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Sizes that stand for the posterior have the means of its definition, by the rectangle rule:
// of a term that is there, and of one that the likelihood puts at nothing.
func TestPlausibleSizesAreOfThePosterior(t *testing.T) {
	for _, seed := range []uint64{1, 7} {
		c := randomComponents(seed, 30, []float64{2, -30})
		best, _, err := c.Best(t.Context(), nil, Limits{}, 40, math.Inf(1))
		if err != nil {
			t.Fatal(err)
		}
		if !(best[1] <= -4) {
			t.Fatalf("the second term is not nothing: %.3g", best[1])
		}
		deviations := func(s Sizes) [2]float64 { return [2]float64{math.Exp(s[0] / 2), math.Exp(s[1] / 2)} }
		var want [2]float64
		all, reference := 0.0, math.NaN()
		for a := -4.0; a < 8; a += .5 {
			for b := -14.0; b < 6; b += .5 {
				p, err := c.at(t.Context(), Sizes{a, b})
				if err != nil {
					t.Fatal(err)
				}
				if math.IsNaN(reference) {
					reference = p.value
				}
				density := math.Exp(reference - p.value)
				density *= math.Exp((a+b)/2) * math.Pow(1+math.Exp(a)+math.Exp(b), -1.5) // Dirichlet's distribution of the shares
				for k, v := range deviations(Sizes{a, b}) {
					want[k] += density * v
				}
				all += density
			}
		}
		for count, tolerance := range map[int]float64{1000: .15, 4: .4} {
			plausible, err := c.Plausible(t.Context(), best, Limits{}, nil, count)
			if err != nil {
				t.Fatal(err)
			}
			var got [2]float64
			share := 0.0
			for _, p := range plausible {
				share += p.Share
				for k, v := range deviations(p.Sizes) {
					got[k] += p.Share * v
				}
			}
			if !(math.Abs(share-1) <= 1e-12) || len(plausible) > count {
				t.Errorf("%d of %d, with %g of all", len(plausible), count, share)
			}
			for k := range got {
				if ratio := got[k] * all / want[k]; !(math.Abs(math.Log(ratio)) <= tolerance) {
					t.Errorf("seed %d: mean of term %d over %d sizes is %.3f times that of the posterior", seed, k, count, ratio)
				}
			}
		}
	}
	if told, err := randomComponents(3, 240, []float64{2}).Plausible(t.Context(), Sizes{2}, Limits{}, nil, 4); err != nil || told != nil {
		t.Errorf("where the size is told: %v, %v", told, err)
	}
}

// The density of sizes has the gradient of its values by differences, and its information is that of the
// likelihood with the second differences of what was known beforehand.
func TestDensityOfSizes(t *testing.T) {
	const h = 1e-4
	c := randomComponents(3, 30, []float64{1, -1, 0})
	at := Sizes{.4, -.7, 1.1}
	for _, free := range []parameters{{count: 3}, {count: 3, fixed: map[int]float64{0: 1, 2: .5}}} {
		p := posterior{likelihood: c, free: free}
		q, err := p.at(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := c.at(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		moved := func(i, j int, a, b float64) Sizes {
			s := slices.Clone(at)
			s[i] += a
			s[j] += b
			return s
		}
		value := func(s Sizes) float64 {
			w, err := p.at(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			return w.value
		}
		known := func(s Sizes) float64 {
			v, _, _ := p.beforehand(s)
			return v
		}
		for i := range at {
			if want := (value(moved(i, i, h, 0)) - value(moved(i, i, -h, 0))) / (2 * h); !(math.Abs(q.gradient[i]-want) <= 1e-6) {
				t.Errorf("size %d: derivative %.8g, by differences %.8g", i, q.gradient[i], want)
			}
			for j := range i + 1 {
				want := (known(moved(i, j, h, h)) - known(moved(i, j, h, -h)) - known(moved(i, j, -h, h)) + known(moved(i, j, -h, -h))) / (4 * h * h)
				if got := q.information.At(i, j) - plain.information.At(i, j); !(math.Abs(got-want) <= 1e-6) {
					t.Errorf("sizes %d, %d: second derivative %.8g of what is known beforehand, by differences %.8g", i, j, got, want)
				}
			}
		}
	}
}

// Sizes that are fixed keep their differences, and others do not.
func TestPlausibleSizesKeepWhatIsFixed(t *testing.T) {
	c := randomComponents(5, 30, []float64{1, 0, -30})
	fixed := map[int]float64{0: 1.5, 2: .25}
	best, _, err := c.Best(t.Context(), nil, Limits{Apart: fixed}, 40, math.Inf(1))
	if err != nil {
		t.Fatal(err)
	}
	plausible, err := c.Plausible(t.Context(), best, Limits{Apart: fixed}, nil, 4)
	if err != nil || len(plausible) < 2 {
		t.Fatalf("%v, %v", plausible, err)
	}
	for _, p := range plausible {
		if off := p.Sizes[0] - p.Sizes[2] - 1.25; !(math.Abs(off) <= 1e-12) {
			t.Errorf("%v: differ by %g more than they should", p.Sizes, off)
		}
	}
}

// Penalties that stand for the posterior have the mean of its definition, from the criteria themselves and by the rectangle
// rule: of the ratio of the standard deviation of the noise to that of what G explains, and of β likewise, where some of the
// data are beyond the rows, and where the likelihood is greatest without noise.
func TestPlausiblePenaltiesAreOfThePosterior(t *testing.T) {
	for _, c := range []struct {
		name  string
		noise float64
	}{{"rough, flat", 1}, {"rough, bias", 1}, {"rough, bias", 0}} {
		p := catalog()[c.name]
		if c.noise == 0 {
			rng := rand.New(rand.NewPCG(5, 5))
			signal := make([]float64, len(p.t))
			for i := range signal {
				signal[i] = rng.NormFloat64()
			}
			p.t, p.rest = p.data(signal, make([]float64, len(p.t))), nil
		}
		x := p.exact()
		n := float64(p.pairs * p.my)
		u := p.bias()
		unit := [2]float64{mat.Trace(p.green) / n, math.Pow(mat.Norm(u, 2), 2) / n}
		// of noise and of β over the sum of the deviations: bounded, so that no tail decides
		measure := func(lambda, rho float64) [2]float64 {
			a, b := math.Sqrt(unit[0]/lambda), math.Sqrt(unit[1]/rho)
			return [2]float64{1 / (1 + a + b), b / (1 + a + b)}
		}
		var want [2]float64
		all, reference := 0.0, math.NaN()
		for a := -12.0; a < 30; a++ {
			for b := -12.0; b < 30; b++ {
				lambda, rho := unit[0]*math.Exp(-a), unit[1]*math.Exp(-b)
				v, err := x.At(t.Context(), lambda, rho)
				if err != nil {
					t.Fatal(err)
				}
				if math.IsNaN(reference) {
					reference = v.REML
				}
				density := math.Exp(reference-v.REML+(a+b)/2) * math.Pow(1+math.Exp(a)+math.Exp(b), -1.5)
				all += density
				for k, v := range measure(lambda, rho) {
					want[k] += density * v
				}
			}
		}
		plausible, err := x.Plausible(t.Context(), unit[0], unit[1], 1000)
		if err != nil {
			t.Fatal(err)
		}
		var got [2]float64
		for _, p := range plausible {
			for k, v := range measure(p.Lambda, p.Rho) {
				got[k] += p.Share * v
			}
		}
		t.Logf("%s, noise %g: %.3f, by definition %.3f %.3f", c.name, c.noise, got, want[0]/all, want[1]/all)
		for k := range got {
			if off := math.Abs(got[k] - want[k]/all); !(off < .06) {
				t.Errorf("%s, noise %g: the mean share %d is %.3f, by definition %.3f", c.name, c.noise, k, got[k], want[k]/all)
			}
		}
	}
}

// Covariances that a term may have as well come with the probability of their likelihood, integrated over the sizes.
func TestPlausibleVariantsAreOfThePosterior(t *testing.T) {
	c := randomComponents(1, 30, []float64{1})
	others := []*mat.Dense{c.C[0], randomComponents(2, 30, []float64{1}).C[0]}
	mixed := mat.NewDense(30, 30, nil)
	mixed.Add(others[0], others[1])
	mixed.Scale(.5, mixed)
	others = append(others, mixed)
	best, _, err := c.Best(t.Context(), nil, Limits{}, 40, math.Inf(1))
	if err != nil {
		t.Fatal(err)
	}
	want, all, reference := make([]float64, len(others)), 0.0, math.NaN()
	for v, own := range others {
		l := *c
		l.C = []*mat.Dense{own}
		for a := -20.0; a < 15; a += .1 {
			value, err := l.value(t.Context(), Sizes{a})
			if err != nil {
				t.Fatal(err)
			}
			if math.IsNaN(reference) {
				reference = value
			}
			density := math.Exp(reference-value+a/2) / (1 + math.Exp(a))
			want[v], all = want[v]+density, all+density
		}
	}
	plausible, err := c.Plausible(t.Context(), best, Limits{}, [][]*mat.Dense{others}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, len(others))
	for _, p := range plausible {
		got[p.Variants[0]] += p.Share
	}
	for v := range got {
		if !(math.Abs(got[v]-want[v]/all) <= .06) {
			t.Errorf("variant %d: probability %.3f, by integration %.3f", v, got[v], want[v]/all)
		}
	}
}
