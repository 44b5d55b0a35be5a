package expr

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/greenbench/workbench/internal/elementary"
	"github.com/greenbench/workbench/internal/numeric/bessel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// Program is a compiled formula. It is immutable and safe for concurrent use.
//
// It agrees with [Eval] to the bit, with these exceptions: exp and log are within 2 ulp,
// trigonometric and hyperbolic functions and their inverses, of one argument, within 3 ulp
// of their values, and powers that are no products within 3.5;
// matern is within 50 + z ulp with z = sqrt(2 nu) |d|, besselk within 50 + |x| ulp,
// both while the result is above 1e-280.
type Program struct {
	slots  int
	ops    Ops
	values []value // in order of evaluation; the last one is the result
	// plans holds one schedule for each set of slots that vary. It only grows.
	plans atomic.Pointer[[]*plan]
}

// value is one step of the program: an operation on earlier values.
type value struct {
	op   Op
	args [3]int32 // indices of earlier values
	num  float64  // constant, or order nu
	slot int      // of OpVar
	// table is set for the steps that use one, after all steps are known.
	table *lazyTable
}

// maxValues bounds the length of a program.
const maxValues = 1 << 20

// Compile translates n to a program for the given number of slots. Equal
// subexpressions become one step. An error says that n uses a slot beyond
// slots, or has more than 2^20 operations.
//
// Cost: about 1 µs for each node.
func Compile(n *Node, slots int) (*Program, error) {
	return compileWith(newVectorOps(simd.Best()), n, slots)
}

// compileWith compiles a formula for the given block operations (vector code of some processor).
func compileWith(ops Ops, n *Node, slots int) (*Program, error) {
	if used := Slots(n); len(used) > 0 && used[len(used)-1] >= slots {
		return nil, fmt.Errorf("slots %d: the formula uses slot %d", slots, used[len(used)-1])
	}
	c := compiler{ids: map[value]int32{}, nodes: map[*Node]int32{}}
	for m := range walk(n) {
		c.nodes[m] = c.lower(m)
	}
	if len(c.values) > maxValues {
		return nil, fmt.Errorf("formula with %d operations: at most %d are allowed", len(c.values), maxValues)
	}
	p := &Program{slots: slots, ops: ops, values: c.prune(c.nodes[n])}
	for i, v := range p.values {
		if v.op == opMaternScaled || v.op == opKScaled {
			p.values[i].table = new(lazyTable)
		}
	}
	p.plans.Store(&[]*plan{})
	return p, nil
}

// compiler collects steps; equal ones, with equal arguments, only once.
type compiler struct {
	values []value
	ids    map[value]int32
	nodes  map[*Node]int32
}

func (c *compiler) add(v value) int32 {
	key := v
	if v.op == OpConst {
		// NaN is not equal to itself, and 0 is to -0: compare bits.
		bits := math.Float64bits(v.num)
		key = value{op: OpConst, args: [3]int32{int32(bits), int32(bits >> 32), 0}}
	}
	if id, ok := c.ids[key]; ok {
		return id
	}
	id := int32(len(c.values))
	c.values = append(c.values, v)
	c.ids[key] = id
	return id
}

// step adds an operation on earlier values.
func (c *compiler) step(op Op, args ...int32) int32 {
	v := value{op: op}
	copy(v.args[:], args)
	return c.add(v)
}

func (c *compiler) constant(v float64) int32 { return c.add(value{op: OpConst, num: v}) }

// prune drops the steps that the result does not need and renumbers the rest.
func (c *compiler) prune(result int32) []value {
	needed := make([]bool, result+1)
	needed[result] = true
	for i := result; i >= 0; i-- {
		if !needed[i] {
			continue
		}
		for _, a := range c.values[i].arguments() {
			needed[a] = true
		}
	}
	var kept []value
	number := make([]int32, result+1)
	for i, v := range c.values[:result+1] {
		if !needed[i] {
			continue
		}
		for k := range v.arguments() {
			v.args[k] = number[v.args[k]]
		}
		number[i] = int32(len(kept))
		kept = append(kept, v)
	}
	return kept
}

func (v *value) arguments() []int32 { return v.args[:v.op.tapeArity()] }

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
		v := &p.values[i]
		if v.op == OpVar {
			known[i] = vars[v.slot]
		} else {
			known[i] = v.compute(known)
		}
	}
	return known[len(p.values)-1]
}

// compute returns the value of one step from the earlier ones.
func (v *value) compute(known []float64) float64 {
	return v.of(known[v.args[0]], known[v.args[1]], known[v.args[2]])
}

// of returns the value of one step from its arguments.
func (v *value) of(a, b, c float64) float64 {
	switch v.op {
	case OpConst:
		return v.num
	case opFMA:
		return math.FMA(a, b, c)
	case opSquared:
		return (a - b) * (a - b)
	case opAddSquared:
		return math.FMA(a-b, a-b, c)
	case opDecay:
		return c * elementary.Exp(-(a * b))
	case opMaternScaled:
		return bessel.MaternScaled(v.num, a)
	case opKScaled:
		return bessel.KScaled(v.num, a)
	}
	return apply(v.op, v.num, a, b, c)
}
