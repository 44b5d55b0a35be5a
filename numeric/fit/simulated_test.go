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

// Kernels are compared on all of what is small; of large meshes on every second point, or fewer, as few as are needed, and on
// so many pairs as have no more than 6,000 values, the first and the last among them.
func TestDataThatKernelsAreComparedOn(t *testing.T) {
	line := func(m int, name string) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, m, name)) }
	for _, c := range []struct{ n, mx, my, wantN, wantX, wantY int }{
		{5, 30, 20, 5, 30, 20},
		{5, 201, 199, 5, 201, 199}, // 39,999 pairs of points
		{5, 203, 201, 5, 102, 101},
		{90, 203, 201, 59, 102, 101},
		{3, 1201, 361, 3, 301, 91},
		{400, 21, 20, 300, 21, 20},
	} {
		in, out := array.New(c.n, c.mx), array.New(c.n, c.my)
		for i := range c.n {
			for j := range c.mx {
				in.Data[i*c.mx+j] = float64(i)
			}
			out.Data[i*c.my] = float64(i)
		}
		d := testmain.Must(dataset.New(dataset.Spec{Input: in, Output: out, InputMesh: line(c.mx, "x"), OutputMesh: line(c.my, "y")}))(t)
		small := testmain.Must((&Spec{Data: d}).fewer(context.Background()))(t).Data
		if got := [3]int{small.N(), small.InputMesh.Size(), small.OutputMesh.Size()}; got != [3]int{c.wantN, c.wantX, c.wantY} {
			t.Errorf("of %d pairs of %d × %d points %v are compared, want %d of %d × %d", c.n, c.mx, c.my, got, c.wantN, c.wantX, c.wantY)
		}
		last := small.N() - 1
		if first, end := small.Input.Data[0], small.Input.Data[last*small.InputMesh.Size()]; first != 0 || !(math.Abs(end-float64(c.n-1)) <= 1e-9) {
			t.Errorf("the pairs are those from %g to %g of %d", first+1, end+1, c.n)
		}
	}
}

// Singular functions are singular vectors over the roots of the weights; a point without weight has none, and gets zero.
func TestSingularFunctionsOverTheRootsOfWeights(t *testing.T) {
	u := mat.NewDense(4, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	want := mat.NewDense(2, 4, []float64{1, 2, 0, 40, 2, 2.5, 0, 44})
	if got := singular(u, 2, []float64{1, 2, 0, .25}); !mat.EqualApprox(got, want, 1e-14) {
		t.Errorf("%v, want %v", mat.Formatted(got), mat.Formatted(want))
	}
}
