// Package optimize finds zeros and minima: [Brentq] and [Solve] zeros of one function and of
// systems, [Minimize] minima with and without bounds, [LeastSquares] those of sums of
// squares, [Linear] those of linear programs.
//
// Functions may fail, and their errors are handed on. Where a function is NaN or infinite at
// a point that was only tried, the step is made shorter. Tolerances are relative to the
// problem: units of the function or of the variables do not matter.
package optimize
