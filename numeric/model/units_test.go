package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// writing is the units of each measured quantity, and how far its origin is off.
type writing struct {
	f, g, z, u, theta, axis float64
	zOrigin, uOrigin        float64 // in the quantities' first units
}

// small is a model of few values, whose likelihood is flat.
type small struct {
	points, samples int
	seed            uint64
	terms           []string // nil: f and g
	theta           bool
	holes           bool
	criterion       fit.Criterion
}

// table is the measurements in some units.
func (c small) table(t *testing.T, in writing) *dataset.Table {
	t.Helper()
	base := newCoupled(c.points).table(t, c.samples, .1, c.seed)
	rng := rand.New(rand.NewPCG(c.seed, 7))
	f, g, u := base.Field("f").Values.Copy(), base.Field("g").Values.Copy(), base.Output("u").Values.Copy()
	z, theta, who := array.New(c.samples), make([]float64, c.samples), make([]string, c.samples)
	for i := range c.samples {
		z.Data[i], who[i], theta[i] = rng.NormFloat64(), fmt.Sprint(i%3), in.theta*float64(i%2)
		for k := range c.points {
			if c.terms != nil || c.holes { // other effects than those of the terms, too
				u.Data[i*c.points+k] += .03*z.Data[i]*float64(k)/float64(c.points) + .01*float64(i%3)
			}
			if c.holes && (i+2*k)%7 == 0 {
				u.Data[i*c.points+k] = math.NaN()
			}
		}
	}
	write := func(a *array.Array, unit, origin float64) *array.Array {
		return a.Map(func(x float64) float64 { return unit * (x + origin) })
	}
	m := mesh.Must(mesh.Uniform(0, in.axis, c.points, "x"))
	spec := dataset.TableSpec{
		Input:  map[string]*array.Array{"f": write(f, in.f, 0), "g": write(g, in.g, 0), "z": write(z, in.z, in.zOrigin)},
		Output: map[string]*array.Array{"u": write(u, in.u, in.uOrigin)}, InputMesh: dataset.Meshes{All: m}, OutputMesh: dataset.Meshes{All: m},
		Group: map[string][]string{"who": who}, Missing: c.holes,
	}
	if c.theta {
		spec.Parameter = map[string][]float64{"theta": theta}
	}
	return testmain.Must(dataset.NewTable(spec))(t)
}

// predictions are those of the samples, in the first units.
func (c small) predictions(t *testing.T, in writing) *mat.Dense {
	t.Helper()
	d := c.table(t, in)
	terms := c.terms
	if terms == nil {
		terms = []string{"f", "g"}
	}
	e, err := model.Fit(t.Context(), model.Spec{Data: d, Terms: terms, Criterion: c.criterion})
	if err != nil {
		t.Fatalf("%+v, %+v: %v", c, in, err)
	}
	p := testmain.Must(e.Outputs[0].Predict(t.Context(), d, mesh.Mesh{}))(t)
	p.Apply(func(_, _ int, v float64) float64 { return v/in.u - in.uOrigin }, p)
	return p
}

// Predictions do not depend on the units of any input, output or axis, nor on a constant in the
// outputs a million times their spread, with lengthscales, sizes, λ and ρ chosen. Few data
// leave the likelihood flat, so that whatever knows units in the search would show.
func TestUnits(t *testing.T) {
	const spread = .05 // about the standard deviation of u
	same := writing{f: 1, g: 1, z: 1, u: 1, theta: 1, axis: 1}
	alone := func(change func(w *writing)) writing {
		w := same
		change(&w)
		return w
	}
	writings := []writing{
		alone(func(w *writing) { w.f = 1e9 }), alone(func(w *writing) { w.g = 1e-9 }), alone(func(w *writing) { w.u = 1e9 }),
		alone(func(w *writing) { w.axis = 1e-9 }), alone(func(w *writing) { w.axis, w.f = 1e9, 1e3 }),
		alone(func(w *writing) { w.z, w.zOrigin = 1e9, 1e3 }), alone(func(w *writing) { w.theta = 1e9 }),
		alone(func(w *writing) { w.uOrigin = 1e6 * spread }), alone(func(w *writing) { w.u, w.uOrigin = 1e-9, -1e6*spread }),
	}
	all := []string{"f", "g", "z", "who", "z*f"}
	for i, c := range []small{
		{points: 4, samples: 5, seed: 3},
		{points: 4, samples: 5, seed: 4},
		{points: 4, samples: 5, seed: 3, criterion: fit.GCV},
		{points: 4, samples: 5, seed: 4, criterion: fit.LOO},
		{points: 3, samples: 12, seed: 2},
		{points: 5, samples: 7, seed: 3, holes: true},
		{points: 4, samples: 7, seed: 1, terms: all},
		{points: 7, samples: 10, seed: 6, terms: []string{"f", "z"}}, // whose lengthscales on the output differ
		{points: 4, samples: 8, seed: 5, theta: true},
	} {
		want := c.predictions(t, same)
		for j, in := range writings {
			if (i+j)%testmain.Stride(3) != 0 {
				continue // every writing is tried with some
			}
			if in.z != 1 && c.terms == nil || in.theta != 1 && !c.theta {
				continue // not among the inputs
			}
			off := relative(c.predictions(t, in), want)
			t.Logf("%+v, %+v: %.1e", c, in, off)
			if !(off <= 1e-6) {
				t.Errorf("%+v, in units %+v: predictions differ by %.2g", c, in, off)
			}
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
	d := testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input:     map[string]*array.Array{"f": train.Field("f").Values, "z": number},
		InputMesh: dataset.Meshes{Of: map[string]mesh.Mesh{"f": m, "z": point}},
		Output:    map[string]*array.Array{"u": out}, OutputMesh: dataset.Meshes{All: point},
	}))(t)
	e := testmain.Must(model.Fit(t.Context(), model.Spec{Data: d}))(t)
	g := testmain.Must(e.Outputs[0].Term("z").Green())(t)
	slope, err := g.At(t.Context(), []float64{.5}, []float64{.5})
	if err != nil || slope < 2.9 || slope > 3.1 {
		t.Errorf("slope %g, want 3 (%v)", slope, err)
	}
}

// Inputs in very different units are learned alike with errors of every kind: each term has a matrix of its own, also where the
// errors of the points of the output are part of its mesh.
func TestUnitsBesideErrors(t *testing.T) {
	k := givenKernels()
	for parts := 0; parts < 16; parts += testmain.Stride(3) {
		var first, firstBand *mat.Dense
		for _, unit := range []float64{1, 1e9} {
			d := everything(t, 12, false, parts%2 == 1)
			d.Outputs[0].Errors = errorsOf(parts, 12, d.Outputs[0].Mesh.Size())
			for i := range d.Fields[1].Values.Data {
				d.Fields[1].Values.Data[i] *= unit
			}
			e := testmain.Must(model.Fit(t.Context(), model.Spec{
				Data: d, Terms: []string{"g", "age", "who"}, Kernels: map[string]kernel.Kernel{"g": k["g"], "age": k["age"], "who": k["who"]},
				Amplitudes: map[string]float64{"g": 1 / (unit * unit), "age": 4, "who": .5}, Lambda: 1e-2, Rho: 1e-1,
			}))(t)
			u := testmain.Must(e.Outputs[0].Predict(t.Context(), d, mesh.Mesh{}))(t)
			band := testmain.Must(e.Outputs[0].PredictStd(t.Context(), d, mesh.Mesh{}))(t)
			if first == nil {
				first, firstBand = u, band
				continue
			}
			if !mat.EqualApprox(u, first, 1e-6*mat.Max(first)) || !mat.EqualApprox(band, firstBand, 1e-5*mat.Max(firstBand)) {
				t.Errorf("errors %d: inputs in other units: %.6g, before %.6g; bands %.6g, before %.6g", parts, u.RawRowView(0), first.RawRowView(0), band.RawRowView(0), firstBand.RawRowView(0))
			}
		}
	}
}
