package model_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// Predictions do not depend on the units of any input or output, nor on a constant in the
// outputs a million times their spread, with lengthscales, sizes, λ and ρ chosen.
func TestUnits(t *testing.T) {
	train := newCoupled(16).table(t, 24, .1, 3)
	predict := func(f, g, u, shift float64) *mat.Dense {
		scaled := func(a *array.Array, by, plus float64) *array.Array {
			return a.Map(func(x float64) float64 { return by*x + plus })
		}
		m := train.Fields[0].Mesh
		d, err := dataset.NewTable(dataset.TableSpec{
			Input:  map[string]*array.Array{"f": scaled(train.Field("f").Values, f, 0), "g": scaled(train.Field("g").Values, g, 0)},
			Output: map[string]*array.Array{"u": scaled(train.Output("u").Values, u, shift*u)}, InputMesh: dataset.Meshes{All: m}, OutputMesh: dataset.Meshes{All: m},
		})
		if err != nil {
			t.Fatal(err)
		}
		e, err := model.Fit(t.Context(), model.Spec{Data: d})
		if err != nil {
			t.Fatal(fmt.Errorf("units %g %g %g, shift %g: %w", f, g, u, shift, err))
		}
		p, err := e.Outputs[0].Predict(t.Context(), d, mesh.Mesh{})
		if err != nil {
			t.Fatal(err)
		}
		p.Apply(func(_, _ int, v float64) float64 { return (v - shift*u) / u }, p)
		return p
	}
	want := predict(1, 1, 1, 0)
	spread := 0.05 // about the standard deviation of u
	for _, c := range [][4]float64{
		{1e9, 1, 1, 0}, {1e-9, 1e9, 1e-6, 0}, {1, 1, 1, 1e6 * spread}, {1, 1, 1e9, -1e6 * spread},
	} {
		if off := relative(predict(c[0], c[1], c[2], c[3]), want); off > 1e-6 {
			t.Errorf("units %g, %g, %g and shift %g: predictions differ by %.2g", c[0], c[1], c[2], c[3], off)
		}
	}
}
