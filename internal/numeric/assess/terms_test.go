package assess_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/assess"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model"
)

// severalTerms are samples of u = β + ∫ G f + age γ + (curve of who) + age ∫ H f, each part times a size
// by name and drawn from its kernel.
type severalTerms struct {
	sizes  map[string]float64
	n      int
	points int
	noise  noise
	rough  bool // G and the curves are not smooth
	twice  bool // a second output, of the same terms
	within bool // age is the same in all samples of each label of who
}

func allTerms() []string { return []string{"age", "f", "who", "age*f"} }

func (s severalTerms) draw(t testing.TB, seed uint64) *dataset.Table {
	t.Helper()
	m := line(s.points)
	rng := rand.New(rand.NewPCG(seed, 41))
	k := kernel.Kernel(se(.4))
	if s.rough {
		k = kernel.Exponential{Lengthscale: kernel.Lengthscale{.5}}
	}
	f := inputs(t, m, s.n, seed)
	age, who := array.New(s.n), make([]string, s.n)
	for i := range s.n {
		age.Data[i], who[i] = 40+10*rng.NormFloat64(), fmt.Sprint("g", i%6)
		if s.within && i >= 6 {
			age.Data[i] = age.Data[i%6]
		}
	}
	spec := dataset.TableSpec{
		Input: map[string]*array.Array{"f": f, "age": age}, Output: map[string]*array.Array{},
		InputMesh: dataset.Meshes{All: m}, OutputMesh: dataset.Meshes{All: m}, Group: map[string][]string{"who": who},
	}
	names := []string{"u"}
	if s.twice {
		names = append(names, "v")
	}
	for o, name := range names {
		own := seed + 1e7*uint64(o)
		g, beta := truth(t, m, k, own)
		h, gamma := truth(t, m, k, own+1000)
		u, with, none := responses(f, g, make([]float64, s.points), m), responses(f, h, make([]float64, s.points), m), mat.NewDense(s.n, s.points, nil)
		curves := map[string][]float64{}
		for i := range s.n {
			if curves[who[i]] == nil {
				_, curves[who[i]] = truth(t, m, k, own+2000+uint64(i))
			}
			z := (age.Data[i] - 40) / 10
			for k := range s.points {
				none.Set(i, k, beta[k]+3*s.sizes["f"]*u.At(i, k)+s.sizes["age"]*z*gamma[k]+s.sizes["who"]*curves[who[i]][k]+3*s.sizes["age*f"]*z*with.At(i, k))
			}
		}
		s.noise(rng, none, 1)
		spec.Output[name] = array.FromMatrix(none)
	}
	return testmain.Must(dataset.NewTable(spec))(t)
}

// fit fits all terms with smooth kernels, whose lengthscales are chosen where they are to be.
func (s severalTerms) fit(t testing.TB, seed uint64, change func(*model.Spec)) *model.Estimate {
	t.Helper()
	k := se(.4)
	spec := model.Spec{Data: s.draw(t, seed), Terms: allTerms(), Kernels: map[string]kernel.Kernel{}}
	for _, name := range spec.Terms {
		spec.Kernels[name] = k
	}
	if change != nil {
		change(&spec)
	}
	e, err := model.Fit(ctx, spec)
	if err != nil {
		t.Fatal(seed, err)
	}
	return e
}

func ones() map[string]float64 { return map[string]float64{"f": 1, "age": 1, "who": 1, "age*f": 1} }

// Where a term is zero p is uniform, or larger, and where it is there it is found. The study counts more.
func TestTermsAreTested(t *testing.T) {
	sets, s := *datasets, severalTerms{n: 24, points: 8, noise: white(.5)}
	terms := allTerms()
	if sets == 0 {
		sets, terms, s.n, s.points = 1, []string{"age"}, 16, 6
	}
	for _, name := range terms {
		var p, there []float64
		for i := range sets {
			s.sizes = ones()
			if s.sizes[name] = 0; *datasets == 0 {
				s.sizes["who"], s.sizes["age*f"] = 0, 0
			}
			seed := *fromSeed + uint64(i)
			e := s.fit(t, seed, func(m *model.Spec) {
				if *datasets == 0 {
					m.Terms = []string{"age", "f"}
					delete(m.Kernels, "who")
					delete(m.Kernels, "age*f")
				}
			})
			for _, term := range summarised(t, e.Outputs[0], seed).Terms {
				switch {
				case term.Name == name:
					p = append(p, *term.P)
				case term.P != nil:
					there = append(there, *term.P)
				}
			}
		}
		small, found := below(p, .05), below(there, .05)
		t.Logf("%s is zero: p ≤ .05 in %d of %d; of those that are there %d of %d are found", name, small, sets, found, len(there))
		if *datasets == 0 {
			if found < len(there) || small == sets {
				t.Errorf("%s is zero: p %v; of the others %v", name, p, there)
			}
			continue
		}
		uniform := testmain.Must(stats.New("uniform", 0, 1))(t)
		ks := testmain.Must(stats.KolmogorovSmirnov(p, uniform))(t)
		slices.Sort(p)
		t.Logf("%s: Kolmogorov–Smirnov p %.3f, quantiles %.2f %.2f %.2f", name, ks.P, p[len(p)/4], p[len(p)/2], p[3*len(p)/4])
		if share := float64(small) / float64(sets); sets >= 200 && (!(share >= .02) || !(share <= .08)) {
			t.Errorf("%s: %.3f of the sets are found by chance", name, share)
		}
	}
}

// What a group contains cannot be told from it by residuals: no p is said, and why; the other terms are tested.
func TestTermsWithinAGroupAreNotTested(t *testing.T) {
	for _, within := range []bool{true, false} {
		s := severalTerms{n: 18, points: 6, noise: white(.1), sizes: map[string]float64{"f": 1, "age": 1, "who": 1}, within: within}
		e := s.fit(t, 3, func(m *model.Spec) {
			m.Terms = []string{"age", "f", "who"}
			delete(m.Kernels, "age*f")
		})
		sum := summarised(t, e.Outputs[0], 3)
		for _, term := range sum.Terms {
			if tested := term.P != nil && term.Score != nil; tested == (within && term.Name == "age") && term.Name != "bias" {
				t.Errorf("within %v: %s, tested %v", within, term.Name, tested)
			}
		}
		if said := strings.Contains(sum.String(), "age is the same in all samples of each label of who"); said != within {
			t.Errorf("within %v: %s", within, sum)
		}
	}
}

func summarised(t testing.TB, of assess.Subject, seed uint64) *assess.Summary {
	t.Helper()
	return testmain.Must(assess.Summarise(ctx, of, seed))(t)
}

func below(p []float64, level float64) (count int) {
	for _, v := range p {
		if v <= level {
			count++
		}
	}
	return count
}

// wrongTerms are models of several terms that are wrong, and the test that has to say so.
func wrongTerms() map[string]struct {
	severalTerms
	fails assess.Kind
} {
	s := severalTerms{sizes: ones(), n: 30, points: 12}
	wrong := map[string]struct {
		severalTerms
		fails assess.Kind
	}{}
	add := func(name string, fails assess.Kind, n noise, rough bool) {
		s.noise, s.rough = n, rough
		wrong[name] = struct {
			severalTerms
			fails assess.Kind
		}{s, fails}
	}
	add("correlated", assess.AlongOutput, autoregressive(.5, .9), false)
	add("sd along y", assess.OutputSpread, louder(.5, 30), false)
	add("sd by sample", assess.PairSpread, loudPairs(.5), false)
	add("wrong values", assess.Outliers, wrongValues(.5, .05), false)
	add("rough", assess.Kernels, white(.2), true)
	return wrong
}

// A check of an output of several terms fails where noise or kernels are wrong, and passes where they are not.
func TestCheckOfTerms(t *testing.T) {
	testmain.Long(t)
	for name, c := range wrongTerms() {
		if *datasets == 0 && name != "sd along y" {
			continue
		}
		found, any, sets := 0, 0, max(1, *datasets/10)
		for i := range sets {
			seed := *fromSeed + uint64(i)
			k := checked(t, c.fit(t, seed, nil).Outputs[0], assess.Options{Seed: seed, NoKernels: c.fails != assess.Kernels})
			if slices.Contains(k.Failed(), c.fails) {
				found++
			}
			if !k.Passed() {
				any++
			} else {
				t.Logf("%s, seed %d:\n%s", name, seed, k)
			}
		}
		t.Logf("%s: %q fails for %d of %d, anything for %d", name, c.fails, found, sets, any)
		if any < sets {
			t.Errorf("%s: %d pass", name, sets-any)
		}
	}
	failed, by, sets := 0, map[assess.Kind]int{}, max(1, *datasets)
	for i := range sets {
		seed := *fromSeed + uint64(i)
		s := severalTerms{sizes: ones(), n: 24, points: 8, noise: white(.5)}
		e := s.fit(t, seed, func(m *model.Spec) {
			if i%2 == 1 { // lengthscales are chosen
				for name := range m.Kernels {
					m.Kernels[name] = kernel.SE{Lengthscale: kernel.Auto}
				}
			}
		})
		k := checked(t, e.Outputs[0], assess.Options{Seed: seed, NoKernels: *datasets == 0})
		if !k.Passed() {
			failed++
			for _, f := range k.Failed() {
				by[f]++
			}
			t.Logf("seed %d:\n%s", seed, k)
		}
	}
	t.Logf("the model is true: %d of %d pass; failed: %v", sets-failed, sets, by)
	if !(float64(failed) <= .05*float64(sets)) {
		t.Errorf("more than 5 %% fail")
	}
}

func checked(t testing.TB, of assess.Subject, o assess.Options) *assess.Check {
	t.Helper()
	return testmain.Must(assess.Run(ctx, of, o))(t)
}

// Outputs that are coupled have residuals of their own, of which what is left out is what a model without that
// sample leaves out, and a loud one of them fails by itself.
func TestCoupledOutputsAreCheckedByThemselves(t *testing.T) {
	testmain.Long(t)
	s := severalTerms{sizes: map[string]float64{"f": 1, "age": 1}, n: 24, points: 6, noise: white(.5), twice: true}
	e := s.fit(t, 3, func(m *model.Spec) {
		m.Coregional, m.Terms = true, []string{"f", "age"}
		m.Kernels = map[string]kernel.Kernel{"f": se(.4), "age": se(.4)}
	})
	total := 0.0
	for _, o := range e.Outputs {
		r := testmain.Must(o.Residuals(ctx))(t)
		if n, my := r.Observed.Values.Dims(); n != 24 || my != 6 || r.Data.OutputMesh.Size() != 6 {
			t.Fatalf("%d × %d residuals", n, my)
		}
		_, u := r.Data.Matrices()
		var fitted mat.Dense // predictions of the others are the output less its error
		fitted.Sub(u, r.Observed.Errors)
		got := testmain.Must(stats.R2(array.FromMatrix(&fitted), array.FromMatrix(u), o.Mesh.Weights()))(t)
		sum := summarised(t, o, 1)
		if !(got >= .2) || !(got <= sum.R2) {
			t.Errorf("%s: R² of left-out samples %g, of all %g", o.Name, got, sum.R2)
		}
		for _, v := range r.Observed.Values.RawMatrix().Data {
			total += v * v / (2 * 24 * 6)
		}
	}
	if !(math.Abs(total-1) <= .05) {
		t.Errorf("residuals over their deviations have the mean square %g, want 1", total)
	}
}

// A model of one term is the fit of an operator: its term is tested by the same permutations, with the same
// F, beside the bias.
func TestOneTermIsTheOperator(t *testing.T) {
	m := line(8)
	d := simulated(t, m, 16, pde.Poisson{Mesh: m}, white(.3), 5)
	e := fitted(t, fit.Spec{Data: d, Kernel: se(.3), Lambda: 1e-3})
	alone := summarised(t, e, 3)
	table := testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"f": d.Input}, Output: map[string]*array.Array{"u": d.Output},
		InputMesh: dataset.Meshes{All: m}, OutputMesh: dataset.Meshes{All: m},
	}))(t)
	model := testmain.Must(model.Fit(ctx, model.Spec{Data: table, Kernels: map[string]kernel.Kernel{"f": se(.3)}, Lambda: 1e-3}))(t)
	s := summarised(t, model.Outputs[0], 3)
	same := func(what string, a, b float64) {
		if !(math.Abs(a-b) <= 1e-9*math.Abs(a)) {
			t.Errorf("%s is %g, of the operator %g", what, b, a)
		}
	}
	same("R²", alone.R2, s.R2)
	same("R² of left-out pairs", alone.R2Left, s.R2Left)
	same("degrees of freedom", alone.DF, s.DF)
	same("sigma", alone.Sigma, s.Sigma)
	if len(s.Terms) != 2 || s.Noise != "white" || alone.Noise != "white" {
		t.Fatalf("%s\n%s", alone, s)
	}
	for k, own := range alone.Terms {
		same(own.Name, own.SD, s.Terms[k].SD)
	}
	g, own := alone.Terms[0], s.Terms[0]
	same("F", *g.F, *own.F)
	same("the score", *g.Score, *own.Score)
	same("p", *g.P, *own.P)
}
