// Package assess says what estimates are worth: whether the data contradict their model
// (Check), what an analyst reports of them (Summarise), how they predict what was left out
// (CrossValidate, Learn), and which inputs would tell more (Next).
//
// A check compares the residuals of the data with those of data for which the model is true
// (package fit, Residuals): each probe (probes.go) is a handful of numbers, how far they are
// from what they should be counts in their standard deviations, and how seldom that is so
// is counted over draws (check.go). Other kernels are tried, too (kernels.go).
package assess
