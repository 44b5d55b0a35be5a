package bind_test

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/bindings/bind"
	lua "github.com/yuin/gopher-lua"
)

// valueReader makes Lua values of bytes: scalars, the toys' values and functions,
// and nested tables with names that the toys know and some they do not.
type valueReader struct {
	L    *lua.LState
	data []byte
	toys []lua.LValue
}

func (r *valueReader) next() byte {
	if len(r.data) == 0 {
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *valueReader) value(depth int) lua.LValue {
	names := []string{
		"lengthscale", "nu", "data", "kernel", "bias", "lambda", "criterion", "tolerance", "rows", "steps", "extra",
		"input", "scale", "x", "y", "label", "file", "log", "seed", "byte", "nan", "fin", "range", "ends", "nested", "a", "auto", "gcv", "",
	}
	numbers := []float64{0, 1, -1, 2.5, 1e300, -1e300, math.Inf(1), math.NaN(), 1 << 53, 255, 256, 3}
	switch b := r.next(); b % 9 {
	case 0:
		return lua.LNil
	case 1:
		return lua.LBool(b > 100)
	case 2, 3:
		return lua.LNumber(numbers[int(b/9)%len(numbers)])
	case 4:
		return lua.LString(names[int(r.next())%len(names)])
	case 5:
		return r.toys[int(b/9)%len(r.toys)]
	}
	table := r.L.NewTable()
	if depth == 0 {
		return table
	}
	for n := r.next() % 6; n > 0; n-- {
		key := r.next()
		switch v := r.value(depth - 1); key % 4 {
		case 0:
			table.RawSetInt(1+int(key/4)%7, v)
		case 1:
			table.RawSet(lua.LNumber(key)/2-9, v)
		default:
			table.RawSetString(names[int(key/4)%len(names)], v)
		}
	}
	return table
}

// Whatever the arguments are, a call returns, or fails with an error that is
// about the arguments: never with an internal one, never with a Go panic.
func FuzzArguments(f *testing.F) {
	for i := range byte(12) {
		f.Add(i, []byte{i, 6, 3, 40, 2, 80, 12, 5, 14, 30, 6, 2, 4, 2, 8, 11, 50, 4, 1, 6, 1, 90, 5})
		f.Add(i, []byte{15, 2, 4, 29, 9, 4, 20, 2, 1, 7, 3, 42, 6, 2, 54, 3, 200, 12, 5, 23, 3})
	}
	L, _ := newState(f, io.Discard)
	functions := []string{"fit", "seed", "lines", "heatmap", "uniform", "zeros", "symmetric", "matern", "se", "apply", "two"}
	toy := L.GetGlobal("toy").(*lua.LTable)
	toys, err := L.LoadString(`return vec{1, 2}, toy.se{}, toy.gadget(), toy.se, toy, function(x) return x end, vec{1}.sum`)
	if err != nil {
		f.Fatal(err)
	}
	L.Push(toys)
	L.Call(0, lua.MultRet)
	var values []lua.LValue
	for i := 1; i <= L.GetTop(); i++ {
		values = append(values, L.Get(i))
	}
	L.SetTop(0)
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		r := &valueReader{L, data, values}
		name := functions[int(which)%len(functions)]
		L.Push(toy.RawGetString(name))
		n := int(r.next() % 6)
		for range n {
			L.Push(r.value(3))
		}
		err := L.PCall(n, lua.MultRet, nil)
		L.SetTop(0)
		if err == nil {
			return
		}
		var api *lua.ApiError
		var be *bind.Error
		if !errors.As(err, &api) || !errors.As(api.Cause, &be) {
			t.Fatalf("%s: %v", name, err)
		}
		if be.Stack != nil && !strings.Contains(err.Error(), "divide by zero") { // toy.two(1, 0) is its own fault
			t.Fatalf("%s: %v\n%s", name, err, be.Stack)
		}
		if be.Err.Error() == "" {
			t.Fatalf("%s: an error without a text", name)
		}
	})
}

// A list decodes to exactly its numbers, or not at all.
func FuzzList(f *testing.F) {
	f.Add([]byte{2, 11, 20})
	f.Add([]byte{2, 65, 20})
	f.Add([]byte{6, 2, 4, 2, 8, 3})
	L, _ := newState(f, io.Discard)
	c := bind.At(L)
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &valueReader{L, data, []lua.LValue{lua.LNil}}
		table := L.NewTable()
		for i := 1; len(r.data) > 0; i++ {
			table.RawSetInt(i, r.value(1))
		}
		got, err := bind.Decode[[]float64](c, table)
		for i := 1; i <= table.MaxN(); i++ {
			x, ok := table.RawGetInt(i).(lua.LNumber)
			if ok = ok && !math.IsNaN(float64(x)); err == nil && (!ok || got[i-1] != float64(x)) {
				t.Fatalf("element %d is %v, decoded as %v", i, table.RawGetInt(i), got)
			} else if !ok && err != nil {
				return
			}
		}
		if err != nil {
			t.Fatalf("a list of numbers is refused: %v", err)
		}
		if len(got) != table.MaxN() {
			t.Fatalf("%d numbers of %d", len(got), table.MaxN())
		}
	})
}
