package expr

import (
	"math"
	"strconv"
	"strings"
)

// Binding strength of the infix operations.
const (
	precedenceSum     = 1
	precedenceProduct = 2
	precedenceUnary   = 3
	precedencePower   = 4
	precedenceAtom    = 5
)

// maxString bounds the length of a printed formula.
const maxString = 4096

// String writes the formula in infix form with the usual precedence:
// `exp(-abs(x - y)/0.2)`, `where(ge(t, s), 1, 0)`. Variables without a name
// are v0, v1, ... A formula longer than 4096 bytes is cut and ends in "...".
func (n *Node) String() string {
	var w writer
	w.node(n, 0)
	if w.Len() > maxString {
		return strings.ToValidUTF8(w.String()[:maxString], "") + "..."
	}
	return w.String()
}

// Write writes the formula in another language with the same infix operators: rename returns what
// the function of that name is called there, false where it has none. ok is false where
// a function or a number has no name, and for formulas that String would cut.
func (n *Node) Write(rename func(name string) (string, bool)) (text string, ok bool) {
	w := writer{rename: rename}
	w.node(n, 0)
	return w.String(), !w.unknown && w.Len() <= maxString
}

type writer struct {
	strings.Builder
	rename  func(name string) (string, bool) // of functions; nil: none is
	unknown bool                             // there was one that has no name
}

// node writes n, in parentheses if it binds weaker than the context needs.
func (w *writer) node(n *Node, need int) {
	if w.Len() > maxString {
		return
	}
	own := precedence(n)
	if own < need {
		w.WriteByte('(')
		defer w.WriteByte(')')
	}
	if a, b, ok := n.difference(); ok {
		w.infix(a, " - ", b, precedenceSum, precedenceProduct)
		return
	}
	switch n.op {
	case OpConst:
		w.constant(n.value)
	case OpVar:
		w.variable(n)
	case OpAdd:
		w.infix(n.args[0], " + ", n.args[1], precedenceSum, precedenceProduct)
	case OpMul:
		need := precedenceUnary
		if n.args[0].IsConst() {
			need = precedenceProduct // 2*x*y, not 2*(x*y)
		}
		w.infix(n.args[0], "*", n.args[1], precedenceProduct, need)
	case OpDiv:
		w.infix(n.args[0], "/", n.args[1], precedenceProduct, precedenceUnary)
	case OpMod:
		w.infix(n.args[0], " % ", n.args[1], precedenceProduct, precedenceUnary)
	case OpPow:
		need := precedencePower
		if n.args[1].IsConst() {
			need = precedenceUnary // x^-2
		}
		w.infix(n.args[0], "^", n.args[1], precedenceAtom, need)
	case OpNeg:
		w.WriteByte('-')
		w.node(n.args[0], own)
	default:
		w.call(n)
	}
}

func (w *writer) infix(a *Node, op string, b *Node, needA, needB int) {
	w.node(a, needA)
	w.WriteString(op)
	w.node(b, needB)
}

// call writes f(a, b). A comparison is turned so that its arguments come in
// canonical order: lt(y, x) is written gt(x, y).
func (w *writer) call(n *Node) {
	name, args := n.op.String(), n.Args()
	if (n.op == OpLT || n.op == OpLE) && compare(args[0], args[1]) > 0 && !args[1].IsConst() {
		name = map[Op]string{OpLT: "gt", OpLE: "ge"}[n.op]
		args = []*Node{args[1], args[0]}
	}
	w.WriteString(w.function(name))
	w.WriteByte('(')
	if hasOrder(n.op) {
		w.WriteString(formatConst(n.value) + ", ")
	}
	for i, a := range args {
		if i > 0 {
			w.WriteString(", ")
		}
		w.node(a, 0)
	}
	w.WriteByte(')')
}

// function is the name of a function as it is to be written.
func (w *writer) function(name string) string {
	if w.rename == nil {
		return name
	}
	text, ok := w.rename(name)
	w.unknown = w.unknown || !ok
	return text
}

func (w *writer) constant(v float64) {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		w.unknown = true
	}
	w.WriteString(formatConst(v))
}

func (w *writer) variable(n *Node) {
	if n.name == "" {
		w.WriteString("v" + strconv.Itoa(n.slot))
		return
	}
	w.WriteString(n.name)
}

func precedence(n *Node) int {
	if _, _, ok := n.difference(); ok {
		return precedenceSum
	}
	switch n.op {
	case OpAdd, OpMod: // a remainder binds like a product, but beside one needs parentheses
		return precedenceSum
	case OpMul, OpDiv:
		return precedenceProduct
	case OpNeg:
		// -a*b reads as (-a)*b, which is the same number as -(a*b).
		if op := n.args[0].op; op == OpMul || op == OpDiv {
			return precedenceProduct
		}
		return precedenceUnary
	case OpPow:
		return precedencePower
	case OpConst:
		if n.value < 0 || math.Signbit(n.value) {
			return precedenceUnary
		}
	}
	return precedenceAtom
}

// formatConst writes a number with the digits that tell it apart.
func formatConst(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case math.IsNaN(v):
		return "nan"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
