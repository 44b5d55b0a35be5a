// Package kernels has the kernels of package kernel as formulas, those that only scripts and the
// estimator make, and what follows from the formula of any: evaluation, Gram matrices,
// structure, derivatives, files.
//
// A kernel turns two symbolic points into one [expr.Node], see [Expr]. [Compile] fixes the
// coordinates and gives a [Function] to evaluate. Kernels that Go programs do not see are a formula
// of a script ([Defined], [ScaledBy], [Mercer]), those of several functions or outputs at once
// ([DirectSum], [Coregional], [OfParameter]), and parts of others ([OnCoordinate], [Restrict],
// [Average]).
//
// To add one that a user can name, see package kernel; here are its formula and its lines in catalog.go.
package kernels
