// Package ode solves initial value problems y' = f(t, y) of ordinary differential equations:
// by the pairs of Dormand and Prince of order 5(4) and 8(5,3), by Radau IIA of order 5 for stiff
// ones, or, which is the default, by the second until it finds that the problem is stiff, more
// than once, so that the error of the solution is known and within the tolerance. The solution
// is known at all times in between ([Solution.At]), and events, zeros of functions of it, are
// located on the way.
package ode
