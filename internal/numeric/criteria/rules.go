package criteria

import (
	"context"
	"math"
	"slices"
)

// Rules are quadrature rules for the spectral measures of the operator A of a problem, taken at
// λ = 1 with a fixed ρ/λ. From them REML and GCV follow for every λ: with N outputs,
//
//	REML = ½ [N log(quad/N) + log det(I + A/λ)],  quad = rss0 + ⟨T, (I + A/λ)⁻¹ T⟩,
//
// from the spectral measure of A for T, and for vectors whose quadratic forms are traces and
// determinants: all eigenvectors, or random ones in the mean.
type Rules struct {
	RSS0    float64
	Outputs int
	Values  int // outputs, less one for a free constant
	T       Rule
	Probes  []Rule
	Ratio   float64 // ρ/λ
	Sampled bool    // the probes are random vectors
	Settled bool    // otherwise the errors of probes are not known
}

// Rule integrates functions over a spectral measure.
type Rule struct{ Nodes, Weights []float64 }

// Integral is that of f.
func (r Rule) Integral(f func(x float64) float64) float64 {
	sum := 0.0
	for i, x := range r.Nodes {
		sum += r.Weights[i] * f(max(x, 0))
	}
	return sum
}

// AllEigenvalues are the rules of all of them: squares are those of the components of T,
// count how many times each eigenvalue counts.
func (s *Rules) AllEigenvalues(values, squares, count []float64) {
	s.T = Rule{values, squares}
	if s.Values < s.Outputs { // the free constant is an eigenvector for zero, and none of the contrasts
		values, count = append(values, 0), append(count, -1)
	}
	s.Probes, s.Sampled, s.Settled = []Rule{{values, count}}, false, true
}

// Quad is the least value of the objective at λ.
func (s *Rules) Quad(lambda float64) float64 {
	return s.RSS0 + s.T.Integral(func(x float64) float64 { return lambda / (x + lambda) })
}

// EffectiveDF is the effective degrees of freedom, the trace of A (A + λ)⁻¹.
func (s *Rules) EffectiveDF(lambda float64) float64 {
	return s.trace(func(x float64) float64 { return x / (x + lambda) })
}

// trace is the mean of the probes' integrals.
func (s *Rules) trace(f func(x float64) float64) float64 {
	sum := 0.0
	for _, p := range s.Probes {
		sum += p.Integral(f)
	}
	return sum / float64(len(s.Probes))
}

func (s *Rules) reml(lambda float64) float64 {
	n := float64(s.Values)
	det := s.trace(func(x float64) float64 { return math.Log1p(x / lambda) })
	return 0.5 * (n*math.Log(s.Quad(lambda)/n) + det)
}

func (s *Rules) gcv(lambda float64) float64 {
	n := float64(s.Outputs)
	square := func(x float64) float64 { return lambda * lambda / ((x + lambda) * (x + lambda)) }
	all := s.trace(func(float64) float64 { return 1 })
	free := float64(s.Values) - all + s.trace(func(x float64) float64 { return lambda / (x + lambda) })
	return n * (s.RSS0 + s.T.Integral(square)) / (free * free)
}

// Top implements Curve: the largest eigenvalue that was seen.
func (s *Rules) Top() float64 { return max(0, slices.Max(s.T.Nodes)) }

// Reach implements Curve.
func (s *Rules) Reach(by Criterion) float64 {
	if by == LOO {
		return 0
	}
	return math.Inf(1)
}

// Value implements Curve. Of leaving out pairs, which it does not know, it gives GCV.
func (s *Rules) Value(_ context.Context, by Criterion, lambda float64) (float64, error) {
	if by == REML {
		return s.reml(lambda), nil
	}
	return s.gcv(lambda), nil
}

// Sheet implements Curve.
func (s *Rules) Sheet(_ context.Context, lambda float64) (Sheet, error) { return s.At(lambda), nil }

// At is the sheet at λ. REML and GCV are exact with all eigenvalues.
func (s *Rules) At(lambda float64) Sheet {
	out := Sheet{
		Lambda: lambda, Rho: s.Ratio * lambda, REML: s.reml(lambda), GCV: s.gcv(lambda), LOO: math.NaN(),
		EffectiveDF: s.EffectiveDF(lambda), RhoSlope: math.NaN(),
	}
	zz := s.T.Integral(func(x float64) float64 { return lambda * lambda / ((x + lambda) * (x + lambda)) })
	out.Slope = slope(float64(s.Values), s.Quad(lambda), s.RSS0, zz, out.EffectiveDF)
	out.ResidualDF = float64(s.Values) - out.EffectiveDF
	out.LogDet = s.trace(func(x float64) float64 { return math.Log1p(x / lambda) })
	if s.Sampled {
		out.REMLErr = 0.5 * s.traceError(func(x float64) float64 { return math.Log1p(x / lambda) })
		out.DFError = s.traceError(func(x float64) float64 { return x / (x + lambda) })
	}
	if !s.Settled { // the space is too small to say by how much
		out.REMLErr, out.DFError = math.Inf(1), math.Inf(1)
	}
	return out
}

// fewProbes is how many differ enough to say by how much.
const fewProbes = 4

// traceError is the standard error of a trace: by the differences of the probes, and where
// these are few at most that of ⟨z, f(A) z⟩ for random signs z, of variance 2 tr f(A)².
func (s *Rules) traceError(f func(x float64) float64) float64 {
	var v []float64
	for _, p := range s.Probes {
		v = append(v, p.Integral(f))
	}
	if len(v) >= fewProbes {
		return mean(v).err
	}
	square := s.trace(func(x float64) float64 { return f(x) * f(x) })
	return math.Sqrt(2 * square / float64(len(v)))
}
