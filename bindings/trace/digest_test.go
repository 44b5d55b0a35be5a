package trace

import (
	"io"
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
