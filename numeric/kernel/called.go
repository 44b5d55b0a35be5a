package kernel

import (
	"fmt"

	"github.com/greenbench/workbench/numeric/expr"
)

// Evaluator computes k(p, q) for points of one space: slots 0 … d-1 are p,
// d … 2d-1 are q. A compiled expression is one. It must be safe for concurrent use.
type Evaluator interface {
	Eval(vars []float64) float64
	Block(dst []float64, vars []expr.Operand)
}

// Caller is a kernel without an expression. Compile takes its evaluator instead;
// nothing is known of its structure, and it cannot be part of another kernel.
type Caller interface {
	Kernel
	Evaluator(s Space) (Evaluator, error)
}

// compileCaller is Compile for a kernel without an expression.
func compileCaller(k Caller, s Space) (*Function, error) {
	e, err := k.Evaluator(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k, err)
	}
	d := s.Dim()
	return &Function{Kernel: k, Space: s, program: e, stationary: make([]bool, d), even: make([]bool, d)}, nil
}

// OnLast is a kernel without an expression on the last coordinates of larger
// points, from the given one.
func OnLast(k Caller, from int) Caller { return last{k, from} }

type last struct {
	Caller
	from int
}

// Evaluator implements Caller.
func (k last) Evaluator(s Space) (Evaluator, error) {
	e, err := k.Caller.Evaluator(Space{Names: s.Names[k.from:]})
	return lastEvaluator{e, k.from, s.Dim()}, err
}

type lastEvaluator struct {
	Evaluator
	from, dim int
}

// Eval implements Evaluator.
func (e lastEvaluator) Eval(vars []float64) float64 {
	part := append([]float64(nil), vars[e.from:e.dim]...)
	return e.Evaluator.Eval(append(part, vars[e.dim+e.from:2*e.dim]...))
}

// Block implements Evaluator.
func (e lastEvaluator) Block(dst []float64, vars []expr.Operand) {
	part := append([]expr.Operand(nil), vars[e.from:e.dim]...)
	e.Evaluator.Block(dst, append(part, vars[e.dim+e.from:2*e.dim]...))
}
