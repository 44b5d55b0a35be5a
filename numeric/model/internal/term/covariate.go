package term

import (
	"context"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Covariate is (z - z̄) γ(y).
const Covariate Kind = "covariate"

type covariate struct{}

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
	z := scalarOf(in, t.scalar.Name)
	if z == nil {
		return nil, mesh.Mesh{}, missingInput(t.scalar.Name)
	}
	columns := mat.NewDense(len(z.Values), 1, nil)
	for i, v := range z.Values {
		columns.Set(i, 0, v-t.centre)
	}
	on, err := mesh.New(gram.Point())
	return columns, on, err
}

func (covariate) take(t *Term, k kernel.Kernel) error {
	t.Kernel = gram.OnOutput{Kernel: k}
	return nil
}
