package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

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
			"among blanks", Problem{File: "a.lua", Line: 1, Column: 4, Message: "a value is missing"}, "x =   -- 1", `
error: a value is missing
  a.lua:1: x =   -- 1
              ^
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

// The mark stands under the expression that the message is about, wherever else
// its words stand. The sources say by « and » what is to be marked.
func TestMark(t *testing.T) {
	for _, c := range []struct{ src, message string }{
		{"local k = kernel.se{}; green.fit{data = d, «kernel»='se'}", "green.fit: kernel: want a kernel, got a string (\"se\")"},
		{"local kernel = kernel green.fit{«kernel» = 3}", "green.fit: kernel: want a kernel, got a number (3)"},
		{"local q = nil; «q»()", "attempt to call nil: 'q'"},
		{"q = {q = 1} q(«q».x.y)", "attempt to index nil: 'q' (field 'x')"},
		{"local t = {} t.x = «t.x».y", "attempt to index nil: 't.x' (field 'y')"},
		{"local t = {} t.x = «t.x»:y()", "attempt to index nil: 't.x' (field 'y')"},
		{"local go = {} m.go = 1 m:«go»()", "attempt to call nil: method 'go' of 'm'"},
		{"local t = {} «t.go»(t)", "attempt to call nil: 't.go'"},
		{"x = 1; x = x + «y» -- y", "attempt to do arithmetic (+) on nil: 'y'"},
		{"y = y .. «x»", "attempt to concatenate nil: 'x'"},
		{"x = 3 > 2 and «x» < 'a'", "attempt to compare nil with string: 'x'"},
		{"d = 1 print(#«d»)", "attempt to get the length of a number: 'd'"},
		{"rep = 1 ('x'):rep(«rep», 2)", "bad argument #2 to 'rep' (number expected, got table)"},
		{"string.rep(1, «{}»)", "bad argument #2 to 'rep' (number expected, got table)"},
		{"matern = 1 k.«matern»()", "a kernel has no 'matern'"},
		{"matren = kernel.«matren»{}", "module 'kernel' has no 'matren'; did you mean 'matern'?"},
		{"nu = 1 kernel.matern{lengthscale = 1, «nu» = -1}", "kernel.matern: nu -1: must be > 0"},
		{"terms = f(1) sum{«terms» = {1, 2}}", "sum: terms[2]: want a string"},
		{"nuu = 1 kernel.matern{«nuu» = 1}", "kernel.matern: unknown argument 'nuu'; did you mean 'nu'?"},
		{"n = 3; mesh.uniform(0, 1, «-n»)", "mesh.uniform: n -3: must be at least 2\n  usage: mesh.uniform(a, b, n [, name])"},
		{"lambda = 1 e = est:«error»{}", "estimate:error: got 0 of data, green and bias: give exactly one"},
		{"k = kernel.matern{\n  nu = 1,\n  «lengthscale» = -1}", "kernel.matern: lengthscale -1: must be > 0"},
		{"x = 'λ' \t«q»()", "attempt to call nil: 'q'"},
	} {
		want, before := 1, ""
		plain := strings.NewReplacer("«", "", "»", "").Replace(c.src)
		for i, line := range strings.Split(c.src, "\n") {
			if at, _, ok := strings.Cut(line, "«"); ok {
				want, before = i+1, at
			}
		}
		_, marked, _ := strings.Cut(c.src, "«")
		marked, _, _ = strings.Cut(marked, "»")
		got := strings.Split(Problem{File: "a.lua", Line: 1, Message: c.message}.Text(source(plain), terminal.Painter{}), "\n")
		place := fmt.Sprintf("  a.lua:%d: ", want)
		if !strings.HasPrefix(got[1], place) || got[2] != strings.Repeat(" ", len(place)+utf8.RuneCountInString(before))+strings.Repeat("^", len(marked)) {
			t.Errorf("%s\n%s", c.src, strings.Join(got, "\n"))
		}
	}
}

// TestNoMark: where several places may be meant, none is marked; where one is, it is.
func TestNoMark(t *testing.T) {
	for src, marked := range map[string]bool{
		"b = a.k; b.k.z = 3":       false, // a or b
		"a.k = 1; a.k = a.k + a.k": true,
		"a.k = 1":                  true,
	} {
		text := Problem{File: "a.lua", Line: 1, Message: "attempt to index a number (field 'k')"}.Text(source(src), terminal.Painter{})
		if strings.Contains(text, "^") != marked {
			t.Errorf("%s\n%s", src, text)
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

// A message of any length is shown at once, its beginning.
func TestLongMessage(t *testing.T) {
	got := Problem{File: "a.lua", Line: 1, Message: strings.Repeat("λ", 50_000_000)}.Text(source("error(x)"), terminal.Painter{})
	if len(got) > 2*maxMessage || !utf8.ValidString(got) || !strings.Contains(got, "λ… (99990000 more bytes)") {
		t.Errorf("%d bytes, the end is %q", len(got), got[len(got)-200:])
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
	f.Add("kernel.matern{\nnu = 1}", "kernel.matern: nu -1: must be > 0\n usage: kernel.matern(nu)", 1, 0)
	f.Add("x:y()", "attempt to call nil: method 'y' of 'x'", 1, 0)
	f.Fuzz(func(t *testing.T, src, message string, line, column int) {
		p := Problem{File: "a.lua", Line: line, Column: column, Message: message}
		p.Text(source(src), terminal.Painter{On: true}) // must not panic
	})
}
