// Package trace turns Lua functions into expressions: it runs a function once
// on values that are not known yet and keeps what it computes with them.
//
// A value that is not known yet is an [expr.Node]; in a script it is a formula
// ([Type]), with operators, the functions of math ([Math]) and the helpers of
// helper.go. A point is a table whose entries are formulas or numbers (point.go).
//
//   - [Points] traces a function of points: kernels, masks, maps of constraints.
//   - [Scalars] traces a function of numbers: potentials, coefficients, elements
//     of arrays.
//
// A trace follows one path through the function. Comparing formulas with < or ==
// is refused; what cannot be noticed, and and or and == with a number, is found by
// comparing the expression with the function itself on points that are chosen to
// reach exceptions (verify.go): random ones, equal ones, and the numbers that the
// function mentions.
//
// To let another kind of function be traced, call Points or Scalars from its
// binding and keep the expression.
package trace
