package kernels

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Function is a kernel on the points of one space, ready to be evaluated. Its values
// never change, and it is safe for concurrent use.
type Function struct {
	Kernel kernel.Kernel
	Space  kernel.Space
	Node   *expr.Node // k(p, q): slots 0 … d-1 are p, d … 2d-1 are q; nil for a Caller

	program  Evaluator
	perValue float64 // the time of a value in a row, in nanoseconds

	// What only some ask for is found out when it is, once.
	tape             func() *tape
	fused            func() *fused // nil: the tape
	stationary, even func() []bool // by coordinate

	ofPairs atomic.Pointer[pairTape] // the last that was made; nil before
}

// Compile checks a kernel's parameters and compiles it for points of a space.
func Compile(k kernel.Kernel, s kernel.Space) (*Function, error) {
	if k == nil {
		return nil, fmt.Errorf("kernel: missing")
	}
	if err := kernel.Check(k); err != nil {
		return nil, fmt.Errorf("%s: %w", k, err)
	}
	if c, ok := k.(Caller); ok {
		return compileCaller(c, s)
	}
	p, q := Points(s)
	node, err := Symbolic(k, p, q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k, err)
	}
	d := s.Dim()
	program, err := expr.Compile(node, 2*d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k, err)
	}
	return &Function{
		Kernel: k, Space: s, Node: node, program: program,
		perValue:   perValue(program, func(slot int) bool { return slot >= d }),
		tape:       sync.OnceValue(func() *tape { return newTape(program, d) }),
		fused:      sync.OnceValue(func() *fused { return findFused(node, d) }),
		stationary: ofEach(d, func(i int) bool { return expr.DifferenceOnly(node, i, d+i) }),
		even:       ofEach(d, func(i int) bool { return expr.EvenIn(node, i, d+i) }),
	}, nil
}

// compileCaller makes the function of a kernel that has no formula and is called for its values.
func compileCaller(k Caller, s kernel.Space) (*Function, error) {
	e, err := k.Evaluator(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k, err)
	}
	d := s.Dim()
	return &Function{
		Kernel: k, Space: s, program: e, perValue: perCall,
		tape:       sync.OnceValue(func() *tape { return newTape(e, d) }),
		fused:      func() *fused { return nil },
		stationary: ofEach(d, unknown), even: ofEach(d, unknown),
	}, nil
}

func unknown(int) bool { return false }

// ofEach is what holds of each of d coordinates, found out when it is first asked.
func ofEach(d int, holds func(i int) bool) func() []bool {
	return sync.OnceValue(func() []bool {
		each := make([]bool, d)
		for i := range each {
			each[i] = holds(i)
		}
		return each
	})
}

// Stationary reports whether coordinate i enters only as the difference
// p_i - q_i.
func (f *Function) Stationary(i int) bool { return f.stationary()[i] }

// Even reports whether, besides, the sign of p_i - q_i does not matter.
func (f *Function) Even(i int) bool { return f.even()[i] }

// Period returns the smallest period that the form of the kernel shows in
// p_i - q_i; ok is false if there is none.
func (f *Function) Period(i int) (period float64, ok bool) {
	if f.Node == nil {
		return 0, false
	}
	return expr.Period(f.Node, i, f.Space.Dim()+i)
}

// Symmetric reports how it is known that k(p, q) = k(q, p).
func (f *Function) Symmetric() expr.Evidence {
	if f.Node == nil {
		return expr.Refuted
	}
	d := f.Space.Dim()
	p, q := make([]int, d), make([]int, d)
	for i := range d {
		p[i], q[i] = i, d+i
	}
	return expr.Symmetric(f.Node, p, q)
}

// Loop says how products at scattered points run: in the loop of a radial family,
// by the compiled tape, or by calls.
func (f *Function) Loop() string {
	if f.Node == nil {
		return "evaluated by calls"
	}
	if u := f.fused(); u != nil {
		return fmt.Sprintf("evaluated and multiplied in one loop, that of %s", u.family)
	}
	return fmt.Sprintf("evaluated in blocks by a tape of vector operations, from %d nodes", expr.Size(f.Node))
}

// At returns k(p, q); both points have Space.Dim coordinates.
func (f *Function) At(p, q []float64) float64 {
	if program, ok := f.program.(*expr.Program); ok { // which keeps nothing, so that no memory is asked for
		return program.Eval(append(append(make([]float64, 0, 16), p...), q...))
	}
	return f.program.Eval(append(append(make([]float64, 0, 16), p...), q...))
}

// Block stores k at len(dst) pairs of points. p and q give each coordinate
// either as one number for all pairs or as a column of len(dst).
func (f *Function) Block(dst []float64, p, q []expr.Operand) {
	vars := make([]expr.Operand, 0, 16)
	f.program.Block(dst, append(append(vars, p...), q...))
}

// Row stores k(p, q_j) in dst[j]; columns holds the coordinates of the q_j, one
// slice of len(dst) per coordinate.
func (f *Function) Row(dst, p []float64, columns [][]float64) {
	d := f.Space.Dim()
	ops := make([]expr.Operand, 2*d)
	for i := range d {
		ops[i].Scalar = p[i]
		ops[d+i].Vector = columns[i]
	}
	f.program.Block(dst, ops)
}

// Time is about what Row and Block take for so many values, in nanoseconds: what
// parallel loops want to know.
func (f *Function) Time(values int) float64 { return f.perValue * float64(values) }

// Rows calls do(i) for 0 <= i < n, each i once, and stops early when the context
// ends. One i takes about the given time in nanoseconds; all processors take part
// if that pays.
func Rows(ctx context.Context, n int, time float64, do func(i int)) error {
	parallel.Range(n, time, func(lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			do(i)
		}
	})
	if ctx.Err() != nil {
		return fmt.Errorf("kernel evaluation stopped: %w", context.Cause(ctx))
	}
	return nil
}
