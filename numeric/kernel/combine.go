package kernel

import (
	"fmt"
	"math"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// Sum is the sum of kernels: functions that are sums of one of each.
type Sum struct {
	Terms []Kernel `arg:"terms"`
}

func (k Sum) check() error { return checkAll(k.Terms) }

func (k Sum) expr(p, q Point) (*expr.Node, error) {
	return fold(k.Terms, expr.Const(0), expr.Add, p, q)
}

func (k Sum) String() string { return join(k.Terms, " + ") }

// Product is the product of kernels (Schur's theorem keeps it positive
// semi-definite).
type Product struct {
	Factors []Kernel `arg:"factors"`
}

func (k Product) check() error { return checkAll(k.Factors) }

func (k Product) expr(p, q Point) (*expr.Node, error) {
	return fold(k.Factors, expr.Const(1), expr.Mul, p, q)
}

func (k Product) String() string {
	s := make([]string, len(k.Factors))
	for i, f := range k.Factors {
		s[i] = f.String()
		if _, ok := f.(Sum); ok {
			s[i] = "(" + s[i] + ")"
		}
	}
	return strings.Join(s, " * ")
}

// Scaled is Factor times a kernel; Factor must be positive.
type Scaled struct {
	Factor float64 `arg:"factor" allow:">0"`
	Kernel Kernel  `arg:"kernel"`
}

func (k Scaled) check() error {
	if !(k.Factor > 0) || math.IsInf(k.Factor, 0) {
		return fmt.Errorf("factor %g: must be finite and > 0, for a negative multiple of a kernel is not positive semi-definite", k.Factor)
	}
	return checkAll([]Kernel{k.Kernel})
}

func (k Scaled) expr(p, q Point) (*expr.Node, error) {
	n, err := Expr(k.Kernel, p, q)
	if err != nil {
		return nil, err
	}
	return expr.Mul(expr.Const(k.Factor), n), nil
}

func (k Scaled) String() string {
	inner := k.Kernel.String()
	if _, ok := k.Kernel.(Sum); ok {
		inner = "(" + inner + ")"
	}
	return fmt.Sprintf("%v * %s", k.Factor, inner)
}

// Tensor is the product of a kernel on the input coordinates and one on the
// output coordinates: the tensor product of their function spaces (paper,
// section 2.3).
type Tensor struct {
	Input  Kernel `arg:"input" doc:"kernel on the input coordinates"`
	Output Kernel `arg:"output" doc:"kernel on the output coordinates"`
}

func (k Tensor) check() error { return checkAll([]Kernel{k.Input, k.Output}) }

func (k Tensor) expr(p, q Point) (*expr.Node, error) {
	m, d := p.Space.Inputs, len(p.X)
	if m == 0 && d == 2 {
		m = 1
	}
	if m == 0 || m == d {
		return nil, fmt.Errorf("tensor: points with coordinates %s are not split into input and output; use a product of kernels instead",
			strings.Join(p.Space.Names, ", "))
	}
	a, err := Expr(k.Input, p.Part(0, m), q.Part(0, m))
	if err != nil {
		return nil, fmt.Errorf("input kernel: %w", err)
	}
	b, err := Expr(k.Output, p.Part(m, d), q.Part(m, d))
	if err != nil {
		return nil, fmt.Errorf("output kernel: %w", err)
	}
	return expr.Mul(a, b), nil
}

func (k Tensor) String() string {
	return fmt.Sprintf("tensor(%s, %s)", k.Input, k.Output)
}

func fold(ks []Kernel, start *expr.Node, op func(a, b *expr.Node) *expr.Node, p, q Point) (*expr.Node, error) {
	for _, k := range ks {
		n, err := Expr(k, p, q)
		if err != nil {
			return nil, err
		}
		start = op(start, n)
	}
	return start, nil
}

func checkAll(ks []Kernel) error {
	if len(ks) == 0 {
		return fmt.Errorf("terms: must hold at least one kernel")
	}
	for _, k := range ks {
		if k == nil {
			return fmt.Errorf("kernel: missing")
		}
		if err := Check(k); err != nil {
			return err
		}
	}
	return nil
}

func join(ks []Kernel, sep string) string {
	s := make([]string, len(ks))
	for i, k := range ks {
		s[i] = k.String()
	}
	return strings.Join(s, sep)
}
