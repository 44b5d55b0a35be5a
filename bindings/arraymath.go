package bindings

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
)

// reduce is what op makes of an array: a number, or with an axis an array.
func reduce(c *bind.Call, p arrayAxis, op string, parameter float64) (numberOrArray, error) {
	axis, err := p.along(p.Self.Rank())
	if err != nil {
		return numberOrArray{}, err
	}
	out, err := arrays.Reduce(c, p.Self, op, parameter, axis, p.Keepdims)
	if err != nil || p.single(p.Self.Rank()) {
		return number(out, err)
	}
	return bind.Second[float64](out), nil
}

// reductions are the methods that sum up numbers, all of them or along an axis.
func reductions() []bind.Func {
	gives := []bind.Option{bind.Returns("a number, or with an axis an array without it"), bind.Errors("no such axis")}
	reduction := func(name, doc string, examples ...string) bind.Func {
		options := slices.Clone(gives)
		for _, e := range examples {
			options = append(options, bind.Example(e))
		}
		return bind.Fn(name, doc, func(c *bind.Call, p *arrayAxis) (numberOrArray, error) {
			return reduce(c, *p, name, 0)
		}, options...)
	}
	spread := func(name, doc, example string) bind.Func {
		return bind.Fn(name, doc+" Infinite or NaN where there are no more numbers than ddof.", func(c *bind.Call, p *struct {
			arrayAxis
			Ddof float64 `arg:"ddof" doc:"divides by n - ddof; 1 for an estimate from a sample" default:"0" allow:">=0"`
		},
		) (numberOrArray, error) {
			return reduce(c, p.arrayAxis, name, p.Ddof)
		}, append(slices.Clone(gives), bind.Example(example), bind.Keywords("deviation", "spread"))...)
	}
	return []bind.Func{
		reduction("sum", "Sum of all numbers, or of those along an axis; 0 of none.", "array{{1, 2}, {3, 4}}:sum(1)[2]  --> 6",
			"array{{1, 2}, {3, 4}}:sum{axis = 2, keepdims = true}.shape[2]  --> 1"),
		reduction("prod", "Product of all numbers, or of those along an axis; 1 of none.", "array{2, 3, 4}:prod()  --> 24"),
		reduction("mean", "Mean of all numbers, or of those along an axis.", "array{1, 2, 6}:mean()  --> 3"),
		reduction("min", "Smallest of all numbers, or of those along an axis; NaN if there is one among them.", "array{3, 1, 2}:min()  --> 1"),
		reduction("max", "Largest of all numbers, or of those along an axis; NaN if there is one among them.", "array{{1, 5}, {3, 4}}:max(2)[1]  --> 5"),
		bind.Fn("norm", "Norm of all numbers, or of those along an axis: by default the Euclidean one, √(Σ x²), which is the Frobenius norm of a matrix. linalg.norm has those of matrices as maps.",
			func(c *bind.Call, p *struct {
				arrayAxis
				Ord bind.Either[float64, normWord] `arg:"ord" doc:"p of (Σ |x|^p)^(1/p); \"inf\" for the largest |x|, \"-inf\" for the smallest; 0 counts those that are not 0" default:"2" allow:">=0"`
			},
			) (numberOrArray, error) {
				order := p.Ord.A
				if p.Ord.IsB {
					order = map[normWord]float64{"inf": math.Inf(1), "-inf": math.Inf(-1), "fro": 2}[p.Ord.B]
				}
				return reduce(c, p.arrayAxis, "norm", order)
			}, append(slices.Clone(gives), bind.Example("array{3, 4}:norm()  --> 5"), bind.Example("array{3, -4}:norm{ord = 1}  --> 7"),
				bind.Example(`array{3, -4}:norm{ord = "inf"}  --> 4`))...),
		spread("std", "Standard deviation √(Σ (x - mean)²/n) of all n numbers, or of those along an axis.", "array{1, 3}:std()  --> 1"),
		spread("var", "Variance Σ (x - mean)²/n of all n numbers, or of those along an axis.", "array{1, 3}:var{ddof = 1}  --> 2"),
		reduction("median", "Median of all numbers, or of those along an axis: the mean of the two in the middle where their number is even; NaN if there is one among them.", "array{3, 1, 10, 2}:median()  --> 2.5"),
		quantiles(),
		extremes("argmin", "smallest", "array{3, 1, 2}:argmin()  --> 2"),
		extremes("argmax", "largest", "local a = array{{1, 5}, {3, 4}}\na:at(a:argmax())  --> 5"),
	}
}

// normWord is an order of norms that is no number.
type normWord string

// LuaWords are the words.
func (normWord) LuaWords() []string { return []string{"inf", "-inf", "fro"} }

func quantiles() bind.Func {
	return bind.Fn("quantile", "The q-quantile of all numbers, or of those along an axis: interpolated linearly at the position (n - 1) q + 1 of the sorted numbers, as in NumPy. NaN if there is one among them.",
		func(c *bind.Call, p *struct {
			receiver
			Q        bind.Either[float64, []float64] `arg:"q" pos:"1" doc:"in [0, 1], or a list of them" allow:"[0, 1] nonempty"`
			Axis     *int                            `arg:"axis" pos:"2" doc:"the axis that disappears; without it, all numbers are taken together"`
			Keepdims bool                            `arg:"keepdims" doc:"keep the axis, with length 1" default:"false"`
		},
		) (numberOrArray, error) {
			one := arrayAxis{p.receiver, reduced{p.Axis, p.Keepdims}}
			if !p.Q.IsB {
				return reduce(c, one, "quantile", p.Q.A)
			}
			axis, err := one.along(p.Self.Rank())
			if err != nil {
				return numberOrArray{}, err
			}
			var parts []*array.Array
			for _, q := range p.Q.B {
				part, err := arrays.Reduce(c, p.Self, "quantile", q, axis, p.Keepdims)
				if err != nil {
					return numberOrArray{}, err
				}
				parts = append(parts, part)
			}
			out, err := arrays.Join(c, parts, 0, !one.single(p.Self.Rank()))
			return bind.Second[float64](out), err
		}, bind.Returns("a number, or with an axis an array without it; of a list of q, with a first axis for them"),
		bind.Errors("no such axis"), bind.Keywords("percentile"), bind.Example("array{1, 2, 3, 4, 5}:quantile(0.25)  --> 2"),
		bind.Example("array{1, 2, 3}:quantile({0, 0.5})[2]  --> 2"))
}

// extremes declares argmin and argmax.
func extremes(name, word, example string) bind.Func {
	return bind.Fn(name, "Where the "+word+" number is: its index among all, or along an axis; of equal ones the first. NaN comes before all others.",
		func(c *bind.Call, p *arrayAxis) (bind.Results, error) {
			axis, err := p.along(p.Self.Rank())
			if err != nil {
				return nil, err
			}
			out, err := arrays.Reduce(c, p.Self, name, 0, axis, p.Keepdims)
			if err != nil {
				return nil, err
			}
			if axis == arrays.All && !p.Keepdims {
				index := bind.Results{}
				for _, i := range p.Self.Position(int(out.Data[0])) {
					index = append(index, i+1)
				}
				return index, nil
			}
			if out, err = arrays.Add(c, out, array.Scalar(1)); err == nil && p.single(p.Self.Rank()) {
				return bind.Results{out.Data[0]}, nil
			}
			return bind.Results{out}, err
		}, bind.ReturnsAs("integer|array", "the index from 1; of a matrix, that of the row; with an axis an array without it"),
		bind.ReturnsAs("integer|nil", "and one for each other axis, so that a:at(a:"+name+"()) is the number"),
		bind.Errors("no such axis", "an empty array"), bind.Example(example), bind.See("array:"+map[string]string{"argmin": "min", "argmax": "max"}[name]))
}

// MathOverloads are the functions of Lua's math for arrays, by name. They take
// as many arguments as in Lua, numbers as arrays of shape {1}, work element by
// element, and broadcast.
func MathOverloads() map[string]func(ctx context.Context, args ...*array.Array) (*array.Array, error) {
	overloads := map[string]func(context.Context, ...*array.Array) (*array.Array, error){
		"max": fold("max", func(x, y float64) float64 { return max(x, y) }),
		"min": fold("min", func(x, y float64) float64 { return min(x, y) }),
	}
	for _, name := range arrays.Functions() {
		overloads[name] = func(ctx context.Context, args ...*array.Array) (*array.Array, error) {
			if len(args) != 1 {
				return nil, fmt.Errorf("takes one argument, got %d", len(args))
			}
			return arrays.Function(ctx, args[0], name)
		}
	}
	for name, fn := range map[string]func(x, y float64) float64{"atan2": math.Atan2, "fmod": math.Mod} {
		overloads[name] = func(ctx context.Context, args ...*array.Array) (*array.Array, error) {
			if len(args) != 2 {
				return nil, fmt.Errorf("takes two arguments, got %d", len(args))
			}
			return arrays.Zip(ctx, args[0], args[1], fn)
		}
	}
	overloads["pow"] = func(ctx context.Context, args ...*array.Array) (*array.Array, error) {
		if len(args) != 2 {
			return nil, fmt.Errorf("takes two arguments, got %d", len(args))
		}
		return arrays.Pow(ctx, args[0], args[1])
	}
	return overloads
}

// fold applies a function of two numbers from left to right.
func fold(name string, fn func(x, y float64) float64) func(ctx context.Context, args ...*array.Array) (*array.Array, error) {
	return func(ctx context.Context, args ...*array.Array) (*array.Array, error) {
		if len(args) == 0 {
			return nil, errors.New("takes one argument or more, got none")
		}
		if len(args) == 1 && args[0].Size() != 1 {
			return nil, fmt.Errorf("takes two or more, compared element by element, and got one array: that of its own numbers is a:%s(), for an array a", name)
		}
		out := args[0]
		for _, a := range args[1:] {
			var err error
			if out, err = arrays.Zip(ctx, out, a, fn); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
}
