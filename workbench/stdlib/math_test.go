package stdlib

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// TestFormatNumber compares numbers with C's %.14g; the texts were printed by lua5.1.
func TestFormatNumber(t *testing.T) {
	for x, want := range map[float64]string{
		1.0 / 3: "0.33333333333333", 1e15: "1e+15", 1e14: "1e+14", 99999999999999: "99999999999999", 123456789.123: "123456789.123", 1e-5: "1e-05", 0.0001: "0.0001",
		100: "100", 1e100: "1e+100", 5e-324: "4.9406564584125e-324", math.MaxFloat64: "1.7976931348623e+308", 0.1 + 0.2: "0.3", 2.5: "2.5", -1234.5: "-1234.5",
		math.Copysign(0, -1): "-0", 0: "0", 1e15 + 0.5: "1e+15", math.Pi: "3.1415926535898", 9007199254740992: "9.007199254741e+15", math.Inf(1): "inf", math.Inf(-1): "-inf",
	} {
		if x == 0 {
			continue // 0 and -0 are one key of the map; see below
		}
		if got := FormatNumber(x); got != want {
			t.Errorf("%v: got %s, want %s", x, got, want)
		}
	}
	if a, b, c := FormatNumber(0), FormatNumber(math.Copysign(0, -1)), FormatNumber(math.NaN()); a != "0" || b != "-0" || c != "nan" {
		t.Errorf("got %s %s %s", a, b, c)
	}
	for i := range 2000 {
		x := math.Exp(float64(i-1000)/30) * math.Cos(float64(i))
		if got, want := FormatNumber(x), strconv.FormatFloat(x, 'g', 14, 64); got != want {
			t.Errorf("%v: got %s, want %s", x, got, want)
		}
	}
}

// vector is a value that is not a number.
type vector []float64

// vectorMath applies functions of one argument to vectors.
type vectorMath struct{}

func (vectorMath) Math(L *lua.LState, name string, args []lua.LValue) (lua.LValue, bool, error) {
	u, ok := args[0].(*lua.LUserData)
	if !ok {
		return nil, false, nil
	}
	v, ok := u.Value.(vector)
	switch {
	case !ok:
		return nil, false, nil
	case name != "exp" && name != "max":
		return nil, false, errors.New("not for vectors")
	}
	return lua.LString(fmt.Sprint(name, v, len(args))), true, nil
}

// TestMathExtension checks that functions of math ask extensions about what is not a number, and nothing else.
func TestMathExtension(t *testing.T) {
	s := newState(t, Options{Math: []MathExtension{vectorMath{}}})
	u := s.L.NewUserData()
	u.Value = vector{1, 2}
	s.L.G.Global.RawSetString("v", u)
	s.expect("local exp = math.exp; print(exp(v), exp(0), exp('0'), math.max(v, 3))", "exp[1 2] 1\t1\t1\tmax[1 2] 2")
	s.expect("print(pcall(math.sin, v))", "false\tmath.sin: not for vectors")
	s.expect("print(pcall(math.sin, {}))", "false\tbad argument #1 to 'sin' (number expected, got table)")
	s.expect("print(pcall(math.max, 1, {}))", "false\tbad argument #2 to 'max' (number expected, got table)")
	s.expect("print(pcall(math.atan2, 1))", "false\tbad argument #2 to 'atan2' (number expected, got no value)")
}

// asked counts how often an extension is asked.
type asked struct{ times *int }

func (a asked) Math(*lua.LState, string, []lua.LValue) (lua.LValue, bool, error) {
	*a.times++
	return nil, false, nil
}

// Extensions are asked about texts that are no numbers, not about those that are.
func TestMathExtensionOfTexts(t *testing.T) {
	times := 0
	s := newState(t, Options{Math: []MathExtension{asked{&times}}})
	for text, want := range map[string]int{"exp('2')": 0, "max(1, '2', 3)": 0, "exp('x')": 1, "max(1, 'x', 3)": 1, "exp({})": 1} {
		times = 0
		if err := s.run("math." + text); (err != nil) != (want > 0) || times != want {
			t.Errorf("%s: asked %d times, want %d; %v", text, times, want, err)
		}
	}
}

// TestRandom checks that the numbers of a seed are the same everywhere and for ever: scripts and their golden files depend
// on them. The numbers are those of rand/v2's PCG, whose stream is part of Go's promise of compatibility.
func TestRandom(t *testing.T) {
	s := newState(t, Options{Seed: 1})
	const draw = "print(math.random(), math.random(100), math.random(-5, 5), math.random(1, 2^40))"
	const want = "0.48482449173717\t58\t4\t100956841309"
	s.expect("math.randomseed(42); "+draw, want)
	first := s.out.String()
	s.expect("math.randomseed(42); "+draw, want)
	if s.out.String() != first {
		t.Error("the same seed gave other numbers")
	}
	other := newState(t, Options{Seed: 1})
	a, b := newState(t, Options{Seed: 1}), newState(t, Options{Seed: 2})
	for _, x := range []*state{other, a, b} {
		if err := x.run(draw); err != nil {
			t.Fatal(err)
		}
	}
	if other.out.String() != a.out.String() || a.out.String() == b.out.String() {
		t.Errorf("seeds 1, 1, 2: %q, %q, %q", other.out.String(), a.out.String(), b.out.String())
	}
	s.expect("for _ = 1, 9 do local k = math.random(2^53 - 2, 2^53) assert(k >= 2^53 - 2 and k <= 2^53) end print(pcall(math.random, -2^53, 2^53))", "false\tbad argument #2 to 'random' (interval too large)")
	s.expect("math.randomseed(0) local a = math.random() math.randomseed(-0) print(a == math.random())", "true")
	s.expect("local n = {0, 0, 0, 0, 0, 0}; for i = 1, 60000 do local k = math.random(6); n[k] = n[k] + 1 end; for i = 1, 6 do assert(math.abs(n[i] - 10000) < 500) end; print('fair')", "fair")
}

// What collectgarbage returns is what it does in C: zero but for the two that count.
func TestCollectGarbage(t *testing.T) {
	newState(t, Options{}).expect(`
		for _, option in ipairs {"collect", "stop", "restart", "setpause", "setstepmul"} do assert(collectgarbage(option) == 0, option) end
		local before, part = collectgarbage("count")
		print(collectgarbage(), collectgarbage("step"), before > 0, before*1024 % 1024 == part)`, "0\ttrue\ttrue\ttrue")
}

// TestZeros pins down what the documentation says of negative zeros.
func TestZeros(t *testing.T) {
	s := newState(t, Options{})
	s.expect("local z = 0; print(-0, -z, -0.0, 1 / -0.0, z * -1, -6 % 3, math.ceil(-0.5), 0 == -0, ({[0] = 'same'})[-0])", "-0\t-0\t-0\t-inf\t0\t0\t-0\ttrue\tsame")
	s.expect("print(5 % math.huge, -5 % math.huge, 5 % -math.huge, 5.5 % 0.5, 1 % 0 ~= 1 % 0)", "5\tinf\t-inf\t0\ttrue")
}

// Numbers to the base of 16 are written as C writes them (glibc), where the exponent has no zeros in front.
func TestHexadecimalNumbers(t *testing.T) {
	newState(t, Options{}).expect(`print(("%a %a %a %a %a %a %a"):format(1, 0.5, 1024, -3, 1e300, 1e-300, 0)) print(("%.2a %.2a %A %A"):format(-3, 1e-300, 1e300, 1024))`,
		"0x1p+0 0x1p-1 0x1p+10 -0x1.8p+1 0x1.7e43c8800759cp+996 0x1.56e1fc2f8f359p-997 0x0p+0\n-0x1.80p+1 0x1.57p-997 0X1.7E43C8800759CP+996 0X1P+10")
}
