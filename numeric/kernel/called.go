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
