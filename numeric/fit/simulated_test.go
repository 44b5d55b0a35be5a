package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Simulated outputs are what the truth makes of the inputs, with noise that scatters as the model says: of variance τ² n
// over the weight of the point, that of the pair, and of the value; what the data miss is missing.
func TestSimulatedNoiseIsThatOfTheModel(t *testing.T) {
	const n, tau2, draws = 3, .25, 4000
	ctx := context.Background()
	x, y := mesh.Must(mesh.Uniform(0, 1, 3, "x")), mesh.Must(mesh.Trapezoid([]float64{0, 1, 3}, "y"))
	in := array.FromMatrix(mat.NewDense(n, 3, []float64{1, 2, 3, 0, 1, 0, -1, 1, 2}))
	out := array.FromMatrix(mat.NewDense(n, 3, []float64{1, 1, math.NaN(), 1, 1, 1, 1, 1, 1}))
	white := testmain.Must(dataset.New(dataset.Spec{Input: in, Output: out, InputMesh: x, OutputMesh: y, Missing: true}))(t)
	g, beta := mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}), []float64{.5, 0, -2}
	pairs, points := []float64{1, 4, .25}, []float64{1, 9, 4}
	for name, e := range map[string]*dataset.Errors{"white": nil, "of pairs": {Pairs: pairs}, "of points": {Points: points}, "of both": {Pairs: pairs, Points: points}} {
		s := Spec{Data: white}
		if e != nil {
			s.Data = testmain.Must(white.WithErrors(e))(t)
		}
		sum, squares := make([]float64, 9), make([]float64, 9)
		rng := rand.New(rand.NewPCG(1, 2))
		for range draws {
			u := testmain.Must(s.simulate(ctx, tau2, g, beta, rng))(t)
			for i, v := range u.Data {
				sum[i], squares[i] = sum[i]+v/draws, squares[i]+v*v/draws
			}
		}
		for i := range n {
			for k, w := range y.Weights() {
				mean := beta[k]
				for j, dx := range x.Weights() {
					mean += dx * in.Data[3*i+j] * g.At(j, k)
				}
				variance := tau2 * n / w
				if e != nil && e.Pairs != nil {
					variance /= pairs[i]
				}
				if e != nil && e.Points != nil {
					variance /= points[k]
				}
				at := 3*i + k
				if math.IsNaN(out.Data[at]) {
					if !math.IsNaN(sum[at]) {
						t.Errorf("%s: value %d is missing, and is simulated", name, at+1)
					}
					continue
				}
				got := squares[at] - sum[at]*sum[at]
				if !(math.Abs(sum[at]-mean) <= 5*math.Sqrt(variance/draws)) || !(math.Abs(got/variance-1) <= 5*math.Sqrt(2./draws)) {
					t.Errorf("%s: value %d scatters about %g with variance %g, must about %g with %g", name, at+1, sum[at], got, mean, variance)
				}
			}
		}
	}
}
