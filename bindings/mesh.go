package bindings

import (
	"fmt"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// interval is how every rule on an interval is called.
type interval struct {
	A    float64 `arg:"a" pos:"1" doc:"left end"`
	B    float64 `arg:"b" pos:"2" doc:"right end, greater than a"`
	N    int     `arg:"n" pos:"3" doc:"number of points"`
	Name string  `arg:"name" pos:"4" doc:"name of the coordinate; x, y, z in order when left out" default:""`
}

// rules declares a constructor of meshes for every quadrature rule of intervals.
func rules() []bind.Func {
	examples := map[string]string{
		"uniform":   "print(mesh.uniform(0, 1, 5):weights())  --> array 5, min 0.125, max 0.25, norm 0.4677\n-->   0.125  0.25  0.25  0.25  0.125",
		"periodic":  "m = mesh.periodic(0, 4, 8)\nprint(m.size, m:points():max())  --> 8\t3.5",
		"chebyshev": "print(mesh.chebyshev(-1, 1, 9):points():at(5, 1))  --> 0",
		"simpson":   "m = mesh.simpson(0, 1, 5)\nprint(m:weights():dot(m:points()^3)[1])  --> 0.25",
	}
	var funcs []bind.Func
	for _, r := range mesh.Rules() {
		example, ok := examples[r.Points]
		if !ok {
			example = fmt.Sprintf("print(mesh.%s(0, 1, 5):weights():sum())  --> 1", r.Points)
		}
		funcs = append(funcs, bind.Fn(r.Points, r.Doc, func(_ *bind.Call, p *interval) (mesh.Mesh, error) {
			return oneAxis(r.Axis(p.A, p.B, p.N, p.Name))
		}, bind.Example(example), bind.Returns("a mesh of one axis"), bind.See(besides("mesh."+r.Points, "mesh.uniform", "mesh.gauss")...)))
	}
	return funcs
}

// besides are the names but for one.
func besides(one string, names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return name == one })
}

func oneAxis(a mesh.Axis, err error) (mesh.Mesh, error) {
	if err != nil {
		return mesh.Mesh{}, err
	}
	return mesh.New(a)
}

// Mesh is the Lua module mesh.
func Mesh() bind.Module {
	return bind.Module{
		Name: "mesh",
		Doc:  "Where functions are sampled and how they are integrated.\n\nMeshes multiply: mesh.uniform(0, 1, 50) * mesh.uniform(0, 2, 30, \"t\") has 1500 points, the last axis varying fastest.",
		Funcs: append(rules(),
			bind.Fn("trapezoid", "Given increasing points with trapezoid weights (degree 1).", func(_ *bind.Call, p *struct {
				Points []float64 `arg:"points" pos:"1" doc:"increasing coordinates, at least 2"`
				Name   string    `arg:"name" pos:"2" doc:"name of the coordinate" default:""`
			},
			) (mesh.Mesh, error) {
				return oneAxis(mesh.Trapezoid(p.Points, p.Name))
			}, bind.Example("print(mesh.trapezoid{0, 0.1, 1}.size)  --> 3"), bind.Returns("a mesh of one axis")),
			bind.Fn("points", "Points scattered in the plane or in space, each with a quadrature weight. Points along a line, unevenly spaced, are a mesh by trapezoid: here they would count alike.", func(_ *bind.Call, p *struct {
				Points  *array.Array `arg:"points" pos:"1" doc:"coordinates: n numbers, or n × dimension"`
				Weights []float64    `arg:"weights" pos:"2" doc:"one per point; by default the volume of the bounding box over n" default:"nil"`
				Names   []string     `arg:"names" doc:"names of the coordinates" default:"nil"`
			},
			) (mesh.Mesh, error) {
				dim := 1
				if p.Points.Rank() == 2 {
					dim = p.Points.Shape[1]
				} else if p.Points.Rank() > 2 {
					return mesh.Mesh{}, fmt.Errorf("points: has the shape %s, must be n × dimension", dense.ShapeString(p.Points.Shape))
				}
				if p.Names != nil && len(p.Names) != dim {
					return mesh.Mesh{}, fmt.Errorf("names: got %d, must be one per coordinate (%d)", len(p.Names), dim)
				}
				return oneAxis(mesh.Scattered(p.Points.Data, dim, p.Weights, p.Names...))
			}, bind.Example("print(mesh.points{{0, 0}, {1, 0}, {0.5, 1}}.dim)  --> 2"), bind.Returns("a mesh of scattered points")),
		),
		Types: []bind.Type{meshType()},
	}
}

// abscissae lets a mesh of one coordinate stand for its points, as in
// plot.lines{{x = m, y = u}}.
func abscissae(_ *bind.Call, m mesh.Mesh) ([]float64, error) {
	if m.Dim() != 1 {
		return nil, fmt.Errorf("want one coordinate, got a mesh of %d", m.Dim())
	}
	return m.Points(), nil
}

func meshType() bind.Type {
	type self = struct {
		Mesh mesh.Mesh `arg:"self"`
	}
	return bind.TypeOf[mesh.Mesh]("mesh", "Points with quadrature weights: a tensor product of axes.",
		bind.ToString(meshText),
		bind.As(abscissae),
		bind.Properties(
			bind.Prop("size", "number of points", mesh.Mesh.Size),
			bind.Prop("dim", "number of coordinates", mesh.Mesh.Dim),
			bind.Prop("names", "names of the coordinates", mesh.Mesh.Names),
			bind.Prop("shape", "number of points of each axis", mesh.Mesh.Shape),
		),
		bind.Methods(
			bind.Fn("points", "Coordinates of all points.", func(_ *bind.Call, p *self) (*array.Array, error) {
				if err := dense.CheckMatrix("points", 1, p.Mesh.Size(), p.Mesh.Dim()); err != nil {
					return nil, err
				}
				return array.Of(p.Mesh.Points(), p.Mesh.Size(), p.Mesh.Dim())
			}, bind.Example("print(mesh.uniform(0, 1, 3):points():at(2, 1))  --> 0.5"), bind.Returns("size × dim")),
			bind.Fn("weights", "Quadrature weights of all points.", func(_ *bind.Call, p *self) (*array.Array, error) {
				if err := dense.CheckMatrix("weights", 2, p.Mesh.Size(), 1); err != nil {
					return nil, err
				}
				return array.Vector(p.Mesh.Weights()), nil
			}, bind.Example("print(mesh.uniform(0, 2, 9):weights():sum())  --> 2"), bind.Returns("one number per point; their sum is the length, area or volume of the domain")),
			bind.Fn("refine", "The same domain with spacings k times finer, by the same rules.", func(_ *bind.Call, p *struct {
				Mesh mesh.Mesh `arg:"self"`
				K    int       `arg:"k" pos:"1" doc:"factor" allow:">=1"`
			},
			) (mesh.Mesh, error) {
				return p.Mesh.Refine(p.K)
			}, bind.Example("print(mesh.uniform(0, 1, 5):refine(2).size)  --> 9"), bind.Returns("a new mesh")),
			bind.Fn("right", "The same points of an interval with right-endpoint weights: the length of the step before each point, 0 for the first. Exact for constants; matches backward Euler.", func(_ *bind.Call, p *self) (mesh.Mesh, error) {
				return p.Mesh.Right()
			}, bind.Example("print(mesh.uniform(0, 1, 5):right():weights())  --> array 5, min 0, max 0.25, norm 0.5\n-->   0  0.25  0.25  0.25  0.25"), bind.Returns("a new mesh")),
			bind.Fn("rename", "The same mesh with other names for its coordinates.", func(_ *bind.Call, p *struct {
				Mesh  mesh.Mesh `arg:"self"`
				Names []string  `arg:"names" pos:"..." doc:"one per coordinate"`
			},
			) (mesh.Mesh, error) {
				return p.Mesh.Rename(p.Names...)
			}, bind.Example(`print(mesh.uniform(0, 1, 5):rename("t").names[1])  --> t`), bind.Returns("a new mesh")),
		),
		bind.Operators(
			bind.Binary("__mul", "Tensor product; the axes of the left factor vary slowest.", func(_ *bind.Call, a, b mesh.Mesh) (mesh.Mesh, error) {
				return mesh.Product(a, b)
			}, bind.Example("print((mesh.uniform(0, 1, 5) * mesh.uniform(0, 1, 4)).size)  --> 20")),
		),
	)
}
