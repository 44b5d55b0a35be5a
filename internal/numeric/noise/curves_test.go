package noise

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The covariance of a pair is that of white noise, one over the weights of the quadrature, and share times
// the kernel, whose diagonal is one in the mean in these units.
func TestCovarianceOfCurves(t *testing.T) {
	y := mesh.Must(mesh.Trapezoid([]float64{0, .2, .3, .7, 1}, "y"))
	w := y.Weights()
	c := curves{open: kernel.Exponential{Lengthscale: kernel.Auto}}.with(y, .4, 3)
	if got := c.kernel.String(); got != "exponential{lengthscale=0.4}" || c.length != .4 || c.part() != .75 {
		t.Errorf("%s of length %g, %g of the variance", got, c.length, c.part())
	}
	got, err := c.covariance(t.Context(), y)
	if err != nil {
		t.Fatal(err)
	}
	mean := 0.0
	for _, v := range w {
		mean += v / 5
	}
	at := y.Points()
	for i := range w {
		for j := range w {
			want := 3 / mean * math.Exp(-math.Abs(at[i]-at[j])/.4)
			if i == j {
				want += 1 / w[i]
			}
			if math.Abs(got.At(i, j)-want) > 1e-13*want {
				t.Errorf("entry %d, %d is %g, want %g", i, j, got.At(i, j), want)
			}
		}
	}
	right, err := y.Right() // whose first point has no weight, and is seen by nobody
	if err != nil {
		t.Fatal(err)
	}
	if got, err = c.covariance(t.Context(), right); err != nil || math.Abs(got.At(0, 0)-1-3/(1./4)) > 1e-12 {
		t.Errorf("the variance of what has no weight is %g, %v, want 13", got.At(0, 0), err)
	}
	if none := (curves{open: kernel.White{}}).with(y, .4, 1); none.length != 0 || none.kernel.String() != "white{}" {
		t.Errorf("of a kernel without a lengthscale: %s, length %g", none, none.length)
	}
	twice, err := curves{open: kernel.Scaled{Factor: 2, Kernel: kernel.Exponential{Lengthscale: kernel.Auto}}}.with(y, .4, 3).covariance(t.Context(), y)
	if once, err := c.covariance(t.Context(), y); err != nil || !mat.EqualApprox(twice, once, 1e-12) {
		t.Errorf("%v: the size of the kernel counts", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	long := (curves{open: kernel.Exponential{Lengthscale: kernel.Auto}}).with(mesh.Must(mesh.Uniform(-3, 7, 5, "y")), .4, 1)
	if got := long.String(); got != "exponential{lengthscale=4}" {
		t.Errorf("a fraction .4 of ten units: %s", got)
	}
}

// Minus the log likelihood is, up to a constant, that of the normal distribution by its definition,
// whose variance is the mean of the squares.
func TestUnlikelihoodIsByDefinition(t *testing.T) {
	const n, my = 4, 5
	rng := rand.New(rand.NewPCG(3, 3))
	x, k := mat.NewDense(n, my, nil), mat.NewDense(my, my, nil)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
	k.Apply(func(i, j int, _ float64) float64 { return math.Exp(-math.Abs(float64(i-j)) / 2) }, k)
	of, err := unlikelihood(t.Context(), x, k)
	if err != nil {
		t.Fatal(err)
	}
	direct := func(share float64) float64 {
		s := mat.NewSymDense(my, nil)
		for i := range my {
			for j := range my {
				s.SetSym(i, j, share*k.At(i, j))
			}
			s.SetSym(i, i, 1+share)
		}
		var c mat.Cholesky
		if !c.Factorize(s) {
			t.Fatal("not positive")
		}
		squares := 0.0
		for i := range n {
			var z mat.VecDense
			row := mat.NewVecDense(my, x.RawRowView(i))
			if err := c.SolveVecTo(&z, row); err != nil {
				t.Fatal(err)
			}
			squares += mat.Dot(row, &z)
		}
		variance := squares / (n * my)
		return (n*c.LogDet() + n*my*math.Log(variance) + squares/variance) / 2
	}
	apart := of(1) - direct(1)
	for _, share := range []float64{0, .1, 3, 100} {
		if got, want := of(share)-apart, direct(share); math.Abs(got-want) > 1e-10 {
			t.Errorf("share %g: %g, want %g", share, got, want)
		}
	}
}
