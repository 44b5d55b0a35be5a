// Package solve solves A x = b for operators that may be known only by their
// products, and says how well it went.
//
// [CG] is the preconditioned conjugate gradient method, [GMRES] the one for
// operators without symmetry, [Cholesky] the direct method for symmetric positive
// definite matrices. Every solve returns a [Report] whose residual is recomputed
// from the definition, on success and on failure. [Factor] factors a sparse matrix once, by its band, for any number of
// right-hand sides: what the discretised PDEs need.
//
// To add a method, write its parameter struct with a Solve method in a file of
// its own, and list it in solve_test.go.
package solve
