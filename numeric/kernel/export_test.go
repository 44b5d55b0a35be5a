package kernel

import "github.com/greenbench/workbench/numeric/internal/simd"

// UseLevel lets products run in the loops of one level until restore is called.
func UseLevel(k simd.Kernels) (restore func()) {
	before := vector
	vector = k
	return func() { vector = before }
}
