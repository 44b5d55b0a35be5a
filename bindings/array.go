package bindings

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
)

// Array is the Lua module array; its type is in arraytype.go, the mathematical
// functions of arrays in arraymath.go.
func Array() bind.Module {
	call := bind.Fn("array", "Makes an array from a nested table of numbers, or of arrays. All rows must have the same length.",
		func(c *bind.Call, p *struct {
			Table *array.Array `arg:"table" pos:"1" doc:"numbers, or tables of numbers for more axes"`
		},
		) (*array.Array, error) {
			return copied(c, p.Table)
		},
		bind.Returns("new array, one axis per level of nesting and for each of arrays in it"),
		bind.Errors("rows of different lengths"),
		bind.Example(`array{{1, 2}, {3, 4}}
--> array 2×2, min 1, max 4, norm 5.477
-->   1  2
-->   3  4`),
		bind.See("array.zeros", "array.from", "array.load"))
	return bind.Module{
		Name: "array",
		Doc: "Dense arrays of numbers with any number of axes. Numbers are float64, stored row by row: " +
			"the last index varies fastest. Indices and axes count from 1. The functions of math work on " +
			"arrays, element by element.",
		Call:    &call,
		Foreign: foreignNames(),
		Funcs: append([]bind.Func{
			filled("zeros", "An array of zeros.", 0, "array.zeros(2, 3):sum()  --> 0"),
			filled("ones", "An array of ones.", 1, "array.ones(2, 3):sum()  --> 6"),
			bind.Fn("eye", "The identity matrix.", func(c *bind.Call, p *struct {
				N int `arg:"n" pos:"1" doc:"number of rows and columns" allow:">=1"`
			},
			) (*array.Array, error) {
				return arrays.Eye(c, p.N)
			}, bind.Returns("n × n array"), bind.Example("array.eye(3):at(2, 2)  --> 1")),
			spaced("linspace", "Equally spaced numbers from a to b, both included.", arrays.LinSpace,
				"array.linspace(0, 1, 5)[2]  --> 0.25", "array.logspace"),
			spaced("logspace", "Numbers from 10^a to 10^b, equally spaced in their logarithm.", arrays.LogSpace,
				"array.logspace(-2, 2, 5)[4]  --> 10", "array.linspace"),
			fromFunc(),
			newComplex(),
			bind.Fn("dot", "The matrix product: sums over the last axis of a and the first of b. "+
				"Elements are multiplied one by one with a * b.",
				func(c *bind.Call, p *struct {
					A *array.Array `arg:"a" pos:"1" doc:"vector or matrix"`
					B *array.Array `arg:"b" pos:"2" doc:"vector or matrix; its first axis is as long as the last of a"`
				},
				) (numberOrArray, error) {
					return dot(c, p.A, p.B)
				}, bind.Returns("a number for two vectors, otherwise a vector or matrix"),
				bind.Example("array.dot({1, 2}, {3, 4})  --> 11"), bind.See("array:dot")),
			loaded(), saveArrays(),
		}, buildFunctions()...),
		Types: []bind.Type{arrayType(), maskType(), complexType()},
	}
}

// loaded declares array.load.
func loaded() bind.Func {
	return bind.Fn("load", "Reads an array from a file: .npy, .npz, .csv, .mat, .h5 (HDF5), .nc (NetCDF), .xlsx or a Zarr folder. Integers and single precision become float64; "+
		"complex numbers stay complex.",
		func(c *bind.Call, p *struct {
			File string `arg:"file" pos:"1" doc:"path; the format is recognised by how the file begins, or by its extension"`
			Name string `arg:"name" pos:"2" doc:"which array of a file that holds several; 'run1/f' in a group, 's.f' in a struct, 'c{2}' in a cell, a column, a sheet" default:""`
		},
		) (bind.Either[*array.Array, *arrays.Complex], error) {
			if err := mayRead(c, p.File); err != nil {
				return bind.Either[*array.Array, *arrays.Complex]{}, err
			}
			a, z, err := arrays.LoadNumbers(c, p.File, p.Name)
			if z != nil {
				return bind.Second[*array.Array](z), err
			}
			return bind.First[*array.Array, *arrays.Complex](a), err
		}, bind.Returns("the array as it is in the file"),
		bind.Errors("the file cannot be read, or is damaged", "several arrays, and no name given"),
		bind.Example(`local file = os.tmpname() .. ".npy"
array{1, 2, 3}:save(file)
array.load(file):sum()  --> 6
os.remove(file)`), bind.See("array:save"))
}

// filled declares a constructor by shape.
func filled(name, doc string, value float64, example string) bind.Func {
	return bind.Fn(name, doc, func(c *bind.Call, p *struct {
		Shape []int `arg:"n" pos:"..." doc:"length of each axis, or one list of them" allow:">=0 nonempty"`
	},
	) (*array.Array, error) {
		return arrays.Full(c, value, p.Shape...)
	}, bind.Returns("array of shape {n, …}"), bind.Errors("it would not fit in memory"), bind.Example(example))
}

func spaced(name, doc string, space func(ctx context.Context, a, b float64, n int) (*array.Array, error), example, see string) bind.Func {
	return bind.Fn(name, doc, func(c *bind.Call, p *struct {
		A float64 `arg:"a" pos:"1" doc:"first" allow:"finite"`
		B float64 `arg:"b" pos:"2" doc:"last" allow:"finite"`
		N int     `arg:"n" pos:"3" doc:"how many" allow:">=1"`
	},
	) (*array.Array, error) {
		return space(c, p.A, p.B, p.N)
	}, bind.Returns("vector of length n; for n = 1 the first number"), bind.Example(example), bind.See(see),
		bind.Keywords("range"))
}

// fromFunc declares array.from, which has as many lengths as the function indices.
func fromFunc() bind.Func {
	return bind.Fn("from", "An array whose elements a function computes from their indices.",
		func(c *bind.Call, p *struct {
			Args []bind.Either[int, bind.Function] `arg:"n" pos:"..." doc:"length of each axis, then the function of as many indices" allow:">=0 nonempty"`
		},
		) (*array.Array, error) {
			last := len(p.Args) - 1
			shape := make([]int, last)
			for i, a := range p.Args {
				if a.IsB != (i == last) || last == 0 {
					return nil, errors.New("want one or more lengths and then a function: array.from(2, 3, function(i, j) … end)")
				}
				if i < last {
					shape[i] = a.A
				}
			}
			return evaluate(c, &p.Args[last].B, shape)
		}, bind.Returns("array of shape {n, …}"), bind.Errors("the function returns anything but a number"),
		bind.Example("array.from(2, 3, function(i, j) return 10*i + j end):at(2, 3)  --> 23"))
}

// evaluate calls f at every index, in the order of the elements, or computes the
// expression that f is traced to where that gives the same.
func evaluate(c *bind.Call, f *bind.Function, shape []int) (*array.Array, error) {
	a, err := array.Zeros(shape...)
	if err != nil {
		return nil, err
	}
	if data, ok := trace.Elements(c, f, shape); ok {
		a.Data = data
		return a, nil
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	index := make([]any, len(shape))
	for k := range a.Data {
		for d, i := range a.Position(k) {
			index[d] = i + 1
		}
		if a.Data[k], err = f.Number(c, index...); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// zeroBased converts indices or axes of a script and refuses what is not there.
func zeroBased(what string, ones []int, limits []int) ([]int, error) {
	zeros := slices.Clone(ones)
	for k, i := range ones {
		if i < 1 || i > limits[k] {
			return nil, fmt.Errorf("%s %d: must be in 1 … %d", what, i, limits[k])
		}
		zeros[k]--
	}
	return zeros, nil
}
