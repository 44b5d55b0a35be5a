package input

import (
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/workbench/chunk"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		text       string
		incomplete bool
		wrong      bool
		code       string // "" when it stays as it is
		locals     string
		quiet      bool
	}{
		{text: "1+1"},
		{text: "x = 1"},
		{text: "x ="}, // below
		{text: "1+1;", quiet: true},
		{text: "= 1+1", code: "  1+1"},
		{text: "x = 3; x", code: "x = 3; return x"},
		{text: "x = 3; x;", code: "x = 3; return x;", quiet: true},
		{text: "local x = 3; x", code: "      x = 3; return x", locals: "x"},
		{text: "local a, b = 1, 2", code: "      a, b = 1, 2", locals: "a b"},
		{text: "for i = 1, 2 do local y = i end"},
		{text: "for i = 1, 2 do", incomplete: true},
		{text: "f(", incomplete: true},
		{text: "s = [[ a", incomplete: true},
		{text: "--[[ a", incomplete: true},
		{text: "1 +", incomplete: true},
		{text: "function f(", incomplete: true},
		{text: "s = 'abc", wrong: true},
		{text: "1 2", wrong: true},
		{text: "end", wrong: true},
		{text: "x == 1"},
		{text: "== 1", wrong: true},
		{text: ""},
		{text: "-- only a comment"},
	} {
		if c.text == "x =" {
			c.incomplete = true
		}
		r := Read("in", c.text)
		want := c.code
		if want == "" {
			want = c.text
		}
		if r.Incomplete != c.incomplete || (r.Err != nil) != (c.wrong || c.incomplete) || r.Quiet != c.quiet ||
			strings.Join(r.Locals, " ") != c.locals || r.Err == nil && r.Code != want {
			t.Errorf("%q: %+v", c.text, r)
		}
	}
}

// Every beginning of a complete program, cut at a line end, is complete or
// incomplete, never wrong: a pasted block arrives line by line.
func TestBeginnings(t *testing.T) {
	program := `-- a block of everything
local function norm(v, p)
  p = p or 2
  local s = 0
  for i, x in ipairs(v) do
    s = s + math.abs(x) ^ p
  end
  return s ^ (1 / p)
end

t = {
  1, 2,
  text = [[
    several
    lines]],
  [3] = function(...)
    return select("#", ...)
  end,
}
if #t > 1 then
  print(norm({1, 2}))
elseif t then
  --[==[ not
  this ]==]
  repeat
    t = nil
  until not t
else
  while true do break end
end
k = kernel.matern{
  nu = 2.5,
}`
	var in Block
	var chunks int
	for _, l := range strings.Split(program, "\n") {
		in.Add(l)
		switch r := in.Read("in"); {
		case r.Incomplete:
		case r.Err != nil:
			t.Fatalf("%q: %v", in.Text(), r.Err)
		default:
			chunks++
			in.Reset()
		}
	}
	if chunks != 6 || !in.Empty() { // comment, function, blank, table, if, call
		t.Errorf("%d chunks, left %q", chunks, in.Text())
	}
}

// A block of thousands of lines is read in time proportional to its length,
// and ends where it ends.
func TestLongBlock(t *testing.T) {
	var in Block
	in.Add("function long()")
	for range 5000 {
		in.Add("  x = f(1, {2, 3})")
		if r := in.Read("in"); !r.Incomplete {
			t.Fatal("the block ended early")
		}
	}
	in.Add("end")
	if r := in.Read("in"); r.Incomplete || r.Err != nil {
		t.Errorf("incomplete %v, %v", r.Incomplete, r.Err)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"1+1", "x = 3; x", "local x\n(f)()", "for i=1,2 do\n", "f(", "[[", "--[==[\n]]", "= 1", "'a\\\n", "local function f() return 1 end; f",
		"if x then\nelse", "{;}", "return 1; x", "goto a ::a::", "x=1;", "a.b:c", "function f(...)\nreturn ...\nend",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := Read("in", text)
		if r.Err == nil {
			// What is said to be complete compiles, whatever was rewritten.
			if _, err := chunk.ParseInput("in", []byte(r.Code)); err != nil {
				t.Fatalf("%q is complete, but its code %q: %v", text, r.Code, err)
			}
			if slices.Contains(r.Locals, "") {
				t.Fatalf("%q: locals %q", text, r.Locals)
			}
		}
		if r.Incomplete && r.Err == nil {
			t.Fatalf("%q: incomplete without an error", text)
		}
		var in Block
		in.Add(text)
		if got := in.Read("in"); got.Incomplete != r.Incomplete && len(in.lines) <= parseAlways {
			t.Fatalf("%q: line by line %v, at once %v", text, got.Incomplete, r.Incomplete)
		}
	})
}
