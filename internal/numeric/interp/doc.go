// Package interp interpolates values on points of a line ([New]) and on a grid of the plane
// ([NewGrid]), by polynomials between neighbours: linear, cubic splines, and the cubic
// Hermite functions of Fritsch and Carlson and of Akima. What lies outside the points is
// refused unless a caller chooses how to go on. [ChooseSmoother] smooths values by kernels,
// with standard deviations.
package interp
