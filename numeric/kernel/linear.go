package kernel

import (
	"fmt"

	"github.com/greenbench/workbench/numeric/expr"
)

// Linear is the dot product offset + Σ p_i q_i: its functions are linear forms of the
// coordinates, with a constant where the offset is above 0.
type Linear struct {
	Offset float64 `arg:"offset" doc:"variance of the constant" default:"0" allow:">=0"`
}

// Check implements Checker.
func (k Linear) Check() error {
	if !(k.Offset >= 0) {
		return fmt.Errorf("offset %g: must be >= 0", k.Offset)
	}
	return nil
}

// Expr implements Kernel.
func (k Linear) Expr(p, q Point) (*expr.Node, error) {
	return Polynomial{Degree: 1, Offset: k.Offset}.Expr(p, q)
}

func (k Linear) String() string { return format("linear", k) }
