package term

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Covariate is (z - z̄) γ(y), without a bias z γ(y).
const Covariate Kind = "covariate"

type covariate struct{}

func (covariate) form() Form { return OneCurve }

// makes takes the covariate without its mean where there is a bias: the rest is in that.
func (covariate) makes(_ context.Context, g *Given, name string, out mesh.Mesh) (*Term, error) {
	z := scalarOf(g.Data, name)
	if z == nil {
		return nil, nil
	}
	t := &Term{Kind: Covariate, scalar: z}
	if !g.NoBias {
		t.centre = stat.Mean(z.Values, nil)
	}
	t.setKernel(g.Kernels[name], func(k kernel.Kernel) kernel.Kernel { return gram.OnOutput{Kernel: k} }, out)
	return t, nil
}

func (covariate) columns(_ context.Context, t *Term, in *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	z, err := t.times(in)
	if err != nil {
		return nil, mesh.Mesh{}, err
	}
	on, err := mesh.New(gram.Point())
	return mat.NewDense(len(z), 1, z), on, err
}

// times is what the term of each sample is multiplied by: its covariate less the mean z̄ of the data. It is nil where
// the term has none.
func (t *Term) times(in *dataset.Table) ([]float64, error) {
	if t.scalar == nil {
		return nil, nil
	}
	z := scalarOf(in, t.scalar.Name)
	if z == nil {
		return nil, missingInput(t.scalar.Name)
	}
	all := slices.Clone(z.Values)
	floats.AddConst(-t.centre, all)
	return all, nil
}

func (covariate) take(t *Term, k kernel.Kernel) error {
	t.Kernel = gram.OnOutput{Kernel: k}
	return nil
}
