package fit_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

var largeCriteria = flag.Bool("large", false, "criteria of 1,500 and 3,000 unknowns against their definitions: minutes")

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
	return must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: y, Missing: missing > 0}))
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

// criteriaProblem is a fit with the meaning of its constraint.
type criteriaProblem struct {
	fit.Spec
	rule rule
}

// defined is the definition at λ and ρ, and with the intercept of a fit.
func (p criteriaProblem) defined(t *testing.T, lambda, rho float64, flat bool) *definition {
	t.Helper()
	s := p.Spec
	s.Lambda, s.Rho, s.Intercept = lambda, rho, fit.NoIntercept
	if flat {
		s.Intercept = fit.Flat
	}
	in, out := mesh.JointNames(s.Data.InputMesh, s.Data.OutputMesh)
	return define(t, &randomProblem{spec: s, rule: p.rule, space: kernel.Space{Names: append(in, out...), Inputs: len(in)}, x: s.Data.InputMesh, y: s.Data.OutputMesh})
}

// criteriaProblems are the problems of the tests, by name.
func criteriaProblems() map[string]criteriaProblem {
	out := map[string]criteriaProblem{}
	uniform := func(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, "")) }
	gauss := mesh.Must(mesh.Gauss(0, 1, 7, ""))
	other := kernel.SE{Lengthscale: kernel.Lengthscale{.15}}
	one := region{where: func(kernels.Point) *expr.Node { return expr.Const(1) }}
	for name, k := range catalogue() {
		s := criteriaProblem{Spec: fit.Spec{Kernel: k, Data: curves(8, uniform(9), uniform(9), 0), NoBias: true, Tolerance: 1e-12}}
		out[name] = s
		s.NoBias, s.Bias = false, other
		out[name+", bias of its own"] = s
		s.Data = curves(12, gauss, uniform(6), 0)
		out[name+", more pairs than points"] = s
		s.Data = curves(9, uniform(8), gauss, 5)
		out[name+", outputs missing"] = s
		s.Data, s.Constraint = curves(7, uniform(8), uniform(8), 0), constraint.Symmetric{Names: []string{"x", "y"}}
		s.rule.maps = []signed{swap(1, 2, 0, 1)}
		out[name+", symmetric"] = s
		s.Constraint, s.rule.maps = one, nil
		out[name+", a mask of ones"] = s
		s.NoBias, s.Bias, s.Constraint = true, nil, constraint.Flip{Names: []string{"x", "y"}, About: .5}
		s.rule.maps = []signed{{1, func(p []float64) []float64 { return []float64{1 - p[0], 1 - p[1]} }}}
		out[name+", flipped"] = s
	}
	plane := must(mesh.Product(mesh.Must(mesh.Uniform(0, 1, 4, "a")), mesh.Must(mesh.Uniform(0, 1, 3, "b"))))
	out["from a plane"] = criteriaProblem{Spec: fit.Spec{Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.5}}, Data: curves(6, plane, uniform(7), 0), NoBias: true}}
	scattered := mesh.Must(mesh.Scattered([]float64{.1, .12, .3, .7, .71, .9}, 1, nil, ""))
	out["scattered, one pair"] = criteriaProblem{Spec: fit.Spec{Kernel: catalogue()["kink"], Data: curves(1, scattered, scattered, 0), Bias: other}}
	return out
}

// checkDefinition holds the criteria of a report against the definitions.
func checkDefinition(t *testing.T, e *fit.Estimate, p criteriaProblem, flat bool) {
	t.Helper()
	d := p.defined(t, e.Report.Lambda, e.Report.Rho, flat)
	trusted := math.Max(1, d.trusted/1e-8)
	off := func(name string, got, err *float64, want, tolerance float64) {
		t.Helper()
		switch {
		case got == nil:
			t.Errorf("%s is not known", name)
		case err != nil && !(math.Abs(*got-want) <= 3**err):
			t.Errorf("%s %.10g ± %.2g, by its definition %.10g", name, *got, *err, want)
		case err == nil && !(math.Abs(*got-want) <= trusted*tolerance):
			t.Errorf("%s %.12g, by its definition %.12g", name, *got, want)
		}
	}
	off("REML", e.Report.REML, e.Report.REMLError, d.reml(), 1e-6*math.Abs(d.reml()))
	off("GCV", e.Report.GCV, e.Report.GCVError, d.gcv(), 1e-6*d.gcv())
	undetermined := flat && p.Data.N() == 1
	if e.Report.LOO != nil || e.Report.REMLError == nil && !undetermined {
		off("LOO", e.Report.LOO, nil, d.loo(t), 1e-6*d.loo(t))
	}
}

// The criteria of a report are their definitions, at λ and ρ given and chosen, and the λ
// chosen is the minimiser.
func TestCriteriaOfAllKernels(t *testing.T) {
	for name, p := range criteriaProblems() {
		t.Run(name, func(t *testing.T) {
			given := p
			given.Lambda, given.Rho = 1e-4, 3e-3
			checkDefinition(t, mustFit(t, given.Spec), given, false)
			by := []fit.Criterion{fit.REML, fit.GCV, fit.LOO}[len(name)%3]
			if p.Data.Missing || p.Constraint != nil { // the others fall to the end of the range for so few pairs
				by = fit.REML
			}
			p.Criterion = by
			e := mustFit(t, p.Spec)
			checkDefinition(t, e, p, !p.NoBias)
			checkMinimiser(t, e, p)
		})
	}
}

// checkMinimiser holds the criterion at the λ chosen against its values beside it, at the
// same ρ/λ.
func checkMinimiser(t *testing.T, e *fit.Estimate, p criteriaProblem) {
	t.Helper()
	value := func(factor float64) float64 {
		d := p.defined(t, e.Report.Lambda*factor, e.Report.Rho*factor, !p.NoBias)
		n := 0.5 * float64(len(d.observed))
		switch p.Criterion {
		case fit.GCV:
			return n * math.Log(d.gcv())
		case fit.LOO:
			return n * math.Log(d.loo(t))
		}
		return d.reml()
	}
	least := value(1)
	for _, factor := range []float64{.8, 1.25} {
		if v := value(factor); !(v >= least-1e-3) {
			t.Errorf("%s is %.8g nats at the λ chosen, %.3g, and %.8g at %g times it", p.Criterion, least, e.Report.Lambda, v, factor)
		}
	}
}

// A constraint that is none changes nothing: neither the estimate nor the criteria.
func TestMaskOfOnesChangesNoCriterion(t *testing.T) {
	all := criteriaProblems()
	for name := range catalogue() {
		masked := all[name+", a mask of ones"].Spec
		masked.Lambda, masked.Rho = 1e-4, 1e-3
		free := masked
		free.Constraint = nil
		a, b := mustFit(t, free).Report, mustFit(t, masked).Report
		if !(math.Abs(*a.REML-*b.REML) <= 1e-6) || !(math.Abs(*a.GCV-*b.GCV) <= 1e-6**a.GCV) || !(math.Abs(*a.LOO-*b.LOO) <= 1e-6**a.LOO) {
			t.Errorf("%s: REML %.10g, GCV %.8g, LOO %.8g; with a mask of ones %.10g, %.8g, %.8g", name, *a.REML, *a.GCV, *a.LOO, *b.REML, *b.GCV, *b.LOO)
		}
		free.Lambda, masked.Lambda = 0, 0 // ρ stays
		if a, b = mustFit(t, free).Report, mustFit(t, masked).Report; !(math.Abs(a.Lambda-b.Lambda) <= .01*a.Lambda) || !(math.Abs(*a.REML-*b.REML) <= 1e-3) {
			t.Errorf("%s: REML %.8g at λ = %.4g; with a mask of ones %.8g at %.4g", name, *a.REML, a.Lambda, *b.REML, b.Lambda)
		}
	}
}

// The definitions hold for 1,500 and 3,000 unknowns, exactly or within the errors.
func TestLargeCriteria(t *testing.T) {
	if !*largeCriteria {
		t.Skip("takes minutes; -large runs it")
	}
	for _, size := range [][2]int{{38, 40}, {60, 50}} {
		for name, k := range catalogue() {
			t.Run(fmt.Sprint(size, name), func(t *testing.T) {
				m := mesh.Must(mesh.Uniform(0, 1, size[1], ""))
				p := criteriaProblem{Spec: fit.Spec{Kernel: k, Data: curves(size[0], m, m, 0), Bias: kernel.SE{Lengthscale: kernel.Lengthscale{.15}}}}
				e := mustFit(t, p.Spec)
				t.Log(e.Report)
				checkDefinition(t, e, p, true)
			})
		}
	}
}
