package families

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

const (
	kinkProbability = 0.5  // beforehand
	firstAlong      = 14   // the step of the least lengthscale along the diagonal
	leastRatio      = -5   // decades of the kink's share of the variance over that of the base
	ratios          = 9    // of these, a decade apart
	mostSignal      = 10   // decades of the base's share over that of noise
	leastSignal     = -5   // likewise
	kinkRounding    = 1e-4 // of a jump's largest eigenvalue: less is left out
	kinkSeen        = 1e-6 // of the largest square of what the data see of a jump: less is left out
	tooUnlikely     = 12.0 // nats below the most likely kink so far, from where no other λ is looked at
)

// bentSearch is kinks of all weights at some λ. Where it begins and what it holds λ against is what it found before.
type bentSearch struct {
	*search
	at   int     // decades of the signal where the last kink was most likely
	best float64 // the greatest logarithm so far
}

// plausibleKinks are kernels with a kink: the shares of the base, of the kink and of the noise in the variance of the
// data have Dirichlet's distribution with ½ for each. The grid is coarser than that of kernels without one, for there are more. Cost:
// an eigenproblem of a jump's rank, at most the number of data, for some λ of each of some hundred.
func (q *search) plausibleKinks(ctx context.Context, oneSided bool) (all []plausible, err error) {
	if q.x.mesh.Dim() != 1 || q.y.mesh.Dim() != 1 {
		return nil, nil
	}
	var jumps []jump
	for step := firstAlong; step <= lastStep; step += coarse {
		for _, power := range powers() {
			jumps = append(jumps, jump{power: power, step: step})
		}
		for _, power := range onePowers() {
			if oneSided {
				jumps = append(jumps, jump{power: power, step: step, oneSided: true})
			}
		}
	}
	by := bentSearch{search: q, at: 3, best: math.Inf(-1)}
	for _, j := range jumps {
		z, err := newRamps(ctx, q, j, kinkRounding)
		if err == nil {
			err = z.compress(ctx, kinkSeen)
		}
		if err != nil {
			return nil, err
		}
		for _, family := range []smoothness{fiveHalves, infinite} {
			for x := firstStep; x <= lastStep; x += coarse {
				for y := firstStep; y <= lastStep; y += coarse {
					own, err := by.weights(ctx, kinked{candidate: candidate{family: family, steps: q.moveOne([]int{x, y}, 2, 0)}, jump: j}, z)
					if err != nil {
						return nil, err
					}
					all = append(all, own...)
				}
			}
		}
	}
	return all, nil
}

// weights are the kernels of a kink of each weight, where it has a likelihood.
func (q *bentSearch) weights(ctx context.Context, k kinked, z *ramps) (all []plausible, err error) {
	p, err := q.product(ctx, k.candidate)
	if err != nil {
		return nil, err
	}
	mean := floats.Sum(p.d) / float64(len(p.d))
	if !(mean > 0) || math.IsInf(mean, 0) || math.IsInf(z.unit, 0) { // nothing depends on G, or on what is off the diagonal
		return nil, nil
	}
	b, err := newBent(ctx, p, z)
	if err != nil {
		return nil, err
	}
	of, err := q.climb(ctx, b, mean)
	if err != nil {
		return nil, err
	}
	for i := range ratios {
		w := mean * math.Pow(10, float64(leastRatio+i))
		k.weight = w * z.unit
		own := plausible{Choice: Choice{Kernel: q.kinkKernel(k), kink: true, oneSided: k.oneSided}}
		own.moments = func(ctx context.Context, lambdas []float64) (all []moments, err error) {
			b, err := newBent(ctx, p, z)
			for k := 0; k < len(lambdas) && err == nil; k++ {
				var m moments
				m, err = b.moments(ctx, lambdas[k], w, z)
				all = append(all, m)
			}
			return all, err
		}
		for log := mostSignal; log >= leastSignal; log-- {
			if l, ok := of[log]; ok {
				own.lambdas, own.logs = append(own.lambdas, mean/math.Pow(10, float64(log))), append(own.logs, l[i])
			}
		}
		if likely(own.logs) {
			own.REML = -floats.LogSumExp(own.logs)
			all = append(all, own)
		}
	}
	return all, nil
}

// climb finds the likelihood of all weights by decades of the signal: on either side of where a kink was most likely before and from the
// most of them, while it grows or is not too unlikely.
func (q *bentSearch) climb(ctx context.Context, b *bent, mean float64) (map[int][]float64, error) {
	of, own := map[int][]float64{}, math.Inf(-1)
	value := func(log int) (float64, error) {
		if _, ok := of[log]; !ok {
			signal := math.Pow(10, float64(log))
			s, err := b.spectrum(ctx, mean/signal)
			if err != nil {
				return 0, err
			}
			of[log] = make([]float64, ratios)
			for i := range ratios {
				w := math.Pow(10, float64(leastRatio+i))
				of[log][i] = math.Log(signal) + math.Log(w)/2 - 1.5*math.Log1p(signal*(1+w)) - s.reml(mean*w)
			}
		}
		here := floats.Max(of[log])
		if here > own {
			own = here
			q.at = log
		}
		q.best = max(q.best, here)
		return here, nil
	}
	start := q.at
	for _, from := range []int{start, mostSignal} {
		for _, by := range []int{1, -1} {
			last := math.Inf(-1)
			for log := from; log <= mostSignal && log >= leastSignal; log += by {
				here, err := value(log)
				if err != nil {
					return nil, err
				}
				if here < last && here < q.best-tooUnlikely {
					break
				}
				last = here
			}
		}
	}
	return of, nil
}

// spectral is what the likelihood at a λ for every weight is made of: s_i, u_iᵀ T̃, as of [along], and the rest of ⟨T̃, T̃⟩.
type spectral struct {
	lambda, left, logDet, values float64
	s, seen                      []float64
}

func (b *bent) spectrum(ctx context.Context, lambda float64) (*spectral, error) {
	rank, n := b.z.Dims()
	out := &spectral{lambda: lambda, values: float64(n)}
	t, root := make([]float64, n), make([]float64, n)
	for i, d := range b.d {
		h := 1 + d/lambda
		out.logDet += math.Log(h)
		root[i] = 1 / math.Sqrt(h)
		t[i] = b.t[i] * root[i]
	}
	scaled := mat.NewDense(rank, n, nil)
	for i := range rank {
		floats.MulTo(scaled.RawRowView(i), b.z.RawRowView(i), root)
	}
	values, vectors, err := linop.Eigen(ctx, linop.Product(ctx, scaled, scaled.T()))
	if err != nil {
		return nil, err
	}
	var along, seen mat.VecDense
	along.MulVec(scaled, mat.NewVecDense(n, t))
	seen.MulVec(vectors.T(), &along)
	rest := mat.NewVecDense(rank, nil)
	for i, s := range values {
		if s > negligible*values[rank-1] {
			out.s, out.seen = append(out.s, s), append(out.seen, seen.AtVec(i)/math.Sqrt(s))
			rest.AddScaledVec(rest, seen.AtVec(i)/s, vectors.ColView(i))
		}
	}
	var off mat.VecDense
	off.MulVec(scaled.T(), rest)
	floats.Sub(t, off.RawVector().Data)
	out.left = floats.Dot(t, t)
	return out, linop.Stopped(ctx)
}

// reml is the criterion for a weight, up to a constant.
func (s *spectral) reml(w float64) float64 {
	c := w / s.lambda
	quad, logDet := s.left, s.logDet
	for i, v := range s.s {
		quad += s.seen[i] * s.seen[i] / (1 + c*v)
		logDet += math.Log1p(c * v)
	}
	if !(quad > 0) {
		return math.Inf(1)
	}
	return s.values/2*math.Log(quad/s.values) + logDet/2
}
