package trace

import (
	"errors"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/expr"
)

// Number stands for an argument that is a number in [Lists], where other entries are the
// lengths of lists.
const Number = -1

// maxListed bounds the formulas of [Lists]: larger ones are slower than calls.
const maxListed = 8192

// Lists traces a function whose arguments are numbers and lists of numbers, and which
// returns a number or a list of them. The variables have slots in their order. It fails for
// a function that may do anything but compute its result: such a function must be called.
func Lists(c *bind.Call, f *bind.Function, args []int) ([]*expr.Node, error) {
	fn, ok := f.Value().(*lua.LFunction)
	if !ok || fn.IsG || fn.Proto.IsVarArg != 0 || !declared(c) {
		return nil, errors.New("not a function of Lua with named arguments")
	}
	t := &tracer{c: c, f: f, scan: scanFunction(c.L, fn), inputs: parameters(fn.Proto)}
	if !silent(c.L, fn) {
		return nil, errors.New("it may do more than compute its result")
	}
	count := 0
	for _, n := range args {
		count += max(1, n)
	}
	formulas := make([]*expr.Node, count)
	for i := range formulas {
		formulas[i] = expr.Var(i, "x")
	}
	results, err := f.Call(c, arguments(c, args, formulas)...)
	if err != nil {
		return nil, err
	}
	nodes, err := listed(results)
	if err != nil {
		return nil, err
	}
	size := 0
	for i, n := range nodes {
		nodes[i] = expr.Simplify(n)
		size += expr.Size(n)
	}
	if size > maxListed {
		return nil, errors.New("its formula is too long")
	}
	return nodes, t.verifyLists(nodes, args, count)
}

// arguments makes the arguments of a call: numbers, and tables of numbers.
func arguments(c *bind.Call, args []int, x []*expr.Node) []any {
	var out []any
	for _, n := range args {
		if n == Number {
			out = append(out, Result(x[0]))
			x = x[1:]
			continue
		}
		table := c.L.CreateTable(n, 0)
		for i := range n {
			table.RawSetInt(i+1, c.Lua(Result(x[i])))
		}
		out = append(out, lua.LValue(table))
		x = x[n:]
	}
	return out
}

// listed are the formulas that a function returned.
func listed(results []lua.LValue) ([]*expr.Node, error) {
	switch v := first(results).(type) {
	case *lua.LTable:
		nodes := make([]*expr.Node, v.Len())
		for i := range nodes {
			n, ok := NodeOf(v.RawGetInt(i + 1))
			if !ok {
				return nil, errors.New("it returns no list of numbers")
			}
			nodes[i] = n
		}
		return nodes, nil
	default:
		if n, ok := NodeOf(v); ok {
			return []*expr.Node{n}, nil
		}
	}
	return nil, errors.New("it returns neither a number nor a list")
}

// verifyLists compares the function with its formulas.
func (t *tracer) verifyLists(nodes []*expr.Node, args []int, count int) error {
	programs := make([]*expr.Program, len(nodes))
	for i, n := range nodes {
		var err error
		if programs[i], err = expr.Compile(n, count); err != nil {
			return err
		}
	}
	s := t.sampler(count, nil)
	var before seen
	for i := range s.count(true) {
		p := s.draw(i)
		x := make([]*expr.Node, count)
		for j := range x {
			x[j] = expr.Const(p.number[0][j])
		}
		results, err := t.f.Call(t.c, arguments(t.c, args, x)...)
		if err != nil {
			return err
		}
		values, err := listed(results)
		if err != nil || len(values) != len(programs) {
			return errors.New("it returns now this and now that")
		}
		for k, v := range values {
			if !v.IsConst() {
				return errors.New("it returns a formula for numbers")
			}
			before.add(p.size(), slices.DeleteFunc([]float64{v.Value()}, func(x float64) bool { return !isFinite([]float64{x}) }))
			if !agree(v.Value(), programs[k].Eval(p.number[0]), before.largest(p.size())) {
				return errors.New("it takes several paths")
			}
		}
	}
	return nil
}

// silent reports whether a function is sure to do nothing but compute: it sets no variable
// around it, calls nothing but mathematics, and hands its arguments to nobody.
func silent(L *lua.LState, f *lua.LFunction) bool {
	q := &quiet{global: L.G.Global, seen: map[*lua.LFunction]bool{}}
	q.math = (&scan{}).isMath
	if table, ok := q.global.RawGetString("math").(*lua.LTable); ok {
		q.math = (&scan{math: table}).isMath
	}
	q.function(f)
	return !q.loud
}

type quiet struct {
	global *lua.LTable
	seen   map[*lua.LFunction]bool
	math   func(f *lua.LFunction) bool
	loud   bool
	writes bool // into some table
	tables bool // there are tables around the function
}

// harmless are the global functions and tables of functions that only compute.
func harmless() []string {
	return []string{"math", "where", "lt", "le", "gt", "ge", "dist", "ipairs"}
}

func (q *quiet) function(f *lua.LFunction) {
	if q.seen[f] || f.IsG {
		return
	}
	q.seen[f] = true
	q.loud = q.loud || f.Env != q.global
	for _, u := range f.Upvalues {
		q.value(u.Value())
	}
	q.proto(f.Proto)
	q.loud = q.loud || q.writes && q.tables
}

// value is a variable around a function.
func (q *quiet) value(v lua.LValue) {
	switch v := v.(type) {
	case *lua.LFunction:
		q.loud = q.loud || v.IsG && !q.math(v)
		q.function(v)
	case *lua.LTable:
		q.tables = true
	case *lua.LUserData:
		q.tables = true
	}
}

func (q *quiet) proto(p *lua.FunctionProto) {
	for _, v := range p.Constants {
		if v == lua.LString("random") || v == lua.LString("randomseed") {
			q.loud = true
		}
	}
	for _, instruction := range p.Code {
		switch op := int(instruction >> 26); op {
		case lua.OP_SETGLOBAL, lua.OP_SETUPVAL, lua.OP_VARARG:
			q.loud = true
		case lua.OP_SETTABLE, lua.OP_SETTABLEKS, lua.OP_SELF:
			q.writes = true
		case lua.OP_GETGLOBAL:
			if i := int(instruction & 0x3ffff); i < len(p.Constants) {
				name := p.Constants[i].String()
				if !slices.Contains(harmless(), name) {
					q.value(q.global.RawGetString(name))
				}
			}
		}
	}
	for _, inner := range p.FunctionPrototypes {
		q.proto(inner)
	}
}
