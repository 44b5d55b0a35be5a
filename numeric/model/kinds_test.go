package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

func ell(l float64) kernel.Lengthscale { return kernel.Lengthscale{l} }

// everything has every kind of input: two fields on different meshes, a covariate, groups
// and, on request, a parameter. Outputs are anything.
func everything(t *testing.T, n int, theta bool, missing bool) *dataset.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	random := func(shape ...int) *array.Array {
		a := array.New(shape...)
		for i := range a.Data {
			a.Data[i] = rng.NormFloat64()
		}
		return a
	}
	mx, mg, my := mesh.Must(mesh.Uniform(0, 1, 6, "x")), mesh.Must(mesh.Gauss(-2, 1, 5, "z")), mesh.Must(mesh.Uniform(0, 1, 7, "x"))
	spec := dataset.TableSpec{
		Input:     map[string]*array.Array{"f": random(n, 6), "g": random(n, 5), "age": random(n)},
		Output:    map[string]*array.Array{"u": random(n, 7)},
		InputMesh: dataset.Meshes{Of: map[string]mesh.Mesh{"f": mx, "g": mg}}, OutputMesh: dataset.Meshes{All: my},
		Group: map[string][]string{"who": make([]string, n)}, Missing: missing,
	}
	for i := range n {
		spec.Group["who"][i] = []string{"anna", "bert", "cleo"}[i%3]
	}
	if theta {
		spec.Parameter = map[string][]float64{"theta": make([]float64, n)}
		for i := range n {
			spec.Parameter["theta"][i] = float64(i%4) + .1*rng.Float64()
		}
	}
	if missing {
		for i := range spec.Output["u"].Data {
			if rng.Float64() < .2 {
				spec.Output["u"].Data[i] = math.NaN()
			}
		}
	}
	return testmain.Must(dataset.NewTable(spec))(t)
}

func givenKernels() map[string]kernel.Kernel {
	product := kernel.Tensor{Input: kernel.SE{Lengthscale: ell(.4)}, Output: kernel.Matern{Nu: 1.5, Lengthscale: ell(.3)}}
	return map[string]kernel.Kernel{
		"f": product, "g": kernel.Matern{Nu: 2.5, Lengthscale: ell(.6)}, "age": kernel.SE{Lengthscale: ell(.3)},
		"who": kernel.Matern{Nu: 1.5, Lengthscale: ell(.3)}, "age*f": product, "age*who": kernel.SE{Lengthscale: ell(.5)}, "theta": kernel.SE{Lengthscale: ell(2)},
		"operator(f)": kernel.Tensor{Input: kernel.SE{Lengthscale: kernel.Auto}, Output: kernel.Matern{Nu: 2.5, Lengthscale: ell(.4)}},
	}
}

// Every kind of term, alone and in pairs, with and without a constraint, a parameter and
// missing outputs, is the minimiser that the matrix of the whole problem gives.
func TestKindsAgreeWithDense(t *testing.T) {
	names := []string{"f", "g", "age", "who", "age*f", "age*who", "operator(f)"}
	var lists [][]string
	for i, a := range names {
		lists = append(lists, []string{a})
		for _, b := range names[:i] {
			lists = append(lists, []string{b, a})
		}
	}
	lists = append(lists, names)
	for _, theta := range []bool{false, true} {
		for _, missing := range []bool{false, true} {
			d := everything(t, 15, theta, missing)
			for i, list := range lists {
				if (missing || theta) && i%testmain.Stride(3) != 0 { // the rest is like these
					continue
				}
				if slices.Contains(list, "operator(f)") && (len(list) > 2 || list[0] != "f") && !testmain.EveryCase() { // whose κ is chosen
					continue
				}
				s := model.Spec{Data: d, Terms: list, Kernels: map[string]kernel.Kernel{}, Amplitudes: map[string]float64{}, Lambda: 1e-3, Rho: 2e-3}
				for k, name := range list {
					s.Kernels[name], s.Amplitudes[name] = givenKernels()[name], float64(1+2*k)
				}
				if theta {
					s.Kernels["theta"] = givenKernels()["theta"]
				}
				if i%2 == 1 && list[0] == "f" {
					s.Constraints = map[string]constraint.Constraint{"f": constraint.Symmetric{Names: []string{"x", "y"}}}
				}
				errors := i % 16 // each kind of errors, and their pairs
				own := *d
				own.Outputs = slices.Clone(d.Outputs)
				own.Outputs[0].Errors = errorsOf(errors, 15, d.Outputs[0].Mesh.Size())
				s.Data = &own
				if i%4 == 3 {
					s.Noise, s.Amplitudes["noise"] = curvesOf(kernel.Exponential{Lengthscale: ell(.2)}), 2
				}
				label := fmt.Sprintf("%v, parameter %v, missing %v, constraint %v, errors %d, noise %v", list, theta, missing, s.Constraints, errors, s.Noise.Kernel)
				compareWithDense(t, label, s)
			}
		}
	}
}

func compareWithDense(t *testing.T, label string, s model.Spec) {
	t.Helper()
	e, err := model.Fit(t.Context(), s)
	if err != nil {
		t.Errorf("%s: %v", label, err)
		return
	}
	s.Dense = true
	want, err := model.Fit(t.Context(), s)
	if s.Data.Missing {
		return
	}
	if err != nil {
		t.Errorf("%s, dense: %v", label, err)
		return
	}
	a, b := e.Outputs[0], want.Outputs[0]
	if r := a.Report; !r.Converged || math.Abs(r.Objective-b.Report.Objective) > 1e-8*b.Report.Objective {
		t.Errorf("%s: objective %.12g, dense %.12g, converged %v", label, r.Objective, b.Report.Objective, r.Converged)
	}
	fresh := everything(t, 9, len(s.Data.Parameters) > 0, false)
	fine := mesh.Must(mesh.Uniform(0, 1, 11, "x"))
	p, err := a.Predict(t.Context(), fresh, fine)
	if err != nil {
		t.Errorf("%s: %v", label, err)
		return
	}
	q := testmain.Must(b.Predict(t.Context(), fresh, fine))(t)
	x, y := p.RawMatrix().Data, q.RawMatrix().Data
	if off := floats.Distance(x, y, math.Inf(1)); off > 1e-8*floats.Norm(y, math.Inf(1)) {
		t.Errorf("%s: predictions off by %g of %g", label, off, floats.Norm(y, math.Inf(1)))
	}
}
