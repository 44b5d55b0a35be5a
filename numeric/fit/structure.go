package fit

import (
	"context"
	"math"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

const (
	structureMatters = 1e-8  // part of the objective that a structure may add to it without a note
	structureRounds  = 1e-12 // structure errors below are those of rounding, which the dense matrix has too
)

// cover adds to the gap what the structure of the kernels can do: Δ is the change of
// the response to the weights w when the kernels themselves take the place of their
// compressed forms, by E, and first is λ⟨w, E w⟩, with the same for the bias. With the
// misfit r = T - response, the dual point z and the gap g = ‖r - z‖² of the compressed
// problem, the gap of the same weights for the kernels themselves is
// ‖r - Δ - z‖² ≤ (√g + ‖Δ‖)², and their objective is the one reported less
// ⟨2 r - z, Δ⟩ - ‖Δ‖², where ⟨z, Δ⟩ = λ⟨w, E w⟩. So the objective reported is above the
// minimum by at most g + 4 √g ‖Δ‖ + ‖Δ‖² + |λ⟨w, E w⟩|.
func (r *Report) cover(delta, first float64) {
	added := first + delta*delta + 4*math.Sqrt(r.Gap)*delta
	r.Gap += added
	if !(added <= structureMatters*r.Objective) && r.StructureError > structureRounds {
		r.note(nothing, "the structure of the kernel may add %.1e to the objective: structure=\"dense\" or \"blocks\" evaluates the kernel itself", added)
	}
}

// compare says in the report how the structures were held against their kernels. It
// returns the differences of the products of both with their weights, as far as they
// are known, nil where there is none, and what they add to the penalties.
func (r *Report) compare(ctx context.Context, w *problem.Weighed) (green, bias []float64, first float64, err error) {
	r.StructureShare = 1
	difference := func(p gram.Product, weights, values []float64, penalty float64) (d []float64) {
		c := p.Check()
		if c == nil || err != nil {
			return nil
		}
		r.StructureError = max(r.StructureError, c.Error)
		r.StructureShare = min(r.StructureShare, float64(c.Rows)/float64(c.Of))
		var product float64
		d, product, err = c.Difference(ctx, weights, values)
		first += penalty * product
		return d
	}
	green = difference(w.K, w.Green.RawMatrix().Data, w.Values, r.Lambda)
	if w.Q != nil {
		bias = difference(w.Q, w.Bias, nil, r.Rho)
	}
	return green, bias, first, err
}
