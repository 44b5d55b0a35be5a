package bindings

import (
	"context"
	"fmt"
	"math/cmplx"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
)

// newComplex declares array.complex.
func newComplex() bind.Func {
	return bind.Fn("complex", "Complex numbers re + i im, one or an array of them.", func(c *bind.Call, p *struct {
		Re bind.Either[float64, *array.Array] `arg:"re" pos:"1" doc:"real parts" allow:"nan"`
		Im bind.Either[float64, *array.Array] `arg:"im" pos:"2" doc:"imaginary parts" default:"0" allow:"nan"`
	},
	) (*arrays.Complex, error) {
		return arrays.Cartesian(c, operand(p.Re), operand(p.Im))
	}, bind.Returns("complex array of the shape of both, repeated as in arithmetic"), bind.Errors("shapes that do not fit"),
		bind.Example("print(array.complex(1, 2) * array.complex(0, 1))  --> -2 + 1i"),
		bind.Example("array.complex({3, 0}, {4, 1}):abs()[1]  --> 5"), bind.Keywords("imaginary", "i"), bind.See("complex"))
}

// complexType is the Lua type of complex numbers.
func complexType() bind.Type {
	return bind.TypeOf[*arrays.Complex]("complex",
		"An array of complex numbers with any number of axes; a single one is an array of one number. Arithmetic works element by "+
			"element, with numbers, arrays and each other, as that of arrays, and so do the functions of math.",
		bind.From("table|number", func(c *bind.Call, v lua.LValue) (*arrays.Complex, error) {
			a, err := fromTable(c, v)
			if err != nil {
				return nil, err
			}
			return arrays.ToComplex(c, a)
		}),
		bind.Properties(
			bind.PropOf("re", "real parts", func(c *bind.Call, z *arrays.Complex) (*array.Array, error) { return z.Real(c) }),
			bind.PropOf("im", "imaginary parts", func(c *bind.Call, z *arrays.Complex) (*array.Array, error) { return z.Imag(c) }),
			bind.Prop("shape", "length of each axis", func(z *arrays.Complex) []int { return z.Shape }),
			bind.Prop("size", "number of elements", (*arrays.Complex).Size),
			bind.Prop("rank", "number of axes", (*arrays.Complex).Rank),
		),
		bind.Methods(append(complexMethods(), complexShapes()...)...),
		bind.Operators(
			complexOperator("__add", "Sum.", '+'),
			complexOperator("__sub", "Difference.", '-'),
			complexOperator("__mul", "Product, element by element.", '*'),
			complexOperator("__div", "Quotient, element by element.", '/'),
			complexOperator("__pow", "Power, element by element: the principal value.", '^'),
			bind.Unary("__unm", "Negative.", func(c *bind.Call, z *arrays.Complex) (*arrays.Complex, error) {
				return z.Map(c, func(z complex128) complex128 { return -z })
			}),
		),
		bind.Index("Element i of a vector, as a complex array of one number; row i of a matrix, sharing its numbers. Negative "+
			"numbers count from the end. "+selectionDoc, func(c *bind.Call, z *arrays.Complex, s selector) (*arrays.Complex, error) {
			if s.plain {
				return at(z, z.Shape, []int{s.index})
			}
			part, _, err := chosen(c, ofComplex(), z, z.Shape, s)
			return part, err
		}),
		bind.NewIndex("Changes element i, or all of row i, or what is selected, to a number or to an array that fits.",
			func(c *bind.Call, z *arrays.Complex, s selector, v *arrays.Complex) error {
				return assigned(c, ofComplex(), z, z.Shape, s, v)
			}),
		bind.Same(func(a, b *arrays.Complex) bool { return slices.Equal(a.Shape, b.Shape) && slices.Equal(a.Data, b.Data) }),
		bind.Len("Length of the first axis.", func(z *arrays.Complex) int { return z.Shape[0] }),
	)
}

func complexOperator(event, doc string, op byte) bind.Func {
	return bind.Binary(event, doc, func(c *bind.Call, a, b *arrays.Complex) (*arrays.Complex, error) {
		return arrays.Combine(c, op, a, b)
	})
}

type complexReceiver struct {
	Self *arrays.Complex `arg:"self"`
}

func complexMethods() []bind.Func {
	real := func(name, doc, example string, fn func(*arrays.Complex, context.Context) (*array.Array, error)) bind.Func {
		return bind.Fn(name, doc, func(c *bind.Call, p *complexReceiver) (numberOrArray, error) {
			out, err := fn(p.Self, c)
			if err != nil || p.Self.Size() == 1 && p.Self.Rank() == 1 {
				return number(out, err)
			}
			return bind.Second[float64](out), nil
		}, bind.Returns("array of the same shape; of one number, a number"), bind.Example(example))
	}
	function := func(name, doc, example string) bind.Func {
		return bind.Fn(name, doc, func(c *bind.Call, p *complexReceiver) (*arrays.Complex, error) {
			if name == "conj" {
				return p.Self.Map(c, cmplx.Conj)
			}
			return p.Self.Function(c, name)
		}, bind.Returns("complex array of the same shape"), bind.Example(example))
	}
	reduction := func(name, doc, example string, reduce func(*arrays.Complex, context.Context, int) (*arrays.Complex, error)) bind.Func {
		return bind.Fn(name, doc, func(c *bind.Call, p *struct {
			complexReceiver
			Axis *int `arg:"axis" pos:"1" doc:"the axis that disappears; without it, all numbers are taken together"`
		},
		) (*arrays.Complex, error) {
			axis, err := axisOf(p.Axis, p.Self.Rank())
			if err != nil {
				return nil, err
			}
			return reduce(p.Self, c, axis)
		}, bind.Returns("complex array: one number, or with an axis an array without it"), bind.Errors("no such axis"),
			bind.Example(example))
	}
	return []bind.Func{
		real("abs", "Absolute values.", "array.complex(3, 4):abs()  --> 5", (*arrays.Complex).Abs),
		real("angle", "Arguments, in radians from -π to π.", "array.complex(0, 2):angle()  --> 1.570796327", (*arrays.Complex).Angle),
		function("conj", "Complex conjugates.", "print(array.complex(1, 2):conj())  --> 1 - 2i"),
		function("exp", "Exponentials.", "print(array.complex(0, 0):exp())  --> 1 + 0i"),
		function("log", "Natural logarithms: principal values.", "array.complex(-1, 0):log().im[1]  --> 3.141592654"),
		function("sqrt", "Square roots: principal values.", "print(array.complex(-4, 0):sqrt())  --> 0 + 2i"),
		reduction("sum", "Sum of all numbers, or of those along an axis.", "print(array.complex({1, 2}, {3, 4}):sum())  --> 3 + 7i", (*arrays.Complex).Sum),
		reduction("mean", "Mean of all numbers, or of those along an axis.", "print(array.complex({1, 3}, {3, 5}):mean())  --> 2 + 4i", (*arrays.Complex).Mean),
		bind.Fn("eq", "Where the numbers equal another, or those of an array that fits.", func(c *bind.Call, p *struct {
			complexReceiver
			Other *arrays.Complex `arg:"other" pos:"1" doc:"what to compare with"`
		},
		) (*arrays.Mask, error) {
			return p.Self.Equal(c, p.Other)
		}, bind.Returns("mask: true where they are equal"), bind.Errors("shapes that do not fit"),
			bind.Example("array.complex({1, 2}, 1):eq(array.complex(2, 1))[2]  --> true")),
		bind.Fn("dot", "The matrix product: sums over the last axis and the first of the other. Nothing is conjugated.", func(c *bind.Call, p *struct {
			complexReceiver
			Other *arrays.Complex `arg:"other" pos:"1" doc:"vector or matrix; its first axis is as long as the last of the array"`
		},
		) (*arrays.Complex, error) {
			return arrays.ComplexDot(c, p.Self, p.Other)
		}, bind.Returns("one number for two vectors, otherwise a vector or matrix"), bind.Errors("lengths that differ"),
			bind.Example("print(array.complex({1, 2}, 1):dot{1, 1})  --> 3 + 2i"), bind.See("array:dot")),
	}
}

// complexShapes rearrange, copy and save.
func complexShapes() []bind.Func {
	return []bind.Func{
		bind.Fn("at", "One element, as an array of one number, or what is left when fewer indices than axes are given.", func(_ *bind.Call, p *struct {
			complexReceiver
			Index []int `arg:"i" pos:"..." doc:"an index per axis; negative numbers count from the end" allow:"nonempty"`
		},
		) (*arrays.Complex, error) {
			return at(p.Self, p.Self.Shape, p.Index)
		}, bind.Returns("complex array that shares its numbers"), bind.Errors("an index outside its axis"),
			bind.Example("print(array.complex({{1, 2}, {3, 4}}, 1):at(2, 1))  --> 3 + 1i")),
		bind.Fn("copy", "The same numbers, not shared.", func(c *bind.Call, p *complexReceiver) (*arrays.Complex, error) {
			return p.Self.Pick(c)
		}, bind.Returns("new complex array"), bind.Example("local z = array.complex(1, 2)\nlocal w = z:copy()\nw[1] = 5\nprint(z)  --> 1 + 2i")),
		bind.Fn("reshape", "The same numbers in another shape, shared with the array. One length may be -1: what the others leave.", func(_ *bind.Call, p *struct {
			complexReceiver
			Shape []int `arg:"n" pos:"..." doc:"length of each axis, or one list of them; none makes a vector" allow:">=-1"`
		},
		) (*arrays.Complex, error) {
			return p.Self.Reshape(p.Shape...)
		}, bind.Returns("complex array that shares its numbers"), bind.Errors("another number of elements"),
			bind.Example("array.complex({1, 2, 3, 4}):reshape(2, -1).shape[2]  --> 2")),
		bind.Fn("transpose", "The axes in another order; reversed when none is given. Nothing is conjugated.", func(c *bind.Call, p *struct {
			complexReceiver
			Axes []int `arg:"axes" pos:"..." doc:"old axis for each new one"`
		},
		) (*arrays.Complex, error) {
			axes, err := permutation(p.Axes, p.Self.Rank())
			if err != nil {
				return nil, err
			}
			return p.Self.Transpose(c, axes...)
		}, bind.Returns("new complex array"), bind.Example("print(array.complex({{1, 2}, {3, 4}}):transpose():at(1, 2))  --> 3 + 0i")),
		bind.Fn("save", "Writes the array to a file: .npy, .npz, .mat or .h5, as complex128. The file is written completely or not at all.", func(c *bind.Call, p *struct {
			complexReceiver
			File string `arg:"file" pos:"1" doc:"path; the extension says the format"`
		},
		) (bind.None, error) {
			if err := mayWrite(c, p.File); err != nil {
				return bind.None{}, err
			}
			return bind.None{}, arrays.SaveComplex(p.File, p.Self)
		}, bind.Errors("another extension", "the file cannot be written"), bind.See("array.load"), bind.Example(`local file = os.tmpname() .. ".npy"
array.complex({1, 2}, {3, 4}):save(file)
print(array.load(file)[2])  --> 2 + 4i
os.remove(file)`)),
	}
}

// permutation is the order of axes from 0.
func permutation(axes []int, rank int) ([]int, error) {
	out := make([]int, len(axes))
	for k, axis := range axes {
		if axis < 1 || axis > rank || len(axes) != rank || slices.Contains(axes[:k], axis) {
			return nil, wantEachAxis(rank)
		}
		out[k] = axis - 1
	}
	return out, nil
}

func wantEachAxis(rank int) error {
	return fmt.Errorf("axes: want each of 1 … %d once", rank)
}
