package model_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// airy is Green's function of u″ - θ² x u = f on [0, 1], zero at the ends, by central
// differences on n points: input first.
func airy(n int, theta float64) *mat.Dense {
	h, in := 1/float64(n-1), n-2
	a := mat.NewDense(in, in, nil)
	for i := range in {
		a.Set(i, i, -2/(h*h)-theta*theta*float64(i+1)*h)
		if i > 0 {
			a.Set(i, i-1, 1/(h*h))
			a.Set(i-1, i, 1/(h*h))
		}
	}
	var inverse mat.Dense
	if err := inverse.Inverse(a); err != nil {
		panic(err)
	}
	g := mat.NewDense(n, n, nil)
	for x := range in {
		for y := range in {
			g.Set(x+1, y+1, inverse.At(y, x)/h)
		}
	}
	return g
}

// familyOf has n samples, each with a parameter of its own between 1 and 10.
func familyOf(t *testing.T, m mesh.Mesh, n int, seed uint64) *dataset.Table {
	t.Helper()
	f := fields(t, m, n, .03, seed)
	rng := rand.New(rand.NewPCG(seed, 8))
	theta, u := make([]float64, n), mat.NewDense(n, m.Size(), nil)
	for i := range n {
		theta[i] = 1 + 9*rng.Float64()
		weighted := mat.NewDense(1, m.Size(), nil)
		for j, w := range m.Weights() {
			weighted.Set(0, j, w*f.At(i, j))
		}
		var own mat.Dense
		own.Mul(weighted, airy(m.Size(), theta[i]))
		u.SetRow(i, own.RawRowView(0))
	}
	d := testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"f": array.FromMatrix(f)}, Output: map[string]*array.Array{"u": array.FromMatrix(u)},
		InputMesh: dataset.Meshes{All: m}, OutputMesh: dataset.Meshes{All: m}, Parameter: map[string][]float64{"theta": theta},
	}))(t)
	return d
}

// samples is how many the family is learned from: with 300, G is off by at most .05 %, with 120 by .3.
var samples = flag.Int("samples", 120, "of the family")

// A family with nothing given: lengthscales, that of the parameter among them, sizes and
// penalties are chosen. G of a parameter that no sample has is off by at most 1.5 %.
func TestFamily(t *testing.T) {
	testmain.Long(t)
	m := mesh.Must(mesh.Uniform(0, 1, 30, "x"))
	d := familyOf(t, m, *samples, 5)
	e := testmain.Must(model.Fit(t.Context(), model.Spec{Data: d}))(t)
	o := e.Outputs[0]
	t.Logf("%.1f s, %d iterations, %s, %s: %s", o.Report.Seconds, o.Report.Iterations, o.Report.Method, o.Report.Criterion, o.Terms[0].Kernel)
	for _, theta := range []float64{2.5, 5, 7, 9} {
		g := testmain.Must(o.Term("f").Green(theta))(t)
		got := testmain.Must(g.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{}))(t)
		off := relative(got, airy(30, theta))
		t.Logf("theta %g: error %.4f", theta, off)
		if off > .015 {
			t.Errorf("G at theta = %g is off by %.4f", theta, off)
		}
	}
	fresh := familyOf(t, m, 40, 99)
	p := testmain.Must(o.Predict(t.Context(), fresh, mesh.Mesh{}))(t)
	truth := testmain.Must(fresh.Outputs[0].Values.Matrix())(t)
	if off := relative(p, truth); math.IsNaN(off) || off > .015 {
		t.Errorf("predictions at parameters of their own are off by %.4f", off)
	} else {
		t.Logf("predictions %.4f", off)
	}
}
