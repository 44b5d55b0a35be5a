package trace

import (
	"math"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// scan is what the instructions of a function tell without running it, together
// with those of the functions in its variables.
type scan struct {
	numbers []float64 // that it mentions
	tests   bool      // it compares or tests something
	pure    bool      // it takes one path, and nothing matters to it but its arguments, numbers, and functions of math
	closed  bool      // it uses no variables around it

	globals []string
	seen    map[*lua.FunctionProto]bool
	called  map[*lua.LFunction]bool
	math    *lua.LTable
	global  *lua.LTable
}

// maxNumbers bounds how many numbers of a function are tried as coordinates.
const maxNumbers = 12

func scanFunction(L *lua.LState, f *lua.LFunction) *scan {
	s := &scan{pure: true, closed: true, seen: map[*lua.FunctionProto]bool{}, called: map[*lua.LFunction]bool{}, global: L.G.Global}
	s.math, _ = s.global.RawGetString("math").(*lua.LTable)
	s.function(f)
	s.pure = s.pure && !slices.ContainsFunc(s.globals, func(name string) bool { return name != "math" })
	return s
}

func (s *scan) function(f *lua.LFunction) {
	if f.IsG {
		s.pure = s.pure && s.isMath(f)
		return
	}
	if s.called[f] { // functions may have themselves in their variables
		return
	}
	s.called[f] = true
	s.pure = s.pure && f.Env == s.global
	s.closed = s.closed && len(f.Upvalues) == 0 && f.Env == s.global
	for _, u := range f.Upvalues {
		switch v := u.Value().(type) {
		case lua.LNumber:
			s.number(v)
		case *lua.LFunction:
			s.function(v)
		default:
			s.pure = false
		}
	}
	if !s.seen[f.Proto] {
		s.proto(f.Proto)
	}
}

// isMath reports whether a function of Go is one of math that always gives the
// same value for the same arguments.
func (s *scan) isMath(f *lua.LFunction) bool {
	if s.math == nil {
		return false
	}
	for k, v := s.math.Next(lua.LNil); k != lua.LNil; k, v = s.math.Next(k) {
		if v == lua.LValue(f) {
			return k != lua.LString("random") && k != lua.LString("randomseed")
		}
	}
	return false
}

func (s *scan) proto(p *lua.FunctionProto) {
	s.seen[p] = true
	for _, v := range p.Constants {
		switch v := v.(type) {
		case lua.LNumber:
			s.number(v)
		case lua.LString:
			s.pure = s.pure && v != "random" && v != "randomseed"
		case *lua.LFunction:
			s.pure = false
		}
	}
	for _, instruction := range p.Code {
		op := int(instruction >> 26)
		s.pure = s.pure && slices.Contains(straight(), op)
		switch op {
		case lua.OP_GETGLOBAL:
			if i := int(instruction & 0x3ffff); i < len(p.Constants) {
				s.globals = append(s.globals, p.Constants[i].String())
			}
		case lua.OP_EQ, lua.OP_LT, lua.OP_LE, lua.OP_TEST, lua.OP_TESTSET, lua.OP_NOT:
			s.tests = true
		}
	}
	for _, inner := range p.FunctionPrototypes {
		s.proto(inner)
	}
}

// straight are the instructions of code that takes one path, loops over numbers
// included, and changes nothing but its own variables.
func straight() []int {
	return []int{
		lua.OP_MOVE, lua.OP_MOVEN, lua.OP_LOADK, lua.OP_LOADNIL, lua.OP_GETUPVAL, lua.OP_GETGLOBAL, lua.OP_GETTABLE, lua.OP_GETTABLEKS,
		lua.OP_ADD, lua.OP_SUB, lua.OP_MUL, lua.OP_DIV, lua.OP_MOD, lua.OP_POW, lua.OP_UNM,
		lua.OP_CALL, lua.OP_TAILCALL, lua.OP_RETURN, lua.OP_FORPREP, lua.OP_FORLOOP, lua.OP_CLOSE, lua.OP_CLOSURE, lua.OP_NOP,
	}
}

func (s *scan) number(v lua.LNumber) {
	x := float64(v)
	if !math.IsNaN(x) && !math.IsInf(x, 0) && len(s.numbers) < maxNumbers && !slices.Contains(s.numbers, x) {
		s.numbers = append(s.numbers, x)
	}
}
