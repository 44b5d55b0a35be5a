// Package network learns nonlinear operators from pairs (f, u) by models of several terms: a
// reproducing kernel network whose layers are each an exact, certified fit.
//
// Its terms are integral operators of channels: maps φ_c of the input f and of the output u,
// with derivatives and products if so wanted. An implicit network is the semilinear operator
//
//	u(y) = β(y) + ∫ G(x,y) f(x) dx + Σ_c ∫ G_c(x,y) φ_c(f,u)(x) dx,
//
// learned from pairs with φ_c(f, u) of the data in the integrals, and solved for u by Newton's
// method when it predicts. A network of layers applies the right side again and again, u_l made
// of φ_c(f, u_{l-1}), every layer with its own G and β. Either is linear in what is unknown, so
// that the fits are those of package model, with its kernels, constraints and certificates.
//
// What predictions need of u beyond its mesh, its values between points, its derivatives and
// shifts, are sparse matrices (sampling.go). Channels are formulas of them (channel.go), which
// are traced from scripts or written with package expr.
package network
