package posterior

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// lanczosSteps finds the largest eigenvalue of n data to a quarter, but with a probability of
// 1.7 n^½ exp(-(2 steps - 1)/2): 10⁻¹¹ of 10⁵ (Kuczyński and Woźniakowski, 1992, theorem 4.2: to
// ε with 1.7 n^½ exp(-(2 steps - 1) ε^½)). Twice as many find it to a sixteenth.
const lanczosSteps = 32

// leastLeft is what is left of a random vector where nothing is but rounding, in units of noise.
const leastLeft = 1e-9

// lanczos is what so many steps of Lanczos' method find of the eigenvalues of an operator from a vector v, each vector kept
// orthogonal to all before; nil where there is nothing of it but rounding.
func lanczos(ctx context.Context, v []float64, steps int, operator func(v []float64) ([]float64, error)) ([]float64, error) {
	t := mat.NewSymDense(steps, nil)
	var basis [][]float64
	for k := range steps {
		size := floats.Norm(v, 2)
		if !(size > leastLeft) { // all there is
			break
		}
		if k > 0 {
			t.SetSym(k-1, k, size)
		}
		floats.Scale(1/size, v)
		basis = append(basis, v)
		next, err := operator(v)
		if err != nil {
			return nil, err
		}
		t.SetSym(k, k, floats.Dot(next, v))
		for range 2 { // once is not enough for rounding
			for _, b := range basis {
				floats.AddScaled(next, -floats.Dot(next, b), b)
			}
		}
		v = next
	}
	if len(basis) == 0 {
		return nil, nil
	}
	return linop.Eigenvalues(ctx, t.SliceSym(0, len(basis)))
}
