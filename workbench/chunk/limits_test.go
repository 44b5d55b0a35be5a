package chunk_test

import (
	"fmt"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
	gparse "github.com/yuin/gopher-lua/parse"

	"github.com/greenbench/workbench/workbench/chunk"
)

// TestLimits checks that texts which would break gopher-lua's compiler, or silently be compiled wrongly, are refused with a
// message, and that those just inside the limits work.
func TestLimits(t *testing.T) {
	names := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf("v%d", i)
		}
		return strings.Join(list, ", ")
	}
	locals := func(n int) string { return "local " + names(n) + " = 1\n" }
	nest := func(n int) string { return strings.Repeat("for i = 1, s do s = s + i ", n) + strings.Repeat("end ", n) }
	for _, c := range []struct{ name, text, want string }{
		{"nesting", strings.Repeat("do ", 190) + strings.Repeat("end ", 190), ""},
		{"nesting", strings.Repeat("do ", 250) + strings.Repeat("end ", 250), "more than 200 levels of nesting"},
		{"braces", "x = " + strings.Repeat("{", 2_000_000), "more than 200 levels of nesting"},
		{"parentheses", "x = " + strings.Repeat("(", 100_000), "more than 200 levels of nesting"},
		{"minus", "x = " + strings.Repeat("- ", 100_000), "more than 200 levels of nesting"},
		{"functions", strings.Repeat("f = function() ", 300), "more than 200 levels of nesting"},
		{"powers", "x = " + strings.Repeat("2^", 300) + "1", "more than 200 levels of nesting"},
		{"sum", "x = 1" + strings.Repeat(" + y", 5000), ""},
		{"sum", "x = 1" + strings.Repeat(" + y", 20_000), "more than 10000 operations"},
		{"calls", "f" + strings.Repeat("()", 20_000), "more than 10000 operations"},
		{"fields", "x = t" + strings.Repeat(".x", 20_000), "more than 10000 operations"},
		{"branches", "if x then " + strings.Repeat("elseif y then ", 900) + "end", ""},
		{"branches", "if x then " + strings.Repeat("elseif y then ", 2000) + "end", "more than 1000 branches"},
		{"items", "t = {" + strings.Repeat("1,", 25_000) + "}", ""},
		{"items", "t = {" + strings.Repeat("1,", 25_001) + "}", "a table constructor of 25001 items"},
		{"items inside", "t = {{" + strings.Repeat("1,", 30_000) + "}}", "a table constructor of 30000 items"},
		{"locals", locals(150) + "a, b, c = c, b, a", ""},
		{"locals", locals(250), "needs more than 200 variables"},
		{"loops in loops", "local s = 0 " + nest(45), ""},
		{"loops of many locals", strings.Repeat("for i = 1, n do ", 8) + locals(150) + strings.Repeat("v0 = v1 end ", 8), ""},
		{"locals in a function", "x = 1\nfunction f()\n" + locals(250) + "end", "the function at line 2 needs more than 200 variables"},
		{"registers", "f(" + strings.Repeat("1,", 250) + "1)", "needs more than 200 variables"},
		{
			"upvalues",
			locals(150) + "function f()\n" + strings.ReplaceAll(locals(150), "v", "w") + "return function() return " + names(150) + ", " + strings.ReplaceAll(names(150), "v", "w") + " end end",
			"needs more than 200 variables",
		},
		{
			"upvalues in statements",
			locals(150) + "function f()\n" + strings.ReplaceAll(locals(150), "v", "w") + "return function()\n" +
				strings.ReplaceAll(names(150), ",", " = 1;") + " = 1; " + strings.ReplaceAll(strings.ReplaceAll(names(150), "v", "w"), ",", " = 1;") + " = 1 end end",
			"more than 255 variables of the functions around it",
		},
		{"long loop", "while x do\n" + strings.Repeat("y = y + 1\n", 50_000) + "end", "is too long to compile"},
		{"operands", "x = a" + strings.Repeat(" .. a", 150), ""},
		{"operands", "x = a" + strings.Repeat(" .. a", 500), "more than 200 levels of nesting"},
	} {
		_, err := chunk.Compile("case.lua", []byte(c.text))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, %d bytes: got %v, want %q", c.name, len(c.text), err, c.want)
		}
	}
}

// TestLines checks that rewritten code keeps the lines of the source: an error inside a statement over several lines is
// reported where it is.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		text string
		line int
	}{
		{"local a, b\na, b =\n  1,\n  nil + 1", 4},
		{"local t = {}\nt.x.y,\n  b = 1, 2", 2},
		{"local s = 'a' ..\n  'b' ..\n  nil", 1},
		{"local f\nlocal x = 1 +\n  f(\n)", 3},
		{"local o = {}\no\n  :m(1)", 3},
		{"for i = 1, 2 do\n  for j = 1, 2 do\n    local f = function() return j end\n    if i == 2 then break end\n    error('x')\n  end\nend", 5},
		{"local function f()\n  error('x')\nend\n\nf()", 2},
		{"local t = {1, 2,\n  k = nil .. 'x'}", 2},
		{"goto skip\ndo local x end\n::skip::\nerror('x')", 4},
	} {
		got := output(t, "case.lua", c.text)
		if want := fmt.Sprintf("case.lua:%d: ", c.line); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n got %s\nwant %s…", c.text, got, want)
		}
	}
}

// TestShebang checks that a first line for the system, and a byte order mark, are skipped and counted.
func TestShebang(t *testing.T) {
	for _, text := range []string{"#!/usr/bin/env workbench\nerror('x')", "\ufeff#!workbench\nerror('x')", "\ufeff\nerror('x')", "#only\r\nerror('x')"} {
		if got := output(t, "case.lua", text); got != "case.lua:2: x" {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// TestDeterministic compiles a chunk twice and compares instructions, constants and names.
func TestDeterministic(t *testing.T) {
	for i, s := range sections(t, "testdata/corpus.txt") {
		if i%10 != 0 {
			continue
		}
		var texts [2]string
		for k := range texts {
			proto, err := chunk.Compile("case.lua", []byte(s.text))
			if err != nil {
				t.Fatal(err)
			}
			hide(proto)
			texts[k] = proto.String()
		}
		if texts[0] != texts[1] {
			t.Errorf("%s: compiled differently the second time", s.title)
		}
	}
}

// hide replaces functions among the constants, whose addresses differ.
func hide(p *lua.FunctionProto) {
	for i, c := range p.Constants {
		if c.Type() == lua.LTFunction {
			p.Constants[i] = lua.LString("hidden function")
		}
	}
	for _, inner := range p.FunctionPrototypes {
		hide(inner)
	}
}

// TestHiddenStrings checks that a program may contain the strings that stand for hidden constants.
func TestHiddenStrings(t *testing.T) {
	const text = `local s = "\0hidden concat"; local t = "\0hidden 'concat"; print(#s, #(s .. t), s == "\0hidden " .. "concat", -0)`
	if got, want := output(t, "case.lua", text), "14\t29\ttrue\t-0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestExpression checks which input of a prompt is an expression, a statement, incomplete or wrong.
func TestExpression(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1 + 1", "expression"},
		{"a, b", "expression"},
		{"f()", "expression"},
		{"x", "expression"},
		{"1;", "expression"},
		{"x = 1", "statement"},
		{"", "statement"},
		{"local x", "statement"},
		{"return 1", "statement"},
		{"-- comment", "statement"},
		{"x = 1; y = 2", "statement"},
		{"f() g()", "statement"},
		{"for i = 1, 2 do end", "statement"},
		{"x =", "incomplete"},
		{"1 +", "incomplete"},
		{"f(", "incomplete"},
		{"{1,", "incomplete"},
		{"function f()", "incomplete"},
		{"if x then", "incomplete"},
		{"[[abc", "incomplete"},
		{"--[[ abc", "incomplete"},
		{"x = function()", "incomplete"},
		{"not", "incomplete"},
		{"a.", "incomplete"},
		{"\"a\\\n", "incomplete"},
		{"\"a\\", "incomplete"},
		{"\"a\\z", "incomplete"},
		{"\"a\\z  \n ", "incomplete"},
		{"\"a\\\nb", "wrong"},
		{"\"a\\q", "wrong"},
		{"#", "statement"},
		{"x = {\n a = 1,", "incomplete"},
		{"\"abc", "wrong"},
		{"1 1", "wrong"},
		{"x = = 1", "wrong"},
		{"end", "wrong"},
		{")", "wrong"},
		{"x y", "wrong"},
		{"if x then else else", "wrong"},
		{"x = 5 +* 3", "wrong"},
		{"f(1", "incomplete"},
		{"f(1))", "wrong"},
		{"(1", "incomplete"},
		{"print(\"a)", "wrong"},
	} {
		tree, err := chunk.ParseInput("stdin", []byte(c.text))
		got := "statement"
		switch e, _ := err.(*chunk.SyntaxError); {
		case e != nil && e.Incomplete:
			got = "incomplete"
		case e != nil:
			got = "wrong"
		case len(tree.Block) == 1 && !strings.HasPrefix(c.text, "return"):
			if _, alone := chunk.ParseExpression("stdin", []byte(c.text)); alone == nil {
				got = "expression"
			}
		}
		if got != c.want {
			t.Errorf("%q: got %s (%v), want %s", c.text, got, err, c.want)
		}
	}
}

// TestSpans checks the places of nodes: the text of a span, and line and column in characters.
func TestSpans(t *testing.T) {
	if _, err := chunk.Parse("case.lua", []byte("local ⊗ = 'é'\n")); err == nil {
		t.Fatal("a name that is no letter was accepted")
	}
	const text = "x = 'é' .. kernel.matern{nu = 1}.y\nf(x)"
	tree, err := chunk.Parse("case.lua", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, s := range tree.Block {
		span, ok := tree.Span(s)
		if !ok {
			t.Fatal("a statement without a span")
		}
		line, col := tree.Position(span.Start)
		found = append(found, fmt.Sprintf("%d:%d %s", line, col, tree.Source[span.Start:span.End]))
	}
	if got, want := strings.Join(found, "|"), "1:1 x = 'é' .. kernel.matern{nu = 1}.y|2:1 f(x)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if line, col := tree.Position(strings.Index(text, "kernel")); line != 1 || col != 12 {
		t.Errorf("position %d:%d, want 1:12", line, col)
	}
}

// FuzzCompile feeds arbitrary text to the parser and the compiler: neither may panic, errors have a position, and what
// gopher-lua's own parser reads the same way it reads into the same tree.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		"x = 1", "local a, b = b, a", "for i = 1, 2 do break end", "t = {1, 2, k = f()}", "x = [==[ ]==]", "s = \"\\x41\\z  b\"",
		"goto a ::a::", "return ...", "x = 0x1p4 + 1e400", "-- comment", "#!x\nf'a'{b}(c)", "a.b['c']:d(...)", "if a then elseif b then else end",
		"repeat local x until x", "x = not a and b or c .. d", "function a.b:c(...) end", "x = \"\x00hidden concat\"", "f(", "\"", "[[", "--[[", "0x", "1..2",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := chunk.Parse("case.lua", []byte(text))
		if err != nil {
			if e, ok := err.(*chunk.SyntaxError); !ok || e.Line < 1 || e.Message == "" {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		theirs, err := gparse.Parse(strings.NewReader(text), "case.lua")
		if err == nil && !strings.ContainsAny(text, "\\\r#\ufeff\v\f0123456789") { // read differently on purpose: escapes, line ends, numerals
			if a, b := gparse.Dump(tree.Block), gparse.Dump(theirs); a != b {
				t.Errorf("%q\n got %s\nwant %s", text, a, b)
			}
		}
		if _, err := tree.Compile(); err != nil && strings.Contains(err.Error(), "internal error") {
			t.Errorf("%q: %v", text, err)
		}
	})
}
