// Package expr writes formulas for kernels, constraints and coefficients in Go: immutable
// expression nodes, which are simplified, differentiated, asked about their structure, and
// compiled to a tape that evaluates them on blocks of points.
//
// [Var] and [Const] begin a formula, and [Of] applies an operation to others:
//
//	x := expr.Var(0, "x")
//	wave := expr.Of(expr.OpExp, expr.Of(expr.OpNeg, expr.Of(expr.OpMul, x, x))) // exp(-x²)
package expr

import "github.com/greenbench/workbench/internal/numeric/expr"

// Node is a formula: a number, a variable, or an operation on other nodes. It is immutable.
type Node = expr.Node

// Op is what a node does with its arguments.
type Op = expr.Op

// The operations. OpLT and OpLE are 1 where the first argument is less than (or equal to) the
// second and 0 elsewhere; OpWhere is its second argument where the first is not 0 and else
// the third; OpMod has the sign of the second argument. OpMatern and OpBesselK have an order
// besides and are made by kernels, not by [Of].
const (
	OpConst   = expr.OpConst
	OpVar     = expr.OpVar
	OpAdd     = expr.OpAdd
	OpSub     = expr.OpSub
	OpMul     = expr.OpMul
	OpDiv     = expr.OpDiv
	OpNeg     = expr.OpNeg
	OpPow     = expr.OpPow
	OpExp     = expr.OpExp
	OpLog     = expr.OpLog
	OpSqrt    = expr.OpSqrt
	OpAbs     = expr.OpAbs
	OpSign    = expr.OpSign
	OpSin     = expr.OpSin
	OpCos     = expr.OpCos
	OpTan     = expr.OpTan
	OpAsin    = expr.OpAsin
	OpAcos    = expr.OpAcos
	OpAtan    = expr.OpAtan
	OpAtan2   = expr.OpAtan2
	OpSinh    = expr.OpSinh
	OpCosh    = expr.OpCosh
	OpTanh    = expr.OpTanh
	OpFloor   = expr.OpFloor
	OpCeil    = expr.OpCeil
	OpMod     = expr.OpMod
	OpMin     = expr.OpMin
	OpMax     = expr.OpMax
	OpWhere   = expr.OpWhere
	OpLT      = expr.OpLT
	OpLE      = expr.OpLE
	OpMatern  = expr.OpMatern
	OpBesselK = expr.OpBesselK
)

// Program is a compiled formula: Eval is its value at one point, and Block its values on many.
// It is immutable and safe for concurrent use.
type Program = expr.Program

// Operand is what a slot holds over a block of points: the numbers in Vector, or the same
// Scalar at every point if Vector is nil.
type Operand = expr.Operand

// Const is the number v.
func Const(v float64) *Node { return expr.Const(v) }

// Var is the variable in the given slot (from 0). Two variables with the same slot are the
// same whatever they are called. It panics on a negative slot.
func Var(slot int, name string) *Node { return expr.Var(slot, name) }

// Of applies an operation to its arguments and simplifies locally. It panics where their
// number is not that of the operation, and on OpConst, OpVar, OpMatern and OpBesselK.
func Of(op Op, args ...*Node) *Node { return expr.Of(op, args...) }

// Compile translates a formula to a program for the given number of slots. An error says that
// it uses a slot beyond them, or has more than 2^20 operations. About 1 µs for each node.
func Compile(n *Node, slots int) (*Program, error) { return expr.Compile(n, slots) }

// Eval computes a formula with vars[slot] for the variables, by recursion. It panics if the
// formula uses a slot beyond them.
func Eval(n *Node, vars []float64) float64 { return expr.Eval(n, vars) }

// Equal reports whether two formulas are the same after local simplification: the same
// operations on the same arguments. Variables are equal when their slots are.
func Equal(a, b *Node) bool { return expr.Equal(a, b) }

// Slots returns the slots that occur in a formula, increasing.
func Slots(n *Node) []int { return expr.Slots(n) }

// Size is the number of distinct nodes of a formula.
func Size(n *Node) int { return expr.Size(n) }

// Substitute replaces every variable whose slot is a key of by, all at once.
func Substitute(n *Node, by map[int]*Node) *Node { return expr.Substitute(n, by) }

// Simplify returns an equal formula in canonical form: like terms and powers collected,
// constants and common factors drawn out. Values change by rounding only.
func Simplify(n *Node) *Node { return expr.Simplify(n) }

// Diff is the derivative with respect to the variable in a slot. At kinks and steps, where
// there is none, it is one of those beside.
func Diff(n *Node, slot int) *Node { return expr.Diff(n, slot) }
