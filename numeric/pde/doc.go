// Package pde holds linear problems that make data: each maps inputs f to outputs
// u, and those with a known answer tell their Green's function and bias.
//
// A problem is its parameter struct ([Poisson], [Helmholtz], [Schrodinger],
// [FokkerPlanck], [Heat], [Oscillator]). [Solve] checks the inputs and solves for
// all of them with one factorisation; [Green] and [Bias] give the closed form where
// there is one and compute it column by column otherwise. Given functions, such as
// a potential, are [Coefficient]s.
//
// To add a problem, write name.go with the struct, one line in catalog.go, and its
// known answer in contract_test.go.
package pde
