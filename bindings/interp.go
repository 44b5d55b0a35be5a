package bindings

import (
	"errors"
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/interp"
	"github.com/greenbench/workbench/numeric/array"
)

// Interp is the Lua module interp: functions through given values.
func Interp() bind.Module {
	return bind.Module{
		Name:  "interp",
		Doc:   "Interpolation: functions through given values, on a line and on a grid.",
		Types: []bind.Type{curveType(), gridType(), smoothType()},
		Funcs: []bind.Func{
			bind.Fn("interp1d", "A function through values at points of a line, to be called with a number or an array.",
				func(_ *bind.Call, p *struct {
					X       []float64    `arg:"x" pos:"1" doc:"points, increasing"`
					Y       *array.Array `arg:"y" pos:"2" doc:"values: a vector, or a matrix with a function in each row"`
					Kind    string       `arg:"kind" doc:"cubic: spline with not-a-knot ends; natural, clamped: splines with other ends; pchip: monotonic where the values are; akima: with fewer wiggles than a spline" default:"cubic" allow:"linear|nearest|cubic|natural|clamped|pchip|akima"`
					Outside string       `arg:"outside" doc:"what to do beyond the points: fail, extend the last polynomial, or keep the last value" default:"refuse" allow:"refuse|extend|constant"`
					Slopes  []float64    `arg:"slopes" doc:"of a clamped spline: its first derivatives at both ends" default:"{0, 0}"`
				},
				) (*interpolants, error) {
					if len(p.Slopes) != 2 {
						return nil, fmt.Errorf("slopes: want two, got %d", len(p.Slopes))
					}
					n := p.Y.Shape[p.Y.Rank()-1]
					out := &interpolants{lead: p.Y.Shape[:p.Y.Rank()-1], kind: p.Kind, x: p.X}
					for at := 0; at < len(p.Y.Data); at += n {
						c, err := interp.New(p.X, p.Y.Data[at:at+n:at+n], interp.Options{Kind: p.Kind, Outside: p.Outside, Slopes: [2]float64(p.Slopes)})
						if err != nil {
							return nil, err
						}
						out.list = append(out.list, c)
					}
					if len(out.list) == 0 {
						return nil, errors.New("y is empty")
					}
					return out, nil
				}, bind.Returns("a curve"), bind.Errors("points that do not increase", "values that are not finite"),
				bind.Example("local f = interp.interp1d({0, 1, 2, 3}, {0, 1, 8, 27})\nprint(f(1.5), f:derivative(1))  --> 3.375	3"),
				bind.Example("-- functions on one mesh to another\nlocal f = interp.interp1d({0, 0.5, 1}, {{0, 1, 2}, {3, 2, 1}}, {kind = \"linear\"})\nf(array.linspace(0, 1, 5)):at(2, 2)  --> 2.5"),
				bind.Keywords("CubicSpline", "UnivariateSpline", "griddata", "interpolate", "spline", "resample", "cubic", "linear", "pchip", "akima"), bind.See("interp.interp2d", "interp.kernel")),
			bind.Fn("interp2d", "A function through values on a rectangular grid of the plane.",
				func(_ *bind.Call, p *struct {
					X       []float64    `arg:"x" pos:"1" doc:"increasing"`
					Y       []float64    `arg:"y" pos:"2" doc:"increasing"`
					Z       *array.Array `arg:"z" pos:"3" doc:"values: a row for each x, with a number for each y"`
					Kind    string       `arg:"kind" doc:"cubic: product of not-a-knot splines" default:"cubic" allow:"linear|cubic|natural"`
					Outside string       `arg:"outside" doc:"what to do beyond the grid: fail, extend the last polynomial, or keep the last value" default:"refuse" allow:"refuse|extend|constant"`
				},
				) (*interp.Grid, error) {
					if p.Z.Rank() != 2 || p.Z.Shape[0] != len(p.X) || p.Z.Shape[1] != len(p.Y) {
						return nil, fmt.Errorf("z of shape %s: want %d×%d, a row for each x", dense.ShapeString(p.Z.Shape), len(p.X), len(p.Y))
					}
					return interp.NewGrid(p.X, p.Y, p.Z.Data, interp.Options{Kind: p.Kind, Outside: p.Outside})
				}, bind.Returns("a grid function"), bind.Errors("z that does not fit x and y"),
				bind.Example("local f = interp.interp2d({0, 1, 2}, {0, 1}, {{0, 1}, {1, 2}, {4, 5}})\nprint(f(1.5, 0.5))  --> 2.75"),
				bind.Keywords("RegularGridInterpolator", "bilinear", "bicubic", "grid"), bind.See("interp.interp1d")),
			interpKernel(),
		},
	}
}

// interpolants are functions on the same points, in the shape of their values without the last axis.
type interpolants struct {
	list []*interp.Curve
	lead []int
	kind string
	x    []float64
}

func (c *interpolants) String() string {
	return fmt.Sprintf("%s curve through %d points from %g to %g", c.kind, len(c.x), c.x[0], c.x[len(c.x)-1])
}

// at evaluates all of them where f says.
func (c *interpolants) at(x point, f func(c *interp.Curve, x float64) (float64, error)) (numberOrArray, error) {
	var data []float64
	for _, curve := range c.list {
		for _, v := range x.x {
			y, err := f(curve, v)
			if err != nil {
				return numberOrArray{}, err
			}
			data = append(data, y)
		}
	}
	if x.number && len(c.lead) == 0 {
		return bind.First[float64, *array.Array](data[0]), nil
	}
	shape := append([]int(nil), c.lead...)
	if !x.number {
		shape = append(shape, len(x.x))
	}
	a, err := array.Of(data, shape...)
	return bind.Second[float64](a), err
}

func curveType() bind.Type {
	return bind.TypeOf[*interpolants]("curve", "A function through given values, by interp.interp1d; call it with a number or an array.",
		bind.CallMeta(bind.Fn("__call", "The values at x.", func(_ *bind.Call, p *struct {
			Curve *interpolants `arg:"self"`
			X     point         `arg:"x" pos:"1" doc:"a number, or several"`
		},
		) (numberOrArray, error) {
			return p.Curve.at(p.X, func(c *interp.Curve, x float64) (float64, error) { return c.At(x, 0) })
		}, bind.ReturnsAs("number|array", "as x is; of several functions a row for each"), bind.Errors("x outside the points"),
			bind.Example("print(interp.interp1d({0, 2}, {1, 5}, {kind = \"linear\"})(1))  --> 3"))),
		bind.Methods(
			bind.Fn("derivative", "The derivative at x.", func(_ *bind.Call, p *struct {
				Curve *interpolants `arg:"self"`
				X     point         `arg:"x" pos:"1" doc:"a number, or several"`
				Order int           `arg:"order" pos:"2" doc:"of the derivative" default:"1" allow:"[0, 3]"`
			},
			) (numberOrArray, error) {
				return p.Curve.at(p.X, func(c *interp.Curve, x float64) (float64, error) { return c.At(x, p.Order) })
			}, bind.ReturnsAs("number|array", "as x is"), bind.Errors("x outside the points"),
				bind.Example("print(interp.interp1d({0, 1, 2, 3}, {0, 1, 4, 9}):derivative(2))  --> 4")),
			bind.Fn("integral", "The integral of the curve from a to b.", func(_ *bind.Call, p *struct {
				Curve *interpolants `arg:"self"`
				A     float64       `arg:"a" pos:"1" doc:"from"`
				B     float64       `arg:"b" pos:"2" doc:"to"`
			},
			) (numberOrArray, error) {
				return p.Curve.at(point{[]float64{p.A}, true}, func(c *interp.Curve, a float64) (float64, error) { return c.Integral(a, p.B) })
			}, bind.ReturnsAs("number|array", "a number; of several functions one for each"), bind.Errors("ends outside the points"),
				bind.Example("print(interp.interp1d({0, 1, 2, 3}, {0, 1, 4, 9}):integral(0, 3))  --> 9")),
		),
		bind.ToString((*interpolants).String))
}

func gridType() bind.Type {
	return bind.TypeOf[*interp.Grid]("grid_function", "A function through values on a grid, by interp.interp2d; call it with coordinates.",
		bind.CallMeta(bind.Fn("__call", "The values at the points (x, y).", func(_ *bind.Call, p *struct {
			Grid *interp.Grid `arg:"self"`
			X    point        `arg:"x" pos:"1" doc:"a number, or several"`
			Y    point        `arg:"y" pos:"2" doc:"as many as x"`
		},
		) (numberOrArray, error) {
			if len(p.X.x) != len(p.Y.x) {
				return numberOrArray{}, fmt.Errorf("%d x and %d y: want as many", len(p.X.x), len(p.Y.x))
			}
			out := make([]float64, len(p.X.x))
			for i, x := range p.X.x {
				var err error
				if out[i], err = p.Grid.At(x, p.Y.x[i]); err != nil {
					return numberOrArray{}, err
				}
			}
			return p.X.result(out), nil
		}, bind.ReturnsAs("number|array", "as x is"), bind.Errors("a point outside the grid"),
			bind.Example("print(interp.interp2d({0, 1}, {0, 1}, {{0, 1}, {2, 3}})(0.5, 0.5))  --> 1.5"))),
		bind.ToString(func(*interp.Grid) string { return "grid function" }))
}
