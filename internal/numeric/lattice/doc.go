// Package lattice is a constraint on meshes: where its maps send the points of the meshes to
// one another they are index maps, and what obeys the constraint is found by averages over
// their orbits, a mask, and, with time invariance, meshes of the lag instead of two times.
package lattice
