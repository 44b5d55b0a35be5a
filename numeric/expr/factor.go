package expr

import "slices"

// maxFactorTerms bounds the sums of products that Factor makes.
const maxFactorTerms = 64

// Factor writes n as a sum of products over disjoint groups of slots,
//
//	n = Σ_t Π_g terms[t][g],  terms[t][g] using slots of groups[g] only,
//
// so that one term means n is separable. Slots in no group (parameters) may
// occur in every factor. ok is false if the form of n shows no such sum of at
// most 64 terms; that is no proof that there is none.
func Factor(n *Node, groups [][]int) (terms [][]*Node, ok bool) {
	f := factorizer{groups: groups, known: map[*Node]int{}}
	terms, ok = f.expand(Simplify(n))
	if !ok {
		return nil, false
	}
	terms = f.merge(terms)
	for _, t := range terms {
		for g := range t {
			t[g] = Simplify(t[g])
		}
	}
	return terms, true
}

type factorizer struct {
	groups [][]int
	known  map[*Node]int
}

// What group of gives besides a group.
const (
	noGroup    = -1
	manyGroups = -2
)

// group returns the one group whose slots n uses.
func (f *factorizer) group(n *Node) int {
	if g, ok := f.known[n]; ok {
		return g
	}
	g := noGroup
	if n.op == OpVar {
		g = slices.IndexFunc(f.groups, func(slots []int) bool { return slices.Contains(slots, n.slot) })
	}
	for _, a := range n.Args() {
		switch h := f.group(a); {
		case g == noGroup:
			g = h
		case h != noGroup && h != g:
			g = manyGroups
		}
	}
	f.known[n] = g
	return g
}

// single is the term that has n in its group and 1 elsewhere.
func (f *factorizer) single(n *Node) []*Node {
	t := make([]*Node, len(f.groups))
	for g := range t {
		t[g] = Const(1)
	}
	t[max(f.group(n), 0)] = n
	return t
}

// each applies a function to every factor of a term.
func each(t []*Node, fn func(*Node) *Node) []*Node {
	r := make([]*Node, len(t))
	for g := range t {
		r[g] = fn(t[g])
	}
	return r
}

func times(s, t []*Node) []*Node {
	r := make([]*Node, len(t))
	for g := range t {
		r[g] = Mul(s[g], t[g])
	}
	return r
}

func (f *factorizer) expand(n *Node) (terms [][]*Node, ok bool) {
	if f.group(n) != manyGroups {
		return [][]*Node{f.single(n)}, true
	}
	a, b := n.args[0], n.args[1]
	switch n.op {
	case OpAdd, OpSub, OpNeg:
		return f.expandSum(n)
	case OpMul:
		s, ok := f.expand(a)
		if !ok {
			return nil, false
		}
		return f.distribute(s, b)
	case OpDiv:
		if t, ok := f.one(b); ok {
			return f.product(each(t, func(m *Node) *Node { return Div(Const(1), m) }), a)
		}
	case OpPow:
		return f.expandPower(a, b)
	case OpExp:
		return f.expandExp(a)
	case OpCos, OpSin:
		return f.expandWave(n.op, a)
	case OpSqrt, OpAbs:
		t, ok := f.one(a)
		if ok && (n.op == OpAbs || allNonnegative(t)) {
			return [][]*Node{each(t, func(m *Node) *Node { return build1(n.op, m) })}, true
		}
	case OpWhere:
		return f.expandWhere(n)
	}
	return nil, false
}

// one expands n to exactly one term.
func (f *factorizer) one(n *Node) (term []*Node, ok bool) {
	terms, ok := f.expand(n)
	if !ok || len(terms) != 1 {
		return nil, false
	}
	return terms[0], true
}

func (f *factorizer) product(s []*Node, n *Node) (terms [][]*Node, ok bool) {
	return f.distribute([][]*Node{s}, n)
}

// distribute multiplies the sum s with n.
func (f *factorizer) distribute(s [][]*Node, n *Node) (terms [][]*Node, ok bool) {
	t, ok := f.expand(n)
	if !ok || len(s)*len(t) > maxFactorTerms {
		return nil, false
	}
	for _, x := range s {
		for _, y := range t {
			terms = append(terms, times(x, y))
		}
	}
	return terms, true
}

// expandSum keeps what belongs to one group together.
func (f *factorizer) expandSum(n *Node) (terms [][]*Node, ok bool) {
	parts := each(make([]*Node, len(f.groups)), func(*Node) *Node { return Const(0) })
	minus := f.single(Const(-1))
	var visit func(m *Node, sign float64) bool
	visit = func(m *Node, sign float64) bool {
		g := f.group(m)
		switch {
		case g != manyGroups:
			g = max(g, 0)
			parts[g] = Add(parts[g], Mul(Const(sign), m))
			return true
		case m.op == OpNeg:
			return visit(m.args[0], -sign)
		case m.op == OpAdd:
			return visit(m.args[0], sign) && visit(m.args[1], sign)
		case m.op == OpSub:
			return visit(m.args[0], sign) && visit(m.args[1], -sign)
		}
		t, ok := f.expand(m)
		for i := range t {
			if sign < 0 {
				t[i] = times(t[i], minus)
			}
		}
		terms = append(terms, t...)
		return ok && len(terms) <= maxFactorTerms
	}
	if !visit(n, 1) {
		return nil, false
	}
	for _, p := range parts {
		if !p.isConst(0) {
			terms = append(terms, f.single(p))
		}
	}
	return terms, true
}

// maxExpandedPower bounds the powers of sums that are multiplied out.
const maxExpandedPower = 4

func (f *factorizer) expandPower(a, b *Node) (terms [][]*Node, ok bool) {
	terms, ok = f.expand(a)
	if !ok || !b.IsConst() {
		return nil, false
	}
	if len(terms) == 1 && (isWhole(b.value) || allNonnegative(terms[0])) {
		return [][]*Node{each(terms[0], func(m *Node) *Node { return Pow(m, b) })}, true
	}
	if !isWhole(b.value) || b.value < 0 || b.value > maxExpandedPower {
		return nil, false
	}
	result := terms
	for range int(b.value) - 1 {
		if result, ok = f.distribute(result, a); !ok {
			return nil, false
		}
	}
	return result, true
}

// expandExp is exp(a + b) = exp(a) exp(b).
func (f *factorizer) expandExp(a *Node) (terms [][]*Node, ok bool) {
	parts, ok := f.split(a)
	if !ok {
		return nil, false
	}
	return [][]*Node{each(parts, Exp)}, true
}

// split writes n as a sum with one part for each group.
func (f *factorizer) split(n *Node) (parts []*Node, ok bool) {
	terms, ok := f.expand(n)
	if !ok {
		return nil, false
	}
	parts = each(make([]*Node, len(f.groups)), func(*Node) *Node { return Const(0) })
	for _, t := range terms {
		value := Const(1)
		for _, factor := range t {
			value = Mul(value, factor)
		}
		g := f.group(value)
		if g == manyGroups {
			return nil, false
		}
		parts[max(g, 0)] = Add(parts[max(g, 0)], value)
	}
	return parts, true
}

// expandWave is the addition theorem of sine or cosine over the groups.
func (f *factorizer) expandWave(op Op, a *Node) (terms [][]*Node, ok bool) {
	parts, ok := f.split(a)
	if !ok {
		return nil, false
	}
	parts = slices.DeleteFunc(parts, func(m *Node) bool { return m.isConst(0) })
	sine, cosine := [][]*Node{f.single(Sin(parts[0]))}, [][]*Node{f.single(Cos(parts[0]))}
	minus := f.single(Const(-1))
	for _, p := range parts[1:] {
		if len(sine) > maxFactorTerms/2 {
			return nil, false
		}
		sp, cp := f.single(Sin(p)), f.single(Cos(p))
		var s, c [][]*Node
		for i := range sine {
			s = append(s, times(sine[i], cp), times(cosine[i], sp))
			c = append(c, times(cosine[i], cp), times(times(sine[i], sp), minus))
		}
		sine, cosine = s, c
	}
	if op == OpSin {
		return sine, true
	}
	return cosine, true
}

// expandWhere puts a condition on one group into the factors of that group.
func (f *factorizer) expandWhere(n *Node) (terms [][]*Node, ok bool) {
	cond := n.args[0]
	g := max(f.group(cond), 0)
	a, okA := f.expand(n.args[1])
	b, okB := f.expand(n.args[2])
	if f.group(cond) == manyGroups || !okA || !okB || len(a)+len(b) > maxFactorTerms {
		return nil, false
	}
	for i := range a {
		a[i][g] = Where(cond, a[i][g], Const(0))
	}
	for i := range b {
		b[i][g] = Where(cond, Const(0), b[i][g])
	}
	return append(a, b...), true
}

func allNonnegative(t []*Node) bool {
	return !slices.ContainsFunc(t, func(m *Node) bool { return !nonnegative(m) })
}

// merge drops terms that are zero and adds terms that differ in one factor
// only.
func (f *factorizer) merge(terms [][]*Node) [][]*Node {
	var merged [][]*Node
	for _, t := range terms {
		if slices.ContainsFunc(t, func(m *Node) bool { return m.isConst(0) }) {
			continue
		}
		if !slices.ContainsFunc(merged, func(u []*Node) bool { return addTerm(u, t) }) {
			merged = append(merged, t)
		}
	}
	if len(merged) == 0 {
		return [][]*Node{f.single(Const(0))}
	}
	return merged
}

// addTerm adds t to u if they agree in all factors but one.
func addTerm(u, t []*Node) bool {
	different := -1
	for g := range t {
		if Equal(u[g], t[g]) {
			continue
		}
		if different >= 0 {
			return false
		}
		different = g
	}
	different = max(different, 0)
	u[different] = Add(u[different], t[different])
	return true
}
