package fit_test

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// cosines is Σ a_k cos(kπx), and the solution of -u″ = it with u(0) = u(1) = 0. They are smooth
// enough for ten points to resolve: of what wiggles between its points a curve says nothing.
type cosines []float64

func someCosines(rng *rand.Rand) cosines {
	a := make(cosines, 9)
	for k := range a {
		a[k] = rng.NormFloat64() * math.Exp(-float64(k*k)/6)
	}
	return a
}

func (a cosines) f(x float64) (v float64) {
	for k, c := range a {
		v += c * math.Cos(float64(k)*math.Pi*x)
	}
	return v
}

func (a cosines) u(x float64) float64 {
	v := a[0] * x * (1 - x) / 2
	for k := 1; k < len(a); k++ {
		w := float64(k) * math.Pi
		v += a[k] * (math.Cos(w*x) - 1 - x*(math.Cos(w)-1)) / (w * w)
	}
	return v
}

// design is where one function is measured.
type design struct {
	name   string
	points func(rng *rand.Rand) []float64
}

func designs() []design {
	random := func(rng *rand.Rand, ends bool) (x []float64) {
		for range 10 + rng.IntN(31) {
			x = append(x, rng.Float64())
		}
		if slices.Sort(x); ends {
			x[0], x[len(x)-1] = 0, 1
		}
		return x
	}
	return []design{
		{"common mesh of 25", func(*rand.Rand) []float64 { return mesh.Must(mesh.Uniform(0, 1, 25, "x")).Points() }},
		{"own, both ends", func(rng *rand.Rand) []float64 { return random(rng, true) }},
		{"own, anywhere", func(rng *rand.Rand) []float64 { return random(rng, false) }},
	}
}

// measuredCurves are pairs of a design, with noise of a tenth of the spread on the outputs.
func measuredCurves(t *testing.T, n int, d design, seed uint64) *dataset.Dataset {
	t.Helper()
	rng, noise := rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 2))
	in, out := make([]dataset.Curve, n), make([]dataset.Curve, n)
	for i := range n {
		a := someCosines(rng)
		in[i].Points, out[i].Points = d.points(noise), d.points(noise)
		for _, x := range in[i].Points {
			in[i].Values = append(in[i].Values, a.f(x))
		}
		for _, y := range out[i].Points {
			out[i].Values = append(out[i].Values, a.u(y)+0.01*noise.NormFloat64())
		}
	}
	return testmain.Must(dataset.NewCurves(dataset.CurvesSpec{Input: in, Output: out, InputName: "x", OutputName: "y"}))(t)
}

// studied is the relative error of G, and of predictions for new inputs.
func studied(t *testing.T, d *dataset.Dataset) (green, predicted float64) {
	t.Helper()
	e := testmain.Must(fit.Fit(t.Context(), fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: []float64{0.25}}}))(t)
	fine := mesh.Must(mesh.Uniform(0, 1, 101, "x"))
	g := testmain.Must(e.Green(t.Context(), fine, fine))(t)
	x := fine.Points()
	miss, size := 0.0, 0.0
	for i := range x {
		for k := range x {
			want := min(x[i], x[k]) * (1 - max(x[i], x[k]))
			miss, size = miss+(g.At(i, k)-want)*(g.At(i, k)-want), size+want*want
		}
	}
	green = math.Sqrt(miss / size)
	rng := rand.New(rand.NewPCG(99, 99))
	miss, size = 0, 0
	f, u := mat.NewDense(50, len(x), nil), mat.NewDense(50, len(x), nil)
	for i := range 50 {
		a := someCosines(rng)
		for k := range x {
			f.Set(i, k, a.f(x[k]))
			u.Set(i, k, a.u(x[k]))
		}
	}
	got := testmain.Must(e.Predict(t.Context(), f, fine, fine))(t)
	size = mat.Norm(u, 2)
	got.Sub(got, u)
	return green, mat.Norm(got, 2) / size
}

// Curves on points of their own teach as much as those on a common mesh with as many values: the
// table says how much is lost, with the quadrature of each curve and with inputs that were
// smoothed. CURVES=3 takes 100 pairs and three seeds.
func TestCurvesTeachAsMuchAsAMesh(t *testing.T) {
	n, seeds, all := 20, 1, os.Getenv("CURVES")
	if all != "" {
		n = 100
		if seeds, _ = strconv.Atoi(all); seeds < 1 {
			t.Fatal("CURVES: want the number of seeds")
		}
	}
	fine := mesh.Must(mesh.Uniform(0, 1, 65, "x"))
	mean := map[string][2]float64{}
	for seed := range uint64(seeds) {
		for _, d := range designs() {
			data := measuredCurves(t, n, d, seed)
			for _, inputs := range []string{"own quadrature", "cubic", "kernel"} {
				way := data
				if plain := d.name == designs()[0].name; all == "" && (plain && inputs != "own quadrature" || !plain && inputs != "kernel") {
					continue
				}
				if inputs != "own quadrature" {
					var err error
					if way, _, _, err = prepare.Resample(t.Context(), data, prepare.ResampleSpec{Input: fine, Method: inputs, Outside: "extend"}); err != nil {
						t.Fatal(err)
					}
				}
				g, p := studied(t, way)
				t.Logf("seed %d, %-18s inputs by %-15s G %.4f, predictions %.4f", seed, d.name, inputs, g, p)
				m := mean[d.name+inputs]
				mean[d.name+inputs] = [2]float64{m[0] + g/float64(seeds), m[1] + p/float64(seeds)}
			}
		}
	}
	common := mean["common mesh of 25own quadrature"]
	for name, m := range mean {
		t.Logf("%-35s G %.3f, predictions %.3f of the common mesh", name, m[0]/common[0], m[1]/common[1])
	}
	allowed := 1.1
	if all == "" { // so few pairs of random points differ more
		allowed = 1.3
	}
	for _, d := range designs()[1:] {
		if m := mean[d.name+"kernel"]; !(m[1] <= allowed*common[1]) || !(m[0] <= allowed*common[0]) {
			t.Errorf("%s: errors of G %.4f, of predictions %.4f; on the common mesh %.4f and %.4f", d.name, m[0], m[1], common[0], common[1])
		}
	}
}
