package bindings

import (
	"errors"
	"fmt"
	"math"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/expr/elementary"
)

// reductions are the methods that sum up numbers, all of them or along an axis.
func reductions() []bind.Func {
	reduction := func(name, doc string, reduce func(a *array.Array, axis int) (*array.Array, error), example string) bind.Func {
		return bind.Fn(name, doc, func(_ *bind.Call, p struct {
			receiver
			Axis *int `arg:"axis" pos:"1" doc:"the axis that disappears; without it, all numbers are taken together"`
		},
		) (numberOrArray, error) {
			if p.Axis == nil {
				return number(reduce(p.Self, array.All))
			}
			axis, err := zeroBased("axis", []int{*p.Axis}, []int{p.Self.Rank()})
			if err != nil {
				return numberOrArray{}, err
			}
			out, err := reduce(p.Self, axis[0])
			if err != nil || p.Self.Rank() == 1 {
				return number(out, err)
			}
			return bind.Second[float64](out), nil
		}, bind.Returns("a number, or with an axis an array without it"), bind.Errors("an axis that is not there"),
			bind.Example(example))
	}
	return []bind.Func{
		reduction("sum", "Sum of all numbers, or of those along an axis.", (*array.Array).Sum, "array{{1, 2}, {3, 4}}:sum(1)[2]  --> 6"),
		reduction("mean", "Mean of all numbers, or of those along an axis.", (*array.Array).Mean, "array{1, 2, 6}:mean()  --> 3"),
		reduction("min", "Smallest of all numbers, or of those along an axis; NaN if there is one among them.", (*array.Array).Min, "array{3, 1, 2}:min()  --> 1"),
		reduction("max", "Largest of all numbers, or of those along an axis; NaN if there is one among them.", (*array.Array).Max, "array{{1, 5}, {3, 4}}:max(2)[1]  --> 5"),
		reduction("norm", "Euclidean norm, √(Σ x²), of all numbers, or of those along an axis.", (*array.Array).Norm, "array{3, 4}:norm()  --> 5"),
		reduction("std", "Standard deviation √(Σ (x - mean)²/n) of all n numbers, or of those along an axis.", (*array.Array).Std, "array{1, 3}:std()  --> 1"),
	}
}

// MathOverloads are the functions of Lua's math for arrays, by name. They take
// as many arguments as in Lua, numbers as arrays of shape {1}, work element by
// element, and broadcast.
func MathOverloads() map[string]func(args ...*array.Array) (*array.Array, error) {
	overloads := map[string]func(...*array.Array) (*array.Array, error){
		"max": fold(func(x, y float64) float64 { return max(x, y) }),
		"min": fold(func(x, y float64) float64 { return min(x, y) }),
	}
	for name, fn := range map[string]func(float64) float64{
		"abs": math.Abs, "acos": math.Acos, "asin": math.Asin, "atan": math.Atan, "ceil": math.Ceil, "cos": math.Cos,
		"cosh": math.Cosh, "deg": func(x float64) float64 { return x * (180 / math.Pi) }, "exp": elementary.Exp,
		"floor": math.Floor, "log": elementary.Log, "log10": elementary.Log10, "rad": func(x float64) float64 { return x * (math.Pi / 180) },
		"sin": math.Sin, "sinh": math.Sinh, "sqrt": math.Sqrt, "tan": math.Tan, "tanh": math.Tanh,
	} {
		overloads[name] = func(args ...*array.Array) (*array.Array, error) {
			if len(args) != 1 {
				return nil, fmt.Errorf("takes one argument, got %d", len(args))
			}
			return args[0].MapAll(fn)
		}
	}
	for name, fn := range map[string]func(x, y float64) float64{"atan2": math.Atan2, "fmod": math.Mod, "pow": elementary.Pow} {
		overloads[name] = func(args ...*array.Array) (*array.Array, error) {
			if len(args) != 2 {
				return nil, fmt.Errorf("takes two arguments, got %d", len(args))
			}
			return array.Zip(args[0], args[1], fn)
		}
	}
	return overloads
}

// fold applies a function of two numbers from left to right.
func fold(fn func(x, y float64) float64) func(args ...*array.Array) (*array.Array, error) {
	return func(args ...*array.Array) (*array.Array, error) {
		if len(args) == 0 {
			return nil, errors.New("takes one argument or more, got none")
		}
		out := args[0]
		for _, a := range args[1:] {
			var err error
			if out, err = array.Zip(out, a, fn); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
}
