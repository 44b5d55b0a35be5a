package expr

import (
	"math"

	"github.com/greenbench/workbench/numeric/expr/bessel"
)

// opFMA is a*b + c with one rounding. Only tapes have it.
const opFMA = opCount

func (op Op) tapeArity() int {
	if op == opFMA {
		return 3
	}
	return op.Arity()
}

// lower adds the steps of n, whose arguments are done, and returns the last.
func (c *compiler) lower(n *Node) int32 {
	if a, b, ok := n.difference(); ok {
		return c.step(OpSub, c.operand(a), c.operand(b))
	}
	v := value{op: n.op, num: n.value, slot: n.slot}
	for i, a := range n.Args() {
		v.args[i] = c.nodes[a]
	}
	switch {
	case n.op == OpPow && n.args[1].IsConst() && isProduct(n.args[1].value):
		return c.power(v.args[0], n.args[1].value)
	case n.op == OpMatern:
		if s, ok := c.matern(n.value, v.args[0]); ok {
			return s
		}
	}
	return c.add(v)
}

// operand returns the step of an argument; constants that difference made up
// are not among the nodes.
func (c *compiler) operand(n *Node) int32 {
	if n.IsConst() {
		return c.constant(n.value)
	}
	return c.nodes[n]
}

// power is x^y by products and a root, in the order of pow.
func (c *compiler) power(x int32, y float64) int32 {
	if y < 0 {
		return c.step(OpDiv, c.constant(1), c.power(x, -y))
	}
	n := int(y)
	if float64(n) != y {
		root := c.step(OpSqrt, x)
		if n == 0 {
			return root
		}
		return c.step(OpMul, c.power(x, float64(n)), root)
	}
	switch n {
	case 0:
		return c.constant(1)
	case 1:
		return x
	case 2:
		return c.step(OpMul, x, x)
	case 3:
		return c.step(OpMul, c.step(OpMul, x, x), x)
	}
	half := c.power(x, float64(n/2))
	square := c.step(OpMul, half, half)
	if n%2 == 1 {
		return c.step(OpMul, square, x)
	}
	return square
}

// maxExponent keeps the polynomial of a Matérn function finite where its
// exponential is 0.
const maxExponent = 2000

// matern writes the closed forms as elementary steps: exp(-z) times a
// polynomial in z for half-integer nu, exp(-d²/2) for infinite nu.
func (c *compiler) matern(nu float64, d int32) (int32, bool) {
	if math.IsInf(nu, 1) {
		return c.step(OpExp, c.step(OpMul, c.constant(-0.5), c.step(OpMul, d, d))), true
	}
	poly, ok := bessel.HalfInteger(nu)
	if !ok {
		return 0, false
	}
	z := c.step(OpAbs, d)
	if nu != 0.5 {
		z = c.step(OpMul, c.constant(math.Sqrt(2*nu)), z)
		z = c.step(OpMin, z, c.constant(maxExponent))
	}
	e := c.step(OpExp, c.step(OpNeg, z))
	if nu == 0.5 {
		return e, true
	}
	sum := c.constant(poly[len(poly)-1])
	for i := len(poly) - 2; i >= 0; i-- {
		sum = c.step(opFMA, sum, z, c.constant(poly[i]))
	}
	return c.step(OpMul, sum, e), true
}
