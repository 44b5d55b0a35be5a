// Package linop is the algebra of linear operators that know their structure.
//
// An [Operator] maps vectors to vectors and never needs its matrix. The
// structures are [Dense], [Sparse], [Diagonal], [Kronecker], [KroneckerSum] (a sum of
// Kronecker products), [Toeplitz] (multilevel) and the combinations [Shift] and
// [Scale]. Vectors over a product of index sets are row-major: the last index
// varies fastest.
//
// Optional interfaces: [Adjoint] for operators that are not symmetric,
// [Describer] for a line of text about the structure.
//
// To add a structure, write x.go here, list it in linop_test.go, where the
// contract of package linoptest is run, and give package gram a branch that
// chooses it.
package linop
