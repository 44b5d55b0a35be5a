// Package pde holds linear problems that make data: each maps inputs f to outputs
// u, and those with a known answer tell their Green's function and bias.
//
// A problem is its parameter struct ([Poisson], [Helmholtz]). [Solve] checks the
// inputs and solves for all of them with one factorisation; [Green] and [Bias]
// give the closed form where there is one and compute it column by column
// otherwise.
//
// To add a problem, write name.go with the struct, and one line in catalog.go.
package pde
