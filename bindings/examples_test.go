package bindings_test

import (
	"fmt"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/testmain"
)

// Every example runs and shows what it says. Those that begin with the same fit share it, but where every case is tried
// each runs by itself.
func TestExamples(t *testing.T) {
	t.Chdir("..") // examples name files as seen from the root
	begun := map[string]*stage{}
	for f := range all().Functions() {
		for i, example := range f.Examples {
			begin := ""
			if !testmain.EveryCase() {
				begin = beginning(example)
			}
			if begin == "" {
				t.Run(fmt.Sprintf("%s/%d", f.FullName, i), func(t *testing.T) { newStage(t, "").run(t, example) })
				continue
			}
			if begun[begin] == nil {
				begun[begin] = newStage(t, begin)
			}
			t.Run(fmt.Sprintf("%s/%d", f.FullName, i), func(t *testing.T) { begun[begin].run(t, example) })
		}
	}
}

// beginning is an example up to its first fit, where that says nothing of what it prints and leaves what it makes in globals; "" where
// it does not.
func beginning(example string) string {
	before, rest, ok := strings.Cut(example, "est = green.fit{")
	line, _, more := strings.Cut(rest, "\n")
	begin := before + "est = green.fit{" + line + "\n"
	if !ok || !more || strings.Contains(begin, "--") || strings.Contains(begin, "local ") || strings.Contains(begin, "print(") {
		return ""
	}
	return begin
}

// A stage is a state in which examples run that have their beginning in common.
type stage struct {
	L       *lua.LState
	begin   string
	globals map[lua.LValue]lua.LValue // after the beginning
	printed map[int][]string          // by line
}

func newStage(t *testing.T, begin string) *stage {
	t.Helper()
	s := &stage{begin: begin, globals: map[lua.LValue]lua.LValue{}, printed: map[int][]string{}}
	s.L = openAll(t, func(line int, text string) {
		s.printed[line] = append(s.printed[line], strings.Split(text, "\n")...)
	})
	if err := s.L.DoString(begin); err != nil {
		t.Fatalf("%v in\n%s", err, begin)
	}
	s.L.G.Global.ForEach(func(name, v lua.LValue) { s.globals[name] = v })
	return s
}

// reset takes away what examples made.
func (s *stage) reset() {
	clear(s.printed)
	now := map[lua.LValue]lua.LValue{}
	s.L.G.Global.ForEach(func(name, v lua.LValue) { now[name] = v })
	for name := range now {
		s.L.G.Global.RawSet(name, lua.LNil)
	}
	for name, v := range s.globals {
		s.L.G.Global.RawSet(name, v)
	}
}

// run runs Lua whose lines may end in "--> text": what the line prints,
// or the value of the expression it is. Further lines of it follow as comments
// of their own. A line that ends in "--! text" fails with that text in its error.
func (s *stage) run(t *testing.T, example string) {
	s.reset()
	L := s.L
	lines := strings.Split(strings.Repeat("\n", strings.Count(s.begin, "\n"))+strings.TrimPrefix(example, s.begin), "\n")
	want := map[int][]string{}
	last := 0
	for i, line := range lines {
		code, text, expects := strings.Cut(line, "-->")
		code, message, fails := strings.Cut(code, "--!")
		if strings.TrimSpace(code) != "" {
			last = i + 1
		}
		if expects {
			want[last] = append(want[last], text)
		}
		if fails {
			lines[i] = fmt.Sprintf("expect_error(function() %s end, %q)", asStatement(L, code), strings.TrimSpace(message))
		}
	}
	for n := range want {
		if code, _, _ := strings.Cut(lines[n-1], "-->"); !strings.Contains(code, "print(") && asStatement(L, code) != code {
			lines[n-1] = "print(" + code + ")"
		}
	}
	L.SetGlobal("expect_error", L.NewFunction(func(L *lua.LState) int {
		L.Push(L.Get(1))
		if err := L.PCall(0, 0, nil); err == nil || !strings.Contains(err.Error(), L.CheckString(2)) {
			t.Errorf("fails with %v, want %s", err, L.CheckString(2))
		}
		return 0
	}))
	code, err := L.Load(strings.NewReader(strings.Join(lines, "\n")), "example")
	if err != nil {
		t.Fatalf("%v in\n%s", err, strings.Join(lines, "\n"))
	}
	L.Push(code)
	if err := L.PCall(0, 0, nil); err != nil {
		t.Fatalf("%v in\n%s", err, example)
	}
	for n, w := range want {
		if len(s.printed[n]) != len(w) {
			t.Errorf("line %d shows %q, want %q", n, s.printed[n], w)
			continue
		}
		for i := range w {
			if !sameText(s.printed[n][i], w[i]) {
				t.Errorf("line %d shows %q, want %q", n, s.printed[n][i], w[i])
			}
		}
	}
}

// asStatement makes a statement of an expression, and leaves statements alone.
func asStatement(L *lua.LState, code string) string {
	if _, err := L.LoadString("return " + code); err != nil || strings.TrimSpace(code) == "" {
		return code
	}
	return "local _ = " + code
}
