package bindings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// fromTable makes an array of a number or of a nested table of numbers.
func fromTable(c *bind.Call, v lua.LValue) (*array.Array, error) {
	if x, ok := v.(lua.LNumber); ok {
		return array.Scalar(float64(x)), nil
	}
	table, ok := v.(*lua.LTable)
	if !ok {
		return nil, bind.ErrKind
	}
	r := tableReader{c: c}
	for v := lua.LValue(table); ; {
		if a := arrayIn(v); a != nil {
			r.shape = append(r.shape, a.Shape...)
			break
		}
		t, ok := v.(*lua.LTable)
		if !ok {
			break
		}
		r.shape = append(r.shape, t.MaxN())
		v = t.RawGetInt(1)
	}
	r.data = make([]float64, 0, table.MaxN())
	if err := r.read(table, nil); err != nil {
		return nil, err
	}
	return array.Of(r.data, r.shape...)
}

// A tableReader collects the numbers of a nested table. The first entry at each
// level sets the length of the axis.
type tableReader struct {
	c     *bind.Call
	shape []int
	data  []float64
}

func (r *tableReader) read(t *lua.LTable, at []int) error {
	depth := len(at)
	if n := t.MaxN(); n != r.shape[depth] {
		return fmt.Errorf("%slength %d: must be %d, as the first one", indexText(at), n, r.shape[depth])
	}
	if key, _ := t.Next(lua.LNumber(t.MaxN())); t.MaxN() > 0 && key != lua.LNil || t.MaxN() == 0 && hasEntries(t) {
		return fmt.Errorf("%swant numbers only, got an entry with the name %q", indexText(at), fmt.Sprint(key))
	}
	for i := range t.MaxN() {
		at := append(at, i+1)
		switch v := t.RawGetInt(i + 1).(type) {
		case lua.LNumber:
			if depth+1 < len(r.shape) {
				return fmt.Errorf("%swant a table of %d, as the first one, got a number", indexText(at), r.shape[depth+1])
			}
			r.data = append(r.data, float64(v))
		case *lua.LTable:
			if depth+1 == len(r.shape) {
				return fmt.Errorf("%swant a number, as the first one, got a table", indexText(at))
			}
			if err := r.read(v, at); err != nil {
				return err
			}
		default:
			a := arrayIn(v)
			if a == nil {
				return fmt.Errorf("%swant a number, got %s%s", indexText(at), bind.Describe(v), numberFrom(v))
			}
			if depth+1 == len(r.shape) {
				return fmt.Errorf("%swant a number, as the first one, got an array", indexText(at))
			}
			if !slices.Equal(a.Shape, r.shape[depth+1:]) {
				return fmt.Errorf("%swant what the first one is, shape %s, got an array of shape %s",
					indexText(at), dense.ShapeString(r.shape[depth+1:]), dense.ShapeString(a.Shape))
			}
			if err := r.append(a.Data); err != nil {
				return err
			}
		}
	}
	return nil
}

// append adds the numbers of an array, with room for all that come.
func (r *tableReader) append(numbers []float64) error {
	all := 1.0
	for _, n := range r.shape {
		all *= float64(n)
	}
	if err := dense.CheckSize("shape "+dense.ShapeString(r.shape)+":", all); err != nil {
		return err
	}
	r.data = slices.Grow(r.data, max(0, int(all)-len(r.data)))
	for len(numbers) > 0 {
		if err := r.c.Err(); err != nil {
			return err
		}
		n := min(looks, len(numbers))
		r.data, numbers = append(r.data, numbers[:n]...), numbers[n:]
	}
	return nil
}

// arrayIn is the array that a value is, or nil.
func arrayIn(v lua.LValue) *array.Array {
	if u, ok := v.(*lua.LUserData); ok {
		if a, ok := u.Value.(*array.Array); ok {
			return a
		}
	}
	return nil
}

func hasEntries(t *lua.LTable) bool {
	key, _ := t.Next(lua.LNil)
	return key != lua.LNil
}

// indexText is "[2][3]: ", the place in a nested table.
func indexText(at []int) string {
	text := ""
	for _, i := range at {
		text += fmt.Sprintf("[%d]", i)
	}
	if text != "" {
		text += ": "
	}
	return text
}

// toTable is the nested table of an array, or of a part after the context has ended.
func toTable(c *bind.Call, a *array.Array) *lua.LTable {
	table := c.L.CreateTable(a.Shape[0], 0)
	for i := range a.Shape[0] {
		if i%1024 == 0 && c.Err() != nil {
			break
		}
		if a.Rank() == 1 {
			table.RawSetInt(i+1, lua.LNumber(a.Data[i]))
		} else {
			table.RawSetInt(i+1, toTable(c, a.Index(i)))
		}
	}
	return table
}

// numberOrArray is the result of what reduces an array, to a number if nothing
// but a number is left.
type numberOrArray = bind.Either[float64, *array.Array]

func dot(c *bind.Call, a, b *array.Array) (numberOrArray, error) {
	out, err := arrays.Dot(c, a, b)
	if err != nil || a.Rank() == 1 && b.Rank() == 1 {
		return number(out, err)
	}
	return bind.Second[float64](out), nil
}

// number is the result of a computation whose array holds one number.
func number(a *array.Array, err error) (numberOrArray, error) {
	if err != nil {
		return numberOrArray{}, err
	}
	return bind.First[float64, *array.Array](a.Data[0]), nil
}

// numberFrom says what to write for a number that stands in quotes, or that is missing.
func numberFrom(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		if _, err := strconv.ParseFloat(strings.TrimSpace(string(v)), 64); err == nil {
			return "; write " + strings.TrimSpace(string(v)) + ", without quotes"
		}
	case *lua.LNilType:
		return "; a missing number is written 0/0"
	}
	return ""
}

func operand(v bind.Either[float64, *array.Array]) *array.Array {
	if v.IsB {
		return v.B
	}
	return array.Scalar(v.A)
}

type receiver struct {
	Self *array.Array `arg:"self"`
}

// copied is the same numbers, not shared.
func copied(c *bind.Call, a *array.Array) (*array.Array, error) { return arrays.Picked(c, a) }

// at returns the part of a that the indices of a script leave; a single element
// has shape {1}. It shares the numbers.
func at[A interface{ Index(int) A }](a A, shape, index []int) (A, error) {
	if len(index) > len(shape) {
		return a, fmt.Errorf("%d indices for an array of shape %s", len(index), dense.ShapeString(shape))
	}
	for k, i := range index {
		zero, err := indexOf(i, shape[k])
		if err != nil {
			return a, err
		}
		a = a.Index(zero)
	}
	return a, nil
}

// axisOf is an axis from 0, or array.All where none is given.
func axisOf(axis *int, rank int) (int, error) {
	if axis == nil {
		return arrays.All, nil
	}
	switch k := *axis; {
	case k >= 1 && k <= rank:
		return k - 1, nil
	case k < 0 && k >= -rank:
		return rank + k, nil
	case k == 0:
		return 0, fmt.Errorf("axis 0: axes count from 1: must be in 1 … %d, or negative, from -1 for the last", rank)
	}
	return 0, fmt.Errorf("axis %d: must be in 1 … %d, or negative, from -1 for the last", *axis, rank)
}
