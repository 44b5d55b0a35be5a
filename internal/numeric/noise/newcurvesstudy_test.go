package noise_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// seasons are pairs like the weather of a few dozen stations: twelve values of a year each,
// inputs that differ by their mean and one wave, outputs of which a random curve of each pair, as
// loud as loud has it, is about half.
func seasons(n int, rng *rand.Rand, loud func(rng *rand.Rand) float64) (f, u *mat.Dense) {
	const m = 12
	f, u = mat.NewDense(n, m, nil), mat.NewDense(n, m, nil)
	for i := range n {
		mean, wave, shift := 7*rng.NormFloat64(), 12+4*rng.NormFloat64(), 2*rng.NormFloat64()
		level, size := rng.NormFloat64(), loud(rng)
		var year [4]float64 // waves of the random curve
		for k := range year {
			year[k] = rng.NormFloat64() / float64(1+k/2)
		}
		for j := range m {
			t := float64(j) / (m - 1)
			a := 2 * math.Pi * t
			f.Set(i, j, mean-wave*math.Cos(a)+shift*math.Sin(a)+.5*rng.NormFloat64())
			// G is .03 + .02 cos(2π (x - y)), of which the mean and the waves are known
			signal := .03*mean + .01*(-wave*math.Cos(a)+shift*math.Sin(a))
			curve := .6*level + .5*(year[0]*math.Cos(a)+year[1]*math.Sin(a)+year[2]*math.Cos(2*a)+year[3]*math.Sin(2*a))
			u.Set(i, j, 1.5+signal+size*.25*curve+.03*size*rng.NormFloat64())
		}
	}
	return f, u
}

// Bands of 95 % for curves that are new, of few curves whose noise is nearly all correlated: how
// many of the values they cover where all curves are as loud as one another, where their loudness
// varies, and where some are far louder. Everything is left to be chosen.
//
//	NEW_CURVES_STUDY=100 go test ./internal/numeric/noise -run NewCurves -v -timeout 0
//
// NOISE_SEED is how many data sets to leave out before, NOISE_ONLY a part of a name.
func TestNewCurvesStudy(t *testing.T) {
	count, err := strconv.Atoi(os.Getenv("NEW_CURVES_STUDY"))
	if err != nil {
		t.Skip("a study by hand: NEW_CURVES_STUDY is the number of data sets")
	}
	before, err := strconv.Atoi(cmp.Or(os.Getenv("NOISE_SEED"), "0"))
	if err != nil {
		t.Fatal(err)
	}
	type kind struct {
		name string
		n    int
		loud func(rng *rand.Rand) float64
		of   []float64 // the shares covered, a data set each
		half []float64 // mean half widths
	}
	even := func(*rand.Rand) float64 { return 1 }
	uneven := func(rng *rand.Rand) float64 { return math.Exp(.7*rng.NormFloat64() - .49) }
	heavy := func(rng *rand.Rand) float64 { // of a t distribution with three degrees of freedom
		a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		return math.Sqrt(1 / (a*a + b*b + c*c))
	}
	kinds := []*kind{
		{name: "even, 15 curves", n: 15, loud: even},
		{name: "even, 35 curves", n: 35, loud: even},
		{name: "even, 100 curves", n: 100, loud: even},
		{name: "uneven, 15 curves", n: 15, loud: uneven},
		{name: "uneven, 35 curves", n: 35, loud: uneven},
		{name: "uneven, 100 curves", n: 100, loud: uneven},
		{name: "heavy, 35 curves", n: 35, loud: heavy},
		{name: "heavy, 100 curves", n: 100, loud: heavy},
	}
	at := mesh.Must(mesh.Uniform(0, 1, 12, "x"))
	for done := 1; done <= count; done++ {
		for _, k := range kinds {
			if !strings.Contains(k.name, os.Getenv("NOISE_ONLY")) {
				continue
			}
			rng := rand.New(rand.NewPCG(uint64(before+done), uint64(k.n)))
			f, u := seasons(k.n, rng, k.loud)
			d, err := dataset.New(dataset.Spec{Input: array.FromMatrix(f), Output: array.FromMatrix(u), InputMesh: at, OutputMesh: at})
			if err != nil {
				t.Fatal(err)
			}
			e, err := noise.Fit(t.Context(), fit.Spec{Data: d}, noise.Choice{Kind: noise.Auto})
			if err != nil {
				t.Fatal(err)
			}
			f, u = seasons(60, rng, k.loud)
			mean, err := e.Predict(t.Context(), f, mesh.Mesh{}, mesh.Mesh{})
			if err != nil {
				t.Fatal(err)
			}
			half, err := e.Intervals(t.Context(), f, mesh.Mesh{}, mesh.Mesh{}, fit.Interval{Level: .95, Observation: true})
			if err != nil {
				t.Fatal(err)
			}
			in, wide := 0.0, 0.0
			for i, h := range half.RawMatrix().Data {
				if wide += h; math.Abs(mean.RawMatrix().Data[i]-u.RawMatrix().Data[i]) <= h {
					in++
				}
			}
			all := float64(len(half.RawMatrix().Data))
			k.of, k.half = append(k.of, in/all), append(k.half, wide/all)
			if os.Getenv("NEW_CURVES_EACH") != "" {
				t.Logf("%s %d: %.3f: %s", k.name, before+done, in/all, e.Report.Reason)
			}
		}
		if done%20 == 0 || done == count {
			for _, k := range kinds {
				if len(k.of) > 0 {
					t.Logf("%-20s n %3d: covered %.3f ± %.3f, half width %.3f", k.name, done, stat.Mean(k.of, nil), stat.StdDev(k.of, nil)/math.Sqrt(float64(done)), stat.Mean(k.half, nil))
				}
			}
		}
	}
}
