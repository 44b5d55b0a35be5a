// Package inweights is the problem in the space of the weights: of G on a lattice, for constraints
// that the meshes have, and of β. The system of a [Space] is not symmetric; GMRES solves it
// (direct.go), in bases that suit the penalty (basis.go, coupled.go). λ is chosen from all
// eigenvalues (eigenvalues.go; exact.go, and bypoint.go where outputs are missing), from a matrix, or from
// quadrature rules of a space that grows (spectrum.go, galerkin.go).
package inweights
