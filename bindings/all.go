package bindings

import "github.com/greenbench/workbench/bindings/bind"

// All lists the modules in the order help shows them.
func All() []bind.Module {
	return []bind.Module{
		Array(),
		Linalg(),
		Sparse(),
		Integrate(),
		Special(),
		Poly(),
		Optimize(),
		FFT(),
		Interp(),
		Stats(),
		Mesh(),
		Kernel(),
		Symbolic(),
		Constraint(),
		Random(),
		PDE(),
		Sheet(),
		Data(),
		Green(),
		Term(),
		Theory(),
		Sweep(),
		Plot(),
	}
}
