package bindings

import (
	"context"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
)

// maskType is the Lua type of truth values.
func maskType() bind.Type {
	return bind.TypeOf[*arrays.Mask]("mask",
		"True or false for each element of an array: what a:gt(1) gives. a[m] takes the elements where the mask holds, "+
			"a[m] = v changes them. m * n holds where both do, m + n where one or both do. Where numbers are wanted it "+
			"stands for 1 and 0.",
		bind.As(func(c *bind.Call, m *arrays.Mask) (*array.Array, error) { return m.Array(c) }),
		bind.As(func(c *bind.Call, m *arrays.Mask) (*arrays.Complex, error) {
			a, err := m.Array(c)
			if err != nil {
				return nil, err
			}
			return arrays.ToComplex(c, a)
		}),
		bind.Properties(
			bind.Prop("shape", "length of each axis", func(m *arrays.Mask) []int { return m.Shape }),
			bind.Prop("size", "number of elements", (*arrays.Mask).Size),
			bind.Prop("rank", "number of axes", (*arrays.Mask).Rank),
		),
		bind.Methods(slices.Concat(maskMethods(), truths(func(_ *bind.Call, p *maskAxis) (*arrays.Mask, reduced, error) { return p.Self, p.reduced, nil }, "a:gt(2)", "false", "2"))...),
		bind.Operators(
			maskOperator("__mul", "True where both are; with numbers, 1 and 0 times them.", "and", arrays.Mul),
			maskOperator("__add", "True where one or both are; with numbers, 1 and 0 plus them.", "or", arrays.Add),
			maskOperator("__sub", "Difference of 1 and 0.", "", arrays.Sub),
			maskOperator("__div", "Quotient of 1 and 0 and numbers.", "", arrays.Div),
		),
		bind.Index("Element i of a vector, true or false; row i of a matrix.",
			func(_ *bind.Call, m *arrays.Mask, i int) (bind.Either[bool, *arrays.Mask], error) {
				part, err := at(m, m.Shape, []int{i})
				if err != nil {
					return bind.Either[bool, *arrays.Mask]{}, err
				}
				return boolOrMask(part, m.Rank() == 1)
			}),
		bind.NewIndex("Changes element i, or all of row i.", func(_ *bind.Call, m *arrays.Mask, i int, v bool) error {
			part, err := at(m, m.Shape, []int{i})
			if err != nil {
				return err
			}
			for k := range part.Data {
				part.Data[k] = v
			}
			return nil
		}),
		bind.Same(func(a, b *arrays.Mask) bool { return slices.Equal(a.Shape, b.Shape) && slices.Equal(a.Data, b.Data) }),
		bind.Len("Length of the first axis.", func(m *arrays.Mask) int { return m.Shape[0] }),
	)
}

type (
	maskOrNumbers = bind.Either[*arrays.Mask, bind.Either[float64, *array.Array]]
	maskOrArray   = bind.Either[*arrays.Mask, *array.Array]
)

// maskOperator declares an operator that is logic between masks, if it has a
// name, and arithmetic with numbers and arrays.
func maskOperator(event, doc, logic string, arithmetic func(ctx context.Context, a, b *array.Array) (*array.Array, error)) bind.Func {
	return bind.Binary(event, doc, func(c *bind.Call, a, b maskOrNumbers) (maskOrArray, error) {
		if logic != "" && !a.IsB && !b.IsB {
			out, err := arrays.Logic(c, logic, a.A, b.A)
			return bind.First[*arrays.Mask, *array.Array](out), err
		}
		left, err := maskOperand(c, a)
		if err != nil {
			return maskOrArray{}, err
		}
		right, err := maskOperand(c, b)
		if err != nil {
			return maskOrArray{}, err
		}
		out, err := arithmetic(c, left, right)
		return bind.Second[*arrays.Mask](out), err
	})
}

func maskOperand(c *bind.Call, v maskOrNumbers) (*array.Array, error) {
	if v.IsB {
		return operand(v.B), nil
	}
	return v.A.Array(c)
}

func boolOrMask(m *arrays.Mask, one bool) (bind.Either[bool, *arrays.Mask], error) {
	if one {
		return bind.First[bool, *arrays.Mask](m.Data[0]), nil
	}
	return bind.Second[bool](m), nil
}

// comparisons are the methods of arrays that give masks.
func comparisons() []bind.Func {
	comparison := func(name, words, example string) bind.Func {
		return bind.Fn(name, "Where the elements are "+words+" a number, or those of an array whose shape fits. With NaN "+
			"only ne is true. Lua has no a > b for arrays.", func(c *bind.Call, p *struct {
			receiver
			Other bind.Either[float64, *array.Array] `arg:"other" pos:"1" doc:"what to compare with" allow:"nan"`
		},
		) (*arrays.Mask, error) {
			return arrays.Compare(c, name, p.Self, operand(p.Other))
		}, bind.Returns("mask: true where it holds"), bind.Errors("shapes that do not fit"), bind.Example(example),
			bind.Keywords("compare", "mask", "select"), bind.See("mask", "where"))
	}
	return []bind.Func{
		comparison("gt", "greater than", "local a = array{1, 5, 3}\na[a:gt(2)]:sum()  --> 8"),
		comparison("ge", "at least", "array{1, 5, 3}:ge(3):count()  --> 2"),
		comparison("lt", "less than", "local a = array{-1, 5, -3}\na[a:lt(0)] = 0\na:sum()  --> 5"),
		comparison("le", "at most", "array{1, 5, 3}:le(3):all()  --> false"),
		comparison("eq", "equal to", "array{1, 5, 3}:eq{1, 0, 3}[3]  --> true"),
		comparison("ne", "different from", "array{1, 5, 3}:ne(5):count()  --> 2"),
	}
}

type maskReceiver struct {
	Self *arrays.Mask `arg:"self"`
}

func maskMethods() []bind.Func {
	logic := func(name, op, doc, example string) bind.Func {
		return bind.Fn(name, doc, func(c *bind.Call, p *struct {
			maskReceiver
			Other *arrays.Mask `arg:"other" pos:"1" doc:"a mask that fits"`
		},
		) (*arrays.Mask, error) {
			return arrays.Logic(c, op, p.Self, p.Other)
		}, bind.Returns("mask"), bind.Errors("shapes that do not fit"), bind.Example(example))
	}
	return []bind.Func{
		bind.Fn("at", "One element, or what is left when fewer indices than axes are given.", func(_ *bind.Call, p *struct {
			maskReceiver
			Index []int `arg:"i" pos:"..." doc:"an index per axis; negative numbers count from the end" allow:"nonempty"`
		},
		) (bind.Either[bool, *arrays.Mask], error) {
			part, err := at(p.Self, p.Self.Shape, p.Index)
			if err != nil {
				return bind.Either[bool, *arrays.Mask]{}, err
			}
			return boolOrMask(part, len(p.Index) == p.Self.Rank())
		}, bind.Returns("true or false, or a mask that shares its elements"), bind.Errors("an index outside its axis"),
			bind.Example("array{{1, 2}, {3, 4}}:gt(2):at(2, 1)  --> true")),
		logic("logical_and", "and", "True where both masks are: m * n.", "local a = array{1, 2, 3}\na:gt(1):logical_and(a:lt(3)):count()  --> 1"),
		logic("logical_or", "or", "True where one or both masks are: m + n.", "local a = array{1, 2, 3}\na:lt(2):logical_or(a:gt(2)):count()  --> 2"),
		logic("logical_xor", "xor", "True where just one of the masks is.", "local a = array{1, 2, 3}\na:gt(1):logical_xor(a:gt(2))[2]  --> true"),
		bind.Fn("logical_not", "True where the mask is false.", func(c *bind.Call, p *maskReceiver) (*arrays.Mask, error) {
			return p.Self.Not(c)
		}, bind.Returns("mask"), bind.Example("array{1, 2, 3}:gt(2):logical_not():count()  --> 2")),
		bind.Fn("where", "The elements of a where the mask holds, those of b elsewhere.", func(c *bind.Call, p *struct {
			maskReceiver
			A bind.Either[float64, *array.Array] `arg:"a" pos:"1" doc:"where it holds" allow:"nan"`
			B bind.Either[float64, *array.Array] `arg:"b" pos:"2" doc:"elsewhere" allow:"nan"`
		},
		) (*array.Array, error) {
			return arrays.Where(c, p.Self, operand(p.A), operand(p.B))
		}, bind.Returns("array"), bind.Errors("shapes that do not fit"), bind.Keywords("choose", "select"),
			bind.Example("local a = array{-1, 2}\na:gt(0):where(a, 0)[1]  --> 0"), bind.See("where")),
		bind.Fn("nonzero", "The places where the mask holds, in the order of its elements.", func(c *bind.Call, p *maskReceiver) (bind.Results, error) {
			return found(c, p.Self)
		}, bind.ReturnsAs("array", "indices from 1, along the first axis"), bind.ReturnsAs("array", "and along each other axis"),
			bind.Keywords("find", "which", "indices"), bind.Example("array{1, 5, 3}:gt(2):nonzero()[1]  --> 2")),
		bind.Fn("array", "The mask in numbers: 1 where it holds, 0 elsewhere.", func(c *bind.Call, p *maskReceiver) (*array.Array, error) {
			return p.Self.Array(c)
		}, bind.Keywords("astype"), bind.Returns("array of the same shape"), bind.Example("array{1, 5, 3}:gt(2):array()[2]  --> 1")),
	}
}

// found is the places where a mask holds, one array per axis.
func found(c *bind.Call, m *arrays.Mask) (bind.Results, error) {
	places, err := m.Find(c, 1)
	if err != nil {
		return nil, err
	}
	out := bind.Results{}
	for _, p := range places {
		out = append(out, p)
	}
	return out, nil
}

// reduced says along which axis numbers are taken together.
type reduced struct {
	Axis     *int `arg:"axis" pos:"1" doc:"the axis that disappears; without it, all numbers are taken together"`
	Keepdims bool `arg:"keepdims" doc:"keep the axis, with length 1" default:"false"`
}

// along is the axis from 0, or array.All.
func (r reduced) along(rank int) (int, error) { return axisOf(r.Axis, rank) }

// single reports whether the result is one number and no array.
func (r reduced) single(rank int) bool { return !r.Keepdims && (r.Axis == nil || rank == 1) }

type (
	maskAxis struct {
		maskReceiver
		reduced
	}
	arrayAxis struct {
		receiver
		reduced
	}
)

// truths are any, all and count, of masks and of arrays, where 0 is false; value,
// all and count are what the examples have.
func truths[P any](of func(*bind.Call, P) (*arrays.Mask, reduced, error), value, all, count string) []bind.Func {
	counted := func(c *bind.Call, p P) (counts *array.Array, n int, one bool, err error) {
		m, r, err := of(c, p)
		if err != nil {
			return nil, 0, false, err
		}
		axis, err := r.along(m.Rank())
		if err != nil {
			return nil, 0, false, err
		}
		counts, n, err = m.Counts(c, axis, r.Keepdims)
		return counts, n, r.single(m.Rank()), err
	}
	truth := func(name, doc string, least func(n int) int, example string) bind.Func {
		return bind.Fn(name, doc, func(c *bind.Call, p P) (bind.Either[bool, *arrays.Mask], error) {
			counts, n, one, err := counted(c, p)
			if err != nil {
				return bind.Either[bool, *arrays.Mask]{}, err
			}
			m, err := arrays.Compare(c, "ge", counts, array.Scalar(float64(least(n))))
			if err != nil {
				return bind.Either[bool, *arrays.Mask]{}, err
			}
			return boolOrMask(m, one)
		}, bind.Returns("true or false, or with an axis a mask without it"), bind.Errors("no such axis"), bind.Example(example))
	}
	example := "local a = array{{1, 2}, {3, 4}}\n" + value
	return []bind.Func{
		truth("any", "Whether any element is true, among all or along an axis; false where there are none. A number counts as true if it is not 0.",
			func(int) int { return 1 }, example+":any()  --> true"),
		truth("all", "Whether all elements are true, among all or along an axis; true where there are none. A number counts as true if it is not 0.",
			func(n int) int { return n }, example+":all(1)[1]  --> "+all),
		bind.Fn("count", "How many elements are true, among all or along an axis. A number counts as true if it is not 0.", func(c *bind.Call, p P) (numberOrArray, error) {
			counts, _, one, err := counted(c, p)
			if err != nil || one {
				return number(counts, err)
			}
			return bind.Second[float64](counts), nil
		}, bind.Keywords("sum", "nnz", "count_nonzero"), bind.Returns("a number, or with an axis an array without it"), bind.Errors("no such axis"),
			bind.Example(example+":count()  --> "+count)),
	}
}
