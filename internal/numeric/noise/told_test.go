package noise

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// curvy is pairs with a covariance, weights of the pairs, an output that is missing and points of some quadrature
// weights, of a fit with given penalties.
func curvy(t *testing.T, n int, weights ...float64) *noisy {
	t.Helper()
	x := mesh.Must(mesh.Uniform(0, 1, 4, "x"))
	y := mesh.Must(mesh.Scattered([]float64{0, .3, .4, 1}, 1, weights, "y"))
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

// byDefinition is what a fit leaves of each value of noise in data that are zero otherwise, of noise that is correlated with that value
// as the covariance C has it: C⁻¹RC, and RC.
func (f *noisy) byDefinition(t *testing.T) (sharp, flat []float64) {
	t.Helper()
	w, scale := f.whitening(t), scales(f.spec.Data)
	sharp, flat = make([]float64, len(scale)), make([]float64, len(scale))
	for i := range scale {
		if !w.Seen(i) || scale[i] == 0 {
			continue
		}
		one, d := make([]float64, len(scale)), *f.spec.Data
		one[i] = 1
		w.BackAdjoint(one)
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
		for j, v := range z {
			if math.IsNaN(v) {
				z[j] = 0
			}
		}
		flat[i] = z[i]
		w.Forward(z)
		w.Adjoint(z)
		sharp[i] = z[i]
	}
	return sharp, flat
}

// What a fit leaves of noise that is correlated in a pair is that of its definition, computed as well as found from random signs.
func TestWhatIsLeftOfCurves(t *testing.T) {
	for n, allowed := range map[int]float64{5: 1e-7, 3: .25} { // of three pairs it is found from signs
		f := curvy(t, n, 1, 0, .5, 2)
		sharp, flat := f.byDefinition(t)
		for by, want := range map[squared][]float64{precise: sharp, plain: flat} {
			got, err := f.left(t.Context(), 100, f.whitening(t), by)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range want {
				if !(math.Abs(got[i]-v) <= allowed) {
					t.Errorf("%d pairs, plain %v: of value %d %.10g is left, by definition %.10g", n, by, i, got[i], v)
				}
			}
		}
	}
}

// variance is that of white noise that is likeliest at these penalties: yᵀ P y of data y, with P y = C⁻¹ z, over their number less one for the free constant.
func (f *noisy) variance(t *testing.T) float64 {
	t.Helper()
	z, err := f.residuals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	y, w, count := scales(f.spec.Data), f.whitening(t), -1.0
	for i, v := range f.spec.Data.Output.Data {
		if y[i] *= v; math.IsNaN(z[i]) {
			y[i], z[i] = 0, 0
		} else {
			count++
		}
	}
	w.Forward(z)
	w.Adjoint(z)
	return floats.Dot(y, z) / count
}

// What squares have beyond their degrees of freedom is what the likelihood gains by another variance: of a point, or of a pair.
func TestSquaresTellWhatIsLikelier(t *testing.T) {
	f := curvy(t, 5, 1, .7, .5, 2)
	given := f.spec.Data.Errors
	given.Points = []float64{2, 1, .5, 1}
	var err error
	if f.est, err = fit.Fit(t.Context(), f.spec); err != nil {
		t.Fatal(err)
	}
	own, err := f.tell(t.Context(), f.whitening(t))
	if err != nil {
		t.Fatal(err)
	}
	reml := func(times float64, of func(e *dataset.Errors) *float64) float64 {
		e := *given
		e.Pairs, e.Points = slices.Clone(e.Pairs), slices.Clone(e.Points)
		*of(&e) *= times
		s, d := f.spec, *f.spec.Data
		d.Errors, s.Data = &e, &d
		own, err := fit.Fit(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		r, err := own.Report.Measured(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return *r.REML
	}
	unit := f.variance(t)
	slope := func(of func(e *dataset.Errors) *float64) float64 {
		const h = 1e-4
		return (reml(math.Exp(-h), of) - reml(math.Exp(h), of)) / (2 * h)
	}
	for k := range 4 {
		want := 0.0
		for i := range 5 {
			want += (own.freedom[4*i+k] - own.squares[4*i+k]/unit) / 2
		}
		if got := slope(func(e *dataset.Errors) *float64 { return &e.Points[k] }); !(math.Abs(got-want) <= 1e-5) {
			t.Errorf("point %d: the likelihood falls by %.8g, by squares %.8g", k, got, want)
		}
	}
	for i := range 5 {
		want := 0.0
		for k := range 4 {
			want += (own.freedom[4*i+k] - own.squares[4*i+k]/unit) / 2
		}
		if got := slope(func(e *dataset.Errors) *float64 { return &e.Pairs[i] }); !(math.Abs(got-want) <= 1e-5) {
			t.Errorf("pair %d: the likelihood falls by %.8g, by squares %.8g", i, got, want)
		}
	}
}
