package expr

import "math"

// maxPasses bounds how often Simplify goes over a formula; two or three
// usually reach the fixed point.
const maxPasses = 10

// Simplify returns an equal formula in canonical form: sums and products are
// flattened, like terms and powers collected, constants and common factors
// drawn out, roots of squares and products of exponentials resolved. Parts
// that are used more than once stay shared. It is idempotent. Values change by
// rounding only, see the package comment.
//
// Cost: about 5 µs for each node.
func Simplify(n *Node) *Node {
	for range maxPasses {
		before := n
		n = simplifyOnce(share(n))
		if Equal(before, n) {
			break
		}
	}
	return n
}

// simplifier holds one pass over one formula.
type simplifier struct {
	done map[*Node]*Node
	// shared are the results that several parts of the formula use: a sum or an
	// exponential among them is computed anyway, so it is not taken apart.
	shared map[*Node]bool
}

func simplifyOnce(n *Node) *Node {
	uses, absorbed := map[*Node]int{}, map[*Node]bool{}
	for m := range walk(n) {
		for _, a := range m.Args() {
			uses[a]++
			absorbed[a] = absorbs(m, a)
		}
	}
	s := simplifier{done: map[*Node]*Node{}, shared: map[*Node]bool{}}
	for m := range walk(n) {
		var args [3]*Node
		for i, a := range m.Args() {
			args[i] = s.done[a]
		}
		if uses[m] == 1 && absorbed[m] {
			s.done[m] = build(m.op, m.value, args)
			continue
		}
		r := s.rule(m, args)
		s.done[m] = r
		if uses[m] > 1 {
			s.shared[r] = true
		}
	}
	return s.done[n]
}

// absorbs reports whether simplifying m takes its argument a apart anyway, so
// that doing a by itself first would make long sums and products quadratic.
func absorbs(m, a *Node) bool {
	switch m.op {
	case OpAdd, OpSub:
		return isSum(a)
	case OpNeg:
		return a.op == OpAdd || a.op == OpSub
	case OpMul, OpDiv:
		return a.op == OpMul || a.op == OpDiv
	}
	return false
}

func isSum(n *Node) bool {
	return n.op == OpAdd || n.op == OpSub || n.op == OpNeg && isSum(n.args[0])
}

// rule simplifies one node whose arguments are simplified.
func (s *simplifier) rule(m *Node, args [3]*Node) *Node {
	a := args[0]
	switch m.op {
	case OpConst, OpVar:
		return m
	case OpAdd, OpSub, OpNeg, OpMul, OpDiv, OpPow:
		return s.arithmetic(build(m.op, m.value, args))
	case OpSqrt:
		return s.root(a)
	case OpAbs:
		return s.magnitude(a)
	case OpLog:
		if a.op == OpExp {
			return a.args[0]
		}
	case OpExp:
		return s.exponential(a)
	case OpWhere:
		return s.choice(args)
	}
	return build(m.op, m.value, args)
}

func (s *simplifier) arithmetic(n *Node) *Node {
	switch n.op {
	case OpAdd, OpSub:
		return s.sum(n)
	case OpMul, OpDiv, OpPow:
		return s.product(n)
	case OpNeg:
		switch n.args[0].op {
		case OpAdd, OpSub:
			return s.sum(n)
		case OpMul, OpDiv, OpPow:
			return s.product(n)
		}
	}
	return n
}

// exponential is exp(a); the exponential of a logarithm is a power.
func (s *simplifier) exponential(a *Node) *Node {
	t := splitTerm(a)
	if t.body.op == OpLog {
		return Pow(t.body.args[0], Const(t.num/t.den))
	}
	return Exp(a)
}

// choice is where(c, a, b); a branch that asks the same question again has its
// answer.
func (s *simplifier) choice(args [3]*Node) *Node {
	c, a, b := args[0], args[1], args[2]
	if a.op == OpWhere && Equal(a.args[0], c) {
		a = a.args[1]
	}
	if b.op == OpWhere && Equal(b.args[0], c) {
		b = b.args[2]
	}
	return Where(c, a, b)
}

// root is sqrt(a) with positive constants and even powers drawn out:
// sqrt(x²y/4) = |x| sqrt(y)/2.
func (s *simplifier) root(a *Node) *Node {
	if a.op == OpExp && !s.shared[a] {
		return Exp(s.product(Mul(Const(0.5), a.args[0])))
	}
	p := s.factors(a)
	outside, inside := newProduct(s), newProduct(s)
	if p.num < 0 {
		inside.num = -1
	}
	outside.num, outside.den = math.Sqrt(math.Abs(p.num)), math.Sqrt(p.den)
	for _, f := range p.list {
		if isEven(f.power) {
			outside.collect(Abs(Pow(f.base, Const(f.power/2))), 1)
		} else {
			inside.multiply(f.base, f.power)
		}
	}
	return outside.times(Sqrt(inside.node())).node()
}

// magnitude is |a| with everything that cannot be negative drawn out.
func (s *simplifier) magnitude(a *Node) *Node {
	if nonnegative(a) {
		return a
	}
	p := s.factors(a)
	outside, inside := newProduct(s), newProduct(s)
	outside.num, outside.den = math.Abs(p.num), p.den
	for _, f := range p.list {
		if isEven(f.power) || nonnegative(f.base) {
			outside.multiply(f.base, f.power)
		} else {
			inside.multiply(f.base, f.power)
		}
	}
	return outside.times(Abs(inside.node())).node()
}
