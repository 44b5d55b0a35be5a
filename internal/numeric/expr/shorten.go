package expr

import (
	"math"
	"slices"
)

// A formula of two points that is computed for all pairs of two sets of them takes the time of what depends on both. The
// shortener writes it with less of that: of products and quotients, what depends on one point is put together, quotients
// and roots are made one; sums of quotients under an exponential get a common denominator; several quotients by the same
// number become products with its inverse. Each step changes a result by a few roundings only, since it is taken only
// where the intervals of what it puts together show that nothing can overflow, vanish or change its sign on the way.

const (
	reachable = 400 // powers of two between 1 and what is put together
	near      = 100 // powers of two between 1 and one factor that may be put anywhere
	mostTerms = 3   // denominators that are made one
	mostSteps = 500 // of formulas that are looked at
)

type shortener struct {
	bounds
	second int // the first slot of the second point
	uses   map[*Node]int
	sides  map[*Node]uint8 // 1, 2: the points that a formula depends on
	done   map[*Node]*Node
}

// shorten returns a formula with the values of n, but for rounding, where the variables are in the intervals of their slots.
func shorten(n *Node, second int, slots []Interval) *Node {
	if Size(n) > mostSteps {
		return n
	}
	n = share(n)
	s := shortener{
		bounds: bounds{slots, map[*Node]Interval{}}, second: second,
		uses: usesOf(n), sides: map[*Node]uint8{}, done: map[*Node]*Node{},
	}
	return s.inverses(share(s.node(n)))
}

func usesOf(n *Node) map[*Node]int {
	uses := map[*Node]int{}
	for m := range walk(n) {
		for _, a := range m.Args() {
			uses[a]++
		}
	}
	return uses
}

// side tells which points n depends on.
func (s *shortener) side(n *Node) uint8 {
	side, ok := s.sides[n]
	if ok {
		return side
	}
	switch {
	case n.op == OpVar && n.slot < s.second:
		side = 1
	case n.op == OpVar:
		side = 2
	}
	for _, a := range n.Args() {
		side |= s.side(a)
	}
	s.sides[n] = side
	return side
}

const bothSides = 3

// node writes a part of the formula.
func (s *shortener) node(n *Node) *Node {
	if s.side(n) != bothSides {
		return n
	}
	m, ok := s.done[n]
	if ok {
		return m
	}
	switch n.op {
	case OpMul, OpDiv, OpSqrt, OpPow:
		m = s.product(n)
	case OpExp:
		m = Exp(s.exponent(n.args[0]))
	default:
		m = s.asWritten(n)
	}
	s.done[n] = m
	return m
}

// asWritten keeps the operation of n.
func (s *shortener) asWritten(n *Node) *Node {
	var args [3]*Node
	for i, a := range n.Args() {
		args[i] = s.node(a)
	}
	return build(n.op, n.value, args)
}

// powers is a product: a number, powers, which are multiples of 1/2, of formulas, those that are not whole of positive
// ones, and an exponential.
type powers struct {
	num      float64
	list     []factor
	exponent *Node // nil: no exponential
}

func (f *powers) add(base *Node, power float64) {
	for i := range f.list {
		if Equal(f.list[i].base, base) {
			f.list[i].power += power
			return
		}
	}
	f.list = append(f.list, factor{base, power})
}

func (s *shortener) positive(n *Node) bool { return s.of(n).Lo > 0 }

// collect multiplies f by n^power; what other parts of the formula use as well is not taken apart.
func (s *shortener) collect(f *powers, n *Node, power float64, top bool) {
	whole := isWhole(power)
	a, b := n.args[0], n.args[1]
	switch {
	case n.IsConst():
		f.num *= pow(n.value, power)
	case s.side(n) != bothSides || !top && s.uses[n] > 1:
		f.add(s.node(n), power)
	case n.op == OpNeg && whole:
		if !isEven(power) {
			f.num = -f.num
		}
		s.collect(f, a, power, false)
	case n.op == OpMul && (whole || s.positive(a) && s.positive(b)):
		s.collect(f, a, power, false)
		s.collect(f, b, power, false)
	case n.op == OpDiv && (whole || s.positive(a) && s.positive(b)):
		s.collect(f, a, power, false)
		s.collect(f, b, -power, false)
	case n.op == OpPow && b.IsConst() && isProduct(b.value*power) && (whole && isWhole(b.value) || s.positive(a)):
		s.collect(f, a, b.value*power, false)
	case n.op == OpSqrt && whole && (s.positive(a) || isEven(power) && power > 0 && s.of(a).Lo >= 0):
		s.collect(f, a, power/2, false)
	case n.op == OpExp && whole:
		e := Mul(Const(power), a)
		if f.exponent != nil {
			e = Add(f.exponent, e)
		}
		f.exponent = e
	case top:
		f.add(s.asWritten(n), power)
	default:
		f.add(s.node(n), power)
	}
}

// reach is how many powers of two may be between 1 and a power of a formula. Of a loose one, which may be 0 or nearly so,
// only those above count: it must be multiplied last.
func (s *shortener) reach(f factor) (span float64, loose bool) {
	i := s.of(f.base).magnitude()
	up, down := math.Log2(i.Hi), -math.Log2(i.Lo)
	if span = math.Abs(f.power) * max(up, down, 0); span <= near {
		return span, false
	}
	if f.power > 0 && isWhole(f.power) {
		return f.power * max(up, 0), true
	}
	return math.Inf(1), false
}

// fits reports whether the factors may be multiplied in any order, but for one that is loose.
func (s *shortener) fits(f *powers, mostLoose int) bool {
	total, loose := math.Abs(math.Log2(math.Abs(f.num))), 0
	for _, each := range f.list {
		span, isLoose := s.reach(each)
		total += span
		if isLoose {
			loose++
		}
	}
	return total <= reachable && loose <= mostLoose
}

// product writes a product, quotient, power or root.
func (s *shortener) product(n *Node) *Node {
	f := powers{num: 1}
	s.collect(&f, n, 1, true)
	if f.exponent != nil {
		f.add(Exp(s.exponent(f.exponent)), 1)
	}
	if !s.fits(&f, 1) {
		return s.asWritten(n)
	}
	return s.multiply(&f)
}

// multiply writes factors that fit: what depends on one point first, then one root, the others, one division, and last
// what is loose and an exponential, whose many operations leave the time in which results get to memory.
func (s *shortener) multiply(f *powers) *Node {
	slices.SortStableFunc(f.list, func(f, g factor) int { return compare(f.base, g.base) })
	one := Const(1)
	first, second, above, below, top, bottom, last := one, one, one, one, one, one, one
	times := func(to **Node, base *Node, power float64) {
		if power > 0 {
			*to = Mul(*to, Pow(base, Const(power)))
		}
	}
	for _, each := range f.list {
		whole := math.Trunc(each.power)
		_, loose := s.reach(each)
		switch side := s.side(each.base); {
		case side == 2:
			second = Mul(second, Pow(each.base, Const(each.power)))
		case side != bothSides:
			first = Mul(first, Pow(each.base, Const(each.power)))
		case loose, each.base.op == OpExp && each.power == whole && whole > 0:
			times(&last, each.base, each.power)
		default:
			times(&above, each.base, 2*(each.power-whole)) // under the root
			times(&below, each.base, -2*(each.power-whole))
			times(&top, each.base, whole)
			times(&bottom, each.base, -whole)
		}
	}
	num := f.num
	if !isPowerOfTwo(num) && !first.IsConst() && !second.IsConst() { // on both sides, so that a symmetric formula stays it
		root := math.Sqrt(math.Abs(num))
		num, first, second = math.Copysign(1, num), Mul(Const(root), first), Mul(Const(root), second)
	}
	r := Mul(Mul(Const(num), first), second)
	r = Mul(r, Sqrt(Mul(above, Div(one, below))))
	r = Mul(Mul(r, top), Div(one, bottom))
	return Mul(r, last)
}

// denominators takes those of a term that depend on both points out of it.
func (s *shortener) denominators(f *powers) (below []factor) {
	f.list = slices.DeleteFunc(f.list, func(each factor) bool {
		is := each.power < 0 && isWhole(each.power) && s.side(each.base) == bothSides
		if is {
			below = append(below, factor{each.base, -each.power})
		}
		return is
	})
	return below
}

// exponent writes what is under an exponential, where small absolute errors are small relative ones of the result: terms
// with denominators become one.
func (s *shortener) exponent(n *Node) *Node {
	var terms []powers
	s.terms(&terms, n, 1, true)
	rest := Const(0)
	var quotients []powers
	var under [][]factor
	common := powers{num: 1}
	for _, t := range terms {
		kept := powers{t.num, slices.Clone(t.list), nil}
		below := s.denominators(&t)
		if len(below) == 0 || t.exponent != nil {
			if t.exponent != nil {
				kept.add(Exp(s.exponent(t.exponent)), 1)
			}
			if !s.fits(&kept, 1) {
				return s.node(n)
			}
			rest = Add(rest, s.multiply(&kept))
			continue
		}
		for _, b := range below {
			common.raise(b)
		}
		quotients, under = append(quotients, t), append(under, below)
	}
	if len(quotients) < 2 || len(common.list) > mostTerms || !s.fits(&common, 0) {
		return s.node(n)
	}
	scale := quotients[0].num
	if slices.ContainsFunc(quotients, func(t powers) bool { return t.num != scale }) {
		scale = 1
	}
	sum := Const(0)
	for i, t := range quotients {
		t.num /= scale
		for _, c := range common.list {
			t.add(c.base, c.power)
		}
		for _, b := range under[i] {
			t.add(b.base, -b.power)
		}
		t.list = slices.DeleteFunc(t.list, func(f factor) bool { return f.power == 0 })
		if !s.fits(&t, len(t.list)) {
			return s.node(n)
		}
		sum = Add(sum, s.multiply(&t))
	}
	return Add(Mul(Const(scale), Mul(sum, Div(Const(1), s.multiply(&common)))), rest)
}

// raise makes a product a multiple of a power.
func (f *powers) raise(by factor) {
	for i := range f.list {
		if Equal(f.list[i].base, by.base) {
			f.list[i].power = max(f.list[i].power, by.power)
			return
		}
	}
	f.list = append(f.list, by)
}

// terms appends the terms of a sum times a number.
func (s *shortener) terms(to *[]powers, n *Node, by float64, top bool) {
	a, b := n.args[0], n.args[1]
	whole := s.side(n) != bothSides || !top && s.uses[n] > 1
	switch {
	case !whole && n.op == OpNeg:
		s.terms(to, a, -by, top)
	case !whole && n.op == OpAdd:
		s.terms(to, a, by, false)
		s.terms(to, b, by, false)
	case !whole && n.op == OpSub:
		s.terms(to, a, by, false)
		s.terms(to, b, -by, false)
	case !whole && n.op == OpMul && a.IsConst():
		s.terms(to, b, by*a.value, false)
	default:
		f := powers{num: by}
		s.collect(&f, n, 1, !whole)
		*to = append(*to, f)
	}
}

// inverses lets quotients by the same formula share its inverse, and makes quotients of products with inverses that nothing
// shares.
func (s *shortener) inverses(n *Node) *Node {
	uses, divided := usesOf(n), map[*Node]int{}
	for m := range walk(n) {
		if m.op == OpDiv && s.side(m.args[1]) == bothSides {
			divided[m.args[1]]++
		}
	}
	single := func(m *Node) bool {
		return m.op == OpDiv && m.args[0].isConst(1) && uses[m] == 1 && divided[m.args[1]] == 1
	}
	done := map[*Node]*Node{}
	for m := range walk(n) {
		var args [3]*Node
		for i, a := range m.Args() {
			args[i] = done[a]
		}
		done[m] = nil
		for i, a := range m.Args() {
			switch other := args[len(m.Args())-1-i]; {
			case m.op != OpMul:
			case single(a):
				done[m] = Div(other, done[a.args[1]])
			case a.op == OpSqrt && uses[a] == 1 && single(a.args[0]):
				done[m] = Div(other, Sqrt(done[a.args[0].args[1]]))
			}
		}
		if m.op == OpDiv && divided[m.args[1]] > 1 && !m.args[0].isConst(1) {
			if span, _ := s.reach(factor{m.args[1], -1}); span <= near {
				done[m] = Mul(args[0], Div(Const(1), args[1]))
			}
		}
		if done[m] == nil {
			done[m] = m
			if m.op.arity() > 0 {
				done[m] = build(m.op, m.value, args)
			}
		}
	}
	return done[n]
}
