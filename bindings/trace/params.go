package trace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
)

// params are the parameters of a traced function. Entries of lists are parameters
// of their own, called name[1], name[2], ….
type params struct {
	given  []Param
	names  []string // those that are variables of the expression
	values []float64
}

func newParams(given []Param) (params, error) {
	p := params{given: given}
	add := func(name string, v lua.LValue) error {
		x, ok := v.(lua.LNumber)
		if !ok || math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return fmt.Errorf("parameter %s: want a finite number or a list of them, got %s", name, bind.Describe(v))
		}
		p.names, p.values = append(p.names, name), append(p.values, float64(x))
		return nil
	}
	for _, g := range given {
		table, ok := g.Value.(*lua.LTable)
		if !ok {
			if err := add(g.Name, g.Value); err != nil {
				return p, err
			}
			continue
		}
		if table.Len() == 0 {
			return p, fmt.Errorf("parameter %s: want a finite number or a list of them, got %s", g.Name, bind.Describe(g.Value))
		}
		for i := 1; i <= table.Len(); i++ {
			if err := add(fmt.Sprintf("%s[%d]", g.Name, i), table.RawGetInt(i)); err != nil {
				return p, err
			}
		}
	}
	if len(p.names) > kernels.MaxParams {
		return p, fmt.Errorf("%d parameters: must be at most %d", len(p.names), kernels.MaxParams)
	}
	return p, nil
}

func (p params) symbolic() bool { return len(p.names) > 0 }

// fixed makes the parameters plain numbers.
func (p params) fixed() params { return params{given: p.given} }

// table is the last argument of the function, called as there. Symbolic parameters
// are variables in a trace and their values otherwise.
func (p params) table(c *bind.Call, trace bool, as string) *lua.LTable {
	next := 0
	value := func(v lua.LValue) lua.LValue {
		if !trace || !p.symbolic() {
			return v
		}
		n := expr.Var(kernels.ParamSlot(next), as+"."+p.names[next])
		next++
		return c.Lua(n)
	}
	t := c.L.NewTable()
	var known []string
	for _, g := range p.given {
		known = append(known, g.Name)
		list, ok := g.Value.(*lua.LTable)
		if !ok {
			t.RawSetString(g.Name, value(g.Value))
			continue
		}
		entries := c.L.NewTable()
		for i := 1; i <= list.Len(); i++ {
			entries.RawSetInt(i, value(list.RawGetInt(i)))
		}
		t.RawSetString(g.Name, entries)
	}
	mt := c.L.NewTable()
	mt.RawSetString("__index", c.L.NewFunction(func(L *lua.LState) int {
		name := L.Get(2).String()
		hint := bind.DidYouMean(name, known)
		if hint == "" {
			hint = ": the parameters are " + strings.Join(known, ", ")
		}
		L.RaiseError("no parameter '%s'%s", name, hint)
		return 0
	}))
	t.Metatable = mt
	return t
}

// unused refuses a parameter that the expression does not depend on: a misspelt
// option.
func (p params) unused(f kernels.Formula) error {
	used := map[int]bool{}
	for _, form := range f.Forms {
		for _, n := range form.Nodes {
			for _, slot := range expr.Slots(n) {
				used[slot] = true
			}
		}
	}
	for i, name := range p.names {
		list, _, isList := strings.Cut(name, "[")
		if used[kernels.ParamSlot(i)] || isList && slices.ContainsFunc(p.names, func(other string) bool {
			return strings.HasPrefix(other, list+"[") && used[kernels.ParamSlot(slices.Index(p.names, other))]
		}) {
			continue
		}
		return fmt.Errorf("parameter %s: the function does not depend on it%s", list, bind.DidYouMean(list, options()))
	}
	return nil
}
