package loops

import "github.com/yuin/gopher-lua/ast"

// number compiles an expression and returns where its value is.
func (c *compiler) number(e ast.Expr) uint8 {
	if slot, ok := c.simple(e); ok {
		return slot
	}
	slot := c.fresh(1)
	c.into(e, slot)
	return slot
}

// simple returns where the value of a constant or a variable is.
func (c *compiler) simple(e ast.Expr) (slot uint8, ok bool) {
	if x, ok := c.Constant(e); ok {
		return c.constant(x), true
	}
	name, ok := e.(*ast.IdentExpr)
	if ok {
		slot, _ = c.variable(name.Value, "", number)
	}
	return slot, ok
}

// into compiles an expression whose value goes to a given place, by the last instruction of each way through it.
func (c *compiler) into(e ast.Expr, a uint8) {
	switch e := e.(type) {
	case *ast.ArithmeticOpExpr:
		x, y := c.number(e.Lhs), c.number(e.Rhs)
		op := map[string]operation{"+": opAdd, "-": opSub, "*": opMul, "/": opDiv, "%": opMod, "^": opSquare}[e.Operator]
		c.emit(instruction{op: op, a: a, b: x, c: y})
	case *ast.UnaryMinusOpExpr:
		c.emit(instruction{op: opNeg, a: a, b: c.number(e.Expr)})
	case *ast.UnaryLenOpExpr:
		c.emit(instruction{op: opLen, a: a, b: c.element(e.Expr)})
	case *ast.AttrGetExpr:
		i, _ := c.key(e)
		i.op, i.a = opGet, a
		c.fallible(i)
	case *ast.FuncCallExpr:
		c.call(e, a)
	case *ast.LogicalOpExpr:
		c.choice(e, a)
	default:
		x, ok := c.simple(e)
		if !ok {
			refuse()
		}
		c.emit(instruction{op: opMove, a: a, b: x})
	}
}

// choice compiles condition and x or y, whose x is a number and thus true.
func (c *compiler) choice(e *ast.LogicalOpExpr, a uint8) {
	both, ok := e.Lhs.(*ast.LogicalOpExpr)
	if e.Operator != "or" || !ok || both.Operator != "and" {
		refuse()
	}
	otherwise := c.condition(both.Lhs, false)
	c.into(both.Rhs, a)
	end := c.emit(instruction{op: opJump})
	c.here(otherwise...)
	c.into(e.Rhs, a)
	c.here(end)
}

// call compiles a power or a call of a function of the library.
func (c *compiler) call(e *ast.FuncCallExpr, a uint8) {
	if x, y, ok := c.Power(e); ok {
		c.emit(instruction{op: opPow, a: a, b: c.number(x), c: c.number(y)})
		return
	}
	name, field := "", ""
	switch f := e.Func.(type) {
	case *ast.IdentExpr:
		name = f.Value
	case *ast.AttrGetExpr:
		library, ok1 := f.Object.(*ast.IdentExpr)
		key, ok2 := f.Key.(*ast.StringExpr)
		if !ok1 || !ok2 {
			refuse()
		}
		name, field = library.Value, key.Value
	default:
		refuse()
	}
	i := instruction{a: a}
	switch len(e.Args) {
	case 0:
		i.op, c.draws = opDraw, true
		i.b, _ = c.variable(name, field, nullary)
	case 1:
		i.op, i.c = opCall, c.number(e.Args[0])
		i.b, _ = c.variable(name, field, unary)
	case 2:
		i.op, i.c, i.d = opCall2, c.number(e.Args[0]), c.number(e.Args[1])
		i.b, _ = c.variable(name, field, binary)
	default:
		refuse()
	}
	c.emit(i)
}

// element compiles an expression whose value is a table, and returns where that is.
func (c *compiler) element(e ast.Expr) uint8 {
	switch e := e.(type) {
	case *ast.IdentExpr:
		slot, _ := c.variable(e.Value, "", table)
		return slot
	case *ast.AttrGetExpr:
		i, _ := c.key(e)
		i.op, i.a = opTable, c.slot(table)
		c.fallible(i)
		return i.a
	}
	refuse()
	return 0
}

// key returns an instruction, yet without its operation, on an element of a table; sure is that the key is one.
func (c *compiler) key(e *ast.AttrGetExpr) (i instruction, sure bool) {
	i.b = c.element(e.Object)
	if key, ok := e.Key.(*ast.StringExpr); ok {
		if _, constant := c.Constant(e.Key); !constant {
			i.named, i.c = true, c.name(key.Value)
			return i, false
		}
	}
	i.c = c.number(e.Key)
	return i, c.sure(e.Key)
}

// sure reports whether the value of a number is known to be equal to itself.
func (c *compiler) sure(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IdentExpr:
		v := c.local(e.Value)
		return v != nil && v.counter
	case *ast.UnaryLenOpExpr:
		return true
	case *ast.ArithmeticOpExpr:
		x, ok := c.Constant(e.Rhs)
		return (e.Operator == "+" || e.Operator == "-") && ok && x-x == 0 && c.sure(e.Lhs)
	}
	x, ok := c.Constant(e)
	return ok && x == x
}

// test emits the condition of an element: its truth, or that it is nil.
func (c *compiler) test(op operation, e *ast.AttrGetExpr, want bool) int {
	i, _ := c.key(e)
	i.op, i.d = op, bit(want)
	if i.named {
		return c.fallible(i)
	}
	return c.emit(i)
}

// condition compiles a condition. The jumps that it returns are taken if its truth is what is wanted; otherwise the program
// goes on.
func (c *compiler) condition(e ast.Expr, want bool) (jumps []int) {
	switch e := e.(type) {
	case *ast.TrueExpr:
		return c.always(want)
	case *ast.FalseExpr, *ast.NilExpr:
		return c.always(!want)
	case *ast.UnaryNotOpExpr:
		return c.condition(e.Expr, !want)
	case *ast.AttrGetExpr:
		return []int{c.test(opTrue, e, want)}
	case *ast.RelationalOpExpr:
		return []int{c.comparison(e, want)}
	case *ast.LogicalOpExpr:
		if want == (e.Operator == "or") {
			jumps = c.condition(e.Lhs, want)
			return append(jumps, c.condition(e.Rhs, want)...)
		}
		past := c.condition(e.Lhs, !want)
		jumps = c.condition(e.Rhs, want)
		c.here(past...)
		return jumps
	}
	c.number(e) // a number is true
	return c.always(want)
}

// always is the condition true.
func (c *compiler) always(want bool) []int {
	if !want {
		return nil
	}
	return []int{c.emit(instruction{op: opJump})}
}

func (c *compiler) comparison(e *ast.RelationalOpExpr, want bool) (jump int) {
	x, y, op := e.Lhs, e.Rhs, e.Operator
	if op == "~=" {
		op, want = "==", !want
	}
	if _, ok := y.(*ast.NilExpr); ok && op == "==" {
		field, ok := x.(*ast.AttrGetExpr)
		if !ok {
			refuse()
		}
		return c.test(opNil, field, want)
	}
	i := instruction{a: c.number(x), b: c.number(y), d: bit(want)}
	switch op {
	case "<":
		i.op = opLess
	case "<=":
		i.op = opAtMost
	case ">":
		i.op, i.a, i.b = opLess, i.b, i.a
	case ">=":
		i.op, i.a, i.b = opAtMost, i.b, i.a
	case "==":
		i.op = opEqual
	}
	return c.emit(i)
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
