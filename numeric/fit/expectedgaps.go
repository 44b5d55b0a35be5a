package fit

import (
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/inweights"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// What is usual where λ is chosen from what was observed of outputs of which some are missing, and under a constraint.
const (
	usualClosed     = 300 // λ and ρ at which the eigenvectors are asked
	usualDirected   = 85  // directions of a space that grows until λ is settled in it: 51 to 132, of eight problems
	usualProjected  = 100 // eigenproblems of as many directions: of 180, most have fewer
	usualPolish     = 10  // matrices that are factored and inverted where λ and ρ are polished, up to polishedRows
	usualEvaluated  = 2   // the same for others
	polishedRows    = 600
	perEntry        = 10e-9 // an entry of such a matrix beside its factors
	productsForward = 2     // with the kernel for each direction
	heldMatrices    = 3     // at a time
)

// fromObserved reports whether λ is chosen from all that was observed: by eigenvectors, or in a space that grows.
func (w *work) fromObserved() bool {
	if w.constrained {
		return w.by != CV && w.seen() <= inweights.ExactSpectrum
	}
	return w.gaps && w.by != CV && (w.few || w.values() <= problem.MostMatrix)
}

// column is the seconds of a product with the kernel between all outputs, column by column of a matrix.
func (w *work) column() float64 {
	if w.constrained {
		return w.step() + perDatum*(w.pairs+w.mx)*w.my
	}
	return w.product() + 4*w.pairs*w.mx*w.my*linop.PerFlop + perDatum*(w.pairs+w.mx)*w.my
}

// seen is how many combinations of what was observed tell all of G and β: at each point no more than there are inputs, and
// under a constraint, which mixes points, no more than there are weights.
func (w *work) seen() float64 {
	if w.constrained {
		return min(w.values(), w.mx*w.my)
	}
	return w.my * min(w.values()/w.my, w.mx+1)
}

// spectrum is the seconds of the choice of λ along eigenvectors, or in a space that grows where these are many, and the numbers held.
func (w *work) spectrum() (seconds, numbers float64) {
	n := w.seen()
	if n > inweights.ExactSpectrum {
		const d = usualDirected
		return productsForward*d*w.column() + usualProjected*eigenTime(d), d * (w.pairs + w.mx) * w.my
	}
	eigenproblems := 1.
	if w.constrained { // at the ρ/λ that is best, too: eigenvectors below rounding are others there
		eigenproblems = 2
	}
	return eigenproblems*(n*w.column()+eigenTime(n)) + usualClosed*n*w.my*(perMode+2*w.my*linop.PerFlop), heldMatrices * n * n
}

// evaluations is the seconds of the matrix of what was observed, and of the criteria from that, and the numbers held; both are
// zero for more values than it is made for.
func (w *work) evaluations() (seconds, numbers float64) {
	most, times := problem.ToChoose(REML).Alone, float64(usualEvaluated)
	if w.tried {
		most = problem.ToCompare().Alone
	}
	n := w.values()
	switch {
	case n > float64(most):
		return 0, 0
	case n <= polishedRows:
		times = usualPolish
	}
	return n*w.column() + times*(perMatrix*n*n*n*linop.PerFlop+perEntry*n*n), heldMatrices * n * n
}
