package gram

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/dense"
)

// needs is array.CheckSize that says what to do.
func needs(what string, numbers float64) error {
	if err := dense.CheckSize(what, numbers); err != nil {
		return fmt.Errorf("%w; take meshes of fewer points", err)
	}
	return nil
}

// MemoryShare is how many numbers a part of the memory limit holds, at most so many. The limit,
// not what of it is free, decides: results must not depend on what ran before.
func MemoryShare(part float64, most int) int {
	return int(min(float64(most), part*dense.MemoryLimit()/8))
}
