// Package indata is the problem in the space of the data: one unknown for each independent input
// and output point, with the bias as one more input that is constantly one. The [System] is
// symmetric and positive definite; a [Preconditioner] by simultaneous diagonalisation turns it into
// bases in which it is about diagonal (makecore.go holds the operator there), and where that is
// not enough a low-rank part is added (nystrom.go). λ is chosen from the diagonal, the matrix, or
// random vectors (choose.go). Pairs may be taken with their images under an [Orbit].
package indata
