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

// fuse makes one step of products and sums of what varies with both points.
func (p *Program) fuse(second int) *Program {
	sides, uses := p.sides(second), make([]int, len(p.values))
	for i := range p.values {
		for _, a := range p.values[i].arguments() {
			uses[a]++
		}
	}
	c := compiler{values: append([]value(nil), p.values...)}
	for i := range c.values {
		v := &c.values[i]
		if v.op != OpAdd || sides[v.args[0]] != bothSides || sides[v.args[1]] != bothSides {
			continue
		}
		for k := range 2 {
			product, other := c.values[v.args[k]], v.args[1-k]
			if product.op == OpMul && uses[v.args[k]] == 1 && sides[product.args[0]] == bothSides && sides[product.args[1]] == bothSides {
				*v = value{op: opFMA, args: [3]int32{product.args[0], product.args[1], other}}
				break
			}
		}
	}
	return p.with(c.prune(int32(len(c.values)-1)), p.slots)
}
