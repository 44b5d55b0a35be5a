package fit_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/files"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Pairs of -u″ = f on a file, their Green's function with a kernel and a constraint, a prediction
// with its band for an input that was not among them, and the estimate saved and read back.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "fit")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	points, outputs := mesh.Must(mesh.Uniform(0, 1, 41, "x")), mesh.Must(mesh.Uniform(0, 1, 41, "y"))
	pairs := filepath.Join(dir, "pairs.npz")
	if err := files.SaveAll(pairs, solutions(points, 12)); err != nil {
		log.Fatal(err)
	}

	data, err := dataset.Load(ctx, pairs, dataset.LoadSpec{InputMesh: points, OutputMesh: outputs})
	if err != nil {
		log.Fatal(err)
	}
	est, err := fit.Fit(ctx, fit.Spec{
		Data:       data,
		Kernel:     kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.5}},
		Constraint: constraint.Symmetric{Names: []string{"x", "y"}},
	})
	if err != nil {
		log.Fatal(err)
	}

	input := mat.NewDense(1, points.Size(), nil) // f = x (1 - x)
	for j, x := range points.Points() {
		input.Set(0, j, x*(1-x))
	}
	predicted, err := est.Predict(ctx, input, points, outputs)
	if err != nil {
		log.Fatal(err)
	}
	band, err := est.PredictStd(ctx, input, points, outputs)
	if err != nil {
		log.Fatal(err)
	}
	const middle = 5. / 192 // u(1/2) of the equation
	off := math.Abs(predicted.At(0, 20) - middle)
	fmt.Println("within a hundredth of the solution:", off < middle/100, "band > 0:", band.At(0, 20) > 0)

	saved := filepath.Join(dir, "green.npz")
	if err := est.SaveWithData(ctx, saved); err != nil {
		log.Fatal(err)
	}
	back, err := fit.Load(ctx, saved)
	if err != nil {
		log.Fatal(err)
	}
	again, err := back.Predict(ctx, input, points, outputs)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same bits:", mat.Equal(predicted, again))
	// Output:
	// within a hundredth of the solution: true band > 0: true
	// the same bits: true
}

// solutions are the first n inputs sin(kπx) and the outputs that belong to them.
func solutions(points mesh.Mesh, n int) map[string]*array.Array {
	x := points.Points()
	f, u := array.New(n, len(x)), array.New(n, len(x))
	for i := range n {
		k := float64(i+1) * math.Pi
		for j := range x {
			f.Set(math.Sin(k*x[j]), i, j)
			u.Set(math.Sin(k*x[j])/(k*k), i, j)
		}
	}
	return map[string]*array.Array{"f": f, "u": u}
}
