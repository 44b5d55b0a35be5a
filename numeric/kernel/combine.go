package kernel

import (
	"fmt"
	"math"
	"strings"
)

// Sum is the sum of kernels: functions that are sums of one of each.
type Sum struct {
	Terms []Kernel `arg:"terms"`
}

func (Sum) isKernel() {}

func (k Sum) check() error { return checkAll(k.Terms) }

func (k Sum) String() string { return join(k.Terms, " + ") }

// Product is the product of kernels (Schur's theorem keeps it positive
// semi-definite).
type Product struct {
	Factors []Kernel `arg:"factors"`
}

func (Product) isKernel() {}

func (k Product) check() error { return checkAll(k.Factors) }

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

func (Scaled) isKernel() {}

func (k Scaled) check() error {
	if !(k.Factor > 0) || math.IsInf(k.Factor, 0) {
		return fmt.Errorf("factor %g: must be finite and > 0, for a negative multiple of a kernel is not positive semi-definite", k.Factor)
	}
	return checkAll([]Kernel{k.Kernel})
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

func (Tensor) isKernel() {}

func (k Tensor) check() error { return checkAll([]Kernel{k.Input, k.Output}) }

func (k Tensor) String() string {
	return fmt.Sprintf("tensor(%s, %s)", k.Input, k.Output)
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
