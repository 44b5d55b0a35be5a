package chunk_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/stdlib"
)

// section is a part of a file of cases: a title, a text, and what is expected of it.
type section struct{ title, text, want string }

// sections reads a file of parts "--- title", text, ">>>", expectation.
func sections(t *testing.T, path string) []section {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []section
	for part := range strings.SplitSeq("\n"+string(data), "\n--- ") {
		title, body, _ := strings.Cut(part, "\n")
		text, want, ok := strings.Cut(body+"\n", ">>>\n")
		if ok {
			list = append(list, section{title, text, strings.TrimRight(want, "\n")})
		}
	}
	if len(list) == 0 {
		t.Fatalf("%s: no sections", path)
	}
	return list
}

// output runs a script and returns what it printed, and its error as the last line.
func output(t *testing.T, name, text string) string {
	t.Helper()
	var out bytes.Buffer
	options := stdlib.Options{Out: &out}
	L := lua.NewState(stdlib.StateOptions(options))
	defer L.Close()
	lib := stdlib.Open(L, options)
	fn, err := lib.Load(L, name, []byte(text))
	if err == nil {
		_, err = lib.Call(L, fn)
	}
	if err != nil {
		out.WriteString(err.Error() + "\n")
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// TestSemantics runs programs that gopher-lua alone gets wrong, and their neighbours. What they should print was written by
// lua5.1 (5.1.5), or luajit -joff (2.1) where they use goto: the name in parentheses says which.
func TestSemantics(t *testing.T) {
	for _, s := range sections(t, "testdata/semantics.txt") {
		t.Run(s.title, func(t *testing.T) {
			if got := output(t, "case.lua", s.text); got != s.want {
				t.Errorf("program:\n%s\n got:\n%s\nwant:\n%s", s.text, got, s.want)
			}
		})
	}
}
