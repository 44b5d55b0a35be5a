// Package kernel holds positive semi-definite kernels k(p, q) as expressions.
//
// A [Kernel] turns two symbolic points into one [expr.Node]; everything else,
// evaluation, Gram matrices, structure, derivatives, follows from the
// expression. A built-in kernel is its parameter struct ([SE], [Exponential],
// [Matern], …); combinators ([Sum], [Product], [Scaled], [Tensor]) are structs
// with kernels inside; a kernel that a script defines is an expression given directly.
//
// [Compile] fixes the coordinates and gives a [Function] to evaluate.
//
// Distances are joint: d² = Σ_i ((p_i - q_i)/ℓ_i)², and the conventions are
// exp(-d), exp(-d²/2) and the Matérn function of √(2ν) d (paper, section 2.3).
//
// To add a kernel, write name.go with the struct, its check, expr and String
// methods, and one line in catalog.go: the constructor of scripts, its argument checks,
// help, completion and the contract tests follow.
package kernel
