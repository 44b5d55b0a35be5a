// Package sparse is the algebra of sparse matrices: made from coordinates, multiplied, factored
// by Cholesky's method or LU in an order that keeps the factors sparse, solved with by these or
// by iterations, and asked for a few eigenvalues.
//
// A [Matrix] is held by rows (CSR) and does not change. Everything that can take long ends with
// its context, and asks whether there is memory before it takes any.
package sparse
