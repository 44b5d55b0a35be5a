package model_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// coupled is u″ - v = f, v″ + u = g on [0, 1], all zero at the ends, by central differences
// on the mesh of the data: the four Green's functions are the blocks of the inverse,
// divided by the step.
type coupled struct {
	m     mesh.Mesh
	green map[string]*mat.Dense // by output and field: uf, ug, vf, vg
}

func newCoupled(n int) coupled {
	m := mesh.Must(mesh.Uniform(0, 1, n, "x"))
	h := 1 / float64(n-1)
	in := n - 2
	a := mat.NewDense(2*in, 2*in, nil)
	for i := range in {
		for s := range 2 {
			r := s*in + i
			a.Set(r, r, -2/(h*h))
			if i > 0 {
				a.Set(r, r-1, 1/(h*h))
			}
			if i < in-1 {
				a.Set(r, r+1, 1/(h*h))
			}
		}
		a.Set(i, in+i, -1)
		a.Set(in+i, i, 1)
	}
	var inverse mat.Dense
	if err := inverse.Inverse(a); err != nil {
		panic(err)
	}
	c := coupled{m: m, green: map[string]*mat.Dense{}}
	for o, out := range []string{"u", "v"} {
		for f, field := range []string{"f", "g"} {
			g := mat.NewDense(n, n, nil) // G(x, y): input first
			for y := range in {
				for x := range in {
					g.Set(x+1, y+1, inverse.At(o*in+y, f*in+x)/h)
				}
			}
			c.green[out+field] = g
		}
	}
	return c
}

func fields(t testing.TB, m mesh.Mesh, n int, lengthscale float64, seed uint64) *mat.Dense {
	t.Helper()
	a := testmain.Must(randfield.Field{Kernel: kernel.SE{Lengthscale: ell(lengthscale)}, Mesh: m, N: n, Seed: seed}.Draw(t.Context()))(t)
	return testmain.Must(a.Matrix())(t)
}

func (c coupled) table(t *testing.T, n int, noise float64, seed uint64) *dataset.Table {
	t.Helper()
	f, g := fields(t, c.m, n, .1, seed), fields(t, c.m, n, .1, seed+1)
	rng := rand.New(rand.NewPCG(seed, 5))
	out := map[string]*array.Array{}
	for _, o := range []string{"u", "v"} {
		u := mat.NewDense(n, c.m.Size(), nil)
		for field, values := range map[string]*mat.Dense{"f": f, "g": g} {
			weighted := mat.DenseCopyOf(values)
			for i := range n {
				for j, w := range c.m.Weights() {
					weighted.Set(i, j, w*weighted.At(i, j))
				}
			}
			var own mat.Dense
			own.Mul(weighted, c.green[o+field])
			u.Add(u, &own)
		}
		sd := noise * mat.Norm(u, 2) / math.Sqrt(float64(n*c.m.Size()))
		u.Apply(func(_, _ int, v float64) float64 { return v + sd*rng.NormFloat64() }, u)
		out[o] = array.FromMatrix(u)
	}
	d := testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input:  map[string]*array.Array{"f": array.FromMatrix(f), "g": array.FromMatrix(g)},
		Output: out, InputMesh: dataset.Meshes{All: c.m}, OutputMesh: dataset.Meshes{All: c.m},
	}))(t)
	return d
}

func relative(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return mat.Norm(&d, 2) / mat.Norm(b, 2)
}

// Two fields to two fields: predictions of new samples, and the four Green's functions,
// are far better than from the best single field, which the other one is noise to.
func TestTwoFields(t *testing.T) {
	testmain.Long(t)
	c := newCoupled(30)
	ctx := context.Background()
	test := c.table(t, 30, 0, 77)
	side := kernel.Matern{Nu: 2.5, Lengthscale: ell(.3)}
	k := map[string]kernel.Kernel{"f": kernel.Tensor{Input: side, Output: side}, "g": kernel.Tensor{Input: side, Output: side}}
	for _, level := range []struct{ noise, ratio, green float64 }{{0, 100, .05}, {.05, 5, .15}, {.2, 2, .3}} {
		train := c.table(t, 45, level.noise, 3)
		e := testmain.Must(model.Fit(ctx, model.Spec{Data: train, Kernels: k}))(t)
		for i, o := range e.Outputs {
			got, single := c.errorOf(t, o, test), math.Inf(1)
			for _, f := range train.Fields {
				one := testmain.Must(model.Fit(ctx, model.Spec{Data: train, Terms: []string{f.Name}, Kernels: map[string]kernel.Kernel{f.Name: k[f.Name]}}))(t)
				single = min(single, c.errorOf(t, one.Outputs[i], test))
			}
			t.Logf("noise %g, %s: %.2e, best single field %.2e, ratio %.0f, %.2f s", level.noise, o.Name, got, single, single/got, o.Report.Seconds)
			if single < level.ratio*got {
				t.Errorf("noise %g, %s: the error %.2e is not %g times below that of one field, %.2e", level.noise, o.Name, got, level.ratio, single)
			}
			for _, term := range o.Terms {
				g := testmain.Must(term.Green())(t)
				m := testmain.Must(g.Green(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
				off := relative(m, c.green[o.Name+term.Name])
				t.Logf("  G of %s: error %.3f, sd %.3g, factor %.3g", term.Name, off, term.Deviation, term.Factor)
				if off > level.green {
					t.Errorf("noise %g: G from %s to %s is off by %.3f, at most %g", level.noise, term.Name, o.Name, off, level.green)
				}
			}
		}
	}
}

// errorOf is the relative error of predictions.
func (c coupled) errorOf(t *testing.T, o *model.Output, test *dataset.Table) float64 {
	t.Helper()
	p := testmain.Must(o.Predict(t.Context(), test, mesh.Mesh{}))(t)
	for _, out := range test.Outputs {
		if out.Name == o.Name {
			truth := testmain.Must(out.Values.Matrix())(t)
			return relative(p, truth)
		}
	}
	t.Fatal("no output " + o.Name)
	return 0
}
