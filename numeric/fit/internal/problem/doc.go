// Package problem is what all ways to write a fit have in common. A [Setting] says what is fitted;
// a [Problem] is its optimality system, in coordinates of its own, for every λ and ρ; [ChooseBy]
// finds these by a criterion; a [Solution] is what a solver found, and [Weighed] says what that is
// worth, whoever found it. [Posed] is a setting with its problem.
//
// The ways themselves are packages above: in the space of the data (indata), of the values that
// were observed (invalues), of the weights (inweights), and of data of which some are missing
// (inobserved). Package pose chooses among them.
package problem
