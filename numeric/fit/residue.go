package fit

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/internal/outputs"
)

// Residue is what is left of one set of data, n × points of the output. NaN stands for values
// that were not observed, or have no weight.
type Residue struct {
	Values  *mat.Dense // residuals over their standard deviations in the model
	LeftOut *mat.Dense // errors of predicting each pair from the others, over the predicted deviations, that of the noise included
	Means   []float64  // the same for the mean over the output of each pair
	Errors  *mat.Dense // errors of predicting each pair from the others, in the units of the output
}

// cut leaves some points of the output; means are of these already.
func (r *Residue) cut(at span) {
	n, my := r.Values.Dims()
	if at == (span{0, my}) {
		return
	}
	for _, m := range []**mat.Dense{&r.Values, &r.LeftOut, &r.Errors} {
		*m = mat.DenseCopyOf((*m).Slice(0, n, at.lo, at.hi))
	}
}

// span are the points lo, …, hi - 1 of the output.
type span struct{ lo, hi int }

// within are weights of points, 0 outside the span.
func (s span) within(w []float64) []float64 {
	own := make([]float64, len(w))
	copy(own[s.lo:s.hi], w[s.lo:s.hi])
	return own
}

// residualModel makes residuals z of unit τ in coordinates of its own.
type residualModel interface {
	// freedom is how many degrees of freedom they have.
	freedom() float64
	// observed returns those of the data t, and the form tᵀ M t.
	observed(ctx context.Context) (z *mat.Dense, form float64)
	// draw returns those of data for which the model is true, and the form of these.
	draw(ctx context.Context, rng *rand.Rand) (z *mat.Dense, form float64)
	// trace is that of M, over some points.
	trace(at span) float64
	// residue turns residuals into what is known of them, for a variance τ².
	residue(ctx context.Context, z *mat.Dense, tau2 float64) *Residue
}

// each calls f for what is no NaN.
func each(m *mat.Dense, f func(i, k int, v float64)) {
	n, _ := m.Dims()
	for i := range n {
		for k, v := range m.RawRowView(i) {
			if !math.IsNaN(v) {
				f(i, k, v)
			}
		}
	}
}

// inUnits turns scaled errors, white as those of the data, into errors of outputs.
func inUnits(ctx context.Context, m *mat.Dense, d *dataset.Dataset) error {
	whitened, err := outputs.NewWhitening(ctx, d)
	if err != nil {
		return err
	}
	if whitened != nil {
		plain := mat.DenseCopyOf(m)
		plain.Apply(func(_, _ int, v float64) float64 {
			if math.IsNaN(v) {
				return 0
			}
			return v
		}, plain)
		whitened.Back(plain.RawMatrix().Data)
		each(m, func(i, k int, _ float64) { m.Set(i, k, plain.At(i, k)) })
	}
	w, n, pairs := d.OutputMesh.Weights(), float64(d.N()), outputs.PairRoots(d)
	each(m, func(i, k int, v float64) { m.Set(i, k, v*math.Sqrt(n/w[k])/pairs[i]) })
	return nil
}
