package show

import (
	"strconv"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/repl/terminal"
)

func printer() *Printer {
	return &Printer{
		Width: 40, Rows: 24, Depth: 4, Items: 50,
		Number:   func(x float64) string { return strconv.FormatFloat(x, 'g', 14, 64) },
		Describe: func(v lua.LValue) string { return "<" + v.Type().String() + ">" },
		Function: func(f *lua.LFunction) (string, bool) { return "named(x)", f.IsG },
	}
}

// run evaluates an expression in a bare state.
func run(t *testing.T, src string) lua.LValue {
	t.Helper()
	L := lua.NewState()
	t.Cleanup(L.Close)
	fn, err := L.Load(strings.NewReader("return "+src), "in")
	if err != nil {
		t.Fatal(err)
	}
	L.Push(fn)
	L.Call(0, 1)
	return L.Get(-1)
}

func TestValue(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"1/3", "0.33333333333333"},
		{"'a\\nb'", "a\nb"},
		{"nil", "nil"},
		{"true", "true"},
		{"{}", "{}"},
		{"{1, 2, 'x'}", `{1, 2, "x"}`},
		{"{x = 1, ['a b'] = '\"', [2.5] = {}, [true] = nil}", `{x = 1, ["a b"] = "\"", [2.5] = {}}`},
		{"{['end'] = 1}", `{["end"] = 1}`},
		{"{1, nil, 3}", "{1, nil, 3}"},
		{"{{{{{1}}}}}", "{{{{{…}}}}}"},
		{"print", "function named(x)"},
		{"function()\nend", "function (in:1)"},
		{"setmetatable({}, {__tostring = print})", "<table>"},
		{
			"{name = 'a long name for a thing', size = 3, nested = {1, 2, 3}}",
			"{\n  name = \"a long name for a thing\",\n  size = 3,\n  nested = {1, 2, 3}\n}",
		},
		{
			"{1111111111,2222222222,3333333333,4444444444,5555555555}",
			"{\n  1111111111, 2222222222, 3333333333,\n  4444444444, 5555555555\n}",
		},
		{
			"{{name = 'first run', n = 20, error = 0.125}, {name = 'second run', n = 1000}, {name = '3rd', n = -1, note = {1}}}",
			"   name           n  error  note\n1  first run     20  0.125\n2  second run  1000\n3  3rd           -1         {1}",
		},
		{
			"{{a = 1111111111111111, b = 222222222222222222}, {1}}",
			"{\n  {\n    a = 1.1111111111111e+15,\n    b = 2.2222222222222e+17\n  },\n  {1}\n}",
		},
		{
			"{{1,2},{3,4},name='xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'}",
			"{\n  {1, 2}, {3, 4},\n  name = \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"\n}",
		},
	} {
		if got := printer().Value(run(t, c.src)); got != c.want {
			t.Errorf("%s shows\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
}

func TestCycle(t *testing.T) {
	v := run(t, "(function() local t = {1}; t.self = t; t.twice = {t[1]}; return t end)()")
	if got := printer().Value(v); !strings.Contains(got, "self = {…} (the table itself)") {
		t.Errorf("got %s", got)
	}
}

func TestManyItems(t *testing.T) {
	v := run(t, "(function() local t = {} for i = 1, 1000 do t[i] = i end return t end)()")
	got := printer().Value(v)
	if !strings.Contains(got, " 50,") || strings.Contains(got, "51") || !strings.Contains(got, "… 950 more") {
		t.Errorf("got %s", got)
	}
}

func TestFold(t *testing.T) {
	p := printer()
	long := strings.TrimSuffix(strings.Repeat("line\n", 100), "\n")
	got := strings.Split(p.Fold(long), "\n")
	if len(got) != p.Rows-2 || !strings.Contains(p.Fold(long), "⋮ 79 more lines") {
		t.Errorf("%d lines:\n%s", len(got), p.Fold(long))
	}
	p.Rows = 0
	if p.Fold(long) != long {
		t.Error("folded without a screen")
	}
}

func TestValues(t *testing.T) {
	p := printer()
	if got := p.Values([]lua.LValue{lua.LNumber(1), lua.LTrue}); got != "1    true" {
		t.Errorf("got %q", got)
	}
	if got := p.Values([]lua.LValue{lua.LString("a\nb"), lua.LTrue}); got != "a\nb\ntrue" {
		t.Errorf("got %q", got)
	}
}

// Colour changes nothing that is visible, the layout included.
func TestColourKeepsTheLayout(t *testing.T) {
	plain, colored := printer(), printer()
	colored.Paint = terminal.Painter{On: true}
	for _, src := range []string{"{1, 'two', true, {x = {y = 'z'}}}", "{'aaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbb', 3}"} {
		v := run(t, src)
		if got, want := terminal.Strip(colored.Value(v)), plain.Value(v); got != want {
			t.Errorf("%s in colour\n%s\nwithout\n%s", src, got, want)
		}
	}
}
