// Package ode solves initial value problems y' = f(t, y) of ordinary differential equations:
// by the pair of Dormand and Prince of order 5(4), by Radau IIA of order 5 for stiff ones, or
// by the first until it finds that the problem is stiff. The solution is known at all times
// in between ([Solution.At]), and events, zeros of functions of it, are located on the way.
package ode
