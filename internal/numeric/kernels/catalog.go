package kernels

import "github.com/greenbench/workbench/numeric/kernel"

// Entry is one line of the catalog.
type Entry struct {
	Name    string        // of the constructor in scripts, and in files
	Doc     string        // one sentence
	Example kernel.Kernel // a valid instance, which the contract tests exercise
}

// Catalog lists the kernels that a user can name, in the order help shows them.
func Catalog() []Entry {
	l := kernel.Lengthscale{0.3}
	return []Entry{
		{"se", "Squared exponential kernel exp(-d²/2): infinitely smooth functions.", kernel.SE{Lengthscale: l}},
		{"exponential", "Exponential kernel exp(-d): continuous functions, nowhere smooth.", kernel.Exponential{Lengthscale: l}},
		{"matern", "Matérn kernel of any order nu: functions differentiable below order nu.", kernel.Matern{Nu: 2.5, Lengthscale: l}},
		{"hat", "Hat kernel max(0, 1 - |p - q|/lengthscale): piecewise linear functions.", kernel.Hat{Lengthscale: l}},
		{"rational_quadratic", "Rational quadratic kernel (1 + d²/(2 alpha))^-alpha: smooth functions with several lengthscales.", kernel.RationalQuadratic{Alpha: 1.5, Lengthscale: l}},
		{"periodic", "Periodic kernel exp(-2 sin²(pi |p - q|/period)/lengthscale²): smooth functions on a circle.", kernel.Periodic{Period: 2, Lengthscale: kernel.Lengthscale{0.5}}},
		{"brownian_bridge", "Brownian bridge kernel min(s,t) - s t/T, s and t measured from the lower end of an interval of length T: functions that vanish at both ends.", kernel.BrownianBridge{Lower: 0, Upper: 1}},
		{"sobolev", "Sobolev kernel of W¹₂ on a box: functions that vanish on its boundary, with the norm ∫|∇f|².", kernel.Sobolev{Terms: 8, Lower: 0, Upper: 1}},
		{"kink", "Kernel for Green's functions: a smooth function plus |x - y|^power times another, with a kink across the diagonal x = y.", kernel.Kink{Base: kernel.SE{Lengthscale: l}, Jump: kernel.SE{Lengthscale: l}, Power: 1}},
		{"vanishing", "Functions that vanish at given places: those of a kernel, multiplied by (x - place) for every place.", kernel.Vanishing{Base: kernel.SE{Lengthscale: l}, Where: map[string][]float64{"x": {0, 1}}}},
		{"linear", "Dot product kernel offset + p·q: linear functions, with a constant where offset > 0.", kernel.Linear{Offset: 1}},
		{"polynomial", "Polynomial kernel (offset + p·q)^degree: polynomials of at most that degree.", kernel.Polynomial{Degree: 2, Offset: 1}},
		{"white", "White noise: 1 where the points coincide, 0 elsewhere.", kernel.White{}},
	}
}
