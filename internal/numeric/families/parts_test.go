package families

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The part of a kernel is its contribution to the variance of a mixture over kernels and their λ, as a mean over the points of
// what it is of the whole variance there, over its share. Those of which nothing counts, or is known, have the part 1.
func TestPartsInTheVarianceOfAMixture(t *testing.T) {
	of := func(shares []float64, all ...moments) plausible {
		p := plausible{}
		for i, s := range shares {
			p.lambdas, p.logs = append(p.lambdas, float64(i)), append(p.logs, math.Log(s)+5)
		}
		p.moments = func(_ context.Context, lambdas []float64) (out []moments, err error) {
			for _, l := range lambdas {
				out = append(out, all[int(l)])
			}
			return out, nil
		}
		return p
	}
	a, b := moments{[]float64{1, 2}, []float64{.5, 0}}, moments{[]float64{3, 2}, []float64{1, 0}}
	c := moments{[]float64{0, 2}, []float64{2, 0}}
	all := []plausible{
		of([]float64{.4, .2, 1e-4}, a, b, moments{[]float64{1e6, 0}, []float64{1e6, 1}}),
		of([]float64{.3}, c),
		of([]float64{1e-4}, b),
		of([]float64{.1}, moments{[]float64{math.NaN(), 0}, []float64{1, 0}}),
		of([]float64{.1}, moments{[]float64{0, 0}, []float64{math.Inf(1), 0}}),
	}
	if err := weigh(t.Context(), all, 5); err != nil {
		t.Fatal(err)
	}
	const known = .9
	mean := (.4*1 + .2*3) / known
	first := (.4*(.5+math.Pow(1-mean, 2)) + .2*(1+math.Pow(3-mean, 2))) / known
	second := .3 * (2 + mean*mean) / known
	whole := first + second // at the first point; at the second there is none
	for i, want := range []float64{first / whole / 2 / (.6 / known), second / whole / 2 / (.3 / known), 1, 1, 1} {
		if got := all[i].part; !(math.Abs(got-want) <= 1e-14) {
			t.Errorf("kernel %d: part %.15g, want %.15g", i, got, want)
		}
	}
}

// The rival is the likeliest to be better of those with a kink, or, beside a kink that is first, of all; a kink on one side is one
// only beside another on one side.
func TestRival(t *testing.T) {
	smooth, kink, oneSided := Choice{}, Choice{kink: true}, Choice{kink: true, oneSided: true}
	with := func(c Choice, share float64) Choice { c.Share = share; return c }
	for _, c := range []struct {
		all  []Choice
		want int // 0: none
	}{
		{[]Choice{smooth}, 0},
		{[]Choice{smooth, with(smooth, .4), with(kink, .1), with(kink, .2)}, 3},
		{[]Choice{smooth, with(kink, .2), with(kink, .1), with(oneSided, .3)}, 1},
		{[]Choice{smooth, with(smooth, .4), with(oneSided, .3)}, 0},
		{[]Choice{kink, with(smooth, .1), with(kink, .3), with(oneSided, .4)}, 2},
		{[]Choice{kink, with(smooth, .2), with(kink, .2)}, 1},
		{[]Choice{oneSided, with(smooth, .1), with(kink, .3), with(oneSided, .4)}, 3},
	} {
		want := (*Choice)(nil)
		if c.want > 0 {
			want = &c.all[c.want]
		}
		if got := Rival(c.all); got != want {
			t.Errorf("%+v: %+v, want number %d", c.all, got, c.want)
		}
	}
}

// Lengthscales begin with the first step of the grid that is no shorter than the spacing of the points, or where the coarse search
// does, and are moved one by one or together, within the grid.
func TestStepsOfLengthscales(t *testing.T) {
	for _, n := range []int{2, 5, 12, 13, 30, 90, 200} {
		s := newSide(mesh.Must(mesh.Uniform(3, 7, n, "x")), nil)
		first := s.first[0]
		if spacing := 1 / float64(n); first < firstStep && !(fraction(first) >= spacing) || first > 0 && !(fraction(first-1) < spacing) || first > firstStep {
			t.Errorf("%d points: from step %d, %g of the axis", n, first, fraction(first))
		}
		if got := s.lengthscale([]int{8}); len(got) != 1 || got[0] != .16 { // four hundredths of four
			t.Errorf("step 8 of an axis of 4 is %v", got)
		}
	}
	q := &search{x: &side{mesh: mesh.Must(mesh.Uniform(0, 1, 4, "x")), first: []int{5}}, y: &side{mesh: mesh.Must(mesh.Uniform(0, 1, 4, "y")), first: []int{9}}}
	for _, c := range []struct {
		i, by int
		want  []int
	}{{0, 4, []int{24, 30}}, {1, 4, []int{20, 34}}, {1, 9, []int{20, 38}}, {0, -16, []int{5, 30}}, {2, -18, []int{5, 12}}, {2, -30, []int{5, 9}}, {2, 8, []int{28, 38}}, {3, 8, []int{20, 30}}} {
		if got := q.moveOne([]int{20, 30}, c.i, c.by); !slices.Equal(got, c.want) {
			t.Errorf("number %d by %d: %v, want %v", c.i, c.by, got, c.want)
		}
	}
}

// On fine meshes modes are an orthonormal basis of a rough kernel around some of the points; on others they are all there is.
func TestModesOfFineMeshes(t *testing.T) {
	ctx := t.Context()
	line, few := mesh.Must(mesh.Uniform(2, 4, 2*mostModes, "y")), mesh.Must(mesh.Uniform(2, 4, mostModes, "y"))
	side := mesh.Must(mesh.Uniform(0, 3, 20, "b"))
	plane, err := mesh.Product(mesh.Must(mesh.Uniform(-1, 0, 20, "a")), side)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m     mesh.Mesh
		modes int
	}{{few, mostModes}, {line, mostModes}, {plane, mostJoint}} {
		s := &sample{}
		if err := s.makeModes(ctx, Data{Y: c.m}); err != nil {
			t.Fatal(err)
		}
		n, k := s.modes.Dims()
		if n != c.m.Size() || k != c.modes {
			t.Fatalf("%d points: modes of %d × %d", c.m.Size(), n, k)
		}
		var gram mat.Dense
		gram.Mul(s.modes.T(), s.modes)
		for i := range k {
			gram.Set(i, i, gram.At(i, i)-1)
		}
		if off := mat.Norm(&gram, 2); !(off <= 1e-12) {
			t.Errorf("%d points: modes are orthonormal to %g", n, off)
		}
		// The kernel around a point that is chosen: the seventh.
		p, q, w := make([]float64, c.m.Dim()), make([]float64, c.m.Dim()), c.m.Weights()
		c.m.Point(q, int(math.Mod(.5+6*.6180339887498949, 1)*float64(n)))
		g := mat.NewVecDense(n, nil)
		for i := range n {
			c.m.Point(p, i)
			d := 0.0
			for j, l := range boxLengths(c.m) {
				d = math.Hypot(d, math.Sqrt(3)*(p[j]-q[j])/(l/2))
			}
			g.SetVec(i, math.Sqrt(w[i])*(1+d)*math.Exp(-d))
		}
		var along, left mat.VecDense
		along.MulVec(s.modes.T(), g)
		left.MulVec(s.modes, &along)
		left.SubVec(g, &left)
		if off := mat.Norm(&left, 2) / mat.Norm(g, 2); !(off <= 1e-10) {
			t.Errorf("%d points: a kernel is in the span but for %g", n, off)
		}
	}
}

// What pairs with weights have in common is as that of their rows without the weighted mean, by one row fewer.
func TestRowsWithoutTheirMean(t *testing.T) {
	m, w, pairs := mat.NewDense(4, 3, []float64{1, 2, 5, 0, 1, -1, 3, 3, 2, 1, -4, 2}), []float64{1, 2, .5}, []float64{1, 2, .5, 3}
	for _, d := range []Data{{}, {Pairs: pairs}, {Centred: true}, {Centred: true, Pairs: pairs}} {
		got := d.scaled(m, w)
		rows, _ := got.Dims()
		of, total := []float64{1, 1, 1, 1}, 0.0
		if d.Pairs != nil {
			of = pairs
		}
		mean := make([]float64, 3)
		for i, p := range of {
			total += p * p
			for j := range mean {
				mean[j] += p * p * m.At(i, j)
			}
		}
		for j := range mean {
			if mean[j] /= total; !d.Centred {
				mean[j] = 0
			}
		}
		var gram mat.Dense
		gram.Mul(got.T(), got)
		for j := range 3 {
			for k := range 3 {
				want := 0.0
				for i, p := range of {
					want += p * p * (m.At(i, j) - mean[j]) * (m.At(i, k) - mean[k]) * w[j] * w[k] / 4
				}
				if !(math.Abs(gram.At(j, k)-want) <= 1e-12) {
					t.Errorf("centred %t, weights %v: entry %d, %d is %g, want %g", d.Centred, d.Pairs, j, k, gram.At(j, k), want)
				}
			}
		}
		if d.Centred != (rows == 3) {
			t.Errorf("centred %t: %d rows", d.Centred, rows)
		}
	}
}

// λ is the same from near it as from anywhere, and from a decade off on either side, where what is near ends at an end; there is none
// where nothing of the outputs is seen.
func TestBestLambda(t *testing.T) {
	ctx := t.Context()
	rows := &spectrum{values: []float64{.01, .3, 2, 5}, vectors: linop.Identity(4)}
	cols := &spectrum{values: []float64{.1, .5, 3}, vectors: linop.Identity(3)}
	s := &sample{pairs: 4, t: mat.NewDense(4, 3, nil)}
	s.t.Apply(func(i, j int, _ float64) float64 {
		return math.Sqrt(rows.values[i]*cols.values[j]+.03) * math.Sin(float64(1+5*i+3*j))
	}, s.t)
	p, err := newProduct(ctx, s, rows, cols)
	if err != nil {
		t.Fatal(err)
	}
	best, value := p.best(0)
	for _, by := range []float64{1, 2, .5, 1e2, 1e-2, 1e3, 1e-3, 1e20} {
		got, v := p.best(best * by)
		if !(math.Abs(math.Log10(got/best)) <= 2*fine) || !(v <= value+.01) {
			t.Errorf("from %g of it: λ = %g with %g, want %g with %g", by, got, v, best, value)
		}
	}
	rows.values = make([]float64, 4)
	if p, err = newProduct(ctx, s, rows, cols); err != nil {
		t.Fatal(err)
	}
	if got, v := p.best(1); got != 0 || !math.IsInf(v, 1) {
		t.Errorf("where nothing is seen: λ = %g with %g", got, v)
	}
}

// Of a factor that is nothing one column is kept, and of one of more columns than the data have numbers no more than these.
func TestFactorsOfNothingAreCompressed(t *testing.T) {
	nothing := &ramps{r: 2, q: 2, probes: mat.NewDense(3, 2, nil), parts: []*mat.Dense{mat.NewDense(2, 2, nil), mat.NewDense(2, 2, nil)}}
	if err := nothing.compress(t.Context(), 1e-9); err != nil || len(nothing.parts) != 1 {
		t.Errorf("%d columns of nothing: %v", len(nothing.parts), err)
	}
	var parts []*mat.Dense
	for i := range 6 {
		parts = append(parts, mat.NewDense(2, 2, []float64{1, float64(i), float64(i * i), math.Sin(float64(i))}))
	}
	many := &ramps{r: 2, q: 2, probes: mat.NewDense(3, 6, nil), parts: parts}
	if err := many.compress(t.Context(), 1e-12); err != nil || len(many.parts) != 4 {
		t.Fatalf("%d columns of four numbers: %v", len(many.parts), err)
	}
	for a := range 4 { // the sum of squares stays
		for b := range 4 {
			want, got := 0.0, 0.0
			for _, p := range parts {
				want += p.At(a/2, a%2) * p.At(b/2, b%2)
			}
			for _, p := range many.parts {
				got += p.At(a/2, a%2) * p.At(b/2, b%2)
			}
			if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("numbers %d and %d: %g, want %g", a, b, got, want)
			}
		}
	}
}

// A kernel of which the data show nothing, or infinitely much, has no likelihood to compare with that of others.
func TestLikelihoodOfNothing(t *testing.T) {
	for what, d := range map[string][]float64{"nothing": {0, 0, 0}, "overflow": {1, math.Inf(1), 1}} {
		p := &product{d: d}
		if lambdas, logs := p.marginal(); lambdas != nil || logs != nil {
			t.Errorf("%s: likelihoods %v at %v", what, logs, lambdas)
		}
	}
}
