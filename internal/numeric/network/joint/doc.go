// Package joint trains reproducing kernel networks end to end: of L layers
//
//	u_l(y) = σ_l(∫ G_l(x,y) u_{l-1}(x) dx + β_l(y)),  u_0 = f,
//
// with G_l and β_l in reproducing kernel Hilbert spaces, all layers at once, such that
//
//	Σᵢ ‖uᵢ - u_L(fᵢ)‖²/n + λ Σ_l (‖G_l‖² + ‖β_l‖²)
//
// is small. That is not convex beyond one layer. The descent is by Gauss and Newton's method with
// the damping of Levenberg and Marquardt: around its present functions the network is a linear
// model whose terms are all G_l and β_l at once, and the model's exact minimiser is the next step
// (gaussnewton.go). Where kernels are products of one on each side, steps are first taken in coordinates
// of their eigenfunctions, and only as far as they are cheap (modes.go, linearised.go, truncated.go).
// It begins with layers that are learned one after the other (start.go), each by
// the same solver. Adam, which the paper trains with, is here to be compared with (adam.go).
package joint
