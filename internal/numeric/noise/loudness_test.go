package noise

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// curvy is pairs with a covariance, weights of the pairs, an output that is missing and a point without quadrature
// weight, of a fit with given penalties.
func curvy(t *testing.T, n int) *noisy {
	t.Helper()
	x := mesh.Must(mesh.Uniform(0, 1, 4, "x"))
	y := mesh.Must(mesh.Scattered([]float64{0, .3, .4, 1}, 1, []float64{1, 0, .5, 2}, "y"))
	in, out, pairs := array.New(n, 4), array.New(n, 4), make([]float64, n)
	for i := range in.Data {
		in.Data[i], out.Data[i] = math.Sin(float64(7*i*i)), math.Cos(float64(3*i*i))
	}
	for i := range pairs {
		pairs[i] = math.Exp(math.Sin(float64(3 * i)))
	}
	out.Data[2] = math.NaN()
	d, err := dataset.New(dataset.Spec{Input: in, Output: out, InputMesh: x, OutputMesh: y, Missing: true})
	if err != nil {
		t.Fatal(err)
	}
	c := mat.NewSymDense(4, nil)
	for i, p := range y.Points() {
		for j, q := range y.Points() {
			c.SetSym(i, j, 2*math.Exp(-math.Abs(p-q)))
		}
		c.SetSym(i, i, 3)
	}
	errors := &dataset.Errors{Pairs: pairs, Covariance: c}
	if d, err = d.WithErrors(errors); err != nil {
		t.Fatal(err)
	}
	f := &noisy{spec: fit.Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.5}}, Lambda: 1e-2, Rho: 1e-1, Intercept: fit.Flat}, errors: errors}
	if f.est, err = fit.Fit(t.Context(), f.spec); err != nil {
		t.Fatal(err)
	}
	return f
}

// whitening is that of the covariance alone.
func (f *noisy) whitening(t *testing.T) *outputs.Whitening {
	t.Helper()
	w, err := f.curvesWhitening(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// byDefinition is what a fit leaves of white noise of each pair: of one value after the other, in data that are zero otherwise.
func (f *noisy) byDefinition(t *testing.T) []float64 {
	t.Helper()
	w, scale := f.whitening(t), scales(f.spec.Data)
	my := f.spec.Data.OutputMesh.Size()
	out := make([]float64, f.spec.Data.N())
	for i := range scale {
		if !w.Seen(i) || scale[i] == 0 {
			continue
		}
		one, d := make([]float64, len(scale)), *f.spec.Data
		one[i] = 1
		w.Back(one)
		d.Output = d.Output.Copy()
		for j, v := range d.Output.Data {
			if d.Output.Data[j] = 0 * v; scale[j] > 0 && !math.IsNaN(v) {
				d.Output.Data[j] = one[j] / scale[j]
			}
		}
		s := f.spec
		s.Data = &d
		e, err := fit.Minimise(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		z, err := residuals(t.Context(), e, &d)
		if err != nil {
			t.Fatal(err)
		}
		whiten(w, z)
		out[i/my] += z[i]
	}
	return out
}

// What a fit leaves of noise that is correlated in a pair is that of its definition, computed as well as found from random signs.
func TestWhatIsLeftOfCurves(t *testing.T) {
	for n, allowed := range map[int]float64{5: 1e-7, 3: .25} { // of three pairs it is found from signs
		f := curvy(t, n)
		want := f.byDefinition(t)
		got, err := f.left(t.Context(), 100, f.whitening(t))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want {
			if own := floats.Sum(got[4*i : 4*i+4]); math.Abs(own-v) > allowed {
				t.Errorf("%d pairs: of pair %d %.10g is left, by definition %.10g", n, i, own, v)
			}
		}
	}
}

// How loud curves are is found as if their values were independent: of twelve values each, the logarithms of variances to 0.43,
// where the values as they are tell as much as about three. They are over the weights given, whatever those in the fit are.
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
		floats.AddScaled(out.Data[i*m:(i+1)*m], size, z.RawVector().Data)
		given[i], present[i] = math.Exp(rng.NormFloat64()), math.Exp(rng.NormFloat64())
		want[i] = 2*math.Log(size) + math.Log(given[i])
	}
	floats.AddConst(-floats.Sum(want)/n, want)
	errors := &dataset.Errors{Pairs: present, Covariance: covariance}
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
	logs, numbers, err := f.loudness(t.Context(), &dataset.Errors{Pairs: given})
	if err != nil {
		t.Fatal(err)
	}
	if off := floats.Distance(logs, want, 2) / math.Sqrt(n); off > 1.1*math.Sqrt(mathext.Zeta(2, m/2.)) || numbers < n/2 || numbers > n {
		t.Errorf("logarithms of variances are off by %.3g, of %.0f numbers", off, numbers)
	}
}

// The variances of each part of the output are those that fit the squares and the degrees of freedom of its residuals, by the
// distances of its own points.
func TestVariancesOfEachPart(t *testing.T) {
	f := curvy(t, 6)
	f.parts = 2
	f.spec.Data.Errors, f.errors = nil, nil
	ctx := t.Context()
	z, err := f.residuals(ctx)
	if err != nil {
		t.Fatal(err)
	}
	left, err := f.left(ctx, probes, nil)
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
		if d := got[part].change(want); d > 1e-12 || want.change(p) == 0 {
			t.Errorf("part %d: logarithms are off by %g", part, d)
		}
		total += used.all()
	}
	if math.Abs(numbers.all()-total) > 1e-12 || total == 0 {
		t.Errorf("%g numbers, want %g", numbers.all(), total)
	}
}

// Fits for the noise choose λ by the likelihood, unless that is to be by GCV, with the kernel of the first fit.
func TestFitsForTheNoise(t *testing.T) {
	f := curvy(t, 6)
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
