package bindings_test

import (
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
)

// newState opens modules in a plain Lua state; print writes to printed, with
// the line it was called from.
func newState(t testing.TB, printed func(line int, text string), modules ...bind.Module) (*lua.LState, *bind.Registry) {
	return open(t, printed, bind.New(modules...))
}

// all is what a script can use, declared once for all tests.
var all = sync.OnceValue(func() *bind.Registry { return bind.New(bindings.All()...) })

// openAll is newState with all modules.
func openAll(t testing.TB, printed func(line int, text string)) *lua.LState {
	L, _ := open(t, printed, all())
	return L
}

func open(t testing.TB, printed func(line int, text string), reg *bind.Registry) (*lua.LState, *bind.Registry) {
	L := lua.NewState()
	t.Cleanup(L.Close)
	reg.Open(L, bind.Env{Out: io.Discard})
	L.SetGlobal("print", L.NewFunction(func(L *lua.LState) int {
		var words []string
		for i := 1; i <= L.GetTop(); i++ {
			words = append(words, L.ToStringMeta(L.Get(i)).String())
		}
		_, line, _ := strings.Cut(bind.At(L).Where(), ":")
		n, _ := strconv.Atoi(line)
		printed(n, strings.Join(words, "\t"))
		return 0
	}))
	return L, reg
}

// Every declaration is complete: texts, examples, declared types, See.
func TestDeclarations(t *testing.T) {
	for _, err := range all().Check() {
		t.Error(err)
	}
}

var number = regexp.MustCompile(`[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?`)

// sameText compares words, and numbers to 1e-9 relative.
func sameText(got, want string) bool {
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	got, want = squeeze(got), squeeze(want)
	g, w := number.FindAllString(got, -1), number.FindAllString(want, -1)
	if len(g) != len(w) || number.ReplaceAllString(got, "#") != number.ReplaceAllString(want, "#") {
		return false
	}
	for i := range g {
		x, err1 := strconv.ParseFloat(g[i], 64)
		y, err2 := strconv.ParseFloat(w[i], 64)
		if err1 != nil || err2 != nil || math.Abs(x-y) > 1e-9*math.Abs(y)+1e-15 {
			return false
		}
	}
	return true
}

// The example runner itself: what must fail, fails.
func TestSameText(t *testing.T) {
	for _, tt := range []struct {
		got, want string
		same      bool
	}{
		{"1", "1", true},
		{"1", "2", false},
		{"a  b", "a b", true},
		{"0.3333333333333", "0.33333333333", true},
		{"0.33334", "0.33333", false},
		{"array 2", "array 3", false},
		{"nan", "1", false},
		{"-2.0000000000000004", "-2", true},
		{"inf", "-inf", false},
		{"1 2", "1", false},
	} {
		if got := sameText(tt.got, tt.want); got != tt.same {
			t.Errorf("%q and %q: %v", tt.got, tt.want, got)
		}
	}
}
