package bind_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

// slowly is a record whose second field, and a third that may be nil, take long.
type slowly struct {
	First float64  `arg:"first" doc:"known"`
	Slow  float64  `arg:"slow" later:"true" doc:"takes long"`
	None  *float64 `arg:"none" later:"true" doc:"takes long, too"`
	Last  string   `arg:"last" doc:"known"`

	rest func(ctx context.Context) (any, error)
}

func (s slowly) Rest() func(ctx context.Context) (any, error) { return s.rest }

// laterState has m.quick(), a whole record, and m.slow(), which is the same once asked; asked counts that.
func laterState(t *testing.T, asked *int) *lua.LState {
	t.Helper()
	whole := slowly{First: 1, Slow: 2, Last: "x"}
	fn := func(name string, make func() slowly) bind.Func {
		return bind.Fn(name, "Returns a record.", func(*bind.Call, *struct{}) (slowly, error) { return make(), nil },
			bind.Returns("a record"), bind.Example("print(m."+name+"().slow)  --> 2"))
	}
	registry := bind.New(bind.Module{Name: "m", Doc: "A module.", Funcs: []bind.Func{
		fn("quick", func() slowly { return whole }),
		fn("slow", func() slowly {
			return slowly{First: 1, Last: "x", rest: func(ctx context.Context) (any, error) {
				*asked++
				return whole, context.Cause(ctx)
			}}
		}),
		bind.Fn("count", "Counts names.", func(_ *bind.Call, p *struct {
			Of map[string]bind.Any `arg:"of" pos:"1" doc:"a table"`
		},
		) (int, error) {
			return len(p.Of), nil
		}, bind.Returns("how many"), bind.Example("print(m.count({a = 1}))  --> 1")),
	}})
	L := lua.NewState()
	t.Cleanup(L.Close)
	registry.Open(L, bind.Env{})
	return L
}

// A record whose fields are computed when they are asked for is, to whoever asks, the record that has them all: fields in
// the same order, names that it does not have refused, and everything computed once. Who reads other fields computes
// nothing.
func TestLaterFields(t *testing.T) {
	for _, c := range []struct {
		name, code string
		asks       int
	}{
		{"another field", "return r.first .. r.last", 0},
		{"a field", "return r.slow", 1},
		{"a field twice, and one that is nil", "return tostring(r.slow + r.slow) .. tostring(r.none)", 1},
		{"printed", "return tostring(r)", 1},
		{"inside another", "return tostring(r):gsub('%s', '')", 1},
		{"passed on", "return m.count(r)", 1},
		{"a name that it does not have", "return select(2, pcall(function() return r.third end))", 0},
		{"a number that it does not have", "return tostring(r[1])", 0},
		{"assigned to", "r.slow = 7 return r.slow + r.first", 0},
		{"assigned to, and another field", "r.slow = 7 return tostring(r.none) .. r.slow", 1},
	} {
		asked := 0
		L := laterState(t, &asked)
		var got [2]string
		for i, from := range []string{"m.quick()", "m.slow()"} {
			if err := L.DoString("local r = " + from + "\n" + c.code); err != nil {
				t.Fatal(c.name, err)
			}
			got[i] = L.Get(-1).String()
			L.SetTop(0)
		}
		if got[0] != got[1] || got[0] == "" || asked != c.asks {
			t.Errorf("%s: %q, of a whole record %q; computed %d times, want %d", c.name, got[1], got[0], asked, c.asks)
		}
	}
}

// Go code that reads tables as they are finishes them first, or learns what they are yet to have.
func TestFinish(t *testing.T) {
	asked := 0
	L := laterState(t, &asked)
	if err := L.DoString("r, plain = m.slow(), {}"); err != nil {
		t.Fatal(err)
	}
	r, plain := L.GetGlobal("r").(*lua.LTable), L.GetGlobal("plain").(*lua.LTable)
	if got := bind.Pending(r); !reflect.DeepEqual(got, []string{"slow", "none"}) || bind.Pending(plain) != nil || asked != 0 {
		t.Errorf("%v are pending, computed %d times", got, asked)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	L.SetContext(ctx)
	enough := errors.New("enough")
	cancel(enough)
	if err := bind.Finish(L, r); !errors.Is(err, enough) || r.RawGetString("slow") != lua.LNil {
		t.Errorf("in a context that has ended: %v", err)
	}
	L.RemoveContext()
	if err := L.DoString("x = r.slow"); err != nil || L.GetGlobal("x") != lua.LNumber(2) || asked != 2 {
		t.Errorf("asked again: %v, %v, computed %d times", err, L.GetGlobal("x"), asked)
	}
	for _, table := range []*lua.LTable{r, plain} {
		if err := bind.Finish(L, table); err != nil || asked != 2 || bind.Pending(table) != nil {
			t.Errorf("%v, computed %d times", err, asked)
		}
	}
}

// What cannot be computed is an error with its place, which the next who asks does not inherit.
func TestLaterFieldsFail(t *testing.T) {
	asked := 0
	L := laterState(t, &asked)
	ctx, cancel := context.WithCancelCause(t.Context())
	if err := L.DoString("r = m.slow()"); err != nil {
		t.Fatal(err)
	}
	L.SetContext(ctx)
	cancel(errors.New("time is up"))
	if err := L.DoString("return r.slow"); err == nil || !strings.Contains(err.Error(), "time is up") && !strings.Contains(err.Error(), "canceled") {
		t.Errorf("%v", err)
	}
}
