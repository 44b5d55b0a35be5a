package expr

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/greenbench/workbench/numeric/expr/bessel"
)

// Program is a compiled formula. It is immutable and safe for concurrent use.
type Program struct {
	slots  int
	values []value // in order of evaluation; the last one is the result
	// plans holds one schedule for each set of slots that vary. It only grows.
	plans   atomic.Pointer[[]*plan]
	scratch sync.Pool
}

// value is one step of the program: an operation on earlier values.
type value struct {
	op   Op
	args [3]int32 // indices of earlier values
	num  float64  // constant, or order nu
	slot int      // of OpVar
	poly []float64
}

// maxValues bounds the length of a program.
const maxValues = 1 << 20

// Compile translates n to a program for the given number of slots. Equal
// subexpressions become one step. An error says that n uses a slot beyond
// slots, or has more than 2^20 distinct nodes.
func Compile(n *Node, slots int) (*Program, error) {
	if used := Slots(n); len(used) > 0 && used[len(used)-1] >= slots {
		return nil, fmt.Errorf("slots %d: the formula uses slot %d", slots, used[len(used)-1])
	}
	c := compiler{ids: map[valueKey]int32{}, nodes: map[*Node]int32{}}
	c.lower(n)
	if len(c.values) > maxValues {
		return nil, fmt.Errorf("formula with %d operations: at most %d are allowed", len(c.values), maxValues)
	}
	p := &Program{slots: slots, values: c.prune(c.nodes[n])}
	p.plans.Store(&[]*plan{})
	return p, nil
}

// valueKey identifies a step: equal keys compute equal numbers.
type valueKey struct {
	op   Op
	args [3]int32
	num  uint64
	slot int
}

type compiler struct {
	values []value
	ids    map[valueKey]int32
	nodes  map[*Node]int32
}

// lower adds the steps of n.
func (c *compiler) lower(n *Node) {
	for m := range walk(n) {
		var v value
		if a, b, ok := m.difference(); ok {
			v = value{op: OpSub, args: [3]int32{c.operand(a), c.operand(b), 0}}
		} else {
			v = value{op: m.op, num: m.value, slot: m.slot}
			for i, a := range m.Args() {
				v.args[i] = c.operand(a)
			}
		}
		c.nodes[m] = c.add(v)
	}
}

// operand returns the step of an argument; constants that difference made up
// are not yet among the nodes.
func (c *compiler) operand(n *Node) int32 {
	if n.IsConst() {
		return c.add(value{op: OpConst, num: n.value})
	}
	return c.nodes[n]
}

func (c *compiler) add(v value) int32 {
	key := valueKey{v.op, v.args, math.Float64bits(v.num), v.slot}
	if id, ok := c.ids[key]; ok {
		return id
	}
	if v.op == OpMatern {
		v.poly, _ = bessel.HalfInteger(v.num)
	}
	id := int32(len(c.values))
	c.values = append(c.values, v)
	c.ids[key] = id
	return id
}

// prune drops the steps that the result does not need and renumbers the rest.
func (c *compiler) prune(result int32) []value {
	needed := make([]bool, result+1)
	needed[result] = true
	for i := result; i >= 0; i-- {
		if !needed[i] {
			continue
		}
		for _, a := range c.values[i].args[:c.values[i].op.Arity()] {
			needed[a] = true
		}
	}
	var kept []value
	number := make([]int32, result+1)
	for i, v := range c.values[:result+1] {
		if !needed[i] {
			continue
		}
		for k := range v.op.Arity() {
			v.args[k] = number[v.args[k]]
		}
		number[i] = int32(len(kept))
		kept = append(kept, v)
	}
	return kept
}

// Slots returns the number of slots the program was compiled for.
func (p *Program) Slots() int { return p.slots }

// Len returns the number of steps, variables and constants included.
func (p *Program) Len() int { return len(p.values) }

// Eval computes the program at one point, vars[slot] for the variables.
// It panics if len(vars) < Slots().
func (p *Program) Eval(vars []float64) float64 {
	var buffer [64]float64
	known := buffer[:]
	if len(p.values) > len(buffer) {
		known = make([]float64, len(p.values))
	}
	_ = vars[:p.slots]
	for i := range p.values {
		known[i] = p.values[i].compute(known, vars[p.values[i].slot:])
	}
	return known[len(p.values)-1]
}

// compute returns the value of one step; at starts at its slot.
func (v *value) compute(known, at []float64) float64 {
	switch v.op {
	case OpConst:
		return v.num
	case OpVar:
		return at[0]
	case OpMatern:
		return maternScalar(v, known[v.args[0]])
	}
	return apply(v.op, v.num, known[v.args[0]], known[v.args[1]], known[v.args[2]])
}

func maternScalar(v *value, d float64) float64 {
	return bessel.Matern(v.num, d)
}
