package trace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// A list of one number, or of none, is a list.
func TestShortLists(t *testing.T) {
	c, f := scripted(t, newState(t), "function(a, b, c) return {#a, #b, b[1] + c} end")
	nodes, err := Lists(c, f, []int{0, 1, Number})
	if err != nil || len(nodes) != 3 {
		t.Fatal(nodes, err)
	}
	for i, want := range []string{"0", "1"} {
		if got := nodes[i].String(); got != want {
			t.Errorf("list %d has a length of %s, want %s", i+1, got, want)
		}
	}
}

// Functions of numbers and lists are traced where they only compute, in formulas that are not too long;
// of the others the reason is told.
func TestLists(t *testing.T) {
	L := newState(t)
	x := []float64{2, 3, 5}
	for source, want := range map[string][]float64{
		"function(t, y) return t*y[1] + y[2] end":                                  {11},
		"function(t, y) return {y[2], -t*y[1], 7} end":                             {5, -6, 7},
		"function(t, y) local s = t for i = 1, 9 do s = s + y[2] end return s end": {47},

		"(function() local sin, square = math.abs, function(x) return x*x end return function(t, y) return sin(-square(t)) end end)()": {4},
	} {
		c, f := scripted(t, L, source)
		nodes, err := Lists(c, f, []int{Number, 2})
		if err != nil || len(nodes) != len(want) {
			t.Errorf("%s: %v, %v", source, nodes, err)
			continue
		}
		for i, n := range nodes {
			program, err := expr.Compile(n, len(x))
			if err != nil {
				t.Fatal(err)
			}
			if got := program.Eval(x); got != want[i] {
				t.Errorf("%s: number %d is %g, want %g", source, i, got, want[i])
			}
		}
	}
	for source, says := range map[string]string{
		"function(t, y) return {t, 'a'} end":        "no list of numbers",
		"function(t, y) return 'a' end":             "neither a number nor a list",
		"math.sin":                                  "not a function of Lua with named arguments",
		"function(...) return ... end":              "not a function of Lua with named arguments",
		"function(t, y) return math.random()*t end": "more than compute",

		"(function() local write = print return function(t, y) return write(t) end end)()": "more than compute",

		"function(t, y) local s = t for i = 1, 9000 do s = math.sin(s + y[1]) end return s end": "too long",
		"function(t, y) return {t, y[1] == 0.5 and t or nil} end":                               "now this and now that",
		"function(t, y) return {t, y[1] ~= 0.5 and t or nil} end":                               "now this and now that",
		"function(t, y) if y[1] == 2 then return 7 end return 1/t end":                          "several paths",
		"function(t, y) if y[1] > 2 then return t end return y[1] end":                          "",
	} {
		c, f := scripted(t, L, source)
		if nodes, err := Lists(c, f, []int{Number, 2}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %d formulas, error %v, want %q", source, len(nodes), err, says)
		}
	}
}

// The longest formula that is traced has so many terms, and one longer by one is called.
func TestLongestFormulaOfLists(t *testing.T) {
	L := newState(t)
	for size, traced := range map[int]bool{maxListed: true, maxListed + 1: false} {
		c, f := scripted(t, L, fmt.Sprintf("function(t, y) local s = t for i = 1, %d do s = math.sin(s) end return s end", size-1))
		nodes, err := Lists(c, f, []int{Number, 2})
		if (err == nil) != traced || traced && expr.Size(nodes[0]) != size {
			t.Errorf("a formula of %d terms: %v", size, err)
		}
	}
}
