package bindings_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
)

// evaluator returns a function that runs Lua in a state with the modules array
// and linalg and shows what it returns, or the first line of its error.
func evaluator(t *testing.T, more ...bind.Module) func(code string) string {
	L, _ := newState(t, nil, append([]bind.Module{bindings.Array(), bindings.Linalg()}, more...)...)
	return func(code string) string {
		L.SetTop(0)
		fn, err := L.LoadString(code)
		if err != nil {
			return err.Error()
		}
		L.Push(fn)
		if err := L.PCall(0, lua.MultRet, nil); err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			return first
		}
		var shown []string
		for i := 1; i <= L.GetTop(); i++ {
			shown = append(shown, flat(L, L.Get(i)))
		}
		return strings.Join(shown, "; ")
	}
}

// flat writes an array as shape and numbers, other values as Lua does.
func flat(L *lua.LState, v lua.LValue) string {
	if u, ok := v.(*lua.LUserData); ok {
		if a, ok := u.Value.(*array.Array); ok {
			return fmt.Sprintf("%v%v", a.Shape, a.Data)
		}
	}
	return L.ToStringMeta(v).String()
}

// The values follow from the definitions; the array arithmetic itself is tested
// in numeric/array. Here: that Lua reaches it, from 1, with the right types.
func TestArray(t *testing.T) {
	eval := evaluator(t)
	for _, tt := range []struct{ code, want string }{
		{`array{1,2,3}`, "[3][1 2 3]"},
		{`array{{1,2},{3,4},{5,6}}`, "[3 2][1 2 3 4 5 6]"},
		{`array{{{1},{2}}}`, "[1 2 1][1 2]"},
		{`array{}`, "[0][]"},
		{`array{{},{}}`, "[2 0][]"},
		{`array{1, 0/0}:max()`, "NaN"},
		{`array(7)`, "[1][7]"},
		{`array.zeros(2,1)`, "[2 1][0 0]"},
		{`array.zeros{2,1}`, "[2 1][0 0]"},
		{`array.zeros(array{2,2}.shape)`, "[2][0 0]"},
		{`array.ones(array{{2,2}}.shape)`, "[1 2][1 1]"},
		{`array.zeros(0)`, "[0][]"},
		{`array.eye(2)`, "[2 2][1 0 0 1]"},
		{`array.linspace(0,1,3)`, "[3][0 0.5 1]"},
		{`array.logspace(0,2,3)`, "[3][1 10 100]"},
		{`array.from(3, function(i) return i*i end)`, "[3][1 4 9]"},
		{`array.from(2, 2, 2, function(i,j,k) return 100*i+10*j+k end):at(2,1,2)`, "212"},
		// properties, length, index
		{`array{{1,2},{3,4}}.shape[2]`, "2"},
		{`array{{1,2,3}}.size`, "3"},
		{`array{{1,2,3}}.rank`, "2"},
		{`#array{{1,2},{3,4},{5,6}}`, "3"},
		{`array{5,6}[2]`, "6"},
		{`array{{1,2},{3,4}}[2]`, "[2][3 4]"},
		{`array{{1,2},{3,4}}[2][1]`, "3"},
		{`(function() local a = array{1,2} a[2] = 7 return a end)()`, "[2][1 7]"},
		{`(function() local a = array{{1,2},{3,4}} a[2][1] = 7 return a end)()`, "[2 2][1 2 7 4]"},
		{`(function() local a = array{{1,2},{3,4}} a[1] = 0 return a end)()`, "[2 2][0 0 3 4]"},
		{`(function() local a = array{{1,2},{3,4}} a[1] = {8,9} return a end)()`, "[2 2][8 9 3 4]"},
		{`(function() local a = array{1,2} a[1] = 0/0 return a end)()`, "[2][NaN 2]"},
		{`(function() local a = array{{1,2},{3,4}} a:set(2,2,0/0) return a end)()`, "[2 2][1 2 3 NaN]"},
		{`array{{1,2},{3,4}}:at(2)`, "[2][3 4]"},
		{`array{{1,2},{3,4}}:at(2,2)`, "4"},
		// arithmetic with broadcasting
		{`array{1,2} + array{3,4}`, "[2][4 6]"},
		{`1 - array{1,2}`, "[2][0 -1]"},
		{`array{1,2} * 3`, "[2][3 6]"},
		{`2 / array{1,2}`, "[2][2 1]"},
		{`2 ^ array{1,2,3}`, "[3][2 4 8]"},
		{`-array{1,2}`, "[2][-1 -2]"},
		{`array{{1,2},{3,4}} + {10,20}`, "[2 2][11 22 13 24]"},
		{`array{{1},{2}} * array{{3,4}}`, "[2 2][3 4 6 8]"},
		{`array{1} * (0/0)`, "[1][NaN]"},
		// products and reductions
		{`array{1,2}:dot{3,4}`, "11"},
		{`array.dot({{1,2},{3,4}}, {1,1})`, "[2][3 7]"},
		{`array{{1,2},{3,4}}:dot{{1,0},{0,1}}`, "[2 2][1 2 3 4]"},
		{`array{{1,2}}:dot{{1},{1}}`, "[1 1][3]"},
		{`array{{1,2},{3,4}}:sum()`, "10"},
		{`array{{1,2},{3,4}}:sum(1)`, "[2][4 6]"},
		{`array{{1,2},{3,4}}:sum(2)`, "[2][3 7]"},
		{`array{1,2,3}:sum(1)`, "6"},
		{`array{{1,2},{3,4}}:mean(1)`, "[2][2 3]"},
		{`array{{1,5},{3,4}}:max(2)`, "[2][5 4]"},
		{`array{{1,5},{3,4}}:min()`, "1"},
		{`array{3,4}:norm()`, "5"},
		{`array{1,3}:std()`, "1"},
		{`array{}:sum()`, "0"},
		// shapes
		{`array{1,2,3,4}:reshape(2,2)`, "[2 2][1 2 3 4]"},
		{`array{1,2,3,4}:reshape{-1,1}`, "[4 1][1 2 3 4]"},
		{`array{{1,2},{3,4}}:reshape()`, "[4][1 2 3 4]"},
		{`array{{1,2},{3,4}}:transpose()`, "[2 2][1 3 2 4]"},
		{`array{{1,2,3}}:transpose(2,1)`, "[3 1][1 2 3]"},
		{`array{{1,2},{3,4}}:copy()`, "[2 2][1 2 3 4]"},
		{`array{{1,2},{3,4}}:table()[2][2]`, "4"},
		// slices
		{`array{1,2,3,4,5}:slice{{2,4}}`, "[3][2 3 4]"},
		{`array{1,2,3,4,5}:slice{{1,5,2}}`, "[3][1 3 5]"},
		{`array{1,2,3,4,5}:slice{{-2,-1}}`, "[2][4 5]"},
		{`array{1,2,3}:slice{{1,0}}`, "[0][]"},
		{`array{1,2,3}:slice{{4,3}}`, "[0][]"},
		{`array{1,2,3}:slice{2}`, "2"},
		{`array{{1,2,3},{4,5,6}}:slice{{1,2},{2,3}}`, "[2 2][2 3 5 6]"},
		{`array{{1,2,3},{4,5,6}}:slice{{},{1,2}}`, "[2 2][1 2 4 5]"},
		{`array{{1,2,3},{4,5,6}}:slice{{},-1}`, "[2][3 6]"},
		{`array{{1,2,3},{4,5,6}}:slice{2}`, "[3][4 5 6]"},
		{`array{{1,2,3},{4,5,6}}:slice{2,3}`, "6"},
		// the constructor and copy do not share, reshape and rows do
		{`(function() local a = array{1,2} local b = array(a) b[1] = 9 return a end)()`, "[2][1 2]"},
		{`(function() local a = array{1,2} a:reshape(2,1)[2][1] = 9 return a end)()`, "[2][1 9]"},
		{`type(array{1})`, "userdata"},
		{`tostring(array{1})`, "array 1, min 1, max 1, norm 1\n  1"},
	} {
		if got := eval("return " + tt.code); got != tt.want {
			t.Errorf("%s = %s, want %s", tt.code, got, tt.want)
		}
	}
}

func TestArrayErrors(t *testing.T) {
	eval := evaluator(t)
	for _, tt := range []struct{ code, want string }{
		{`array{{1,2},{3}}`, "array: table: [2]: length 1: must be 2, as the first one"},
		{`array{{1,2},3}`, "array: table: [2]: want a table of 2, as the first one, got a number"},
		{`array{1,{2}}`, "array: table: [2]: want a number, as the first one, got a table"},
		{`array{1,"a"}`, `array: table: [2]: want a number, got a string ("a")`},
		{`array{1,nil,3}`, "array: table: [2]: want a number, got nil"},
		{`array{1,x=2}`, `array: table: want numbers only, got an entry with the name "x"`},
		{`array{x=2}`, "array: unknown argument 'x'"},
		{`array("a")`, `array: table: want an array, got a string ("a")`},
		{`array()`, "array: table: missing; want an array"},
		{`array.zeros(-1)`, "array.zeros: n[1] -1: must be >= 0"},
		{`array.zeros(1e9, 1e9)`, "array.zeros: shape 1000000000×1000000000: needs"},
		{`array.eye(0)`, "array.eye: n 0: must be >= 1"},
		{`array.linspace(0, 1/0, 3)`, "array.linspace: b inf: must be finite"},
		{`array.from(3)`, "array.from: want one or more lengths and then a function"},
		{`array.from(function() end)`, "array.from: want one or more lengths and then a function"},
		{`array.from(2, function() end)`, "array.from: the function of line 1: want a number, got nothing"},
		{`array.from(2, function() return "a" end)`, `want a number, got a string ("a")`},
		{`array.from(2, function(i) return i + nil end)`, "<string>:1: cannot perform add operation"},
		{`array.load("no/such.npy")`, "array.load: "},
		{`array{1,2,3}[0]`, "array[0]: index 0: indices count from 1: must be in 1 … 3, or negative, from -1 for the last"},
		{`array{1,2,3}[4]`, "array[4]: index 4: must be in 1 … 3"},
		{`array{1,2,3}[1.5]`, "array[1.5]: index 1.5: must be an integer"},
		{`array{1,2,3}.lenght`, "an array has no 'lenght'"},
		{`array{1,2,3}.sahpe`, "an array has no 'sahpe'; did you mean 'shape'?"},
		{`(function() array{1,2}[3] = 1 end)()`, "array[3] = …: index 3: must be in 1 … 2"},
		{`(function() array{{1,2}}[1] = {1,2,3} end)()`, "array[1] = …: value of shape 3: does not fit into shape 2"},
		{`(function() array{1,2}[1] = {{1}} end)()`, "array[1] = …: value of shape 1×1: does not fit into shape 1"},
		{`(function() array{1}.shape = 1 end)()`, "'shape' of an array is read-only"},
		{`array{1,2} + array{1,2,3}`, "array + array: "},
		{`array{1,2} + "a"`, `array + string: right side: want a number or an array, got a string ("a")`},
		{`array{1,2}:at(3)`, "array:at: index 3: must be in 1 … 2"},
		{`array{1,2}:at(1,1)`, "array:at: 2 indices for an array of shape 2"},
		{`array{1,2}:at()`, "array:at: i: missing; want integers"},
		{`array{1,2}:set(1)`, "array:set: want 1 indices and a value for an array of shape 2, got 1 numbers"},
		{`array{1,2}:set(1.5, 1)`, "array:set: index 1.5: must be an integer"},
		{`array{1,2}:set(3, 1)`, "array:set: index 3: must be in 1 … 2"},
		{`array{1,2}:set(0/0, 1)`, "array:set: index NaN: must be an integer"},
		{`array{1,2}:sum(2)`, "array:sum: axis 2: must be in 1 … 1, or negative, from -1 for the last"},
		{`array{1,2}:sum(0)`, "array:sum: axis 0: axes count from 1: must be in 1 … 1, or negative, from -1 for the last"},
		{`array{}:max()`, "array:max: shape 0: holds no numbers, and there is no max of none: test the size first"},
		{`array{1,2}:dot{1,2,3}`, "array:dot: shapes 2 and 3"},
		{`array{1,2,3}:reshape(2,2)`, "array:reshape: shape 2×2: wants 4 numbers, got 3"},
		{`array{1,2,3}:reshape(-1,-1)`, "array:reshape: shape -1×-1: at most one"},
		{`array{{1,2}}:transpose(1)`, "array:transpose: axes: want each of 1 … 2 once"},
		{`array{{1,2}}:transpose(1,1)`, "array:transpose: axes: want each of 1 … 2 once"},
		{`array{1,2,3}:slice{{0,2}}`, "array:slice: ranges[1]: index 0: indices start at 1"},
		{`array{1,2,3}:slice{{1,4}}`, "array:slice: ranges[1] {1, 4}: must be within 1 … 3"},
		{`array{1,2,3}:slice{4}`, "array:slice: ranges[1] {4, 4}: must be within 1 … 3"},
		{`array{1,2,3}:slice{{-4,1}}`, "array:slice: ranges[1] {-4, 1}: must be within 1 … 3"},
		{`array{1,2,3}:slice{{1,3,0}}`, "array:slice: ranges[1]: step 0: must be >= 1"},
		{`array{1,2,3}:slice{{1}}`, "array:slice: ranges[1]: want {}, {from, to}, {from, to, step} or a number"},
		{`array{1,2,3}:slice{"a"}`, `array:slice: ranges[1]: want an integer, a list of integers, an array or a mask, got a string ("a")`},
		{`array{1,2,3}:slice{{},{}}`, "array:slice: 2 ranges for an array of shape 3"},
		{`array{1,2,3}:slice{}`, "array:slice: ranges: must not be empty"},
		{`array{1,2}:save("x.unknown")`, "array:save: "},
		{`array{1,2}.sum()`, "array:sum: want an array before the colon, got nothing; call it as x:sum(…)"},
	} {
		got := strings.TrimPrefix(eval("return "+tt.code), "<string>:1: ")
		if want := strings.TrimPrefix(tt.want, "<string>:1: "); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", tt.code, got, tt.want)
		}
	}
}

// What is saved from Lua comes back the same, by any format and name.
func TestSaveAndLoad(t *testing.T) {
	eval := evaluator(t)
	dir := filepath.ToSlash(t.TempDir())
	for _, ext := range []string{"npy", "npz", "csv"} {
		code := fmt.Sprintf(`local a = array{{1, 2.5}, {-3e-7, 0/0}} a:save(%q) return array.load(%q)`, dir+"/a."+ext, dir+"/a."+ext)
		if got := eval(code); got != "[2 2][1 2.5 -3e-07 NaN]" {
			t.Errorf("%s: %s", ext, got)
		}
	}
	if err := arrays.SaveAll(dir+"/two.npz", map[string]*array.Array{"f": array.Vector([]float64{1}), "u": array.Vector([]float64{2})}); err != nil {
		t.Fatal(err)
	}
	if got := eval(fmt.Sprintf(`return array.load(%q, "u")`, dir+"/two.npz")); got != "[1][2]" {
		t.Errorf("by name: %s", got)
	}
	if got := eval(fmt.Sprintf(`return array.load(%q)`, dir+"/two.npz")); !strings.Contains(got, "f") || !strings.Contains(got, "u") {
		t.Errorf("without a name the error does not list the names: %s", got)
	}
}

// Every function of Lua's math that takes numbers has an overload, which agrees
// with it on numbers.
func TestMathOverloads(t *testing.T) {
	L := lua.NewState()
	defer L.Close()
	overloads := bindings.MathOverloads()
	scalarOnly := map[string]bool{"frexp": true, "ldexp": true, "modf": true, "random": true, "randomseed": true, "mod": true}
	L.GetGlobal("math").(*lua.LTable).ForEach(func(name, fn lua.LValue) {
		if fn.Type() != lua.LTFunction || scalarOnly[name.String()] {
			return
		}
		overload, ok := overloads[name.String()]
		if !ok {
			t.Errorf("math.%s has no overload", name)
			return
		}
		for _, n := range []int{1, 2} {
			args := []*array.Array{array.Vector([]float64{0.3, 0.7}), array.Scalar(0.4)}[:n]
			got, err := overload(t.Context(), args...)
			if err != nil {
				if text := err.Error(); !strings.HasPrefix(text, "takes ") { // what calls it names the function
					t.Errorf("math.%s: %v", name, err)
				}
				continue
			}
			for i, x := range args[0].Data {
				L.Push(fn)
				L.Push(lua.LNumber(x))
				if n == 2 {
					L.Push(lua.LNumber(0.4))
				}
				L.Call(n, 1)
				want := float64(L.Get(-1).(lua.LNumber))
				L.Pop(1)
				if math.Abs(got.Data[i]-want) > 1e-15*math.Abs(want) {
					t.Errorf("math.%s of %g: %g, want %g", name, x, got.Data[i], want)
				}
			}
		}
	})
	if _, err := overloads["max"](t.Context()); err == nil {
		t.Error("max of nothing is no error")
	}
	if _, err := overloads["max"](t.Context(), array.New(2), array.New(3)); err == nil {
		t.Error("max of shapes that do not fit is no error")
	}
}

// An array stands for a list of numbers, and numbers for an array, in any
// function of any module.
func TestArrayConversions(t *testing.T) {
	L, _ := newState(t, nil, bindings.Array())
	c := bind.At(L)
	list, err := bind.Decode[[]float64](c, c.Lua(array.Vector([]float64{1, 2})))
	if err != nil || len(list) != 2 || list[1] != 2 {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := bind.Decode[[]float64](c, c.Lua(array.New(2, 2))); err == nil || !strings.Contains(err.Error(), "want one axis, got an array of shape 2×2") {
		t.Errorf("%v", err)
	}
	a, err := bind.Decode[*array.Array](c, lua.LNumber(3))
	if err != nil || a.Size() != 1 || a.Data[0] != 3 {
		t.Errorf("%v, %v", a, err)
	}
}
