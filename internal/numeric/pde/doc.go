// Package pde holds linear problems that make data: each maps inputs f to outputs
// u, and those with a known answer tell their Green's function and bias.
//
// A [Problem] is either named, a parameter struct such as [Poisson] or [Schrodinger]
// ([Catalog] lists them), or [Defined] from its operator by [Define]. [Solve] checks
// the inputs and solves for all of them with one factorisation; [Green] and [Bias]
// give the closed form where there is one and compute it column by column otherwise.
// Given functions, such as a potential or a boundary value, are [Coefficient]s.
//
// # Problems from their operator
//
// [Unknown] is the unknown u, and its methods make an [Operator]: derivatives up to
// fourth order, coefficients, divergences of fluxes, derivatives in time. What is not
// linear is refused. With conditions by [Side] it becomes a [Definition], for example
//
//	u := pde.Unknown(m, time)
//	o := u.D("t", 1).Minus(pde.Div(u.D("x", 1).Times(k)))    // ∂u/∂t - ∂(k ∂u/∂x)/∂x
//	p, err := pde.Define(ctx, pde.Definition{Mesh: m, Time: time, Operator: o,
//		Boundary: map[string]pde.Side{"x-": {Dirichlet: pde.Constant(0)}, "x+": {Reflecting: true}}})
//
// Its way to the matrix: operator.go (the expression), definecheck.go and wellposed.go
// (what is refused), line.go (differences along a line, with ghosts past its ends made
// of the conditions), assemble.go (matrices; fluxes cell by cell), then steady.go or
// evolution.go and exponentialstep.go (time). singular.go says why a matrix is
// singular, and finds eigenvalues that the mesh cannot tell from zero.
//
// # Adding
//
// A problem: write name.go with the struct, one line in catalog.go, and its known
// answer in contract_test.go. A kind of condition: a field of [Side] and its line in
// [Side] conditions. A scheme: a branch in newEvolution, and its name in
// manufacturedtime_test.go, which holds every operator × condition × scheme to its
// order.
package pde
