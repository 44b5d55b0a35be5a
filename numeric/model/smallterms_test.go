package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// smallEffects are data whose terms are each, by chance, nothing, small, moderate or as large
// as those of simulate: the shapes are theirs, times size.
type smallEffects struct {
	table *dataset.Table
	m     mesh.Mesh
	size  map[string]float64
	truth map[string]func(a, y int) float64 // of group a, or at point a of the input
}

func simulateSmall(t *testing.T, seed uint64) smallEffects {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 3))
	const n, points = 48, 12
	m := mesh.Must(mesh.Uniform(0, 1, points, "x"))
	f := fields(t, m, n, .15, seed)
	curves := fields(t, m, groupCount, .3, seed+1e6)
	e := smallEffects{m: m, size: map[string]float64{}}
	for _, name := range []string{"age", "who", "age*f"} {
		e.size[name] = []float64{0, .1, .3, 1}[rng.IntN(4)]
	}
	xs := m.Points()
	e.truth = map[string]func(a, y int) float64{
		"f":     func(a, y int) float64 { return 8 * math.Sin(math.Pi*xs[a]) * xs[y] * (1 - xs[y]) },
		"age":   func(_, y int) float64 { return e.size["age"] * .05 * math.Cos(math.Pi*xs[y]) },
		"who":   func(a, y int) float64 { return e.size["who"] * .3 * curves.At(a, y) },
		"age*f": func(a, y int) float64 { return e.size["age*f"] * .4 * xs[a] * (1 - xs[a]) * math.Sin(2*math.Pi*xs[y]) },
	}
	age, who := array.New(n), make([]string, n)
	u := mat.NewDense(n, points, nil)
	for i := range n {
		age.Data[i] = 40 + 10*rng.NormFloat64()
		who[i] = fmt.Sprint("g", i%groupCount)
		for k := range points {
			v := .1 + (age.Data[i]-40)*e.truth["age"](0, k) + e.truth["who"](i%groupCount, k)
			for j := range points {
				v += m.Weights()[j] * f.At(i, j) * (e.truth["f"](j, k) + (age.Data[i]-40)*e.truth["age*f"](j, k))
			}
			u.Set(i, k, v+.2*rng.NormFloat64())
		}
	}
	var err error
	e.table, err = dataset.NewTable(dataset.TableSpec{
		Input:  map[string]*array.Array{"f": array.FromMatrix(f), "age": age},
		Output: map[string]*array.Array{"u": array.FromMatrix(u)}, InputMesh: dataset.Meshes{All: m}, OutputMesh: dataset.Meshes{All: m},
		Group: map[string][]string{"who": who},
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// share is how much of the truth of a term is within its band of 95 %, and the mean deviation.
func (e smallEffects) share(t *testing.T, o *model.Output, name string) (within, std float64) {
	t.Helper()
	term := o.Term(name)
	var v, sd *mat.Dense
	points := e.m.Size()
	switch name {
	case "f", "age*f":
		g, err := term.Green()
		if err != nil {
			t.Fatal(err)
		}
		if v, err = g.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{}); err != nil {
			t.Fatal(err)
		}
		if sd, err = g.Std(t.Context(), mesh.Mesh{}, mesh.Mesh{}); err != nil {
			t.Fatal(err)
		}
	default:
		labels := []string{""}
		if name == "who" {
			labels = labels[:0]
			for a := range groupCount {
				labels = append(labels, fmt.Sprint("g", a))
			}
		}
		v, sd = mat.NewDense(len(labels), points, nil), mat.NewDense(len(labels), points, nil)
		for a, label := range labels {
			own, err := term.Effect(t.Context(), label, mesh.Mesh{})
			if err != nil {
				t.Fatal(err)
			}
			v.SetRow(a, own)
			if own, err = term.EffectStd(t.Context(), label, mesh.Mesh{}); err != nil {
				t.Fatal(err)
			}
			sd.SetRow(a, own)
		}
	}
	rows, _ := v.Dims()
	for a := range rows {
		for k := range points {
			if math.Abs(v.At(a, k)-e.truth[name](a, k)) <= 1.96*sd.At(a, k) {
				within += 1 / float64(rows*points)
			}
			std += sd.At(a, k) / float64(rows*points)
		}
	}
	return within, std
}

var smallTerms = []string{"f", "age", "who", "age*f"}

func (e smallEffects) fit(t *testing.T, s model.Spec) *model.Output {
	t.Helper()
	side := kernel.Matern{Nu: 2.5, Lengthscale: ell(.4)}
	both := kernel.Tensor{Input: side, Output: side}
	s.Data, s.Terms, s.Kernels = e.table, smallTerms, map[string]kernel.Kernel{"f": both, "age": side, "who": side, "age*f": both}
	fitted, err := model.Fit(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return fitted.Outputs[0]
}

// Terms that are nothing or small lie within their bands, too, whether the likelihood finds them or
// puts them at nothing.
func TestSmallTermsAreWithinTheirBands(t *testing.T) {
	testmain.Long(t)
	type cell struct {
		name  string
		size  float64
		found bool
	}
	sum, count := map[cell]float64{}, map[cell]float64{}
	for s := range max(40, *simulations) { // a dozen have few terms that are not found
		e := simulateSmall(t, uint64(s)+*firstSeed)
		o := e.fit(t, model.Spec{})
		for _, name := range smallTerms {
			c := cell{name, e.size[name], o.Term(name).Deviation > .03}
			within, _ := e.share(t, o, name)
			sum[c], count[c] = sum[c]+within, count[c]+1
		}
	}
	var all, missed [2]float64 // found, or not
	for c, n := range count {
		t.Logf("%s times %g, found: %v: %.3f of the points in %.0f sets", c.name, c.size, c.found, sum[c]/n, n)
		k := 0
		if !c.found {
			k = 1
		}
		all[k], missed[k] = all[k]+n, missed[k]+n-sum[c]
	}
	for k, which := range []string{"found", "not found"} {
		if share := 1 - missed[k]/all[k]; share < .9 {
			t.Errorf("terms that were %s: %.3f of the points within their bands of 95 %%, in %.0f cases", which, share, all[k])
		}
	}
}

// The band of a term that is put at nothing is that of the definition: the mean of the variance over
// the sizes that the term may have, by their restricted likelihood. Where it is given it is known.
func TestBandsKnowThatATermMayBeThere(t *testing.T) {
	e := simulateSmall(t, 104)
	o := e.fit(t, model.Spec{})
	if found := o.Term("age").Deviation; found > 1e-3 {
		t.Fatalf("age is found: %g", found)
	}
	_, wide := e.share(t, o, "age")
	s := model.Spec{Lambda: o.Report.Lambda, Rho: o.Report.Rho, Intercept: fit.Flat, Amplitudes: map[string]float64{}}
	for _, term := range o.Terms {
		s.Amplitudes[term.Name] = term.Factor
	}
	_, narrow := e.share(t, e.fit(t, s), "age")
	variance, all, least := 0.0, 0.0, math.NaN()
	for root := 0.0005; root < .3; root *= 2 { // of the factor, whose standard deviation it is
		s.Amplitudes["age"] = root * root
		given := e.fit(t, s)
		if math.IsNaN(least) {
			least = *given.Report.REML
		}
		_, std := e.share(t, given, "age")
		weight := root * math.Exp(least-*given.Report.REML) // of its logarithm
		variance, all = variance+weight*std*std, all+weight
	}
	if want := math.Sqrt(variance / all); math.Abs(math.Log(wide/want)) > .35 || wide < 3*narrow {
		t.Errorf("band of %.3g; over the sizes that the term may have %.3g, where it is given %.3g", wide, want, narrow)
	}
}
