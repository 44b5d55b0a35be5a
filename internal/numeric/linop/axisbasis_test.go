package linop

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestAxisBasisAgainstDefinition: products along the axes, some rows at a time, against the matrix of all axes, forward
// and back; one processor and several give the same bits.
func TestAxisBasisAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		rows  int
		sizes []int
	}{{3, []int{4}}, {1, []int{1, 1}}, {2500, []int{5, 6}}, {500, []int{2, 40}}, {900, []int{40, 2}}, {700, []int{3, 4, 5}}} {
		var v AxisBasis
		whole := mat.NewDense(1, 1, []float64{1})
		for _, n := range c.sizes {
			m := mat.NewDense(n, n, nil)
			m.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, m)
			v = append(v, m)
			var next mat.Dense
			next.Kronecker(whole, m)
			whole = &next
		}
		my, _ := whole.Dims()
		data := mat.NewDense(c.rows, my, nil)
		data.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, data)
		for name, turn := range map[string]struct {
			do func([]float64)
			by mat.Matrix
		}{
			"forward":  {func(x []float64) { v.Forward(t.Context(), x) }, whole},
			"backward": {func(x []float64) { v.Backward(t.Context(), x) }, whole.T()},
		} {
			var want mat.Dense
			want.Mul(data, turn.by)
			var got [2][]float64
			for i := range got {
				before := runtime.GOMAXPROCS(1 + 3*i)
				got[i] = slices.Clone(data.RawMatrix().Data)
				turn.do(got[i])
				runtime.GOMAXPROCS(before)
			}
			if !slices.Equal(got[0], got[1]) {
				t.Errorf("%+v %s: several processors give other bits than one", c, name)
			}
			scale := mat.Max(&want)
			for i, w := range want.RawMatrix().Data {
				if !(math.Abs(got[0][i]-w) <= 1e-13*scale) {
					t.Fatalf("%+v %s: number %d is %g, must be %g", c, name, i, got[0][i], w)
				}
			}
		}
	}
}
