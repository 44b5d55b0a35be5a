// Package term is what the terms of a model are: columns of a linear problem, n × points of a
// mesh of their own, with a kernel between these points and those of the output ([Term]). The
// row of a sample times the function of the term is what the term adds to that sample.
//
// Each kind has a file with how its terms are made from data, and their columns for other
// samples; kinds.go lists them. A family of functions over parameters is a field with the
// parameters as one more axis (family.go). What a kernel leaves open, a lengthscale or a
// smoothness, is an [Opening] that somebody chooses; terms together are one kernel, a direct sum (sum.go).
package term
