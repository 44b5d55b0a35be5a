package fit_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// errors forms N: the covariance of the errors of a pair, scaled by its quadrature to a mean
// diagonal of one, over the roots of the weights of each value.
func (d *definition) errors(s fit.Spec) {
	e, n := s.Data.Errors, len(d.observed)
	d.noise = mat.NewSymDense(n, nil)
	if e == nil {
		e = &dataset.Errors{}
	}
	dy, mean, count := d.y.Weights(), 0.0, 0.0
	for k, w := range dy {
		if e.Covariance != nil && w > 0 {
			mean, count = mean+w*e.Covariance.At(k, k), count+1
		}
	}
	weight := func(o observation) float64 {
		w := 1.0
		if e.Pairs != nil {
			w *= e.Pairs[o.sample]
		}
		if e.Points != nil {
			w *= e.Points[o.at]
		}
		if e.Values != nil {
			w *= e.Values.At(o.sample, o.at)
		}
		return w
	}
	for i, a := range d.observed {
		for j, b := range d.observed[:i+1] {
			v := 0.0
			switch {
			case e.Covariance != nil && a.sample == b.sample:
				v = math.Sqrt(dy[a.at]*dy[b.at]) * e.Covariance.At(a.at, b.at) * count / mean
			case i == j:
				v = 1
			}
			d.noise.SetSym(i, j, v/math.Sqrt(weight(a)*weight(b)))
		}
	}
}

// whitenedSquares is eᵀ N⁻¹ e for errors of some of what was observed.
func (d *definition) whitenedSquares(of []int, e []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	n := mat.NewDense(len(of), len(of), nil)
	for i, a := range of {
		for j, b := range of {
			n.Set(i, j, d.noise.At(a, b))
		}
	}
	var z mat.VecDense
	if err := z.SolveVec(n, mat.NewVecDense(len(e), e)); err != nil {
		panic(err)
	}
	return mat.Dot(&z, mat.NewVecDense(len(e), e))
}

// withErrors gives the data of a problem errors of a sort.
func (p *randomProblem) withErrors(t *testing.T, sort string) {
	d := p.spec.Data
	n, my := d.N(), p.y.Size()
	weights := func(count int) []float64 {
		w := make([]float64, count)
		for i := range w {
			w[i] = p.between(.2, 5)
		}
		return w
	}
	e := &dataset.Errors{}
	switch sort {
	case "pairs":
		e.Pairs = weights(n)
	case "points":
		e.Points = weights(my)
	case "values":
		e.Values = &array.Array{Shape: []int{n, my}, Data: weights(n * my)}
	case "covariance":
		e.Pairs, e.Covariance = weights(n), mat.NewSymDense(my, nil)
		sd := weights(my)
		for i := range my {
			for j := range i + 1 {
				e.Covariance.SetSym(i, j, sd[i]*sd[j]*math.Pow(.7, float64(i-j)))
			}
		}
	}
	p.spec.Data = testmain.Must(d.WithErrors(e))(t)
}

// Errors that are not white combine with all else: with constraints and missing outputs, each
// question is answered as by the definition.
func TestErrorsByDefinition(t *testing.T) {
	questions := combinations()[:11] // structures of the kernel know nothing of errors
	cell := 0
	for _, c := range []string{"none", "separate", "mask", "mixing", "lag", "off-grid"} {
		for _, sort := range []string{"pairs", "points", "values", "covariance"} {
			for _, missing := range []string{"none", "all"} {
				for _, q := range questions {
					if cell++; cell%testmain.Stride(7) != 0 || q.name == "gcv" { // its value is compared in the others, its least one may be at no noise
						continue
					}
					t.Run(fmt.Sprintf("%s, %s, %s missing, %s", c, sort, missing, q.name), func(t *testing.T) {
						p := combination(c, missing)
						p.withErrors(t, sort)
						q.ask(t, p)
					})
				}
			}
		}
	}
}
