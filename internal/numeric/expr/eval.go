package expr

import (
	"fmt"
	"math"
)

// Eval computes n with vars[slot] for the variables. It is the reference that
// compiled programs are compared with: one recursion over the formula, each
// distinct node computed once. It panics if n uses a slot beyond len(vars).
func Eval(n *Node, vars []float64) float64 {
	e := evaluator{vars: vars, known: map[*Node]float64{}}
	return e.eval(n)
}

type evaluator struct {
	vars  []float64
	known map[*Node]float64
}

func (e *evaluator) eval(n *Node) float64 {
	switch n.op {
	case OpConst:
		return n.value
	case OpVar:
		if n.slot >= len(e.vars) {
			panic(fmt.Sprintf("expr: variable %s is slot %d, but there are %d values", n, n.slot, len(e.vars)))
		}
		return e.vars[n.slot]
	}
	if v, ok := e.known[n]; ok {
		return v
	}
	var v float64
	if a, b, ok := n.difference(); ok {
		v = e.eval(a) - e.eval(b)
	} else {
		var x [3]float64
		for i, a := range n.Args() {
			x[i] = e.eval(a)
		}
		v = apply(n.op, n.value, x[0], x[1], x[2])
	}
	e.known[n] = v
	return v
}

// difference reports whether n is a - b, in any of the forms Sub gives it.
// Evaluators use it so that b - a rounds, and signs its zero, as written.
func (n *Node) difference() (a, b *Node, ok bool) {
	switch {
	case n.op == OpSub:
		return n.args[0], n.args[1], true
	case n.op == OpAdd && n.args[0].IsConst() && math.Signbit(n.args[0].value):
		return n.args[1], Const(-n.args[0].value), true
	case n.op == OpNeg && n.args[0].op == OpSub:
		return n.args[0].args[1], n.args[0].args[0], true
	case n.op == OpNeg && n.args[0].op == OpAdd && n.args[0].args[0].IsConst():
		return Const(-n.args[0].args[0].value), n.args[0].args[1], true
	}
	return nil, nil, false
}
