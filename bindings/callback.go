package bindings

import (
	"fmt"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/array"
)

// point is where a computation starts: numbers, or one number, which the functions of the
// script then get and give as such.
type point struct {
	x      []float64
	number bool
}

// DecodeLua implements bind.Decoder.
func (p *point) DecodeLua(c *bind.Call, v lua.LValue) (err error) {
	_, p.number = v.(lua.LNumber)
	switch v.(type) {
	case lua.LNumber, *lua.LTable, *lua.LUserData:
		p.x, err = bind.Decode[[]float64](c, v)
		return err
	}
	return bind.ErrKind
}

// LuaKind implements bind.Decoder.
func (p *point) LuaKind() string { return "number|number[]" }

// shape is the point as an argument of trace.Lists.
func (p point) shape() int {
	if p.number {
		return trace.Number
	}
	return len(p.x)
}

// give is x as an argument of a function of the script: its own copy.
func (p point) give(x []float64) any {
	if p.number {
		return x[0]
	}
	return array.Vector(slices.Clone(x))
}

// result is x as a result for the script.
func (p point) result(x []float64) numberOrArray {
	if p.number {
		return bind.First[float64, *array.Array](x[0])
	}
	return bind.Second[float64](array.Vector(x))
}

// numberFunction is a function of the script of one number.
func numberFunction(c *bind.Call, f *bind.Function) func(x float64) (float64, error) {
	return func(x float64) (float64, error) { return f.Number(c, x) }
}

// numbersOf reads what a function returned: n numbers, in a list, an array, or alone; any
// count of them if n is negative.
func numbersOf(c *bind.Call, f *bind.Function, results []lua.LValue, n int) ([]float64, error) {
	var v lua.LValue = lua.LNil
	if len(results) > 0 {
		v = results[0]
	}
	var x []float64
	switch v := v.(type) {
	case lua.LNumber:
		x = []float64{float64(v)}
	case *lua.LTable: // fast, and NaN is told from no number
		x = make([]float64, v.Len())
		for i := range x {
			number, ok := v.RawGetInt(i + 1).(lua.LNumber)
			if !ok {
				return nil, fmt.Errorf("%s: number %d of its result is %s: want numbers", f, i+1, bind.Describe(v.RawGetInt(i+1)))
			}
			x[i] = float64(number)
		}
	case *lua.LUserData:
		a, ok := v.Value.(*array.Array)
		if !ok {
			return nil, fmt.Errorf("%s: want numbers, got %s", f, bind.Describe(v))
		}
		x = a.Data
	default:
		return nil, fmt.Errorf("%s: want numbers, got %s (is there a return?)", f, bind.Describe(v))
	}
	if n >= 0 && len(x) != n {
		return nil, fmt.Errorf("%s: returns %d numbers: want %d", f, len(x), n)
	}
	return x, nil
}

// formulas is a traced function of numbers: values and derivatives without the script.
type formulas struct {
	values      []*expr.Program
	derivatives [][]*expr.Program // of each value, by each of the variables asked for
}

// traced is a function as formulas, with the derivatives by the variables in slots from to
// from + n; nil where it cannot be traced, and is to be called.
func traced(c *bind.Call, f *bind.Function, args []int, from, n int) *formulas {
	const most = 128 // variables
	slots := 0
	for _, a := range args {
		slots += max(1, a)
	}
	if slots > most {
		return nil
	}
	nodes, err := trace.Lists(c, f, args)
	if err != nil {
		return nil
	}
	t, size := &formulas{}, 0
	for _, node := range nodes {
		program, err := expr.Compile(node, slots)
		if err != nil {
			return nil
		}
		t.values = append(t.values, program)
		row := make([]*expr.Program, n)
		for j := range row {
			d := expr.Diff(node, from+j)
			if row[j], err = expr.Compile(d, slots); err != nil {
				return nil
			}
			if size += row[j].Len(); size > 1<<16 {
				return nil
			}
		}
		t.derivatives = append(t.derivatives, row)
	}
	return t
}

func (t *formulas) eval(x, values []float64) {
	for i, p := range t.values {
		values[i] = p.Eval(x)
	}
}

// jacobian stores the derivatives row by row.
func (t *formulas) jacobian(x, out []float64) {
	for i, row := range t.derivatives {
		for j, p := range row {
			out[i*len(row)+j] = p.Eval(x)
		}
	}
}
