package bind_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/bindings/bind"
	lua "github.com/yuin/gopher-lua"
	"gonum.org/v1/gonum/mat"
)

// The toy modules use every style of declaration; the tests of this package
// run against them.

// kern is registered as an interface, and made from parameter structs.
type kern interface {
	At(d float64) float64
	String() string
}

// lengths is a foreign type that an adapter reads: nil means "auto".
type lengths []float64

type se struct {
	Lengthscale lengths `arg:"lengthscale" doc:"length over which the function varies" default:"auto" allow:">0"`
}

func (k se) At(d float64) float64 { return math.Exp(-d * d / 2) }
func (k se) String() string       { return "toy.se{lengthscale=" + k.Lengthscale.String() + "}" }

type matern struct {
	Nu          float64 `arg:"nu" doc:"smoothness order" default:"2.5" allow:">0"`
	Lengthscale lengths `arg:"lengthscale" doc:"length over which the function varies" allow:">0"`
}

func (k matern) At(d float64) float64 { return math.Exp(-d) }
func (k matern) String() string {
	return fmt.Sprintf("toy.matern{nu=%g, lengthscale=%s}", k.Nu, k.Lengthscale)
}

// Check refuses what the tags cannot say.
func (k matern) Check() error {
	if k.Nu == 7 {
		return errors.New("nu 7: is unlucky")
	}
	return nil
}

type white struct{}

func (white) At(float64) float64 { return 1 }

// A box has names of its own: the first is a vec, the others are kernels.
type box map[string]int

func (b box) names() []string { return slices.Sorted(maps.Keys(b)) }

func (white) String() string { return "toy.white{}" }

type sum struct{ a, b kern }

func (k sum) At(d float64) float64 { return k.a.At(d) + k.b.At(d) }
func (k sum) String() string       { return k.a.String() + " + " + k.b.String() }

type scaled struct {
	by float64
	k  kern
}

func (k scaled) At(d float64) float64 { return k.by * k.k.At(d) }
func (k scaled) String() string       { return fmt.Sprintf("%g * %s", k.by, k.k) }

func (l lengths) String() string {
	switch len(l) {
	case 0:
		return `"auto"`
	case 1:
		return fmt.Sprint(l[0])
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprintf("%g", []float64(l)), "[]"), " ", ", ")
}

// vec is a pointer type with everything a value can have.
type vec struct{ x []float64 }

func (v *vec) String() string { return fmt.Sprint(v.x) }

// gadget is a value without operators or conversions.
type gadget struct{ n int }

// span is a Decoder: a number or {from, to}.
type span struct{ lo, hi float64 }

func (s *span) LuaKind() string { return `number|{from, to}|"all"` }

func (s *span) DecodeLua(c *bind.Call, v lua.LValue) error {
	switch v := v.(type) {
	case lua.LNumber:
		s.lo, s.hi = float64(v), float64(v)
		return nil
	case lua.LString:
		if v != "all" {
			return bind.ErrKind
		}
		s.lo, s.hi = math.Inf(-1), math.Inf(1)
		return nil
	case *lua.LTable:
		ends, err := bind.Decode[[]float64](c, v)
		if err != nil {
			return err
		}
		if len(ends) != 2 || ends[0] > ends[1] {
			return errors.New("want {from, to} with from <= to")
		}
		s.lo, s.hi = ends[0], ends[1]
		return nil
	}
	return bind.ErrKind
}

type report struct {
	Method     string    `arg:"method" doc:"how it was solved"`
	Residual   float64   `arg:"residual" doc:"relative"`
	Iterations int       `arg:"iterations" doc:"of conjugate gradients"`
	Gap        *float64  `arg:"gap" doc:"duality gap, if computed"`
	Path       []float64 `arg:"path" doc:"objective by iteration"`
}

type input struct {
	Kernel kern    `arg:"kernel" doc:"of the random inputs"`
	Scale  float64 `arg:"scale" doc:"standard deviation" default:"1" allow:">0"`
}

type line struct {
	X     []float64 `arg:"x" doc:"abscissae"`
	Y     []float64 `arg:"y" doc:"ordinates" allow:"nan"`
	Label string    `arg:"label" doc:"in the legend" default:""`
}

type common struct {
	File string `arg:"file" doc:"where to write" default:"nil"`
	Log  bool   `arg:"log" doc:"logarithmic" default:"false"`
}

func vecFrom(c *bind.Call, v lua.LValue) (*vec, error) {
	x, err := bind.Decode[[]float64](c, v)
	return &vec{x}, err
}

func vecAdd(a, b bind.Either[float64, *vec]) (*vec, error) {
	if !a.IsB {
		a, b = b, a
	}
	if b.IsB && len(a.B.x) != len(b.B.x) {
		return nil, fmt.Errorf("lengths %d and %d: must be equal", len(a.B.x), len(b.B.x))
	}
	out := &vec{}
	for i, x := range a.B.x {
		if b.IsB {
			out.x = append(out.x, x+b.B.x[i])
		} else {
			out.x = append(out.x, x+b.A)
		}
	}
	return out, nil
}

func lengthsFrom(c *bind.Call, v lua.LValue) (lengths, error) {
	if v == lua.LString("auto") {
		return nil, nil
	}
	if v.Type() == lua.LTString {
		return nil, bind.ErrKind
	}
	return bind.Decode[[]float64](c, v)
}

func fail(c *bind.Call, how string) error {
	switch how {
	case "error":
		return errors.New("lambda 0: must be > 0")
	case "matrix":
		mat.NewDense(2, 2, nil).Mul(mat.NewDense(2, 3, nil), mat.NewDense(2, 3, nil))
	case "bug":
		var none []int
		_ = none[len(how)]
	case "panic":
		panic("blas: bad length")
	case "cancel":
		return fmt.Errorf("solve: %w", context.Canceled)
	case "lua":
		c.L.RaiseError("raised by Go")
	}
	return nil
}

// newState opens the toy modules in a Lua state with its libraries.
func newState(t testing.TB, out io.Writer) (*lua.LState, *bind.Registry) {
	L := lua.NewState()
	t.Cleanup(L.Close)
	reg := bind.New(toyModule(), vecModule(), globalModule())
	reg.Open(L, bind.Env{Out: out})
	L.G.Global.RawGetString("toy").(*lua.LTable).RawSetString("vec", L.G.Global.RawGetString("vec"))
	return L, reg
}

// eval runs code as chunk and returns what it returns, as print would show it,
// or the error.
func eval(L *lua.LState, chunk, code string) (string, error) {
	fn, err := L.Load(strings.NewReader(code), chunk)
	if err != nil {
		return "", err
	}
	base := L.GetTop()
	L.Push(fn)
	if err := L.PCall(0, lua.MultRet, nil); err != nil {
		return "", err
	}
	var shown []string
	for i := base + 1; i <= L.GetTop(); i++ {
		shown = append(shown, L.ToStringMeta(L.Get(i)).String())
	}
	L.SetTop(base)
	return strings.Join(shown, "\t"), nil
}
