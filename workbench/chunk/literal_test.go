package chunk_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/chunk"
)

// What is written makes the same value again, bit for bit, whatever the numbers, texts and keys.
func TestLiteral(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	table, inner := l.NewTable(), l.NewTable()
	for _, x := range []float64{1, 0.1, math.MaxFloat64, 5e-324, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1)} {
		inner.Append(lua.LNumber(x))
	}
	for key, v := range map[string]lua.LValue{
		"list": inner, "none": l.NewTable(), "text": lua.LString("a \"b\"\n#c\x00\xff\\"), "t": lua.LTrue, "": lua.LFalse,
		"two words": lua.LNumber(2), "end": lua.LNumber(3), `back\slash`: lua.LNumber(4), "ä": lua.LNumber(5),
	} {
		table.RawSetString(key, v)
	}
	for i, key := range []lua.LValue{lua.LNumber(1), lua.LNumber(9), lua.LNumber(2), lua.LNumber(2.5), lua.LNumber(4), lua.LNumber(10), lua.LNumber(0.5), lua.LNumber(-3), lua.LTrue} {
		table.RawSet(key, lua.LNumber(i))
	}
	w := chunk.Literal{}
	text, err := w.Text(table)
	if err != nil {
		t.Fatal(err)
	}
	f, err := chunk.Load(l, "text", []byte("return "+text))
	if err != nil {
		t.Fatal(err)
	}
	l.Push(f)
	l.Call(0, 1)
	again := l.Get(-1)
	same(t, "", again, table)
	if second, _ := w.Text(again); second != text {
		t.Errorf("written again:\n%s\n%s", second, text)
	}
	const want = "{1, 0.1, 1.7976931348623157e+308, 5e-324, 1/0, -1/0, 0/0, -0}"
	if !strings.Contains(text, "\n\tlist = "+want+",\n") {
		t.Errorf("no %s in\n%s", want, text)
	}
}

// same compares numbers by their bits and tables by what they hold.
func same(t *testing.T, path string, got, want lua.LValue) {
	t.Helper()
	g, ok := got.(*lua.LTable)
	w, both := want.(*lua.LTable)
	if ok && both {
		for _, key := range chunk.Keys(g, w) {
			same(t, chunk.Path(path, key), g.RawGet(key), w.RawGet(key))
		}
		return
	}
	x, ok := got.(lua.LNumber)
	y, both := want.(lua.LNumber)
	if ok && both && math.IsNaN(float64(x)) && math.IsNaN(float64(y)) {
		return
	}
	if ok && both && math.Float64bits(float64(x)) == math.Float64bits(float64(y)) || !ok && got == want {
		return
	}
	t.Errorf("%s: %v, want %v", path, got, want)
}

// What cannot be written is said with its path, and no table holds the writer up.
func TestLiteralRefuses(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	w := chunk.Literal{Other: func(path string, _ lua.LValue, _ string) (string, error) { return "", errors.New(path) }}
	loop, deep, twice := l.NewTable(), l.NewTable(), l.NewTable()
	loop.RawSetString("me", loop)
	for range 200 {
		outer := l.NewTable()
		outer.Append(deep)
		deep = outer
	}
	empty := l.NewTable()
	twice.Append(empty)
	twice.Append(empty)
	report, bad := l.NewTable(), l.NewTable()
	report.RawSetString("sigma", bad)
	bad.RawSetInt(1, lua.LNumber(1))
	bad.RawSetInt(2, l.NewUserData())
	for _, c := range []struct {
		v    lua.LValue
		want string
	}{{loop, "contains itself"}, {deep, "more than 100 tables"}, {report, "sigma[2]"}} {
		if text, err := w.Text(c.v); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v, want %s", text, err, c.want)
		}
	}
	if text, err := w.Text(twice); err != nil || text != "{\n\t{},\n\t{},\n}" {
		t.Errorf("one table twice: %q %v", text, err)
	}
	w.Refuse = func(*lua.LTable) error { return errors.New("no tables") }
	if _, err := w.Text(empty); err == nil || err.Error() != "no tables" {
		t.Errorf("refused: %v", err)
	}
}

func TestKeys(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	a, b := l.NewTable(), l.NewTable()
	for _, k := range []lua.LValue{lua.LString("b"), lua.LNumber(10), lua.LNumber(2), lua.LTrue} {
		a.RawSet(k, lua.LTrue)
	}
	b.RawSet(lua.LString("a"), lua.LTrue)
	b.RawSet(lua.LNumber(2), lua.LTrue)
	want := []lua.LValue{lua.LNumber(2), lua.LNumber(10), lua.LString("a"), lua.LString("b"), lua.LTrue}
	if got := chunk.Keys(a, b); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}
