package gram_test

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/linoptest"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// unions are direct sums of functions whose kernels have every kind of structure, and of
// parts whose input is one point.
func unions() map[string]kernels.DirectSum {
	u, v := mesh.Must(mesh.Uniform(0, 1, 9, "x")), mesh.Must(mesh.Gauss(-1, 2, 6, "x"))
	out := mesh.Must(mesh.Uniform(0, 1, 7, "x"))
	plane, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 4, "a")), mesh.Must(mesh.Uniform(0, 2, 3, "b")))
	if err != nil {
		panic(err)
	}
	l := kernel.Lengthscale{.4}
	product := kernel.Tensor{Input: kernel.SE{Lengthscale: l}, Output: kernel.Matern{Nu: 1.5, Lengthscale: l}}
	joint := kernel.Matern{Nu: 1.5, Lengthscale: l}
	point, err := mesh.New(gram.Point())
	if err != nil {
		panic(err)
	}
	curve := kernels.Summand{Kernel: kernel.Scaled{Factor: 3, Kernel: gram.OnOutput{Kernel: kernel.SE{Lengthscale: l}}}, On: point}
	all := map[string]kernels.DirectSum{
		"products":      {Output: out, Parts: []kernels.Summand{{Kernel: product, On: u}, {Kernel: kernel.Scaled{Factor: 1e3, Kernel: product}, On: v}}},
		"joint":         {Output: out, Parts: []kernels.Summand{{Kernel: joint, On: u}, {Kernel: joint, On: v}, curve}},
		"curves":        {Output: out, Parts: []kernels.Summand{curve, {Kernel: gram.OnOutput{Kernel: kernel.Matern{Nu: .5, Lengthscale: l}}, On: point}}},
		"plane":         {Output: out, Parts: []kernels.Summand{curve, {Kernel: joint, On: plane}, {Kernel: product, On: u}}},
		"one":           {Output: out, Parts: []kernels.Summand{{Kernel: joint, On: u}}},
		"random curves": {Output: out, Parts: []kernels.Summand{{Kernel: kernel.Tensor{Input: kernel.White{}, Output: kernel.SE{Lengthscale: l}}, On: v}, curve}},
	}
	outputs, err := mesh.Scattered([]float64{0, 1, 2}, 1, []float64{1, 1, 1}, kernels.OutputName)
	if err != nil {
		panic(err)
	}
	three, err := mesh.New(append([]mesh.Axis{outputs}, out.Axes()...)...)
	if err != nil {
		panic(err)
	}
	for name, k := range maps.Clone(all) { // the same for outputs that are coupled
		k.Output, k.Parts = three, slices.Clone(k.Parts)
		for t, p := range k.Parts {
			b := []float64{4, float64(t), 0, float64(t), 2, -1, 0, -1, 1}
			k.Parts[t].Kernel = kernels.Coregional{Kernel: p.Kernel, Covariance: b}
		}
		all["coupled "+name] = k
	}
	return all
}

// Products with a direct sum are those with its matrix, whatever structures its parts have,
// and its Diagonal is that of the matrix.
func TestDirectSum(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(1, 9))
	for name, k := range unions() {
		x, err := k.Mesh()
		if err != nil {
			t.Fatal(err)
		}
		f, err := kernels.Compile(k, kernel.Space{Names: append(x.Names(), k.Output.Names()...), Inputs: x.Dim()})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p, why, err := gram.Self(ctx, f, x, k.Output, gram.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		dense, _, err := gram.Self(ctx, f, x, k.Output, gram.Options{Structure: gram.Full})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		w := make([]float64, x.Size()*k.Output.Size())
		for i := range w {
			w[i] = rng.NormFloat64()
		}
		got, want := make([]float64, len(w)), make([]float64, len(w))
		p.Apply(ctx, got, w)
		dense.Apply(ctx, want, w)
		if d := floats.Distance(got, want, math.Inf(1)); !(d <= 1e-10*floats.Norm(want, math.Inf(1))) {
			t.Errorf("%s (%s, %s): off by %g", name, p.Describe(), why, d)
		}
		if c := p.Check(); c == nil || !(c.Error <= 1e-10) {
			t.Errorf("%s: checked %v", name, c)
		}
		if _, rough := p.(gram.Rough); !rough {
			diagonalIsThatOf(t, name, p, dense, x.Size(), k.Output)
		}
	}
}

// diagonalIsThatOf compares Σ_k C_k in the basis of the points with the matrix.
func diagonalIsThatOf(t *testing.T, name string, p, dense gram.Product, mx int, y mesh.Mesh) {
	ctx, my := context.Background(), y.Size()
	var points gram.Basis
	for _, a := range y.Axes() {
		one := mat.NewDense(a.Size(), a.Size(), nil)
		for k := range a.Size() {
			one.Set(k, k, 1)
		}
		points = append(points, one)
	}
	d, err := p.Diagonal(ctx, points)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := d.Sum(ctx)
	if err != nil {
		t.Fatal(err)
	}
	m, err := linop.Matrix(ctx, dense)
	if err != nil {
		t.Fatal(err)
	}
	for i := range mx {
		for j := range mx {
			want := 0.0
			for k := range my {
				want += m.At(i*my+k, j*my+k)
			}
			if !(math.Abs(sum.At(i, j)-want) <= 1e-9*math.Sqrt(m.At(i*my, i*my)*m.At(j*my, j*my))*float64(my)) {
				t.Errorf("%s: entry %d, %d of the diagonal is %g, must be %g", name, i, j, sum.At(i, j), want)
				return
			}
		}
	}
}

// Outputs that are coupled are the kernel pair by pair, whatever that of one of them is: a sum of products, one that is
// close to one only roughly, or none; on the input there are several points.
func TestCoupledOutputs(t *testing.T) {
	outputs, err := mesh.Scattered([]float64{0, 1, 2}, 1, []float64{1, 1, 1}, kernels.OutputName)
	if err != nil {
		t.Fatal(err)
	}
	y, err := mesh.New(append([]mesh.Axis{outputs}, mesh.Must(mesh.Gauss(0, 1, 5, "x")).Axes()...)...)
	if err != nil {
		t.Fatal(err)
	}
	l := kernel.Lengthscale{.4}
	for _, k := range []kernel.Kernel{
		kernel.Tensor{Input: kernel.SE{Lengthscale: l}, Output: kernel.Matern{Nu: 1.5, Lengthscale: l}},
		kernel.Matern{Nu: 1.5, Lengthscale: l},
		kernel.Kink{Base: kernel.SE{Lengthscale: l}, Jump: kernel.SE{Lengthscale: l}, Power: 1},
	} {
		for _, x := range []mesh.Mesh{mesh.Must(mesh.Uniform(0, 1, 6, "x")), graded(7)} {
			f := compile(t, kernels.Coregional{Kernel: k, Covariance: []float64{4, 1, 0, 1, 2, -1, 0, -1, 1}}, x, y)
			in, out := mesh.JointNames(x, y)
			joint := product(t, rename(x, in), rename(y, out))
			want, err := f.Gram(t.Context(), joint, joint)
			if err != nil {
				t.Fatal(err)
			}
			p, _, err := gram.Self(t.Context(), f, x, y, gram.Options{Structure: gram.Coupled})
			if err != nil {
				t.Fatalf("%s: %v", k, err)
			}
			linoptest.Run(t, p, want, 1e-10)
			if _, rough := p.(gram.Rough); !rough {
				checkDiagonal(t, p, want, x, y)
			}
			if sum, ok := p.(gram.Factored); ok {
				all := mat.NewDense(want.RawMatrix().Rows, want.RawMatrix().Cols, nil)
				for q := range sum.Terms() {
					var term mat.Dense
					term.Kronecker(sum.Left(q), sum.Right(q))
					all.Add(all, &term)
				}
				all.Sub(all, want)
				if off := mat.Norm(all, math.Inf(1)); !(off <= 1e-10) {
					t.Errorf("%s: the products are off by %g", k, off)
				}
			}
		}
	}
}
