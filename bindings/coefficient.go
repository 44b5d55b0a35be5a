package bindings

import (
	"fmt"
	"math"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/pde"
)

// coefficientType is the type of given functions in problems: potentials,
// coefficients of operators, boundary values.
func coefficientType() bind.Type {
	return bind.TypeOf[pde.Coefficient]("coefficient", "A given function of the coordinates of a mesh. A Lua function of the coordinates, function(x, y), or of a point, function(p), is traced to an expression; "+
		"one that branches on its arguments is called for every point.",
		bind.From("number|function", coefficientFrom),
		bind.ToString(coefficientText),
		bind.CallMeta(bind.Fn("__call", "The value at a point.", func(_ *bind.Call, p *struct {
			Coefficient pde.Coefficient `arg:"self"`
			X           []float64       `arg:"x" pos:"..." doc:"coordinates, in the order of the mesh" allow:"nonempty"`
		},
		) (float64, error) {
			return pde.At(p.Coefficient, p.X), nil
		}, bind.Example("print(pde.hexagon{height = 3}(0.5, 0.5))  --> 3"), bind.Returns("a number"))),
	)
}

// hexagon declares pde.hexagon.
func hexagon() bind.Func {
	h := pde.Hexagon{Height: 1000, Radius: 0.25, X: 0.5, Y: 0.5}
	return bind.Make("hexagon", "A potential: constant inside a regular hexagon, zero outside.", h, pde.Hexagon.Check,
		bind.Example(luaText(h)+"  --> "+luaText(h)),
		bind.Returns("a coefficient"), bind.See("pde.schrodinger"))
}

// coefficientFrom reads a number or a function.
func coefficientFrom(c *bind.Call, v lua.LValue) (pde.Coefficient, error) {
	switch v := v.(type) {
	case lua.LNumber:
		if x := float64(v); !math.IsNaN(x) && !math.IsInf(x, 0) {
			return pde.Constant(x), nil
		}
		return nil, fmt.Errorf("must be finite, got %s", bind.Describe(v))
	case *lua.LFunction:
		var f bind.Function
		if err := f.DecodeLua(c, v); err != nil {
			return nil, err
		}
		n, err := trace.Scalars(c, &f)
		if err != nil {
			return newCalledCoefficient(c, &f, err)
		}
		if n.IsConst() {
			return pde.Constant(n.Value()), nil
		}
		return pde.Formula{Node: n}, nil
	}
	return nil, bind.ErrKind
}

// calledCoefficient calls its Lua function for every point.
type calledCoefficient struct {
	pde.Func
	mu   sync.Mutex
	c    *bind.Call
	f    *bind.Function
	text string
}

// newCalledCoefficient tries the function at a few points of the unit cube, so
// that a mistake in it shows at once: then the error is why it was not traced, if
// it is no branch.
func newCalledCoefficient(c *bind.Call, f *bind.Function, untraced error) (pde.Coefficient, error) {
	k := &calledCoefficient{c: c, f: f, text: trace.Write(c, f, nil)}
	k.Func = k.value
	n := 1
	if fn, ok := f.Value().(*lua.LFunction); ok && fn.Proto != nil {
		n = max(1, int(fn.Proto.NumParameters))
	}
	x := make([]float64, n)
	for i := range 3 {
		for j := range x {
			x[j] = 0.5 * float64((i+j)%3)
		}
		if _, err := k.call(x); err != nil {
			return nil, untraced
		}
	}
	return k, nil
}

func (k *calledCoefficient) call(x []float64) (float64, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	args := make([]any, len(x))
	for i, v := range x {
		args[i] = v
	}
	return k.f.Number(k.c, args...)
}

// value is NaN where the function fails.
func (k *calledCoefficient) value(x []float64) float64 {
	v, err := k.call(x)
	if err != nil {
		return math.NaN()
	}
	return v
}

func (k *calledCoefficient) String() string { return k.text }
