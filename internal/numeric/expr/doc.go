// Package expr holds formulas: immutable expression nodes that are built,
// simplified, differentiated, asked about their structure, and compiled to a
// tape that evaluates them on blocks of points.
//
// Kernels, constraints, coefficients and operators all end up here, the
// built-in ones and those a script defines, so that both have the same speed
// and the same structure queries.
//
// Central types and functions:
//
//   - [Node] is one formula. Variables are numbered slots (Var); a kernel on
//     two coordinates uses four of them, say x, y of the one point and u, v of
//     the other. Nodes are made by constructors (Add, Exp, Matern, ...) that
//     simplify locally.
//   - [Eval] is the reference interpreter: recursive and obvious.
//   - [Program] is a compiled formula. [Program.Block] evaluates it on vectors,
//     256 points at a time, and computes what does not vary only once. Vector
//     code plugs in through [Ops].
//   - [CompilePairs] compiles a formula of two points for many pairs: written
//     with fewer quotients, roots and exponentials where the intervals of the
//     variables show that nothing can overflow by that, or lose its sign.
//   - [Simplify] brings formulas into canonical form, [Diff] differentiates.
//   - Structure queries: [Stationary] and [DifferenceOnly], [EvenIn],
//     [Symmetric], [Period], [FindRadial] and [Radial.Family] for radial kernels. They
//     look at the form and may miss what is hidden, but do not claim what is
//     false; [Evidence] tells proof from observation.
//
// # What simplification may change
//
// Constructors change no rounding: the value of a node equals that of the same
// formula written in Go, apart from the sign of a zero, with these exceptions
// that treat a formula as a function on the real numbers:
//
//   - x*0, 0/x, x-x, x/x, x^0 are 0, 0, 0, 1, 1 also where x is infinite, NaN
//     or zero: a removable singularity is removed, never introduced;
//   - sqrt(x^2) is |x| also where the square would overflow or underflow;
//   - x^n for a small whole or half n is a product ([Pow]), within n/2 + 1
//     roundings.
//
// [Simplify] may in addition reorder sums and products, so its result is equal
// up to rounding wherever all parts of the original are finite and products of
// them neither overflow nor underflow. Where a part is infinite or NaN the
// result may be finite; a comparison that swallowed a NaN may then decide
// differently.
//
// # Adding an operation
//
// Add a constant to Op, its row in the table and its definition in apply, all in
// op.go; a constructor in build.go or buildfn.go and its case in build
// (query.go); its rules in diff.go and parity.go. It then works everywhere; for
// speed add its loop to ops.go. The tests that run over all operations find it
// by its row.
package expr
