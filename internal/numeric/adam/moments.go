package adam

import "math"

// Moments are what Adam with amsgrad remembers of gradients.
type Moments struct {
	mean, square, most []float64 // moments, and the largest second moment so far
	steps              int
}

// NewMoments are those of n unknowns before the first step.
func NewMoments(n int) *Moments {
	return &Moments{mean: make([]float64, n), square: make([]float64, n), most: make([]float64, n)}
}

// Step changes weights by a step against the gradient, with the customary constants and a
// learning rate for each weight.
func (s *Moments) Step(weights, gradient, rates []float64) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	s.steps++
	c1, c2 := 1-math.Pow(beta1, float64(s.steps)), 1-math.Pow(beta2, float64(s.steps))
	for i, d := range gradient {
		s.mean[i] = beta1*s.mean[i] + (1-beta1)*d
		s.square[i] = beta2*s.square[i] + (1-beta2)*d*d
		s.most[i] = max(s.most[i], s.square[i])
		weights[i] -= rates[i] / c1 * s.mean[i] / (math.Sqrt(s.most[i]/c2) + epsilon)
	}
}
