package kernel

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/params"
)

// Linear is the dot product offset + Σ p_i q_i: its functions are linear forms of the
// coordinates, with a constant where the offset is above 0.
type Linear struct {
	Offset float64 `arg:"offset" doc:"variance of the constant" default:"0" allow:">=0"`
}

func (Linear) isKernel() {}

func (k Linear) check() error {
	if !(k.Offset >= 0) {
		return fmt.Errorf("offset %g: must be >= 0", k.Offset)
	}
	return nil
}

func (k Linear) String() string { return params.Text("linear", k) }
