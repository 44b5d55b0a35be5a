package assess_test

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

var ctx = context.Background()

// Studies are run by hand: go test ./internal/numeric/assess -run Study -datasets 200 -v
var (
	datasets = flag.Int("datasets", 0, "simulated data sets of each study; 0: no study")
	fromSeed = flag.Uint64("seed", 1000, "of the first data set of a study")
)

func line(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, "x")) }

func se(l float64) kernel.Kernel { return kernel.SE{Lengthscale: kernel.Lengthscale{l}} }
func matern(l float64) kernel.Kernel {
	return kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{l}}
}

// inputs are smooth random functions.
func inputs(t testing.TB, m mesh.Mesh, n int, seed uint64) *array.Array {
	t.Helper()
	return testmain.Must(randfield.Field{Kernel: se(.1), Mesh: m, N: n, Seed: seed}.Draw(ctx))(t)
}

// responses are ∫ G f + β.
func responses(f *array.Array, g *mat.Dense, beta []float64, m mesh.Mesh) *mat.Dense {
	in, _ := f.Matrix()
	weighted := mat.DenseCopyOf(in)
	weighted.Apply(func(_, j int, v float64) float64 { return v * m.Weights()[j] }, weighted)
	var u mat.Dense
	u.Mul(weighted, g)
	u.Apply(func(_, k int, v float64) float64 { return v + beta[k] }, &u)
	return &u
}

// truth is G of a problem, or a sample of a kernel with a smooth β, on m.
func truth(t testing.TB, m mesh.Mesh, of any, seed uint64) (*mat.Dense, []float64) {
	t.Helper()
	beta := make([]float64, m.Size())
	switch p := of.(type) {
	case pde.Problem:
		g := testmain.Must(pde.Green(ctx, p, m, m))(t)
		return g, beta
	case kernel.Kernel:
		y := testmain.Must(m.Rename("y"))(t)
		both := testmain.Must(mesh.Product(m, y))(t)
		g := testmain.Must(randfield.Field{Kernel: p, Mesh: both, N: 1, Seed: seed}.Draw(ctx))(t)
		b := testmain.Must(randfield.Field{Kernel: p, Mesh: m, N: 1, Seed: seed + 1e6}.Draw(ctx))(t)
		return mat.NewDense(m.Size(), m.Size(), g.Data), b.Data
	}
	if response, ok := of.(func(lag float64) float64); ok { // of what follows its cause
		at, g := m.Columns()[0], mat.NewDense(m.Size(), m.Size(), nil)
		g.Apply(func(j, k int, _ float64) float64 {
			if k < j {
				return 0
			}
			return response(at[k] - at[j])
		}, g)
		return g, beta
	}
	t.Fatalf("no truth of %T", of)
	return nil, nil
}

// noise adds to the outputs, whose spread is sd.
type noise func(rng *rand.Rand, u *mat.Dense, sd float64)

func white(level float64) noise {
	return func(rng *rand.Rand, u *mat.Dense, sd float64) {
		u.Apply(func(_, _ int, v float64) float64 { return v + level*sd*rng.NormFloat64() }, u)
	}
}

// autoregressive is stationary noise whose neighbours have a correlation r.
func autoregressive(level, r float64) noise {
	return func(rng *rand.Rand, u *mat.Dense, sd float64) {
		n, my := u.Dims()
		for i := range n {
			e := rng.NormFloat64()
			for k := range my {
				u.Set(i, k, u.At(i, k)+level*sd*e)
				e = r*e + math.Sqrt(1-r*r)*rng.NormFloat64()
			}
		}
	}
}

// louder grows along the output, by a factor in all.
func louder(level, factor float64) noise {
	return func(rng *rand.Rand, u *mat.Dense, sd float64) {
		_, my := u.Dims()
		u.Apply(func(_, k int, v float64) float64 {
			return v + level*sd*math.Pow(factor, float64(k)/float64(my-1)-.5)*rng.NormFloat64()
		}, u)
	}
}

// loudPairs are a quarter of all.
func loudPairs(level float64) noise {
	return func(rng *rand.Rand, u *mat.Dense, sd float64) {
		u.Apply(func(i, _ int, v float64) float64 {
			own := .3
			if i%4 == 0 {
				own = 1.95
			}
			return v + level*sd*own*rng.NormFloat64()
		}, u)
	}
}

// wrongValues are a share of all, off by five standard deviations.
func wrongValues(level, share float64) noise {
	return func(rng *rand.Rand, u *mat.Dense, sd float64) {
		u.Apply(func(_, _ int, v float64) float64 {
			e := rng.NormFloat64()
			if rng.Float64() < share {
				e += 5 * math.Copysign(1, rng.NormFloat64())
			}
			return v + level*sd*e
		}, u)
	}
}

// simulated are pairs on m.
func simulated(t testing.TB, m mesh.Mesh, n int, of any, add noise, seed uint64) *dataset.Dataset {
	t.Helper()
	g, beta := truth(t, m, of, seed)
	f := inputs(t, m, n, seed)
	u := responses(f, g, beta, m)
	var centred mat.Dense
	centred.Apply(func(i, k int, v float64) float64 { return v - beta[k] }, u)
	add(rand.New(rand.NewPCG(seed, 9)), u, mat.Norm(&centred, 2)/math.Sqrt(float64(n*m.Size())))
	return testmain.Must(dataset.New(dataset.Spec{Input: f, Output: array.FromMatrix(u), InputMesh: m, OutputMesh: m}))(t)
}

func fitted(t testing.TB, s fit.Spec) *fit.Estimate {
	t.Helper()
	return testmain.Must(fit.Fit(ctx, s))(t)
}
