package kernel

// Kernel is a positive semi-definite function of two points: a parameter struct such as [Matern],
// or a combination of kernels such as [Sum] or [Tensor]. A type of another package becomes one by
// embedding a Kernel, which may be nil, and by what package internal/numeric/kernels asks.
type Kernel interface {
	isKernel()
	// String is the kernel as a formula of named kernels with their parameters.
	String() string
}

// Check refuses parameters that a kernel cannot have. A fit asks it first.
func Check(k Kernel) error {
	switch k := k.(type) {
	case interface{ Check() error }: // a type of another package
		return k.Check()
	case interface{ check() error }:
		return k.check()
	}
	return nil
}

// Space describes the coordinates of a point.
type Space struct {
	Names  []string // one per coordinate
	Inputs int      // the first Inputs coordinates belong to the input; 0 when there is no such split
}

// Dim is the number of coordinates.
func (s Space) Dim() int { return len(s.Names) }
