package trace

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/expr"
)

// Scalars traces a function of numbers, or of one point, and compares it with its
// expression. Coordinate i of the arguments is in slot i; a point has x, y, z or
// numbers.
func Scalars(c *bind.Call, f *bind.Function) (*expr.Node, error) {
	fn, ok := f.Value().(*lua.LFunction)
	if !ok || fn.IsG || fn.Proto.IsVarArg != 0 {
		return nil, errors.New("must be a function written in Lua, with named arguments")
	}
	t := &tracer{c: c, f: f, scan: scanFunction(c.L, fn), inputs: parameters(fn.Proto)}
	n, err := t.scalars(len(t.inputs))
	if len(t.inputs) != 1 || !asPoint(err) { // a number that equals no point would be another function
		return n, err
	}
	for d := 1; d <= 3; d++ {
		n, again := t.ofPoint(d)
		if !asPoint(again) {
			return n, again
		}
	}
	return nil, err
}

// asPoint reports whether an error may be that of a function that took its argument for
// a point: one of Lua, not a result that is wrong.
func asPoint(err error) bool {
	var script *bind.ScriptError
	return errors.As(err, &script)
}

// scalars traces the function of n numbers.
func (t *tracer) scalars(n int) (*expr.Node, error) {
	var args []any
	for i, name := range t.inputs {
		args = append(args, expr.Var(i, name))
	}
	node, err := t.scalar(args...)
	if err != nil {
		return nil, err
	}
	return node, t.verifyScalar(node, n, func(x []float64) []any {
		args := make([]any, n)
		for i, v := range x {
			args[i] = v
		}
		return args
	})
}

// ofPoint traces the function of a point of d coordinates.
func (t *tracer) ofPoint(d int) (*expr.Node, error) {
	point := func(x []*expr.Node) []any {
		g := &given{x: x, coordinate: func(name string) *expr.Node {
			if i := slices.Index([]string{"x", "y", "z"}, name); i >= 0 && i < d {
				return x[i]
			}
			return nil
		}, names: []string{"x", "y", "z"}[:d]}
		return []any{g.table(t.c)}
	}
	x := make([]*expr.Node, d)
	for i := range x {
		x[i] = expr.Var(i, Numbered(d).Names[i])
	}
	node, err := t.scalar(point(x)...)
	if err != nil {
		return nil, err
	}
	return node, t.verifyScalar(node, d, func(v []float64) []any {
		x := make([]*expr.Node, d)
		for i := range x {
			x[i] = expr.Const(v[i])
		}
		return point(x)
	})
}

// scalar calls the function, which must return one number or formula.
func (t *tracer) scalar(args ...any) (*expr.Node, error) {
	results, err := t.f.Call(t.c, args...)
	if err != nil {
		if _, short := t.explain(err); short {
			return nil, err
		}
		explained, _ := t.explain(err)
		return nil, explained
	}
	values, _, err := t.read(results, nil)
	if err != nil {
		return nil, err
	}
	n, _ := NodeOf(values[0])
	return n, nil
}

// verifyScalar compares the function with its expression of d coordinates.
func (t *tracer) verifyScalar(n *expr.Node, d int, arguments func(x []float64) []any) error {
	program, err := expr.Compile(n, d)
	if err != nil {
		return err
	}
	s := t.sampler(d, nil)
	var before seen
	for i := range s.count(true) {
		p := s.draw(i)
		x := p.number[0]
		results, err := t.f.Call(t.c, arguments(x)...)
		if err != nil {
			return err
		}
		v, err := t.numbers(results, nil, nil)
		if err != nil {
			return err
		}
		if isFinite(v) {
			before.add(p.size(), v)
		}
		if a, b := v[0], program.Eval(x); !agree(a, b, before.largest(p.size())) {
			return fmt.Errorf("%s and the expression traced from it differ at %s: %s and %s; %s", t.f, show(x), number(a), number(b), unseen)
		}
	}
	return nil
}

// minTraced is how many elements an array must have for tracing to be worth while.
const minTraced = 512

// Elements computes an array from a function of its indices, which count from 1,
// without calling it for each. ok is false unless that is sure to be the same: the
// function takes one path and touches nothing but its arguments.
func Elements(c *bind.Call, f *bind.Function, shape []int) (data []float64, ok bool) {
	size := 1
	for _, n := range shape {
		size *= n
	}
	fn, isLua := f.Value().(*lua.LFunction)
	if size < minTraced || !isLua || fn.IsG || !declared(c) || !scanFunction(c.L, fn).pure {
		return nil, false
	}
	t := &tracer{c: c, f: f}
	args := make([]any, len(shape))
	for d := range args {
		args[d] = expr.Var(d, "i")
	}
	n, err := t.scalar(args...)
	if err != nil {
		return nil, false
	}
	program, err := expr.Compile(n, len(shape))
	if err != nil {
		return nil, false
	}
	data = make([]float64, size)
	fill(c, data, program, shape)
	return data, c.Err() == nil && t.spotCheck(data, shape)
}

// declared reports whether the state knows formulas: a program may use arrays only.
func declared(c *bind.Call) (ok bool) {
	defer func() { ok = recover() == nil }()
	c.Lua(expr.Var(0, ""))
	return true
}

// fill evaluates the program at every index, row by row along the last axis, until
// the context ends; long rows in parts.
func fill(ctx context.Context, data []float64, program *expr.Program, shape []int) {
	const part = 1 << 16
	last := len(shape) - 1
	along := make([]float64, min(part, shape[last]))
	vars := make([]expr.Operand, len(shape))
	for at := 0; at < len(data) && ctx.Err() == nil; {
		first := at % shape[last]
		n := min(len(along), shape[last]-first)
		for j := range n {
			along[j] = float64(first + j + 1)
		}
		vars[last].Vector = along[:n]
		for d, rest := last-1, at/shape[last]; d >= 0; d-- {
			vars[d].Scalar = float64(rest%shape[d] + 1)
			rest /= shape[d]
		}
		program.Block(data[at:at+n], vars)
		at += n
	}
}

// spotCheck compares some elements, the first and the last among them, with calls.
func (t *tracer) spotCheck(data []float64, shape []int) bool {
	const checks = 16
	for i := range checks {
		at := i * (len(data) - 1) / (checks - 1)
		args := make([]any, len(shape))
		for d, rest := len(shape)-1, at; d >= 0; d-- {
			args[d] = rest%shape[d] + 1
			rest /= shape[d]
		}
		v, err := t.f.Number(t.c, args...)
		if err != nil || !agree(v, data[at], 0) || math.IsNaN(v) != math.IsNaN(data[at]) {
			return false
		}
	}
	return true
}
