package outputs

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// weighed are two fields of 5 samples on meshes of different weights, with errors.
func weighed() []*dataset.Field {
	m := mesh.Must(mesh.Gauss(0, 1, 4, "y"))
	field := func(name string, e *dataset.Errors) *dataset.Field {
		v := array.New(5, 4)
		for i := range v.Data {
			v.Data[i] = math.Sin(float64(3*i + len(name)))
		}
		return &dataset.Field{Name: name, Values: v, Mesh: m, Errors: e}
	}
	c := mat.NewSymDense(4, nil)
	for i := range 4 {
		for j := range i + 1 {
			c.SetSym(i, j, 3*float64(1+i)*float64(1+j)*math.Pow(.5, float64(i-j)))
		}
	}
	return []*dataset.Field{
		field("u", &dataset.Errors{Pairs: []float64{1, 2, 3, 4, 5}, Points: []float64{.1, .2, .3, .4}}),
		field("vv", &dataset.Errors{Pairs: []float64{5, 1, 1, 1, 1}, Covariance: c}),
		field("www", nil),
	}
}

// Of outputs that are one on their union, each value has the variance that it has by itself, each
// couple of one output its correlation, and those of different outputs none; and what the union
// says of each output is what that has.
func TestStackedErrors(t *testing.T) {
	outs := weighed()
	e := testmain.Must(Stacked(outs))(t)
	dy := outs[0].Mesh.Weights()
	variance := func(e *dataset.Errors, o, p, q int) float64 { // of one sample with weight one, of white noise one over dy
		if e == nil || e.Covariance == nil {
			if p != q {
				return 0
			}
			return 1 / dy[p]
		}
		mean := 0.0
		for k, w := range dy {
			mean += w * e.Covariance.At(k, k) / 4
		}
		return e.Covariance.At(p, q) / mean
	}
	for a := range 12 {
		for b := range 12 {
			want := 0.0
			if a/4 == b/4 {
				want = variance(outs[a/4].Errors, a/4, a%4, b%4)
			}
			if got := e.Covariance.At(a, b); math.Abs(got-want) > 1e-12 {
				t.Errorf("covariance of %d and %d: %g, want %g", a, b, got, want)
			}
		}
	}
	back := Split([]*dataset.Field{{Values: outs[0].Values, Mesh: outs[0].Mesh}, {Values: outs[0].Values, Mesh: outs[0].Mesh}, {Values: outs[0].Values, Mesh: outs[0].Mesh}}, e)
	for o := range outs {
		for i := range 5 {
			for k := range 4 {
				want := 1.0
				if outs[o].Errors != nil {
					want = WeightOf(outs[o].Errors, i, k, 4)
				}
				if got := WeightOf(back[o].Errors, i, k, 4); math.Abs(got-want) > 1e-12 {
					t.Errorf("output %d, sample %d, point %d: weight %g, want %g", o, i, k, got, want)
				}
			}
		}
	}
}
