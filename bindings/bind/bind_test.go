package bind_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/greenbench/workbench/bindings/bind"
	lua "github.com/yuin/gopher-lua"
)

// What calls return, in every calling style. Values follow from the toy functions.
func TestCalls(t *testing.T) {
	L, _ := newState(t, io.Discard)
	for _, tt := range []struct{ code, want string }{
		// constructors: one table, defaults, adapters
		{`toy.se{}`, `toy.se{lengthscale="auto"}`},
		{`toy.se()`, `toy.se{lengthscale="auto"}`},
		{`toy.se{lengthscale=0.5}`, `toy.se{lengthscale=0.5}`},
		{`toy.se{lengthscale={1,2}}`, `toy.se{lengthscale=1, 2}`},
		{`toy.se{lengthscale=vec{3}}`, `toy.se{lengthscale=3}`},
		{`toy.white{}`, "toy.white{}"},
		{`toy.white()`, "toy.white{}"},
		{`toy.gadget{}`, "gadget"}, // nobody is hurt
		{`toy.matern{lengthscale=1}`, `toy.matern{nu=2.5, lengthscale=1}`},
		{`toy.matern{lengthscale=1, nu=nil}`, `toy.matern{nu=2.5, lengthscale=1}`},
		// positions, optional ones, by name
		{`toy.uniform(0, 1, 5)`, "x: 0..1/5"},
		{`toy.uniform(0, 1, 5, "t")`, "t: 0..1/5"},
		{`toy.uniform(0, 1, 5, nil)`, "x: 0..1/5"},
		{`toy.uniform(0, 1, {n=5, name="t"})`, "t: 0..1/5"},
		{`toy.uniform{a=0, b=1, n=5}`, "x: 0..1/5"},
		{`toy.zeros(2, 3)[2]`, "3"},
		{`toy.zeros{2, 3}[2]`, "3"},
		{`#toy.zeros(4)`, "1"},
		// an optional last table, lists, nested tables
		{`toy.heatmap({1,2})`, `[1 2] "" false`},
		{`toy.heatmap({1,2}, {file="a.png"})`, `[1 2] "a.png" false`},
		{`toy.heatmap({array={1}, log=true})`, `[1] "" true`},
		{`toy.heatmap(7)`, `[7] "" false`},
		{`toy.lines{ {x={1,2}, y={3,0/0}}, {x=1, y=2, label="b"}, log=true }`, `2 lines to ""`},
		{`toy.lines{}`, `0 lines to ""`},
		{`toy.symmetric{"x", "t"}`, "x+t"},
		{`toy.seed{}`, "1 0 0 0 {-Inf +Inf} [0 1] []"},
		{`toy.seed{seed=7, byte=255, nan=0/0, range={1,2}, ends={5}, nested={{1,2},{3}}}`, "7 255 NaN 0 {1 2} [5] [[1 2] [3]]"},
		// unions
		{`toy.fit{data={1}, kernel=toy.se{}}.method`, "reml"},
		{`toy.fit{data={1}, kernel=toy.se{}, lambda=1e-3}.method`, "lambda 0.001"},
		{`toy.fit{data={1}, kernel=toy.se{}, lambda="auto", bias=toy.se{}}.method`, `reml with bias toy.se{lengthscale="auto"}`},
		{`toy.fit{data={1}, kernel=toy.se{}, bias=false, criterion="gcv"}.method`, "gcv"},
		{`toy.fit{data={1}, kernel=toy.se{}, input={kernel=toy.se{}, scale=2}}.method`, `reml input toy.se{lengthscale="auto"} x 2`},
		{`toy.fit{data={1}, kernel=toy.se{}, input=vec{1}, steps=3, extra={a=1}, rows=2}.method`, "reml"},
		// methods, properties, operators, index
		{`vec{1,2,3}:sum()`, "6"},
		{`vec{1,2,3}:sum(2)`, "5"},
		{`vec{1,2}:dot{3,4}`, "11"},
		{`vec{1,2}:scale{by=3}`, "[3 6]"},
		{`vec{1,2}.shape[1]`, "2"},
		{`#vec{1,2}`, "2"},
		{`vec{4,5}[2]`, "5"},
		{`(function() local v = vec{4,5}; v[1] = 9; return v end)()`, "[9 5]"},
		{`vec{1,2} + 1`, "[2 3]"},
		{`1 + vec{1,2}`, "[2 3]"},
		{`vec{1,2} + vec{3,4}`, "[4 6]"},
		{`-vec{1,2}`, "[-1 -2]"},
		{`3 * toy.se{}`, `3 * toy.se{lengthscale="auto"}`},
		{`toy.se{} * 3 + toy.se{}`, `3 * toy.se{lengthscale="auto"} + toy.se{lengthscale="auto"}`},
		{`toy.se{}(0)`, "1"},
		{`vec{1} + toy.gadget()`, "gadget sum"}, // the right operand's operator
		{`"v = " .. vec{1}`, "v = [1]"},
		{`vec{1} .. "!"`, "[1]!"},
		// equality is identity of the Go value
		{`(function() local v = vec{1}; return v == v.me, v == vec{1} end)()`, "true\tfalse"},
		{`toy.gadget() == vec{1}`, "false"},
		// results
		{`toy.two(7, 2)`, "3\t1"},
		{
			`toy.fit{data={1}, kernel=toy.se{}}`,
			"{method = reml, residual = 3.33333e-08, iterations = 12, path = {1, 0.5}}",
		},
		{`toy.fit{data={1}, kernel=toy.se{}}.gap`, "nil"},
		{`toy.version`, "1.2"},
		{`choose(false, 1, "b")`, "b"},
		{`choose(true, {1, {2}}, 0)[2][1]`, "2"},
		{`toy`, "module toy: Every style of declaration."},
		{`tostring(toy.gadget())`, "gadget"},
		{`toy.apply(function(x) return x^2 end, 3)`, "9"},
		{`toy.apply(math.sqrt, 9)`, "3"},
		{`toy.apply(function(x) return toy.apply(function(y) return x*y end, 5) end, 3)`, "15"},
		{`require("vec") == vec`, "true"},
	} {
		got, err := eval(L, "x", "return "+tt.code)
		if err != nil {
			t.Errorf("%s: %v", tt.code, err)
		} else if got != tt.want {
			t.Errorf("%s = %s, want %s", tt.code, got, tt.want)
		}
	}
}

func TestOutGoesToTheWriterOfOpen(t *testing.T) {
	var out bytes.Buffer
	L, _ := newState(t, &out)
	if got, err := eval(L, "x", `return toy.say(1, nil, "b")`); err != nil || got != "" {
		t.Errorf("returned %q, %v; want nothing", got, err)
	}
	if out.String() != "1;nil;b;" {
		t.Errorf("printed %q", out.String())
	}
}

// The position is that of the Lua code, however many Go frames are between.
func TestWhere(t *testing.T) {
	L, _ := newState(t, io.Discard)
	for _, tt := range []struct{ code, want string }{
		{"return toy.where()", "a.lua:1"},
		{"local w =\n toy.where()\nreturn w", "a.lua:2"},
		{"local function f() return toy.where() end\nlocal r = f()\nreturn r", "a.lua:1"},
		{"local r\npcall(function()\n r = toy.where() end)\nreturn r", "a.lua:3"},
		{"local r\ntable.sort({1,2}, function()\n\n r = toy.where() end)\nreturn r", "a.lua:4"},
		{"local r\ntoy.apply(function()\n r = toy.where() return 1 end, 0)\nreturn r", "a.lua:3"},
		{"return coroutine.wrap(function()\n return (toy.where()) end)()", "a.lua:2"},
	} {
		if got, err := eval(L, "@a.lua", tt.code); err != nil || got != tt.want {
			t.Errorf("%q: %q, %v; want %s", tt.code, got, err, tt.want)
		}
	}
	if got := bind.At(L).Where(); got != "" {
		t.Errorf("from Go: %q, want nothing", got)
	}
}

// Hosts find the *Error behind the text, and a cancellation as it was.
func TestErrorsKeepTheirCause(t *testing.T) {
	L, _ := newState(t, io.Discard)
	cause := func(code string) (*bind.Error, error) {
		_, err := eval(L, "a.lua", code)
		var api *lua.ApiError
		if !errors.As(err, &api) {
			t.Fatalf("%s: %v is no ApiError", code, err)
		}
		var be *bind.Error
		errors.As(api.Cause, &be)
		return be, api.Cause
	}
	be, _ := cause("toy.matern{nu=-1, lengthscale=1}")
	if be == nil || be.Where != "a.lua:1" || be.Func != "toy.matern" || be.Err.Error() != "nu -1: must be > 0" ||
		be.Usage != "toy.matern{nu=2.5, lengthscale}" {
		t.Errorf("%+v", be)
	}
	be, err := cause("toy.fail('cancel')")
	if !errors.Is(err, context.Canceled) || be.Usage != "" {
		t.Errorf("cancellation: %v, usage %q", err, be.Usage)
	}
	be, _ = cause("toy.fail('bug')")
	if be == nil || !bytes.Contains(be.Stack, []byte("toy_test.go")) {
		t.Errorf("a bug does not carry its Go stack: %+v", be)
	}
	// Through a Lua callback, the inner error arrives unchanged.
	be, _ = cause("toy.apply(function() return toy.uniform(1) end, 1)")
	if be == nil || be.Func != "toy.uniform" {
		t.Errorf("through a callback: %+v", be)
	}
}

// A Lua error inside a callback is seen by the script as it was raised, and the
// variables of the caller survive it.
func TestErrorsInCallbacks(t *testing.T) {
	L, _ := newState(t, io.Discard)
	got, err := eval(L, "a.lua", `
		local n = 0
		local function inc() n = n + 1 end
		inc()
		local problem = {code = 7}
		local f = function() error(problem) end
		local ok, e = pcall(toy.apply, f, 1)
		return ok, e == problem`)
	if err != nil || got != "false\ttrue" {
		t.Errorf("%s, %v", got, err)
	}
	_, err = eval(L, "a.lua", "toy.apply(function()\n local x = nil + 1 end, 1)")
	if err == nil || !strings.HasPrefix(err.Error(), "a.lua:2: cannot perform add operation") {
		t.Errorf("%v", err)
	}
	_, err = eval(L, "a.lua", "return toy.apply(function() return 'a' end, 1)")
	if err == nil || !strings.Contains(err.Error(), `toy.apply: the function of line 1: want a number, got a string ("a")`) {
		t.Errorf("%v", err)
	}
}

// Closures made before an error keep their variables: the error closes them.
func TestRaiseClosesUpvalues(t *testing.T) {
	L, _ := newState(t, io.Discard)
	if _, err := eval(L, "a.lua", "local x = 1\nfunction get() return x end\nx = 2\ntoy.se{lengthscale=-1}"); err == nil {
		t.Fatal("no error")
	}
	got, err := eval(L, "a.lua", "local a, b, c = 10, 20, 30\nreturn get()")
	if err != nil || got != "2" {
		t.Errorf("get() = %s, %v; want 2", got, err)
	}
}

func TestContextReachesTheCall(t *testing.T) {
	L := lua.NewState()
	defer L.Close()
	type key struct{}
	reg := bind.New(bind.Module{Name: "m", Doc: "M.", Funcs: []bind.Func{
		bind.Fn("value", "Of the context.", func(c *bind.Call, _ *struct{}) (any, error) { return c.Value(key{}), nil }),
		bind.Fn("call", "Calls.", func(c *bind.Call, p *struct {
			F bind.Function `arg:"f" pos:"1"`
		},
		) (bind.None, error) {
			_, err := p.F.Call(c)
			return bind.None{}, err
		}),
	}})
	reg.Open(L, bind.Env{Out: io.Discard})
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, "here"))
	L.SetContext(ctx)
	if got, err := eval(L, "x", "return m.value()"); err != nil || got != "here" {
		t.Errorf("%q, %v", got, err)
	}
	cancel()
	// A callback that never ends is interrupted like any Lua code.
	if _, err := eval(L, "x", "m.call(function() while true do end end)"); err == nil || !strings.Contains(err.Error(), "context canceled") {
		t.Errorf("%v", err)
	}
}

// A state can be opened with only some of the modules, into a table of its own.
func TestOpenInTable(t *testing.T) {
	L := lua.NewState()
	defer L.Close()
	env := L.NewTable()
	bind.New(vecModule()).Open(L, bind.Env{Table: env})
	if L.GetGlobal("vec") != lua.LNil {
		t.Error("the module went to the globals")
	}
	if env.RawGetString("vec") == lua.LNil {
		t.Error("the module is not in the table")
	}
}

func TestNameOfValues(t *testing.T) {
	L, reg := newState(t, io.Discard)
	for code, want := range map[string]string{
		"return toy.se": "toy.se", "return toy": "toy", "return vec{1}": "vec", "return toy.se{}": "kernel",
		"return vec{1}.sum": "vec:sum", "return choose": "choose", "return print": "", "return 1": "", "return {}": "",
	} {
		fn, err := L.LoadString(code)
		if err != nil {
			t.Fatal(err)
		}
		L.Push(fn)
		L.Call(0, 1)
		if got, ok := reg.Name(L, L.Get(-1)); got != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", code, got, ok, want)
		}
		L.Pop(1)
	}
}
