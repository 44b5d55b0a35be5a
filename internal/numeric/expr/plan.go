package expr

import (
	"slices"
	"sync"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// blockSize is how many points a tape handles at a time: half a dozen registers of
// this size fit the first-level cache.
const blockSize = 1024

// Operand is what a slot holds over a block of points: the numbers in Vector,
// or the same Scalar at every point if Vector is nil.
type Operand struct {
	Scalar float64
	Vector []float64
}

// plan is a program scheduled for a given set of slots that vary: the uniform
// steps first, computed once, then the tape, run for each block.
type plan struct {
	varies    []bool  // by slot
	constant  []int32 // values that are numbers
	uniform   []int32 // values computed once per call, in order
	broadcast []broadcast
	tape      []instruction
	registers int
	runners   sync.Pool // of *runner
}

// broadcast fills a register with a uniform value that the tape uses.
type broadcast struct {
	value, register int32
}

// instruction is one step of the tape.
type instruction struct {
	loop  loop
	dst   int32 // register, or toResult
	arity int
	args  [3]source
}

// toResult as the destination register means the caller's slice.
const toResult = -1

// source says where the argument of an instruction is.
type source struct {
	kind  sourceKind
	index int32
}

type sourceKind uint8

const (
	inRegister sourceKind = iota
	inSlot                // the caller's vector
	isNumber              // one number, the value of that index
)

// planFor returns the schedule for the slots that have a vector.
func (p *Program) planFor(vars []Operand) *plan {
	for _, q := range *p.plans.Load() {
		if q.fits(vars) {
			return q
		}
	}
	varies := make([]bool, p.slots)
	for s := range varies {
		varies[s] = vars[s].Vector != nil
	}
	q := p.schedule(varies)
	for {
		old := p.plans.Load()
		grown := append(slices.Clip(*old), q)
		if p.plans.CompareAndSwap(old, &grown) {
			return q
		}
	}
}

func (q *plan) fits(vars []Operand) bool {
	for s, v := range q.varies {
		if v != (vars[s].Vector != nil) {
			return false
		}
	}
	return true
}

// scheduler assigns registers to the values of one plan.
type scheduler struct {
	*plan
	ops      Ops
	values   []value
	vector   []bool  // by value: varies over the points
	lastUse  []int32 // by value: the last value that uses it
	register []int32 // by value
	free     []int32
}

// schedule splits the values into uniform and varying ones and assigns
// registers: a register is free again after the last use of its value, and may
// be overwritten by the very instruction that uses it last.
func (p *Program) schedule(varies []bool) *plan {
	count := len(p.values)
	s := scheduler{
		plan: &plan{varies: varies}, ops: p.ops, values: p.values,
		vector: make([]bool, count), lastUse: make([]int32, count), register: make([]int32, count),
	}
	for i := range p.values {
		v := &p.values[i]
		s.register[i] = toResult
		s.vector[i] = v.op == OpVar && varies[v.slot]
		for _, a := range v.arguments() {
			s.vector[i] = s.vector[i] || s.vector[a]
			s.lastUse[a] = int32(i)
		}
		switch {
		case v.op == OpConst:
			s.constant = append(s.constant, int32(i))
		case !s.vector[i]:
			s.uniform = append(s.uniform, int32(i))
		}
	}
	for i := range p.values {
		if s.vector[i] && p.values[i].op != OpVar {
			s.emit(int32(i))
		}
	}
	return s.plan
}

// emit appends the instruction for a varying value.
func (s *scheduler) emit(i int32) {
	v := &s.values[i]
	shape := s.shape(v)
	in := instruction{loop: s.ops.Loop(v.op, shape), dst: toResult, arity: v.op.tapeArity()}
	if !in.loop.found() {
		in.loop, shape = plainLoop(v), simd.Vectors
	}
	for k, a := range v.arguments() {
		if shape != simd.Vectors && !s.vector[a] && k < 2 {
			in.args[k] = source{isNumber, a}
		} else {
			in.args[k] = s.source(a)
		}
	}
	for k, a := range v.arguments() {
		again := slices.Contains(v.args[:k], a)
		if !again && s.vector[a] && in.args[k].kind == inRegister && s.lastUse[a] == i {
			s.free = append(s.free, s.register[a])
		}
	}
	if int(i) != len(s.values)-1 {
		in.dst = s.allocate()
		s.register[i] = in.dst
	}
	s.tape = append(s.tape, in)
}

// shape tells which operand of arithmetic is one number, if one of the first two is.
func (s *scheduler) shape(v *value) simd.Shape {
	arithmetic := v.op >= OpAdd && v.op <= OpDiv || v.op == opSquared || v.op == opAddSquared
	switch first, second := s.vector[v.args[0]], s.vector[v.args[1]]; {
	case !arithmetic || first == second:
		return simd.Vectors
	case second:
		return simd.NumberFirst
	}
	return simd.NumberSecond
}

func (s *scheduler) allocate() int32 {
	if n := len(s.free); n > 0 {
		r := s.free[n-1]
		s.free = s.free[:n-1]
		return r
	}
	s.registers++
	return int32(s.registers - 1)
}

// source returns where the vector of the value a is; a uniform one gets a register of its
// own for the whole call.
func (s *scheduler) source(a int32) source {
	v := &s.values[a]
	if s.vector[a] && v.op == OpVar {
		return source{inSlot, int32(v.slot)}
	}
	if !s.vector[a] && s.register[a] == toResult {
		s.registers++
		s.register[a] = int32(s.registers - 1)
		s.broadcast = append(s.broadcast, broadcast{a, s.register[a]})
	}
	return source{inRegister, s.register[a]}
}
