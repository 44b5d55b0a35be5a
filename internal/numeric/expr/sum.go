package expr

import (
	"math"
	"slices"
)

// sum is a formula written as a number plus multiples of different bodies.
type sum struct {
	constant float64
	list     []term
	index    map[uint64][]int // hash of a body to its places in list
}

// term is num/den times body; body carries no number and no sign.
type term struct {
	num, den float64
	body     *Node
}

// splitTerm takes the number off a simplified product.
func splitTerm(n *Node) term {
	a, b := n.args[0], n.args[1]
	switch {
	case n.op == OpNeg:
		t := splitTerm(a)
		t.num = -t.num
		return t
	case n.op == OpMul && a.IsConst():
		return term{a.value, 1, b}
	case n.op == OpDiv && b.IsConst():
		return term{1, b.value, a}
	case n.op == OpDiv && a.IsConst() && a.value != 1:
		return term{a.value, 1, Div(Const(1), b)}
	}
	return term{1, 1, n}
}

// node is the term as a formula.
func (t term) node() *Node {
	if b := t.body; b.op == OpDiv && b.args[0].isConst(1) {
		return Div(Const(t.num/t.den), b.args[1])
	}
	if math.Abs(t.num) != 1 {
		return Mul(Const(t.num/t.den), t.body)
	}
	return Div(Mul(Const(t.num), t.body), Const(t.den))
}

// sum puts a sum or difference into canonical form.
func (s *simplifier) sum(n *Node) *Node {
	var c sum
	s.collect(&c, n, 1, true)
	return s.total(&c)
}

// collect adds sign*n to c. A sum that other parts of the formula use as well
// is left whole.
func (s *simplifier) collect(c *sum, n *Node, sign float64, top bool) {
	whole := !top && s.shared[n]
	switch {
	case n.IsConst():
		c.constant += sign * n.value
	case n.op == OpNeg:
		s.collect(c, n.args[0], -sign, top)
	case n.op == OpAdd && !whole:
		s.collect(c, n.args[0], sign, false)
		s.collect(c, n.args[1], sign, false)
	case n.op == OpSub && !whole:
		s.collect(c, n.args[0], sign, false)
		s.collect(c, n.args[1], -sign, false)
	default:
		t := splitTerm(n)
		t.num *= sign
		c.add(t)
	}
}

func (c *sum) add(t term) {
	for _, i := range c.index[t.body.hash] {
		u := &c.list[i]
		if !Equal(u.body, t.body) {
			continue
		}
		if u.den != t.den {
			u.num, u.den = u.num/u.den, 1
			t.num, t.den = t.num/t.den, 1
		}
		u.num += t.num
		return
	}
	if c.index == nil {
		c.index = map[uint64][]int{}
	}
	c.index[t.body.hash] = append(c.index[t.body.hash], len(c.list))
	c.list = append(c.list, t)
}

// total writes the sum as a formula: terms in canonical order, the first one
// positive, what all terms share drawn out.
func (s *simplifier) total(c *sum) *Node {
	c.list = slices.DeleteFunc(c.list, func(t term) bool { return t.num == 0 })
	slices.SortStableFunc(c.list, func(t, u term) int { return compare(t.body, u.body) })
	switch {
	case len(c.list) == 0:
		return Const(c.constant)
	case len(c.list) == 1 && c.constant == 0:
		return c.list[0].node()
	case c.list[0].num < 0:
		c.negate()
		return Neg(s.total(c))
	}
	if c.constant == 0 {
		if common := c.common(s); len(common.list) > 0 || common.num != 1 || common.den != 1 {
			return s.product(common.times(s.total(c)).node())
		}
	}
	total := Const(c.constant)
	for _, t := range c.list {
		if t.num < 0 {
			t.num = -t.num
			total = Sub(total, t.node())
		} else {
			total = Add(total, t.node())
		}
	}
	return total
}

func (c *sum) negate() {
	c.constant = -c.constant
	for i := range c.list {
		c.list[i].num = -c.list[i].num
	}
}

// common divides the terms by what all of them share and returns it: a number
// if all have the same up to sign, and factors. A variable is not drawn out if
// a term would become a bare number: x² + x stays.
func (c *sum) common(s *simplifier) *product {
	shared := newProduct(s)
	first := c.list[0]
	if !slices.ContainsFunc(c.list, func(t term) bool { return math.Abs(t.num) != first.num || t.den != first.den }) {
		shared.num, shared.den = first.num, first.den
		for i := range c.list {
			c.list[i].num /= first.num
			c.list[i].den = 1
		}
	}
	parts := make([]*product, len(c.list))
	for i, t := range c.list {
		parts[i] = newProduct(s)
		parts[i].collect(t.body, 1)
	}
	var drawn []factor
	for _, f := range parts[0].list {
		if !slices.ContainsFunc(parts, func(p *product) bool { return !p.has(f) }) {
			drawn = append(drawn, f)
		}
	}
	if slices.ContainsFunc(parts, func(p *product) bool { return len(p.list) == len(drawn) }) {
		drawn = slices.DeleteFunc(drawn, func(f factor) bool { return f.base.op == OpVar && f.power > 0 })
	}
	for _, f := range drawn {
		shared.list = append(shared.list, f)
		for i := range parts {
			parts[i].take(f.base)
		}
	}
	if len(drawn) > 0 {
		for i := range c.list {
			c.list[i].body = parts[i].node()
		}
	}
	return shared
}

func (p *product) has(f factor) bool {
	return slices.ContainsFunc(p.list, func(g factor) bool { return g.power == f.power && Equal(g.base, f.base) })
}
