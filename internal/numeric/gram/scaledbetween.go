package gram

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// scaled returns nil where the kernel is no sum of scaled terms with a structure.
func (c *crosser) scaled() (adjoint, error) {
	terms, err := c.f.Terms()
	if err != nil || terms == nil {
		return nil, err
	}
	var sum crossSum
	for _, t := range terms {
		r, err := newReference(c.ctx, t.Function, c.xs, c.ys, c.x, c.y)
		if err != nil {
			return nil, err
		}
		inner := &crosser{reference: r, xs: c.xs, ys: c.ys, x: c.x, y: c.y, most: c.most}
		op, err := inner.mixture()
		if op == nil && err == nil {
			op, err = inner.kronecker()
		}
		if op == nil || err != nil {
			return nil, err
		}
		term := crossTerm{k: op}
		if t.Scale != nil {
			if term.to, err = valuesOn(t.Scale, c.to, c.xs.Size(), c.ys.Size()); err != nil {
				return nil, err
			}
			if term.from, err = valuesOn(t.Scale, c.from, c.x.Size(), c.y.Size()); err != nil {
				return nil, err
			}
		}
		sum = append(sum, term)
	}
	return sum, nil
}

// crossSum is Σ_t D_t K_t E_t with diagonal D_t and E_t: a scaled sum between
// different meshes.
type crossSum []crossTerm

type crossTerm struct {
	to, from *mat.Dense // the diagonals of D_t and E_t; nil for 1
	k        adjoint
}

// Dims implements linop.Operator.
func (s crossSum) Dims() (r, c int) { return s[0].k.Dims() }

// Apply implements linop.Operator.
func (s crossSum) Apply(ctx context.Context, dst, x []float64) {
	clear(dst)
	for _, t := range s {
		addScaled(ctx, dst, t.to, t.k.Apply, t.from, x)
	}
}

// ApplyTranspose implements linop.Adjoint.
func (s crossSum) ApplyTranspose(ctx context.Context, dst, x []float64) {
	clear(dst)
	for _, t := range s {
		addScaled(ctx, dst, t.from, t.k.ApplyTranspose, t.to, x)
	}
}

func (s crossSum) entries(dst []float64, i, j []int) {
	clear(dst)
	own := make([]float64, len(dst))
	for _, t := range s {
		t.k.entries(own, i, j)
		addScaledEntries(dst, own, t.to, t.from, i, j)
	}
}

func (s crossSum) certain() bool {
	return !slices.ContainsFunc(s, func(t crossTerm) bool { return !t.k.certain() })
}

// Describe implements linop.Describer.
func (s crossSum) Describe() string {
	return describeTerms(s, func(t crossTerm) (string, bool) { return linop.Describe(t.k), t.to != nil })
}
