package host

import (
	"context"
	"errors"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
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

// Math implements stdlib.MathExtension.
func (m arrayMath) Math(L *lua.LState, name string, args []lua.LValue) (result lua.LValue, handled bool, err error) {
	f, ok := m.functions[name]
	if !ok {
		return nil, false, nil
	}
	c := bind.At(L)
	arrays := make([]*array.Array, len(args))
	for i, v := range args {
		switch v := v.(type) {
		case lua.LNumber:
			arrays[i] = array.Vector([]float64{float64(v)})
		case *lua.LUserData:
			switch v := v.Value.(type) {
			case *array.Array:
				arrays[i] = v
			case *array.Mask:
				if arrays[i], err = v.Array(c); err != nil {
					return nil, true, err
				}
			case *array.Complex:
				return nil, true, errors.New("takes no complex numbers; they have z:abs(), z:exp(), z:log() and z:sqrt(), for a value z")
			default:
				return nil, false, nil
			}
		default:
			return nil, false, nil
		}
	}
	out, err := f(c, arrays...)
	if err != nil {
		return nil, true, err
	}
	return c.Lua(out), true, nil
}
