package bindings

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

func arrayType() bind.Type {
	return bind.TypeOf[*array.Array]("array",
		"An array of numbers with any number of axes. Arithmetic works element by element, with numbers and with "+
			"arrays whose axes agree from the last one on; a missing axis, or one of length 1, is repeated.",
		bind.From("table|number", fromTable),
		bind.As(vectorOf),
		bind.As(func(c *bind.Call, a *array.Array) (*arrays.Complex, error) { return arrays.ToComplex(c, a) }),
		bind.As(integersOf),
		bind.As(rowsOf),
		bind.As(pixelsOf),
		bind.Properties(
			bind.Prop("shape", "length of each axis", func(a *array.Array) []int { return a.Shape }),
			bind.Prop("size", "number of elements", (*array.Array).Size),
			bind.Prop("rank", "number of axes", (*array.Array).Rank),
			bind.PropOf("T", "the array with its axes reversed: a:transpose()",
				func(c *bind.Call, a *array.Array) (*array.Array, error) { return arrays.Transpose(c, a) }),
		),
		bind.Methods(slices.Concat(elementMethods(), shapeMethods(), reductions(), comparisons(), orderMethods(), arrangeMethods(), changeMethods(), countMethods(),
			truths(func(c *bind.Call, p *arrayAxis) (*arrays.Mask, reduced, error) {
				m, err := arrays.NonZero(c, p.Self)
				return m, p.reduced, err
			}, "a", "true", "4"))...),
		bind.Operators(
			arithmetic("__add", "Sum.", arrays.Add),
			arithmetic("__sub", "Difference.", arrays.Sub),
			arithmetic("__mul", "Product, element by element; a:dot(b) is the matrix product.", arrays.Mul),
			arithmetic("__div", "Quotient, element by element; linalg.solve divides by a matrix.", arrays.Div),
			arithmetic("__pow", "Power, element by element.", arrays.Pow),
			bind.Unary("__unm", "Negative.", func(c *bind.Call, a *array.Array) (*array.Array, error) {
				return arrays.MapAll(c, a, func(x float64) float64 { return -x })
			}),
		),
		bind.Index("Element i of a vector; row i of a matrix, sharing its numbers, so that a[i][j] = v changes a. Negative "+
			"numbers count from the end. "+selectionDoc, func(c *bind.Call, a *array.Array, s selector) (numberOrArray, error) {
			if s.plain && a.Rank() > 1 {
				at, err := s.one(a.Shape[0])
				if err != nil {
					return numberOrArray{}, err
				}
				return bind.Second[float64](a.Index(at)), nil
			}
			part, dropped, err := chosen(c, ofNumbers(), a, a.Shape, s)
			if dropped {
				return number(part, err)
			}
			return bind.Second[float64](part), err
		}),
		bind.NewIndex("Changes element i, or all of row i, or what is selected, to a number or to an array that fits.",
			func(c *bind.Call, a *array.Array, s selector, v bind.Either[float64, *array.Array]) error {
				return assigned(c, ofNumbers(), a, a.Shape, s, operand(v))
			}),
		bind.Same(func(a, b *array.Array) bool { return slices.Equal(a.Shape, b.Shape) && slices.Equal(a.Data, b.Data) }),
		bind.Len("Length of the first axis.", func(a *array.Array) int { return a.Shape[0] }),
	)
}

// arithmetic declares an operator between numbers and arrays.
func arithmetic(event, doc string, op func(ctx context.Context, a, b *array.Array) (*array.Array, error)) bind.Func {
	return bind.Binary(event, doc, func(c *bind.Call, a, b bind.Either[float64, *array.Array]) (*array.Array, error) {
		left, right := operand(a), operand(b)
		out, err := op(c, left, right)
		if err == nil { // an error of G is on the meshes of G
			for _, from := range []*array.Array{right, left} {
				if from.Axes != nil && slices.Equal(from.Shape, out.Shape) {
					out.Axes = from.Axes
				}
			}
		}
		return out, err
	})
}

// vectorOf lets a vector stand for a list of numbers.
func vectorOf(c *bind.Call, a *array.Array) ([]float64, error) {
	if a.Rank() != 1 && a.Size() != a.Shape[0] {
		return nil, fmt.Errorf("want one axis, got an array of shape %s", dense.ShapeString(a.Shape))
	}
	own, err := copied(c, a)
	if err != nil {
		return nil, err
	}
	return own.Data, nil
}

// integersOf lets a vector of whole numbers stand for a list of them.
func integersOf(c *bind.Call, a *array.Array) ([]int, error) {
	numbers, err := vectorOf(c, a)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(numbers))
	for i, x := range numbers {
		const most = 1 << 53 // from where on neighbouring integers are the same number
		if x != math.Trunc(x) || math.Abs(x) > most {
			return nil, fmt.Errorf("element %d is %g; want integers", i+1, x)
		}
		out[i] = int(x)
	}
	return out, nil
}

// rowsOf views a matrix as its rows.
func rowsOf(_ *bind.Call, a *array.Array) ([][]float64, error) {
	if a.Rank() != 2 {
		return nil, fmt.Errorf("want two axes, got an array of shape %s", dense.ShapeString(a.Shape))
	}
	rows := make([][]float64, a.Shape[0])
	for i := range rows {
		rows[i] = a.Data[i*a.Shape[1] : (i+1)*a.Shape[1]]
	}
	return rows, nil
}

// pixelsOf views an array of three axes, rows by columns by colours, as lists.
func pixelsOf(_ *bind.Call, a *array.Array) ([][][]float64, error) {
	if a.Rank() != 3 {
		return nil, fmt.Errorf("want three axes, got an array of shape %s", dense.ShapeString(a.Shape))
	}
	out, deep := make([][][]float64, a.Shape[0]), a.Shape[2]
	for i := range out {
		out[i] = make([][]float64, a.Shape[1])
		for j := range out[i] {
			at := (i*a.Shape[1] + j) * deep
			out[i][j] = a.Data[at : at+deep]
		}
	}
	return out, nil
}

// elementMethods get and set numbers.
func elementMethods() []bind.Func {
	return []bind.Func{
		bind.Fn("at", "One element, or what is left when fewer indices than axes are given.", func(_ *bind.Call, p *struct {
			receiver
			Index []int `arg:"i" pos:"..." doc:"an index per axis" allow:"nonempty"`
		},
		) (numberOrArray, error) {
			part, err := at(p.Self, p.Self.Shape, p.Index)
			if err != nil || len(p.Index) == p.Self.Rank() {
				return number(part, err)
			}
			return bind.Second[float64](part), nil
		}, bind.Returns("a number, or an array that shares its numbers"), bind.Errors("an index outside its axis"),
			bind.Example("array{{1, 2}, {3, 4}}:at(2, 1)  --> 3"), bind.See("array:set", "array:slice")),
		bind.Fn("set", "Changes one element.", func(_ *bind.Call, p *struct {
			receiver
			Args []float64 `arg:"i" pos:"..." doc:"an index per axis, then the value" allow:"nonempty nan"`
		},
		) (bind.None, error) {
			last := len(p.Args) - 1
			if last != p.Self.Rank() {
				return bind.None{}, fmt.Errorf("want %d indices and a value for an array of shape %s, got %d numbers",
					p.Self.Rank(), dense.ShapeString(p.Self.Shape), len(p.Args))
			}
			index := make([]int, last)
			for k, x := range p.Args[:last] {
				if x != math.Trunc(x) {
					return bind.None{}, fmt.Errorf("index %g: must be an integer", x)
				}
				index[k] = int(max(-1<<53, min(x, 1<<53))) // NaN and what is too large fail as indices do
			}
			part, err := at(p.Self, p.Self.Shape, index)
			if err == nil {
				part.Data[0] = p.Args[last]
			}
			return bind.None{}, err
		}, bind.Errors("an index outside its axis"), bind.Example("local a = array.zeros(2, 2)\na:set(1, 2, 7)\na:at(1, 2)  --> 7"),
			bind.See("array:at")),
		bind.Fn("copy", "The same numbers, not shared.", func(c *bind.Call, p *receiver) (*array.Array, error) {
			return copied(c, p.Self)
		}, bind.Returns("new array"), bind.Example("local a = array{1, 2}\nlocal b = a:copy()\nb[1] = 5\na[1]  --> 1")),
		bind.Fn("table", "The numbers as a nested table.", func(c *bind.Call, p *receiver) (bind.Any, error) {
			// A number in a table takes three times the memory of one in an array.
			if err := dense.CheckSize(fmt.Sprintf("a table of %d numbers", p.Self.Size()), 3*float64(p.Self.Size())); err != nil {
				return bind.Any{}, err
			}
			return bind.Any{LValue: toTable(c, p.Self)}, c.Err()
		}, bind.ReturnsAs("table", "one level per axis"), bind.Example("array{{1, 2}, {3, 4}}:table()[2][1]  --> 3")),
		bind.Fn("save", "Writes the array to a file: .npy, .npz, .csv, .mat or .h5. The file is written completely or not at all.",
			func(c *bind.Call, p *struct {
				receiver
				File string `arg:"file" pos:"1" doc:"path; the extension says the format"`
			},
			) (bind.None, error) {
				if err := mayWrite(c, p.File); err != nil {
					return bind.None{}, err
				}
				return bind.None{}, arrays.Save(p.File, p.Self)
			}, bind.Errors("an unknown extension", "the file cannot be written", "more than two axes for .csv"),
			bind.Example(`local file = os.tmpname() .. ".csv"
array{{1, 2}, {3, 4}}:save(file)
array.load(file).shape[1]  --> 2
os.remove(file)`), bind.See("array.load")),
	}
}

// shapeMethods rearrange.
func shapeMethods() []bind.Func {
	return []bind.Func{
		bind.Fn("slice", "A part of the array: one entry per axis. {} is all of it, {from, to} both ends included, "+
			"{from, to, step}, and a number picks one index and drops the axis. Negative numbers count from the end; a "+
			"negative step goes down. a[{…}] is the same where an entry is a table, and can be assigned to.",
			func(c *bind.Call, p *struct {
				receiver
				Ranges []span `arg:"ranges" pos:"1" doc:"one per axis; axes that are left out are kept whole" allow:"nonempty"`
			},
			) (numberOrArray, error) {
				part, dropped, err := chosen(c, ofNumbers(), p.Self, p.Self.Shape, selector{spans: p.Ranges})
				if dropped {
					return number(part, err)
				}
				return bind.Second[float64](part), err
			}, bind.Returns("new array, or a number when every axis is dropped"), bind.Errors("a range outside its axis"),
			bind.Example("array{{1, 2, 3}, {4, 5, 6}}:slice{{1, 2}, {2, 3}}:sum()  --> 16"),
			bind.Example("array{1, 2, 3}:slice{{-1, 1, -1}}[1]  --> 3"), bind.See("array:at")),
		bind.Fn("reshape", "The same numbers in another shape, shared with the array. One length may be -1: what the others leave.",
			func(_ *bind.Call, p *struct {
				receiver
				Shape []int `arg:"n" pos:"..." doc:"length of each axis, or one list of them; none makes a vector" allow:">=-1"`
			},
			) (*array.Array, error) {
				return p.Self.Reshape(p.Shape...)
			}, bind.Keywords("flatten", "ravel", "squeeze", "vectorize"), bind.Returns("array that shares its numbers"), bind.Errors("another number of elements"),
			bind.Example("array.linspace(1, 6, 6):reshape(2, -1):at(2, 1)  --> 4")),
		bind.Fn("transpose", "The axes in another order; reversed when none is given.", func(c *bind.Call, p *struct {
			receiver
			Axes []int `arg:"axes" pos:"..." doc:"old axis for each new one"`
		},
		) (*array.Array, error) {
			axes, err := permutation(p.Axes, p.Self.Rank())
			if err != nil {
				return nil, err
			}
			return arrays.Transpose(c, p.Self, axes...)
		}, bind.Keywords("permute", "swapaxes", "moveaxis"), bind.Returns("new array"), bind.Example("array{{1, 2}, {3, 4}}:transpose():at(1, 2)  --> 3")),
		bind.Fn("dot", "The matrix product: sums over the last axis and the first of the other.", func(c *bind.Call, p *struct {
			receiver
			Other *array.Array `arg:"other" pos:"1" doc:"vector or matrix; its first axis is as long as the last of the array"`
		},
		) (numberOrArray, error) {
			return dot(c, p.Self, p.Other)
		}, bind.Returns("a number for two vectors, otherwise a vector or matrix"), bind.Errors("lengths that differ"),
			bind.Example("array{{1, 2}, {3, 4}}:dot{1, 1}[2]  --> 7"), bind.See("array.dot", "linalg.solve")),
	}
}
