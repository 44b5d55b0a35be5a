package complete

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/repl/offer"
)

type thing struct{ n int }

// parts are names that a thing has of its own: things of 1 have none.
func (t *thing) parts() []string { return []string{"left", "right"}[:2*min(1, t.n-1)] }

// registry declares a small module with one of everything.
func registry() *bind.Registry {
	type named struct {
		Nu        float64 `arg:"nu" doc:"smoothness" default:"1.5"`
		Length    float64 `arg:"lengthscale" doc:"scale"`
		Criterion string  `arg:"criterion" doc:"how" default:"reml" allow:"reml|gcv"`
	}
	type self struct {
		Self *thing `arg:"self"`
	}
	return bind.New(bind.Module{
		Name: "kernel", Doc: "Kernels.",
		Funcs: []bind.Func{
			bind.Fn("matern", "Matérn.", func(*bind.Call, *named) (*thing, error) { return &thing{1}, nil }),
			bind.Fn("of", "A thing with parts.", func(_ *bind.Call, p *struct {
				N int `arg:"n" pos:"1"`
			},
			) (*thing, error) {
				return &thing{p.N}, nil
			}),
			bind.Fn("mixed", "By position.", func(*bind.Call, *struct {
				A int `arg:"a" pos:"1"`
			},
			) (float64, error) {
				return 1, nil
			}),
		},
		Types: []bind.Type{bind.TypeOf[*thing]("thing", "A thing.",
			bind.Methods(
				bind.Fn("gram", "Gram matrix.", func(*bind.Call, *self) (float64, error) { return 1, nil }),
				bind.Fn("grow", "Grow.", func(_ *bind.Call, a *struct {
					Self *thing `arg:"self"`
					By   int    `arg:"by" default:"1"`
				},
				) (float64, error) {
					return float64(a.By), nil
				})),
			bind.Properties(
				bind.Prop("size", "Size.", func(t *thing) int { return t.n }),
				bind.Prop("twin", "Another.", func(t *thing) *thing { panic("a property was read to complete") })),
			bind.Members("parts", "Its parts.", func(t *thing) []string { return t.parts() },
				func(t *thing, name string) *thing { return &thing{t.n - 1} }))},
	})
}

func engine(t *testing.T) *Engine {
	t.Helper()
	L := lua.NewState()
	t.Cleanup(L.Close)
	reg := registry()
	reg.Open(L, bind.Env{})
	if err := L.DoString(`
		k = kernel.matern{lengthscale = 1}
		two = kernel.of(3)
		name = "text"
		function double(x, y, ...) return x end
		nested = {inner = {leaf = 1, left = 2}, call = double}
		alias = kernel.matern
		trap = setmetatable({}, {__index = function() error("an __index function ran") end})
		child = setmetatable({own = 1}, {__index = nested})
		_hidden = 1
	`); err != nil {
		t.Fatal(err)
	}
	return &Engine{L: L, Registry: reg, Dir: Files}
}

func texts(cs []offer.Candidate) []string {
	var out []string
	for _, c := range cs {
		out = append(out, c.Text)
	}
	return out
}

func TestComplete(t *testing.T) {
	e := engine(t)
	for _, c := range []struct{ pending, line, want string }{
		{"", "kerne", "kernel."},
		{"", "kernel.", "kernel.matern{ mixed( of("},
		{"", "kernel.mat", "matern{"},
		{"", "kernel.MAT", "matern{"},
		{"", "kernel.matren", "matern{"},
		{"", "kernal", "kernel."},
		{"", "k:", "gram( grow{"},
		{"", "k:gr", "gram( grow{"},
		{"", "k.", "size twin"},
		{"", "k.twin.si", "size"},
		{"", "two.", "left right size twin"},
		{"", "two.left.r", "right"},
		{"", "two.left.right.", "size twin"},
		{"", "two.left:gr", "gram( grow{"},
		{"", "k.twin:gra", "gram("},
		{"", "kernel.matern{", "criterion= lengthscale= nu="},
		{"", "kernel.matern{ nu=1, le", "lengthscale="},
		{"", "kernel.matern{nu=1, ", "criterion= lengthscale="},
		{"kernel.matern{nu=1,", "  le", "lengthscale="},
		{"", "alias{cri", "criterion="},
		{"", "k:grow{", "by="},
		{"", "kernel.matern{criterion=\"", "gcv\" reml\""},
		{"", "kernel.matern{criterion='r", "reml\""},
		{"", "kernel.matern{criterion=", "\"gcv\" \"reml\""},
		{"", "nested.inner.le", "leaf left"},
		{"", "child.", "call( inner own"},
		{"", "trap.", ""},
		{"", "name:rep", "rep("},
		{"", "f():gra", "gram("},
		{"", "doub", "double("},
		{"", "whil", "while"},
		{"local function f(argument)", "  return arg", "argument"},
		{"", "-- ker", ""},
		{"", "x = 12", ""},
		{"", "unknown.", ""},
	} {
		got := e.Complete(c.pending, c.line, len(c.line))
		want := strings.Fields(c.want)
		if c.line == "kernel." {
			want = []string{"matern{", "mixed(", "of("}
		}
		if !slices.Equal(texts(got.Candidates), want) {
			t.Errorf("%q %q: %q, want %q", c.pending, c.line, texts(got.Candidates), want)
		}
		if got.From < 0 || got.From > len(c.line) {
			t.Errorf("%q: the word begins at %d", c.line, got.From)
		}
	}
}

func TestTitle(t *testing.T) {
	e := engine(t)
	for in, want := range map[string]string{
		"kernel.matern{":     `kernel.matern{nu=1.5, lengthscale, criterion="reml"}`,
		"double(1, ":         "double(x, y, ...)",
		"nested.call(":       "nested.call(x, y, ...)",
		"k:grow{":            "thing:grow{by=1}",
		"unknown(":           "",
		"kernel.mixed(kerne": "kernel.mixed(a)",
	} {
		if got := e.Complete("", in, len(in)).Title; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// The text right of the cursor does not matter, and the word is replaced where
// it stands.
func TestMiddleOfLine(t *testing.T) {
	c := engine(t).Complete("x = {", "a = kern + 1 }", len("a = kern"))
	if c.From != 4 || len(c.Candidates) != 1 {
		t.Errorf("%+v", c)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"data.npz", "date.csv", ".hidden", "it's"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "dump"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	e := engine(t)
	for in, want := range map[string][]string{
		`array.load("da`:  {`data.npz"`, `date.csv"`},
		`array.load('d`:   {`data.npz'`, `date.csv'`, `dump/`},
		`f("./du`:         {`./dump/`},
		`f(".h`:           {`.hidden"`},
		`f("nothing`:      nil,
		`f("nosuch/dir/x`: nil,
	} {
		if got := texts(e.Complete("", in, len(in)).Candidates); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func FuzzComplete(f *testing.F) {
	for _, s := range []string{"kernel.matern{nu=", "k:", "k.twin.", "trap.x.", "child.", "f('", "\"", "a.b:c(", "λ", "kernel.matern{criterion='"} {
		f.Add("", s, len(s))
		f.Add("x = {", s, len(s)/2)
	}
	L := lua.NewState()
	reg := registry()
	reg.Open(L, bind.Env{})
	e := &Engine{L: L, Registry: reg}
	f.Fuzz(func(t *testing.T, pending, current string, pos int) {
		pos = min(max(pos, 0), len(current))
		c := e.Complete(pending, current, pos)
		if c.From < 0 || c.From > pos {
			t.Fatalf("%q %q %d: the word begins at %d", pending, current, pos, c.From)
		}
	})
}
