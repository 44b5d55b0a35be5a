package chunk

import (
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// markBase is added to the number of a goto to make the line it is compiled with. No text has so many lines.
const markBase = 1 << 30

// jump is a goto of the rewritten tree.
type jump struct {
	line   int // in the source
	active int // locals that stay alive where it goes
}

// patcher corrects what no tree can express.
//
// gopher-lua begins a goto with an instruction that closes captured variables, and where none of the blocks left has any it
// forgets to say which: all variables of the function are closed, and closures that share them with the function from then
// on have their own. The right number is that of the locals in scope both at the goto and at its label. Each goto is
// compiled under a line number of its own, by which its instructions are found.
type patcher struct {
	jumps  []jump
	hidden *hidden
	scope  *patchScope
}

// patchScope is a block with the number of locals in scope at each of its labels.
type patchScope struct {
	outer  *patchScope
	labels map[string]int
}

// mark numbers the gotos of a rewritten chunk.
func (p *patcher) mark(block []ast.Stmt) {
	p.block(block, 0)
	methods := map[*ast.FunctionExpr]bool{}
	Inspect(block, func(node ast.PositionHolder) bool {
		switch node := node.(type) {
		case *ast.FuncDefStmt:
			methods[node.Func] = node.Name.Func == nil
		case *ast.FunctionExpr:
			parameters := len(node.ParList.Names)
			if methods[node] {
				parameters++ // self
			}
			if node.ParList.HasVargs {
				parameters++ // arg
			}
			outer := p.scope
			p.scope = nil
			p.block(node.Stmts, parameters)
			p.scope = outer
		}
		return true
	})
}

// block marks the gotos of a block that begins with the given number of locals in scope.
func (p *patcher) block(block []ast.Stmt, active int) {
	scope := &patchScope{outer: p.scope}
	count := active
	for _, s := range block {
		switch s := s.(type) {
		case *ast.LocalAssignStmt:
			count += len(s.Names)
		case *ast.LabelStmt:
			if scope.labels == nil {
				scope.labels = map[string]int{}
			}
			scope.labels[s.Name] = count
		}
	}
	p.scope = scope
	for _, s := range block {
		switch s := s.(type) {
		case *ast.LocalAssignStmt:
			active += len(s.Names)
		case *ast.GotoStmt:
			p.jump(s, active)
		case *ast.NumberForStmt:
			p.block(s.Stmts, active+3+1) // index, limit, step
		case *ast.GenericForStmt:
			p.block(s.Stmts, active+3+len(s.Names)) // iterator, state, control
		default:
			for _, inner := range blocks(s) {
				p.block(inner, active)
			}
		}
	}
	p.scope = scope.outer
}

func (p *patcher) jump(s *ast.GotoStmt, active int) {
	for scope := p.scope; scope != nil; scope = scope.outer {
		if target, ok := scope.labels[s.Label]; ok {
			active = min(active, target)
			break
		}
	}
	p.jumps = append(p.jumps, jump{s.Line(), active})
	s.SetLastLine(s.Line())
	s.SetLine(markBase + len(p.jumps) - 1)
}

// apply corrects a compiled function and those inside it.
func (p *patcher) apply(f *lua.FunctionProto) {
	for pc, line := range f.DbgSourcePositions {
		if line < markBase {
			continue
		}
		j := p.jumps[line-markBase]
		f.DbgSourcePositions[pc] = j.line
		if opcode(f.Code[pc]) == lua.OP_CLOSE {
			f.Code[pc] = f.Code[pc]&^(0xff<<18) | uint32(j.active)<<18
		}
	}
	for i, value := range f.Constants {
		f.Constants[i] = p.hidden.constant(value)
	}
	for _, inner := range f.FunctionPrototypes {
		p.apply(inner)
	}
}

// opcode returns the operation of an instruction of gopher-lua.
func opcode(instruction uint32) int { return int(instruction >> 26) }
