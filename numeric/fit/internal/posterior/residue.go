package posterior

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/dataset"
)

// Residue is what is left of one set of data, n × points of the output. NaN stands for values
// that were not observed, or have no weight.
type Residue struct {
	Values  *mat.Dense // residuals over their standard deviations in the model
	LeftOut *mat.Dense // errors of predicting each pair from the others, over the predicted deviations, that of the noise included
	Means   []float64  // the same for the mean over the output of each pair
	Errors  *mat.Dense // errors of predicting each pair from the others, in the units of the output
}

// Cut leaves some points of the output; means are of these already.
func (r *Residue) Cut(at Span) {
	n, my := r.Values.Dims()
	if at == (Span{0, my}) {
		return
	}
	for _, m := range []**mat.Dense{&r.Values, &r.LeftOut, &r.Errors} {
		*m = mat.DenseCopyOf((*m).Slice(0, n, at.Lo, at.Hi))
	}
}

// Span are the points lo, …, hi - 1 of the output.
type Span struct{ Lo, Hi int }

// within are weights of points, 0 outside the span.
func (s Span) within(w []float64) []float64 {
	own := make([]float64, len(w))
	copy(own[s.Lo:s.Hi], w[s.Lo:s.Hi])
	return own
}

// Model makes residuals z of unit τ in coordinates of its own.
type Model interface {
	// Freedom is how many degrees of freedom they have.
	Freedom() float64
	// Observed returns those of the data t, and the form tᵀ M t.
	Observed(ctx context.Context) (z *mat.Dense, form float64)
	// Draw returns those of data for which the model is true, and the form of these.
	Draw(ctx context.Context, rng *rand.Rand) (z *mat.Dense, form float64)
	// Trace is that of M, over some points.
	Trace(at Span) float64
	// Shares are the diagonal of M, pairs × points of the output; 0 where there is no value.
	Shares() *mat.Dense
	// Block is that of M of one pair, points × points of the output; 0 where there is no value.
	Block(ctx context.Context, pair int) *mat.Dense
	// Residue turns residuals into what is known of them, for a variance τ².
	Residue(ctx context.Context, z *mat.Dense, tau2 float64) *Residue
}

// Each calls f for what is no NaN.
func Each(m *mat.Dense, f func(i, k int, v float64)) {
	n, _ := m.Dims()
	for i := range n {
		for k, v := range m.RawRowView(i) {
			if !math.IsNaN(v) {
				f(i, k, v)
			}
		}
	}
}

// InUnits turns scaled errors, white as those of the data, into errors of outputs.
func InUnits(ctx context.Context, m *mat.Dense, d *dataset.Dataset) error {
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
		Each(m, func(i, k int, _ float64) { m.Set(i, k, plain.At(i, k)) })
	}
	w, n, pairs := d.OutputMesh.Weights(), float64(d.N()), outputs.PairRoots(d)
	Each(m, func(i, k int, v float64) { m.Set(i, k, v*math.Sqrt(n/w[k])/pairs[i]) })
	return nil
}
