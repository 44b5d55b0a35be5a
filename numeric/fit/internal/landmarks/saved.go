package landmarks

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Saved is what a file says of an estimate on landmarks: where its weights belong, and
// what the fit was without.
type Saved struct {
	X      mesh.Mesh `json:"x"`
	Y      mesh.Mesh `json:"y"`
	Input  bool      `json:"input"` // they are landmarks of the input mesh, not that itself
	Output bool      `json:"output"`
	Beyond Beyond    `json:"beyond"`
	Pairs  []float64 `json:"pairs,omitempty"`  // weights
	Points []float64 `json:"points,omitempty"` // likewise
}

// Saved is what a file says of it, with the meshes of the weights.
func (r *Reduction) Saved(x, y mesh.Mesh) *Saved {
	h := &Saved{X: x, Y: y, Input: r.In != nil, Output: r.Out != nil, Beyond: r.Beyond}
	if r.Errors != nil {
		h.Pairs, h.Points = r.Errors.Pairs, r.Errors.Points
	}
	return h
}

// Reduction is that of an estimate with a kernel, from data on meshes, but for G and the data.
func (h *Saved) Reduction(ctx context.Context, k kernel.Kernel, x, y mesh.Mesh) (r *Reduction, err error) {
	r = &Reduction{Beyond: h.Beyond}
	if r.Beyond.Left == 0 { // of a file that has one number for all three
		r.Beyond.Left, r.Beyond.Around = r.Beyond.Squares, r.Beyond.Squares
	}
	if h.Pairs != nil || h.Points != nil {
		r.Errors = &dataset.Errors{Pairs: h.Pairs, Points: h.Points}
	}
	take := func(of bool, m mesh.Mesh, input bool) (l *Set) {
		var f *kernels.Function
		if !of || err != nil {
			return nil
		}
		if f, err = Marginal(k, x, y, input); err == nil {
			l = &Set{f: f}
			err = l.factor(ctx, m)
		}
		return l
	}
	r.In, r.Out = take(h.Input, h.X, true), take(h.Output, h.Y, false)
	return r, err
}
