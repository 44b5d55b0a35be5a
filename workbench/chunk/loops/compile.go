package loops

import (
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Source answers what the tree of a rewritten loop does not say by itself.
type Source interface {
	// Declared reports whether a name is a local of the function with the loop or of one around it.
	Declared(name string) bool
	// Constant returns the value of a number that is known before the program runs.
	Constant(e ast.Expr) (x float64, ok bool)
	// Power returns the operands of a call that computes x ^ y.
	Power(e *ast.FuncCallExpr) (x, y ast.Expr, ok bool)
	// Loop returns the loop that a block with a program in it was made of.
	Loop(block *ast.DoBlockStmt) (loop ast.Stmt, ok bool)
	// Break reports whether a goto leaves the innermost loop around it.
	Break(jump *ast.GotoStmt) bool
}

// local is a variable of the loop. One that is declared as an element of a table holds a number or a table, which its first
// use decides.
type local struct {
	name string
	kind kind
	slot uint8
	from int // the instruction that gets the element, while it is open what that is; 0 otherwise

	counter bool // the variable of a numeric for, which is a number that is equal to itself
}

// inside is a loop around the present place.
type inside struct {
	top    int   // its first instruction
	breaks []int // the jumps out of it
}

// changing is an instruction that changes an element, and the first of those that may run after it in the same iteration of
// the outermost loop.
type changing struct{ at, again int }

// compiler compiles one loop.
type compiler struct {
	Source
	program *Program
	locals  []local    // in scope, innermost last
	next    int        // the first free number
	most    int        // what it was at most
	used    [kinds]int // places of outer variables, tables and functions
	loops   []inside
	changes []changing // of elements, in the order of the program
	failing int        // the last instruction that can fail, -1 if there is none
	draws   bool       // numbers that, once drawn, cannot be drawn again
	exits   bool       // the outermost loop, before its end
}

// refused ends a compilation.
type refused struct{}

func refuse() { panic(refused{}) }

// Compile returns the program of a loop, nil if the loop does more than programs can.
func Compile(loop ast.Stmt, source Source) (program *Program) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(refused); !ok {
				panic(r)
			}
			program = nil
		}
	}()
	c := &compiler{Source: source, program: &Program{}, next: firstInner, failing: -1}
	if s, ok := loop.(*ast.NumberForStmt); ok {
		c.program.counts = true
		c.count(s, 0)
		c.program.fills = c.filled(s)
	} else {
		c.statement(loop)
	}
	c.emit(instruction{op: opEnd})
	c.program.fails = c.failing >= 0
	if c.program.fails && c.draws {
		return nil
	}
	for _, s := range c.changes {
		c.program.code[s.at].last = c.failing < s.again
	}
	if !c.program.fails {
		c.skipBegin()
	}
	for k := range smallNumbers {
		c.program.small = append(c.program.small, lua.LNumber(k))
	}
	return c.program
}

// skipBegin lets the jumps to the beginning of an iteration that cannot fail lead past it.
func (c *compiler) skipBegin() {
	for at := range c.program.code {
		if i := &c.program.code[at]; (i.op == opBack || i.op == opFor) && c.program.code[i.to].op == opBegin {
			i.to++
		}
	}
}

// emit appends an instruction and returns where it is.
func (c *compiler) emit(i instruction) int {
	if len(c.program.code) == 1<<12 {
		refuse()
	}
	c.program.code = append(c.program.code, i)
	return len(c.program.code) - 1
}

// here lets jumps lead to the next instruction.
func (c *compiler) here(jumps ...int) {
	for _, at := range jumps {
		c.program.code[at].to = int32(len(c.program.code))
	}
}

// fresh returns n numbers that nothing else uses.
func (c *compiler) fresh(n int) uint8 {
	c.next += n
	c.most = max(c.most, c.next)
	if c.most+len(c.program.constants) > numbers {
		refuse()
	}
	return uint8(c.next - n)
}

// block compiles statements in a scope of their own.
func (c *compiler) block(statements []ast.Stmt) {
	outer, next := len(c.locals), c.next
	c.statements(statements)
	c.locals, c.next = c.locals[:outer], next
}

func (c *compiler) statements(statements []ast.Stmt) {
	for _, s := range statements {
		next := c.next
		c.statement(s)
		if _, declares := s.(*ast.LocalAssignStmt); !declares {
			c.next = next
		}
	}
}

func (c *compiler) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.LocalAssignStmt:
		c.declare(s)
	case *ast.AssignStmt:
		c.assign(s)
	case *ast.DoBlockStmt:
		if loop, ok := c.Loop(s); ok {
			c.statement(loop)
			return
		}
		c.block(s.Stmts)
	case *ast.IfStmt:
		otherwise := c.condition(s.Condition, false)
		c.block(s.Then)
		if len(s.Else) == 0 {
			c.here(otherwise...)
			return
		}
		end := c.emit(instruction{op: opJump})
		c.here(otherwise...)
		c.block(s.Else)
		c.here(end)
	case *ast.NumberForStmt:
		c.count(s, c.fresh(4))
	case *ast.WhileStmt:
		c.loop(func(top int) {
			end := c.condition(s.Condition, false)
			c.block(s.Stmts)
			c.emit(instruction{op: opBack, to: int32(top)})
			c.here(end...)
		})
	case *ast.RepeatStmt:
		c.loop(func(top int) {
			outer := len(c.locals)
			c.statements(s.Stmts)
			end := c.condition(s.Condition, true)
			c.emit(instruction{op: opBack, to: int32(top)})
			c.here(end...)
			c.locals = c.locals[:outer]
		})
	case *ast.BreakStmt:
		c.exit()
	case *ast.GotoStmt:
		if !c.Break(s) {
			refuse()
		}
		c.exit()
	case *ast.LabelStmt: // of a break; to any other, only a goto that is refused could lead
	default:
		refuse()
	}
}

// exit jumps out of the innermost loop.
func (c *compiler) exit() {
	c.exits = c.exits || len(c.loops) == 1
	inner := &c.loops[len(c.loops)-1]
	inner.breaks = append(inner.breaks, c.emit(instruction{op: opJump}))
}

// loop compiles a loop, whose instructions write emits, beginning at top.
func (c *compiler) loop(write func(top int)) {
	top := len(c.program.code)
	c.loops = append(c.loops, inside{top: top})
	if len(c.loops) == 1 {
		c.emit(instruction{op: opBegin})
	}
	write(top)
	last := len(c.loops) - 1
	c.here(c.loops[last].breaks...)
	c.loops = c.loops[:last]
}

// count compiles a numeric for whose index, limit, step and variable are the four numbers from a on. Those of the outermost
// have their values when the program begins.
func (c *compiler) count(s *ast.NumberForStmt, a uint8) {
	if a != 0 {
		c.into(s.Init, a)
		c.into(s.Limit, a+1)
		if s.Step != nil {
			c.into(s.Step, a+2)
		} else {
			c.emit(instruction{op: opMove, a: a + 2, b: c.constant(1)})
		}
	}
	c.emit(instruction{op: opSub, a: a, b: a, c: a + 2})
	enter := c.emit(instruction{op: opJump})
	c.loop(func(top int) {
		outer := len(c.locals)
		c.locals = append(c.locals, local{name: s.Name, slot: a + 3, counter: true})
		c.block(s.Stmts)
		c.locals = c.locals[:outer]
		c.here(enter)
		c.emit(instruction{op: opFor, a: a, to: int32(top)})
	})
}

// declare compiles local names = values.
func (c *compiler) declare(s *ast.LocalAssignStmt) {
	if len(s.Names) != len(s.Exprs) {
		refuse()
	}
	declared := make([]local, len(s.Names))
	for i, name := range s.Names {
		declared[i] = local{name: name, slot: c.fresh(1)}
		c.into(s.Exprs[i], declared[i].slot)
		if _, ok := s.Exprs[i].(*ast.AttrGetExpr); ok {
			declared[i].from = len(c.program.code) - 1
		}
	}
	c.locals = append(c.locals, declared...)
}

// assign compiles target = value; assignments of several values have been taken apart, or are refused.
func (c *compiler) assign(s *ast.AssignStmt) {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		refuse()
	}
	value := s.Rhs[0]
	if name, ok := s.Lhs[0].(*ast.IdentExpr); ok {
		slot, outer := c.variable(name.Value, "", number)
		if outer != nil {
			outer.written = true
		} else if c.local(name.Value).counter {
			refuse()
		}
		c.into(value, slot)
		return
	}
	i, sure := c.key(s.Lhs[0].(*ast.AttrGetExpr))
	i.op = opStore
	switch value.(type) {
	case *ast.TrueExpr:
		i.a = c.value(lua.LTrue)
	case *ast.FalseExpr:
		i.a = c.value(lua.LFalse)
	case *ast.NilExpr:
		i.a = c.value(lua.LNil)
	default:
		i.op, i.a = opSet, c.number(value)
	}
	at := c.emit(i)
	if !sure {
		c.failing = at
	}
	again := at + 1
	if len(c.loops) > 1 {
		again = c.loops[1].top
	}
	c.changes = append(c.changes, changing{at, again})
}

// fallible emits an instruction that can fail.
func (c *compiler) fallible(i instruction) int {
	c.failing = c.emit(i)
	return c.failing
}
