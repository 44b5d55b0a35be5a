package fit

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Draws asks for functions from the posterior: G on X × Y or, for the inputs in the rows of F,
// sampled on X, predictions on Y without their noise. Meshes without points stand for those
// trained on.
type Draws struct {
	N    int
	Seed uint64
	F    *mat.Dense // nil: G itself
	X, Y mesh.Mesh
	// Apart says that nothing is asked of two predictions together: each then has the right draws by
	// itself, for a fraction of the cost.
	Apart bool
}

// Draw draws from the posterior, all points of all predictions together: a row for each of the
// N draws, points of X × points of Y, or predictions × points of Y. Their mean is that of Green
// or Predict and their standard deviation that of Std or PredictStd, which is about Green or Predict where draws are of
// several estimates and have another mean; the covariance is held to
// one part in 10⁴ of every variance, and one in 10¹⁰ of what it was before the data, by a partial
// Cholesky factorisation of it; for a smooth kernel by its features, as their bands are. Cost:
// that of the bands, a product with the kernel or a row of its values for each of the directions that
// the draws vary in, at most as many as there are values, and with P values and r of these
// directions P r² operations.
func (e *Estimate) Draw(ctx context.Context, d Draws) (*mat.Dense, error) {
	out, err := e.Deviate(ctx, d) // first, as it refuses what does not fit into memory
	if err != nil {
		return nil, err
	}
	mean, err := e.meanOf(ctx, d)
	if err != nil {
		return nil, err
	}
	linop.AddToRows(out, 1, mean.RawMatrix().Data)
	return out, nil
}

// meanOf is the posterior mean of what is drawn.
func (e *Estimate) meanOf(ctx context.Context, d Draws) (*mat.Dense, error) {
	if d.F == nil {
		return e.Green(ctx, d.X, d.Y)
	}
	return e.Predict(ctx, d.F, d.X, d.Y)
}

// Deviate is Draw without the mean: by how much draws differ from the estimate.
func (e *Estimate) Deviate(ctx context.Context, d Draws) (*mat.Dense, error) {
	if d.N < 1 {
		return nil, fmt.Errorf("n %d: must be at least 1", d.N)
	}
	var err error
	if d.F == nil {
		d.X, d.Y, err = e.meshes(d.X, d.Y)
	} else {
		d.X, d.Y, err = e.meshesFor(d.F, d.X, d.Y)
	}
	given := d
	if err == nil && d.F != nil {
		d.F, d.X, err = e.reduction.Input(ctx, d.F, d.X)
	}
	if err != nil {
		return nil, err
	}
	if w := e.within; w != nil && (d.F == nil || w.bias) {
		if d.X, d.Y, err = w.place(d.X, d.Y); err != nil {
			return nil, err
		}
		out, err := w.whole.Deviate(ctx, d)
		if err == nil {
			out.Scale(w.unit, out)
		}
		return out, err
	}
	p, err := e.posterior(ctx)
	if err != nil {
		return nil, err
	}
	draw := rand.New(rand.NewPCG(d.Seed, 2))
	out, err := p.Deviate(ctx, d.F, d.X, d.Y, d.N, d.Apart, draw)
	if err != nil {
		return nil, err
	}
	err = e.loosenDraws(ctx, p, draw, out, func(k Known) (*mat.Dense, error) {
		if given.F == nil {
			return k.Green(ctx, given.X, given.Y)
		}
		return k.Predict(ctx, given.F, given.X, given.Y)
	})
	if err != nil {
		return nil, err
	}
	return out, e.exchange(ctx, d, draw, out)
}

// exchange puts draws of other estimates in place of some, with the probabilities that it is
// them.
func (e *Estimate) exchange(ctx context.Context, d Draws, draw *rand.Rand, out *mat.Dense) error {
	others, err := e.learned.others.get(ctx)
	if len(others) == 0 || err != nil {
		return err
	}
	mean, err := e.meanOf(ctx, d)
	if err != nil {
		return err
	}
	from := make([]float64, d.N)
	for i := range from {
		from[i] = draw.Float64()
	}
	below := 0.0
	for _, o := range others {
		above := below + o.share
		d.Seed = draw.Uint64() // which of its own others it takes must not hang on from
		drawn, err := o.estimate.Draw(ctx, d)
		if err != nil {
			return err
		}
		linop.AddToRows(drawn, -1, mean.RawMatrix().Data)
		for i, u := range from {
			if below <= u && u < above {
				out.SetRow(i, drawn.RawRowView(i))
			}
		}
		below = above
	}
	return nil
}
