package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// curveOracle is a fit to curves on points of their own, from its definition: with the trapezoid
// weights w of each input, the objective is
//
//	(1/n) Σ_i Σ_k v(y_ik) (u_ik - β(y_ik) - Σ_a w_ia f_ia G(x_ia, y_ik))² + λ ‖G‖² + ρ ‖β‖²,
//
// v(y) = n / Σ_j 1/(length of the cell of curve j that holds y). Nothing but kernel values is
// shared with the estimator.
type curveOracle struct {
	in, out     []dataset.Curve
	k           func(x, y, x2, y2 float64) float64
	q           func(y, y2 float64) float64 // nil: no bias
	lambda, rho float64
	flat        bool

	pair []int
	y    []float64
	root []float64
	u    []float64
	w    [][]float64 // of the inputs, times their values

	h       *mat.SymDense
	factors mat.Cholesky
	z, c    *mat.VecDense
	b       float64
	size    float64
}

func (o *curveOracle) solve(t *testing.T) {
	t.Helper()
	n := float64(len(o.in))
	for i, f := range o.in {
		w := make([]float64, len(f.Points))
		for a := range w {
			if a > 0 {
				w[a] += (f.Points[a] - f.Points[a-1]) / 2
			}
			if a+1 < len(w) {
				w[a] += (f.Points[a+1] - f.Points[a]) / 2
			}
			w[a] *= f.Values[a]
		}
		o.w = append(o.w, w)
		for k, y := range o.out[i].Points {
			o.pair, o.y, o.u = append(o.pair, i), append(o.y, y), append(o.u, o.out[i].Values[k])
			o.root = append(o.root, math.Sqrt(o.weight(y)/n))
		}
	}
	m := len(o.y)
	o.h = mat.NewSymDense(m, nil)
	t1, c := mat.NewVecDense(m, nil), mat.NewVecDense(m, nil)
	for a := range m {
		t1.SetVec(a, o.root[a]*o.u[a])
		c.SetVec(a, o.root[a])
		for b := a; b < m; b++ {
			o.h.SetSym(a, b, o.root[a]*o.root[b]*o.cov(o.weighted(a), o.y[a], 1, o.weighted(b), o.y[b], 1))
		}
		o.h.SetSym(a, a, o.h.At(a, a)+1)
	}
	if !o.factors.Factorize(o.h) {
		t.Fatal("not positive definite")
	}
	o.z = mat.NewVecDense(m, nil)
	_ = o.factors.SolveVecTo(o.z, t1)
	if o.flat {
		o.c = mat.NewVecDense(m, nil)
		_ = o.factors.SolveVecTo(o.c, c)
		o.size = mat.Dot(c, o.c)
		o.b = mat.Dot(c, o.z) / o.size
		o.z.AddScaledVec(o.z, -o.b, o.c)
	}
}

// weight is v(y).
func (o *curveOracle) weight(y float64) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range o.out {
		lo, hi = min(lo, slices.Min(c.Points)), max(hi, slices.Max(c.Points))
	}
	sum := 0.0
	for _, c := range o.out {
		left, right := lo, hi
		for a := 1; a < len(c.Points); a++ {
			if middle := (c.Points[a-1] + c.Points[a]) / 2; middle < y {
				left = middle
			} else {
				right = middle
				break
			}
		}
		sum += 1 / (right - left)
	}
	return float64(len(o.out)) / sum
}

// functional is what a value is of G: weights at points.
type functional struct{ x, w []float64 }

func (o *curveOracle) weighted(a int) functional {
	return functional{o.in[o.pair[a]].Points, o.w[o.pair[a]]}
}

// cov is the covariance of two values, b times the bias.
func (o *curveOracle) cov(f functional, y, b float64, g functional, y2, b2 float64) float64 {
	sum := 0.0
	for i, x := range f.x {
		for j, x2 := range g.x {
			sum += f.w[i] * g.w[j] * o.k(x, y, x2, y2)
		}
	}
	sum /= o.lambda
	if o.q != nil {
		sum += b * b2 * o.q(y, y2) / o.rho
	}
	return sum
}

// value is what is learned of a functional and the bias at y, and its standard deviation.
func (o *curveOracle) value(f functional, y, b float64) (v, std float64) {
	m := len(o.y)
	h := mat.NewVecDense(m, nil)
	for a := range m {
		h.SetVec(a, o.root[a]*o.cov(f, y, b, o.weighted(a), o.y[a], 1))
	}
	v = mat.Dot(h, o.z) + b*o.b
	var s mat.VecDense
	_ = o.factors.SolveVecTo(&s, h)
	variance := o.cov(f, y, b, f, y, b) - mat.Dot(h, &s)
	values := float64(m)
	if o.flat {
		left := b - mat.Dot(h, o.c)
		variance += left * left / o.size
		values--
	}
	return v, math.Sqrt(max(variance, 0) * o.objective() / values)
}

// objective is its least value.
func (o *curveOracle) objective() float64 {
	sum := 0.0
	for a, z := range o.z.RawVector().Data {
		sum += z * o.root[a] * o.u[a]
	}
	return sum
}

// reml is minus the restricted log likelihood.
func (o *curveOracle) reml() float64 {
	values, more := float64(len(o.y)), 0.0
	if o.flat {
		values--
		length := 0.0
		for _, r := range o.root {
			length += r * r
		}
		more = math.Log(o.size / length)
	}
	return (values*math.Log(o.objective()/values) + o.factors.LogDet() + more) / 2
}

// someCurves are pairs at random points, one output of one point, one point shared, and of each
// side one curve from end to end.
func someCurves(rng *rand.Rand, n int, size, unit, shift float64) (in, out []dataset.Curve) {
	for range n {
		in, out = append(in, someCurve(rng, 2+rng.IntN(5), size, unit, shift)), append(out, someCurve(rng, 1+rng.IntN(5), size, unit, shift))
	}
	out[0], out[3] = someCurve(rng, 1, size, unit, shift), someCurve(rng, 4, size, unit, shift)
	for _, c := range []dataset.Curve{in[0], out[3]} { // inputs and outputs reach as far
		c.Points[0], c.Points[len(c.Points)-1] = shift, shift+size
	}
	out[1].Points[0] = out[2].Points[0]
	slices.Sort(out[1].Points)
	return in, out
}

func someCurve(rng *rand.Rand, points int, size, unit, shift float64) (c dataset.Curve) {
	for range points {
		c.Points = append(c.Points, shift+size*rng.Float64())
		c.Values = append(c.Values, unit*rng.NormFloat64())
	}
	slices.Sort(c.Points)
	return c
}

// Fits to curves on points of their own agree with the definition, in values, bands and criteria,
// with the kinds of kernels, biases and units.
func TestCurvesAgreeWithTheDefinition(t *testing.T) {
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 77))
		size := []float64{1, 1e-9, 1e9}[seed%3]
		unit := []float64{1, 1e9, 1e-9, 1}[seed%4]
		shift := []float64{0, 0, 1e3 * size}[seed/3%3]
		in, out := someCurves(rng, 6+int(seed%5), size, unit, shift)
		d := testmain.Must(dataset.NewCurves(dataset.CurvesSpec{Input: in, Output: out}))(t)
		l := 0.4 * size
		kernels := []kernel.Kernel{
			kernel.SE{Lengthscale: []float64{l}},
			kernel.Matern{Nu: 2.5, Lengthscale: []float64{l}},
			kernel.Sum{Terms: []kernel.Kernel{kernel.SE{Lengthscale: []float64{l}}, kernel.Exponential{Lengthscale: []float64{2 * l}}}},
		}
		s := fit.Spec{Data: d, Kernel: kernels[seed%3], Lambda: unit * unit * size * size * size * math.Pow(10, -2-2*rng.Float64()), Intercept: fit.NoIntercept}
		s.Rho = size * math.Pow(10, -3*rng.Float64())
		switch seed / 2 % 4 {
		case 1:
			s.NoBias, s.Rho = true, 0
		case 2:
			s.Intercept = fit.Flat
		case 3:
			s.Constraint = constraint.Symmetric{Names: []string{"x", "y"}}
		}
		compareWithCurves(t, fmt.Sprintf("seed %d", seed), s, in, out, rng, size, shift)
	}
}

func compareWithCurves(t *testing.T, name string, s fit.Spec, in, out []dataset.Curve, rng *rand.Rand, size, shift float64) {
	t.Helper()
	e, err := fit.Fit(t.Context(), s)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	k := compiled(t, s.Kernel, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	o := &curveOracle{in: in, out: out, lambda: s.Lambda, rho: s.Rho, flat: s.Intercept == fit.Flat}
	o.k = func(x, y, x2, y2 float64) float64 { return k.At([]float64{x, y}, []float64{x2, y2}) }
	if s.Constraint != nil { // G(x,y) = G(y,x): the mean over the exchange of both
		o.k = func(x, y, x2, y2 float64) float64 {
			return (k.At([]float64{x, y}, []float64{x2, y2}) + k.At([]float64{y, x}, []float64{x2, y2})) / 2
		}
	}
	if !s.NoBias { // these kernels are stationary
		o.q = func(y, y2 float64) float64 { return k.At([]float64{shift, y}, []float64{shift, y2}) }
	}
	o.solve(t)
	near := func(what string, got, want, scale float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-8*scale) {
			t.Errorf("%s: %s is %.12g, by the definition %.12g (%s, %g)", name, what, got, want, e.Report.Reason, e.Report.StructureError)
		}
	}
	near("the objective", e.Report.Objective, o.objective(), o.objective())
	if v := e.Report.REML; v == nil || e.Report.REMLError != nil {
		t.Errorf("%s: REML is not known", name)
	} else {
		near("REML", *v, o.reml(), math.Abs(o.reml())+1)
	}
	for range 3 {
		f := someCurve(rng, 4, size, 1, shift)
		x := mesh.Must(mesh.Trapezoid(f.Points, "x"))
		y := shift + size*rng.Float64()
		at := mesh.Must(mesh.Scattered([]float64{y}, 1, []float64{1}, "y"))
		row := mat.NewDense(1, 4, f.Values)
		u := testmain.Must(e.Predict(t.Context(), row, x, at))(t)
		band := testmain.Must(e.PredictStd(t.Context(), row, x, at))(t)
		w := functional{f.Points, x.Weights()}
		for a := range w.w {
			w.w[a] *= f.Values[a]
		}
		v, std := o.value(w, y, 1)
		near("a prediction", u.At(0, 0), v, math.Abs(v)+std)
		near("its band", band.At(0, 0), std, 1e6*std) // bands are exact to 1 %, on the wide side
		point := mesh.Must(mesh.Scattered(f.Points[:1], 1, []float64{1}, "x"))
		g := testmain.Must(e.Green(t.Context(), point, at))(t)
		v, std = o.value(functional{f.Points[:1], []float64{1}}, y, 0)
		near("G", g.At(0, 0), v, math.Abs(v)+std)
	}
}

// λ and ρ are chosen from all values: at those of REML the definition's criterion is least; the
// other criteria choose, too.
func TestCurvesChooseByTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	in, out := someCurves(rng, 25, 1, 1, 0)
	for i := range out { // outputs that the inputs explain, and noise
		for k, y := range out[i].Points {
			out[i].Values[k] = (in[i].Values[0]+in[i].Values[1])*math.Sin(3*y) + 0.1*rng.NormFloat64()
		}
	}
	d := testmain.Must(dataset.NewCurves(dataset.CurvesSpec{Input: in, Output: out}))(t)
	k := kernel.SE{Lengthscale: []float64{0.4}}
	value := compiled(t, k, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	for _, by := range []fit.Criterion{fit.REML, fit.GCV, fit.LOO, fit.CV} {
		e, err := fit.Fit(t.Context(), fit.Spec{Data: d, Kernel: k, Criterion: by})
		if err != nil {
			t.Fatalf("%s: %v", by, err)
		}
		if by != fit.REML {
			continue
		}
		at := func(lambda, rho float64) float64 {
			o := &curveOracle{in: in, out: out, lambda: lambda, rho: rho, flat: e.Intercept != 0}
			o.k = func(x, y, x2, y2 float64) float64 { return value.At([]float64{x, y}, []float64{x2, y2}) }
			o.q = func(y, y2 float64) float64 { return value.At([]float64{0, y}, []float64{0, y2}) }
			o.solve(t)
			return o.reml()
		}
		l, r := e.Report.Lambda, e.Report.Rho
		least := at(l, r)
		if !(math.Abs(least-*e.Report.REML) <= 1e-8*math.Abs(least)) {
			t.Errorf("REML is %.10g, by the definition %.10g", *e.Report.REML, least)
		}
		for _, by := range []float64{0.5, 2} {
			if v := at(l*by, r*by); !(v >= least) {
				t.Errorf("at %g times λ = %g REML is %g, less than %g", by, l, v, least)
			}
			if v := at(l, r*by); !(v >= least-1e-6*math.Abs(least)) {
				t.Errorf("at %g times ρ = %g REML is %g, less than %g", by, r, v, least)
			}
		}
	}
}
