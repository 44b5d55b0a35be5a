package inobserved

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// withGaps are n pairs of normal numbers, of which some outputs are missing: none of the second pair.
func withGaps(t *testing.T, n, mx, my int, missing ...int) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	of := func(m int) *array.Array { return &array.Array{Shape: []int{n, m}, Data: linop.Normal(rng, n*m)} }
	in, out := of(mx), of(my)
	for _, i := range missing {
		out.Data[i] = math.NaN()
	}
	return testmain.Must(dataset.New(dataset.Spec{
		Input: in, Output: out, InputMesh: mesh.Must(mesh.Uniform(0, 1, mx, "x")), OutputMesh: mesh.Must(mesh.Uniform(0, 2, my, "y")), Missing: true,
	}))(t)
}

func posed(t *testing.T, s *problem.Setting) *Problem {
	t.Helper()
	q := &problem.Question{Setting: s}
	if err := q.Hold(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	return testmain.Must(New(t.Context(), q))(t)
}

// For a kernel that is a product, with a factor of it for β, the preconditioner of complete data is their system, so that with few
// missing outputs it is the inverse of what was observed; for others it is near that.
func TestPreconditionerWithGaps(t *testing.T) {
	const n, my = 4, 5
	missing := []int{0, 3, 2*my + 1, 2*my + 2, 3*my + 4}
	for what, c := range map[string]struct {
		k, q kernel.Kernel
		to   float64
	}{
		"a product":    {kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, 1e-8},
		"without bias": {kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, nil, 1e-8},
	} {
		p := posed(t, &problem.Setting{Data: withGaps(t, n, 6, my, missing...), Kernel: c.k, Bias: c.q, Lambda: 1e-2, Rho: 5e-2})
		a, inverse, err := p.Equations(t.Context(), problem.At(1e-2, 5e-2))
		if err != nil {
			t.Fatal(err)
		}
		if got := inverse.(*observedPreconditioner).light; len(got) != len(missing) || got[2] != 2*my+1 {
			t.Fatalf("%s: missing %v", what, got)
		}
		z := linop.Normal(rand.New(rand.NewPCG(6, 3)), n*my)
		for _, i := range missing {
			z[i] = 0
		}
		az, got := make([]float64, n*my), make([]float64, n*my)
		a.Apply(t.Context(), az, z)
		for _, i := range missing {
			if az[i] != 0 {
				t.Errorf("%s: what is missing has %g", what, az[i])
			}
		}
		inverse.Apply(t.Context(), got, az)
		if off := floats.Distance(got, z, math.Inf(1)); !(off <= c.to) {
			t.Errorf("%s: off by %.1e", what, off)
		}
	}
}

// With the weights that a loss gives to values that are wrong the preconditioner is the inverse of the system, too, where all others
// count alike: these are like what is missing, beside some that is. Of many such values, which are no outliers, it is what errors are put
// on both sides of.
func TestPreconditionerOfLightValues(t *testing.T) {
	const n, my = 4, 5
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.4}}
	weights := array.New(n, my)
	for i := range weights.Data {
		weights.Data[i] = 1
	}
	weights.Data[2], weights.Data[my+4], weights.Data[3*my] = 1e-9, .3, 1e-4
	for _, c := range []struct {
		missing []int
		many    bool
		light   int
	}{{nil, false, 3}, {[]int{1, my, 2*my + 3}, false, 6}, {[]int{1}, true, 1}} {
		w := weights.Copy()
		for i := range 8 {
			if c.many {
				w.Data[2*i+2] = .1
			}
		}
		d := testmain.Must(withGaps(t, n, 6, my, c.missing...).WithErrors(&dataset.Errors{Values: w}))(t)
		p := posed(t, &problem.Setting{Data: d, Kernel: k, Bias: k, Lambda: 1e-2, Rho: 5e-2})
		a, inverse, err := p.Equations(t.Context(), problem.At(1e-2, 5e-2))
		if err != nil {
			t.Fatal(err)
		}
		if got := inverse.(*observedPreconditioner).light; len(got) != c.light {
			t.Fatalf("missing %v: light %v", c.missing, got)
		}
		z := linop.Normal(rand.New(rand.NewPCG(6, 3)), n*my)
		for _, i := range c.missing {
			z[i] = 0
		}
		az, got := make([]float64, n*my), make([]float64, n*my)
		a.Apply(t.Context(), az, z)
		inverse.Apply(t.Context(), got, az)
		if off := floats.Distance(got, z, math.Inf(1)); (off <= 1e-8) == c.many {
			t.Errorf("missing %v: off by %.1e", c.missing, off)
		}
	}
}

// Directions of the complete data, where they were observed, are the transpose of what takes data apart into them; rows of the
// inputs and roots make the covariance of what was observed, with the weights of a sum of data.
func TestDirectionsWithGaps(t *testing.T) {
	const n, mx, my = 4, 6, 5
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.4}}
	d := withGaps(t, n, mx, my, 0, 3, 11)
	d = testmain.Must(d.WithErrors(&dataset.Errors{Pairs: []float64{1, 2, .5, 3}}))(t)
	at := problem.At(1e-2, 5e-2)
	p := posed(t, &problem.Setting{Data: d, Kernel: k, Bias: k, Lambda: at.Lambda, Rho: at.Rho})
	a, _, err := p.Equations(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(6, 4))
	c, z := linop.Normal(rng, n*my), linop.Normal(rng, n*my)
	if x, y := floats.Dot(p.Lift(t.Context(), c), z), floats.Dot(c, p.Components(t.Context(), z)); math.Abs(x-y) > 1e-12 {
		t.Errorf("⟨lift c, z⟩ = %g, ⟨c, components z⟩ = %g", x, y)
	}
	b, rdy, roots := p.RowsOf(t.Context())
	w := p.Spread(t.Context(), z)
	for j := range mx + 1 {
		for l := range my {
			want := 0.0
			for i := range n {
				want += b.At(i, j) * rdy[l] * roots[i*my+l] * z[i*my+l]
			}
			if got := w.At(j, l); math.Abs(got-want) > 1e-12 {
				t.Errorf("weight %d, %d: %g, want %g", j, l, got, want)
			}
		}
	}
	// S K̄ Sᵀ + I, by the kernel itself
	f, x, y := func(r float64) float64 { return math.Exp(-r * r / (2 * .4 * .4)) }, d.InputMesh.Points(), d.OutputMesh.Points()
	h := mat.NewDense(n*my, n*my, nil)
	for r := range n * my {
		for s := range n * my {
			ky, sum := f(y[r%my]-y[s%my]), 0.0
			for i := range mx {
				for j := range mx {
					sum += b.At(r/my, i) * b.At(s/my, j) * f(x[i]-x[j]) / at.Lambda
				}
			}
			sum += b.At(r/my, mx) * b.At(s/my, mx) / at.Rho
			v := sum * ky * rdy[r%my] * rdy[s%my] * roots[r] * roots[s]
			if r == s {
				v++
			}
			h.Set(r, s, v)
		}
	}
	az := make([]float64, n*my)
	a.Apply(t.Context(), az, z)
	var want mat.VecDense
	want.MulVec(h, mat.NewVecDense(n*my, z))
	if off := floats.Distance(az, want.RawVector().Data, math.Inf(1)); !(off <= 1e-9*mat.Norm(&want, math.Inf(1))) {
		t.Errorf("the system is off by %.1e", off)
	}
	if p.Mixed() || p.Observed() != n*my-3 {
		t.Errorf("mixed %v, %d values", p.Mixed(), p.Observed())
	}
	v := testmain.Must(p.Values(t.Context(), at))(t)
	if len(v.T) != n*my-3 || v.Pair[0] != 0 || v.Point[0] != 1 || v.Point[2] != 4 {
		t.Errorf("%+v", v)
	}
	for i := range v.T {
		for j := range v.T {
			r, s := v.Pair[i]*my+v.Point[i], v.Pair[j]*my+v.Point[j]
			if off := v.Covariance.At(i, j) - h.At(r, s); !(math.Abs(off) <= 1e-9*h.At(r, r)) {
				t.Errorf("values %d and %d: %g, want %g", i, j, v.Covariance.At(i, j), h.At(r, s))
			}
		}
	}
}

// Values of little weight are treated as missing ones where they are up to a quarter of those that were observed, no more than can be
// factored, and errors are not correlated; otherwise what is missing is, where that can be factored.
func TestValuesThatAreTreatedAsMissing(t *testing.T) {
	some := func(missing, light, full int) []float64 {
		heavy := math.Sqrt(.5) * (1 + 1e-9)
		return slices.Concat(make([]float64, missing), slices.Repeat([]float64{math.Sqrt(.49)}, light), slices.Repeat([]float64{heavy}, full))
	}
	for _, c := range []struct{ missing, light, full, want int }{
		{0, 0, 4, 0},
		{2, 1, 3, 3},
		{2, 2, 5, 2}, // more than a quarter
		{0, 2, 5, 0},
		{MaxSchur - 5, 5, 15, MaxSchur},
		{MaxSchur - 4, 5, 15, MaxSchur - 4}, // too many together
		{MaxSchur, 0, 4, MaxSchur},
		{MaxSchur + 1, 0, 4, 0},
		{MaxSchur + 1, 1, 4, 0},
	} {
		got := observed{D: &outputs.Whitening{Scale: some(c.missing, c.light, c.full)}}.light()
		if len(got) != c.want {
			t.Errorf("%+v: %d are treated as missing", c, len(got))
		}
		for at, i := range got {
			if at != i {
				t.Errorf("%+v: number %d is %d", c, at, i)
				break
			}
		}
	}
}

// What the preconditioner will know by its weight is told beforehand, and how far the weights of the others are apart.
func TestOutlookOfWeights(t *testing.T) {
	d := withGaps(t, 5, 3, 4, 4, 5, 17)
	values := func(change func(i int) float64) *dataset.Dataset {
		own := *d
		w := array.New(5, 4)
		for i := range w.Data {
			w.Data[i] = change(i)
		}
		own.Errors = &dataset.Errors{Values: w}
		return &own
	}
	complete := *withGaps(t, 5, 3, 4)
	complete.Missing = false
	covariance := *d
	covariance.Errors = &dataset.Errors{Covariance: mat.NewSymDense(4, linop.Identity(4).RawMatrix().Data), Points: []float64{1, 2, 3, 4}}
	for what, c := range map[string]struct {
		of    *dataset.Dataset
		known int
		apart float64
	}{
		"nothing":             {&complete, 0, 1},
		"missing":             {d, 3, 1},
		"one is light":        {values(func(i int) float64 { return 1 - .75*float64(i/19) }), 4, 1},
		"heavier and lighter": {values(func(i int) float64 { return []float64{2, .25}[i%2] }), 3, 8},
		"and one is light":    {values(func(i int) float64 { return []float64{2, 1}[i%2] - .9*float64(i/19) }), 4, 2},
		"a covariance":        {&covariance, 3, 1},
	} {
		if known, apart := Outlook(c.of); known != c.known || math.Abs(apart-c.apart) > 1e-12*c.apart {
			t.Errorf("%s: %d known, the others apart by %g, want %d and %g", what, known, apart, c.known, c.apart)
		}
	}
}
