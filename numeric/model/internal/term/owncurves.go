package term

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Noise is a random curve of each sample that no other sample has: noise that is correlated
// along the output, beside the white noise of every value. Predictions are without it.
const Noise Kind = "noise"

// NoiseName is that of the term. No input may have it.
const NoiseName = "noise"

// ownCurves are those of samples. A sample of weight w has one of 1/w times the variance, as all of its
// noise has.
type ownCurves struct{ curves }

func (ownCurves) makes(_ context.Context, g *Given, name string, out mesh.Mesh) (*Term, error) {
	if name != NoiseName || g.Noise == nil {
		return nil, nil
	}
	n := g.Data.N()
	t := &Term{Kind: Noise, Columns: linop.Identity(n), Group: &dataset.Grouping{Name: NoiseName}}
	numbers := make([]float64, n)
	for i := range n {
		numbers[i] = float64(i)
		t.Group.Labels, t.Group.Of = append(t.Group.Labels, strconv.Itoa(i+1)), append(t.Group.Of, i)
	}
	var err error
	t.On, err = LabelMesh(NoiseName, numbers...)
	t.setCurves(g.Noise, out)
	return t, err
}

// columns of other samples have none of the curves of the data.
func (ownCurves) columns(context.Context, *Term, *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	return nil, mesh.Mesh{}, errors.New("noise is not predicted")
}

// AsLoud gives the curves of the samples the standard deviations that their errors have as a whole: the same for
// outputs that are coupled.
func (t *Term) AsLoud(outs []*dataset.Field) {
	if t.Kind != Noise {
		return
	}
	first := outs[0].Errors
	for _, o := range outs {
		if o.Errors == nil || o.Errors.Pairs == nil || !slices.Equal(o.Errors.Pairs, first.Pairs) {
			return
		}
	}
	for i, w := range first.Pairs {
		t.Columns.Set(i, i, 1/math.Sqrt(w))
	}
}
