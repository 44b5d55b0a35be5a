package fit

import (
	"context"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// onLandmarks is what a file says of an estimate on landmarks: where its weights belong, and
// what the fit was without.
type onLandmarks struct {
	X      mesh.Mesh `json:"x"`
	Y      mesh.Mesh `json:"y"`
	Input  bool      `json:"input"` // they are landmarks of the input mesh, not that itself
	Output bool      `json:"output"`
	Beyond beyond    `json:"beyond"`
	Pairs  []float64 `json:"pairs,omitempty"`  // weights
	Points []float64 `json:"points,omitempty"` // likewise
}

func (r *reduction) header(e *Estimate) *onLandmarks {
	l := e.green.Lattice()
	h := &onLandmarks{X: l.X(), Y: l.Y(), Input: r.in != nil, Output: r.out != nil, Beyond: r.beyond}
	if r.errors != nil {
		h.Pairs, h.Points = r.errors.Pairs, r.errors.Points
	}
	return h
}

// reduction is that of an estimate with its kernel and the meshes of its data.
func (h *onLandmarks) reduction(ctx context.Context, e *Estimate) (r *reduction, err error) {
	r = &reduction{beyond: h.Beyond}
	if h.Pairs != nil || h.Points != nil {
		r.errors = &dataset.Errors{Pairs: h.Pairs, Points: h.Points}
	}
	take := func(of bool, m mesh.Mesh, input bool) (l *landmarks) {
		var f *kernel.Function
		if !of || err != nil {
			return nil
		}
		if f, err = marginal(e.Kernel, e.InputMesh, e.OutputMesh, input); err == nil {
			l = &landmarks{f: f}
			err = l.factor(ctx, m)
		}
		return l
	}
	r.in, r.out = take(h.Input, h.X, true), take(h.Output, h.Y, false)
	return r, err
}
