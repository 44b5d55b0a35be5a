package expr

import (
	"math"
	"math/rand/v2"
)

// generator makes random formulas for the tests that compare evaluators.
type generator struct {
	*rand.Rand
	slots int
	made  []*Node
}

func newGenerator(seed uint64, slots int) *generator {
	return &generator{Rand: rand.New(rand.NewPCG(seed, 0x65787072)), slots: slots}
}

// interesting are the numbers where formulas break.
var interesting = []float64{
	0, math.Copysign(0, -1), 1, -1, 2, 0.5, 3, -2.5, 1e-300, 1e300, 0.1, 700, -745,
	math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64, math.MaxFloat64,
}

// node returns a formula of roughly the given number of operations. Earlier
// formulas are used again, so that there is sharing.
func (g *generator) node(size int) *Node {
	if size <= 0 {
		switch g.IntN(5) {
		case 0:
			return Const(math.Round(g.NormFloat64()*20) / 4)
		default:
			return Var(g.IntN(g.slots), "")
		}
	}
	if len(g.made) > 0 && g.IntN(6) == 0 {
		return g.made[g.IntN(len(g.made))]
	}
	op := Op(g.IntN(int(opCount-OpAdd))) + OpAdd
	var args [3]*Node
	for k := range op.arity() {
		args[k] = g.node((size - 1) / op.arity())
	}
	if op == OpPow && g.IntN(2) == 0 {
		args[1] = Const(float64(g.IntN(9) - 3))
	}
	nu := []float64{0.5, 1.5, 2.5, 3.5, 0.7, 1, 3.2}[g.IntN(7)]
	n := build(op, nu, args)
	g.made = append(g.made, n)
	return n
}

// point returns moderate numbers, or now and then interesting ones.
func (g *generator) point() []float64 {
	p := make([]float64, g.slots)
	special := g.IntN(4) == 0
	for i := range p {
		p[i] = g.NormFloat64()
		if special {
			p[i] = interesting[g.IntN(len(interesting))]
		}
	}
	return p
}

// sameNumber reports whether two evaluators agree: both NaN, or equal.
func sameNumber(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b)
}
