// Package special computes special functions of real arguments: those of the gamma and beta
// families, the error functions, Bessel's and Airy's functions, elliptic integrals, the zeta
// function, and classical polynomials.
//
// Functions that the standard library or gonum have right to rounding are theirs; what is
// here is what they lack, or lose digits of. Each function takes and returns plain numbers,
// answers NaN outside its domain, and never panics; [Map] applies one to arrays.
package special
