package report

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/workbench/repl/terminal"
)

func source(text string) Source {
	return func(file string) (string, bool) { return text, file == "a.lua" }
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		name string
		p    Problem
		src  string
		want string
	}{
		{
			"an argument",
			Problem{File: "a.lua", Line: 2, Message: "kernel.matern: nu -1: must be > 0\n  usage: kernel.matern{nu=2.5}"},
			"x = 1\nk = kernel.matern{nu = -1}", `
error: kernel.matern: nu -1: must be > 0
  a.lua:2: k = kernel.matern{nu = -1}
                             ^^
  usage: kernel.matern{nu=2.5}
`,
		},
		{
			"a name",
			Problem{File: "a.lua", Line: 1, Message: "'solev' is not defined; did you mean 'solve'?"},
			"y = solve and solev(A)", `
error: 'solev' is not defined; did you mean 'solve'?
  a.lua:1: y = solve and solev(A)
                         ^^^^^
`,
		},
		{
			"a column",
			Problem{File: "a.lua", Line: 1, Column: 5, Message: "unexpected '='", Hint: "== compares"},
			"λ = = 1", `
error: unexpected '='
  a.lua:1: λ = = 1
               ^
  hint: == compares
`,
		},
		{
			"after the end", Problem{File: "a.lua", Line: 1, Column: 6, Message: "'end' expected"}, "do x(", `
error: 'end' expected
  a.lua:1: do x(
                ^
`,
		},
		{
			"nothing to mark", Problem{File: "a.lua", Line: 1, Message: "failed"}, "error('text')", `
error: failed
  a.lua:1: error('text')
`,
		},
		{"no source", Problem{File: "b.lua", Line: 3, Message: "m"}, "", "\nerror: m\n  b.lua:3\n"},
		{"no place", Problem{Message: "m\nmore"}, "", "\nerror: m\n  more\n"},
		{
			"calls", Problem{
				File: "a.lua", Line: 1, Message: "m",
				Traceback: []string{"a.lua:1: in function 'f'", "[G]: in function 'pcall'", "a.lua:9: in function 'g'", "a.lua:12: in main chunk"},
			}, "", "\nerror: m\n  a.lua:1: \n  called from a.lua:9: in function 'g'\n              a.lua:12: in main chunk\n",
		},
	} {
		got := "\n" + c.p.Text(source(c.src), terminal.Painter{})
		if got != c.want {
			t.Errorf("%s:%s\nwant%s", c.name, got, c.want)
		}
	}
}

func TestLongLine(t *testing.T) {
	line := strings.Repeat("a, ", 100) + "wrong" + strings.Repeat(", b", 100)
	got := Problem{File: "a.lua", Line: 1, Message: "'wrong' is not defined"}.Text(source(line), terminal.Painter{})
	lines := strings.Split(got, "\n")
	if len([]rune(lines[1])) > maxLine+12 {
		t.Errorf("the line has %d characters", len([]rune(lines[1])))
	}
	at := strings.Index(lines[2], "^^^^^")
	if at < 0 || lines[1][at:at+5] != "wrong" {
		t.Errorf("the mark is not below the word:\n%s", got)
	}
}

func TestManyCalls(t *testing.T) {
	var trace []string
	for range 30 {
		trace = append(trace, "a.lua:5: in function 'f'")
	}
	got := Problem{File: "a.lua", Line: 1, Message: "m", Traceback: trace}.Text(nil, terminal.Painter{})
	if n := strings.Count(got, "\n"); n > maxCalls+3 || !strings.Contains(got, "… 23 more") {
		t.Errorf("got\n%s", got)
	}
}

func FuzzText(f *testing.F) {
	f.Add("x = = 1", "unexpected '='", 1, 5)
	f.Add("λμ", "f: a 1: b\nmore", 1, 0)
	f.Add("\t'", "'", 1, 99)
	f.Fuzz(func(t *testing.T, src, message string, line, column int) {
		p := Problem{File: "a.lua", Line: line, Column: column, Message: message}
		p.Text(source(src), terminal.Painter{On: true}) // must not panic
	})
}
