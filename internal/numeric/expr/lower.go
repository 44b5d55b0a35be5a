package expr

import (
	"math"
	"sync"

	"github.com/greenbench/workbench/internal/numeric/bessel"
)

// Operations that only tapes have.
const (
	opFMA          = opCount + iota // a*b + c, rounded once
	opMaternScaled                  // exp(z) times the Matérn function at z = sqrt(2 nu) |d|
	opKScaled                       // exp(x) K_nu(x)
	opSquared                       // (a-b)^2
	opAddSquared                    // (a-b)^2 + c, the difference rounded and the rest, at once
	opDecay                         // c exp(-a b), each step rounded
)

func (op Op) tapeArity() int {
	switch op {
	case opFMA, opAddSquared, opDecay:
		return 3
	case opSquared:
		return 2
	case opMaternScaled, opKScaled:
		return 1
	}
	return op.arity()
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
	case n.op == OpBesselK && n.value <= bessel.MaxKTable:
		x := c.step(OpAbs, v.args[0])
		scaled := c.add(value{op: opKScaled, num: n.value, args: [3]int32{x}})
		return c.step(OpMul, scaled, c.step(OpExp, c.step(OpNeg, x)))
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

// matern writes the Matérn function as steps: exp(-d²/2) for infinite nu, and
// exp(-z) times a slow function of z for orders up to 10 and half-integer ones.
func (c *compiler) matern(nu float64, d int32) (int32, bool) {
	poly, closed := bessel.HalfInteger(nu)
	z := c.step(OpAbs, d)
	switch {
	case math.IsInf(nu, 1):
		return c.step(OpExp, c.step(OpMul, c.constant(-0.5), c.step(OpMul, d, d))), true
	case nu == 0.5:
		return c.step(OpExp, c.step(OpNeg, z)), true
	case !(nu > 0) || !closed && nu > bessel.MaxMaternTable:
		return 0, false
	}
	z = c.step(OpMul, c.constant(math.Sqrt(2*nu)), z)
	z = c.step(OpMin, z, c.constant(maxExponent))
	var slow int32
	if closed {
		slow = c.constant(poly[len(poly)-1])
		for i := len(poly) - 2; i >= 0; i-- {
			slow = c.step(opFMA, slow, z, c.constant(poly[i]))
		}
	} else {
		slow = c.add(value{op: opMaternScaled, num: nu, args: [3]int32{z}})
	}
	return c.step(OpMul, slow, c.step(OpExp, c.step(OpNeg, z))), true
}

// lazyTable is made when a block first needs it: a program that is evaluated
// at a few points only does not pay for it.
type lazyTable struct {
	sync.Once
	table *bessel.Table
}

// get returns the table of the step v.
func (l *lazyTable) get(v *value) *bessel.Table {
	l.Do(func() {
		if v.op == opMaternScaled {
			l.table = bessel.NewMaternTable(v.num)
		} else {
			l.table = bessel.NewKTable(v.num)
		}
	})
	return l.table
}
