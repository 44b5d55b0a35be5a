package trace

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/numeric/kernels"
)

// A function of two points becomes a formula in coordinates by number or by name, with its
// parameters as variables; each is compared with the numbers of the right column.
func TestPoints(t *testing.T) {
	p, q := []float64{0.25, 1}, []float64{1, -0.5}
	byName := []map[string]float64{{"x": 0.25, "t": 1}, {"x": 1, "t": -0.5}}
	for source, want := range map[string]float64{
		"function(p, q) return math.exp(-dist(p, q)) end":                          math.Exp(-math.Hypot(0.75, 1.5)),
		"function(p, q) return (p[1] - q[1])^2 + 3*p[2]*q[2] end":                  0.5625 - 1.5,
		"function(p, q) return (p.x - q.x)^2 + 3*p.t*q.t end":                      0.5625 - 1.5,
		"function(p, q) local s = 0 for i = 1, 2 do s = s + p[i] end return s end": 1.25,
		"function(p, q) return where(gt(p.x, q.x), 1, p.t) end":                    1,
		"function(p, q) return 3 end":                                              3,
	} {
		L := newState(t)
		c, f := scripted(t, L, source)
		traced, err := Points(c, f, Options{Points: 2})
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		k := 0
		for i, form := range traced.Formula.Forms {
			if form.Dim == 2 {
				k = i
			}
		}
		if got := traced.at(k, 0, nil, [][]float64{p, q}, byName...); !(math.Abs(got-want) <= 1e-14) {
			t.Errorf("%s: %v, want %v", source, got, want)
		}
	}
}

// What matters of the number of coordinates is in the formula: nothing, a least number, or
// a form for each.
func TestFormsOfPoints(t *testing.T) {
	for source, want := range map[string]string{
		"function(p, q) return p.x*q.x end":               "[0]",
		"function(p, q) return p[1]*q[1] end":             "[1]",
		"function(p, q) return q[1] end":                  "[1]",
		"function(p, q) return p[2]*q[2] end":             "[2]",
		"function(p, q) return math.exp(-dist(p, q)) end": "[1 2 3 4 5 6]",
		"function(p, q) return p[1] + #p*q[1] end":        "[1 2 3 4 5 6]",
	} {
		L := newState(t)
		c, f := scripted(t, L, source)
		traced, err := Points(c, f, Options{Points: 2})
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		var dims []int
		for _, form := range traced.Formula.Forms {
			dims = append(dims, form.Dim)
		}
		if fmt.Sprint(dims) != want {
			t.Errorf("%s: forms for %v coordinates, want %s", source, dims, want)
		}
	}
	L := newState(t)
	c, f := scripted(t, L, "function(p, q) return p.t*q.b + p.z + p.a + q.x end")
	traced, err := Points(c, f, Options{Points: 2})
	if err != nil || fmt.Sprint(traced.Formula.Names) != "[x z a b t]" {
		t.Errorf("names %v, %v; want x, y, z first, then the alphabet", traced.Formula.Names, err)
	}
	if got := traced.at(0, 0, nil, nil, map[string]float64{"t": 2, "z": 10, "a": 100}, map[string]float64{"b": 3, "x": 1000}); got != 1116 {
		t.Errorf("after sorting its names the formula gives %v, want 2·3 + 10 + 100 + 1000", got)
	}
	c, f = scripted(t, L, "function(p, q) return p.x*q.x end")
	if traced, err := Points(c, f, Options{Points: 2, Dim: 2}); err != nil || len(traced.Formula.Forms) != 1 {
		t.Errorf("coordinates by name of points whose number of coordinates is known: %+v, %v", traced, err)
	}
	for dim, source := range map[int]string{1: "function(p, q) return dist(p, q) end", 3: "function(p, q) return dist(p, q) end", 2: "function(p, q) return p[1] - q[2] end"} {
		c, f := scripted(t, L, source)
		traced, err := Points(c, f, Options{Points: 2, Dim: dim})
		if err != nil || len(traced.Formula.Forms) != 1 || traced.Formula.Forms[0].Dim != dim {
			t.Errorf("dim = %d: %+v, %v", dim, traced, err)
		}
	}
}

// Parameters, and entries of lists of them, are variables where the function permits, and
// numbers where it counts with them.
func TestParameters(t *testing.T) {
	L := newState(t)
	list := value(t, L, "{2, 5}")
	params := []Param{{"scale", lua.LNumber(3)}, {"weights", list}}
	c, f := scripted(t, L, "function(p, q, v) return v.scale*p.x + v.weights[1]*q.x + v.weights[2] end")
	traced, err := Points(c, f, Options{Points: 2, Params: params})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(traced.Formula.Params, traced.Formula.Values) != "[scale weights[1] weights[2]] [3 2 5]" {
		t.Errorf("parameters %v with values %v", traced.Formula.Params, traced.Formula.Values)
	}
	if got := traced.at(0, 0, []float64{7, 11, 13}, nil, map[string]float64{"x": 2}, map[string]float64{"x": 3}); got != 7*2+11*3+13 {
		t.Errorf("with other values of its parameters the formula gives %v", got)
	}
	c, f = scripted(t, L, "function(p, q, v) local s = 0 for i = 1, v.n do s = s + p.x*q.x end return s end")
	if traced, err = Points(c, f, Options{Points: 2, Params: []Param{{"n", lua.LNumber(4)}}}); err != nil || len(traced.Formula.Params) != 0 {
		t.Fatalf("a parameter that is counted with: %+v, %v", traced, err)
	}
	if got := traced.at(0, 0, nil, nil, map[string]float64{"x": 2}, map[string]float64{"x": 3}); got != 24 {
		t.Errorf("4·2·3 is %v", got)
	}
	c, f = scripted(t, L, "function(p, q, v) return v.scale*p.x end")
	_, err = Points(c, f, Options{Points: 2, Params: params})
	refused(t, "a list of parameters of which none is used", err, "parameter weights: the function does not depend on it")
	c, f = scripted(t, L, "function(p, q) return p.x*q.y end")
	if traced, err := Points(c, f, Options{Points: 2, Names: []string{"x", "y"}}); err != nil || len(traced.Formula.Forms) != 1 {
		t.Errorf("coordinates with names: %+v, %v", traced, err)
	}
	c, f = scripted(t, L, "function(p, q) return p.t*q.x end") // given names keep their order
	if traced, err := Points(c, f, Options{Points: 2, Names: []string{"t", "x"}}); err != nil || !slices.Equal(traced.Formula.Names, []string{"t", "x"}) {
		t.Errorf("coordinates with names: %+v, %v", traced, err)
	}
	for source, want := range map[string]string{
		"function(p, q, v) return p.x*q.x end":     "parameter scale: the function does not depend on it",
		"function(p, q) return p.x*q.x end":        "does not take the parameters: write function(p, q, v) and use them as v.scale",
		"function(p, q, v) return v.scael*p.x end": "no parameter 'scael'; did you mean 'scale'",
		"function(p, q, v) return v.y*p.x end":     "no parameter 'y': the parameters are scale",
		"function(p, q, v, w) return p.x end":      "takes 4 arguments: must take two points, and parameters if there are any",
	} {
		c, f := scripted(t, L, source)
		_, err := Points(c, f, Options{Points: 2, Params: []Param{{"scale", lua.LNumber(3)}}})
		refused(t, source, err, want)
	}
	c, f = scripted(t, L, "function(p, q, v) return v.a*p.x end")
	for source, want := range map[string]string{
		"0/0": "parameter a: want a finite number", "1/0": "parameter a: want a finite number", "'1'": "parameter a: want a finite number or a list of them, got a string",
		"{}": "parameter a: want a finite number or a list", "{1, true}": "parameter a[2]: want a finite number",
	} {
		_, err := Points(c, f, Options{Points: 2, Params: []Param{{"a", value(t, L, source)}}})
		refused(t, source, err, want)
	}
	c, f = scripted(t, L, "function(p, q, v) return v.a[1]*p.x end")
	for n := kernels.MaxParams; n <= kernels.MaxParams+1; n++ {
		many := value(t, L, fmt.Sprintf("(function() local t = {} for i = 1, %d do t[i] = i end return t end)()", n))
		if _, err = Points(c, f, Options{Points: 2, Params: []Param{{"a", many}}}); n > kernels.MaxParams {
			refused(t, "many parameters", err, fmt.Sprintf("%d parameters: must be at most", n))
		} else if err != nil {
			t.Errorf("%d parameters: %v", n, err)
		}
	}
}

// Images of points: the coordinates that change, by name, or all in order; the point
// itself may be changed and returned.
func TestImages(t *testing.T) {
	L := newState(t)
	for source, want := range map[string]string{
		"function(p) return {x = p.y, y = p.x} end":    "[x y] [5 2]",
		"function(p) return {y = -p.x} end":            "[y] [-2]",
		"function(p) p.x = p.x + 1 return p end":       "[x] [3]",
		"function(p) p.x, p.t = p.t, p.x return p end": "[x t] [7 2]",
	} {
		c, f := scripted(t, L, source)
		traced, err := Points(c, f, Options{Points: 1, Image: true})
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		var values []float64
		for i := range traced.Formula.Forms[0].Nodes {
			values = append(values, traced.at(0, i, nil, nil, map[string]float64{"x": 2, "y": 5, "t": 7}))
		}
		if got := fmt.Sprint(traced.Image, values); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
		if dim := traced.Formula.Forms[0].Dim; dim != 0 {
			t.Errorf("%s: of points of %d coordinates, not of all that have these names", source, dim)
		}
	}
	for source, want := range map[string][]float64{
		"function(p) return {p[2], p[1]} end":     {5, 2},
		"function(p) p[2] = 3*p[1] return p end":  {2, 6},
		"function(p) return {1 - p[1], p[2]} end": {-1, 5},
	} {
		c, f := scripted(t, L, source)
		traced, err := Points(c, f, Options{Points: 1, Image: true, Dim: 2})
		if err != nil || traced.Image != nil {
			t.Errorf("%s: %+v, %v", source, traced, err)
			continue
		}
		for i, w := range want {
			if got := traced.at(0, i, nil, [][]float64{{2, 5}}); got != w {
				t.Errorf("%s: coordinate %d is %v, want %v", source, i+1, got, w)
			}
		}
	}
	c, f := scripted(t, L, "function(p) p.w, p.x = p.y, p.x return p end") // a name that points do not have, and one that is as it was
	if traced, err := Points(c, f, Options{Points: 1, Image: true, Names: []string{"x", "y"}}); err != nil || !slices.Equal(traced.Image, []string{"w"}) {
		t.Errorf("an image with another coordinate: %+v, %v", traced, err)
	}
	c, f = scripted(t, L, "function(p) return {lag = p.x - p.y} end") // names of the image are none of the point
	if traced, err := Points(c, f, Options{Points: 1, Image: true, Reduce: true}); err != nil || !slices.Equal(traced.Formula.Names, []string{"x", "y"}) {
		t.Errorf("an image with a name of its own: %+v, %v", traced, err)
	}
	c, f = scripted(t, L, "function(p) return {0.5, 2} end")
	if traced, err := Points(c, f, Options{Points: 1, Image: true}); err != nil || traced.Formula.Forms[0].Dim != 2 {
		t.Errorf("an image of two numbers, of a point of two coordinates: %+v, %v", traced, err)
	}
	c, f = scripted(t, L, "function(p) return {p[1] - p[2]} end")
	if traced, err := Points(c, f, Options{Points: 1, Image: true, Reduce: true, Dim: 2}); err != nil || traced.at(0, 0, nil, [][]float64{{2, 5}}) != -3 {
		t.Errorf("an image of fewer coordinates: %v", err)
	}
	for source, want := range map[string]string{
		"function(p) return p.x end":                                             "must return a point, such as {x = p.y, y = p.x}",
		"function(p) end":                                                        "returns nothing: must return a point",
		"function(p) return {x = 'a'} end":                                       "a point whose coordinate x is a string",
		"function(p) return {x = p.x, 3} end":                                    "coordinates by name and by number: give them in one way",
		"function(p) p[3] = 1 return p end":                                      "returns a point of 3 coordinates: must be 2, as it was given",
		"function(p) return {p[1]} end":                                          "returns a point of 1 coordinates: must be 2, as it was given",
		"function(p) return {x = p.x == 0.5 and 1 or p.x} end":                   "differ at",
		"function(p) return {x = p.x == 0.5 and true or p.x} end":                "returns a point with true for some points",
		"function(p) return {p[1], p[2] == 0.5 and true or p[2]} end":            "returns a point with true for some points",
		"function(p) return p[1] == 0.5 and {p[1]} or {p[1], p[2]} end":          "returns a point of 1 coordinates at p = {0.5, 1}, and of 2 elsewhere",
		"function(p) return p[1] == 0.5 and {p[1], p[2], 3} or {p[1], p[2]} end": "returns a point of 3 coordinates at",
	} {
		c, f := scripted(t, L, source)
		_, err := Points(c, f, Options{Points: 1, Image: true, Dim: 2})
		refused(t, source, err, want)
	}
}

// What a trace cannot see is refused: the first that fails says what, where, and what to
// write.
func TestTracesThatAreRefused(t *testing.T) {
	odd := errors.New("must be even")
	accept := Options{Points: 2, Accept: func(v float64) error {
		if v == 7 {
			return odd
		}
		return nil
	}}
	for _, c := range []struct {
		source string
		o      Options
		want   []string
	}{
		{"function(p, q) if p.x < q.x then return 1 end return 2 end", Options{Points: 2, Calls: true}, []string{"where(lt(a, b), x, y)", "trace = false"}},
		{"function(p, q) if p.x <= q.x then return 1 end return 2 end", Options{Points: 2}, []string{"where(le(a, b), x, y)"}},
		{"function(p, q) if p.x == q.x then return 1 end return 2 end", Options{Points: 2}, []string{"where(le(math.abs(a - b), 0), x, y)"}},
		{"function(p, q) if p.x < 1 then return 1 end return 2 end", Options{Points: 2}, []string{"comparison", "where"}},
		{"function(p, q) if p.x == 0.75 then return 1 end return 2 end", Options{Points: 2, Calls: true}, []string{"differ at", "0.75", ": 1 and 2;", "or give {trace = false}"}},
		{"function(p, q) if p.x == math.sin(0) then return 5 end return p.x + q.x end", Options{Points: 2}, []string{"differ at", ": 5 and "}},
		{"function(p, q) if p.x == math.cos(0) then return 5 end return p.x + q.x end", Options{Points: 2}, []string{"differ at", ": 5 and "}},
		{"function(p, q) if p.x == math.cos(math.pi) then return 5 end return p.x + q.x end", Options{Points: 2}, []string{"differ at", ": 5 and "}},
		{"function(p, q) if p.x == math.ldexp(1, -1) then return 5 end return p.x + q.x end", Options{Points: 2}, []string{"differ at", ": 5 and "}},
		{"function(p, q) if p.x == math.sqrt(4) then return 5 end return p.x + q.x end", Options{Points: 2}, []string{"differ at", ": 5 and "}},
		{"function(p, q) return p[1] == 0.5 and 2 or 1 end", Options{Points: 2}, []string{"differ at", ": 2 and 1;"}},
		{"function(p, q) return p.x == 0 and 5 or 1 end", Options{Points: 2}, []string{"differ at", "a trace does not see a branch on ==, and, or"}},
		{"function(p, q) for i = 1, p.x do end return 1 end", Options{Points: 2}, []string{"the limits of a loop must be known"}},
		{"function(p, q) return ('x'):rep(p.x) end", Options{Points: 2}, []string{"got a formula", "coordinates are formulas here"}},
		{"function(p, q) return math.random()*p.x end", Options{Points: 2}, []string{"for the same points: must depend on its arguments only"}},
		{"function(p, q) return 1/math.abs(p.x - q.x) end", Options{Points: 2}, []string{"where the points are equal", "write where(gt(d, 0), …, limit)"}},
		{"function(p, q) return math.log(-1 - p.x^2) end", Options{Points: 2}, []string{"gives no finite number at any of 32 points tried"}},
		{"function(p, q) return nil end", Options{Points: 2}, []string{"returns nil: must return a number"}},
		{"function(p, q) p.x = 1 end", Options{Points: 2}, []string{"returns nothing", "is there a return?"}},
		{"function(p, q) return true end", Options{Points: 2}, []string{"returns true", "lt, le, gt and ge give 1 and 0"}},
		{"function(p, q) return 0/0 end", Options{Points: 2}, []string{"returns NaN"}},
		{"function(p, q) return 'a' end", Options{Points: 2}, []string{"returns a string"}},
		{"function(p, q) return p - q end", Options{Points: 2}, []string{"a point is no number"}},
		{"function(p, q) return p.w*q.x end", Options{Points: 2, Names: []string{"x", "y"}}, []string{"no coordinate 'w': the coordinates here are x, y"}},
		{"function(p, q) return p[7]*q[1] end", Options{Points: 2}, []string{"more than 6 coordinates: say how many, {dim = …}"}},
		{"function(p, q) return p[3] end", Options{Points: 2, Dim: 2}, []string{"no coordinate 3: the point has 2"}},
		{"function(p, q) return p[0] end", Options{Points: 2}, []string{"coordinates by name, p.x, and by number, p[1], got a number (0)"}},
		{"function(p, q) return p[1.5] end", Options{Points: 2}, []string{"coordinates by name, p.x, and by number, p[1], got a number (1.5)"}},
		{"function(p, q) return p[0.5] end", Options{Points: 2}, []string{"coordinates by name, p.x, and by number, p[1], got a number (0.5)"}},
		{"function(p, q) return 7 end", accept, []string{"gives 7 at every point: must be even"}},
		{"function(p, q, v) return v end", Options{Points: 2}, []string{"but there are no parameters"}},
		{"function(p, q) return p.x end", Options{Points: 1}, []string{"takes 2 arguments: must take a point; what else it needs are variables"}},
		{"function(a, b, c) return a.x end", Options{Points: 1}, []string{"takes 3 arguments: must take a point"}},
		{"math.exp", Options{Points: 2}, []string{"written in Lua, got one of the library"}},
		{"(function() local kept return function(p, q) kept = kept or p.x return kept end end)()", Options{Points: 2}, []string{"returns a formula when it is called with numbers"}},
		{"function(p, q) return undefined(p) end", Options{Points: 2}, []string{"attempt to call"}},
		{"function(p, q) error({}) end", Options{Points: 2}, []string{""}},
	} {
		L := newState(t)
		call, f := scripted(t, L, c.source)
		_, err := Points(call, f, c.o)
		refused(t, c.source, err, c.want...)
	}
}

// A difference that rounding cannot make is found, in both directions of size: next to
// values of 1 the least that is seen is a billionth.
func TestWhatVerificationSees(t *testing.T) {
	for _, size := range []float64{1e-9, 1, 1e9} {
		for _, c := range []struct {
			relative float64
			seen     bool
		}{{1e-8, true}, {1e-10, false}} {
			L := newState(t)
			source := fmt.Sprintf("function(p, q) local a = %g*(1 + p.x^2) if p.x == 0.25 then return a*(1 + %g) end return a end", size, c.relative)
			call, f := scripted(t, L, source)
			if _, err := Points(call, f, Options{Points: 2}); (err != nil) != c.seen {
				t.Errorf("a relative difference of %g in values of %g: seen %v, want %v", c.relative, size, err != nil, c.seen)
			}
		}
	}
	if !agree(1, 1+0.9e-9, 0) || agree(1, 1+1.2e-9, 0) || !agree(0, 0.9e-12, 1) || agree(0, 1.2e-12, 1) || !agree(math.NaN(), 1, 1) || agree(1, math.NaN(), 1) || !agree(math.Inf(1), math.Inf(1), 1) {
		t.Error("agree is not what it says it is")
	}
	if !near([]float64{1, math.NaN()}, []float64{1, math.NaN()}, 0) || near([]float64{1}, []float64{1.5}, 0.4) || !near([]float64{1}, []float64{1.5}, 0.5) || near([]float64{1}, []float64{1, 2}, 0) || near([]float64{math.NaN()}, []float64{1}, 0) || near([]float64{1}, []float64{math.NaN()}, 0) {
		t.Error("near is not what it says it is")
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if isFinite([]float64{1, v}) {
			t.Errorf("%g is said to be finite", v)
		}
	}
}
