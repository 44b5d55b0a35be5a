// Package fit learns the Green's function G and the bias β of a linear problem
// from pairs (f, u): u(y) = β(y) + ∫ G(x,y) f(x) dx.
//
// A [Spec] says everything a fit depends on; [Fit] returns an [Estimate], which
// is a function: it evaluates on any mesh, predicts, saves and loads. It is the
// exact minimiser of
//
//	(1/n) Σ_i Σ_k (u_ik - β(y_k) - Σ_j G(x_j,y_k) f_ij dx_j)² dy_k + λ ‖G‖²_K + ρ ‖β‖²_Q
//
// over the reproducing kernel Hilbert spaces of K and Q (paper, section 3), and
// its [Report] carries the certificate: the residual of the optimality system,
// recomputed from the definition, and the duality gap.
//
// A fit is one pipeline, and [Fit] is the only function that knows its order:
//
//		check → resolve → pose → choose → solve → certify → estimate
//
//	  - check refuses what cannot be fitted, resolve decides what a spec leaves open but for
//	    λ and ρ: lengthscales, the free constant of β (fit.go, spec.go, automatic.go).
//	  - pose writes the fit as a problem, an optimality system in coordinates of its own. It
//	    is one table of ways, tried in order (internal/pose): the dense matrix, on request; the
//	    pairs with their images, where the constraint maps inputs and outputs separately; the
//	    space of the weights, for other constraints that the meshes have; the constraint as a
//	    part of the kernel, for those that they have not; and the space of the data, one
//	    unknown for each independent input and output point, with the bias as one more input
//	    that is constantly one. Missing outputs decorate the problems of the data.
//	  - choose finds λ and ρ by a criterion, from what package criteria can know of the
//	    problem: its diagonal, its matrix, its eigenvalues, or random vectors
//	    (internal/problem/choose.go).
//	  - solve finds the solution, preconditioned; where λ was chosen so small that rounding
//	    swallows it, it is raised (internal/problem/posed.go).
//	  - certify says of any weights what they are worth: with a point of the dual problem, by
//	    how much at most the objective is above its minimum, and what the structure of the
//	    kernel can add to that (certify.go, structure.go).
//
// A problem is six methods: Choose, Measure, Solve, Weigh, Contend and Exact. In the
// space of the data it is a regression, too, with a symmetric operator and the response to
// values of G and β (internal/problem/regression.go): all that the posterior needs
// (internal/posterior). So every question is asked of every problem, and TestCombinations compares the answers with the definition. What
// problems are made of stands below the package, each folder with a doc.go:
//
//	internal/problem     what all have in common: settings, solutions, how λ is chosen
//	internal/bases       in which a kernel is about diagonal on the axes of a mesh
//	internal/indata      the space of the data
//	internal/inobserved  the same with missing outputs, and errors that are not white
//	internal/invalues    the same where few outputs were observed
//	internal/inweights   the space of the weights
//	internal/pose        the table of ways; the dense matrix, and pairs with their images
//	internal/posterior   how sure estimates are, and what they leave of their data, above all problems
//	internal/landmarks   before a way is taken (onlandmarks.go): data on scattered points that
//	                     are too many, on few of them, twice as many until it makes no difference
//
// Fits in a row are one problem: [Path] (path.go) and cross-validation (folds.go) pose once
// for each set of data and begin each solve from the solution before.
//
// What an estimate can be asked beyond its values: posterior.go how sure it is (by
// internal/posterior; draw.go and interval.go: draws and intervals; few.go: over what few data
// allow), residuals.go what it leaves of its data, calibrate.go how far that is to be trusted,
// operator.go what operator it is, objective.go what other minimisers go down on. To add a way to
// pose a fit, write a problem in a package of its own beside those and a line in pose.Ways; the
// contract suite of problem_test.go wants an example of it.
//
// The package does not import pde: the estimator cannot see the truth.
package fit
