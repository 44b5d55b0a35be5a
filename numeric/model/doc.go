// Package model learns models of several terms from named data: with samples i,
//
//	u_i(y) = β(y) + Σ_t (term t of sample i)(y) + noise,
//
// where a term is linear in a function, ∫ G(x,y) f_i(x) dx; in a covariate, (z_i - z̄) γ(y),
// a varying intercept; in both, (z_i - z̄) ∫ G(x,y) f_i(x) dx, a varying coefficient; or a
// random curve γ_g(y) for each group g of samples, by itself or times a covariate. The mean z̄ is taken off where another term
// has what it takes off: that of a covariate where there is a β, of a product where its function or group is a term by itself; otherwise
// z̄ is zero. With parameters θ the functions G are
// families G_θ, alike for parameters that are alike.
//
// All of them are one linear problem: the terms are one function on the disjoint union of
// their inputs, with a kernel that is a direct sum. So a model is an
// ordinary fit, with its certificate, its criteria and its posterior; what this package
// adds is which columns a term has (internal/term, a file for each kind), how large the terms are beside one another
// (internal/sizes), and what can be asked of the parts of the result (estimate.go, green.go, predict.go).
//
//	Spec ──► check ──► block ──► terms ──► sizes ──► fit.Fit ──► cut into terms ──► Estimate
//
// Outputs are fitted one by one, or all at once as one output on their disjoint union, each term
// with a covariance between them: what is fitted at once is a block (block.go, solve.go). Where the
// noise is to be found, blocks are fitted with several kinds of it (findnoise.go); [Fit] does that for all (fit.go).
//
// To add a kind of term, write a file with its kind in internal/term, as covariate.go is there, and list
// it in kinds.go.
package model
