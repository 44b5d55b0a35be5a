package posterior

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/mesh"
)

// coordinates are the steps of a point along each axis.
func coordinates(k int, shape []int) []int {
	at := make([]int, len(shape))
	for i := len(shape) - 1; i >= 0; i-- {
		at[i], k = k%shape[i], k/shape[i]
	}
	return at
}

// Points of one lattice are those whole strides apart on every axis, all lattices have numbers below their count, and the
// nearest of a lattice on each axis is the nearest by looking at all.
func TestLatticesOfPoints(t *testing.T) {
	for _, c := range []struct{ shape, strides []int }{
		{[]int{7}, []int{3}}, {[]int{5, 8}, []int{2, 3}}, {[]int{4, 3}, []int{4, 1}}, {[]int{3, 4, 5}, []int{2, 3, 2}}, {[]int{2, 9}, []int{1, 5}},
	} {
		n, count := productOf(c.shape), productOf(c.strides)
		seen := make([]int, count)
		for k := range n {
			number := latticeNumber(k, c.shape, c.strides)
			if number < 0 || number >= count {
				t.Fatalf("%+v: point %d is in lattice %d of %d", c, k, number, count)
			}
			seen[number]++
			for j := range n {
				same := true
				a, b := coordinates(j, c.shape), coordinates(k, c.shape)
				for i, s := range c.strides {
					same = same && (a[i]-b[i])%s == 0
				}
				if got := latticeNumber(j, c.shape, c.strides) == number; got != same {
					t.Fatalf("%+v: points %d and %d are in one lattice: %v", c, j, k, got)
				}
			}
			for number := range count {
				got := coordinates(nearest(k, number, c.shape, c.strides), c.shape)
				if of := latticeNumber(nearest(k, number, c.shape, c.strides), c.shape, c.strides); of != number {
					t.Fatalf("%+v: the nearest of lattice %d to point %d is in lattice %d", c, number, k, of)
				}
				for j := range n {
					if latticeNumber(j, c.shape, c.strides) != number {
						continue
					}
					at, other := coordinates(k, c.shape), coordinates(j, c.shape)
					for i, v := range got {
						if off := math.Abs(float64(v - at[i])); off > math.Abs(float64(other[i]-at[i])) {
							t.Fatalf("%+v: %v is not the nearest of lattice %d to %v, %v is nearer", c, got, number, at, other)
						}
					}
				}
			}
		}
		if slices.Contains(seen, 0) {
			t.Errorf("%+v: a lattice has no points: %v", c, seen)
		}
	}
	for at, shape := range map[int][]int{3: {7}, 4: {8}, 2*8 + 4: {5, 8}, (1*4+2)*5 + 2: {3, 4, 5}} {
		if got := middle(shape); got != at {
			t.Errorf("the middle of %v is %d, want %d", shape, got, at)
		}
	}
	line, cloud := mesh.Must(mesh.Uniform(0, 1, 3, "x")), mesh.Must(mesh.Scattered([]float64{0, 1, 2, 3}, 2, []float64{1, 1}, "y", "z"))
	if !gridded(line) || gridded(cloud) || gridded(testmain.Must(mesh.Product(line, cloud))(t)) {
		t.Error("lattices are of axes of one coordinate each")
	}
}

// Strides become as wide as it takes for the others of a point's lattice to have little to do with it, on the axis first where they
// are the least part of it; they never become narrower, nor wider than the mesh.
func TestStridesAreWideEnough(t *testing.T) {
	shape := []int{12, 6}
	at := middle(shape)
	decaying := func(a, b float64) []float64 {
		c := make([]float64, 72)
		for k := range c {
			p, q := coordinates(k, shape), coordinates(at, shape)
			c[k] = math.Exp(-a*math.Abs(float64(p[0]-q[0])) - b*math.Abs(float64(p[1]-q[1])))
		}
		return c
	}
	sum := func(strides []int, c []float64) float64 {
		s := 0.0
		for k, v := range c {
			if k != at && latticeNumber(k, shape, strides) == latticeNumber(at, shape, strides) {
				s += v * v
			}
		}
		return math.Sqrt(s)
	}
	for what, c := range map[string][]float64{"short": decaying(9, 9), "middling": decaying(1.5, 3), "long": decaying(.01, .01)} {
		strides := make([]int, 2)
		widen(strides, shape, c, at)
		if got := sum(strides, c); !(got <= probeContact) && !slices.Equal(strides, shape) {
			t.Errorf("%s: strides %v leave %g", what, strides, got)
		}
		before := []int{1, 1} // the strides that this grew through, in turn
		for !slices.Equal(before, strides) {
			if sum(before, c) <= probeContact {
				t.Errorf("%s: strides %v would do, got %v", what, before, strides)
				break
			}
			if before[1]*12 < before[0]*6 {
				before[1]++
			} else {
				before[0]++
			}
		}
		twice := make([]float64, len(c)) // in any unit
		floats.AddScaled(twice, 2, c)
		if again := slices.Clone(strides); again[0] > 0 {
			if widen(again, shape, twice, at); !slices.Equal(again, strides) {
				t.Errorf("%s: strides %v become %v", what, strides, again)
			}
		}
	}
	wide := []int{7, 2}
	if widen(wide, shape, decaying(9, 9), at); !slices.Equal(wide, []int{7, 2}) {
		t.Errorf("strides become narrower: %v", wide)
	}
}

// So many steps as there are eigenvalues with a part in the vector find them all, and not those without.
func TestLanczosFindsEigenvalues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	values := []float64{.5, 1, 3, 4.5, 7}
	var qr mat.QR
	var q mat.Dense
	qr.Factorize(mat.NewDense(5, 5, linop.Normal(rng, 25)))
	qr.QTo(&q)
	operator := func(v []float64) ([]float64, error) {
		var z mat.VecDense
		z.MulVec(q.T(), mat.NewVecDense(5, v))
		floats.Mul(z.RawVector().Data, values)
		z.MulVec(&q, mat.VecDenseCopyOf(&z))
		return z.RawVector().Data, nil
	}
	start := func(parts ...float64) []float64 {
		var v mat.VecDense
		v.MulVec(&q, mat.NewVecDense(5, parts))
		return v.RawVector().Data
	}
	for what, c := range map[string]struct {
		parts []float64
		steps int
		want  []float64
	}{
		"all":               {[]float64{1, -2, .5, 1, 3}, 5, values},
		"more steps":        {[]float64{1, -2, .5, 1, 3}, 9, values},
		"without two":       {[]float64{1, 0, .5, 0, 3}, 5, []float64{.5, 3, 7}},
		"nothing":           {make([]float64, 5), 5, nil},
		"rounding":          {[]float64{.9e-9, 0, 0, 0, 0}, 5, nil},
		"just not rounding": {[]float64{0, 0, 1.1e-9, 0, 0}, 5, []float64{3}},
	} {
		got, err := lanczos(t.Context(), start(c.parts...), c.steps, operator)
		if err != nil || len(got) != len(c.want) || len(got) > 0 && floats.Distance(got, c.want, math.Inf(1)) > 1e-12 {
			t.Errorf("%s: %v, want %v; %v", what, got, c.want, err)
		}
	}
	one, err := lanczos(t.Context(), start(1, 2, 0, 0, 0), 1, operator)
	if want := (.5 + 4) / 5; err != nil || len(one) != 1 || math.Abs(one[0]-want) > 1e-14 { // Rayleigh's quotient
		t.Errorf("one step: %v, want %g; %v", one, want, err)
	}
}

// Pivots are targets of which more is left than may be, those first of which most is, in the mean: never more than are tried
// together, and all where there are fewer.
func TestPivots(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	left, least := []float64{1, 3, 0, 2, .5}, []float64{1, 1, 0, .1, .25}
	counts := make([]int, len(left))
	for range 2000 {
		at := pivots(rng, left, least)
		if sorted := slices.Sorted(slices.Values(at)); !slices.Equal(sorted, []int{1, 3, 4}) {
			t.Fatalf("pivots %v", at)
		}
		counts[at[0]]++
	}
	for i, share := range map[int]float64{1: 3. / 25, 3: 20. / 25, 4: 2. / 25} { // of left over least
		if want := 2000 * share; math.Abs(float64(counts[i])-want) > 4*math.Sqrt(want*(1-share)) {
			t.Errorf("target %d is the first %d times, want %g", i, counts[i], want)
		}
	}
	many, one := linop.Ones(1000), make([]float64, 1000)
	for i := range one {
		one[i] = .5
		if i < 8 {
			one[i] = 1e-9
		}
	}
	at := pivots(rng, many, one)
	if len(at) != triedTogether || len(slices.Compact(slices.Sorted(slices.Values(at)))) != triedTogether {
		t.Errorf("%d pivots: %v", len(at), at)
	}
	for i := range 8 {
		if !slices.Contains(at[:8], i) {
			t.Errorf("target %d, of which nearly all is left, is not among the first: %v", i, at[:8])
		}
	}
}

// Rows of the factor are those of the pivots one after the other, each without what those before have of it; what is left of
// the variances is without them. A pivot of which the others leave a tenth waits.
func TestEliminationOfPivots(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	const n = 6
	b := mat.NewDense(n, n, linop.Normal(rng, n*n))
	for k := range n { // nearly the same as target 1
		b.Set(2, k, b.At(1, k)+.05*b.At(2, k))
	}
	var c mat.Dense
	c.Mul(b, b.T())
	at := []int{4, 1, 2}
	rows := mat.NewDense(3, n, nil)
	left, least := make([]float64, n), make([]float64, n)
	for i := range n {
		left[i], least[i] = c.At(i, i), .1*float64(i+1)
	}
	for r, i := range at {
		rows.SetRow(r, mat.Row(nil, i, &c))
	}
	got := eliminated(rows, at, left, least)
	if k, _ := got.Dims(); k != 2 {
		t.Fatalf("%d rows", k)
	}
	order := []int{4, 1}
	if c.At(1, 1)/least[1] > c.At(4, 4)/least[4] {
		order = []int{1, 4}
	}
	if c.At(2, 2)/least[2] > max(c.At(1, 1)/least[1], c.At(4, 4)/least[4]) {
		t.Fatal("the example is another one")
	}
	rest := mat.DenseCopyOf(&c)
	for r, i := range order {
		row := mat.Row(nil, i, rest)
		floats.Scale(1/math.Sqrt(row[i]), row)
		if d := floats.Distance(row, got.RawRowView(r), math.Inf(1)); !(d <= 1e-13) {
			t.Errorf("row %d is off by %g", r, d)
		}
		v := mat.NewVecDense(n, row)
		rest.RankOne(rest, -1, v, v)
	}
	for i, v := range left {
		want := rest.At(i, i)
		if slices.Contains(order, i) {
			want = 0
		}
		if !(math.Abs(v-want) <= 1e-12) {
			t.Errorf("%g is left of target %d, want %g", v, i, want)
		}
	}
	// what is left is rounding: nothing is taken, and they are not asked again
	left[0], left[3] = 1, 1
	none := eliminated(mat.NewDense(2, n, nil), []int{0, 3}, left, least)
	if r, _ := none.Dims(); r != 1 || mat.Norm(none, 2) != 0 || left[0] != 0 || left[3] != 0 {
		t.Errorf("%d rows, %v are left", r, left)
	}
}
