package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/greenbench/workbench/numeric/progress"
	"github.com/greenbench/workbench/numeric/solve"
)

const (
	exactSpectrum    = 400   // data, or weights, of which all eigenvalues are computed
	probeEntries     = 20000 // random entries that a trace is estimated from, at least
	maxProbes        = 8
	lanczosEvery     = 10  // steps between two looks at the criterion
	maxLanczos       = 200 // steps
	lambdaPerTen     = 32
	settledLambda    = 0.06 // relative change of λ that ends the steps, twice in a row
	settledQuadratic = 0.02 // width of the bounds on the quadratic form, relative
)

// spectralRules are what REML and GCV take of the operator A of a constrained fit in the
// space of the data, at λ = 1 and a given ρ/λ, all λ at once: with N outputs,
//
//	REML = ½ [N log(quad/N) + log det(I + A/λ)],  quad = rss0 + ⟨T, (I + A/λ)⁻¹ T⟩.
//
// Small problems have all eigenvalues. Others have Gauss quadrature rules of the
// spectral measure of T, for quad, and of random vectors of signs, for traces and
// determinants (Bai, Fahey and Golub 1996), those of the kind that bound the criteria
// from above: where few steps cannot see, λ is not chosen.
type spectralRules struct {
	rss0          float64
	outputs, data int
	t, upper      rule   // of T: quad from below and from above
	probes        []rule // of random vectors
	settled       bool
}

// rule integrates functions of A over a spectral measure.
type rule struct{ nodes, weights []float64 }

func (r rule) integral(f func(x float64) float64) float64 {
	sum := 0.0
	for i, x := range r.nodes {
		sum += r.weights[i] * f(max(x, 0))
	}
	return sum
}

// rules does products with A, where ρ is ratio times λ, until the λ of a criterion is
// settled.
func (w *weightSpace) rules(ctx context.Context, by Criterion, ratio float64) (*spectralRules, error) {
	at := *w
	at.lambda, at.rho = 1, ratio
	a := dataKernel{&at}
	s := &spectralRules{rss0: w.rss0, outputs: w.n * len(w.rdy), data: len(w.t)}
	unknowns, _ := w.Dims()
	switch {
	case unknowns <= exactSpectrum && unknowns < s.data:
		return s, s.exactFromWeights(&at)
	case s.data <= exactSpectrum:
		return s, s.exact(a, w.t)
	}
	t := solve.NewLanczos(a, w.t)
	probes := make([]*solve.Lanczos, min(maxProbes, (probeEntries+s.data-1)/s.data))
	for i := range probes {
		probes[i] = solve.NewLanczos(a, signs(s.data, uint64(i)))
	}
	calm, before := 0, 0.0
	for step := 1; step <= maxLanczos && !s.settled; step++ {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("lambda stopped: %w", context.Cause(ctx))
		}
		more := t.Step()
		for _, p := range probes {
			more = p.Step() || more
		}
		progress.Report(ctx, progress.Step{Task: "lambda", Done: float64(step), Total: maxLanczos, Label: "lambda", Value: before})
		if step%lanczosEvery != 0 && more {
			continue
		}
		s.take(t, probes)
		lambda, err := s.least(by)
		if err != nil {
			return nil, err
		}
		if math.Abs(lambda-before) <= settledLambda*lambda && s.width(lambda) <= settledQuadratic {
			calm++
		} else {
			calm = 0
		}
		before, s.settled = lambda, calm == 2 || !more
	}
	return s, nil
}

func (s *spectralRules) take(t *solve.Lanczos, probes []*solve.Lanczos) {
	if t.Steps() > 0 {
		s.t.nodes, s.t.weights = t.Rule()
		s.upper.nodes, s.upper.weights = t.UpperRule()
	}
	s.probes = s.probes[:0]
	for _, p := range probes {
		nodes, weights := p.Rule()
		s.probes = append(s.probes, rule{nodes, weights})
	}
}

// signs is a vector of random signs.
func signs(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 0x5151))
	v := make([]float64, n)
	for i := range v {
		v[i] = 1 - 2*float64(rng.Uint64()&1)
	}
	return v
}

// trace is the mean of the probes' integrals.
func (s *spectralRules) trace(f func(x float64) float64) float64 {
	sum := 0.0
	for _, p := range s.probes {
		sum += p.integral(f)
	}
	return sum / float64(len(s.probes))
}

func (s *spectralRules) reml(lambda float64) float64 {
	return s.remlWith(lambda, s.rss0+s.upper.integral(func(x float64) float64 { return lambda / (x + lambda) }))
}

// remlWith is REML for a quad that was found otherwise: it is the least value of the
// objective.
func (s *spectralRules) remlWith(lambda, quad float64) float64 {
	n := float64(s.outputs)
	det := s.trace(func(x float64) float64 { return math.Log1p(x / lambda) })
	return 0.5 * (n*math.Log(quad/n) + det)
}

func (s *spectralRules) gcv(lambda float64) float64 {
	n := float64(s.outputs)
	square := func(x float64) float64 { return lambda * lambda / ((x + lambda) * (x + lambda)) }
	free := n - float64(s.data) + s.trace(func(x float64) float64 { return lambda / (x + lambda) })
	return n * (s.rss0 + s.upper.integral(square)) / (free * free)
}

// width is how far apart the bounds on quad are, relative to it.
func (s *spectralRules) width(lambda float64) float64 {
	f := func(x float64) float64 { return lambda / (x + lambda) }
	lower := s.rss0 + s.t.integral(f)
	return (s.rss0 + s.upper.integral(f) - lower) / lower
}

// top is the largest eigenvalue that was seen.
func (s *spectralRules) top() float64 {
	top := 0.0
	for _, p := range append(s.probes[:len(s.probes):len(s.probes)], s.t) {
		for _, x := range p.nodes {
			top = max(top, x)
		}
	}
	return top
}

// least finds the λ that a criterion likes best.
func (s *spectralRules) least(by Criterion) (float64, error) {
	top := s.top()
	if !(top > 0) {
		return 0, fmt.Errorf("lambda \"auto\": the inputs are zero, so nothing can be chosen; give a number")
	}
	best, at := math.Inf(1), 0.0
	for i := range int(pathDecades*lambdaPerTen) + 1 {
		lambda := 10 * top * math.Pow(10, -float64(i)/lambdaPerTen)
		v := s.reml(lambda)
		if by == GCV {
			v = s.gcv(lambda)
		}
		if v < best {
			best, at = v, lambda
		}
	}
	return at, nil
}
