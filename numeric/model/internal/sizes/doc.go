// Package sizes says how large the terms of a model are beside one another, and what else their
// kernels leave open. A [Question] is answered from a part of the data, some numbers of each sample
// (reduced.go, reduce.go), whose likelihood costs no more than a matrix of few rows: by factors of the
// kernels of one output (factors.go), by covariances between outputs that are coupled (couple.go), and
// by what else the likelihood allows (plausible.go).
package sizes
