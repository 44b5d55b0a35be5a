package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/progress"
)

const (
	exactSpectrum  = 400   // data, or weights, of which all eigenvalues are computed
	probeEntries   = 20000 // random entries that a trace is estimated from, at least
	maxProbes      = 8
	maxDirections  = 300     // in the space
	maxSpace       = 1 << 28 // numbers in it: two gigabytes
	calmRounds     = 3       // in which nothing changes
	settledChange  = 0.01    // of λ and of the freedom, relative
	settledPenalty = 0.03    // change of the quadratic form, relative to the penalty's part of it
	settledFreedom = 0.002   // of a probe that needs no more directions for now
	settledRatio   = 1e-7    // relative change of ρ/λ that ends the repetitions for a given ρ
	maxRepeats     = 20
	ratioSteps     = 7    // golden sections for ρ/λ
	ratioBracket   = 3.   // decades on either side
	movedRatio     = 0.05 // decades that ρ/λ moves for the space to grow again
	maxRatios      = 4    // times that it does
	lambdaPerTen   = 32
	lambdaDecades  = 12. // from ten times the largest eigenvalue, where weights are found by iterations alone; below, these lose their digits
)

// spectralRules are what REML and GCV take of the operator A of a constrained fit in the
// space of the data, at λ = 1 and one ρ/λ, all λ at once: with N outputs,
//
//	REML = ½ [N log(quad/N) + log det(I + A/λ)],  quad = rss0 + ⟨T, (I + A/λ)⁻¹ T⟩.
//
// Small problems have all eigenvalues. Others have a growing space of weights, in
// which the problem is solved for T and for random vectors of signs, whose quadratic
// forms are traces and determinants in the mean.
type spectralRules struct {
	rss0          float64
	outputs, data int
	values        int     // outputs, less one for a free constant
	ratio         float64 // ρ/λ, where ρ is not given
	t             rule    // of T
	probes        []rule  // of random vectors
	lambda        float64 // the best by the criterion asked for, or the given one
	settled       bool
	space         *galerkin // nil with all eigenvalues
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

// findRules finds the rules near the best λ of a criterion, or near the given one.
func (w *weightSpace) findRules(ctx context.Context, by Criterion, spec *Spec) (*spectralRules, error) {
	s := &spectralRules{rss0: w.rss0, outputs: w.outputs(), values: w.outputs(), data: len(w.t), ratio: spec.ratioOr(1)}
	if w.flat != nil {
		s.values--
	}
	unit := 0.0
	if spec.freeRatio() && w.q != nil {
		if unit = w.ratioUnit(); unit > 0 {
			s.ratio = unit
		}
	}
	unknowns, _ := w.Dims()
	if min(unknowns, s.data) <= exactSpectrum {
		return s, s.exactly(ctx, w, by, spec, unit)
	}
	rhs := [][]float64{w.t}
	for i := range min(maxProbes, (probeEntries+s.data-1)/s.data) {
		probe := signs(s.data, uint64(i))
		if w.there != nil {
			floats.Mul(probe, w.there)
		}
		w.flat.project(probe)
		rhs = append(rhs, probe)
	}
	s.space = newGalerkin(w, rhs)
	most := min(maxDirections, share(.25, maxSpace)/(unknowns+s.data))
	for range maxRatios {
		if err := s.follow(ctx, by, spec, most); err != nil {
			return s, err
		}
		if moved, err := s.chooseRatioInSpace(ctx, by, spec, unit); err != nil || !moved {
			return s, err
		}
	}
	return s, nil
}

// ratioUnit is ρ/λ for which the terms of G and β in the covariance of the data have
// equal traces; 0 where one of them is nothing.
func (w *weightSpace) ratioUnit() float64 {
	green := 0.0
	for i, nu := range w.nu.RawMatrix().Data {
		green += nu * w.kappa.RawMatrix().Data[i]
	}
	bias := 0.0
	for _, q := range w.qd {
		bias += max(q, 0)
	}
	if unit := bias * floats.Dot(w.c, w.c) * w.share() / green; unit > 0 && !math.IsInf(unit, 0) {
		return unit
	}
	return 0
}

// value is what a criterion is at λ.
func (s *spectralRules) value(by Criterion, lambda float64) float64 {
	if by == GCV {
		return s.gcv(lambda)
	}
	return s.reml(lambda)
}

// exactly takes all eigenvalues, which belong to one ρ/λ: where that is free, at the best.
func (s *spectralRules) exactly(ctx context.Context, w *weightSpace, by Criterion, spec *Spec, unit float64) error {
	if unit == 0 {
		return s.repeat(ctx, w, by, spec)
	}
	var err error
	try := func(decade float64) float64 {
		s.ratio = unit * math.Pow(10, decade)
		if err == nil {
			err = s.repeat(ctx, w, by, spec)
		}
		if err != nil {
			return 0
		}
		return s.value(by, s.lambda)
	}
	best, least := 0.0, math.Inf(1)
	for _, decade := range []float64{-ratioBracket, 0, ratioBracket} {
		if v := try(decade); v < least {
			best, least = decade, v
		}
	}
	best = between(best-ratioBracket, best+ratioBracket, ratioSteps, try)
	try(best)
	return err
}

// chooseRatioInSpace moves ρ/λ to where the criterion is least in the present space, and
// reports whether it moved.
func (s *spectralRules) chooseRatioInSpace(ctx context.Context, by Criterion, spec *Spec, unit float64) (moved bool, err error) {
	if unit == 0 {
		return false, nil
	}
	before, lambda := s.ratio, s.lambda
	try := func(decade float64) float64 {
		s.ratio = before * math.Pow(10, decade)
		s.space.w.lambda = lambda
		if err == nil {
			err = s.space.at(ctx, lambda, s.ratio*lambda)
		}
		if err != nil {
			return 0
		}
		s.take()
		return s.value(by, lambda)
	}
	step := between(max(-ratioBracket, math.Log10(unit/before)-ratioDecades), min(ratioBracket, math.Log10(unit/before)+ratioDecades), ratioSteps, try)
	if math.Abs(step) <= movedRatio {
		step = 0
	}
	try(step)
	return step != 0, err
}

// rho is ρ at a λ.
func (s *spectralRules) rho(spec *Spec, lambda float64) float64 {
	if spec.Rho > 0 {
		return spec.Rho
	}
	return s.ratio * lambda
}

// repeat takes all eigenvalues, which belong to one ρ/λ: with a given ρ again, until λ
// stays.
func (s *spectralRules) repeat(ctx context.Context, w *weightSpace, by Criterion, spec *Spec) error {
	at := *w
	at.lambda, at.rho = 1, s.ratio
	if spec.Rho > 0 && spec.Lambda > 0 {
		at.rho = spec.Rho / spec.Lambda
	}
	s.settled = true
	for range maxRepeats {
		if ctx.Err() != nil {
			return fmt.Errorf("lambda stopped: %w", context.Cause(ctx))
		}
		if err := s.eigenvalues(ctx, &at); err != nil {
			return err
		}
		best, err := s.least(by)
		if err != nil {
			return err
		}
		s.lambda = orDefault(spec.Lambda, best)
		if spec.Lambda > 0 || spec.Rho == 0 || w.q == nil || math.Abs(spec.Rho/s.lambda-at.rho) <= settledRatio*at.rho {
			return nil
		}
		at.rho = spec.Rho / s.lambda
	}
	s.settled = false
	return nil
}

// eigenvalues are all, from the smaller side.
func (s *spectralRules) eigenvalues(ctx context.Context, w *weightSpace) error {
	if unknowns, _ := w.Dims(); unknowns < s.data {
		return s.exactFromWeights(ctx, w)
	}
	return s.exact(ctx, dataKernel{w}, w.t)
}

// mostStep is what λ decreases by in one round at most: so that the space has something
// of all eigenvalues, which the determinant needs.
const mostStep = 10

// follow lets the space grow at the λ that is best in it, until that is settled or the
// space has most directions.
func (s *spectralRules) follow(ctx context.Context, by Criterion, spec *Spec, most int) error {
	if s.lambda == 0 {
		s.lambda = orDefault(spec.Lambda, s.space.quotient(ctx))
		if err := linop.Stopped(ctx); err != nil {
			return fmt.Errorf("lambda: %w", err)
		}
	}
	if !(s.lambda > 0) {
		return errNothing
	}
	s.settled = false
	if err := s.space.at(ctx, s.lambda, s.rho(spec, s.lambda)); err != nil {
		return err
	}
	s.take()
	grow, before := make([]int, len(s.space.rhs)), s.state()
	for i := range grow {
		grow[i] = i
	}
	for calm := 0; calm < calmRounds; {
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("lambda stopped: %w", context.Cause(ctx))
		case len(s.space.x)+len(grow) > most:
			return nil
		}
		if err := s.space.grow(ctx, grow); err != nil {
			return fmt.Errorf("lambda: %w", err)
		}
		if err := s.choose(ctx, by, spec); err != nil {
			return err
		}
		progress.Report(ctx, progress.Step{Task: "lambda", Done: float64(len(s.space.x)), Total: float64(most), Label: "lambda", Value: s.lambda})
		now := s.state()
		var still bool
		if still, grow = s.compare(now, before); !still {
			calm = -1
		}
		calm++
		before = now
	}
	s.settled = true
	return nil
}

// state is what is to settle as the space grows.
type state struct {
	lambda, quad float64
	freedom      []float64 // by each probe
}

func (s *spectralRules) state() state {
	now := state{lambda: s.lambda, quad: s.quad(s.lambda)}
	for _, p := range s.probes {
		now.freedom = append(now.freedom, p.integral(func(x float64) float64 { return x / (x + s.lambda) }))
	}
	return now
}

// compare reports whether nothing changed from one round to the next that moves λ, and
// the right-hand sides that need more directions. At the minimum of REML the penalty is
// freedom/outputs of the quadratic form, which is to be known to a part of that.
func (s *spectralRules) compare(now, before state) (still bool, grow []int) {
	change := func(a, b float64) float64 { return math.Abs(a-b) / max(a, b, math.SmallestNonzeroFloat64) }
	share := s.freedom(s.lambda) / float64(s.outputs)
	still = change(now.lambda, before.lambda) <= settledChange && change(now.quad, before.quad) <= settledPenalty*share
	grow = []int{0}
	for i, f := range now.freedom {
		c := change(f, before.freedom[i])
		still = still && c <= settledChange
		if c > settledFreedom {
			grow = append(grow, i+1)
		}
	}
	return still, grow
}

// choose finds the best λ in the present space, at the ρ/λ of the last one.
func (s *spectralRules) choose(ctx context.Context, by Criterion, spec *Spec) error {
	if err := s.space.at(ctx, s.lambda, s.rho(spec, s.lambda)); err != nil {
		return err
	}
	s.take()
	best, err := s.least(by)
	if err != nil {
		return err
	}
	s.lambda = orDefault(spec.Lambda, max(best, s.lambda/mostStep))
	return s.space.at(ctx, s.lambda, s.rho(spec, s.lambda))
}

// take reads the rules off the space.
func (s *spectralRules) take() {
	s.t = s.space.rule(0)
	s.probes = s.probes[:0]
	for i := range s.space.rhs[1:] {
		s.probes = append(s.probes, s.space.rule(1+i))
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

// quad is the least value of the objective at λ.
func (s *spectralRules) quad(lambda float64) float64 {
	return s.rss0 + s.t.integral(func(x float64) float64 { return lambda / (x + lambda) })
}

// freedom is the trace of A (A + λ)⁻¹: the parameters in use.
func (s *spectralRules) freedom(lambda float64) float64 {
	return s.trace(func(x float64) float64 { return x / (x + lambda) })
}

func (s *spectralRules) reml(lambda float64) float64 {
	n := float64(s.values)
	det := s.trace(func(x float64) float64 { return math.Log1p(x / lambda) })
	return 0.5 * (n*math.Log(s.quad(lambda)/n) + det)
}

func (s *spectralRules) gcv(lambda float64) float64 {
	n := float64(s.outputs)
	square := func(x float64) float64 { return lambda * lambda / ((x + lambda) * (x + lambda)) }
	all := s.trace(func(float64) float64 { return 1 })
	free := float64(s.values) - all + s.trace(func(x float64) float64 { return lambda / (x + lambda) })
	return n * (s.rss0 + s.t.integral(square)) / (free * free)
}

// top is the largest eigenvalue that was seen.
func (s *spectralRules) top() float64 { return max(0, slices.Max(s.t.nodes)) }

var errNothing = errors.New("lambda \"auto\": the inputs are zero, so nothing can be chosen; give a number")

// decades is the length of the search for λ.
func (s *spectralRules) decades() float64 {
	if s.data <= maxDirect {
		return pathDecades
	}
	return lambdaDecades
}

// least finds the λ that a criterion likes best.
func (s *spectralRules) least(by Criterion) (float64, error) {
	top := s.top()
	if !(top > 0) {
		return 0, errNothing
	}
	value := s.reml
	if by == GCV {
		value = s.gcv
	}
	decades := s.decades()
	best, at := math.Inf(1), 0.0
	for i := range int(decades*lambdaPerTen) + 1 {
		lambda := 10 * top * math.Pow(10, -float64(i)/lambdaPerTen)
		if v := value(lambda); v < best {
			best, at = v, lambda
		}
	}
	// The minimum of the parabola through three neighbours, in log λ.
	step := math.Pow(10, 1./lambdaPerTen)
	if lo, hi := value(at/step), value(at*step); lo > best && hi > best {
		at *= math.Pow(step, (lo-hi)/(2*(lo-2*best+hi)))
	}
	return at, nil
}
