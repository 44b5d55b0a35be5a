package loops

import (
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// A loop that counts from 1 by 1 and in each iteration sets element t[i], or appends to t by t[#t+1], leaves an empty table
// with as many elements as it has iterations. The machine's tables have no way to be told so, and move all elements to new
// memory whenever they grow by a quarter; but an empty one may be replaced by one that was made large enough.

// mostElements is how many a table has room for at first: more would take much memory for a loop that may fail.
const mostElements = 1 << 22

// filled returns the places of the tables that the outermost loop fills.
func (c *compiler) filled(s *ast.NumberForStmt) (slots []uint8) {
	if c.exits {
		return nil
	}
	for _, each := range s.Stmts {
		a, ok := each.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 {
			continue
		}
		element, ok := a.Lhs[0].(*ast.AttrGetExpr)
		if !ok {
			continue
		}
		name, ok := element.Object.(*ast.IdentExpr)
		if !ok || !c.following(element.Key, name.Value, s.Name) {
			continue
		}
		for _, v := range c.program.outer {
			if v.name == name.Value && v.kind == table {
				slots = append(slots, v.slot)
			}
		}
	}
	return slots
}

// following reports whether a key is the variable of the loop, or one more than the length of the table.
func (c *compiler) following(key ast.Expr, table, counter string) bool {
	switch key := key.(type) {
	case *ast.IdentExpr:
		return key.Value == counter
	case *ast.ArithmeticOpExpr:
		one, known := c.Constant(key.Rhs)
		length, ok := key.Lhs.(*ast.UnaryLenOpExpr)
		if !ok || !known || key.Operator != "+" || one != 1 {
			return false
		}
		name, ok := length.Expr.(*ast.IdentExpr)
		return ok && name.Value == table
	}
	return false
}

// makeRoom replaces the tables that the loop is going to fill, if they are empty.
func (f *frame) makeRoom() {
	first, limit, step := f.numbers[0], f.numbers[1], f.numbers[2]
	if first != 1 || step != 1 || !(limit >= 1) {
		return
	}
	for _, slot := range f.program.fills {
		t := f.tables[slot]
		if key, _ := t.Next(lua.LNil); key == lua.LNil {
			*t = *f.state.CreateTable(int(min(limit, mostElements)), 0)
		}
	}
}
