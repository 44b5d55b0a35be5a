package kernels

import (
	"fmt"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// OnLast is a kernel without an expression on the last coordinates of larger
// points, from the given one.
func OnLast(k Caller, from int) Caller { return last{k, from} }

type last struct {
	Caller
	from int
}

// Evaluator implements Caller.
func (k last) Evaluator(s kernel.Space) (Evaluator, error) {
	e, err := k.Caller.Evaluator(kernel.Space{Names: s.Names[k.from:]})
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

// hold restricts a kernel that has no formula to the coordinates from … to-1 of the space s;
// the others have the values at.
func hold(k Caller, s kernel.Space, from, to int, at []float64) Caller {
	return held{k, s, from, to, at}
}

type held struct {
	Caller
	space    kernel.Space
	from, to int
	at       []float64
}

// Evaluator implements Caller.
func (k held) Evaluator(s kernel.Space) (Evaluator, error) {
	if s.Dim() != k.to-k.from {
		return nil, fmt.Errorf("restriction to %d coordinates: the points have %d", k.to-k.from, s.Dim())
	}
	e, err := k.Caller.Evaluator(k.space)
	return heldEvaluator{e, k}, err
}

type heldEvaluator struct {
	Evaluator
	held held
}

// Eval implements Evaluator.
func (e heldEvaluator) Eval(vars []float64) float64 {
	return e.Evaluator.Eval(fill(e.held, vars, e.held.at))
}

// Block implements Evaluator.
func (e heldEvaluator) Block(dst []float64, vars []expr.Operand) {
	at := make([]expr.Operand, len(e.held.at))
	for i, v := range e.held.at {
		at[i].Scalar = v
	}
	e.Evaluator.Block(dst, fill(e.held, vars, at))
}

// fill adds the coordinates that are held to those of two points.
func fill[T any](k held, vars, at []T) []T {
	d := k.to - k.from
	return slices.Concat(at[:k.from], vars[:d], at[k.to:], at[:k.from], vars[d:2*d], at[k.to:])
}
