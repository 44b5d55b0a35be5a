package bind_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/greenbench/workbench/bindings/bind"
	lua "github.com/yuin/gopher-lua"
)

// declare makes an Fn of the argument struct A and returns the panic, "" if none.
func declare[A any]() (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = fmt.Sprint(r)
		}
	}()
	bind.Fn("f", "F.", func(*bind.Call, *A) (bind.None, error) { return bind.None{}, nil })
	return ""
}

// A malformed declaration panics where it is written.
func TestMalformedDeclarations(t *testing.T) {
	for name, tt := range map[string]struct{ got, want string }{
		"no struct": {declare[int](), "must be a struct"},
		"unexported": {declare[struct {
			a float64 `arg:"a"`
		}](), "is not exported"},
		"twice": {declare[struct {
			A float64 `arg:"a"`
			B float64 `arg:"a"`
		}](), `the name "a" is taken`},
		"self later": {declare[struct {
			A float64 `arg:"a"`
			S *vec    `arg:"self"`
		}](), "the receiver comes first"},
		"gap": {declare[struct {
			A float64 `arg:"a" pos:"1"`
			B float64 `arg:"b" pos:"3"`
		}](), `no field has pos:"2"`},
		"position twice": {declare[struct {
			A float64 `arg:"a" pos:"1"`
			B float64 `arg:"b" pos:"1"`
		}](), "once each"},
		"bad position": {declare[struct {
			A float64 `arg:"a" pos:"first"`
		}](), "once each"},
		"required after optional": {declare[struct {
			A float64 `arg:"a" pos:"1" default:"1"`
			B float64 `arg:"b" pos:"2"`
		}](), `required after the optional "a"`},
		"variadic of no slice": {declare[struct {
			A float64 `arg:"a" pos:"..."`
		}](), "wants a slice"},
		"two rests": {declare[struct {
			A []float64 `arg:"a" pos:"..."`
			B []float64 `arg:"b" pos:"..."`
		}](), "already a field for the rest"},
		"list with positions": {declare[struct {
			A float64   `arg:"a" pos:"1"`
			B []float64 `arg:"b" pos:"list"`
		}](), "excludes other positions"},
		"channel":        {declare[struct{ A chan int }](), "cannot have this type"},
		"any":            {declare[struct{ A any }](), "use bind.Any"},
		"map of ints":    {declare[struct{ A map[int]string }](), "keys of a map must be strings"},
		"inside a list":  {declare[struct{ A []chan int }](), "cannot have this type"},
		"inside a union": {declare[struct{ A bind.Auto[chan int] }](), "cannot have this type"},
		"default not a number": {declare[struct {
			A float64 `default:"one"`
		}](), `default:"one": want a number`},
		"default not allowed": {declare[struct {
			A float64 `default:"0" allow:">0"`
		}](), "must be > 0"},
		"default not a word": {declare[struct {
			A string `default:"c" allow:"a|b"`
		}](), `must be "a" or "b"`},
		"default not in the union": {declare[struct {
			A bind.Auto[float64] `default:"atuo"`
		}](), `did you mean "auto"`},
		"allow without number": {declare[struct {
			A float64 `allow:">"`
		}](), "has no number"},
		"allow half an interval": {declare[struct {
			A float64 `allow:"(0,1"`
		}](), "does not end"},
		"allow no interval": {declare[struct {
			A float64 `allow:"(0)"`
		}](), "is not an interval"},
		"allow nothing": {declare[struct {
			A float64 `allow:">2 <1"`
		}](), "allows nothing"},
		"allow words for a number": {declare[struct {
			A int `allow:"1..10"`
		}](), "an interval is written [1,10]"},
		"allow empty word": {declare[struct {
			A string `allow:"a|"`
		}](), "empty word"},
		"fine": {declare[struct {
			S *vec      `arg:"self"`
			A float64   `arg:"a" pos:"1" allow:">=0 <=1 finite"`
			B []float64 `arg:"b" pos:"..." allow:"[0, 1] nonempty"`
			c int
			D int `arg:"-"`
		}](), ""},
	} {
		if (tt.want == "") != (tt.got == "") || !strings.Contains(tt.got, tt.want) {
			t.Errorf("%s: panics with %q, want %q", name, tt.got, tt.want)
		}
	}
}

func TestMalformedTypes(t *testing.T) {
	try := func(declare func()) (message string) {
		defer func() { message = fmt.Sprint(recover()) }()
		declare()
		return
	}
	noSelf := bind.Fn("m", "M.", func(*bind.Call, *struct{}) (bind.None, error) { return bind.None{}, nil })
	other := bind.Fn("m", "M.", func(*bind.Call, *struct {
		Self *gadget `arg:"self"`
	},
	) (bind.None, error) {
		return bind.None{}, nil
	})
	for want, declare := range map[string]func(){
		"the first field must be the receiver": func() { bind.TypeOf[*vec]("vec", "V.", bind.Methods(noSelf)) },
		"the receiver is a *bind_test.gadget":  func() { bind.TypeOf[*vec]("vec", "V.", bind.Methods(other)) },
		"declare it with Binary or Unary":      func() { bind.TypeOf[*vec]("vec", "V.", bind.Operators(noSelf)) },
	} {
		if got := try(declare); !strings.Contains(got, want) {
			t.Errorf("panics with %q, want %q", got, want)
		}
	}
}

// Check finds what a declaration forgot; the toys forgot nothing.
func TestCheck(t *testing.T) {
	_, reg := newState(t, io.Discard)
	for _, err := range reg.Check() {
		t.Errorf("toy: %v", err)
	}
	bad := bind.Module{Name: "bad", Funcs: []bind.Func{
		bind.Fn("f", "", func(*bind.Call, *struct {
			K kern      `arg:"k"`
			L []*gadget `arg:"l" doc:"L"`
		},
		) (*vec, error) {
			return nil, nil
		}, bind.See("no.such", "line.m"), bind.Example("f()")),
		bind.Fn("f", "F.", func(*bind.Call, *struct{}) (bind.None, error) { return bind.None{}, nil }),
	}, Types: []bind.Type{
		bind.TypeOf[*line]("line", "", bind.Properties(bind.Prop("p", "", func(*line) chan int { return nil }))),
		bind.TypeOf[*line]("line", "L.", bind.Methods(bind.Fn("m", "M.", func(*bind.Call, *struct {
			Self *line `arg:"self"`
		},
		) (bind.None, error) {
			return bind.None{}, nil
		}))),
	}}
	var all strings.Builder
	for _, err := range bind.New(bad, bad).Check() {
		all.WriteString(err.Error() + "\n")
	}
	for _, want := range []string{
		"module bad: no description", "module bad: declared twice", "type line: no description", "type line: declared twice",
		"bad.f: declared twice", "bad.f: no description", "bad.f: argument k has no description", "bad.f: the example expects nothing",
		`bad.f: See names "no.such"`, `bad.f: See names "line.m", a method: write line:m`,
		"argument k: no module declares the type bind_test.kern",
		"argument l: no module declares the type *bind_test.gadget", "bad.f: result: no module declares the type *bind_test.vec",
		"bad.f: no example", "line.p: no description", "line.p: result: chan int",
	} {
		if !strings.Contains(all.String(), want+"\n") && !strings.Contains(all.String(), want) {
			t.Errorf("no complaint %q in\n%s", want, all.String())
		}
	}
}

// Results of every shape.
func TestResults(t *testing.T) {
	type inner struct {
		N int `arg:"n"`
	}
	type outer struct {
		Inner inner             `arg:"inner"`
		List  []inner           `arg:"list"`
		Map   map[string]string `arg:"map"`
		Word  bind.Auto[int]    `arg:"word"`
		None  bind.OrFalse[int] `arg:"none"`
		U8    uint8             `arg:"u8"`
		Fn    lua.LValue        `arg:"fn"`
		Long  string            `arg:"long"`
	}
	give := func(v any) bind.Func {
		return bind.Fn("give", "Gives.", func(*bind.Call, *struct{}) (any, error) { return v, nil })
	}
	for _, tt := range []struct {
		value      any
		code, want string
	}{
		{nil, "x", "nil"},
		{(*float64)(nil), "x", "nil"},
		{(*vec)(nil), "x", "nil"},
		{[]string(nil), "#x", "0"},
		{[2]int{3, 4}, "x[2]", "4"},
		{[][]float64{{1}, {2, 3}}, "x[2][2]", "3"},
		{map[string]int{"a": 1, "b": 2}, "x.b", "2"},
		{bind.First[float64, string](2), "x", "2"},
		{bind.Second[float64, string]("two"), "x", "two"},
		{int64(7), "x", "7"},
		{outer{}, "x.inner.n", "0"},
		{outer{Word: bind.Auto[int]{Auto: true}}, "x.word", "auto"},
		{outer{None: bind.OrFalse[int]{False: true}}, "x.none", "false"},
		{
			&outer{List: []inner{{1}, {2}}, Map: map[string]string{"k": "v"}, Long: strings.Repeat("long ", 10)}, "x",
			"inner  {n = 0}\nlist   {{n = 1}, {n = 2}}\nmap    {k = v}\nword   0\nnone   0\nu8     0\nlong   " + strings.Repeat("long ", 10),
		},
	} {
		L := lua.NewState()
		bind.New(bind.Module{Name: "m", Funcs: []bind.Func{give(tt.value)}}).Open(L, bind.Env{})
		got, err := eval(L, "x", "local x = m.give() return "+tt.code)
		if err != nil || got != tt.want {
			t.Errorf("%#v: %s = %q, %v; want %q", tt.value, tt.code, got, err, tt.want)
		}
		L.Close()
	}
	L := lua.NewState()
	defer L.Close()
	bind.New(bind.Module{Name: "m", Funcs: []bind.Func{give(&gadget{})}}).Open(L, bind.Env{})
	if _, err := eval(L, "x", "m.give()"); err == nil || !strings.Contains(err.Error(), "bind_test.gadget, which no module declares") {
		t.Errorf("undeclared result: %v", err)
	}
}
