package bindings

import (
	"errors"
	"math"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
)

// calledKernel is a kernel whose Lua function is called for every pair of points.
type calledKernel struct {
	kernel.Kernel // none: all it says is said here
	calls         *trace.Called
	text          string   // the arguments of kernel.define
	names         []string // of the coordinates of the points
}

func newCalled(c *bind.Call, f bind.Function, o defineOptions) (kernel.Kernel, error) {
	if o.auto {
		return nil, errors.New(`lengthscale "auto": a fit can choose it only when the function is traced`)
	}
	calls, err := trace.Call(c, &f, o.trace(2))
	if err != nil {
		return nil, err
	}
	return calledKernel{calls: calls, text: trace.Write(c, &f, nil) + ", " + o.text()}, nil
}

// Expr implements kernels.Custom.
func (k calledKernel) Expr(kernels.Point, kernels.Point) (*expr.Node, error) {
	return nil, errors.New("a kernel with trace = false stands alone: it has no expression to be combined, constrained or traced")
}

// Evaluator implements kernels.Caller.
func (k calledKernel) Evaluator(s kernel.Space) (kernels.Evaluator, error) {
	k.names = s.Names
	return k, nil
}

// Eval implements kernels.Evaluator. After a failure all values are NaN.
func (k calledKernel) Eval(vars []float64) float64 {
	d := len(vars) / 2
	v, err := k.calls.At(k.names, vars[:d], vars[d:2*d])
	if err != nil {
		return math.NaN()
	}
	return v
}

// Block implements kernels.Evaluator.
func (k calledKernel) Block(dst []float64, vars []expr.Operand) {
	x := make([]float64, len(vars))
	for j := range dst {
		if j%64 == 0 && k.calls.Over() { // an interrupt ends what is left of a matrix at once
			for i := range dst[j:] {
				dst[j+i] = math.NaN()
			}
			return
		}
		for i, v := range vars {
			if x[i] = v.Scalar; v.Vector != nil {
				x[i] = v.Vector[j]
			}
		}
		dst[j] = k.Eval(x)
	}
}

// value is k(p, q) of points with values.
func (k calledKernel) value(p, q trace.Point) (float64, error) {
	var vars []float64
	for _, n := range slices.Concat(p.X, q.X) {
		if !n.IsConst() {
			_, err := k.Expr(kernels.Point{}, kernels.Point{})
			return 0, err
		}
		vars = append(vars, n.Value())
	}
	d := len(p.X)
	return k.calls.At(p.Of().Space.Names, vars[:d], vars[d:])
}

// Describe says how the function is called, and what that costs.
func (k calledKernel) Describe() string { return k.calls.String() }

// String is the Lua expression that makes the kernel, and the failure that made
// its values NaN.
func (k calledKernel) String() string {
	text := "kernel.define(" + k.text + ")"
	if err := k.calls.Err(); err != nil {
		text += " (which failed: " + err.Error() + ")"
	}
	return text
}
