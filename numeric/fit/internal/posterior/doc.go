// Package posterior says how sure the estimate of a Green's function and its bias is: the standard
// deviations of values and of predictions, draws of them, and what an estimate leaves of its data, over
// what the model makes of that.
//
// A [Posterior] stands on a problem as a regression, a symmetric operator and the response of the data to
// values of G and β ([problem.Regression]); posterior.go has its definition. What it is asked for is
// targets (targets.go), and the first way that pays for so many of them answers (make.go):
//
//	split.go           in closed form, where the kernel is a product
//	byfeatures.go      by features, where the kernel is about a sum of squares of few functions
//	byarrow.go         by the directions of the data that matter most, where very many matter (arrow.go)
//	bydirections.go    by those that matter, factored (leading.go, conditioned.go)
//	probing.go         for predictions on lattices of points, many at a time
//	functionals.go     one after the other, by all data factored or by iterations
//	alone.go           single ones that rounding hides from the others
//
// Draws are from the joint covariance of the targets (joined.go, drawroot.go).
package posterior
