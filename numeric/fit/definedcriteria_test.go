package fit_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// values is how many values, or contrasts of them, there are.
func (d *definition) values() float64 {
	if d.flat != nil {
		return float64(len(d.observed) - 1)
	}
	return float64(len(d.observed))
}

// reml is the restricted likelihood at λ, up to a constant: of the contrasts, with a
// free constant.
func (d *definition) reml() float64 {
	n, det := d.values(), d.factors.LogDet()
	if d.flat != nil {
		length := 0.0
		for _, o := range d.observed {
			length += o.root * o.root
		}
		det += math.Log(d.size / length)
	}
	return 0.5 * (n*math.Log(d.objective/n) + det)
}

// gcv is the criterion of generalised cross-validation.
func (d *definition) gcv() float64 {
	d.invert()
	trace := 0.0
	for i := range d.observed {
		for j := range d.observed {
			trace += d.noise.At(i, j) * d.inverse.At(i, j)
		}
	}
	return float64(len(d.observed)) * d.misfit / (trace * trace)
}

// loo is the mean squared error of every pair predicted from the others: the misfit of
// a pair multiplied by the inverse of its block of (C + I)⁻¹.
func (d *definition) loo(t *testing.T) float64 {
	t.Helper()
	d.invert()
	sum := 0.0
	for i := range d.weighted {
		var of []int
		for a, o := range d.observed {
			if o.sample == i {
				of = append(of, a)
			}
		}
		if len(of) == 0 {
			continue
		}
		block, z := mat.NewDense(len(of), len(of), nil), mat.NewVecDense(len(of), nil)
		for r, a := range of {
			z.SetVec(r, d.z[a])
			for c, b := range of {
				block.Set(r, c, d.inverse.At(a, b))
			}
		}
		var e mat.VecDense
		if err := e.SolveVec(block, z); err != nil {
			t.Log(err)
		}
		sum += d.whitenedSquares(of, e.RawVector().Data)
	}
	return sum / float64(len(d.observed))
}

func (d *definition) invert() {
	if d.inverse == nil {
		d.inverse = new(mat.SymDense)
		_ = d.factors.InverseTo(d.inverse)
		if d.flat != nil {
			d.inverse.SymRankOne(d.inverse, -1/d.size, mat.NewVecDense(len(d.flat), d.flat))
		}
	}
}
