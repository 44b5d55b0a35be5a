package noise

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// uncertain is how well numbers are known: the variances of their errors or, where these are correlated, the covariance.
type uncertain struct {
	variances  []float64
	covariance *mat.SymDense
}

// matrix is a new covariance.
func (v uncertain) matrix() *mat.SymDense {
	out := mat.NewSymDense(max(len(v.variances), 1), nil)
	if v.covariance != nil {
		out = mat.NewSymDense(v.covariance.SymmetricDim(), nil)
		out.CopySym(v.covariance)
	}
	for i, own := range v.variances {
		out.SetSym(i, i, own)
	}
	return out
}

// shrunk draws the logarithms z of estimated variances, known as v says, towards each
// other: z = m + s + t + errors, with s smooth along points that are apart by some distances,
// t independent from point to point, both Gaussian, and their sizes and the lengthscale of s
// those of greatest likelihood. It returns the means of m + s + t given z, and how many
// numbers these take. distance is nil where there is no smooth part.
func shrunk(ctx context.Context, z []float64, v uncertain, distance func(i, j int) float64) (means []float64, numbers float64, err error) {
	n := len(z)
	best := math.Inf(1)
	lengths := []float64{0}
	if distance != nil && n <= mostSmoothed {
		lengths = []float64{0, .03, .06, .12, .25, .5, 1}
	}
	for _, l := range lengths {
		smooth := []float64{0}
		var k *mat.Dense
		if l > 0 {
			smooth = []float64{.1, .3, 1, 3, 10}
			k = mat.NewDense(n, n, nil)
			k.Apply(func(i, j int, _ float64) float64 { return smoothly(distance(i, j) / l) }, k)
		}
		for _, s := range smooth {
			apart := []float64{0, .01, .03, .1, .3, 1, 3}
			if l > 0 {
				apart = []float64{0, .1, 1}
			}
			for _, t := range apart {
				own, used, value, err := posterior(ctx, z, v, k, s, t)
				if err != nil {
					return nil, 0, err
				}
				if value < best-1e-9 {
					best, means, numbers = value, own, used
				}
			}
		}
	}
	return means, numbers, nil
}

// smoothly is the correlation of the smooth part at a distance in lengthscales: Matérn's, of smoothness 3/2.
func smoothly(distance float64) float64 {
	r := math.Sqrt(3) * distance
	return (1 + r) * math.Exp(-r)
}

const mostSmoothed = 200 // points of the output

// posterior is the mean of the Gaussian model with the sizes s and t, the trace of what it is
// multiplied by, less one for the common mean, and minus the logarithm of the likelihood. k is nil where there is no smooth part.
func posterior(ctx context.Context, z []float64, v uncertain, k *mat.Dense, s, t float64) (means []float64, numbers, value float64, err error) {
	n := len(z)
	if k == nil && v.covariance == nil { // independent: no matrix is needed
		weights, sum, all := make([]float64, n), 0.0, 0.0
		for i := range z {
			weights[i] = 1 / (t + v.variances[i])
			sum += weights[i] * z[i]
			all += weights[i]
			value -= math.Log(weights[i]) / 2
		}
		m := sum / all
		value += math.Log(all) / 2
		for i := range z {
			value += weights[i] * (z[i] - m) * (z[i] - m) / 2
			means = append(means, m+t*weights[i]*(z[i]-m))
			numbers += t * weights[i] * (1 - weights[i]/all)
		}
		return means, numbers, value, nil
	}
	errors, h := v.matrix(), v.matrix()
	for i := range n {
		for j := range i + 1 {
			if k != nil {
				h.SetSym(i, j, h.At(i, j)+s*k.At(i, j))
			}
		}
		h.SetSym(i, i, h.At(i, i)+t)
	}
	c, err := linop.Cholesky(ctx, h)
	if err != nil {
		return nil, 0, 0, err
	}
	root, err := linop.InverseFactor(ctx, c)
	if err != nil {
		return nil, 0, 0, err
	}
	inverse := linop.Product(ctx, root.T(), root)
	one := make([]float64, n) // H⁻¹ 1
	for i := range n {
		for j := range n {
			one[i] += inverse.At(i, j)
		}
	}
	all := floats.Sum(one)
	m := floats.Dot(one, z) / all
	value = c.LogDet()/2 + math.Log(all)/2
	rest := make([]float64, n) // H⁻¹ (z - m)
	for i := range n {
		for j := range n {
			rest[i] += inverse.At(i, j) * (z[j] - m)
		}
		value += (z[i] - m) * rest[i] / 2
	}
	for i := range n { // what the errors are of the residual: v H⁻¹ (z - m)
		own, used := z[i], 1.0
		for j := range n {
			e := errors.At(i, j)
			own -= e * rest[j]
			used -= e * (inverse.At(i, j) - one[i]*one[j]/all)
		}
		means, numbers = append(means, own), numbers+used
	}
	return means, numbers - 1, value, nil
}

// logVariance is the logarithm of a variance estimated as a mean of squares with so many
// degrees of freedom, without its bias, and its own variance.
func logVariance(mean, freedom float64) (z, v float64) {
	h := max(freedom, 1) / 2
	return math.Log(max(mean, math.SmallestNonzeroFloat64)) - mathext.Digamma(h) + math.Log(h), mathext.Zeta(2, h)
}
