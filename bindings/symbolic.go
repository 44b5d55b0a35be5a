package bindings

import (
	"errors"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/array"
)

// Symbolic is the module of the globals that stand for branches in functions
// that are traced, and of the formulas such functions compute with.
func Symbolic() bind.Module {
	return bind.Module{
		Name:   "symbolic",
		Doc:    "What kernels, masks and coefficients are written with: conditions and distances that work on numbers, on arrays element by element, and on symbolic coordinates.",
		Global: true,
		Types:  []bind.Type{trace.Type()},
		Funcs: []bind.Func{
			bind.Fn("where", "The value a where a condition holds, b elsewhere. Both a and b are computed.", func(c *bind.Call, p *struct {
				Condition bind.Either[bool, values] `arg:"condition" pos:"1" doc:"holds where it is not 0: what lt, le, gt, ge give"`
				A         values                    `arg:"a" pos:"2" doc:"where it holds" allow:"nan"`
				B         values                    `arg:"b" pos:"3" doc:"elsewhere" allow:"nan"`
			},
			) (bind.Any, error) {
				return where(c, p.Condition, p.A, p.B)
			}, bind.Example("print(where(lt(1, 2), 10, 20))  --> 10"), bind.Example("where(gt(array{1, 5}, 3), 1, 0)[2]  --> 1"),
				bind.Keywords("if", "select", "choose"), bind.See("lt", "le", "gt", "ge"), bind.ReturnsAs("any", "a number, an array, or a formula, as a and b are")),
			comparison("lt", "less than", expr.OpLT, false, func(x, y float64) bool { return x < y }, "lt(1, 2)  --> 1"),
			comparison("le", "at most", expr.OpLE, false, func(x, y float64) bool { return x <= y }, "le(2, 2)  --> 1"),
			comparison("gt", "greater than", expr.OpLT, true, func(x, y float64) bool { return x > y }, "gt(1, 2)  --> 0"),
			comparison("ge", "at least", expr.OpLE, true, func(x, y float64) bool { return x >= y }, "ge(array{1, 2, 3}, 2):sum()  --> 2"),
			bind.Fn("dist", "Euclidean distance of two points, each coordinate divided by its scale.", func(_ *bind.Call, p *struct {
				P      trace.Point  `arg:"p" pos:"1" doc:"a point"`
				Q      trace.Point  `arg:"q" pos:"2" doc:"another point, of as many coordinates"`
				Scales *trace.Point `arg:"scales" pos:"3" doc:"one number for all coordinates, or one for each"`
			},
			) (trace.Operand, error) {
				n, err := trace.Distance(p.P, p.Q, p.Scales)
				if err != nil {
					return trace.Operand{}, err
				}
				return trace.Result(n), nil
			}, bind.Returns("a number, or a formula of formulas"), bind.Errors("different numbers of coordinates"),
				bind.Example("print(dist({0, 0}, {3, 4}))  --> 5"), bind.Example("print(dist({0, 0}, {3, 4}, {1, 2}))  --> 3.605551275464"),
				bind.Keywords("distance", "norm")),
		},
	}
}

// values are numbers, known or not, one or many.
type values = bind.Either[float64, bind.Either[*expr.Node, *array.Array]]

// comparison declares a comparison that gives 1 where it holds and 0 elsewhere; of formulas it is
// op, with the sides exchanged or not.
func comparison(name, words string, op expr.Op, exchanged bool, holds func(x, y float64) bool, example string) bind.Func {
	return bind.Fn(name, "1 where a is "+words+" b, 0 elsewhere.", func(c *bind.Call, p *struct {
		A values `arg:"a" pos:"1" doc:"left side" allow:"nan"`
		B values `arg:"b" pos:"2" doc:"right side" allow:"nan"`
	},
	) (bind.Any, error) {
		v, numbers, err := alike(p.A, p.B)
		if err != nil {
			return bind.Any{}, err
		}
		if !numbers {
			left, right := v[0].node, v[1].node
			if exchanged {
				left, right = right, left
			}
			return anyOf(c, trace.Result(expr.Of(op, left, right))), nil
		}
		out, err := arrays.Zip(c, v[0].array, v[1].array, func(x, y float64) float64 {
			if holds(x, y) {
				return 1
			}
			return 0
		})
		return anyOf(c, out), err
	}, bind.ReturnsAs("any", "1 or 0, for each element of arrays"), bind.Example(example), bind.See("where"))
}

func anyOf(c *bind.Call, v any) bind.Any { return bind.Any{LValue: c.Lua(v)} }

// value is one of values: a node, or an array.
type value struct {
	node  *expr.Node
	array *array.Array
}

// alike makes values all nodes, or all arrays if one of them is. Formulas and
// arrays do not mix.
func alike(list ...values) (out []value, arrays bool, err error) {
	formulas := false
	for _, v := range list {
		arrays = arrays || v.IsB && v.B.IsB
		formulas = formulas || v.IsB && !v.B.IsB
	}
	if arrays && formulas {
		return nil, false, errors.New("got an array and a formula: a formula stands for one number; take the elements of the array that it needs")
	}
	for _, v := range list {
		switch {
		case v.IsB:
			out = append(out, value{node: v.B.A, array: v.B.B})
		case arrays:
			out = append(out, value{array: array.Scalar(v.A)})
		default:
			out = append(out, value{node: expr.Const(v.A)})
		}
	}
	return out, arrays, nil
}

func where(c *bind.Call, condition bind.Either[bool, values], a, b values) (bind.Any, error) {
	if !condition.IsB && condition.A {
		condition.B.A = 1
	}
	v, numbers, err := alike(condition.B, a, b)
	switch {
	case err != nil:
		return bind.Any{}, err
	case numbers:
		out, err := choose(c, v[0].array, v[1].array, v[2].array)
		return anyOf(c, out), err
	}
	return anyOf(c, trace.Result(expr.Of(expr.OpWhere, v[0].node, v[1].node, v[2].node))), nil
}

// choose takes the elements of a where the condition is not 0 and those of b
// elsewhere.
func choose(c *bind.Call, condition, a, b *array.Array) (*array.Array, error) {
	holds, err := arrays.NonZero(c, condition)
	if err != nil {
		return nil, err
	}
	return arrays.Where(c, holds, a, b)
}
