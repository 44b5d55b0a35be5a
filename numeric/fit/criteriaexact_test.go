package fit_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

var largeCriteria = flag.Bool("large", false, "criteria of 1,500 and 3,000 unknowns against their definitions: minutes")

// threeCriteria are REML, GCV and LOO by their definitions from the matrix of all that was
// observed; LOO by the block of the inverse that belongs to each pair.
func (d *definition) threeCriteria(t *testing.T) (reml, gcv, loo float64) {
	t.Helper()
	n := len(d.observed)
	u := mat.NewVecDense(n, nil)
	for i, o := range d.observed {
		u.SetVec(i, o.root*o.value)
	}
	var inverse mat.SymDense
	if err := d.factors.InverseTo(&inverse); err != nil {
		t.Log(err)
	}
	var z mat.VecDense
	z.MulVec(&inverse, u)
	size := float64(n)
	for lo := 0; lo < n; {
		hi := lo
		for hi < n && d.observed[hi].sample == d.observed[lo].sample {
			hi++
		}
		var e mat.VecDense
		if err := e.SolveVec(inverse.SliceSym(lo, hi), z.SliceVec(lo, hi)); err != nil {
			t.Log(err)
		}
		loo += mat.Dot(&e, &e) / size
		lo = hi
	}
	return d.reml(), size * mat.Dot(&z, &z) / math.Pow(mat.Trace(&inverse), 2), loo
}

// curves are n smooth inputs and their integrals against min(x, y) - x y, with noise, on
// meshes of the unit interval or square; every so many-th output is missing.
func curves(n int, x, y mesh.Mesh, missing int) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(uint64(n), 4))
	f, u := array.New(n, x.Size()), array.New(n, y.Size())
	px, py, w := make([]float64, x.Dim()), make([]float64, y.Dim()), x.Weights()
	for i := range n {
		for j := range x.Size() {
			x.Point(px, j)
			for k := range 8 {
				r := rand.New(rand.NewPCG(uint64(100*i+k), 5))
				f.Data[i*x.Size()+j] += r.NormFloat64() * math.Cos(math.Pi*float64(k)*px[0]+r.Float64()) / (1 + .3*float64(k))
			}
		}
		for q := range y.Size() {
			y.Point(py, q)
			v := 0.0
			for j := range x.Size() {
				x.Point(px, j)
				v += w[j] * (min(px[0], py[0]) - px[0]*py[0]) * f.At(i, j)
			}
			u.Data[i*y.Size()+q] = v + .01*rng.NormFloat64()
			if missing > 0 && (i*y.Size()+q)%missing == 1 {
				u.Data[i*y.Size()+q] = math.NaN()
			}
		}
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: y, Missing: missing > 0})
	if err != nil {
		panic(err)
	}
	return d
}

// catalogue is a kernel of every kind: products and others.
func catalogue() map[string]kernel.Kernel {
	l := func(v ...float64) kernel.Lengthscale { return v }
	se, matern := kernel.SE{Lengthscale: l(.4)}, kernel.Matern{Nu: 2.5, Lengthscale: l(.5)}
	return map[string]kernel.Kernel{
		"se":          se,
		"matern 5/2":  matern,
		"matern 3/2":  kernel.Matern{Nu: 1.5, Lengthscale: l(.3, .6)},
		"exponential": kernel.Exponential{Lengthscale: l(.4)},
		"rational":    kernel.RationalQuadratic{Alpha: 1.5, Lengthscale: l(.4)},
		"kink":        kernel.Kink{Base: se, Jump: kernel.SE{Lengthscale: l(.8)}, Power: 1},
		"sum":         kernel.Sum{Terms: []kernel.Kernel{matern, kernel.Scaled{Factor: .3, Kernel: kernel.SE{Lengthscale: l(1)}}}},
		"product":     kernel.Product{Factors: []kernel.Kernel{matern, kernel.Polynomial{Degree: 1, Offset: 1}}},
		"tensor":      kernel.Tensor{Input: se, Output: kernel.Matern{Nu: 1.5, Lengthscale: l(.4)}},
	}
}

// criteriaProblems are the problems of the tests, by name.
func criteriaProblems() map[string]fit.Spec {
	out := map[string]fit.Spec{}
	uniform := func(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, "")) }
	gauss := mesh.Must(mesh.Gauss(0, 1, 7, ""))
	other := kernel.SE{Lengthscale: kernel.Lengthscale{.15}}
	one := constraint.Region{Where: func(kernel.Point) (*expr.Node, error) { return expr.Const(1), nil }}
	for name, k := range catalogue() {
		s := fit.Spec{Kernel: k, Data: curves(8, uniform(9), uniform(9), 0), NoBias: true, Tolerance: 1e-12}
		out[name] = s
		s.NoBias, s.Bias = false, other
		out[name+", bias of its own"] = s
		s.Data = curves(12, gauss, uniform(6), 0)
		out[name+", more pairs than points"] = s
		s.Data = curves(9, uniform(8), gauss, 5)
		out[name+", outputs missing"] = s
		s.Data, s.Constraint = curves(7, uniform(8), uniform(8), 0), constraint.Symmetric{Names: []string{"x", "y"}}
		out[name+", symmetric"] = s
		s.Constraint = one
		out[name+", a mask of ones"] = s
		s.NoBias, s.Bias, s.Constraint = true, nil, constraint.Flip{Names: []string{"x", "y"}, About: .5}
		out[name+", flipped"] = s
	}
	plane := times(mesh.Must(mesh.Uniform(0, 1, 4, "a")), mesh.Must(mesh.Uniform(0, 1, 3, "b")))
	out["from a plane"] = fit.Spec{Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.5}}, Data: curves(6, plane, uniform(7), 0), NoBias: true}
	scattered := mesh.Must(mesh.Scattered([]float64{.1, .12, .3, .7, .71, .9}, 1, nil, ""))
	out["scattered, one pair"] = fit.Spec{Kernel: catalogue()["kink"], Data: curves(1, scattered, scattered, 0), Bias: other}
	return out
}

// checkDefinition holds the criteria of a report against the definitions.
func checkDefinition(t *testing.T, e *fit.Estimate, s fit.Spec) {
	t.Helper()
	s.Lambda, s.Rho = e.Report.Lambda, e.Report.Rho
	reml, gcv, loo := define(t, s, s.Constraint).threeCriteria(t)
	off := func(name string, got, err *float64, want, tolerance float64) {
		t.Helper()
		switch {
		case got == nil:
			t.Errorf("%s is not known", name)
		case err != nil && math.Abs(*got-want) > 3**err:
			t.Errorf("%s %.10g ± %.2g, by its definition %.10g", name, *got, *err, want)
		case err == nil && !(math.Abs(*got-want) <= tolerance):
			t.Errorf("%s %.12g, by its definition %.12g", name, *got, want)
		}
	}
	off("REML", e.Report.REML, e.Report.REMLError, reml, 1e-6*math.Abs(reml))
	off("GCV", e.Report.GCV, e.Report.GCVError, gcv, 1e-6*gcv)
	if e.Report.LOO != nil || e.Report.REMLError == nil && !isFlip(s.Constraint) {
		off("LOO", e.Report.LOO, nil, loo, 1e-6*loo)
	}
}

func isFlip(c constraint.Constraint) bool { _, ok := c.(constraint.Flip); return ok }

// The criteria of a report are their definitions, at λ and ρ given and chosen, and the λ
// chosen is the minimiser.
func TestCriteriaAreTheirDefinitionsForAllKernels(t *testing.T) {
	for name, s := range criteriaProblems() {
		t.Run(name, func(t *testing.T) {
			given := s
			given.Lambda, given.Rho = 1e-4, 3e-3
			checkDefinition(t, mustFit(t, given), given)
			by := []fit.Criterion{fit.REML, fit.GCV, fit.LOO}[len(name)%3]
			if s.Data.Missing { // the others fall to the end of the range for so few pairs
				by = fit.REML
			}
			s.Criterion = by
			e := mustFit(t, s)
			checkDefinition(t, e, s)
			checkMinimiser(t, e, s)
		})
	}
}

// checkMinimiser holds the criterion at the λ chosen against its values beside it.
func checkMinimiser(t *testing.T, e *fit.Estimate, s fit.Spec) {
	t.Helper()
	value := func(factor float64) float64 {
		at := s
		at.Lambda = e.Report.Lambda * factor
		at.Rho = at.Lambda
		reml, gcv, loo := define(t, at, s.Constraint).threeCriteria(t)
		n := 0.5 * float64(s.Data.N()*s.Data.OutputMesh.Size())
		return map[fit.Criterion]float64{fit.REML: reml, fit.GCV: n * math.Log(gcv), fit.LOO: n * math.Log(loo)}[s.Criterion]
	}
	least := value(1)
	for _, factor := range []float64{.8, 1.25} {
		if v := value(factor); v < least-1e-3 {
			t.Errorf("%s is %.8g nats at the λ chosen, %.3g, and %.8g at %g times it", s.Criterion, least, e.Report.Lambda, v, factor)
		}
	}
}

// A constraint that is none changes nothing: neither the estimate nor the criteria.
func TestMaskOfOnesChangesNoCriterion(t *testing.T) {
	all := criteriaProblems()
	for name := range catalogue() {
		free, masked := all[name+", bias of its own"], all[name+", a mask of ones"]
		free.Data = masked.Data
		a, b := mustFit(t, free).Report, mustFit(t, masked).Report
		if math.Abs(a.Lambda-b.Lambda) > .04*a.Lambda || math.Abs(*a.REML-*b.REML) > .01 {
			t.Errorf("%s: REML %.8g at λ = %.4g; with a mask of ones %.8g at %.4g", name, *a.REML, a.Lambda, *b.REML, b.Lambda)
		}
	}
}

// The definitions hold for 1,500 and 3,000 unknowns, exactly or within the errors.
func TestLargeCriteria(t *testing.T) {
	if !*largeCriteria {
		t.Skip("-large")
	}
	for _, size := range [][2]int{{38, 40}, {60, 50}} {
		for name, k := range catalogue() {
			t.Run(fmt.Sprint(size, name), func(t *testing.T) {
				m := mesh.Must(mesh.Uniform(0, 1, size[1], ""))
				s := fit.Spec{Kernel: k, Data: curves(size[0], m, m, 0), Bias: kernel.SE{Lengthscale: kernel.Lengthscale{.15}}}
				e := mustFit(t, s)
				t.Log(e.Report)
				checkDefinition(t, e, s)
			})
		}
	}
}
