package noise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
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
			if !(math.Abs(got.At(i, j)-want) <= 1e-13*want) {
				t.Errorf("entry %d, %d is %g, want %g", i, j, got.At(i, j), want)
			}
		}
	}
	right, err := y.Right() // whose first point has no weight, and is seen by nobody
	if err != nil {
		t.Fatal(err)
	}
	if got, err = c.covariance(t.Context(), right); err != nil || !(math.Abs(got.At(0, 0)-1-3/(1./4)) <= 1e-12) {
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
		if got, want := of(share)-apart, direct(share); !(math.Abs(got-want) <= 1e-10) {
			t.Errorf("share %g: %g, want %g", share, got, want)
		}
	}
}

// From a lengthscale and a share that are far off, either way, they are moved to where those that made the
// noise are no likelier; what gains too little where it begins is left there.
func TestCurvesAreMovedToTheLikeliest(t *testing.T) {
	const n, points = 14, 9
	y := mesh.Must(mesh.Uniform(0, 1, points, "y"))
	open := curves{open: kernel.Exponential{Lengthscale: kernel.Auto}}
	truth := open.with(y, .4, 10)
	covariance, err := truth.covariance(t.Context(), y)
	if err != nil {
		t.Fatal(err)
	}
	var ch mat.Cholesky
	if !ch.Factorize(covariance) {
		t.Fatal("no covariance")
	}
	var root mat.TriDense
	ch.LTo(&root)
	rng := rand.New(rand.NewPCG(8, 1))
	f, u := array.New(n, points), array.New(n, points)
	for i := range n {
		var own mat.VecDense
		z := mat.NewVecDense(points, nil)
		for k := range points {
			f.Data[i*points+k] = rng.NormFloat64()
			z.SetVec(k, .02*rng.NormFloat64())
		}
		own.MulVec(&root, z)
		for k := range points {
			u.Data[i*points+k] = own.AtVec(k) + .3*f.Data[i*points]*float64(k)/points
		}
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: y, OutputMesh: y})
	if err != nil {
		t.Fatal(err)
	}
	l := kernel.Lengthscale{.5}
	white, err := (&noisy{spec: fit.Spec{Data: d, Kernel: kernel.Tensor{Input: kernel.SE{Lengthscale: l}, Output: kernel.SE{Lengthscale: l}}}}).at(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, bias := range []kernel.Kernel{nil, kernel.SE{Lengthscale: l}, kernel.SE{Lengthscale: kernel.Auto}} {
		s := white.spec
		s.Bias = bias
		e, err := fit.Fit(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		f, err := begin(t.Context(), s, e)
		if err != nil {
			t.Fatal(err)
		}
		if got, auto := f.spec.Bias, bias != nil && kernels.IsAuto(bias); !auto && fmt.Sprint(got) != fmt.Sprint(bias) || auto && (kernels.IsAuto(got) || got.String() != e.BiasKernel.String()) {
			t.Errorf("the kernel of the bias %v is %v beside noise", bias, got)
		}
	}
	made, _, err := truth.refine(t.Context(), white, math.Inf(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []curves{open.with(y, 1.6, 10), open.with(y, .15, 1)} {
		begun, at, err := c.refine(t.Context(), white, math.Inf(1))
		if err != nil || at.length != c.length || at.share != c.share {
			t.Errorf("moved from length %g, share %g to %g, %g (%v)", c.length, c.share, at.length, at.share, err)
		}
		best, at, err := c.refine(t.Context(), white, -100)
		if err != nil {
			t.Fatal(err)
		}
		if !(best.reml < begun.reml-1) {
			t.Errorf("from length %g, share %g to %g, %g: no likelier", c.length, c.share, at.length, at.share)
		}
		if !(best.reml <= made.reml+.05) {
			t.Errorf("from length %g, share %g to %g, %g: %.3g nats less likely than what is true", c.length, c.share, at.length, at.share, best.reml-made.reml)
		}
	}
	// Of several kernels the likeliest is taken, in whichever order.
	several := []kernel.Kernel{open.open, kernel.Matern{Nu: .7, Lengthscale: kernel.Auto}}
	var alone []float64
	for _, k := range several {
		one, err := wavy(t.Context(), white, math.Inf(1), k)
		if err != nil {
			t.Fatal(err)
		}
		alone = append(alone, one.reml)
	}
	for range several {
		if best, err := wavy(t.Context(), white, math.Inf(1), several...); err != nil || best.reml != slices.Min(alone) || alone[0] == alone[1] {
			t.Errorf("of kernels with %v it is that with %v, %v", alone, best.reml, err)
		}
		slices.Reverse(several)
	}
	start, value, err := open.likeliest(t.Context(), white)
	if err != nil {
		t.Fatal(err)
	}
	large := curves{open: kernel.Scaled{Factor: 1e6, Kernel: open.open}}
	if other, same, err := large.likeliest(t.Context(), white); err != nil || other.share != start.share || other.length != start.length || !(math.Abs(same-value) <= 1e-6) {
		t.Errorf("of a larger kernel: length %g, share %g, %g, want %g, %g, %g (%v)", other.length, other.share, same, start.length, start.share, value, err)
	}
	least, length := math.Inf(1), 0.0
	for _, l := range firstLengths() { // each as a kernel that is given
		l = max(l, spacing(y))
		own, of, err := curves{open: open.with(y, l, 1).kernel}.likeliest(t.Context(), white)
		if err != nil || own.length > spacing(y) {
			t.Errorf("a kernel that is given has length %g, %v", own.length, err)
		}
		if of < least {
			least, length = of, l
		}
	}
	if !(math.Abs(least-value) <= 1e-9*math.Abs(value)) || start.length != length {
		t.Errorf("length %g of value %g, the best of those that are given is %g, %g", start.length, value, length, least)
	}
	moved, _, err := start.refine(t.Context(), white, math.Inf(-1))
	if err != nil {
		t.Fatal(err)
	}
	asked, err := Choice{Kind: Curves, Kernel: open.open}.best(t.Context(), white)
	if err != nil || asked.reml != moved.reml || asked.curves.share == start.share && asked.curves.length == start.length || asked.numbers != CurvesNumbers {
		t.Errorf("asked for curves: REML %g of %v, moved from %v to %g (%v)", asked.reml, asked.curves, start, moved.reml, err)
	}
}
