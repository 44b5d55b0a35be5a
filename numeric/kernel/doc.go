// Package kernel has the positive semi-definite kernels k(p, q) that a fit takes, as data: a
// kernel is the struct of its parameters ([SE], [Exponential], [Matern], …), and combinators
// ([Sum], [Product], [Scaled], [Tensor], [Kink], [Vanishing]) are structs with kernels inside.
//
// Distances are joint: d² = Σ_i ((p_i - q_i)/ℓ_i)², and the conventions are
// exp(-d), exp(-d²/2) and the Matérn function of √(2ν) d (paper, section 2.3).
//
// What a kernel is as a formula, and all that follows from that, evaluation, structure,
// derivatives, files, is in internal/numeric/kernels. To add a kernel, write name.go here with the
// struct, its check and String, name.go there with the formula, and one line in the catalog
// there: the constructor of scripts, its argument checks, help, completion and the contract tests
// follow.
package kernel
