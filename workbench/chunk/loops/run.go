package loops

import (
	"math"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// frame is what a run of a program works on.
type frame struct {
	program  *Program
	numbers  [numbers]float64
	tables   [tables]*lua.LTable
	nullary  [functions]func() float64
	unary    [functions]func(float64) float64
	binary   [functions]func(x, y float64) float64
	saved    [maxOuter]float64 // the outer variables at the beginning of the iteration
	first    float64           // the index there
	undo     []change          // of tables since then
	held     []*lua.LTable     // with fields that the frame holds as variables or functions
	patience int               // jumps back until the context is asked again
	state    *lua.LState
}

// Run is the function behind a compiled loop: (first, limit, step, variables …) for a numeric for, (variables …) for others.
// It returns whether the loop is to go on in the virtual machine, for a numeric for from which index to which limit by which
// step, and the values of the variables that the loop assigns to.
func (p *Program) Run(L *lua.LState) int {
	f := p.frame(L)
	defer p.release(f)
	env := p.environment(L)
	if !f.enter(env) {
		return p.leave(L, lua.LTrue, L.Get(1), func(v outer, argument int) lua.LValue { return L.Get(argument) })
	}
	f.makeRoom()
	f.first = f.numbers[0]
	rest, first := lua.LFalse, L.Get(1)
	if !f.execute(p.code) {
		f.rollBack()
		rest, first = lua.LTrue, p.value(f.first)
	}
	for _, v := range p.outer {
		if v.global && v.written {
			env.RawSetString(v.name, p.value(f.numbers[v.slot]))
		}
	}
	return p.leave(L, rest, first, func(v outer, _ int) lua.LValue { return p.value(f.numbers[v.slot]) })
}

// frame returns a frame, which may have been used before.
func (p *Program) frame(L *lua.LState) *frame {
	f, ok := p.frames.Get().(*frame)
	if !ok {
		f = &frame{program: p}
		for i, x := range p.constants {
			f.numbers[numbers-1-i] = x
		}
	}
	f.state = L
	return f
}

// release keeps a frame for the next run, without what it knows of this one.
func (p *Program) release(f *frame) {
	const worthKeeping = 64
	if cap(f.undo) > worthKeeping {
		f.undo = nil
	}
	clear(f.undo[:cap(f.undo)])
	clear(f.held)
	clear(f.tables[:])
	f.undo, f.held, f.state = f.undo[:0], f.held[:0], nil
	p.frames.Put(f)
}

// leave returns from Run.
func (p *Program) leave(L *lua.LState, rest, first lua.LValue, value func(v outer, argument int) lua.LValue) int {
	results, argument := 1, 1
	L.Push(rest)
	if p.counts {
		L.Push(first)
		L.Push(L.Get(2))
		L.Push(L.Get(3))
		results, argument = 4, 4
	}
	for _, v := range p.outer {
		if v.global {
			continue
		}
		if v.written {
			L.Push(value(v, argument))
			results++
		}
		argument++
	}
	return results
}

// environment is the table of globals of the function with the loop; nil if the program needs none.
func (p *Program) environment(L *lua.LState) *lua.LTable {
	if !p.globals {
		return nil
	}
	caller, ok := L.GetStack(1)
	if !ok {
		return nil
	}
	fn, err := L.GetInfo("f", caller, lua.LNil)
	if err != nil {
		return nil
	}
	return fn.(*lua.LFunction).Env
}

// enter fills the frame, unless something is not what the program was compiled for.
func (f *frame) enter(env *lua.LTable) bool {
	p, argument := f.program, 1
	if p.counts {
		for i := range 3 {
			x, ok := f.state.Get(i + 1).(lua.LNumber)
			if !ok {
				return false
			}
			f.numbers[i] = float64(x)
		}
		if p.fails && !countable(f.numbers[0], f.numbers[1], f.numbers[2]) {
			return false
		}
		argument = 4
	}
	if p.globals {
		if env == nil {
			return false
		}
		f.held = append(f.held, env)
	}
	for i := range p.outer {
		v := &p.outer[i]
		var value lua.LValue
		if v.global {
			value = env.RawGetString(v.name)
		} else {
			value = f.state.Get(argument)
			argument++
		}
		if !f.hold(v, value) {
			return false
		}
	}
	return true
}

// hold puts the value of a variable where the program expects it.
func (f *frame) hold(v *outer, value lua.LValue) (ok bool) {
	switch v.kind {
	case number:
		x, ok := value.(lua.LNumber)
		f.numbers[v.slot] = float64(x)
		return ok
	case table:
		f.tables[v.slot], ok = plain(value)
		return ok
	}
	if v.field != "" {
		library, ok := value.(*lua.LTable)
		if !ok {
			return false
		}
		f.held = append(f.held, library)
		value = library.RawGetString(v.field)
	}
	known, ok := f.state.G.Registry.RawGetString(functionsKey).(*lua.LUserData)
	fn, isFunction := value.(*lua.LFunction)
	if !ok || !isFunction {
		return false
	}
	meaning := known.Value.(map[*lua.LFunction]Function)[fn]
	switch v.kind {
	case nullary:
		f.nullary[v.slot] = meaning.None
		return meaning.None != nil
	case unary:
		f.unary[v.slot] = meaning.One
		return meaning.One != nil
	}
	f.binary[v.slot] = meaning.Two
	return meaning.Two != nil
}

// plain returns a table that has no metatable.
func plain(value lua.LValue) (t *lua.LTable, ok bool) {
	t, ok = value.(*lua.LTable)
	return t, ok && t.Metatable == lua.LNil
}

// countable reports whether a numeric for can go on at each of its indices: it begins by subtracting the step, and adds it
// again, which must lead to the same index.
func countable(first, limit, step float64) bool {
	const exact = 1 << 52
	return first == math.Trunc(first) && step == math.Trunc(step) && math.Abs(first) <= exact &&
		(math.Abs(limit) <= exact && math.Abs(step) <= exact || math.Abs(step) <= 1<<10)
}

// mostChanges is how many elements an iteration may change before it is left to the virtual machine: then there is a loop in
// it that is worth a program of its own.
const mostChanges = 1 << 12

// begin begins an iteration of the outermost loop.
func (f *frame) begin() {
	copy(f.saved[:], f.numbers[firstOuter:firstInner])
	f.first = f.numbers[0]
	f.undo = f.undo[:0]
}

// rollBack undoes what was done since the iteration began.
func (f *frame) rollBack() {
	if !f.program.fails {
		f.first = f.numbers[0]
		return
	}
	copy(f.numbers[firstOuter:firstInner], f.saved[:])
	for _, c := range slices.Backward(f.undo) {
		c.store(c.table, c.old)
	}
}

// interrupted reports whether the run of the script was ended.
func (f *frame) interrupted() bool {
	f.patience = 1 << 10
	ctx := f.state.Context()
	return ctx != nil && ctx.Err() != nil
}
