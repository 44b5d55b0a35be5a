package fit_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/progresstest"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// scatteredOn is n points of a square in some order.
func scatteredOn(n int) mesh.Mesh {
	p := make([]float64, 0, 2*n)
	for i := range n {
		p = append(p, math.Mod(float64(i)*.7548776662466927, 1), math.Mod(float64(i)*.5698402909980532, 1))
	}
	return mesh.Must(mesh.Scattered(p, 2, nil))
}

func squareMesh(n int, names ...string) mesh.Mesh {
	return must(mesh.Product(mesh.Must(mesh.Uniform(0, 1, n, names[0])), mesh.Must(mesh.Uniform(0, 1, n, names[1]))))
}

// Fits of every kind, and what is asked of estimates, on problems so large that each of
// their phases takes seconds, end with their contexts at random moments.
func TestEndsWithContext(t *testing.T) {
	l := func(l ...float64) kernel.Lengthscale { return l }
	rough, smooth := kernel.Matern{Nu: 1.5, Lengthscale: l(.1)}, kernel.SE{Lengthscale: l(.3)}
	plane, rod := noise(t, 30, squareMesh(50, "x1", "x2"), squareMesh(50, "y1", "y2")), noise(t, 300, interval(2500), interval(2500))
	pairs := noise(t, 400, interval(300), interval(300))
	scattered := noise(t, 50, scatteredOn(700), scatteredOn(700))
	times := noise(t, 40, squareMesh(30, "x", "s"), squareMesh(30, "y", "t"))
	gaps := *noise(t, 300, interval(200), interval(200))
	gaps.Output = gaps.Output.Copy()
	for i := range gaps.Output.Data {
		if i%17 == 0 {
			gaps.Output.Data[i] = math.NaN()
		}
	}
	gaps.Missing = true
	unit := testmain.Must(arrays.Eye(t.Context(), 1500))(t)
	eye := testmain.Must(dataset.New(dataset.Spec{Input: unit, Output: unit, InputMesh: interval(1500), OutputMesh: interval(1500)}))(t)
	symmetric := constraint.Symmetric{Names: []string{"x", "y"}}
	var all []progresstest.Computation
	for name, s := range map[string]fit.Spec{
		"unit inputs":            {Data: eye, Kernel: rough},
		"two axes each":          {Data: plane, Kernel: rough},
		"one long axis each":     {Data: rod, Kernel: rough, Lambda: 1e-6},
		"one long axis, product": {Data: rod, Kernel: kernel.Tensor{Input: rough, Output: rough}},
		"scattered":              {Data: scattered, Kernel: rough},
		"dense":                  {Data: noise(t, 60, interval(80), interval(80)), Kernel: rough, Lambda: 1e-3, Dense: true},
		"low rank":               {Data: noise(t, 100, mesh.Must(mesh.Gauss(0, 1, 400, "")), mesh.Must(mesh.Gauss(0, 1, 400, ""))), Kernel: kernel.Kink{Base: smooth, Jump: smooth, Power: 1}},
		"symmetric":              {Data: pairs, Kernel: rough, Constraint: symmetric},
		"symmetric, given":       {Data: pairs, Kernel: rough, Constraint: symmetric, Lambda: 1e-11},
		"few, direct":            {Data: noise(t, 10, interval(300), interval(300)), Kernel: kernel.Exponential{Lengthscale: l(.05)}, Constraint: symmetric, Lambda: 1e-9},
		"time-invariant":         {Data: times, Kernel: rough, Constraint: constraint.TimeInvariant{Input: "s", Output: "t"}},
		"missing":                {Data: &gaps, Kernel: rough},
		"missing, given":         {Data: &gaps, Kernel: rough, Lambda: 1e-4},
		"cross-validation":       {Data: rod, Kernel: rough, Criterion: fit.CV},
		"automatic":              {Data: rod, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Auto}},
		"blocks":                 {Data: scattered, Kernel: rough, Structure: gram.Blocks},
	} {
		all = append(all, progresstest.Computation{Name: name, Run: func(ctx context.Context) error {
			for { // some machines are done before the last moment
				if _, err := fit.Fit(ctx, s); err != nil {
					return err
				}
			}
		}})
	}
	progresstest.Ends(t, all...)
}

// What is asked of estimates ends with the context too.
func TestAnswersEndWithContext(t *testing.T) {
	rough := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.1}}
	d := noise(t, 100, interval(100), interval(100))
	e := mustFit(t, fit.Spec{Data: d, Kernel: rough, Lambda: 1e-3})
	fine := interval(2500)
	many := mat.NewDense(400, 2500, nil)
	product := mustFit(t, fit.Spec{Data: d, Kernel: kernel.Tensor{Input: rough, Output: rough}, Lambda: 1e-3})
	wide := noise(t, 1200, interval(1200), interval(1200))
	unit := testmain.Must(wide.Input.Matrix())(t)
	held := mustFit(t, fit.Spec{Data: noise(t, 50, interval(40), interval(40)), Kernel: rough, Lambda: 1e-3, Constraint: constraint.Symmetric{Names: []string{"x", "y"}}})
	progresstest.Ends(t,
		progresstest.Computation{Name: "Green", Run: func(ctx context.Context) error {
			for {
				if _, err := e.Green(ctx, fine, fine); err != nil {
					return err
				}
			}
		}},
		progresstest.Computation{Name: "constrained Green", Run: func(ctx context.Context) error {
			for {
				if _, err := held.Green(ctx, fine, fine); err != nil {
					return err
				}
			}
		}},
		progresstest.Computation{Name: "Predict", Run: func(ctx context.Context) error {
			for {
				if _, err := e.Predict(ctx, many, fine, fine); err != nil {
					return err
				}
			}
		}},
		progresstest.Computation{Name: "Std", Run: func(ctx context.Context) error { _, err := e.Std(ctx, fine, fine); return err }},
		progresstest.Computation{Name: "Std, product", Run: func(ctx context.Context) error {
			for {
				if _, err := product.Std(ctx, fine, fine); err != nil {
					return err
				}
			}
		}},
		progresstest.Computation{Name: "PredictStd", Run: func(ctx context.Context) error { _, err := e.PredictStd(ctx, many, fine, fine); return err }},
		progresstest.Computation{Name: "Calibrate", Run: func(ctx context.Context) error {
			_, err := product.Calibrate(ctx, fit.Simulation{N: 100000})
			return err
		}},
		progresstest.Computation{Name: "SVD", Run: func(ctx context.Context) error { _, err := e.SVD(ctx, 0, fine, fine); return err }},
		progresstest.Computation{Name: "Span", Run: func(ctx context.Context) error {
			w, err := fit.Fit(ctx, fit.Spec{Data: wide, Kernel: kernel.Tensor{Input: rough, Output: rough}, Lambda: 1e-3})
			if err != nil {
				return err
			}
			_, err = w.Span(ctx, unit, 1e-3)
			return err
		}},
		progresstest.Computation{Name: "Naive", Run: func(ctx context.Context) error {
			for {
				if _, err := fit.Naive(ctx, wide); err != nil {
					return err
				}
			}
		}},
		progresstest.Computation{Name: "Path", Run: func(ctx context.Context) error {
			_, err := fit.Path(ctx, fit.Spec{Data: wide, Kernel: rough}, []float64{1e-3, 1e-5, 1e-7, 1e-9, 1e-11})
			return err
		}},
	)
}
