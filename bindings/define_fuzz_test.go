package bindings_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/host"
)

// writer writes random Lua functions of two points of two coordinates. What they
// compute is finite everywhere and amplifies no rounding, so that the function and
// the kernel defined by it must agree closely; conditions are on coordinates and
// constants alone, where both compare the same numbers.
type writer struct {
	rng    *rand.Rand
	locals []string
	fns    int
}

func (w *writer) pick(words ...string) string { return words[w.rng.IntN(len(words))] }

func (w *writer) constant() string {
	return w.pick("0", "1", "-1", "0.5", "2", "3.25", "1e-3", "-0.1", fmt.Sprintf("%.4g", w.rng.NormFloat64()))
}

func (w *writer) coordinate() string {
	return w.pick("p.x", "p.y", "q.x", "q.y", "p[1]", "p[2]", "q[1]", "q[2]")
}

func (w *writer) atom() string {
	switch w.rng.IntN(5) {
	case 0:
		return "(" + w.constant() + ")"
	case 1, 2:
		if len(w.locals) > 0 {
			return w.pick(w.locals...)
		}
	}
	return w.coordinate()
}

// condition gives 1 or 0.
func (w *writer) condition() string {
	a, b := w.coordinate(), w.coordinate()
	if w.rng.IntN(2) == 0 {
		b = w.constant()
	}
	return fmt.Sprintf("%s(%s, %s)", w.pick("lt", "le", "gt", "ge"), a, b)
}

func (w *writer) expression(depth int) string {
	if depth == 0 {
		return w.atom()
	}
	a := func() string { return w.expression(depth - 1) }
	switch w.rng.IntN(22) {
	case 0, 1:
		return fmt.Sprintf("(%s + %s)", a(), a())
	case 2, 3:
		return fmt.Sprintf("(%s - %s)", a(), a())
	case 4, 5:
		return fmt.Sprintf("math.tanh(%s)*(%s)", a(), a())
	case 6:
		return fmt.Sprintf("(%s)/(1 + (%s)^2)", a(), a())
	case 7:
		return fmt.Sprintf("math.tanh(%s)^%s", a(), w.pick("2", "3", "4", "5"))
	case 8:
		return fmt.Sprintf("-(%s)", a())
	case 9:
		return fmt.Sprintf("math.%s(%s)", w.pick("sin", "cos", "atan", "tanh", "abs"), a())
	case 10:
		return fmt.Sprintf("math.exp(-math.abs(%s))", a())
	case 11:
		return fmt.Sprintf("math.sqrt(math.abs(%s) + 0.25)", a())
	case 12:
		return fmt.Sprintf("math.%s(%s, %s)", w.pick("max", "min"), a(), a())
	case 13:
		return fmt.Sprintf("where(%s, %s, %s)", w.condition(), a(), a())
	case 14:
		return fmt.Sprintf("(%s %% %s)", w.coordinate(), w.pick("1", "2.5", "-0.75"))
	case 15:
		return fmt.Sprintf("math.%s(%s)", w.pick("floor", "ceil"), w.coordinate())
	case 16:
		return w.pick("dist(p, q)", "dist(p, q, 0.7)", "dist(p, q, {0.5, 2})", "dist(q, p)", "dist({p.x}, {q.y})")
	case 17:
		return w.pick("kernel.se{lengthscale = 0.5}(p, q)", "kernel.matern{nu = 1.5, lengthscale = 2}(p, q)", "kernel.matern{nu = 0.8, lengthscale = 2}(p, q)",
			"kernel.exponential{lengthscale = 1}(p.x, q.y)", "(kernel.se{lengthscale = 1} + 2*kernel.hat{lengthscale = 3})({p.x, 1}, {q.x, q.y})")
	case 18:
		return fmt.Sprintf("math.log(1 + (%s)^2)", a())
	case 19:
		return fmt.Sprintf("math.atan2(%s, 1 + math.abs(%s))", a(), a())
	case 20:
		return fmt.Sprintf("(2 + math.cos(%s))^%s", a(), w.pick("0.3", "-1.5", "-2", "2.75"))
	}
	return fmt.Sprintf("math.%s(%s, 3)", w.pick("fmod", "max", "min"), w.coordinate())
}

// statement computes new locals, in the ways scripts do.
func (w *writer) statement() string {
	name := fmt.Sprintf("v%d", len(w.locals)+1)
	e := func() string { return w.expression(2) }
	text := ""
	switch w.rng.IntN(8) {
	case 0:
		text = fmt.Sprintf("local %s = 0\n  for i = 1, #p do %[1]s = %[1]s + (p[i] - q[i])^2*i end", name)
	case 1:
		text = fmt.Sprintf("local %s = 1\n  for i, x in ipairs(p) do %[1]s = math.tanh(%[1]s)*x - q[i] end", name)
	case 2:
		w.fns++
		text = fmt.Sprintf("local function f%d(a, b) return math.tanh(a) + b*%s end\n  local %s = f%[1]d(%[4]s, %s)", w.fns, w.constant(), name, e(), e())
	case 3:
		text = fmt.Sprintf("local %s, other = %s, %s\n  %[1]s, other = other, %[1]s", name, e(), e())
	case 4:
		text = fmt.Sprintf("local %s, n = %s, 0\n  while n < 3 do n = n + 1 %[1]s = math.sin(%[1]s) + n end", name, e())
	case 5:
		text = fmt.Sprintf("local list = {%s, %s, k = %s}\n  local %s = list[2] - list.k + #list", e(), e(), e(), name)
	case 6:
		text = fmt.Sprintf("local %s\n  if scale > 0 then %[1]s = %s*scale else %[1]s = 0 end", name, e())
	default:
		text = fmt.Sprintf("local %s = %s", name, e())
	}
	w.locals = append(w.locals, name)
	return "  " + text + "\n"
}

func (w *writer) function() string {
	var b strings.Builder
	b.WriteString("function(p, q)\n")
	for range w.rng.IntN(5) {
		b.WriteString(w.statement())
	}
	b.WriteString("  return " + w.expression(1+w.rng.IntN(4)) + "\nend")
	return b.String()
}

// compareDefined runs a function, the kernel made of it, and the kernel made of
// what that prints as, unless it prints with a variable around it.
func compareDefined(t *testing.T, h *host.Host, seed uint64) {
	w := &writer{rng: rand.New(rand.NewPCG(seed, 1))}
	source := w.function()
	values, err := h.Eval(t.Context(), "fuzz", `
local scale = 0.5
local f = `+source+`
local k = kernel.define(f, {dim = 2})
local function point(x, y) return {x, y, x = x, y = y} end
local text = tostring(k)
local again = text:find("scale[^=]") and k or load("return " .. text)()
return function(a, b, c, d)
  return k({a, b}, {c, d}), f(point(a, b), point(c, d)), again({a, b}, {c, d})
end, text`)
	if err != nil {
		t.Fatalf("seed %d: %v in\n%s", seed, err, source)
	}
	for i := range 12 {
		var args []lua.LValue
		for range 4 {
			x := w.rng.NormFloat64()
			if i < 4 {
				x = math.Floor(2 * x) // zeros, ties, whole numbers
			}
			args = append(args, lua.LNumber(x))
		}
		pair, err := h.Call(t.Context(), values[0].(*lua.LFunction), args...)
		if err != nil {
			t.Fatalf("seed %d: %v in\n%s", seed, err, source)
		}
		a, b, c := float64(pair[0].(lua.LNumber)), float64(pair[1].(lua.LNumber)), float64(pair[2].(lua.LNumber))
		if tol := 1e-11 * (1 + math.Abs(b)); !(math.Abs(a-b) <= tol && math.Abs(c-b) <= tol) {
			t.Fatalf("seed %d at %v: the kernel is %.17g, the function %.17g, what the kernel prints as %.17g in\n%s\nwhich prints as\n%s", seed, args, a, b, c, source, values[1])
		}
	}
}

// The expression of every function computes what the function computes, and so
// does what it prints as.
func TestDefineAgreesWithLua(t *testing.T) {
	h := newHost(t)
	for seed := range uint64(250) {
		compareDefined(t, h, seed)
	}
}

func FuzzDefine(f *testing.F) {
	for _, seed := range []uint64{1000, 2000, 3000} {
		f.Add(seed)
	}
	h := newHost(f)
	f.Fuzz(func(t *testing.T, seed uint64) { compareDefined(t, h, seed) })
}
