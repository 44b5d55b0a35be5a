package model

import (
	"context"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Covariate is (z - z̄) γ(y).
const Covariate Kind = "covariate"

type covariate struct{}

// makes takes the covariate without its mean where there is a bias: the rest is in that.
func (covariate) makes(_ context.Context, s *Spec, name string, out mesh.Mesh) (*term, error) {
	z := scalarOf(s.Data, name)
	if z == nil {
		return nil, nil
	}
	t := &term{kind: Covariate, scalar: z}
	if !s.NoBias {
		t.centre = stat.Mean(z.Values, nil)
	}
	t.setKernel(s.Kernels[name], func(k kernel.Kernel) kernel.Kernel { return gram.OnOutput{Kernel: k} }, out)
	return t, nil
}

func (covariate) columns(_ context.Context, t *term, in *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
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

func (covariate) take(t *term, k kernel.Kernel) error {
	t.kernel = gram.OnOutput{Kernel: k}
	return nil
}
