package bindings

import (
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
)

// endAxis is an axis of an array, the last one where none is given.
type endAxis struct {
	receiver
	Axis *int `arg:"axis" pos:"1" doc:"along which axis; the last one when it is not given"`
}

func (p endAxis) along() (int, error) {
	if p.Axis == nil {
		return p.Self.Rank() - 1, nil
	}
	return axisOf(p.Axis, p.Self.Rank())
}

// orderMethods sort and search.
func orderMethods() []bind.Func {
	type sorting struct {
		endAxis
		Descending bool `arg:"descending" doc:"largest first" default:"false"`
	}
	return []bind.Func{
		bind.Fn("sort", "The numbers in increasing order along an axis; NaN last.", func(c *bind.Call, p *sorting) (*array.Array, error) {
			axis, err := p.along()
			if err != nil {
				return nil, err
			}
			return arrays.Sort(c, p.Self, axis, p.Descending)
		}, bind.Returns("new array of the same shape"), bind.Errors("no such axis"),
			bind.Example("array{3, 1, 2}:sort()[1]  --> 1"), bind.Example("array{3, 1, 2}:sort{descending = true}[1]  --> 3"), bind.See("array:argsort")),
		bind.Fn("argsort", "The indices that sort: a[a:argsort()] is a:sort() of a vector. Equal numbers stay in their order, NaN are last.",
			func(c *bind.Call, p *sorting) (*array.Array, error) {
				axis, err := p.along()
				if err != nil {
					return nil, err
				}
				return arrays.ArgSort(c, p.Self, axis, 1, p.Descending)
			}, bind.Returns("indices from 1, in the shape of the array"), bind.Errors("no such axis"), bind.Keywords("order", "rank"),
			bind.Example("array{3, 1, 2}:argsort()[1]  --> 2"), bind.See("array:sort")),
		bind.Fn("unique", "The distinct numbers of an array in increasing order; NaN once, at the end.", func(c *bind.Call, p *struct {
			receiver
			Counts  bool `arg:"counts" doc:"return also how often each occurs" default:"false"`
			Index   bool `arg:"index" doc:"return also the first index of each, in the array read as a vector" default:"false"`
			Inverse bool `arg:"inverse" doc:"return also, for each number of the array, its index among the values: values[inverse] is the array as a vector" default:"false"`
		},
		) (bind.Results, error) {
			values, counts, index, inverse, err := arrays.Unique(c, p.Self, 1)
			if err != nil {
				return nil, err
			}
			out := bind.Results{values}
			for _, more := range []struct {
				wanted bool
				value  *array.Array
			}{{p.Counts, counts}, {p.Index, index}, {p.Inverse, inverse}} {
				if more.wanted {
					out = append(out, more.value)
				}
			}
			return out, nil
		}, bind.ReturnsAs("array", "values, a vector"), bind.ReturnsAs("array|nil", "what else was asked for: counts, index, inverse, in this order"),
			bind.Example("#array{3, 1, 3}:unique()  --> 2"), bind.Example("local values, counts = array{3, 1, 3}:unique{counts = true}\ncounts[2]  --> 2")),
		bind.Fn("searchsorted", "Where numbers belong in an increasing vector a: before the element with the index returned, so that the order stays.",
			func(c *bind.Call, p *struct {
				receiver
				V    bind.Either[float64, *array.Array] `arg:"v" pos:"1" doc:"number or array" allow:"nan"`
				Side string                             `arg:"side" doc:"left: before the elements equal to it; right: after them" default:"left" allow:"left|right"`
			},
			) (numberOrArray, error) {
				out, err := arrays.SearchSorted(c, p.Self, operand(p.V), p.Side == "right", 1)
				if err != nil || !p.V.IsB {
					return number(out, err)
				}
				return bind.Second[float64](out), nil
			}, bind.Returns("index in 1 … #a + 1, for each number"), bind.Errors("a that is not a vector, or not increasing"), bind.Keywords("bisect", "binary search"),
			bind.Example("array{1, 3, 5}:searchsorted(3)  --> 2"), bind.Example(`array{1, 3, 5}:searchsorted(3, {side = "right"})  --> 3`), bind.See("array:sort")),
		running("cumsum", "Sums of the numbers up to each one", false, "array{1, 2, 3}:cumsum()[3]  --> 6"),
		running("cumprod", "Products of the numbers up to each one", true, "array{1, 2, 3}:cumprod()[3]  --> 6"),
		bind.Fn("diff", "Differences of neighbours, a[i+1] - a[i], along an axis.", func(c *bind.Call, p *struct {
			endAxis
			N int `arg:"n" doc:"how many times" default:"1" allow:">=0"`
		},
		) (*array.Array, error) {
			axis, err := p.along()
			if err != nil {
				return nil, err
			}
			return arrays.Diff(c, p.Self, p.N, axis)
		}, bind.Returns("array whose axis is shorter by n"), bind.Errors("no such axis"), bind.Keywords("difference", "increments"),
			bind.Example("array{1, 4, 9}:diff()[2]  --> 5"), bind.Example("array{1, 4, 9}:diff{n = 2}[1]  --> 2")),
		bind.Fn("nonzero", "The places of the elements that are not 0.", func(c *bind.Call, p *receiver) (bind.Results, error) {
			m, err := arrays.NonZero(c, p.Self)
			if err != nil {
				return nil, err
			}
			return found(c, m)
		}, bind.ReturnsAs("array", "indices from 1, along the first axis"), bind.ReturnsAs("array|nil", "and along each other axis"),
			bind.Keywords("find", "which", "indices"), bind.Example("array{0, 5, 3}:nonzero()[1]  --> 2")),
	}
}

// running declares cumsum and cumprod.
func running(name, doc string, product bool, example string) bind.Func {
	return bind.Fn(name, doc+", of all numbers as a vector, or along an axis.", func(c *bind.Call, p *struct {
		receiver
		Axis *int `arg:"axis" pos:"1" doc:"along which axis; without it the array is read as a vector"`
	},
	) (*array.Array, error) {
		axis, err := axisOf(p.Axis, p.Self.Rank())
		if err != nil {
			return nil, err
		}
		return arrays.Running(c, p.Self, product, axis)
	}, bind.Returns("vector, or with an axis an array of the same shape"), bind.Errors("no such axis"), bind.Keywords("cumulative", "running"),
		bind.Example(example), bind.Example("array{{1, 2}, {3, 4}}:"+name+"(1):at(2, 1)  --> "+map[bool]string{false: "4", true: "3"}[product]))
}
