package stdlib

import (
	"errors"
	"io"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// fuzzed runs a function of string and fails on what only a bug can cause.
func fuzzed(t *testing.T, lib *Library, L *lua.LState, name string, args ...lua.LValue) {
	fn := L.GetField(L.GetGlobal("string"), name).(*lua.LFunction)
	_, err := lib.Call(L, fn, args...)
	var internal *InternalError
	if errors.As(err, &internal) {
		t.Errorf("%s%q: %v\n%s", name, args, err, internal.Stack)
	}
}

// FuzzPattern matches arbitrary patterns: they match, fail or are malformed, but never read outside the pattern or the text.
func FuzzPattern(f *testing.F) {
	for _, p := range []string{"%a+", "[^%]]-$", "%b()", "%f[%w]", "(()%1)", "[a-%z]", "%", "[", "[^", "[]", "[%", "(", "%9", "x-", "^*", "[a-]", "%f", "%b(", "()()", ".-b$", "%z"} {
		f.Add("key = (value)", p, "%1%0%")
	}
	L := lua.NewState(StateOptions(Options{Safe: true}))
	lib := Open(L, Options{Safe: true, Out: io.Discard})
	f.Fuzz(func(t *testing.T, text, pattern, replacement string) {
		if len(text) > 40 || len(pattern) > 20 {
			return
		}
		fuzzed(t, lib, L, "find", lua.LString(text), lua.LString(pattern))
		fuzzed(t, lib, L, "gsub", lua.LString(text), lua.LString(pattern), lua.LString(replacement))
	})
}

// FuzzFormat formats by arbitrary formats.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{"%d", "%5.2f", "%-+ #010.3e", "%q%%", "%", "%s%c", "%.", "%99.99g", "%123d", "%#x", "%a", "%5"} {
		f.Add(s, 1.5, "text")
	}
	L := lua.NewState(StateOptions(Options{}))
	lib := Open(L, Options{Out: io.Discard})
	f.Fuzz(func(t *testing.T, format string, x float64, s string) {
		for _, args := range [][]lua.LValue{{lua.LNumber(x), lua.LString(s)}, {lua.LString(s), lua.LNumber(x)}} {
			fuzzed(t, lib, L, "format", append([]lua.LValue{lua.LString(format)}, args...)...)
		}
	})
}

// FuzzNumber reads arbitrary texts as numbers: what is read prints as a text that is read as the same number.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"1", " 0x1p4 ", "1e400", "-.5e-3", "0x.8", "inf", "nan", "1_0", "0b1", "", "e", "0x", "1e+", "--1", "\v7\f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		x, ok := toNumber(lua.LString(s))
		if !ok {
			return
		}
		text := FormatNumber(x)
		y, ok := toNumber(lua.LString(text))
		if !ok || FormatNumber(y) != text {
			t.Errorf("%q is %s, which is read as %v", s, text, y)
		}
		if strings.Contains(s, "_") {
			t.Errorf("%q was read as a number", s)
		}
	})
}
