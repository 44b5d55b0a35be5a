package trace

import (
	"io"
	"math"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/expr"
)

// Digests are equal for functions that compute the same, and differ where the code, a
// variable around it, a global, or an object does.
func TestDigest(t *testing.T) {
	object := "a"
	digest := func(source string) string {
		L := newState(t)
		u := L.NewUserData()
		u.Value = 1
		L.SetGlobal("object", u)
		_, f := scripted(t, L, source)
		return Digest(L, f.Value().(*lua.LFunction), func(w io.Writer, _ any) { io.WriteString(w, object) })
	}
	const base = "(function() local a, t = 0.5, {k = {1, true}} return function(x) return a*x + t.k[1] + math.exp(x) end end)()"
	if first, second := digest(base), digest(base); first != second || len(first) != 16 {
		t.Errorf("digests of one function: %s, %s", first, second)
	}
	for _, c := range [][2]string{
		{base, strings.Replace(base, "0.5", "0.25", 1)},
		{base, strings.Replace(base, "a*x", "a/x", 1)},
		{base, strings.Replace(base, "true", "false", 1)},
		{base, strings.Replace(base, "k = {1", "k = {2", 1)},
		{base, strings.Replace(base, "math.exp", "math.log", 1)},
		{"(function() g = 1 return function() return g end end)()", "(function() g = 2 return function() return g end end)()"},
		{"function(x) return function() return x + 1 end end", "function(x) return function() return x + 2 end end"},
		{"(function() g = {} g.g = g return function() return g end end)()", "(function() g = {} g.g = {} return function() return g end end)()"},
	} {
		if digest(c[0]) == digest(c[1]) {
			t.Errorf("one digest for\n%s and\n%s", c[0], c[1])
		}
	}
	before := digest("function() return object end")
	object = "b"
	if before == digest("function() return object end") {
		t.Error("the content of an object makes no difference")
	}
	_ = digest("function() return _G end") // which holds itself
}

// Scalars are functions of numbers or of one point; Elements of indices, where that is sure
// to be the same as calling it.
func TestScalars(t *testing.T) {
	L := newState(t)
	for source, want := range map[string]float64{
		"function(x) return x^2 end": 4, "function(x, y) return x - y end": -3, "function(p) return p.x + 10*p.y end": 52,
		"function(p) return p[1]*p[2] end": 10, "function(x) return 8 end": 8, "function(p) return p.z + p.x end": 9,
	} {
		c, f := scripted(t, L, source)
		n, err := Scalars(c, f)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		program, err := expr.Compile(n, 3)
		if err != nil {
			t.Fatal(err)
		}
		if got := program.Eval([]float64{2, 5, 7}); got != want {
			t.Errorf("%s: %v, want %v", source, got, want)
		}
	}
	for source, want := range map[string]string{
		"function(x) return x == 0.5 and 2 or 1 end":          "differ at 0.5: 2 and 1; a trace does not see a branch",
		"function(x) if x < 1 then return 1 end return 2 end": "where(lt(a, b), x, y)",
		"function(x) return 'a' end":                          "must return a number",
		"function(...) return 1 end":                          "written in Lua, with named arguments",
		"math.exp":                                            "written in Lua, with named arguments",
		"function(p) return p.y == 0.5 and 2 or p.x end":      "differ at {",
		"function(p) return p.u end":                          "",
		"function(p, q) return p.x end":                       "a formula has no 'x'",
	} {
		c, f := scripted(t, L, source)
		_, err := Scalars(c, f)
		refused(t, source, err, want)
	}
}

// Rows longer than a part are filled part by part, with the same numbers.
func TestLongRows(t *testing.T) {
	const rows, long = 2, 1<<16 + 1000
	program, err := expr.Compile(expr.Add(expr.Mul(expr.Const(1e6), expr.Var(0, "i")), expr.Var(1, "j")), 2)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]float64, rows*long)
	fill(t.Context(), data, program, []int{rows, long})
	for k, v := range data {
		if want := 1e6*float64(k/long+1) + float64(k%long+1); v != want {
			t.Fatalf("number %d is %g, want %g", k, v, want)
		}
	}
}

func TestElements(t *testing.T) {
	L := newState(t)
	c, f := scripted(t, L, "function(i, j) return 100*i + j end")
	data, ok := Elements(c, f, []int{20, 30})
	if !ok || len(data) != 600 || data[0] != 101 || data[29] != 130 || data[30] != 201 || data[599] != 2030 {
		t.Errorf("%v elements, ok %v: %v", len(data), ok, data[:min(3, len(data))])
	}
	c, f = scripted(t, L, "function(i, j, k) return 100*i + 10*j + k end")
	if data, ok := Elements(c, f, []int{8, 9, 8}); !ok || data[0] != 111 || data[7] != 118 || data[8] != 121 || data[71] != 198 || data[72] != 211 || data[575] != 898 {
		t.Errorf("%d elements of three indices, ok %t", len(data), ok)
	}
	c, f = scripted(t, L, "function(i) return i end")
	if data, ok := Elements(c, f, []int{minTraced}); !ok || len(data) != minTraced {
		t.Errorf("the fewest elements that are computed without calls: %d, %t", len(data), ok)
	}
	for source, size := range map[string]int{
		"function(i) return i end":                            minTraced - 1, // calling is as quick
		"function(i) return math.random() end":                minTraced,
		"function(i) if i > 3 then return 1 end return 2 end": minTraced,
		"function(i) return i == 1 end":                       minTraced,
	} {
		c, f := scripted(t, L, source)
		if _, ok := Elements(c, f, []int{size}); ok {
			t.Errorf("%s: computed without calling it", source)
		}
	}
	plain := lua.NewState()
	defer plain.Close()
	bind.New().Open(plain, bind.Env{})
	c, f = scripted(t, plain, "function(i) return i end")
	if _, ok := Elements(c, f, []int{1000}); ok {
		t.Error("a state without formulas traces")
	}
}

// What is computed without calling a function is compared with calls at sixteen elements from the first to the last, equally far apart.
func TestSpotChecks(t *testing.T) {
	L := newState(t)
	c, f := scripted(t, L, "(function() checked = {} return function(i, j) checked[#checked + 1] = 30*(i - 1) + j - 1 return 1 end end)()")
	data := make([]float64, 600)
	for i := range data {
		data[i] = 1
	}
	if !(&tracer{c: c, f: f}).spotCheck(data, []int{20, 30}) {
		t.Error("what is equal is told apart")
	}
	checked := L.GetGlobal("checked").(*lua.LTable)
	if n := checked.Len(); n != 16 {
		t.Fatalf("%d elements are checked", n)
	}
	for i := range 16 {
		if at := float64(checked.RawGetInt(i + 1).(lua.LNumber)); math.Abs(at-599*float64(i)/15) >= 1 {
			t.Errorf("check %d is of element %g", i, at)
		}
	}
	for source, value := range map[string]float64{"function(i, j) return 0 end": 5e-13, "function(i, j) error('no') end": 0, "function(i, j) return 0/0 end": 0} {
		c, f = scripted(t, L, source)
		if (&tracer{c: c, f: f}).spotCheck([]float64{value, value}, []int{1, 2}) {
			t.Errorf("%s: is said to be %g", source, value)
		}
	}
	c, f = scripted(t, L, "function(i) return i == 600 and 1 or i end")
	if _, ok := Elements(c, f, []int{600}); ok {
		t.Error("the last element is not what it is said to be")
	}
}
