package syntax

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// programs are complete pieces of Lua that use every lexical form.
func programs() []string {
	return []string{
		"", "x = 1", "return 1 + 1", "local x", "local x; local y, z = 1", "local a, b = 1, 2 a, b = b, a",
		"local function f(n) local m = n return m end return f(3)",
		"for i = 1, 3 do local y = i end", "while false do end", "repeat local z = 1 until z == 1",
		"if x then y = 1 elseif z then y = 2 else y = 3 end",
		"-- a comment\nx = 1 -- another ]] with brackets\n--[==[ long\n]] still ]==] y = 2",
		"s = [[\nfirst\nsecond ]=] \"quoted\" \\n]] t = [==[a\r\nb]==]",
		"s = 'it\\'s' .. \"a\\\nb\" .. \"\\\\\"",
		"t = {1, 2; scale = math.exp(0), [\"k\"] = function() end}\nprint(#t, t[1], t.scale)",
		"x = 0x1F + 1e-3 + .5 + 3. + 2^10 .. 'x'",
		"goto done do x = 1 end ::done::",
		"local x\n(print or error)(x)",
		"f{\n  nu = 2.5, -- smoothness\n  lengthscale = .1 -- ends with a bracket ]\n}",
		"x = not a and b or c ~= d and a >= b and a <= b and a == b",
		"function m.sub:method(...) return select('#', ...) end",
		"a = 1;\n-- only a comment\n\n\n",
		"if x then else end if y then local w = 1 end local v = 2",
	}
}

// dump shows the syntax tree without its line numbers.
func dump(t *testing.T, src string) string {
	t.Helper()
	tree, err := parse.Parse(strings.NewReader(src), "test")
	if err != nil {
		t.Fatalf("%q does not parse: %v", src, err)
	}
	return parse.Dump(tree)
}

func parses(src string) bool {
	_, err := parse.Parse(strings.NewReader(src), "test")
	return err == nil
}

func TestTokensAreTheSource(t *testing.T) {
	for _, src := range programs() {
		checkCover(t, src)
	}
}

// checkCover holds the tokens to their contract: none is empty, put together they are the
// source, and lines count as the reference counts them.
func checkCover(t *testing.T, src string) {
	t.Helper()
	end, line := 0, 1
	for _, tok := range Tokens(src) {
		if tok.Start != end || tok.End <= tok.Start || tok.End > len(src) {
			t.Fatalf("%q: token %+v after byte %d", src, tok, end)
		}
		if tok.Line != line {
			t.Fatalf("%q: token %q in line %d, want %d", src, tok.Text(src), tok.Line, line)
		}
		end = tok.End
		line += len(lineBreak.FindAllString(tok.Text(src), -1))
	}
	if end != len(src) {
		t.Fatalf("%q: %q was left over", src, src[end:])
	}
}

var lineBreak = regexp.MustCompile("\r\n|\n\r|\n|\r")

// A token read by itself is the same token: no kind depends on what came before.
func checkAlone(t *testing.T, src string) {
	t.Helper()
	for _, tok := range Tokens(src) {
		alone := Tokens(tok.Text(src))
		if strings.HasPrefix(tok.Text(src), "#!") {
			continue // a comment in the first line only
		}
		if len(alone) != 1 || alone[0].Kind != tok.Kind || alone[0].Open != tok.Open {
			t.Fatalf("%q: the token %q alone is %+v, not %+v", src, tok.Text(src), alone, tok)
		}
	}
}

func TestKinds(t *testing.T) {
	src := `local s = [[x]] .. "y" --[[c]] ~= 1e3 λ -- end`
	var got []Kind
	for _, tok := range Tokens(src) {
		got = append(got, tok.Kind)
	}
	want := []Kind{Keyword, Name, Op, Long, Op, String, LongComment, Op, Number, Name, Comment}
	got = slices.DeleteFunc(got, func(k Kind) bool { return k == Blank })
	if !slices.Equal(got, want) {
		t.Errorf("kinds %v, want %v", got, want)
	}
	words := Keywords()
	if !slices.IsSorted(words) || len(slices.Compact(slices.Clone(words))) != len(words) {
		t.Errorf("keywords %q: sorted, each once", words)
	}
	for _, k := range words {
		if !IsKeyword(k) || IsName(k) || IsKeyword(k+"s") || !IsName(k+"s") {
			t.Errorf("%s is listed but not recognised", k)
		}
	}
	for _, s := range []string{"", "1a", "a.b", "a ", " a", "∂", "²", "1λ", "a-b"} {
		if IsName(s) {
			t.Errorf("%q is no name", s)
		}
	}
	for _, s := range []string{"λ", "σ²", "x₁", "变量", "ö_1", "_é"} {
		if !IsName(s) {
			t.Errorf("%q is a name", s)
		}
	}
}

func TestUnclosed(t *testing.T) {
	for _, src := range []string{"x = [[a\nb", "--[==[ c ]]", `x = "a`, "x = 'a\ny = 1"} {
		open := false
		for _, tok := range Tokens(src) {
			open = open || tok.Open
		}
		if !open {
			t.Errorf("%q: nothing is reported open", src)
		}
	}
}

func TestFlattenKeepsTheMeaning(t *testing.T) {
	for _, src := range programs() {
		flat := Flatten(src)
		if strings.ContainsAny(flat, "\n\r") {
			t.Errorf("Flatten(%q) = %q has several lines", src, flat)
		}
		if got, want := dump(t, flat), dump(t, src); got != want {
			t.Errorf("Flatten(%q) = %q means\n%s\nwant\n%s", src, flat, got, want)
		}
	}
}

// A complete program is balanced after its last line, and cutting a block
// short leaves it open.
func TestBalance(t *testing.T) {
	for _, src := range programs() {
		if open(src) {
			t.Errorf("%q parses, but counts as open", src)
		}
	}
	for _, src := range []string{
		"for i=1,2 do", "f(", "t = {\n1,", "s = [[\n", "--[[", "if x then\nelse", "repeat", "x = 'a\\", "function f()",
	} {
		if !open(src) {
			t.Errorf("%q counts as closed", src)
		}
	}
}

func open(src string) bool {
	var b Balance
	for _, l := range strings.Split(src, "\n") {
		b.Add(l)
	}
	return b.Open()
}

func TestGlobalise(t *testing.T) {
	for _, c := range []struct {
		src, out string
		names    []string
	}{
		{"x = 1", "x = 1", nil},
		{"local x = 1", "      x = 1", []string{"x"}},
		{"local x", "      x = nil;", []string{"x"}},
		{"local x;", "      x = nil;", []string{"x"}},
		{"local x, y y = 2", "      x, y = nil; y = 2", []string{"x", "y"}},
		{"local a, b = f()", "      a, b = f()", []string{"a", "b"}},
		{"local function f() local y = 1 end", "      function f() local y = 1 end", []string{"f"}},
		{"do local x = 1 end", "do local x = 1 end", nil},
		{"t = {function() local q end}", "t = {function() local q end}", nil},
		{"-- local x\ns = 'local y'", "-- local x\ns = 'local y'", nil},
		{"local x\n(print)(1)", "      x = nil;\n(print)(1)", []string{"x"}},
		{"local x = 1 for i=1,2 do local z = i end local y = 2", "      x = 1 for i=1,2 do local z = i end       y = 2", []string{"x", "y"}},
	} {
		out, names := Globalise(c.src)
		if out != c.out || !slices.Equal(names, c.names) {
			t.Errorf("Globalise(%q) = %q %q, want %q %q", c.src, out, names, c.out, c.names)
		}
	}
}

// No outermost local is left, in any program, and the result parses.
func TestGlobaliseLeavesNoLocal(t *testing.T) {
	for _, src := range programs() {
		out, _ := Globalise(src)
		checkGlobal(t, src, out)
	}
}

func checkGlobal(t *testing.T, src, out string) {
	t.Helper()
	tree, err := parse.Parse(strings.NewReader(out), "test")
	if err != nil {
		t.Fatalf("Globalise(%q) = %q: %v", src, out, err)
	}
	for _, s := range tree {
		if _, ok := s.(*ast.LocalAssignStmt); ok {
			t.Fatalf("Globalise(%q) = %q still declares a local", src, out)
		}
	}
}

func TestBeginnings(t *testing.T) {
	for src, want := range map[string]string{
		"x = 3; x":                               "x",
		"x = 3;":                                 "",
		"f(function() a = 1; b = 2 end)":         "",
		"t = {1; 2}":                             "",
		"a = 1; b = 2; a + b":                    "a + b|b = 2; a + b",
		"local e = f{\n a = 1,\n}\ne\n":          "e\n",
		"for i = 1, 2 do\n f(i)\nend\n-- a\ng()": "g()",
	} {
		var got []string
		for _, at := range Beginnings(src) {
			got = append(got, src[at:])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

func TestEndsWithSemicolon(t *testing.T) {
	if !EndsWithSemicolon("x = 1; -- done") || EndsWithSemicolon("s = ';'") || EndsWithSemicolon("") {
		t.Error("the semicolon that suppresses output is the last token, comments aside")
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"λ":          `"λ"`,
		"a\x00b\x7f": `"a\000b\127"`,
		"\xff":       `"\255"`,
		"\\\t\r":     `"\\\t\r"`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, src := range programs() {
		f.Add(src)
	}
	for _, src := range []string{"x = [==[", "'\\", "\"\\\n", "--[=", "#!/bin/sh\nx=1", "1..2", "0x", "a\x00b", "λ=1", "]]", "local", "local x,"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		checkCover(t, src)
		checkAlone(t, src)
		flat := Flatten(src)
		// A NUL ends the line for gopher-lua's scanner in some places and not in
		// others, and a lone carriage return is its line end but not ours.
		if strings.ContainsAny(src, "\x00\r\v\f") || !parses(src) {
			return
		}
		if strings.Contains(flat, "\n") || !parses(flat) {
			t.Fatalf("Flatten(%q) = %q", src, flat)
		}
		if dump(t, flat) != dump(t, src) {
			t.Fatalf("Flatten(%q) = %q means something else", src, flat)
		}
		if open(src) {
			t.Fatalf("%q parses, but counts as open", src)
		}
		out, _ := Globalise(src)
		checkGlobal(t, src, out)
	})
}
