package model_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// ofTwo are samples of an output that depends on two functions, f and g, each by a G that is known, with noise that
// is an autoregression along the output, of a standard deviation at each point times one of each sample.
type ofTwo struct {
	d     *dataset.Table
	green map[string]*mat.Dense
	known *dataset.Errors
}

// noiseShape is how the noise of ofTwo is distributed: the correlation of values that are 1/19 apart, the standard
// deviation at a point and of a sample; nil: one.
type noiseShape struct {
	name   string
	ar     float64
	along  func(y float64) float64
	sample func(i int) float64
}

func noiseShapes() []noiseShape {
	along := func(y float64) float64 { return math.Pow(30, y) }
	everyFourth := func(i int) float64 {
		if i%4 == 3 {
			return 1.95
		}
		return .3
	}
	return []noiseShape{
		{name: "white"},
		{name: "AR(1) .9", ar: .9},
		{name: "AR(1) .9, sd × 30 along y", ar: .9, along: along},
		{name: "AR(1) .9, sd by curve .3/1.95", ar: .9, sample: everyFourth},
		{name: "sd × 30 along y", along: along},
		{name: "sd by curve .3/1.95", sample: everyFourth},
	}
}

// newOfTwo draws n samples on m points, with noise of .3 of the spread of the output.
func newOfTwo(t testing.TB, s noiseShape, n, m int, seed uint64) ofTwo {
	t.Helper()
	axis := mesh.Must(mesh.Uniform(0, 1, m, "x"))
	x, w := axis.Points(), axis.Weights()
	two := ofTwo{green: map[string]*mat.Dense{}}
	helmholtz := func(x, y float64) float64 {
		const w = 12
		return 4 * math.Sin(w*math.Min(x, y)) * math.Sin(w*(1-math.Max(x, y))) / (w * math.Sin(w))
	}
	poisson := func(x, y float64) float64 { return 2 * math.Min(x, y) * (1 - math.Max(x, y)) }
	u, inputs := mat.NewDense(n, m, nil), map[string]*array.Array{}
	for i, of := range []struct {
		name string
		g    func(x, y float64) float64
	}{{"f", helmholtz}, {"g", poisson}} {
		f := fields(t, axis, n, .1, 2*seed+uint64(i))
		inputs[of.name] = array.FromMatrix(f)
		g, weighted := mat.NewDense(m, m, nil), mat.NewDense(m, m, nil)
		g.Apply(func(i, j int, _ float64) float64 { return of.g(x[i], x[j]) }, g)
		weighted.Apply(func(i, _ int, v float64) float64 { return w[i] * v }, g)
		var own mat.Dense
		own.Mul(f, weighted)
		u.Add(u, &own)
		two.green[of.name] = g
	}
	ar := math.Pow(s.ar, 19/float64(m-1))
	along, sample := make([]float64, m), make([]float64, n)
	for k := range along {
		if along[k] = 1; s.along != nil {
			along[k] = s.along(x[k])
		}
	}
	two.known = &dataset.Errors{Covariance: mat.NewSymDense(m, nil), Pairs: make([]float64, n)}
	mean := 0.0
	for i := range sample {
		if sample[i] = 1; s.sample != nil {
			sample[i] = s.sample(i)
		}
		two.known.Pairs[i] = 1 / (sample[i] * sample[i])
		for _, v := range along {
			mean += sample[i] * sample[i] * v * v / float64(n*m)
		}
	}
	for i := range m {
		for j := range i + 1 {
			two.known.Covariance.SetSym(i, j, along[i]*along[j]*math.Pow(ar, float64(i-j)))
		}
	}
	unit := .3 * mat.Norm(u, 2) / math.Sqrt(float64(n*m)*mean)
	rng := rand.New(rand.NewPCG(seed, 0x2f))
	for i := range n {
		e := rng.NormFloat64()
		for k := range m {
			if k > 0 {
				e = ar*e + math.Sqrt(1-ar*ar)*rng.NormFloat64()
			}
			u.Set(i, k, u.At(i, k)+unit*sample[i]*along[k]*e)
		}
	}
	two.d = testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input: inputs, Output: map[string]*array.Array{"u": array.FromMatrix(u)},
		InputMesh: dataset.Meshes{All: axis}, OutputMesh: dataset.Meshes{All: axis},
	}))(t)
	return two
}

// spec leaves all but the kernels open; where the noise is known, its covariance is given.
func (two ofTwo) spec(known bool) model.Spec {
	k := kernel.Matern{Nu: 2.5, Lengthscale: ell(.3)}
	s := model.Spec{Data: two.d, Kernels: map[string]kernel.Kernel{"f": k, "g": k}, Noise: noise.Choice{Kind: noise.Auto}}
	if known {
		d := *two.d
		d.Outputs = []dataset.Field{two.d.Outputs[0]}
		d.Outputs[0].Errors = two.known
		s.Data, s.Noise = &d, noise.Choice{}
	}
	return s
}

// off is the error of the G of a term relative to G, and the share of it that bands of 95 % cover.
func (two ofTwo) off(t testing.TB, o *model.Output, name string) (off, covered float64) {
	t.Helper()
	g := testmain.Must(o.Term(name).Green())(t)
	values := testmain.Must(g.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{}))(t)
	std := testmain.Must(g.Std(t.Context(), mesh.Mesh{}, mesh.Mesh{}))(t)
	truth := two.green[name].RawMatrix().Data
	values.Sub(values, two.green[name])
	for i, d := range values.RawMatrix().Data {
		if math.Abs(d) <= 1.959964*std.RawMatrix().Data[i] {
			covered += 1 / float64(len(truth))
		}
	}
	return mat.Norm(values, 2) / mat.Norm(two.green[name], 2), covered
}

// Simulations of models of two functions, whose noise is found: the error of each G over that of the model which is given
// the covariance, and what bands of 95 % cover of it.
//
//	MODEL_NOISE_STUDY=20 go test ./numeric/model -run ModelNoiseStudy -v -timeout 0
//
// NOISE_ONLY is part of a shape, NOISE_SEED how many data sets to leave out before, NOISE_PAIRS and NOISE_POINTS are how
// many samples and points there are. With NOISE_EACH what was found is said of each set.
func TestModelNoiseStudy(t *testing.T) {
	count, err := strconv.Atoi(os.Getenv("MODEL_NOISE_STUDY"))
	if err != nil {
		t.Skip("a study by hand: MODEL_NOISE_STUDY is the number of data sets")
	}
	number := func(name, otherwise string) int {
		return testmain.Must(strconv.Atoi(cmp.Or(os.Getenv(name), otherwise)))(t)
	}
	before, n, m := number("NOISE_SEED", "0"), number("NOISE_PAIRS", "60"), number("NOISE_POINTS", "20")
	for _, s := range noiseShapes() {
		if !strings.Contains(s.name, os.Getenv("NOISE_ONLY")) {
			continue
		}
		var values [8][]float64 // of f, then of g: errors, known ones, coverage, known one
		white, spent := 0, time.Duration(0)
		for seed := before; seed < before+count; seed++ {
			two := newOfTwo(t, s, n, m, uint64(seed+1))
			start := time.Now()
			o := testmain.Must(model.Fit(t.Context(), two.spec(false)))(t).Outputs[0]
			spent += time.Since(start)
			best := testmain.Must(model.Fit(t.Context(), two.spec(true)))(t).Outputs[0]
			if strings.HasPrefix(o.Report.Reason, "the noise is white") {
				white++
			}
			each := ""
			for i, name := range []string{"f", "g"} {
				off, covered := two.off(t, o, name)
				least, known := two.off(t, best, name)
				for k, v := range []float64{off, least, covered, known} {
					values[4*i+k] = append(values[4*i+k], v)
				}
				each += fmt.Sprintf(" %s %.4f/%.4f %.3f/%.3f", name, off, least, covered, known)
			}
			if os.Getenv("NOISE_EACH") != "" {
				t.Logf("%s %d:%s: %.150s", s.name, seed, each, o.Report.Reason)
			}
		}
		for i, name := range []string{"f", "g"} {
			all := values[4*i:]
			off, least := stat.Mean(all[0], nil), stat.Mean(all[1], nil)
			miss := make([]float64, count)
			for k := range miss {
				miss[k] = (all[0][k] - off/least*all[1][k]) / least
			}
			uncertain := func(v []float64) float64 { return stat.StdDev(v, nil) / math.Sqrt(float64(count)) }
			t.Logf("%-30s %s n %d: RE(G) %.4f, known %.4f, ratio %.3f ± %.3f; covers %.3f ± %.3f (known %.3f ± %.3f); white in %d; %.2g s each", s.name, name, count,
				off, least, off/least, uncertain(miss), stat.Mean(all[2], nil), uncertain(all[2]), stat.Mean(all[3], nil), uncertain(all[3]), white, spent.Seconds()/float64(count))
		}
	}
}
