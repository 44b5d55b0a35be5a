package kernel

// Entry is one line of the catalog.
type Entry struct {
	Name    string // of the constructor in scripts, and in files
	Doc     string // one sentence
	Example Kernel // a valid instance, which the contract tests exercise
}

// Catalog lists the kernels that a user can name, in the order help shows them.
func Catalog() []Entry {
	return []Entry{
		{"se", "Squared exponential kernel exp(-d²/2): infinitely smooth functions.", SE{Lengthscale{0.3}}},
		{"exponential", "Exponential kernel exp(-d): continuous functions, nowhere smooth.", Exponential{Lengthscale{0.3}}},
		{"matern", "Matérn kernel of any order nu: functions differentiable below order nu.", Matern{2.5, Lengthscale{0.3}}},
		{"hat", "Hat kernel max(0, 1 - |p - q|/lengthscale): piecewise linear functions.", Hat{Lengthscale{0.3}}},
		{"rational_quadratic", "Rational quadratic kernel (1 + d²/(2 alpha))^-alpha: smooth functions with several lengthscales.", RationalQuadratic{1.5, Lengthscale{0.3}}},
		{"periodic", "Periodic kernel exp(-2 sin²(pi |p - q|/period)/lengthscale²): smooth functions on a circle.", Periodic{2, Lengthscale{0.5}}},
		{"brownian_bridge", "Brownian bridge kernel min(s,t) - s t/T, s and t measured from the lower end of an interval of length T: functions that vanish at both ends.", BrownianBridge{0, 1}},
		{"sobolev", "Sobolev kernel of W¹₂ on a box: functions that vanish on its boundary, with the norm ∫|∇f|².", Sobolev{8, 0, 1}},
		{"kink", "Kernel for Green's functions: a smooth function plus |x - y|^power times another, with a kink across the diagonal x = y.", Kink{Base: SE{Lengthscale{0.3}}, Jump: SE{Lengthscale{0.3}}, Power: 1}},
		{"vanishing", "Functions that vanish at given places: those of a kernel, multiplied by (x - place) for every place.", Vanishing{SE{Lengthscale{0.3}}, map[string][]float64{"x": {0, 1}}}},
		{"linear", "Dot product kernel offset + p·q: linear functions, with a constant where offset > 0.", Linear{1}},
		{"polynomial", "Polynomial kernel (offset + p·q)^degree: polynomials of at most that degree.", Polynomial{2, 1}},
		{"white", "White noise: 1 where the points coincide, 0 elsewhere.", White{}},
	}
}
