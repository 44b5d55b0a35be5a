package families

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Mean and variance of G at points of X × of Y are those of normal numbers given the data, with the amplitude of greatest
// likelihood: by dense matrices here.
func TestMomentsOfAProduct(t *testing.T) {
	const lambda = .3
	p := &product{
		rows: &spectrum{loads: mat.NewDense(3, 2, []float64{.3, -.2, .1, .4, .2, .1})},
		cols: &spectrum{loads: mat.NewDense(2, 2, []float64{.5, .1, -.3, .6})},
		d:    []float64{2, .7, .4, .1},
		t:    []float64{1.5, -.4, .9, .2},
	}
	h, square := mat.NewDiagDense(4, nil), 0.0 // the covariance of the data, over that of G
	for i, d := range p.d {
		h.SetDiag(i, d+lambda)
		square += p.t[i] * p.t[i] / (d + lambda)
	}
	amplitude := square / 4 // per value
	var inverse mat.Dense
	if err := inverse.Inverse(h); err != nil {
		t.Fatal(err)
	}
	got := p.moments(lambda)
	for x := range 3 {
		for y := range 2 {
			c := mat.NewVecDense(4, nil)
			for a := range 2 {
				for b := range 2 {
					c.SetVec(2*a+b, p.rows.loads.At(x, a)*p.cols.loads.At(y, b))
				}
			}
			k := 2*x + y
			mean, variance := mat.Inner(c, &inverse, mat.NewVecDense(4, p.t)), amplitude*(1-mat.Inner(c, &inverse, c))
			if !(math.Abs(got.mean[k]-mean) <= 1e-14) || !(math.Abs(got.variance[k]-variance) <= 1e-14) {
				t.Errorf("point %d, %d: mean %g, variance %g; want %g, %g", x, y, got.mean[k], got.variance[k], mean, variance)
			}
		}
	}
}
