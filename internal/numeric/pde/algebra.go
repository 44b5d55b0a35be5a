package pde

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// nodeOf is the expression of a coefficient, if it has one.
func nodeOf(c Coefficient) (*expr.Node, bool) {
	switch c := c.(type) {
	case Constant:
		return expr.Const(float64(c)), true
	case Formula:
		return c.Node, c.Node != nil
	}
	return nil, false
}

// constantOf is the number that a coefficient is, if it is one.
func constantOf(c Coefficient) (float64, bool) {
	if n, ok := nodeOf(c); ok && n.IsConst() {
		return n.Value(), true
	}
	return 0, false
}

func isConstant(c Coefficient) bool { _, ok := constantOf(c); return ok }

func isOne(c Coefficient) bool { v, ok := constantOf(c); return ok && v == 1 }

// plus is a + b.
func plus(a, b Coefficient) Coefficient {
	return combine(a, b, expr.Add, func(p, q float64) float64 { return p + q })
}

// times is a b.
func times(a, b Coefficient) Coefficient {
	switch {
	case isOne(a):
		return b
	case isOne(b):
		return a
	}
	return combine(a, b, expr.Mul, func(p, q float64) float64 { return p * q })
}

func combine(a, b Coefficient, op func(a, b *expr.Node) *expr.Node, apply func(p, q float64) float64) Coefficient {
	p, okA := nodeOf(a)
	q, okB := nodeOf(b)
	if okA && okB {
		return Formula{op(p, q)}
	}
	return Func(func(x []float64) float64 { return apply(a.at(x), b.at(x)) })
}

// diff is the derivative of a coefficient, which must be a smooth formula.
func diff(c Coefficient, slot int) (Coefficient, error) {
	n, ok := nodeOf(c)
	if !ok {
		return nil, fmt.Errorf("the coefficient %s is a Go function, which cannot be differentiated; write it as a formula, or the term as the divergence of a flux", c)
	}
	if op, rough := roughIn(n, slot); rough {
		return nil, fmt.Errorf("the coefficient %s is not smooth (%s), so its derivative would be wrong; write the term as the divergence of a flux, div(…)", c, op)
	}
	return Formula{expr.Simplify(expr.Diff(n, slot))}, nil
}

// roughIn finds an operation with a jump or a kink in n that depends on a slot.
func roughIn(n *expr.Node, slot int) (expr.Op, bool) {
	switch n.Op() {
	case expr.OpWhere, expr.OpLT, expr.OpLE, expr.OpFloor, expr.OpCeil, expr.OpMod, expr.OpSign, expr.OpAbs, expr.OpMin, expr.OpMax:
		return n.Op(), dependsOn(n, slot)
	}
	for _, a := range n.Args() {
		if op, rough := roughIn(a, slot); rough {
			return op, true
		}
	}
	return 0, false
}

func dependsOn(n *expr.Node, slot int) bool {
	for _, s := range expr.Slots(n) {
		if s == slot {
			return true
		}
	}
	return false
}

// Apply returns what the operator makes of a given function of the coordinates,
// exactly: slot i of v is coordinate i, space first. Coefficients must be formulas.
func (o *Operator) Apply(v *expr.Node) (*expr.Node, error) {
	if o.err != nil {
		return nil, o.err
	}
	sum, err := applyTerms(o.terms, v)
	if err != nil {
		return nil, err
	}
	for _, f := range o.fluxes {
		inner, err := applyTerms(f.inner, v)
		if err != nil {
			return nil, err
		}
		sum = expr.Add(sum, expr.Diff(inner, f.axis))
	}
	return expr.Simplify(expr.Add(sum, o.rest.apply(o, v))), nil
}

func applyTerms(terms []term, v *expr.Node) (*expr.Node, error) {
	sum := expr.Const(0)
	for _, t := range terms {
		c, ok := nodeOf(t.coef)
		if !ok {
			return nil, fmt.Errorf("the coefficient %s is a Go function: must be a formula", t.coef)
		}
		d := v
		for axis, k := range t.orders {
			for range k {
				d = expr.Diff(d, axis)
			}
		}
		sum = expr.Add(sum, expr.Mul(c, d))
	}
	return sum, nil
}
