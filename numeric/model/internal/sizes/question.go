package sizes

import (
	"cmp"
	"context"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// Question is what sizes are asked for.
type Question struct {
	Terms  []*term.Term
	Outs   []*dataset.Field // one, or several that are coupled
	Bias   kernel.Kernel    // of β; nil: the mean of the kernels of the terms on the output
	NoBias bool
	Flat   bool            // β has a constant that is free
	Given  map[int]float64 // factors of the kernels, by term

	Lambda, Rho float64 // that all is chosen at; 0: they are chosen as well, ρ equal to a λ that is given
}

// mesh is that of each output.
func (q *Question) mesh() mesh.Mesh { return q.Outs[0].Mesh }

// choice is that of the sizes of the terms, from a part of the data.
func (q *Question) choice(ctx context.Context) (*choice, error) {
	r, err := newReduced(ctx, q.Outs, term.Curve(q.Terms, q.mesh()), q.Flat)
	if err != nil {
		return nil, err
	}
	return q.choiceFrom(ctx, r)
}

func (q *Question) choiceFrom(ctx context.Context, r *reduced) (*choice, error) {
	terms := q.Terms
	c := &choice{r: r, terms: terms, given: q.Given, lambda: q.Lambda, rho: cmp.Or(q.Rho, q.Lambda), l: &criteria.Components{T: r.t, Contrast: r.flat}, scale: make([]float64, len(terms))}
	for i, t := range terms {
		m, scale, err := r.covariance(ctx, t, t.Kernel)
		if err != nil {
			return nil, err
		}
		c.l.C, c.scale[i] = append(c.l.C, m), scale
	}
	if !q.NoBias {
		bias := q.Bias
		if bias == nil {
			bias = term.Curve(terms, r.out)
		}
		beta, scale, err := r.bias(ctx, bias)
		if err != nil {
			return nil, err
		}
		c.l.C, c.scale = append(c.l.C, beta), append(c.scale, scale)
	}
	c.best, c.limits = c.l.Best, c.ofFactors
	return c, nil
}
