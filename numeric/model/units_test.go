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
	train := newCoupled(12).table(t, 24, .1, 3)
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

// An output, and an input, of one point are numbers of each sample: the model is that of
// regression on numbers.
func TestOnePoint(t *testing.T) {
	train := newCoupled(16).table(t, 24, 0, 3)
	point := mesh.Must(mesh.Scattered([]float64{.5}, 1, []float64{1}, "x"))
	m := train.Fields[0].Mesh
	number, out := array.New(24, 1), array.New(24, 1)
	for i := range 24 {
		number.Data[i] = train.Field("g").Values.At(i, 3)
		out.Data[i] = 3*number.Data[i] + .5*train.Field("f").Values.At(i, 8) // a linear functional of f
	}
	d, err := dataset.NewTable(dataset.TableSpec{
		Input:     map[string]*array.Array{"f": train.Field("f").Values, "z": number},
		InputMesh: dataset.Meshes{Of: map[string]mesh.Mesh{"f": m, "z": point}},
		Output:    map[string]*array.Array{"u": out}, OutputMesh: dataset.Meshes{All: point},
	})
	if err != nil {
		t.Fatal(err)
	}
	e, err := model.Fit(t.Context(), model.Spec{Data: d})
	if err != nil {
		t.Fatal(err)
	}
	g, err := e.Outputs[0].Term("z").Green()
	if err != nil {
		t.Fatal(err)
	}
	slope, err := g.At(t.Context(), []float64{.5}, []float64{.5})
	if err != nil || slope < 2.9 || slope > 3.1 {
		t.Errorf("slope %g, want 3 (%v)", slope, err)
	}
}
