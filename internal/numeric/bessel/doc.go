// Package bessel computes the modified Bessel function of the second kind,
// K_nu(x), for real order and real argument, and the Matérn function that is
// made from it.
//
// Method: Temme's series for x < 2 and Steed's continued fraction (CF2) for
// x >= 2 give K at an order in [-1/2, 1/2] and the one above it; the forward
// recurrence, which is stable for K, does the rest (N. M. Temme, On the
// numerical evaluation of the modified Bessel function of the third kind,
// J. Comput. Phys. 19 (1975); Press et al., Numerical Recipes, section 6.7).
package bessel
