// Package families chooses a kernel for pairs of functions: its family, a lengthscale for
// every coordinate, whether there is a kink across the diagonal, and the weight and the
// lengthscale of that.
//
// Candidates are compared on the same numbers: the data without their mean curve, which
// takes the place of the bias, in orthonormal directions of the inputs and modes of the
// outputs that no candidate chose (sample). Each is taken at the λ that suits it best.
// Within a family the criterion is the sum of restricted maximum likelihood and of leaving
// out pairs (score): over random problems kernels that it likes predict better than those
// of either part, and learn G as well as those of the likelihood do. Between families, and
// whether there is a kink, leaving out pairs decides alone: there the likelihood prefers a
// family by tens of nats that predicts worse by 15 %, for G is a sample of none, and among
// few candidates leaving out has nothing to fit its own noise with. By how much the errors of
// single pairs differ tells how likely another choice is to be the better one, and whether there
// is a kink often stays open (Rival).
//
// A kink on one side, as of responses in time to what was before, says more of G than one on
// both, which with a smooth part makes it, too: it has to be better by leaving out pairs and by
// the sum. Of few pairs the likelihood is what keeps leaving out from finding a direction in time
// where there is none (onesided.go).
//
// A kernel that is a product of one on the input and one on the output needs the
// eigenvalues of both alone; each is computed once, for every partner (product). A kink
// adds a matrix of low rank to one (bent). The search goes over a common grid of
// lengthscales, from coarse to fine, one coordinate at a time (Search).
package families
