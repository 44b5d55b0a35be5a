package expr

import (
	"math"
	"slices"
)

// product is a formula written as num/den times powers of different bases. The
// two numbers are kept apart so that x/3 stays x/3.
type product struct {
	num, den float64
	list     []factor
	s        *simplifier // says what is shared; may be nil
}

type factor struct {
	base  *Node
	power float64
}

// Bounds on the products that are taken apart: the factors of one, and the size
// of one that other parts of the formula use as well.
const (
	maxFactors       = 1024
	maxSharedProduct = 64
)

func newProduct(s *simplifier) *product { return &product{num: 1, den: 1, s: s} }

// product puts a product, quotient or power into canonical form.
func (s *simplifier) product(n *Node) *Node {
	p := s.factors(n)
	p.combine(s)
	return p.node()
}

// factors takes n apart.
func (s *simplifier) factors(n *Node) *product {
	p := newProduct(s)
	p.collect(n, 1)
	return p
}

// collect multiplies p by n^power.
func (p *product) collect(n *Node, power float64) {
	whole := isWhole(power)
	switch {
	case len(p.list) > maxFactors || n.size > maxSharedProduct && p.s != nil && p.s.shared[n]:
		p.multiply(n, power)
	case n.IsConst() && power == 1:
		p.num *= n.value
	case n.IsConst() && power == -1:
		p.den *= n.value
	case n.IsConst():
		p.num *= pow(n.value, power)
	case n.op == OpNeg && whole:
		if !isEven(power) {
			p.num = -p.num
		}
		p.collect(n.args[0], power)
	case n.op == OpMul && whole:
		p.collect(n.args[0], power)
		p.collect(n.args[1], power)
	case n.op == OpDiv && whole:
		p.collect(n.args[0], power)
		p.collect(n.args[1], -power)
	case n.op == OpPow && n.args[1].IsConst() && (whole || nonnegative(n.args[0])):
		p.collect(n.args[0], n.args[1].value*power)
	case n.op == OpPow && n.args[1].IsConst() && isEven(n.args[1].value):
		p.multiply(Abs(n.args[0]), n.args[1].value*power) // (x²)^p = |x|^(2p)
	default:
		p.multiply(n, power)
	}
}

// multiply multiplies p by base^power, where base is not taken apart.
func (p *product) multiply(base *Node, power float64) {
	if base.IsConst() {
		p.num *= pow(base.value, power)
		return
	}
	for i := range p.list {
		if Equal(p.list[i].base, base) {
			power += p.list[i].power
			p.list = slices.Delete(p.list, i, i+1)
			break
		}
	}
	if power == 0 {
		return
	}
	p.list = append(p.list, factor{base, power})
}

// times multiplies p by another formula.
func (p *product) times(n *Node) *product {
	p.collect(n, 1)
	return p
}

// take removes the factor with the given base and returns its power.
func (p *product) take(base *Node) float64 {
	for i, f := range p.list {
		if Equal(f.base, base) {
			p.list = slices.Delete(p.list, i, i+1)
			return f.power
		}
	}
	return 0
}

// combine resolves factors that act on each other: a root and what is under
// it, a magnitude or sign and its argument, several exponentials.
func (p *product) combine(s *simplifier) {
	for _, f := range slices.Clone(p.list) {
		if !isWhole(f.power) {
			continue
		}
		switch f.base.op {
		case OpSqrt:
			p.combineRoot(f.base)
		case OpAbs, OpSign:
			p.combineSign(f.base.args[0])
		}
	}
	p.combineExp(s)
}

// combineRoot replaces sqrt(a)^m a^n, m and n whole, by a power of a and at
// most one root.
func (p *product) combineRoot(root *Node) {
	a := root.args[0]
	halves := p.take(root)
	inside := 0.0
	for _, f := range p.list {
		if Equal(f.base, a) && isWhole(f.power) {
			inside = f.power
		}
	}
	if inside != 0 {
		halves += 2 * p.take(a)
	}
	rest := math.Mod(halves, 2)
	p.collect(a, (halves-rest)/2)
	if rest != 0 {
		p.multiply(root, rest)
	}
}

// combineSign replaces u^a |u|^b sign(u)^c, all whole, by the shortest product
// with the same value. sign(u)² alone is not 1: u may be 0 on a whole region.
func (p *product) combineSign(u *Node) {
	abs, sgn := Abs(u), Sign(u)
	a, b, c := p.take(u), p.take(abs), p.take(sgn)
	size := a + b
	negative := !isEven(a + c) // the sign of the whole
	switch {
	// 1/sign(u) is left alone: it is infinite at 0, which a condition can see.
	case !isWhole(a) || !isWhole(b) || c < 0:
		p.multiply(u, a)
		p.multiply(abs, b)
		p.multiply(sgn, c)
	case size == 0 && negative:
		p.multiply(sgn, 1)
	case size == 0:
		p.multiply(sgn, 2)
	case isEven(size) != negative:
		p.collect(u, size)
	case negative:
		p.multiply(abs, 1)
		p.collect(u, size-1)
	default:
		p.multiply(abs, size)
	}
}

// isWhole reports whether v is a whole number.
func isWhole(v float64) bool { return v == math.Trunc(v) && !math.IsInf(v, 0) }

// combineExp merges exponentials that nothing else uses: exp(a) exp(b) is
// exp(a + b).
func (p *product) combineExp(s *simplifier) {
	var exps, others []factor
	for _, f := range p.list {
		if f.base.op == OpExp && !s.shared[f.base] {
			exps = append(exps, f)
		} else {
			others = append(others, f)
		}
	}
	if len(exps) == 0 || len(exps) == 1 && exps[0].power == 1 {
		return
	}
	sum := Const(0)
	for _, f := range exps {
		sum = Add(sum, s.product(Mul(Const(f.power), f.base.args[0])))
	}
	p.list = others
	p.multiply(Exp(s.arithmetic(sum)), 1)
}

// node writes the product as a formula: the number first, then the factors in
// canonical order, then one division.
func (p *product) node() *Node {
	slices.SortStableFunc(p.list, func(f, g factor) int { return compare(f.base, g.base) })
	var top, bottom *Node
	for _, f := range p.list {
		switch {
		case f.power > 0 || !isWhole(f.power): // x^-1.5 is one operation, not two
			top = chain(top, Pow(f.base, Const(f.power)))
		case f.power < 0:
			bottom = chain(bottom, Pow(f.base, Const(-f.power)))
		}
	}
	num, den := p.num, p.den
	if math.Abs(num) != 1 {
		num, den = num/den, 1
	}
	switch {
	case top == nil && bottom == nil:
		return Const(num / den)
	case top == nil:
		return Div(Div(Const(num), bottom), Const(den))
	case bottom != nil:
		top = Div(top, bottom)
	}
	return Div(Mul(Const(num), top), Const(den))
}

func chain(product, factor *Node) *Node {
	if product == nil {
		return factor
	}
	return Mul(product, factor)
}
