package testrun

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greenbench/workbench/workbench/chunk"
)

// describe writes how a script was cut: a line for each chunk, and one for
// each of its steps with its kind, lines and expectations.
func describe(s *Script) string {
	var b strings.Builder
	kinds := []string{"wrapped", "inline", "value", "broken"}
	for _, c := range s.Chunks {
		fmt.Fprintf(&b, "%d-%d %s\n", c.Line, c.End, c.Name)
		for _, k := range c.Steps {
			st := s.Steps[k]
			fmt.Fprintf(&b, "  %s %d-%d", kinds[st.Kind], st.Line, st.End)
			for _, e := range st.Want {
				fmt.Fprintf(&b, " [%d > %s", e.Line, e.Text)
				if !e.Tol.Default {
					fmt.Fprintf(&b, " to %v", e.Tol)
				}
				b.WriteString("]")
			}
			for _, e := range st.WantError {
				fmt.Fprintf(&b, " [%d ! %s]", e.Line, e.Text)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func TestParseScript(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"empty", "", ""},
		{"nothing expected", "x = 1\n\n\ny = 2\n", "1-1 line 1\n4-4 line 4\n"},
		{"one line", "print(1)  --> 1", "1-1 line 1\n  value 1-1 [1 > 1]\n"},
		{"carriage returns", "print(1)  --> 1\r\n\r\nprint(2)  --> 2\r\n", "1-1 line 1\n  value 1-1 [1 > 1]\n3-3 line 3\n  value 3-3 [3 > 2]\n"},
		{"named by its comment", "-- The sum of two:\nprint(1 + 1) --> 2", "1-2 The sum of two\n  value 1-2 [2 > 2]\n"},
		{"twice the same name", "-- a\nf() --> 1\n\n-- a\nf() --> 2", "1-2 a\n  value 1-2 [2 > 1]\n4-5 a (line 4)\n  value 4-5 [5 > 2]\n"},
		{"setup before", "x = 1\ny = 2\nprint(x) --> 1\nx = 3\n", "1-4 line 1\n  wrapped 1-2\n  value 3-3 [3 > 1]\n  wrapped 4-4\n"},
		{"locals stay in line", "local x = 1\nprint(x) --> 1", "1-2 line 1\n  inline 1-1\n  value 2-2 [2 > 1]\n"},
		{"locals in blocks do not", "do local x = 1 end\nprint(x) --> 1", "1-2 line 1\n  wrapped 1-1\n  value 2-2 [2 > 1]\n"},
		{"what leaves the file does not", "if x then return end\nf() --> 1\ng(function() return 1 end) f() --> 2", "1-3 line 1\n  inline 1-1\n  value 2-2 [2 > 1]\n  wrapped 3-3 [3 > 2]\n"},
		{"a local that prints", "local x = f() --> 1", "1-1 line 1\n  inline 1-1 [1 > 1]\n"},
		{"a local that fails", "local x = f() --! bad", "1-1 line 1\n  wrapped 1-1 [1 ! bad]\n"},
		{"values", "1 + 1 --> 2\nx, y --> 1 2\n{1} --> t\n'a' --> a\n#x --> 1", "1-5 line 1\n  value 1-1 [1 > 2]\n  value 2-2 [2 > 1 2]\n  value 3-3 [3 > t]\n  value 4-4 [4 > a]\n  value 5-5 [5 > 1]\n"},
		{"assignments", "x = 1 --> 2", "1-1 line 1\n  wrapped 1-1 [1 > 2]\n"},
		{"more lines", "print(a)\n--> 1\n--> 2\nprint(b) --> 3\n         --> 4", "1-5 line 1\n  value 1-3 [2 > 1] [3 > 2]\n  value 4-5 [4 > 3] [5 > 4]\n"},
		{"a statement of several lines", "x = 1\nf{\n  a = 1, --> 1\n  b = 2,\n}\n--> 2\ny = 1", "1-7 line 1\n  wrapped 1-1\n  value 2-6 [3 > 1] [6 > 2]\n  wrapped 7-7\n"},
		{"a chain of methods", "x = 1\nobj\n  :one()\n  :two() --> 2", "1-4 line 1\n  wrapped 1-1\n  value 2-4 [4 > 2]\n"},
		{"a long sum", "x = 1 +\n\n  2 --> 3", "1-3 line 1\n  wrapped 1-3 [3 > 3]\n"},
		{"blank lines in blocks", "function f()\n\n  return 1\n\nend\nf() --> 1\n\nf() --> 1", "1-6 line 1\n  wrapped 1-5\n  value 6-6 [6 > 1]\n8-8 line 8\n  value 8-8 [8 > 1]\n"},
		{"blank lines in strings", "s = [[\n\n--> no\n\n]]\nprint(s) --> x", "1-6 line 1\n  wrapped 1-5\n  value 6-6 [6 > x]\n"},
		{"comments and strings that look alike", "print('--> 1') --> --> 1\n--[[ --> 2 ]] print(2) --> 2\nprint \"--! x\" -- --> 3", "1-3 line 1\n  value 1-1 [1 > --> 1]\n  value 2-2 [2 > 2]\n  wrapped 3-3\n"},
		{"errors", "f() --! a\n    --! b\nx = = 1 --! c\nnil + 1 --! d\nerror('e') --!", "1-5 line 1\n  wrapped 1-2 [1 ! a] [2 ! b]\n  broken 3-3 [3 ! c]\n  value 4-4 [4 ! d]\n  wrapped 5-5 [5 ! ]\n"},
		{"output and error", "f() --> 1\n    --! a", "1-2 line 1\n  wrapped 1-2 [1 > 1] [2 ! a]\n"},
		{"unfinished code", "f( --! eof\n---\nprint(1) --> 1\n\nfor i = 1 do --! x\n---\n\nprint(2) --> 2", "1-1 line 1\n  broken 1-1 [1 ! eof]\n3-3 line 3\n  value 3-3 [3 > 1]\n5-5 line 5\n  broken 5-5 [5 ! x]\n8-8 line 8\n  value 8-8 [8 > 2]\n"},
		{"dashes in a block are a comment", "do\n---\nend\nf() --> 1", "1-4 line 1\n  wrapped 1-3\n  value 4-4 [4 > 1]\n"},
		{"tolerances", "f() --> 1\n-- tol: 1e-3\nf() --> 1\n--tol: abs=1 ulp=2\n\nf() --> 1 -- tol: exact\nf() --> 1\n-- tol: default\nf() --> 1", "1-4 line 1\n  value 1-1 [1 > 1]\n  value 2-3 [3 > 1 to rel 1e-3]\n6-9 line 6\n  value 6-6 [6 > 1 to exact]\n  value 7-7 [7 > 1 to abs 1, 2 ulp]\n  value 8-9 [9 > 1]\n"},
		{"an expectation alone", "--> 1", "1-1 line 1\n  wrapped 1-1 [1 > 1]\n"},
		{"a byte order mark", "\ufeffprint(1) --> 1", "1-1 line 1\n  value 1-1 [1 > 1]\n"},
		{"a shebang", "#!/usr/bin/env x --> 1\nprint(1) --> 1", "2-2 line 2\n  value 2-2 [2 > 1]\n"},
	} {
		s, err := ParseScript(c.source)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := describe(s); got != c.want {
			t.Errorf("%s:\n%s\ngot\n%s\nwant\n%s\nprogram\n%s", c.name, c.source, got, c.want, s.Program)
		}
	}
}

func TestParseScriptErrors(t *testing.T) {
	for source, want := range map[string]string{
		"\n-- tol: tiny":                "line 2: tol: tiny: want a number",
		"x = 1 -- tol: 1":               "line 1: tol: must stand on a line of its own",
		"print(1) --> 1 -- tol: rel=-1": "line 1: tol: rel -1: must be a finite number >= 0",
	} {
		if _, err := ParseScript(source); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", source, err, want)
		}
	}
}

// checkScript checks what must hold for any source: chunks and steps follow
// each other, lines count the same in the program, and the program compiles
// when the source does.
func checkScript(t *testing.T, source string) {
	s, err := ParseScript(source)
	if err != nil {
		return
	}
	line, broken := 0, false
	for i, c := range s.Chunks {
		if c.Line <= line || c.End < c.Line {
			t.Fatalf("chunk %d has the lines %d to %d, after line %d", i, c.Line, c.End, line)
		}
		at := c.Line - 1
		for _, k := range c.Steps {
			st := s.Steps[k]
			if st.Chunk != i || st.Line <= at || st.End < st.Line || st.End > c.End {
				t.Fatalf("step %d has the lines %d to %d, after line %d in a chunk to line %d", k, st.Line, st.End, at, c.End)
			}
			at = st.End
			broken = broken || st.Kind == Broken
		}
		line = c.End
	}
	if n, m := strings.Count(source, "\n"), strings.Count(s.Program, "\n"); m != n+1 {
		t.Fatalf("%d line ends became %d", n, m)
	}
	plain := source
	if strings.HasPrefix(plain, "#") {
		plain = "--" + plain
	}
	// A line that begins with a bracket, a minus or the like continues the one
	// before in Lua, and does not where we cut.
	for i, l := range scanLines(source) {
		broken = broken || i > 0 && l.value
	}
	if !broken && compiles(plain) {
		if _, err := chunk.Parse("p", []byte(s.Program)); err != nil {
			t.Fatalf("the source compiles, the program does not: %v\n%s", err, s.Program)
		}
	}
}

// scriptSeeds are sources that once went wrong or touch the edges of the rules.
func scriptSeeds(t testing.TB) []string {
	paths, err := filepath.Glob("testdata/*.lua")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no seeds: %v", err)
	}
	seeds := []string{
		"", "\n\n", "x", "x --> 1", "#", "#!x\n--> 1", "--[[", "--[==[\n]]\n--> x", "'a\\\n\n--> b'\n--> c",
		"return 1 --> 1\n", "return --> 1", "do return end --> 1\nx()", "goto a --> 1\n::a:: f() --> 2",
		"local a --> 1\n\nlocal function f() end --! 2\nf() --> 3", "f\n(g) --> 1", "f 'x' --> 1\n'y' --> 2",
		"a = {\n\n} --> 1", "a = [[\n]] --> 1\n--> 2", "if x then --> 1\n--> 2\nend --> 3", "(f or g)() --> 1\n(f)() --> 2",
		"f( --! x\n---\ng() --> 1", "---\n---\n--> 1\n---", "x = 1 -- tol: 2", "-- tol: 1e-3\n--> 1 -- tol: exact",
		"a.b\n.c = 1 --> 1\n:d() --> 2", "x = -1\n-y --> 1", "f{1}\n{2} --> 1", "; --> 1", "f();;; --> 1",
	}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, string(b))
	}
	return seeds
}

func TestProgram(t *testing.T) {
	for _, s := range scriptSeeds(t) {
		checkScript(t, s)
	}
}

func FuzzParseScript(f *testing.F) {
	for _, s := range scriptSeeds(f) {
		f.Add(s)
	}
	f.Fuzz(checkScript)
}
