package families_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/greenbench/workbench/internal/numeric/families"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// pairs draws rough inputs and what an integral operator makes of them, with noise.
func pairs(n, mx, my int, noise float64, g func(x, y float64) float64) families.Data {
	return pairsOn(n, mesh.Must(mesh.Uniform(0, 1, mx, "x")), mesh.Must(mesh.Uniform(0, 1, my, "y")), noise, g)
}

// pairsOn are pairs on meshes.
func pairsOn(n int, x, y mesh.Mesh, noise float64, g func(x, y float64) float64) families.Data {
	mx, my := x.Size(), y.Size()
	r := rand.New(rand.NewPCG(3, uint64(n*mx*my)))
	d := families.Data{Input: mat.NewDense(n, mx, nil), Output: mat.NewDense(n, my, nil), X: x, Y: y}
	xs, ys, w := d.X.Columns()[0], d.Y.Columns()[0], d.X.Weights()
	for i := range n {
		v := 0.0
		for j := range mx {
			v = 0.7*v + r.NormFloat64()
			d.Input.Set(i, j, v)
		}
		for k, y := range ys {
			u := noise * r.NormFloat64()
			for j, x := range xs {
				u += w[j] * g(x, y) * d.Input.At(i, j)
			}
			d.Output.Set(i, k, u)
		}
	}
	return d
}

func poisson(x, y float64) float64 { return min(x, y) * (1 - max(x, y)) }

func dataOf(t *testing.T, d families.Data) *dataset.Dataset {
	t.Helper()
	in, out := array.FromMatrix(d.Input), array.FromMatrix(d.Output)
	set, err := dataset.New(dataset.Spec{Input: in, Output: out, InputMesh: d.X, OutputMesh: d.Y})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// The criteria of every family are those of the covariance of the data: REML, and the
// errors of predicting pairs from the others by the mean block of its inverse. On small data
// nothing is dropped; kinks lose some of their factor in rounding. REML is that of
// the fit, too. How likely a kernel is to be better than the first is by these errors, in the
// mean of the pairs and by how much they differ.
func TestCriteriaAreThoseOfTheCovariance(t *testing.T) {
	t.Run("kinks on both sides", func(t *testing.T) { criteriaAreThoseOfTheCovariance(t, pairs(14, 16, 12, 0.01, poisson), 2) })
	t.Run("kinks on one side, too", func(t *testing.T) {
		criteriaAreThoseOfTheCovariance(t, pairs(14, 16, 12, 0.05, causal), 3)
	})
}

func criteriaAreThoseOfTheCovariance(t *testing.T, d families.Data, want int) {
	t.Helper()
	all, err := families.Search(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	kinks := 0
	var first []float64
	for _, c := range all {
		if strings.Contains(c.Kernel.String(), "kink") {
			kinks++
		}
		reml, each := byCovariance(t, d, c)
		left := floats.Sum(each)
		if first == nil {
			first = each
		} else {
			floats.Sub(each, first)
			mean, sd := stat.MeanStdDev(each, nil)
			if want := distuv.UnitNormal.CDF(-mean / sd * math.Sqrt(14)); !(math.Abs(c.Share-want) <= 1e-3) {
				t.Errorf("%s: better with a probability of %.5f, by the covariance %.5f", c.Kernel, c.Share, want)
			}
		}
		loo := 84 * math.Log(left/168)
		if !(math.Abs(c.REML-reml) <= 0.1) || !(math.Abs(c.LOO-loo) <= 0.1) {
			t.Errorf("%s: REML %.3f and LOO %.3f, by the covariance %.3f and %.3f", c.Kernel, c.REML, c.LOO, reml, loo)
		}
		e, err := fit.Fit(t.Context(), fit.Spec{Data: dataOf(t, d), Kernel: c.Kernel, NoBias: true, Lambda: c.Lambda})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := c.REML, *e.Report.REML; !(math.Abs(got-want) <= 0.1) {
			t.Errorf("%s: REML %.3f, that of the fit is %.3f", c.Kernel, got, want)
		}
	}
	if kinks != want || len(all) < want+3 {
		t.Errorf("%d kernels, %d with a kink: must be %d with", len(all), kinks, want)
	}
}

// More pairs than there are directions of the inputs: what the outputs have in no direction
// counts for the pairs that are left out.
func TestLeftOutPairsAreAllPairs(t *testing.T) {
	d := pairs(90, 7, 6, 0.01, poisson)
	all, err := families.Search(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		_, each := byCovariance(t, d, c)
		if want := 21 * math.Log(floats.Sum(each)/42); !(math.Abs(c.LOO-want) <= 0.01) {
			t.Errorf("%s: LOO %.3f, by the covariance %.3f", c.Kernel, c.LOO, want)
		}
	}
}

// byCovariance is REML and the squared errors of left-out pairs of a choice from the matrix H, (n my)².
func byCovariance(t *testing.T, d families.Data, c families.Choice) (reml float64, left []float64) {
	t.Helper()
	n, mx := d.Input.Dims()
	_, my := d.Output.Dims()
	x, y := d.X.Columns()[0], d.Y.Columns()[0]
	dx, dy := d.X.Weights(), d.Y.Weights()
	k, err := kernels.Compile(c.Kernel, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	h, u := mat.NewDense(n*my, n*my, nil), mat.NewVecDense(n*my, nil)
	a := mat.NewDense(n, mx, nil)
	a.Apply(func(i, j int, v float64) float64 { return v * dx[j] / math.Sqrt(float64(n)) }, d.Input)
	for p := range my {
		for q := range my {
			g := mat.NewDense(mx, mx, nil)
			g.Apply(func(i, j int, _ float64) float64 { return k.At([]float64{x[i], y[p]}, []float64{x[j], y[q]}) }, g)
			var half, form mat.Dense
			half.Mul(a, g)
			form.Mul(&half, a.T())
			for i := range n {
				for j := range n {
					h.Set(i*my+p, j*my+q, math.Sqrt(dy[p]*dy[q])*form.At(i, j)/c.Lambda)
				}
			}
		}
		for i := range n {
			u.SetVec(i*my+p, d.Output.At(i, p)*math.Sqrt(dy[p]/float64(n)))
		}
	}
	for i := range n * my {
		h.Set(i, i, h.At(i, i)+1)
	}
	var r, block mat.Dense
	if err := r.Inverse(h); err != nil {
		t.Fatal(err)
	}
	logDet, _ := mat.LogDet(h)
	var z mat.VecDense
	z.MulVec(&r, u)
	size := float64(n * my)
	block.CloneFrom(r.Slice(0, my, 0, my))
	for i := 1; i < n; i++ {
		block.Add(&block, r.Slice(i*my, (i+1)*my, i*my, (i+1)*my))
	}
	block.Scale(1/float64(n), &block)
	var e mat.Dense
	if err := e.Solve(&block, mat.NewDense(n, my, z.RawVector().Data).T()); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		left = append(left, mat.Dot(e.ColView(i), e.ColView(i)))
	}
	return (size*math.Log(mat.Dot(u, &z)/size) + logDet) / 2, left
}

// A kink is chosen where there is one and not where there is none.
func TestKinksAreFound(t *testing.T) {
	for _, c := range []struct {
		name string
		g    func(x, y float64) float64
		kink bool
	}{{"poisson", poisson, true}, {"smooth", func(x, y float64) float64 { return math.Sin(3*x+1) * math.Cos(2*y) }, false}} {
		all, err := families.Search(t.Context(), pairs(20, 24, 24, 0.01, c.g))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(all[0].Kernel.String(), "kink"); got != c.kink {
			t.Errorf("%s: %s", c.name, all[0].Kernel)
		}
	}
}

// Responses in time begin at the instant of the input, at once or slowly: a kink on one side is
// chosen for these and for none that is on both. The same in the other units of time, and where
// the output is seen later only.
func TestResponsesInTimeAreFound(t *testing.T) {
	after := func(g func(t float64) float64) func(x, y float64) float64 {
		return func(x, y float64) float64 {
			if y < x {
				return 0
			}
			return g(y - x)
		}
	}
	first := after(func(t float64) float64 { return math.Exp(-2 * t) })
	second := after(func(t float64) float64 { return math.Exp(-t) * math.Sin(8*t) })
	for _, c := range []struct {
		name  string
		g     func(x, y float64) float64
		unit  float64
		power float64 // -1: not on one side
	}{{"first order", first, 1, 0}, {"second order, in other units", second, 1e9, 1}, {"both sides", poisson, 1, -1}} {
		d := pairs(14, 16, 16, 0.02, c.g)
		d.X, d.Y = mesh.Must(mesh.Uniform(0, c.unit, 16, "x")), mesh.Must(mesh.Uniform(0, c.unit, 16, "y"))
		all, err := families.Search(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		k, _ := all[0].Kernel.(kernel.Kink)
		if k.OneSided != (c.power >= 0) || k.OneSided && k.Power != c.power {
			t.Errorf("%s: %s", c.name, all[0].Kernel)
		}
	}
}

// Where no output is before an input, or none after, there is no diagonal for a kink on one side.
func TestNothingCrossesTheDiagonal(t *testing.T) {
	for _, from := range []float64{-2, 2} {
		d := pairs(8, 10, 8, 0.01, func(x, y float64) float64 { return math.Exp(-math.Abs(x + from - y)) })
		d.X = mesh.Must(mesh.Uniform(from, from+1, 10, "x"))
		all, err := families.Search(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			if k, ok := c.Kernel.(kernel.Kink); ok && k.OneSided || math.IsNaN(c.LOO) {
				t.Errorf("inputs from %g: %s with %g", from, c.Kernel, c.LOO)
			}
		}
	}
}

// The units of inputs, outputs and axes are of no consequence but for lengthscales and the
// weight of a kink.
func TestUnitsAreOfNoConsequence(t *testing.T) {
	var want string
	for _, unit := range []float64{1, 1e-9, 1e9} {
		d := pairs(14, 16, 12, 0.01, func(x, y float64) float64 { return math.Exp(-20 * (x - y) * (x - y)) })
		d.Centred = true
		d.Input.Scale(unit, d.Input)
		d.Output.Scale(unit, d.Output)
		d.Output.Apply(func(_, _ int, v float64) float64 { return v + 1e3*unit }, d.Output)
		all, err := families.Search(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if got := all[0].Kernel.String(); want == "" {
			want = got
		} else if got != want {
			t.Errorf("unit %g: %s, must be %s", unit, got, want)
		}
	}
}

// Data that say nothing still get a kernel; whatever mesh they are on.
func TestDataThatSayNothing(t *testing.T) {
	zero := pairs(5, 6, 4, 0, func(x, y float64) float64 { return 0 })
	one := pairs(3, 6, 4, 0.1, poisson)
	one.X, one.Input = mesh.Must(mesh.Scattered([]float64{0.5}, 1, []float64{1}, "x")), mat.NewDense(3, 1, []float64{1, 2, 3})
	none := pairs(5, 6, 4, 0.1, poisson)
	none.Input.Zero()
	single := pairs(1, 6, 4, 0.1, poisson)
	single.Centred = true
	for name, d := range map[string]families.Data{"outputs are zero": zero, "one point": one, "inputs are zero": none, "one pair": single} {
		all, err := families.Search(t.Context(), d)
		if err != nil || len(all) == 0 || kernels.IsAuto(all[0].Kernel) {
			t.Errorf("%s: %v, %v", name, all, err)
		}
	}
}

// Fine meshes and many pairs are compared in some directions and modes: the choice takes
// no longer, and is near that of all data.
func TestFineMeshesAreProjected(t *testing.T) {
	testmain.Long(t)
	all, err := families.Search(t.Context(), pairs(300, 30, 400, 0.05, func(x, y float64) float64 { return math.Exp(-20 * (x - y) * (x - y)) }))
	if err != nil {
		t.Fatal(err)
	}
	best := all[0].Kernel
	if kink, ok := best.(kernel.Kink); ok {
		best = kink.Base
	}
	k, ok := best.(kernel.SE)
	if !ok || !(math.Abs(math.Log(k.Lengthscale[0]/0.16)) <= 0.7) || !(math.Abs(math.Log(k.Lengthscale[1]/0.16)) <= 0.7) {
		t.Errorf("%s: a Gaussian of width 0.16 asks for kernel.se of about that", all[0].Kernel)
	}
}

func TestSearchEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := families.Search(ctx, pairs(14, 16, 12, 0.01, poisson)); err == nil {
		t.Error("went on")
	}
}

// Kinks are where input and output are the same coordinate: of a plane and a line nothing has one.
func TestNoKinksOfPlanes(t *testing.T) {
	d := pairs(14, 16, 9, 0.01, poisson)
	plane, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 4, "a")), mesh.Must(mesh.Uniform(0, 1, 4, "b")))
	if err != nil {
		t.Fatal(err)
	}
	square, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 3, "c")), mesh.Must(mesh.Uniform(0, 1, 3, "d")))
	if err != nil {
		t.Fatal(err)
	}
	for _, on := range [][2]mesh.Mesh{{plane, d.Y}, {d.X, square}, {plane, square}} {
		own := d
		own.X, own.Y = on[0], on[1]
		all, err := families.Search(t.Context(), own)
		if err != nil || len(all) == 0 {
			t.Fatal(len(all), err)
		}
		for _, c := range all {
			if strings.Contains(c.Kernel.String(), "kink") {
				t.Errorf("%s on %s to %s", c.Kernel, on[0], on[1])
			}
		}
	}
}
