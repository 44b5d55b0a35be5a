package host

import (
	"context"
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/workbench/stdlib"
)

// StandardModules are all modules of the workbench: what a Host has unless it is
// told otherwise.
func StandardModules() *bind.Registry { return bind.New(bindings.All()...) }

// StandardMath lets the functions of math work on arrays, element by element, and
// on the formulas of scripted functions; in an operator they are refused.
func StandardMath() []stdlib.MathExtension {
	return []stdlib.MathExtension{arrayMath{bindings.MathOverloads()}, trace.Math{}, bindings.OperatorMath{}}
}

// arrayMath lets the functions of math work on arrays, element by element.
type arrayMath struct {
	functions map[string]func(context.Context, ...*array.Array) (*array.Array, error)
}

// complexMath is a function of complex numbers.
func complexMath(c *bind.Call, name string, z *arrays.Complex, arguments int) (result lua.LValue, handled bool, err error) {
	switch {
	case arguments == 1 && name == "abs":
		sizes, err := z.Abs(c)
		if err != nil {
			return nil, true, err
		}
		return c.Lua(sizes), true, nil
	case arguments == 1 && slices.Contains(arrays.ComplexFunctions(), name):
		out, err := z.Function(c, name)
		if err != nil {
			return nil, true, err
		}
		return c.Lua(out), true, nil
	}
	return nil, true, fmt.Errorf("takes no complex numbers; those that do are abs, %s, and z^p, z:angle(), z.re and z.im for a value z",
		strings.Join(arrays.ComplexFunctions(), ", "))
}

// Math implements stdlib.MathExtension.
func (m arrayMath) Math(L *lua.LState, name string, args []lua.LValue) (result lua.LValue, handled bool, err error) {
	f, ok := m.functions[name]
	if !ok {
		return nil, false, nil
	}
	c := bind.At(L)
	given := make([]*array.Array, len(args))
	for i, v := range args {
		switch v := v.(type) {
		case lua.LNumber:
			given[i] = array.Vector([]float64{float64(v)})
		case *lua.LUserData:
			switch v := v.Value.(type) {
			case *array.Array:
				given[i] = v
			case *arrays.Mask:
				if given[i], err = v.Array(c); err != nil {
					return nil, true, err
				}
			case *arrays.Complex:
				return complexMath(c, name, v, len(args))
			default:
				return nil, false, nil
			}
		default:
			return nil, false, nil
		}
	}
	out, err := f(c, given...)
	if err != nil {
		return nil, true, err
	}
	return c.Lua(out), true, nil
}
