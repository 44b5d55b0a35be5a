package criteria

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// probing estimates the determinant of a symmetric positive definite H and the trace of
// its inverse from products, by way of M = D^-½ H D^-½, of which most eigenvalues are
// near 1. Random vectors of signs z have E⟨z, f(M) z⟩ = tr f(M). They span a block Krylov
// space, in which f(M) z is found, and the eigenvectors X of M that stand out: these are
// counted exactly, and only the rest is left to chance (Lin, Xi and Saad, SIAM Review 58,
// 2016; Gambhir, Stathopoulos and Orginos, SIAM J. Sci. Comput. 39, 2017). Of log and of
// the inverse their tangents at 1 are taken away, whose traces the diagonal of H gives.
type probing struct {
	h       linop.Operator
	root    []float64                              // D^½
	off     []float64                              // M_ii - 1
	shares  []float64                              // of each row, of an invariant subspace that determinant and trace are those of: the diagonal of the projection on it; nil: all is used
	project func(ctx context.Context, z []float64) // on that subspace
	seed    uint64
	plan    plan

	each func(ctx context.Context, count int, do func(i int)) error // makes products with h

	x      *mat.Dense // X, a vector in each row; nil: none yet
	values []float64  // their eigenvalues

	logs, traces signed  // of what X leaves
	top          float64 // largest eigenvalue seen, of which products are rounded
	drift        float64 // by which the logs might still change with a larger space
	products     int
}

// plan is what random vectors may cost: so many first, at most so many in each block besides, and in a block at most steps
// products with H for each, less where a look after a step finds that the logarithms hardly change any more.
type plan struct {
	first, vectors, steps int
	settled               float64 // change that is left, in standard errors
}

// planFor lets a block cost a few times what a solve does, and less for large systems. Two vectors tell the error of their
// mean; of large systems it is never small enough.
func planFor(n int) plan {
	switch {
	case n <= FewUnknowns:
		return plan{2, 8, 24, 0.1}
	case n <= ManyUnknowns:
		return plan{2, 4, 6, 0.1}
	case n <= MostProbed:
		return plan{3, 3, 4, 0.4}
	}
	return plan{}
}

// planAlone is for systems of which a diagonal tells nothing: a space for a few hundred eigenvalues that stand out. Of fewer
// vectors the space is not of all of these, and looks settled before it is.
var planAlone = plan{16, 16, 30, 0.1}

// AloneSpace is how many numbers the vectors of an evaluation take for so many unknowns, where D tells nothing.
func AloneSpace(unknowns float64) float64 {
	return float64(planAlone.vectors*(planAlone.steps+1)) * unknowns
}

// ProbedSpace is how many numbers the vectors of an evaluation take for so many unknowns.
func ProbedSpace(unknowns float64) float64 {
	if unknowns > MostProbed {
		return 0
	}
	p := planFor(int(unknowns))
	return float64(p.vectors*(p.steps+1)) * unknowns
}

// What the choice of λ takes as a rule, in products: so many for each of the first vectors, fewer where the plan has no more
// steps and more where other vectors follow, and those of a solve.
const (
	usualGrowth = 12
	usualSolve  = 12
)

// ProbedProducts is about how many products with a system of so many unknowns the choice of λ takes.
func ProbedProducts(unknowns float64) float64 {
	p := planFor(int(min(unknowns, 2*MostProbed)))
	return float64(p.first*min(usualGrowth, p.steps)) + usualSolve
}

// Limits to estimates from random vectors, in unknowns.
const (
	FewUnknowns  = 20000  // an estimate costs a few times what a solve does
	ManyUnknowns = 100000 // beyond, an estimate costs about what the fit does, once
	MostProbed   = 2e6    // a space of 450 MB
)

const epsilon = 1.0 / (1 << 52)

const (
	settledFloor = 1e-3 // and in nats
	outstanding  = 0.15 // distance of an eigenvalue from 1, in logarithm, that is worth a vector in X
	precise      = 1e-2 // residual of an eigenvector, relative to its value, to be taken into X
)

// newProbing takes D, and the diagonal of H, nil where it is not known.
func newProbing(h linop.Operator, d, diagonal []float64) *probing {
	p := &probing{h: h, root: make([]float64, len(d)), plan: planFor(len(d)), each: inTurn}
	for i, v := range d {
		p.root[i] = math.Sqrt(v)
		if diagonal != nil {
			p.off = append(p.off, diagonal[i]/v-1)
		}
	}
	return p
}

// inTurn calls do for one after another.
func inTurn(ctx context.Context, count int, do func(i int)) error {
	for i := range count {
		if err := linop.Stopped(ctx); err != nil {
			return err
		}
		do(i)
	}
	return linop.Stopped(ctx)
}

// share is how much of a row is used.
func (p *probing) share(i int) float64 {
	if p.shares == nil {
		return 1
	}
	return p.shares[i]
}

// rest is what is left of the logarithm and of the inverse less 1.
func (p *probing) rest(v float64) (log, inverse float64) {
	if p.off == nil {
		return math.Log(v), 1/v - 1
	}
	return math.Log(v) - (v - 1), 1/v - 1 + (v - 1)
}

// logDet is log det H.
func (p *probing) logDet() estimate {
	sum := 0.0
	for i, r := range p.root {
		v := 2 * math.Log(r)
		if p.off != nil {
			v += p.off[i]
		}
		sum += p.share(i) * v
	}
	for _, v := range p.values {
		log, _ := p.rest(v)
		sum += log
	}
	e := p.logs.mean()
	rounding := epsilon * p.top * float64(len(p.root)) // of as many eigenvalues near one
	return estimate{sum + e.value, math.Hypot(math.Hypot(e.err, p.drift), rounding)}
}

// trace is that of H⁻¹.
func (p *probing) trace() estimate {
	sum := 0.0
	for i, r := range p.root {
		v := p.share(i)
		if p.off != nil {
			v *= 1 - p.off[i]
		}
		sum += v / (r * r)
	}
	for k, v := range p.values {
		_, inverse := p.rest(v)
		sum += inverse * p.weight(p.x.RawRowView(k))
	}
	e := p.traces.mean()
	return estimate{sum + e.value, e.err}
}

// weight is ⟨v, D⁻¹ v⟩.
func (p *probing) weight(v []float64) float64 {
	sum := 0.0
	for i, x := range v {
		x /= p.root[i]
		sum += x * x
	}
	return sum
}

func mean(v []float64) estimate {
	n := float64(len(v))
	m := floats.Sum(v) / n
	square := 0.0
	for _, x := range v {
		square += (x - m) * (x - m)
	}
	// Of few values the deviation is itself uncertain, the more as they are skew: that of
	// Student's distribution would be √((n-1)/(n-3)).
	wider := 1.
	if n > 3 {
		wider = math.Sqrt((n + 3) / (n - 3))
	}
	return estimate{m, wider * math.Sqrt(square/(n-1)/n)}
}
