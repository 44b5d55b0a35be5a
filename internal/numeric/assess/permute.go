package assess

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// permutations of the pairs, of a test of G = 0.
const permutations = 999

// smoothings are the lengthscales, relative to the lengths of the axes, that the test looks at
// inputs and outputs with: none of them is chosen for the data.
func smoothings() []float64 { return []float64{0.05, 0.2, 1} }

// dependence tests whether outputs depend on inputs linearly at all: G = 0. The statistic is the
// largest of nine standardised covariances, of outputs and inputs smoothed by three lengthscales
// each: the score of the variance of a G with these. Where G is zero the pairs of an input and
// an output are as likely in any other order, whatever the noise is along the output, so that p
// by permutations is exact. Cost: 1000 times 9 n² operations.
func dependence(ctx context.Context, d *dataset.Dataset, seed uint64) (score, p float64, err error) {
	f, _ := d.Matrices()
	in, err := smoothed(ctx, centredRows(f, d.InputMesh.Weights()), d.InputMesh)
	if err != nil {
		return 0, 0, err
	}
	out, err := smoothed(ctx, centredRows(d.Filled(), d.OutputMesh.Weights()), d.OutputMesh)
	if err != nil {
		return 0, 0, err
	}
	return permute(ctx, in, out, seed)
}

// permute compares the sums of products of n × n matrices, each of in with each of out, with those of
// the pairs of out in other orders.
func permute(ctx context.Context, in, out []*mat.Dense, seed uint64) (score, p float64, err error) {
	n, _ := in[0].Dims()
	rng := rand.New(rand.NewPCG(seed, 23))
	scores := func(order []int) []float64 {
		q := make([]float64, 0, len(in)*len(out))
		for _, a := range in {
			for _, b := range out {
				sum := 0.0
				for i, at := range order {
					row, other := a.RawRowView(i), b.RawRowView(at)
					for j, to := range order {
						sum += row[j] * other[to]
					}
				}
				q = append(q, sum)
			}
		}
		return q
	}
	own := make([]int, n)
	for i := range own {
		own[i] = i
	}
	var drawn [][]float64
	for k := range permutations {
		if err := linop.Stopped(ctx); err != nil {
			return 0, 0, err
		}
		progress.Report(ctx, progress.Step{Task: "permutations", Done: float64(k), Total: permutations})
		drawn = append(drawn, scores(rng.Perm(n)))
	}
	m := beside(scores(own), drawn, highest)
	return highest(m.z), m.p, nil
}

// centredRows are functions less their mean, times the square roots of the weights; what is
// missing is taken for the mean.
func centredRows(f *mat.Dense, w []float64) *mat.Dense {
	n, m := f.Dims()
	out := mat.NewDense(n, m, nil)
	for k := range m {
		var there []float64
		for i := range n {
			if v := f.At(i, k); !math.IsNaN(v) {
				there = append(there, v)
			}
		}
		mean := stat.Mean(there, nil)
		for i := range n {
			if v := f.At(i, k); !math.IsNaN(v) {
				out.Set(i, k, (v-mean)*math.Sqrt(w[k]))
			}
		}
	}
	return out
}

// smoothed are F S Fᵀ for the smoothings S of a mesh, of unit size.
func smoothed(ctx context.Context, f *mat.Dense, m mesh.Mesh) ([]*mat.Dense, error) {
	n, size := f.Dims()
	var all []*mat.Dense
	for _, l := range smoothings() {
		g := mat.NewDense(n, n, nil)
		for from := 0; from < size; from += 256 { // some columns of S at a time
			to := min(from+256, size)
			s := smoothing(m, l, from, to)
			g.Add(g, linop.Product(ctx, linop.Product(ctx, f, s), f.Slice(0, n, from, to).T()))
			if err := linop.Stopped(ctx); err != nil {
				return nil, err
			}
		}
		all = append(all, inUnit(g))
	}
	return all, nil
}

// smoothing are columns of S for a lengthscale, relative to the lengths of the axes.
func smoothing(m mesh.Mesh, l float64, from, to int) *mat.Dense {
	points, w := relative(m), m.Weights()
	s := mat.NewDense(m.Size(), to-from, nil)
	for i := range points {
		for j := from; j < to; j++ {
			d := distance(points[i], points[j]) / l
			s.Set(i, j-from, math.Sqrt(w[i]*w[j])*math.Exp(-d*d/2))
		}
	}
	return s
}

// inUnit makes the largest number one.
func inUnit(g *mat.Dense) *mat.Dense {
	if norm := floats.Norm(g.RawMatrix().Data, math.Inf(1)); norm > 0 {
		g.Scale(1/norm, g)
	}
	return g
}
