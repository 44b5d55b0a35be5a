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
// The way there: system.go writes the problem in the space of the data, one
// unknown per independent input and output point, with the bias as one more
// input that is constantly one; preconditioner.go diagonalises the inputs and the
// kernel at once; criteria.go reads the λ-path off that diagonal and chooses λ;
// dense.go is the slow, obvious route that tests compare with. A constraint that maps
// inputs and outputs separately gives every pair its images, orbit.go. With others the
// unknowns are the weights instead: package lattice reduces, averages and masks
// them, weightlambda.go chooses λ in the growing space of galerkin.go, weightspace.go
// solves, weightdirect.go where iterations would be too many.
//
// What an estimate can be asked beyond its values: posterior.go how sure it is,
// calibrate.go how far that is to be trusted, object.go and derivative.go what
// operator it is. adam.go is the paper's own trainer, theory.go the paper's error
// analysis in numbers.
//
// The package does not import pde: the estimator cannot see the truth.
package fit
