package bindings_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// written are kernels of the library and the same as scripts write them.
func written() map[string]string {
	return map[string]string{
		"kernel.se{lengthscale = 0.3}":                                             `kernel.define(function(p, q, v) return math.exp(-dist(p, q)^2/(2*v.l^2)) end, {l = 0.3})`,
		"kernel.exponential{lengthscale = 0.3}":                                    `kernel.define(function(p, q) return math.exp(-dist(p, q)/0.3) end)`,
		"kernel.matern{nu = 1.5, lengthscale = 0.3}":                               `kernel.define(function(p, q) local s = math.sqrt(3)*dist(p, q)/0.3 return (1 + s)*math.exp(-s) end)`,
		"kernel.matern{nu = 2.5, lengthscale = 0.2}":                               "kernel.define(" + maternLua + ")",
		"kernel.rational_quadratic{alpha = 2, lengthscale = 1}":                    `kernel.define(function(p, q) return (1 + dist(p, q)^2/4)^-2 end)`,
		"kernel.se{lengthscale = 0.3} + 0.1*kernel.exponential{lengthscale = 0.5}": `kernel.define(function(p, q) local d = dist(p, q) return math.exp(-d^2/0.18) + 0.1*math.exp(-d/0.5) end)`,
	}
}

// responses are pairs of rough inputs and outputs on any two meshes.
func responses(t *testing.T, x, y mesh.Mesh) *dataset.Dataset {
	t.Helper()
	const n = 6
	f, u := array.New(n, x.Size()), array.New(n, y.Size())
	for i := range f.Data {
		f.Data[i] = math.Sin(float64(i * i))
	}
	for i := range u.Data {
		u.Data[i] = math.Cos(float64(i*i + i))
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: y})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A scripted kernel takes the route of the library's through the estimator, whatever
// the meshes and the constraint, and gives the same estimate to 1e-10.
func TestScriptedEstimates(t *testing.T) {
	h := newHost(t)
	must := mesh.Must
	line := func(name string) mesh.Mesh { return must(mesh.Uniform(0, 1, 12, name)) }
	plane, err := mesh.Product(must(mesh.Uniform(0, 1, 4, "x1")), must(mesh.Gauss(0, 1, 3, "x2")))
	if err != nil {
		t.Fatal(err)
	}
	later, err := mesh.Product(must(mesh.Gauss(0, 1, 3, "y1")), must(mesh.Uniform(0, 1, 4, "t")))
	if err != nil {
		t.Fatal(err)
	}
	sooner, err := mesh.Product(must(mesh.Gauss(0, 1, 3, "x1")), must(mesh.Uniform(0, 1, 4, "s")))
	if err != nil {
		t.Fatal(err)
	}
	sensors := func(n int) mesh.Mesh {
		at := make([]float64, 2*n)
		for i := range at {
			at[i] = math.Mod(float64(i*i+n)*math.Phi, 1)
		}
		return must(mesh.Scattered(at, 2, nil))
	}
	for name, c := range map[string]struct {
		x, y       mesh.Mesh
		constraint string
	}{
		"uniform":                {line("x"), line("y"), ""},
		"uniform, two spacings":  {line("x"), must(mesh.Uniform(0, 2, 9, "y")), ""},
		"graded":                 {must(mesh.Gauss(0, 1, 9, "x")), must(mesh.Chebyshev(0, 1, 8, "y")), ""},
		"scattered":              {sensors(9), sensors(7), ""},
		"scattered to a line":    {sensors(9), line("y"), ""},
		"product":                {plane, line("y"), ""},
		"uniform, symmetric":     {line("x"), line("y"), `constraint.symmetric{"x", "y"}`},
		"graded, antisymmetric":  {must(mesh.Gauss(0, 1, 9, "x")), must(mesh.Gauss(0, 1, 9, "y")), `constraint.antisymmetric{"x", "y"}`},
		"uniform, causal":        {line("s"), line("t"), `constraint.causal{}`},
		"uniform, defined":       {line("x"), line("y"), `constraint.define{average = {{sign = -1, map = function(p) return {x = 1 - p.x, y = 1 - p.y} end}}}`},
		"product, one-sided":     {sooner, later, `constraint.causal{}`},
		"product, invariant":     {sooner, later, `constraint.time_invariant{}`},
		"uniform, mask and swap": {line("x"), line("y"), `constraint.define{average = {{map = function(p) return {x = p.y, y = p.x} end}}, mask = function(p) return lt(math.abs(p.x - p.y), 0.5) end}`},
	} {
		t.Run(name, func(t *testing.T) {
			d := responses(t, c.x, c.y)
			for library, script := range written() {
				var green, bias [2][]float64
				var route [2]string
				for i, source := range []string{library, script} {
					s := fit.Spec{Data: d, Kernel: value[kernel.Kernel](t, h, source), Lambda: 1e-3, Tolerance: 1e-13}
					if c.constraint != "" {
						s.Constraint = value[constraint.Constraint](t, h, c.constraint)
					}
					e, err := fit.Fit(t.Context(), s)
					if err != nil {
						t.Fatalf("%s: %v", source, err)
					}
					g, err := e.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{})
					if err != nil {
						t.Fatal(err)
					}
					b, err := e.Bias(t.Context(), mesh.Mesh{})
					if err != nil {
						t.Fatal(err)
					}
					green[i], bias[i], route[i] = g.RawMatrix().Data, b, e.Report.Method
				}
				for what, v := range map[string][2][]float64{"G": green, "bias": bias} {
					if e := floats.Distance(v[0], v[1], 2) / floats.Norm(v[0], 2); !(e < 1e-10) {
						t.Errorf("%s: the %s of the script is %g away", library, what, e)
					}
				}
				if route[0] != route[1] {
					t.Errorf("%s: takes the route %q, the script's %q", library, route[0], route[1])
				}
			}
		})
	}
}
