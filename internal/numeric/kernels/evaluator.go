package kernels

import (
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
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
	kernel.Kernel
	Evaluator(s kernel.Space) (Evaluator, error)
}

// perCall is what a kernel without an expression takes for a value, such as a function of a script, in nanoseconds.
const perCall = 1000

// perValue is the time of a value where the slots of the second point vary.
func perValue(e Evaluator, varies func(slot int) bool) float64 {
	if p, ok := e.(*expr.Program); ok {
		return p.Time(varies)
	}
	return perCall
}
