package outputs

import (
	"context"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// NewNoise is the noise of a new output: independent, of a standard deviation at each point (nil: none), and what is
// correlated along the output, a covariance of its points; nil for none. All of it is multiplied by one
// of the scales, each as likely as the others; nil stands for 1.
type NewNoise struct {
	Std        []float64
	Covariance *mat.Dense
	Scales     []float64
}

// mostScales is how many are told apart: more are put together, in order, by their mean squares.
const mostScales = 40

// squares are those of the scales.
func (n NewNoise) squares() []float64 {
	all := slices.Clone(n.Scales)
	slices.Sort(all)
	count := min(len(all), mostScales)
	out := make([]float64, count)
	for g := range out {
		lo, hi := g*len(all)/count, (g+1)*len(all)/count
		for _, v := range all[lo:hi] {
			out[g] += v * v / float64(hi-lo)
		}
	}
	return out
}

// addTo adds noise to the rows of draws.
func (n NewNoise) addTo(ctx context.Context, draws *mat.Dense, seed uint64) error {
	count, m := draws.Dims()
	draw := rand.New(rand.NewPCG(seed, 3))
	added := mat.NewDense(count, m, linop.Normal(draw, count*m))
	for i := range count {
		if n.Std != nil {
			floats.Mul(added.RawRowView(i), n.Std)
		} else {
			clear(added.RawRowView(i))
		}
	}
	if n.Covariance != nil {
		root, err := linop.SquareRoot(ctx, mat.DenseCopyOf(n.Covariance), 1)
		if err != nil {
			return err
		}
		added.Add(added, linop.Product(ctx, mat.NewDense(count, m, linop.Normal(draw, count*m)), root.T()))
	}
	if n.Scales != nil {
		for i := range count {
			floats.Scale(n.Scales[draw.IntN(len(n.Scales))], added.RawRowView(i))
		}
	}
	draws.Add(draws, added)
	return linop.Stopped(ctx)
}
