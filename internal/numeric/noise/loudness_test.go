package noise

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// How loud curves are is found as if their values were independent: of twelve values each, the logarithms of variances to 0.43,
// where the values as they are tell as much as about three; and how loud they are at a point, by the squares of all pairs. Both are over
// the weights given, whatever those in the fit are; of points near by.
func TestLoudnessOfCurves(t *testing.T) {
	const n, m = 200, 12
	y := mesh.Must(mesh.Uniform(0, 1, m, "y"))
	c := curves{open: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Auto}}.with(y, .3, 30)
	covariance, err := c.covariance(t.Context(), y)
	if err != nil {
		t.Fatal(err)
	}
	var root mat.Cholesky
	if !root.Factorize(covariance) {
		t.Fatal("covariance")
	}
	var l mat.TriDense
	root.LTo(&l)
	rng := rand.New(rand.NewPCG(1, 2))
	in, out := array.New(n, m), array.New(n, m)
	want, given, present := make([]float64, n), make([]float64, n), make([]float64, n)
	along, points := make([]float64, m), make([]float64, m)
	for k := range along {
		along[k] = 3 * math.Sin(float64(k*k))
		points[k] = math.Exp(.1*rng.NormFloat64() - along[k])
	}
	for i := range n {
		size, z := 1.0, mat.NewVecDense(m, nil)
		if i%4 == 0 {
			size = 6.5
		}
		for k := range m {
			z.SetVec(k, rng.NormFloat64())
			in.Data[i*m+k] = rng.NormFloat64()
		}
		z.MulVec(&l, z)
		for k, v := range z.RawVector().Data {
			out.Data[i*m+k] = size * math.Exp(along[k]/2) * v
		}
		given[i], present[i] = math.Exp(rng.NormFloat64()), math.Exp(rng.NormFloat64())
		want[i] = 2*math.Log(size) + math.Log(given[i])
	}
	floats.AddConst(-floats.Sum(want)/n, want)
	errors := &dataset.Errors{Pairs: present, Points: points, Covariance: covariance}
	d, err := dataset.New(dataset.Spec{Input: in, Output: out, InputMesh: mesh.Must(mesh.Uniform(0, 1, m, "x")), OutputMesh: y})
	if err != nil {
		t.Fatal(err)
	}
	if d, err = d.WithErrors(errors); err != nil {
		t.Fatal(err)
	}
	f := &noisy{spec: fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}, Lambda: 1e9, Rho: 1e9, NoBias: true}, errors: errors}
	if f.est, err = fit.Fit(t.Context(), f.spec); err != nil {
		t.Fatal(err)
	}
	p, numbers, err := f.loudness(t.Context(), &dataset.Errors{Pairs: given})
	if err != nil {
		t.Fatal(err)
	}
	if off := floats.Distance(p.pairs, want, 2) / math.Sqrt(n); !(off <= 1.1*math.Sqrt(mathext.Zeta(2, m/2.))) || !(numbers.pairs >= n/2) || !(numbers.pairs <= n) {
		t.Errorf("logarithms of variances are off by %.3g, of %.0f numbers", off, numbers.pairs)
	}
	floats.AddConst(-floats.Sum(along)/m, along)
	allowed := 1.3 * math.Sqrt(2./n) // of the logarithm of the mean of n squares
	if off := floats.Distance(p.points, along, 2) / math.Sqrt(m); !(off <= allowed) || !(numbers.points >= m/2) || !(numbers.points <= m) {
		t.Errorf("logarithms of variances of points are off by %.3g, as their errors have it %.3g, of %.1f numbers", off, allowed/1.3, numbers.points)
	}
}

// Points of which nothing is known, for they have no weight, are as loud as those near them.
func TestLoudnessWithoutWeight(t *testing.T) {
	f := curvy(t, 5, 1, 0, .5, 2)
	p, numbers, err := f.loudness(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if most := floats.Norm(append(p.pairs, p.points...), math.Inf(1)); !(most < 10) || !(numbers.all() < 8) {
		t.Errorf("pairs %v, points %v by %.3g numbers", p.pairs, p.points, numbers.all())
	}
}

// The variances of each part of the output are those that fit the squares and the degrees of freedom of its residuals, by the
// distances of its own points.
func TestVariancesOfEachPart(t *testing.T) {
	f := curvy(t, 6, 1, 0, .5, 2)
	f.parts = 2
	f.spec.Data.Errors, f.errors = nil, nil
	ctx := t.Context()
	z, err := f.residuals(ctx)
	if err != nil {
		t.Fatal(err)
	}
	left, err := f.left(ctx, probes, nil, precise)
	if err != nil {
		t.Fatal(err)
	}
	v := newVariances(6, 4, 2)
	for part := range v {
		for i := range 6 {
			v[part].pairs[i] = .3 * math.Sin(float64(i+part))
		}
		v[part].points[0], v[part].points[1] = .2, -.2
	}
	got, numbers, err := v.next(ctx, f)
	if err != nil {
		t.Fatal(err)
	}
	y, total := f.spec.Data.OutputMesh.Points(), 0.0
	for part, p := range v {
		squares, freedom := make([]float64, 12), make([]float64, 12)
		for i := range 6 {
			for k := range 2 {
				at := 4*i + 2*part + k
				if !math.IsNaN(z[at]) {
					squares[2*i+k] = z[at] * z[at] * math.Exp(p.pairs[i]+p.points[k])
					freedom[2*i+k] = max(left[at], 0)
				}
			}
		}
		want, used, err := p.fitted(ctx, squares, freedom, func(i, j int) float64 { return math.Abs(y[2*part+i] - y[2*part+j]) })
		if err != nil {
			t.Fatal(err)
		}
		if d := got[part].change(want); !(d <= 1e-12) || want.change(p) == 0 {
			t.Errorf("part %d: logarithms are off by %g", part, d)
		}
		total += used.all()
	}
	if !(math.Abs(numbers.all()-total) <= 1e-12) || total == 0 {
		t.Errorf("%g numbers, want %g", numbers.all(), total)
	}
}

// Fits for the noise choose λ by the likelihood, unless that is to be by GCV, with the kernel of the first fit.
func TestFitsForTheNoise(t *testing.T) {
	f := curvy(t, 6, 1, 0, .5, 2)
	for was, want := range map[fit.Criterion]fit.Criterion{"": fit.REML, fit.REML: fit.REML, fit.LOO: fit.REML, fit.GCV: fit.GCV} {
		s := f.spec
		s.Criterion, s.Kernels, s.Kernel = was, []kernel.Kernel{kernel.SE{Lengthscale: kernel.Auto}}, nil
		own, err := begin(t.Context(), s, f.est)
		if err != nil {
			t.Fatal(err)
		}
		if got := own.spec; got.Criterion != want || got.Kernels != nil || got.Kernel == nil || own.errors != s.Data.Errors {
			t.Errorf("criterion %q is %q, kernel %v", was, got.Criterion, got.Kernel)
		}
	}
}

// Of the rounds, up to the one that changes hardly anything, the likeliest is taken; errors that are alike are left as they are.
func TestLikeliestOfTheRounds(t *testing.T) {
	ctx := t.Context()
	x := mesh.Must(mesh.Uniform(0, 1, 4, "x"))
	in, out := array.New(12, 4), array.New(12, 4)
	for i := range in.Data {
		in.Data[i] = math.Sin(float64(7 * i * i))
		out.Data[i] = in.Data[i] + []float64{.01, .1, 1, 3}[i%4]*math.Cos(float64(3*i*i))
	}
	d, err := dataset.New(dataset.Spec{Input: in, Output: out, InputMesh: x, OutputMesh: x})
	if err != nil {
		t.Fatal(err)
	}
	white, err := (&noisy{spec: fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}, Criterion: fit.REML}}).at(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	best, numbers, err := diagonal(ctx, white)
	if err != nil {
		t.Fatal(err)
	}
	f, v, want, asked := white, newVariances(12, 4, 1), math.Inf(1), 0.0
	for range rounds {
		next, used, err := v.next(ctx, f)
		if err != nil {
			t.Fatal(err)
		}
		change := next.change(v)
		v = next
		if f, err = f.at(ctx, v.errors(nil)); err != nil {
			t.Fatal(err)
		}
		if f.reml < want {
			want, asked = f.reml, used.all()
		}
		if change < settledLog {
			break
		}
	}
	if best.reml != want || numbers.all() != asked || !(want < white.reml-10) {
		t.Errorf("REML %g with %g numbers, of the rounds %g with %g; of white noise %g", best.reml, numbers.all(), want, asked, white.reml)
	}
	if d, err = dataset.New(dataset.Spec{Input: in, Output: array.New(12, 4), InputMesh: x, OutputMesh: x}); err != nil {
		t.Fatal(err)
	}
	none, err := (&noisy{spec: fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}, Lambda: 1e-2, Rho: 1e-1}}).at(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if same, numbers, err := diagonal(ctx, none); err != nil || same != none || numbers.all() != 0 {
		t.Errorf("of nothing: other errors, by %g numbers (%v)", numbers.all(), err)
	}
}

// Squares tell how loud points are beside one another, in all units; squares that are the same for each degree of freedom tell that
// all points are as loud, however many degrees of freedom each has.
func TestLoudnessAlongTheOutputIsRelative(t *testing.T) {
	f := curvy(t, 5)
	rng := rand.New(rand.NewPCG(4, 5))
	freedom := make([]float64, 20)
	for at := range freedom {
		freedom[at] = math.Pow(4, -float64(at%4)) * (.5 + .5*rng.Float64())
	}
	along := func(square func(at int) float64) []float64 {
		squares := make([]float64, 20)
		for at := range squares {
			squares[at] = square(at)
		}
		logs, _, err := f.along(t.Context(), told{squares, freedom}, make([]float64, 4))
		if err != nil {
			t.Fatal(err)
		}
		return logs
	}
	even := along(func(at int) float64 { return 3 * freedom[at] })
	if loudest := floats.Max(even) - floats.Min(even); !(loudest <= 1e-9) {
		t.Errorf("points that are as loud as one another are said to be %v louder", even)
	}
	loud := func(unit float64) []float64 {
		return along(func(at int) float64 { return unit * freedom[at] * math.Pow(9, float64(at%4)) })
	}
	want := loud(1)
	if floats.Max(want)-floats.Min(want) < .1 {
		t.Errorf("points are %v louder than one another", want)
	}
	for _, unit := range []float64{1e-9, 1e9} {
		if got := loud(unit); !(floats.Distance(got, want, math.Inf(1)) <= 1e-9) {
			t.Errorf("in a unit of %g points are %v louder, want %v", unit, got, want)
		}
	}
}

// A noise along the output is looked for at the penalties of REML where leaving out pairs is asked for: as these would be predicted it is
// not known before.
func TestVariancesAreFoundByLikelihood(t *testing.T) {
	f := curvy(t, 6)
	s := fit.Spec{Data: f.spec.Data, Kernel: f.spec.Kernel}
	var of [3]*dataset.Errors
	var numbers [3]float64
	for i, by := range []criteria.Criterion{fit.REML, fit.LOO, ""} {
		var err error
		s.Criterion = by
		if of[i], numbers[i], err = Vary(t.Context(), s, 1); err != nil {
			t.Fatal(err)
		}
		if numbers[i] != numbers[0] || len(of[i].Pairs) != len(of[0].Pairs) || floats.Distance(of[i].Pairs, of[0].Pairs, 2) != 0 {
			t.Errorf("by %q %v of %g numbers, by the likelihood %v of %g", by, of[i].Pairs, numbers[i], of[0].Pairs, numbers[0])
		}
	}
}
