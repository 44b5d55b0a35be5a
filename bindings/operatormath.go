package bindings

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/pde"
)

// OperatorMath lets the functions of math take u. It is a MathExtension of the standard
// library.
type OperatorMath struct{}

// Math computes math.<name>(args…) if one of the arguments is an operator.
func (OperatorMath) Math(L *lua.LState, name string, args []lua.LValue) (result lua.LValue, handled bool, err error) {
	var u *pde.Operator
	for _, v := range args {
		if o, ok := operatorOf(v); ok {
			u = o
		}
	}
	if u == nil {
		return nil, false, nil
	}
	parts := make([]*pde.Operator, len(args))
	for i, v := range args {
		if o, ok := operatorOf(v); ok {
			parts[i] = o
		} else if n, ok := trace.NodeOf(v); ok {
			parts[i] = withoutU(u, pde.Formula{Node: n})
		} else {
			return nil, true, fmt.Errorf("argument %d is %s: must be a number or a function of u and the coordinates", i+1, bind.Describe(v))
		}
	}
	written := true
	o := pde.Combine(func(nodes []*expr.Node) *expr.Node {
		n, ok := trace.Function(name, nodes)
		if written = ok; !ok {
			return nodes[0]
		}
		return n
	}, parts...)
	if !written {
		return nil, true, fmt.Errorf("math.%s of u cannot be written as an expression", name)
	}
	if o.Err() != nil {
		return nil, true, o.Err()
	}
	return bind.At(L).Lua(o), true, nil
}

func operatorOf(v lua.LValue) (*pde.Operator, bool) {
	u, ok := v.(*lua.LUserData)
	if !ok {
		return nil, false
	}
	o, ok := u.Value.(*pde.Operator)
	return o, ok
}

// withoutU is a function of the coordinates as an operator on the coordinates of u.
func withoutU(u *pde.Operator, c pde.Coefficient) *pde.Operator { return u.Scale(0).PlusGiven(c) }
