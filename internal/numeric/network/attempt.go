package network

import (
	"context"
	"math"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/model"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	// littleNoise is the noise, relative to the spread of the outputs, below which channels of
	// the data themselves are as good as those of predictions.
	littleNoise = 1e-3
	worthWhile  = 0.95 // error, in that of the one before, that is worth a step
)

// attempt is a fit with its predictions of left-out pairs.
type attempt struct {
	e       *model.Estimate
	names   []string
	like    *choices
	folds   *folded    // nil of layers of many pairs
	out     *mat.Dense // predictions of the pairs, each left out
	leftOut float64    // their error, relative to the outputs
	failed  int        // pairs without a fixed point
	newton  bool       // a layer is a step of Newton's method; see newton.go
	rounds  int        // of channels that are of predictions

	green    map[string]*mat.Dense // of the terms on their meshes, where there are no folds
	refitted []*model.Output       // of the folds, see again; nil: there is hardly any noise
	other    *model.Output         // of a λ beside this one, where there is hardly any noise; nil: none
}

// parts are the fits that leave a fold out each, which bands are from.
func (a *attempt) parts() (all []*model.Output) {
	if a.refitted != nil {
		return a.refitted
	}
	for _, own := range a.folds.layers {
		all = append(all, own.output)
	}
	return all
}

// attempt fits channels of u, and again with every fold left out.
func (l *learner) attempt(ctx context.Context, names []string, u *mat.Dense, like *choices) (*attempt, error) {
	t, err := l.table(names, u)
	if err != nil {
		return nil, err
	}
	return l.attemptOn(ctx, t, names, like)
}

// attemptOn fits a table of channels, and again with every fold left out.
func (l *learner) attemptOn(ctx context.Context, t *dataset.Table, names []string, like *choices) (*attempt, error) {
	e, err := l.fit(ctx, t, names, like.shapes())
	if err != nil {
		return nil, err
	}
	a := &attempt{e: e, names: names, like: chosen(e.Outputs[0])}
	a.folds, err = l.folds(ctx, t, names, a.like)
	return a, err
}

// applyLeftOut is apply of the fold that each pair was left out of.
func (l *learner) applyLeftOut(ctx context.Context, a *attempt, h *mat.Dense) (*mat.Dense, error) {
	_, in := l.named(a.names)
	out := mat.DenseCopyOf(l.u)
	for k, own := range a.folds.layers {
		for i, pair := range a.folds.out[k] {
			v := out.RawRowView(pair)
			copy(v, a.folds.fixed[k].RawRowView(i))
			if err := own.op.advance(ctx, v, in, pair, h.RawRowView(pair), a.newton); err != nil {
				return nil, err
			}
		}
	}
	return out, linop.Stopped(ctx)
}

// noisy tells whether the outputs have more noise than channels of them bear.
func (l *learner) noisy(a *attempt) bool {
	return a.e.Outputs[0].Report.Sigma > littleNoise*l.spread()
}

// error of predictions of the pairs: root of the sum of squares, relative to that of the outputs.
func (l *learner) error(u *mat.Dense) float64 {
	total := norm(l.u.RawMatrix().Data)
	if total == 0 {
		total = 1
	}
	return floats.Distance(u.RawMatrix().Data, l.u.RawMatrix().Data, 2) / total
}

// distance is the root of the mean square of a difference.
func distance(a, b *mat.Dense) float64 {
	p, q := a.RawMatrix().Data, b.RawMatrix().Data
	return floats.Distance(p, q, 2) / math.Sqrt(float64(len(p)))
}

// spread is by how much the outputs differ between pairs.
func (l *learner) spread() float64 {
	o := l.data.Outputs[0]
	d := dataset.Dataset{Input: o.Values, Output: o.Values, OutputMesh: o.Mesh}
	return d.Spread()
}
