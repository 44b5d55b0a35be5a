package testrun

import (
	"fmt"
	"math"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/chunk"
	repl "github.com/greenbench/workbench/workbench/repl/show"
)

// differ compares Lua values.
type differ struct {
	c      *bind.Call
	tol    Tolerance
	near   bool // a number may be expected for all elements of an array
	inNorm bool
	found  []string
	depth  int
}

// text returns the failure, or "".
func (d *differ) text(got, want lua.LValue) string {
	d.values("", orNil(got), orNil(want))
	const most = 5
	text := strings.Join(d.found[:min(most, len(d.found))], "\n")
	if len(d.found) > most {
		text += fmt.Sprintf("\nand %d more differences", len(d.found)-most)
	}
	return text
}

// summary returns the differences on one line.
func (d *differ) summary(got, want lua.LValue) string {
	d.values("", got, want)
	for i, text := range d.found {
		d.found[i] = headline(text)
	}
	return strings.Join(d.found, "; ")
}

// add notes a difference at a path within the values.
func (d *differ) add(path, text string) {
	if text == "" {
		return
	}
	if path != "" {
		text = "at " + path + ":\n" + indent(text, "  ")
	}
	d.found = append(d.found, text)
}

func (d *differ) values(path string, got, want lua.LValue) {
	g, ok := got.(lua.LNumber)
	w, both := want.(lua.LNumber)
	if ok && both {
		d.add(path, diffNumbers(float64(g), float64(w), d.tol))
		return
	}
	if d.arrays(path, got, want) {
		return
	}
	gt, ok := got.(*lua.LTable)
	wt, both := want.(*lua.LTable)
	if ok && both {
		d.tables(path, gt, wt)
		return
	}
	if !d.c.L.Equal(got, want) {
		d.add(path, fmt.Sprintf("got       %s\nexpected  %s", show(d.c.L, got), show(d.c.L, want)))
	}
}

// arrays compares the values if they are arrays, or tables of numbers that
// could be, and reports whether they are.
func (d *differ) arrays(path string, got, want lua.LValue) bool {
	g, w := toArray(d.c, got), toArray(d.c, want)
	if n, ok := want.(lua.LNumber); ok && d.near && g != nil {
		w = array.New(g.Shape...)
		for i := range w.Data {
			w.Data[i] = float64(n)
		}
	}
	if g == nil || w == nil {
		return false
	}
	if d.inNorm {
		d.add(path, diffNorms(g, w, d.tol))
	} else {
		d.add(path, diffArrays(g, w, d.tol))
	}
	return true
}

func (d *differ) tables(path string, got, want *lua.LTable) {
	if got == want {
		return
	}
	const deepest = 100 // a table may hold itself
	if d.depth++; d.depth > deepest {
		d.add(path, "tables nested more than 100 deep, or within themselves")
		return
	}
	defer func() { d.depth-- }()
	for _, key := range chunk.Keys(got, want) {
		g, w := got.RawGet(key), want.RawGet(key)
		at := chunk.Path(path, key)
		switch {
		case w == lua.LNil:
			d.add(at, "got "+show(d.c.L, g)+", expected nothing")
		case g == lua.LNil:
			d.add(at, "got nothing, expected "+show(d.c.L, w))
		default:
			d.values(at, g, w)
		}
	}
}

// toArray returns the array that a value is or could be, or nil.
func toArray(c *bind.Call, v lua.LValue) *array.Array {
	switch v := v.(type) {
	case *lua.LUserData:
		switch v := v.Value.(type) {
		case *array.Array:
			return v
		case *arrays.Complex: // real and imaginary parts beside each other
			re, err := v.Real(c)
			if err != nil {
				return nil
			}
			im, err := v.Imag(c)
			if err != nil {
				return nil
			}
			if a, err := arrays.Join(c, []*array.Array{re, im}, v.Rank(), true); err == nil {
				return a
			}
		case *arrays.Mask:
			if a, err := v.Array(c); err == nil {
				return a
			}
		}
		return nil
	case *lua.LTable:
		return tableArray(v, 1)
	}
	return nil
}

// tableArray returns the array of a list of numbers, or of lists of equal
// shape, or nil.
func tableArray(t *lua.LTable, depth int) *array.Array {
	n := t.Len()
	if n == 0 || depth > 8 || !isList(t) {
		return nil
	}
	a := &array.Array{Shape: []int{n}}
	for i := 1; i <= n; i++ {
		switch v := t.RawGetInt(i).(type) {
		case lua.LNumber:
			if len(a.Shape) > 1 {
				return nil
			}
			a.Data = append(a.Data, float64(v))
		case *lua.LTable:
			row := tableArray(v, depth+1)
			if row == nil || i > 1 && !slices.Equal(a.Shape[1:], row.Shape) {
				return nil
			}
			a.Shape = append([]int{n}, row.Shape...)
			a.Data = append(a.Data, row.Data...)
		default:
			return nil
		}
	}
	return a
}

// isList reports whether a table has entries 1 to n and no others.
func isList(t *lua.LTable) bool {
	n, count := t.Len(), 0
	t.ForEach(func(lua.LValue, lua.LValue) { count++ })
	return n > 0 && count == n
}

func orNil(v lua.LValue) lua.LValue {
	if v == nil {
		return lua.LNil
	}
	return v
}

// show writes a value on one line of a failure.
func show(l *lua.LState, v lua.LValue) string {
	if s, ok := v.(lua.LString); ok {
		return syntax.Quote(string(s))
	}
	p := repl.Printer{
		Width: math.MaxInt32, Depth: 2, Items: 6, Number: digits17,
		Describe: func(v lua.LValue) string { return repl.Describe(l, v) },
		Function: func(*lua.LFunction) (string, bool) { return "", false },
	}
	return indentRest(strings.TrimRight(p.Value(orNil(v)), "\n"))
}
