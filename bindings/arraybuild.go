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

// buildFunctions make arrays of others, and from rules.
func buildFunctions() []bind.Func {
	type joining struct {
		Arrays []*array.Array `arg:"arrays" pos:"1" doc:"a list of arrays" allow:"nonempty"`
		Axis   int            `arg:"axis" pos:"2" doc:"along which axis" default:"1"`
	}
	joined := func(c *bind.Call, p joining, fresh bool) (*array.Array, error) {
		rank := p.Arrays[0].Rank()
		if fresh {
			rank++
		}
		axis, err := axisOf(&p.Axis, rank)
		if err != nil {
			return nil, err
		}
		return arrays.Join(c, p.Arrays, axis, fresh)
	}
	return []bind.Func{
		bind.Fn("full", "An array with the same number everywhere.", func(c *bind.Call, p *struct {
			Shape bind.Either[int, []int] `arg:"shape" pos:"1" doc:"length, or a list of the lengths of the axes" allow:">=0"`
			Value float64                 `arg:"value" pos:"2" doc:"the number" allow:"nan"`
		},
		) (*array.Array, error) {
			shape := p.Shape.B
			if !p.Shape.IsB {
				shape = []int{p.Shape.A}
			}
			return arrays.Full(c, p.Value, shape...)
		}, bind.Returns("array of that shape"), bind.Errors("it would not fit in memory"), bind.Keywords("fill", "constant"),
			bind.Example("array.full({2, 3}, 7):sum()  --> 42"), bind.See("array.zeros")),
		bind.Fn("arange", "Numbers from start in equal steps, up to stop but without it, as in NumPy. For 0.1, 0.2, … array.linspace is safer: whether the last number is included depends on rounding.",
			func(c *bind.Call, p *struct {
				Start float64  `arg:"start" pos:"1" doc:"first number; alone it is stop, and the first is 0" allow:"finite"`
				Stop  *float64 `arg:"stop" pos:"2" doc:"end, which is not included" allow:"finite"`
				Step  float64  `arg:"step" pos:"3" doc:"difference of neighbours, not 0" default:"1" allow:"finite"`
			},
			) (*array.Array, error) {
				if p.Step == 0 {
					return nil, fmt.Errorf("step 0: must not be 0")
				}
				if p.Stop == nil {
					return arrays.Arange(c, 0, p.Start, p.Step)
				}
				return arrays.Arange(c, p.Start, *p.Stop, p.Step)
			}, bind.Returns("vector, empty where stop is not after start"), bind.Keywords("range", "sequence"),
			bind.Example("array.arange(5):sum()  --> 10"), bind.Example("array.arange(1, 10, 3)[3]  --> 7"), bind.See("array.linspace")),
		bind.Fn("meshgrid", "The coordinates of a grid: one array for each vector, all of one shape.", func(c *bind.Call, p *struct {
			X        *array.Array `arg:"x" pos:"1" doc:"vector"`
			Y        *array.Array `arg:"y" pos:"2" doc:"vector"`
			Z        *array.Array `arg:"z" pos:"3" doc:"vector, for a grid in space" default:"nil"`
			Indexing string       `arg:"indexing" doc:"xy: x along the columns, y along the rows, as in pictures; ij: axes in the order of the vectors" default:"xy" allow:"xy|ij"`
		},
		) (bind.Results, error) {
			axes := []*array.Array{p.X, p.Y}
			if p.Z != nil {
				axes = append(axes, p.Z)
			}
			grids, err := arrays.MeshGrid(c, axes, p.Indexing == "xy")
			out := bind.Results{}
			for _, g := range grids {
				out = append(out, g)
			}
			return out, err
		}, bind.ReturnsAs("array", "values of x"), bind.ReturnsAs("array", "values of y"), bind.ReturnsAs("array|nil", "values of z, if it is given"), bind.Errors("an array that is not a vector"),
			bind.Example("local X, Y = array.meshgrid({1, 2, 3}, {10, 20})\n(X + Y):at(2, 3)  --> 23"),
			bind.Example(`local X, Y = array.meshgrid({1, 2, 3}, {10, 20}, {indexing = "ij"})`+"\nX.shape[1]  --> 3")),
		bind.Fn("concatenate", "Arrays one after the other along an axis that they have.", func(c *bind.Call, p *joining) (*array.Array, error) {
			return joined(c, *p, false)
		}, bind.Returns("new array"), bind.Errors("shapes that differ in another axis"), bind.Keywords("append", "join", "vstack", "hstack"),
			bind.Example("#array.concatenate{{1, 2}, {3}}  --> 3"), bind.Example("array.concatenate({{{1}, {2}}, {{3}, {4}}}, 2):at(2, 2)  --> 4"), bind.See("array.stack", "array:split")),
		bind.Fn("stack", "Arrays of one shape beside each other along a new axis.", func(c *bind.Call, p *joining) (*array.Array, error) {
			return joined(c, *p, true)
		}, bind.Returns("new array of one axis more"), bind.Errors("shapes that differ"), bind.Keywords("join", "columns"),
			bind.Example("array.stack{{1, 2}, {3, 4}}:at(2, 1)  --> 3"), bind.Example("array.stack({{1, 2}, {3, 4}}, 2):at(2, 1)  --> 2"), bind.See("array.concatenate")),
	}
}

// arrangeMethods put elements elsewhere.
func arrangeMethods() []bind.Func {
	return []bind.Func{
		bind.Fn("split", "Parts of the array along an axis: of equal length, or cut after given indices.", func(c *bind.Call, p *struct {
			receiver
			Parts bind.Either[int, []int] `arg:"parts" pos:"1" doc:"number of parts, which must divide the length; or a list with the last index of each part except the last" allow:">=0"`
			Axis  int                     `arg:"axis" pos:"2" doc:"along which axis" default:"1"`
		},
		) ([]*array.Array, error) {
			return split(c, p.Self, p.Parts, p.Axis)
		}, bind.Returns("list of arrays"), bind.Errors("a length that the number of parts does not divide"), bind.See("array.concatenate"),
			bind.Example("array{1, 2, 3, 4}:split(2)[2]:sum()  --> 7"), bind.Example("#array{1, 2, 3, 4}:split{1, 3}  --> 3")),
		bind.Fn("tile", "The array repeated along its axes, as often as is said for each.", func(c *bind.Call, p *struct {
			receiver
			Counts []int `arg:"n" pos:"..." doc:"how often along each axis; fewer numbers are for the last axes" allow:">=0 nonempty"`
		},
		) (*array.Array, error) {
			return arrays.Tile(c, p.Self, p.Counts...)
		}, bind.Returns("new array"), bind.Errors("it would not fit in memory"), bind.Keywords("repeat", "repmat"),
			bind.Example("array{1, 2}:tile(2, 2).shape[2]  --> 4")),
		bind.Fn("roll", "The elements moved along an axis; those that leave at one end enter at the other.", func(c *bind.Call, p *struct {
			receiver
			Shift int  `arg:"shift" pos:"1" doc:"by how many places; negative towards the first"`
			Axis  *int `arg:"axis" pos:"2" doc:"along which axis; without it all elements as a vector"`
		},
		) (*array.Array, error) {
			axis, err := axisOf(p.Axis, p.Self.Rank())
			if err != nil {
				return nil, err
			}
			return arrays.Roll(c, p.Self, p.Shift, axis)
		}, bind.Returns("new array of the same shape"), bind.Errors("no such axis"), bind.Keywords("shift", "circshift"),
			bind.Example("array{1, 2, 3}:roll(1)[1]  --> 3")),
		bind.Fn("flip", "The elements in the opposite order, along one axis or all of them.", func(c *bind.Call, p *struct {
			receiver
			Axis *int `arg:"axis" pos:"1" doc:"along which axis; without it along all"`
		},
		) (*array.Array, error) {
			axis, err := axisOf(p.Axis, p.Self.Rank())
			if err != nil {
				return nil, err
			}
			picks := make([]arrays.Pick, p.Self.Rank())
			for k, n := range p.Self.Shape {
				picks[k] = arrays.Pick{Count: n, Step: 1}
				if axis == arrays.All || axis == k {
					picks[k] = arrays.Pick{From: n - 1, Count: n, Step: -1}
				}
			}
			return arrays.Picked(c, p.Self, picks...)
		}, bind.Returns("new array of the same shape"), bind.Errors("no such axis"), bind.Keywords("reverse"),
			bind.Example("array{1, 2, 3}:flip()[1]  --> 3")),
		bind.Fn("diag", "The diagonal of a matrix; of a vector, the matrix that has it there and zeros elsewhere.", func(c *bind.Call, p *struct {
			receiver
			K int `arg:"k" pos:"1" doc:"which diagonal: above the main one, negative below" default:"0"`
		},
		) (*array.Array, error) {
			return arrays.Diagonal(c, p.Self, p.K)
		}, bind.Returns("vector, or matrix"), bind.Errors("an array of more than two axes"), bind.Keywords("diagonal"),
			bind.Example("array{{1, 2}, {3, 4}}:diag()[2]  --> 4"), bind.Example("array{1, 2}:diag(1):at(1, 2)  --> 1")),
		bind.Fn("trace", "Sum of the diagonal of a matrix.", func(c *bind.Call, p *receiver) (float64, error) {
			if p.Self.Rank() != 2 {
				return 0, fmt.Errorf("shape %s: want a matrix", dense.ShapeString(p.Self.Shape))
			}
			d, err := arrays.Diagonal(c, p.Self, 0)
			if err != nil {
				return 0, err
			}
			s, err := arrays.Reduce(c, d, "sum", 0, arrays.All, false)
			if err != nil {
				return 0, err
			}
			return s.Data[0], nil
		}, bind.Returns("number"), bind.Errors("an array that is no matrix"), bind.Example("array{{1, 2}, {3, 4}}:trace()  --> 5")),
		product("outer", "The matrix of all products a[i] b[j] of two vectors.", arrays.Outer, "array{1, 2}:outer{3, 4}:at(2, 1)  --> 6"),
		product("kron", "Kronecker product: every element of the array times the whole of b, as a block.", arrays.Kron, "array{1, 2}:kron{1, 10}[4]  --> 20"),
		product("cross", "Vector products of vectors of length 3, which lie along the last axis of both.", arrays.Cross, "array{1, 0, 0}:cross{0, 1, 0}[3]  --> 1"),
	}
}

// product declares a product of two arrays.
func product(name, doc string, of func(ctx context.Context, a, b *array.Array) (*array.Array, error), example string) bind.Func {
	return bind.Fn(name, doc, func(c *bind.Call, p *struct {
		receiver
		B *array.Array `arg:"b" pos:"1" doc:"the other array"`
	},
	) (*array.Array, error) {
		return of(c, p.Self, p.B)
	}, bind.Returns("new array"), bind.Errors("shapes that do not fit", "it would not fit in memory"), bind.Example(example), bind.See("array:dot"))
}

// split cuts an array along an axis.
func split(c *bind.Call, a *array.Array, parts bind.Either[int, []int], axis int) ([]*array.Array, error) {
	k, err := axisOf(&axis, a.Rank())
	if err != nil {
		return nil, err
	}
	n := a.Shape[k]
	ends := slices.Clone(parts.B)
	if !parts.IsB {
		if parts.A < 1 || n%parts.A != 0 || parts.A > max(n, 1) {
			return nil, fmt.Errorf("parts %d: must divide the length of the axis, %d; or give a list of the last indices", parts.A, n)
		}
		for i := 1; i < parts.A; i++ {
			ends = append(ends, i*(n/parts.A))
		}
	}
	var out []*array.Array
	from := 0
	for _, to := range append(ends, n) {
		if to < from || to > n {
			return nil, fmt.Errorf("parts: index %d: want increasing ones, up to the length of the axis, %d", to, n)
		}
		picks := make([]arrays.Pick, k+1)
		for d := range k {
			picks[d] = arrays.Pick{Count: a.Shape[d], Step: 1}
		}
		picks[k] = arrays.Pick{From: from, Count: to - from, Step: 1}
		part, err := arrays.Picked(c, a, picks...)
		if err != nil {
			return nil, err
		}
		out = append(out, part)
		from = to
	}
	return out, nil
}

// changeMethods give other numbers, or change them in place.
func changeMethods() []bind.Func {
	inPlace := func(name, doc string, op byte, example string) bind.Func {
		return bind.Fn(name, doc+" In place: no new array is made, and those that share its numbers see it.", func(c *bind.Call, p *struct {
			receiver
			V bind.Either[float64, *array.Array] `arg:"v" pos:"1" doc:"number, or array that fits" allow:"nan"`
		},
		) (*array.Array, error) {
			return p.Self, arrays.Update(c, p.Self, op, operand(p.V))
		}, bind.Returns("the array itself"), bind.Errors("a shape that does not fit"), bind.Keywords("in place"), bind.Example(example))
	}
	return []bind.Func{
		bind.Fn("clip", "The numbers, with those outside a range set to its nearest end; NaN stays.", func(c *bind.Call, p *struct {
			receiver
			Low  bind.OrFalse[bind.Either[float64, *array.Array]] `arg:"low" pos:"1" doc:"lower end; false for none"`
			High bind.OrFalse[bind.Either[float64, *array.Array]] `arg:"high" pos:"2" doc:"upper end; false for none" default:"false"`
		},
		) (*array.Array, error) {
			low, high := array.Scalar(math.Inf(-1)), array.Scalar(math.Inf(1))
			if !p.Low.False {
				low = operand(p.Low.Value)
			}
			if !p.High.False {
				high = operand(p.High.Value)
			}
			return arrays.Clip(c, p.Self, low, high)
		}, bind.Returns("new array"), bind.Errors("shapes that do not fit"), bind.Keywords("clamp", "limit"),
			bind.Example("array{-1, 0.5, 7}:clip(0, 1):sum()  --> 1.5")),
		bind.Fn("round", "The numbers rounded to decimals; halves go to the even neighbour, as in NumPy.", func(c *bind.Call, p *struct {
			receiver
			Decimals int `arg:"decimals" pos:"1" doc:"number of decimals; negative for tens, hundreds …" default:"0" allow:"[-400, 400]"`
		},
		) (*array.Array, error) {
			return arrays.Round(c, p.Self, p.Decimals)
		}, bind.Returns("new array"), bind.Example("array{1.26}:round(1)[1]  --> 1.3"), bind.Example("array{0.5, 1.5}:round()[2]  --> 2")),
		inPlace("fill_", "Sets all elements.", '=', "array.zeros(3):fill_(2):sum()  --> 6"),
		inPlace("add_", "Adds to the elements.", '+', "local a = array{1, 2}\na:add_(1)\na[2]  --> 3"),
		inPlace("sub_", "Subtracts from the elements.", '-', "array{1, 2}:sub_{1, 1}[2]  --> 1"),
		inPlace("mul_", "Multiplies the elements.", '*', "array{1, 2}:mul_(3)[2]  --> 6"),
		inPlace("div_", "Divides the elements.", '/', "array{1, 2}:div_(2)[1]  --> 0.5"),
		inPlace("pow_", "Raises the elements to a power.", '^', "array{1, 2}:pow_(3)[2]  --> 8"),
	}
}

// countMethods count.
func countMethods() []bind.Func {
	return []bind.Func{
		bind.Fn("histogram", "How many numbers lie between neighbouring edges; the last bin includes its right edge. NaN and what is outside are left out.",
			func(c *bind.Call, p *struct {
				receiver
				Bins    bind.Either[int, []float64] `arg:"bins" pos:"1" doc:"number of bins of equal width, or their edges, increasing" default:"10"`
				Range   []float64                   `arg:"range" doc:"{low, high} for bins of equal width; from the least to the greatest number when it is not given" default:"{}" allow:"finite"`
				Weights *array.Array                `arg:"weights" doc:"what each number counts" default:"nil"`
				Density bool                        `arg:"density" doc:"divide by the sum and the widths, so that the integral is 1" default:"false"`
			},
			) (bind.Results, error) {
				edges := p.Bins.B
				if !p.Bins.IsB {
					low, high := math.NaN(), 0.0
					switch len(p.Range) {
					case 0:
					case 2:
						low, high = p.Range[0], p.Range[1]
					default:
						return nil, fmt.Errorf("range: want {low, high}, got %d numbers", len(p.Range))
					}
					e, err := arrays.Bins(c, p.Self, p.Bins.A, low, high)
					if err != nil {
						return nil, err
					}
					edges = e.Data
				}
				counts, err := arrays.Histogram(c, p.Self, edges, p.Weights)
				if err != nil {
					return nil, err
				}
				if total, err := arrays.Reduce(c, counts, "sum", 0, arrays.All, false); err != nil {
					return nil, err
				} else if p.Density {
					for k := range counts.Data {
						counts.Data[k] /= total.Data[0] * (edges[k+1] - edges[k])
					}
				}
				return bind.Results{counts, array.Vector(edges)}, nil
			}, bind.ReturnsAs("array", "counts"), bind.ReturnsAs("array", "edges, one more"), bind.Errors("edges that do not increase", "numbers that are not finite, without a range"),
			bind.Example("local counts, edges = array{1, 2, 2, 5}:histogram(2)\ncounts[1]  --> 3"), bind.Example("array{1, 2, 2, 5}:histogram({0, 2, 4})[2]  --> 2")),
		bind.Fn("bincount", "How often each of 0, 1, 2 … occurs in an array of integers: element i is for i - 1.", func(c *bind.Call, p *struct {
			receiver
			Weights *array.Array `arg:"weights" doc:"what each number counts" default:"nil"`
			Least   int          `arg:"minlength" doc:"least length of the result" default:"0" allow:">=0"`
		},
		) (*array.Array, error) {
			return arrays.BinCount(c, p.Self, p.Weights, p.Least)
		}, bind.Returns("vector"), bind.Errors("numbers that are not integers from 0 on"), bind.Keywords("tally", "frequency"),
			bind.Example("array{0, 2, 2}:bincount()[3]  --> 2")),
	}
}
