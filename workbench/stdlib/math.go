package stdlib

import (
	"math"
	"math/rand/v2"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/elementary"
	"github.com/greenbench/workbench/workbench/chunk/loops"
)

// MathExtension gives functions of math a meaning for values that are not numbers: arrays, symbolic expressions.
//
// Math is asked when a function is called with at least one argument that is neither a number nor a string that looks like
// one. It returns handled = false for values that are not its own. Errors are raised with the position of the caller and
// the name of the function in front.
type MathExtension interface {
	Math(L *lua.LState, name string, args []lua.LValue) (result lua.LValue, handled bool, err error)
}

func (lib *Library) openMath(L *lua.LState) {
	lib.random = newGenerator(lib.options.Seed)
	table := lib.module(L, "math", []entry{
		{"modf", mathModf}, {"frexp", mathFrexp}, {"ldexp", mathLdexp}, {"randomseed", mathRandomSeed},
	})
	inLoops := map[*lua.LFunction]loops.Function{}
	set := func(name string, run func(call) int, of loops.Function) {
		f := lib.function(L, name, run)
		table.RawSetString(name, f)
		inLoops[f] = of
	}
	for _, f := range []struct {
		name string
		of   func(float64) float64
	}{
		{"abs", math.Abs},
		{"acos", elementary.Acos},
		{"asin", math.Asin},
		{"atan", math.Atan},
		{"ceil", math.Ceil},
		{"cos", math.Cos},
		{"cosh", elementary.Cosh},
		{"exp", elementary.Exp},
		{"floor", math.Floor},
		{"log10", elementary.Log10},
		{"sin", math.Sin},
		{"sinh", elementary.Sinh},
		{"sqrt", math.Sqrt},
		{"tan", math.Tan},
		{"tanh", math.Tanh},
		{"deg", func(x float64) float64 { return x / (math.Pi / 180) }},
		{"rad", func(x float64) float64 { return x * (math.Pi / 180) }},
	} {
		set(f.name, mathOne(f.of), loops.Function{One: f.of})
	}
	for _, f := range []struct {
		name string
		of   func(x, y float64) float64
	}{{"atan2", math.Atan2}, {"fmod", math.Mod}, {"mod", math.Mod}, {"pow", elementary.Pow}} {
		set(f.name, mathTwo(f.of), loops.Function{Two: f.of})
	}
	set("random", mathRandom, loops.Function{None: func() float64 { return lib.random.Float64() }})
	set("log", mathLog, loops.Function{One: elementary.Log, Two: elementary.LogBase})
	for name, beats := range map[string]func(x, best float64) bool{
		"max": func(x, best float64) bool { return x > best },
		"min": func(x, best float64) bool { return x < best },
	} {
		set(name, mathBest(beats), loops.Function{Two: func(x, y float64) float64 {
			if beats(y, x) {
				return y
			}
			return x
		}})
	}
	loops.Offer(L, inLoops)
	table.RawSetString("pi", lua.LNumber(math.Pi))
	table.RawSetString("huge", lua.LNumber(math.Inf(1)))
}

// extended asks the extensions if one of the first n arguments is not a number. It returns false if they all are, or if no
// extension knows them: to take them for numbers is then the error.
func (c call) extended(n int) bool {
	other := false
	for i := 1; i <= n; i++ {
		switch c.Get(i).Type() {
		case lua.LTNumber:
		case lua.LTString:
			if _, ok := toNumber(c.Get(i)); !ok {
				other = true
			}
		default:
			other = true
		}
	}
	if !other {
		return false
	}
	args := make([]lua.LValue, c.GetTop())
	for i := range args {
		args[i] = c.Get(i + 1)
	}
	for _, e := range c.lib.options.Math {
		result, handled, err := e.Math(c.LState, c.name, args)
		if err != nil {
			c.refuse("math.%s: %v", c.name, err)
		}
		if handled {
			c.Push(result)
			return true
		}
	}
	return false
}

// mathOne is a function of one number.
func mathOne(f func(float64) float64) func(call) int {
	return func(c call) int {
		if x, ok := c.Get(1).(lua.LNumber); ok {
			c.Push(lua.LNumber(f(float64(x))))
			return 1
		}
		if c.extended(1) {
			return 1
		}
		return c.push(lua.LNumber(f(c.number(1))))
	}
}

// mathTwo is a function of two numbers.
func mathTwo(f func(x, y float64) float64) func(call) int {
	return func(c call) int {
		if c.extended(2) {
			return 1
		}
		return c.push(lua.LNumber(f(c.number(1), c.number(2))))
	}
}

// mathLog (x [, base])
func mathLog(c call) int {
	n := 1
	if c.has(2) {
		n = 2
	}
	switch {
	case c.extended(n):
		return 1
	case n == 1:
		return c.push(lua.LNumber(elementary.Log(c.number(1))))
	}
	return c.push(lua.LNumber(elementary.LogBase(c.number(1), c.number(2))))
}

// mathBest is max or min: the first of the arguments that none after it beats.
func mathBest(beats func(x, best float64) bool) func(call) int {
	return func(c call) int {
		if c.extended(max(c.GetTop(), 1)) {
			return 1
		}
		best := c.number(1)
		for i := 2; i <= c.GetTop(); i++ {
			if x := c.number(i); beats(x, best) {
				best = x
			}
		}
		return c.push(lua.LNumber(best))
	}
}

func mathModf(c call) int {
	x := c.number(1)
	if math.IsInf(x, 0) {
		return c.push(lua.LNumber(x), lua.LNumber(0))
	}
	whole, fraction := math.Modf(x)
	return c.push(lua.LNumber(whole), lua.LNumber(fraction))
}

func mathFrexp(c call) int {
	fraction, exponent := math.Frexp(c.number(1))
	return c.push(lua.LNumber(fraction), lua.LNumber(exponent))
}

func mathLdexp(c call) int {
	return c.push(lua.LNumber(math.Ldexp(c.number(1), min(max(c.integer(2), -5000), 5000))))
}

// generator makes the numbers of math.random, the same on every machine.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator {
	return generator{rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

// Seed starts the numbers of math.random anew.
func (lib *Library) Seed(seed uint64) { lib.random = newGenerator(seed) }

func mathRandomSeed(c call) int {
	c.lib.Seed(math.Float64bits(c.number(1) + 0))
	return 0
}

// mathRandom () is in [0, 1); (m) an integer from 1 to m; (m, n) one from m to n.
func mathRandom(c call) int {
	var low, high float64 = 1, 0
	switch c.GetTop() {
	case 0:
		return c.push(lua.LNumber(c.lib.random.Float64()))
	case 1:
		high = math.Floor(c.number(1))
	case 2:
		low, high = math.Floor(c.number(1)), math.Floor(c.number(2))
	default:
		c.refuse("wrong number of arguments to 'random'")
	}
	last := c.GetTop()
	switch {
	case !(low <= high):
		c.fail(last, "interval is empty")
	case high-low >= 1<<53:
		c.fail(last, "interval too large")
	}
	return c.push(lua.LNumber(low + float64(c.lib.random.Uint64N(uint64(high-low)+1))))
}
