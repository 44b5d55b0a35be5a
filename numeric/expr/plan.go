package expr

import "slices"

// blockSize is how many points a tape handles at a time: a dozen registers of
// this size fit the first-level cache.
const blockSize = 256

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
	uniform   []int32 // values computed once per call, in order
	tape      []instruction
	registers int
}

// instruction is one step of the tape.
type instruction struct {
	value *value
	dst   int32 // register, or toResult
	args  [3]source
}

// toResult as the destination register means the caller's slice.
const toResult = -1

// source says where the argument of an instruction is.
type source struct {
	kind  sourceKind
	index int32 // register, slot or value
}

type sourceKind uint8

const (
	fromUniform  sourceKind = iota // one number for the whole call
	fromRegister                   // computed by the tape
	fromSlot                       // the caller's vector
)

// planFor returns the schedule for the slots that have a vector.
func (p *Program) planFor(vars []Operand) *plan {
	plans := *p.plans.Load()
	for _, q := range plans {
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

// schedule splits the values into uniform and varying ones and assigns
// registers: a register is free again after the last use of its value, and may
// be overwritten by the very instruction that uses it last.
func (p *Program) schedule(varies []bool) *plan {
	q := &plan{varies: varies}
	result := int32(len(p.values) - 1)
	vector := make([]bool, len(p.values))
	lastUse := make([]int32, len(p.values))
	for i := range p.values {
		v := &p.values[i]
		vector[i] = v.op == OpVar && varies[v.slot]
		for _, a := range v.args[:v.op.Arity()] {
			vector[i] = vector[i] || vector[a]
			lastUse[a] = int32(i)
		}
		if !vector[i] {
			q.uniform = append(q.uniform, int32(i))
		}
	}
	register := make([]int32, len(p.values))
	var free []int32
	for i := range p.values {
		v := &p.values[i]
		if !vector[i] || v.op == OpVar {
			continue
		}
		in := instruction{value: v, dst: toResult}
		for k, a := range v.args[:v.op.Arity()] {
			in.args[k] = p.source(a, vector[a], register)
		}
		for k, a := range v.args[:v.op.Arity()] {
			first := !slices.Contains(v.args[:k], a)
			if first && in.args[k].kind == fromRegister && lastUse[a] == int32(i) {
				free = append(free, register[a])
			}
		}
		if int32(i) != result {
			if len(free) == 0 {
				free = append(free, int32(q.registers))
				q.registers++
			}
			in.dst, free = free[len(free)-1], free[:len(free)-1]
			register[i] = in.dst
		}
		q.tape = append(q.tape, in)
	}
	return q
}

func (p *Program) source(a int32, vector bool, register []int32) source {
	v := &p.values[a]
	switch {
	case !vector:
		return source{fromUniform, a}
	case v.op == OpVar:
		return source{fromSlot, int32(v.slot)}
	}
	return source{fromRegister, register[a]}
}
