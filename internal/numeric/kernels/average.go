package kernels

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Average returns the mean of k((x, y), (x, η)) over points x: a kernel of the
// coordinates from up to, excluding, to of a space. A point has one number per
// coordinate of the space, those kept are not read; the weights sum to 1. Where the
// value is the same for all x, as for a kernel that is stationary in x, it is the
// restriction; so it is the smooth part of a kink, and a multiple of the kernel of the
// side that is kept.
func Average(k kernel.Kernel, s kernel.Space, from, to int, points [][]float64, weights []float64) kernel.Kernel {
	again := func(k kernel.Kernel) kernel.Kernel { return Average(k, s, from, to, points, weights) }
	switch k := k.(type) {
	case kernel.Sum:
		terms := make([]kernel.Kernel, len(k.Terms))
		for i, t := range k.Terms {
			terms[i] = again(t)
		}
		return kernel.Sum{Terms: terms}
	case kernel.Scaled:
		return kernel.Scaled{Factor: k.Factor, Kernel: again(k.Kernel)}
	case kernel.Kink:
		return again(k.Base)
	}
	mean := averaged{Kernel: k, Space: s, From: from, To: to, At: points, Weights: weights}
	f, err := Compile(k, s)
	t, tensor := k.(kernel.Tensor)
	switch {
	case err != nil:
		return Restrict(k, s, from, to, points[0])
	case f.Node != nil && tensor && from == s.Inputs && to == s.Dim():
		if c := mean.ofInput(t.Input); c > 0 && c != 1 {
			return kernel.Scaled{Factor: c, Kernel: t.Output}
		}
		return t.Output
	case f.constant(from, to):
		return Restrict(k, s, from, to, points[0])
	case f.Node == nil:
		return mean.called(k.(Caller))
	}
	return mean
}

// constant reports whether k((x, y), (x, η)) is known to be the same for all x, the
// coordinates outside from … to.
func (f *Function) constant(from, to int) bool {
	for i := range f.Space.Dim() {
		if (i < from || i >= to) && !f.Stationary(i) {
			return false
		}
	}
	return true
}

// averaged is the mean of a kernel over values of some coordinates, which both points
// have in common.
type averaged struct {
	kernel.Kernel `arg:"kernel"`
	Space         kernel.Space `arg:"space"`
	From, To      int          // the coordinates that are left
	At            [][]float64  // the values
	Weights       []float64    // and their weights
}

func (k averaged) Check() error {
	if k.From < 0 || k.From > k.To || k.To > k.Space.Dim() || len(k.At) == 0 || len(k.At) != len(k.Weights) {
		return fmt.Errorf("mean over %d points with %d weights of coordinates %d to %d of %d", len(k.At), len(k.Weights), k.From, k.To, k.Space.Dim())
	}
	for i, at := range k.At {
		if len(at) != k.Space.Dim() || !(k.Weights[i] >= 0) {
			return fmt.Errorf("mean over points: point %d has %d coordinates and weight %g", i+1, len(at), k.Weights[i])
		}
	}
	return checkAll([]kernel.Kernel{k.Kernel})
}

// Expr implements Custom: one term for each point.
func (k averaged) Expr(p, q Point) (*expr.Node, error) {
	sum := expr.Const(0)
	for i, at := range k.At {
		n, err := restricted{Kernel: k.Kernel, Space: k.Space, From: k.From, To: k.To, At: at}.Expr(p, q)
		if err != nil {
			return nil, err
		}
		sum = expr.Add(sum, expr.Mul(expr.Const(k.Weights[i]), n))
	}
	return sum, nil
}

func (k averaged) String() string { return k.TextBy(kernel.Kernel.String) }

// TextBy is String with other kernels written by write.
func (k averaged) TextBy(write func(kernel.Kernel) string) string {
	return fmt.Sprintf("mean over %s of %s", strings.Join(append(append([]string{}, k.Space.Names[:k.From]...), k.Space.Names[k.To:]...), ", "), write(k.Kernel))
}

// ofInput is the mean of k(x, x) for a kernel on the input, 0 where that is unknown.
func (k averaged) ofInput(input kernel.Kernel) float64 {
	f, err := Compile(input, kernel.Space{Names: k.Space.Names[:k.Space.Inputs]})
	if err != nil {
		return 0
	}
	value := func(at []float64) float64 { return f.At(at[:k.Space.Inputs], at[:k.Space.Inputs]) }
	if f.constant(0, 0) { // without the rounding of weights that sum to 1
		return value(k.At[0])
	}
	sum := 0.0
	for i, at := range k.At {
		sum += k.Weights[i] * value(at)
	}
	return sum
}

// called is the mean of a kernel without an expression.
func (k averaged) called(c Caller) Caller {
	mean := averagedCalls{Caller: c, weights: k.Weights}
	for _, at := range k.At {
		mean.parts = append(mean.parts, hold(c, k.Space, k.From, k.To, at))
	}
	return mean
}

type averagedCalls struct {
	Caller
	parts   []Caller
	weights []float64
}

func (k averagedCalls) String() string { return fmt.Sprintf("mean over the input of %s", k.Caller) }

// Evaluator implements Caller.
func (k averagedCalls) Evaluator(s kernel.Space) (Evaluator, error) {
	e := averagedEvaluator{weights: k.weights}
	for _, p := range k.parts {
		part, err := p.Evaluator(s)
		if err != nil {
			return nil, err
		}
		e.parts = append(e.parts, part)
	}
	return e, nil
}

type averagedEvaluator struct {
	parts   []Evaluator
	weights []float64
}

// Eval implements Evaluator.
func (e averagedEvaluator) Eval(vars []float64) float64 {
	sum := 0.0
	for i, p := range e.parts {
		sum += e.weights[i] * p.Eval(vars)
	}
	return sum
}

// Block implements Evaluator.
func (e averagedEvaluator) Block(dst []float64, vars []expr.Operand) {
	part := make([]float64, len(dst))
	clear(dst)
	for i, p := range e.parts {
		p.Block(part, vars)
		for j, v := range part {
			dst[j] += e.weights[i] * v
		}
	}
}
