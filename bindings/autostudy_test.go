package bindings_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// studied is a random problem with noisy pairs to learn from and clean ones to predict.
type studied struct {
	name        string
	noise       float64
	train, test *dataset.Dataset
	green       *mat.Dense // of the map that made the pairs: see impulses
	instants    int        // every so many outputs one is at the time of the input, where G is an impulse; 0: none
}

func between(r *rand.Rand, a, b float64) float64 { return a + (b-a)*r.Float64() }

// studiedProblem draws the i-th problem.
func studiedProblem(t testing.TB, i int) studied {
	r := rand.New(rand.NewPCG(7, uint64(i)))
	names := []string{"poisson", "helmholtz", "airy", "advection", "heat", "wave", "beam", "oscillator"}
	levels := []float64{0, .01, .05, .1, .2, .5}
	name := names[i%len(names)]
	level := levels[(i/len(names)+i)%len(levels)]
	m := 30 + r.IntN(20)
	line := mesh.Must(mesh.Uniform(0, 1, m, "x"))
	duration := mesh.Must(mesh.Uniform(0, between(r, .5, 2), m, "t"))
	small, steps := mesh.Must(mesh.Uniform(0, 1, 11, "x")), mesh.Must(mesh.Uniform(0, between(r, .5, 1.5), 9, "t"))
	var p pde.Problem
	switch name {
	case "poisson":
		p = pde.Poisson{Mesh: line, Left: between(r, -.2, .2), Right: .1}
	case "helmholtz":
		p = pde.Helmholtz{Mesh: line, Omega: between(r, 5, 20), Left: -.1, Right: between(r, -.2, .2)}
	case "airy":
		p = pde.Airy{Mesh: line, Kappa: between(r, 3, 12)}
	case "advection":
		p = pde.AdvectionDiffusion{Mesh: mesh.Must(mesh.Uniform(0, 1, 25, "x")), Time: steps, Velocity: between(r, -1, 1), Diffusivity: between(r, .02, .2)}
	case "heat":
		p = pde.Heat{Mesh: small, Time: steps, Alpha: between(r, .05, .3)}
	case "wave":
		p = pde.Wave{Mesh: small, Time: steps, Speed: between(r, .5, 1.5)}
	case "beam":
		p = pde.Beam{Mesh: line, Stiffness: pde.Constant(between(r, .5, 2))}
	default:
		p = pde.Oscillator{Time: duration, C: between(r, 0, 2), Omega: between(r, 3, 12)}
	}
	n := 20 + r.IntN(40)
	l := between(r, .03, .15)
	var k kernel.Kernel = kernel.SE{Lengthscale: kernel.Lengthscale{l}}
	if r.IntN(2) == 0 {
		k = kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{l}}
	}
	draw := func(n int, seed uint64) *dataset.Dataset {
		d, err := pde.Sample(t.Context(), p, n, randfield.Field{Kernel: k, Scale: 10, Seed: seed})
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		return d
	}
	s := studied{name: name, noise: level, train: draw(n, uint64(2*i+1)), test: draw(100, uint64(2*i+2))}
	var err error
	if level > 0 {
		if s.train, err = s.train.Noise(level, uint64(i)); err != nil {
			t.Fatal(err)
		}
	}
	s.green = impulses(t, p)
	if name == "advection" {
		s.instants = steps.Size()
	}
	return s
}

// impulses is the G of the scheme that made the pairs, on the meshes of the data: what it
// makes of unit impulses. Pairs say nothing of the G of the equation, which is another one
// on meshes this coarse: by 30 % for Helmholtz near a resonance, 65 % for waves and 80 % for
// heat, in steps of time.
func impulses(t testing.TB, p pde.Problem) *mat.Dense {
	input, _ := pde.Meshes(p)
	w := input.Weights()
	f := mat.NewDense(len(w)+1, len(w), nil) // the last one is zero
	for j, v := range w {
		if v > 0 {
			f.Set(j, j, 1/v)
		}
	}
	u, err := pde.Solve(t.Context(), p, f)
	if err != nil {
		t.Fatal(err)
	}
	_, my := u.Dims()
	out := mat.NewDense(len(w), my, nil)
	out.Apply(func(j, k int, _ float64) float64 { return u.At(j, k) - u.At(len(w), k) }, out)
	return out
}

// errorsOf are the mean relative error of predictions and that of G.
func (s studied) errorsOf(t testing.TB, u, g *mat.Dense) (prediction, green float64) {
	n, my := u.Dims()
	for i := range n {
		e, err := stats.RelativeError(u.RawRowView(i), s.test.Output.Data[i*my:(i+1)*my])
		if err != nil {
			t.Fatal(err)
		}
		prediction += e / float64(n)
	}
	green, err := stats.RelativeError(s.functions(g), s.functions(s.green))
	if err != nil {
		t.Fatal(err)
	}
	return prediction, green
}

// functions are the values of a G where it is a function.
func (s studied) functions(g *mat.Dense) []float64 {
	var out []float64
	for i, v := range g.RawMatrix().Data {
		if s.instants == 0 || i%g.RawMatrix().Cols%s.instants > 0 {
			out = append(out, v)
		}
	}
	return out
}

func (s studied) fitted(t testing.TB, spec fit.Spec) (e *fit.Estimate, prediction, green float64) {
	spec.Data = s.train
	e, err := fit.Fit(t.Context(), spec)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	f, err := s.test.Input.Matrix()
	if err != nil {
		t.Fatal(err)
	}
	u, err := e.Predict(t.Context(), f, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := e.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	prediction, green = s.errorsOf(t, u, g)
	return e, prediction, green
}

// Kernels that are chosen predict new inputs nearly as well as the best of an oracle: no
// worse than by 10 % on problems of a curve to a curve, space and time to space and time,
// and with little and much noise. The whole study is BenchmarkAutomaticKernels.
func TestAutomaticKernelsPredictAsTheBestDo(t *testing.T) {
	testmain.Long(t)
	problems := []int{2, 4, 5}
	for k := 0; k < len(problems); k += testmain.Stride(2) {
		i := problems[k]
		s := studiedProblem(t, i)
		e, prediction, _ := s.fitted(t, fit.Spec{})
		best := newOracle(t, s).best(false)
		t.Logf("%s, %d pairs, %.0f %% noise: %.4f, the oracle %.4f\n%s\n%s", s.name, s.train.N(), 100*s.noise, prediction, best.prediction, e.Kernel, best.by)
		if prediction > 1.1*best.prediction {
			t.Errorf("%s: error %.4f of %s, the oracle has %.4f with %s", s.name, prediction, e.Kernel, best.prediction, best.by)
		}
	}
}

// Where G oscillates and there is noise, the likelihood prefers a smooth kernel by tens of
// nats, and leaving out pairs one with a kink, which is better by more than a tenth.
func TestKinksAreFoundBelowNoise(t *testing.T) {
	s := studiedProblem(t, 9)
	e, prediction, green := s.fitted(t, fit.Spec{})
	_, smooth, smoothGreen := s.fitted(t, fit.Spec{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.0951, .113}}, Criterion: fit.LOO})
	if !(prediction < 0.9*smooth && green < 0.95*smoothGreen) {
		t.Errorf("%s: errors %.4f and %.4f, of a smooth kernel %.4f and %.4f", e.Kernel, prediction, green, smooth, smoothGreen)
	}
}

// What is true of G helps where the kernel is chosen, too: errors are below those without the constraint.
func TestConstraintsHelpChosenKernels(t *testing.T) {
	testmain.Long(t)
	symmetric := constraint.Symmetric{Names: []string{"x", "y"}}
	for i, c := range map[int]constraint.Constraint{1: symmetric, 4: constraint.Causal{Input: "s", Output: "t"}, 8: symmetric, 9: symmetric} {
		s := studiedProblem(t, i)
		_, freePrediction, freeGreen := s.fitted(t, fit.Spec{})
		e, prediction, green := s.fitted(t, fit.Spec{Constraint: c})
		t.Logf("%s, %.0f %% noise: %.4f and %.4f, without %s %.4f and %.4f; %s", s.name, 100*s.noise, prediction, green, c, freePrediction, freeGreen, e.Kernel)
		if prediction > 0.9*freePrediction || green > 0.9*freeGreen {
			t.Errorf("%s: errors %.4f and %.4f with %s, %.4f and %.4f without", s.name, prediction, green, c, freePrediction, freeGreen)
		}
	}
}

// Constraints that data show are true ones, and make errors less, with little noise and much; of advection none is taken, though half
// the pairs alone are predicted better by a symmetric G.
func TestConstraintsThatAreFoundHelp(t *testing.T) {
	testmain.Long(t)
	for i, want := range map[int]bool{9: true, 11: false, 19: false, 25: true} {
		s := studiedProblem(t, i)
		_, freePrediction, freeGreen := s.fitted(t, fit.Spec{})
		e, prediction, green := s.fitted(t, fit.Spec{AskConstraint: true})
		t.Logf("%s, %.0f %% noise: %.4f and %.4f, without %.4f and %.4f; %s", s.name, 100*s.noise, prediction, green, freePrediction, freeGreen, e.Report.Reason)
		if got := e.Constraint != nil; got != want {
			t.Errorf("%s: %v was taken: %s", s.name, e.Constraint, e.Report.Reason)
		}
		if want && (prediction > 0.9*freePrediction || green > 0.7*freeGreen) {
			t.Errorf("%s: errors %.4f and %.4f with %s, %.4f and %.4f without", s.name, prediction, green, e.Constraint, freePrediction, freeGreen)
		}
	}
}

// BenchmarkAutomaticKernels is the study over 40 random problems, and 80 others: the errors
// of the kernel and λ that were chosen over those of an oracle, and the time of the
// processor over that of a fit with the same kernel and by the same criterion. G is compared with the least error that any place of the oracle
// has, which no rule that sees pairs can know, and with that where it predicts best, which a
// rule could be expected to come near. Where there is no noise both errors are of rounding,
// so there are also the ratios of the others.
//
// Of 65 noisy problems on which nothing was tuned, 120 to 199, with kernels that have no kink on one
// side and with all, by the coarser of the searches below: median, 90 %, worst
//
//	prediction                 1.04  1.27  1.83    1.01  1.28  1.83
//	G                          1.12  2.00  9.08    1.09  2.00  9.08
//	G where it predicts best   1.03  1.34  2.01    1.01  1.34  2.01
//
// Predictions of oscillators are 0.77 of what they were (median of ten), the others' unchanged but
// for one. Above 1.2 are all problems of Poisson and of beams, whose G is a polynomial on either
// side of the diagonal, and three others. G is far from the best one for advection from initial
// values alone: at the first time it is an impulse, which kernels that predict well have to be rough
// for; a smooth one is better for G later, which alone is judged, and predicts worse.
//
// With constraints that data show, of the 32 noisy problems among the first 40, whose errors are
// below those of the oracle, which knows of none, because many operators are symmetric or causal:
//
//	prediction                 0.86  1.10  1.31
//	G                          0.86  1.17  10.4
//	G where it predicts best   0.84  1.07  1.17
//
// What a criterion can reach was measured apart, for 29 of the noisy problems, over all places
// that descents by errors and by criteria visit (500 to 1000 kernels each, all λ). The error of
// prediction of the place that a criterion likes best, over the least: median, 90 %, worst
//
//	REML           1.17  1.40  2.09
//	leaving out    1.09  1.42  1.57
//	REML and that  1.14  1.35  1.48
//	GCV            1.10  1.53  2.32
//	the choice     1.07  1.37  1.41
//
// The places of the least error are 4 nats worse than the best for leaving out (median; 90 %:
// 16), and 56 (2100) for REML: the data do not say that they are better, so no choice by
// these criteria comes near 1.03, however fine its grid.
//
// Nor do means help. Where kernels that the search visits have weights exp(-d), with d what they
// are above the best in nats, the errors over the oracle's for 23 of the noisy problems are
//
//	the best alone                1.02  1.23  1.31
//	mean of the predictions       1.04  1.23  1.32
//	mean of the parameters' logs  1.05  1.26  1.48
//
// and with half or a quarter of d no better.
//
// A finer search does help, for kinks: their lengthscales end at steps of 1.19, not 1.41, and for short steps λ begins where the smooth
// part takes as many degrees of freedom as before, for at the λ of lengthscales a fifth longer a better kernel seems hopeless. Of the
// 40 noisy problems with a kink among 300 to 379, on which nothing was tuned, errors of predictions and of G are 0.981 and 0.970 of those
// without (means of their logarithms; from .73 to 1.10 and .70 to 1.11), of the 19 among the first 40 0.992 and 0.969. Of the 32 noisy
// problems of these: median, 90 %, worst
//
//	prediction                 1.01  1.15  1.31
//	G where it predicts best   0.99  1.11  1.16
//
// where the worst G was 1.58 without, of lengthscales from which such steps lead to a criterion less by 16 nats. λ carried along for
// longer steps, too, gives 1.18 for nine tenths of these predictions, and 0.984 and 0.974 for the others.
// To descend at last by leaving out pairs alone makes predictions worse by up to 25 %, by that and half of REML by up to 6 %.
//
// An hour: go test ./bindings -run xxx -bench AutomaticKernels -benchtime 1x -timeout 3h.
func BenchmarkAutomaticKernels(b *testing.B) {
	for range b.N {
		for from := 0; from < 120; from += 40 {
			all, noisy := map[string][]float64{}, map[string][]float64{}
			for i := from; i < from+40; i++ {
				s := studiedProblem(b, i)
				var e *fit.Estimate
				var prediction, green float64
				choice := cpu(func() { e, prediction, green = s.fitted(b, fit.Spec{}) })
				by, _, _ := strings.Cut(e.Report.Criterion, ",") // without how it was computed
				fits := choice / cpu(func() { s.fitted(b, fit.Spec{Kernel: e.Kernel, Criterion: fit.Criterion(by)}) })
				best := newOracle(b, s).best(true)
				for name, v := range map[string]float64{"prediction": prediction / best.prediction, "G": green / best.green, "G where it predicts best": green / best.greenThere, "time": fits} {
					all[name] = append(all[name], v)
					if s.noise > 0 {
						noisy[name] = append(noisy[name], v)
					}
				}
				b.Logf("%2d %-10s %3d pairs, %3.0f %%: prediction %.2e / %.2e = %.3f, G %.3f / %.3f = %.3f, %.3f there, time %.1f fits; %s | %s",
					i, s.name, s.train.N(), 100*s.noise, prediction, best.prediction, prediction/best.prediction, green, best.green, green/best.green, best.greenThere, fits, e.Kernel, best.by)
			}
			for _, ratios := range []map[string][]float64{all, noisy} {
				for name, v := range ratios {
					slices.Sort(v)
					b.Logf("%s of %d: median %.3f, 90 %% %.3f, worst %.3f", name, len(v), v[len(v)/2], v[len(v)*9/10], v[len(v)-1])
				}
			}
		}
	}
}
