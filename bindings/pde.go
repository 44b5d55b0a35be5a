package bindings

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// PDE is the Lua module pde.
func PDE() bind.Module {
	m := bind.Module{
		Name:  "pde",
		Doc:   "Problems to generate data with: outputs for given or random inputs, and the Green's function and bias to compare estimates with.",
		Types: []bind.Type{problemType(), coefficientType(), operatorType(), fluxType()},
		Funcs: []bind.Func{definePDE(), hexagon()},
	}
	for _, e := range pde.Catalog() {
		m.Funcs = append(m.Funcs, bind.Make(e.Name, e.Doc, e.Example, pde.Check, bind.Example(problemExample(e)), bind.Returns("a problem to solve, sample, or compare with"),
			bind.See("problem:solve", "problem:sample", "problem:green")))
	}
	for _, e := range pde.NonlinearCatalog() {
		m.Funcs = append(m.Funcs, bind.Make(e.Name, e.Doc, e.Example, pde.Check, bind.Example(problemExample(e)), bind.Returns("a problem to solve or sample"),
			bind.Keywords("nonlinear", "operator learning"), bind.See("problem:solve", "problem:sample", "green.network")))
	}
	return m
}

// randomInput says how to draw inputs.
type randomInput struct {
	Kernel kernel.Kernel `arg:"kernel" doc:"covariance of the inputs"`
	Scale  float64       `arg:"scale" doc:"multiplies them" default:"1" allow:">0"`
	Modes  int           `arg:"modes" doc:"terms of the Karhunen-Loève expansion; 0 for all" default:"0" allow:">=0"`
}

const samplePoisson = "p = pde.poisson{mesh = mesh.uniform(0, 1, 11), left = 0, right = 1}\n"

func problemType() bind.Type {
	return bind.TypeOf[pde.Problem]("problem", "What makes outputs u of inputs f; of a linear problem u is an affine function of f.",
		bind.ToString(func(p pde.Problem) string { return luaText(p) }),
		bind.Properties(
			bind.Prop("input_mesh", "where inputs are sampled", func(p pde.Problem) mesh.Mesh { input, _ := pde.Meshes(p); return input }),
			bind.Prop("output_mesh", "where outputs are sampled", func(p pde.Problem) mesh.Mesh { _, output := pde.Meshes(p); return output }),
		),
		bind.Methods(
			bind.Fn("solve", "Outputs for given inputs.", func(c *bind.Call, p *struct {
				Problem pde.Problem  `arg:"self"`
				F       *array.Array `arg:"f" pos:"1" doc:"one input, or n × points of the input mesh"`
			},
			) (*array.Array, error) {
				input, _ := pde.Meshes(p.Problem)
				f, single, err := asRows(p.F, input.Size())
				if err != nil {
					return nil, err
				}
				u, err := pde.Solve(c, p.Problem, f)
				if err != nil {
					return nil, err
				}
				return asArray(u, single), nil
			}, bind.Example(samplePoisson+"u = p:solve(2 * array.ones(11))\nprint(u[6])  --> 0.75"), bind.Returns("one output, or n × points of the output mesh"),
				bind.Errors("a nonlinear problem has no solution for an input, or several"), bind.See("problem:sample")),
			bind.Fn("sample", "Random inputs and their outputs.", func(c *bind.Call, p *struct {
				Problem pde.Problem                            `arg:"self"`
				N       int                                    `arg:"n" doc:"number of pairs; not needed with given inputs" default:"0" allow:">=0"`
				Input   bind.Either[*array.Array, randomInput] `arg:"input" doc:"inputs, n × points, or {kernel=, scale=} to draw them"`
				Seed    uint64                                 `arg:"seed" doc:"of the generator" default:"1"`
			},
			) (*dataset.Dataset, error) {
				if !p.Input.IsB {
					return pde.Pairs(c, p.Problem, p.Input.A)
				}
				r := p.Input.B
				return pde.Sample(c, p.Problem, p.N, randfield.Field{Kernel: r.Kernel, Scale: r.Scale, Modes: r.Modes, Seed: p.Seed})
			}, bind.Example(samplePoisson+"k = kernel.se{lengthscale = 0.1}\nd = p:sample{n = 50, input = {kernel = k, scale = 10}, seed = 1}\nprint(d.n, d.output[1][11])  --> 50\t1"),
				bind.Returns("inputs in the rows of d.input, their outputs in d.output"), bind.See("random.field", "green.fit")),
			bind.Fn("green", "The Green's function: in closed form where it is known, otherwise column by column. Samples solve the equation on the mesh, and on a coarse one the function that made them is another: of Helmholtz's equation with omega = 4 by up to 7 % on 6 points, 1 % on 14. It is p:solve(array.eye(m.size) / m:weights()), for a problem on a mesh m with zeros at the ends.", func(c *bind.Call, p *struct {
				Problem pde.Problem `arg:"self"`
				twoMeshes
			},
			) (*array.Array, error) {
				g, err := pde.Green(c, p.Problem, p.X, p.Y)
				if err != nil {
					return nil, err
				}
				input, output := pde.Meshes(p.Problem)
				return onMeshes(g, p.X, p.Y, input, output), nil
			}, bind.Example(samplePoisson+"print(p:green():at(6, 6))  --> 0.25"), bind.Returns("points of xmesh × points of ymesh"), bind.Errors("the problem is not linear"), bind.See("estimate:error")),
			bind.Fn("bias", "The bias term: the output for zero input.", func(c *bind.Call, p *struct {
				Problem pde.Problem `arg:"self"`
				Y       mesh.Mesh   `arg:"ymesh" pos:"1" doc:"where; by default the problem's output mesh" default:"nil"`
			},
			) (*array.Array, error) {
				b, err := pde.Bias(c, p.Problem, p.Y)
				if err != nil {
					return nil, err
				}
				return array.Vector(b), nil
			}, bind.Example(samplePoisson+"print(p:bias()[3])  --> 0.2"), bind.Returns("one number per point")),
		),
	)
}

// twoMeshes are the optional meshes to evaluate a Green's function on.
type twoMeshes struct {
	X mesh.Mesh `arg:"xmesh" pos:"1" doc:"points of the input; by default those of the input mesh" default:"nil"`
	Y mesh.Mesh `arg:"ymesh" pos:"2" doc:"points of the output; by default those of the output mesh" default:"nil"`
}

// onMeshes is values at the points of two meshes, of which those not given are
// the ones of the data, as an array that knows its coordinates.
func onMeshes(g *mat.Dense, x, y, dataX, dataY mesh.Mesh) *array.Array {
	a := array.FromMatrix(g)
	if x.Size() == 0 {
		x = dataX
	}
	if y.Size() == 0 {
		y = dataY
	}
	if x.Dim() == 1 && y.Dim() == 1 {
		a.Axes = [][]float64{x.Points(), y.Points()}
	}
	return a
}

// asRows is shapeRows of finite numbers.
func asRows(a *array.Array, m int) (rows *mat.Dense, single bool, err error) {
	rows, single, err = shapeRows(a, m)
	if k := slices.IndexFunc(a.Data, notFinite); k >= 0 && err == nil {
		of := ""
		if !single {
			of = fmt.Sprintf(" of input %d", k/m+1)
		}
		err = fmt.Errorf("f: value %d of %d%s is %g: must be finite; of curves with points of their own give d.integrand, or xmesh = mesh.trapezoid(x) with the values at x", k%m+1, m, of, a.Data[k])
	}
	return rows, single, err
}

// shapeRows reads one function or several, of m points each; functions on several
// axes may be given with an array axis for each.
func shapeRows(a *array.Array, m int) (rows *mat.Dense, single bool, err error) {
	if a.Size() == m && (a.Rank() == 1 || a.Shape[0] != 1) {
		return mat.NewDense(1, m, a.Data), true, nil
	}
	n := a.Shape[0]
	if n == 0 || a.Size() != n*m {
		return nil, false, fmt.Errorf("f: has the shape %s, must be %d points, or n × %d", dense.ShapeString(a.Shape), m, m)
	}
	return mat.NewDense(n, m, a.Data), false, nil
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// asArray returns the only row of m as a vector when single, and m otherwise.
func asArray(m *mat.Dense, single bool) *array.Array {
	if single {
		return array.Vector(m.RawRowView(0))
	}
	return array.FromMatrix(m)
}
