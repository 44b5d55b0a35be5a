package expr

import "github.com/greenbench/workbench/internal/numeric/simd"

// CompilePairs compiles a formula of two points, whose slots from second on are those of the second one, for many pairs of
// them with variables in the intervals of their slots. The program differs from that of [Compile] by a few roundings, and
// by less than 2^-600 where the formula has an exponential; of pairs outside the intervals nothing is promised. What
// depends on one point is a part of its own where there is one ([Program.Separate]).
//
// Cost: about 5 µs for each node.
func CompilePairs(n *Node, second int, slots []Interval) (*Program, error) {
	k := simd.Best()
	return compilePairs(newVectorOps(k), k.Level() != simd.Plain, n, second, slots)
}

// compilePairs takes products and sums at once where there is an instruction for that.
func compilePairs(ops Ops, fused bool, n *Node, second int, slots []Interval) (*Program, error) {
	for _, i := range slots {
		if !isFinite(i.Lo) || !isFinite(i.Hi) {
			return compileWith(ops, n, len(slots))
		}
	}
	p, err := compileWith(ops, shorten(n, second, slots), len(slots))
	if err == nil && fused {
		p = p.fuse(second)
	}
	return p, err
}

// fuse makes one step of several where these are of what varies with both points.
func (p *Program) fuse(second int) *Program {
	sides, uses := p.sides(second), make([]int, len(p.values))
	for i := range p.values {
		for _, a := range p.values[i].arguments() {
			uses[a]++
		}
	}
	f := fuser{values: append([]value(nil), p.values...), uses: uses, sides: sides}
	for _, fuse := range []func(*value){f.products, f.squares, f.decays} {
		for i := range f.values {
			fuse(&f.values[i])
		}
	}
	c := compiler{values: f.values}
	return p.with(c.prune(int32(len(c.values)-1)), p.slots)
}

// fuser has the steps of a program, how often each is used, and the points that it depends on.
type fuser struct {
	values []value
	uses   []int
	sides  []uint8
}

// both tells whether all of some steps vary with both points.
func (f *fuser) both(steps ...int32) bool {
	for _, s := range steps {
		if f.sides[s] != bothSides {
			return false
		}
	}
	return true
}

// inner is step i if it is such an operation that is used so many times.
func (f *fuser) inner(i int32, op Op, uses int) (v value, ok bool) {
	v = f.values[i]
	return v, v.op == op && f.uses[i] == uses
}

// products makes one step of a sum with a product.
func (f *fuser) products(v *value) {
	if v.op != OpAdd || !f.both(v.args[0], v.args[1]) {
		return
	}
	for k := range 2 {
		if product, ok := f.inner(v.args[k], OpMul, 1); ok && f.both(product.args[0], product.args[1]) {
			*v = value{op: opFMA, args: [3]int32{product.args[0], product.args[1], v.args[1-k]}}
			return
		}
	}
}

// squares makes one step of the square of a difference, and of its sum with something.
func (f *fuser) squares(v *value) {
	if v.op != OpMul && v.op != opFMA || v.args[0] != v.args[1] || !f.both(v.args[0]) {
		return
	}
	d, ok := f.inner(v.args[0], OpSub, 2)
	switch {
	case ok && v.op == OpMul:
		*v = value{op: opSquared, args: [3]int32{d.args[0], d.args[1]}}
	case ok:
		*v = value{op: opAddSquared, args: [3]int32{d.args[0], d.args[1], v.args[2]}}
	}
}

// decays makes one step of a product with an exponential of minus a product.
func (f *fuser) decays(v *value) {
	if v.op != OpMul {
		return
	}
	for k := range 2 {
		e, isExp := f.inner(v.args[k], OpExp, 1)
		minus, isMinus := f.inner(e.args[0], OpNeg, 1)
		product, isProduct := f.inner(minus.args[0], OpMul, 1)
		if isExp && isMinus && isProduct && f.both(product.args[0], product.args[1], v.args[1-k]) {
			*v = value{op: opDecay, args: [3]int32{product.args[0], product.args[1], v.args[1-k]}}
			return
		}
	}
}
