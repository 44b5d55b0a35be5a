package lint

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

type (
	thing   struct{}
	numbers struct{}
	complex struct{}
)

// arrays is a module that can be called, with two types that have eq, of which one has ne.
func arrays() bind.Module {
	type many struct {
		Of []float64 `arg:"of" pos:"..."`
	}
	type other struct {
		Self *numbers `arg:"self"`
		X    float64  `arg:"x" pos:"1"`
	}
	type self struct {
		Self *numbers `arg:"self"`
	}
	compare := func(*bind.Call, *other) (bool, error) { return true, nil }
	call := bind.Fn("array", "Array.", func(*bind.Call, *many) (*numbers, error) { return &numbers{}, nil })
	return bind.Module{
		Name: "array", Doc: "Arrays.", Call: &call,
		Funcs: []bind.Func{bind.Fn("complex", "Complex.", func(*bind.Call, *many) (*complex, error) { return &complex{}, nil })},
		Types: []bind.Type{
			bind.TypeOf[*numbers]("array", "An array.", bind.Methods(bind.Fn("eq", "Equal.", compare), bind.Fn("ne", "Other.", compare),
				bind.Fn("sum", "Sum.", func(*bind.Call, *self) (float64, error) { return 1, nil }),
				bind.Fn("twice", "Twice.", func(*bind.Call, *self) (*numbers, error) { return &numbers{}, nil }))),
			bind.TypeOf[*complex]("complex", "Complex numbers.", bind.Properties(
				bind.Prop("re", "real parts", func(*complex) *numbers { return &numbers{} })),
				bind.Methods(bind.Fn("eq", "Equal.", func(*bind.Call, *struct {
					Self *complex `arg:"self"`
					X    float64  `arg:"x" pos:"1"`
				},
				) (bool, error) {
					return true, nil
				}))),
		},
	}
}

// world knows a module with named and positional arguments, that of arrays, and a file
// library.lua that defines a global.
func world(t testing.TB) *World {
	t.Helper()
	type self struct {
		Self *thing `arg:"self"`
	}
	reg := bind.New(bind.Module{
		Name: "kernel", Doc: "Kernels.",
		Funcs: []bind.Func{
			bind.Fn("matern", "Matérn.", func(*bind.Call, *struct {
				Nu        float64            `arg:"nu" default:"1.5"`
				Length    bind.Auto[float64] `arg:"lengthscale" default:"auto"`
				Criterion string             `arg:"criterion" default:"reml" allow:"reml|gcv"`
			},
			) (*thing, error) {
				return &thing{}, nil
			}),
			bind.Fn("scaled", "Scaled.", func(*bind.Call, *struct {
				Base *thing `arg:"base"`
			},
			) (*thing, error) {
				return &thing{}, nil
			}),
		},
		Types: []bind.Type{bind.TypeOf[*thing]("thing", "A thing.", bind.Methods(
			bind.Fn("predict", "Predict.", func(*bind.Call, *self) (float64, error) { return 1, nil }),
			bind.Fn("error", "Errors.", func(*bind.Call, *struct {
				Self *thing `arg:"self"`
				Data *thing `arg:"data"`
			},
			) (float64, error) {
				return 1, nil
			})))},
	}, arrays())
	L := lua.NewState()
	t.Cleanup(L.Close)
	reg.Open(L, bind.Env{})
	return NewWorld(L, reg, func(path string) ([]byte, error) {
		if path == "library.lua" {
			return []byte("function helper() end shared = 1"), nil
		}
		return nil, fs.ErrNotExist
	})
}

func TestCheck(t *testing.T) {
	w := world(t)
	for _, c := range []struct{ src, want string }{
		// Names.
		{"print(kernal)", "1:7~ 'kernal' is not defined; did you mean 'kernel'?"},
		{"x = 1 print(x)", ""},
		{"print(later) function later() end", ""},
		{"local y = 2\nprint(yy)\nprint(yy)", "2:7? 'yy' is not defined"},
		{"local value = 2\nprint(valeu)", "2:7~ 'valeu' is not defined; did you mean 'value'?"},
		{"for i, v in ipairs{} do print(i, v) end\nprint(i)", "2:7? 'i' is not defined"},
		{"repeat local done = true until done", ""},
		{"function f(a, ...) return a, arg, ... end", ""},
		{"function t.m:go() return self end", "1:10! 't' is not defined"},
		{"local function f() return f end return f", ""},
		{"local g = g", "1:11? 'g' is not defined"},
		{"if debugging then print(debugging) end", ""},
		{"local d = option or 3 print(option)", ""},
		{"if type(q) == 'nil' then q() end", ""},
		{"if q ~= nil then q() end", ""},
		{"pcall(function() nosuch() end)", "1:18? 'nosuch' is not defined"},
		{"_G.made = 1 print(made)", ""},
		{"rawset(_G, 'made', 1) print(made)", ""},
		{"setfenv(1, {}) print(nosuch)", "1:22? 'nosuch' is not defined"},
		{"require 'library' print(shared) helper() print(nosuch)", "1:48? 'nosuch' is not defined"},
		{"require 'unknown' print(nosuch)", "1:25? 'nosuch' is not defined"},
		{"dofile('library.lua') helper()", ""},
		{"print(arg[1], _G.x, _VERSION)", ""},
		{"#!/usr/bin/env workbench\nprint(nosuch)", "2:7? 'nosuch' is not defined"},
		// Where nil will do, a name without a value is only noted; where it will not, the line would fail.
		{"local bit = bit32 or bitlib", "1:22? 'bitlib' is not defined"},
		{"print(x) local j = jit return x", "1:7? 'x' is not defined\n1:20? 'jit' is not defined"},
		{"t = {nosuch, n = nosuch} other = nosuch == t", "1:6? 'nosuch' is not defined"},
		{"print(nosuch) nosuch()", "1:15! 'nosuch' is not defined"},
		{"print(nosuch.field)", "1:7! 'nosuch' is not defined"},
		{"nosuch:go()", "1:1? nothing has a method 'go'\n1:1! 'nosuch' is not defined"},
		{"nosuch.field = 1", "1:1! 'nosuch' is not defined"},
		{"print(nosuch + 1)", "1:7! 'nosuch' is not defined"},
		{"print('a' .. nosuch)", "1:14! 'nosuch' is not defined"},
		{"print(#nosuch, -nosuch)", "1:8! 'nosuch' is not defined"},
		{"print(nosuch < 1)", "1:7! 'nosuch' is not defined"},
		{"for i = 1, nosuch do end", "1:12! 'nosuch' is not defined"},
		{"for k in nosuch do end", "1:10! 'nosuch' is not defined"},
		{"for k in pairs(nosuch) do end", "1:16? 'nosuch' is not defined"},
		{"local a = kernel.matern{} if 1 and not a:gt(1) then end", "1:40~ a mask is always true in a condition: write :any() or :all() behind 'gt'\n1:40? nothing has a method 'gt'"},
		{"local a = kernel.matern{} while a:gt(1):any() do end", "1:33? nothing has a method 'any'\n1:33? nothing has a method 'gt'"},
		// Modules whose name is taken.
		{"kernel = kernel.scaled{base = 1}", "1:1~ 'kernel' is now your variable, not the module; kernel = require \"kernel\" brings the module back; use another name"},
		{"function kernel() end", "1:10~ 'kernel' is now your variable"},
		{"kept = kernel kernel = 1 kernel = kept", "1:15~ 'kernel' is now your variable"},
		{"function reload() end kernel = require 'kernel' kernel = reload('kernel') kernel = kernel or {}", ""},
		{"local kernel = kernel.matern{} print(kernel)", ""},
		{"local kernel = kernel.matern{} kernel.scaled{base = kernel}", "1:39? 'kernel' is a local variable here, not the module, which has 'scaled'"},
		// Modules.
		{"k = kernel.matren{}", "1:12! module 'kernel' has no 'matren'; did you mean 'matern'?"},
		{"local k = require 'kernel' k.matren{}", "1:30! module 'kernel' has no 'matren'; did you mean 'matern'?"},
		{"local kernel = kernel kernel.matren{}", "1:30! module 'kernel' has no 'matren'; did you mean 'matern'?"},
		{"local k = kernel k = {} k.matren{}", ""},
		{"kernel = {} kernel.matren{}", "1:1~ 'kernel' is now your variable"},
		{"function kernel.mine() end kernel.mine()", ""},
		{"local a = b local b = a print(a.x)", "1:11? 'b' is not defined"},
		// Arguments.
		{"kernel.matern{nu = 1, lenghtscale = 2}", "1:23! kernel.matern: unknown argument 'lenghtscale'; did you mean 'lengthscale'?"},
		{"kernel.matern({nuu = 1})", "1:16! kernel.matern: unknown argument 'nuu'; did you mean 'nu'?"},
		{"kernel.matern{criterion = 'rmel'}", `1:27! kernel.matern: criterion "rmel": want "reml" or "gcv"; did you mean 'reml'?`},
		{"kernel.matern{lengthscale = 'atuo'}", `1:29! kernel.matern: lengthscale "atuo": want number or "auto"; did you mean 'auto'?`},
		{"kernel.scaled{}", "1:1! kernel.scaled: base is missing"},
		{"pcall(function() kernel.scaled{} end)", "1:18? kernel.scaled: base is missing"},
		{"kernel.matern{[name or 'nu'] = 1}", ""},
		{"kernel.matern(options or {})", ""},
		// Methods: what the receiver is, is not known.
		{"local e = kernel.matern{} e:predct()", "1:27? nothing has a method 'predct'; did you mean 'predict'?"},
		{"local e = kernel.matern{} e:error{dta = e}", "1:35? thing:error: unknown argument 'dta'; did you mean 'data'?"},
		{"local o = {run = print} o:run()", ""},
		{"local function add(r) r:section('x') end", ""},
		{"local function add(e) e:predct() end", "1:23? nothing has a method 'predct'; did you mean 'predict'?"},
		{"local e = kernel.matern{} e:section()", "1:27? nothing has a method 'section'"},
		{"C = {} function C:go() end C:go()", ""},
		{"local f = io.open('x') f:close() s = ('x'):rep(3)", ""},
		// No findings in what does not parse.
		{"x = = 1", ""},
		{strings.Repeat("(", 5000), ""},
	} {
		var got []string
		for _, f := range w.Check("script.lua", c.src) {
			mark := "?"
			switch {
			case f.Definite:
				mark = "!"
			case f.Telling:
				mark = "~"
			}
			got = append(got, fmt.Sprintf("%d:%d%s %s", f.Line, f.Column, mark, f.Message))
		}
		if !strings.HasPrefix(strings.Join(got, "\n"), c.want) || c.want == "" && len(got) > 0 {
			t.Errorf("%s\n got  %q\n want %q", c.src, got, c.want)
		}
	}
}

// A value of two types is never equal in Lua: what is known to be an array, of either kind, and no more, is noted where
// it is compared with a number.
func TestEquality(t *testing.T) {
	w := world(t)
	const is, never, of = "an array never equals a number, so == is always false: write ", "an array never equals a number, so ~= is always true: write ", ", a mask"
	for _, c := range []struct{ src, want string }{
		{"local a = array(1) x = a == 1", is + "a:eq(1)" + of},
		{"a = array(1) if -1 ~= a then end", never + "a:ne(-1)" + of},
		{"local new, n = array, 2 local a = new(1) x = a:twice() == n", is + "a:twice():eq(n)" + of},
		{"local a = array(1) x = (2 * a) == 1, a - 1 == 2 * 3", is + "(2 * a):eq(1)" + of + "\n" + is + "(a - 1):eq(2 * 3)" + of},
		{"x = array.complex(1) ~= 1", "a complex never equals a number, so ~= is always true: write array.complex(1):eq(1):logical_not()" + of},
		{"local z = array.complex(1) x = z.re == 1, z + array(1) == 1", is + "z.re:eq(1)" + of + "\n" + "a complex never"},
		{"local a = array(1)\nx = a:twice():twice():twice():twice():twice():twice()\n == 1", is + "a:eq(1)" + of},
		// What may be a number, or is meant.
		{"local a = array(1) x = a:sum() == 1, a[1] == 1, #a == 1, a == nil, a == a, a == 'x'", ""},
		{"local function f(a) return a == 1 end a = array(1)", ""},
		{"local a = array(1) a = 1 x = a == 1", ""},
		{"a = array(1) a = 1 x = a == 1", ""},
		{"a = array(1) _G.a = 1 x = a == 1", ""},
		{"a = n or array(1) x = a == 1", ""},
		{"local a = array(1) local a = 5 x = a == 1", ""},
		{"local a = 5 local b = a local a = array(1) x = b == 1", ""},
		{"a, b = array(1) x = b == 1", ""},
		{"function array.complex() return 1 end x = array.complex() == 1", ""},
		{"local array = f x = array(1) == 1", ""},
		{"local k = kernel.matern{} x = k == 1", ""},
	} {
		var got []string
		for _, f := range w.Check("script.lua", c.src) {
			if f.Silent {
				got = append(got, f.Message)
			}
			if f.Silent && (f.Definite || !f.Telling) {
				t.Errorf("%s: %+v", c.src, f)
			}
		}
		want := strings.Split(c.want, "\n")
		if c.want == "" {
			want = nil
		}
		if !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%s\n got  %q\n want %q", c.src, got, want)
		}
	}
}

// At the prompt the variables of the session are known, and what the input itself gives them comes first.
func TestSilent(t *testing.T) {
	w := world(t)
	live := func(name string) string { return map[string]string{"a": "array", "n": "number"}[name] }
	for input, want := range map[string]int{
		"a == 1": 1, "a, a ~= n": 1, "if n == 1 then a = 1 end": 0, "a = 2 return a == 1": 0, "b == 1": 0, "a ==": 0,
		"return function(a) return a == 1 end": 0, "local n = a:twice() return n == 1": 1, "undefined.x = 1": 0,
	} {
		if got := w.Silent(input, live); len(got) != want {
			t.Errorf("%s: %q, want %d", input, got, want)
		}
	}
}

func TestString(t *testing.T) {
	f := Finding{File: "a.lua", Line: 3, Column: 7, Message: "text"}
	if f.String() != "a.lua:3:7: text" {
		t.Error(f)
	}
	f.Column = 0
	if f.String() != "a.lua:3: text" {
		t.Error(f)
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"print(x)", "local a = b local b = a", "kernel.matern{nu=1,[x]=2}", "function a.b:c(...) return ... end", "goto x ::x::", "for i=1,2 do end"} {
		f.Add(s)
	}
	w := world(f)
	f.Fuzz(func(t *testing.T, src string) {
		for _, x := range w.Check("script.lua", src) {
			if x.Line < 1 || x.Message == "" {
				t.Fatalf("%q: %+v", src, x)
			}
		}
	})
}
