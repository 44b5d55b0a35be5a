package assess_test

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/numeric/assess"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// misspecified are data whose model is wrong, and the test that has to say so.
type misspecified struct {
	of     any
	noise  noise
	kernel kernel.Kernel
	fails  assess.Kind
	n      int
}

func wrongModels() map[string]misspecified {
	m := line(20)
	poisson, helmholtz := pde.Poisson{Mesh: m}, pde.Helmholtz{Mesh: m, Omega: 12}
	return map[string]misspecified{
		"Poisson, smooth kernel":           {poisson, white(.2), se(.3), assess.Kernels, 30},
		"Helmholtz, smooth kernel":         {helmholtz, white(.2), se(.3), assess.Kernels, 30},
		"Helmholtz, correlated noise":      {helmholtz, autoregressive(.3, .9), matern(.3), assess.AlongOutput, 40},
		"Helmholtz, sd along y":            {helmholtz, louder(.3, 30), matern(.3), assess.OutputSpread, 40},
		"Helmholtz, sd by curve":           {helmholtz, loudPairs(.3), matern(.3), assess.PairSpread, 40},
		"Helmholtz, five % of wrong ones":  {helmholtz, wrongValues(.3, .05), matern(.3), assess.Outliers, 40},
		"Poisson, correlated noise":        {poisson, autoregressive(.3, .9), matern(.3), assess.AlongOutput, 40},
		"Poisson, sd along y":              {poisson, louder(.3, 30), matern(.3), assess.OutputSpread, 40},
		"Poisson, sd by curve":             {poisson, loudPairs(.3), matern(.3), assess.PairSpread, 40},
		"Poisson, five % of wrong ones":    {poisson, wrongValues(.3, .05), matern(.3), assess.Outliers, 40},
		"Poisson, smooth, less noise":      {poisson, white(.05), se(.3), assess.Kernels, 30},
		"Rough operator, smooth kernel":    {kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}, white(.1), se(.3), assess.Kernels, 30},
		"Helmholtz, correlated, automatic": {helmholtz, autoregressive(.3, .9), kernel.Matern{Nu: 2.5, Lengthscale: kernel.Auto}, assess.AlongOutput, 40},
	}
}

// A check fails where the model is wrong, by the test that is for it.
func TestCheckFailsWhereTheModelIsWrong(t *testing.T) {
	for name, c := range wrongModels() {
		points := 20
		switch { // the others are in the study
		case name == "Poisson, smooth kernel":
			points = 12
			c.of = pde.Poisson{Mesh: line(points)}
		case name == "Helmholtz, smooth kernel":
		case strings.HasPrefix(name, "Helmholtz") && !strings.Contains(name, "automatic") && c.fails != assess.Kernels:
			c.kernel = se(.12) // a product, which is quicker
		default:
			continue
		}
		e := fitted(t, fit.Spec{Data: simulated(t, line(points), c.n, c.of, c.noise, 1), Kernel: c.kernel})
		r, err := assess.Run(ctx, e, assess.Options{Seed: 1, NoKernels: c.fails != assess.Kernels})
		if err != nil {
			t.Fatal(name, err)
		}
		if !slices.Contains(r.Failed(), c.fails) {
			t.Errorf("%s: %q did not fail:\n%s", name, c.fails, r)
		}
	}
}

// Of data for which the model is true, a check passes, of all routes: a kernel that is a product,
// one that is none, and missing outputs.
func TestCheckPassesWhereTheModelIsTrue(t *testing.T) {
	m := line(14)
	for name, k := range map[string]kernel.Kernel{"product": se(.3), "other": matern(.3), "missing": se(.3)} {
		d := simulated(t, m, 24, k, white(.2), 3)
		if name == "missing" {
			d.Missing = true
			for i := 0; i < len(d.Output.Data); i += 7 {
				d.Output.Data[i] = math.NaN()
			}
		}
		r, err := assess.Run(ctx, fitted(t, fit.Spec{Data: d, Kernel: k}), assess.Options{Seed: 1, NoKernels: name != "product"})
		if err != nil {
			t.Fatal(name, err)
		}
		if !r.Passed() {
			t.Errorf("%s:\n%s", name, r)
		}
	}
}

// Study: how many of the checks fail by chance.
func TestCheckStudy(t *testing.T) {
	if *datasets == 0 {
		t.Skip("a study, run by hand: -datasets 200")
	}
	failed, by := 0, map[assess.Kind]int{}
	kernels := []struct{ truth, fitted kernel.Kernel }{
		{se(.3), se(.3)},
		{matern(.3), matern(.3)},
		{se(.3), kernel.SE{Lengthscale: kernel.Auto}},
		{matern(.3), kernel.Matern{Nu: 2.5, Lengthscale: kernel.Auto}},
	}
	for i := range *datasets {
		k, seed := kernels[i%len(kernels)], *fromSeed+uint64(i)
		e := fitted(t, fit.Spec{Data: simulated(t, line(20), 30, k.truth, white(.2), seed), Kernel: k.fitted})
		r := testmain.Must(assess.Run(ctx, e, assess.Options{Seed: seed}))(t)
		for _, f := range r.Failed() {
			by[f]++
		}
		if !r.Passed() {
			failed++
			t.Logf("seed %d, %v:\n%s", seed, k.fitted, r)
		}
	}
	t.Logf("the model is true: %d of %d data sets pass; failed: %v", *datasets-failed, *datasets, by)
	if !(float64(failed) <= .05*float64(*datasets)) {
		t.Errorf("more than 5 %% fail")
	}
}

// Study: a check fails for every data set whose model is wrong, of the cases that -run names:
//
//	go test ./internal/numeric/assess -run 'TestCheckPowerStudy/Poisson,_smooth_kernel' -datasets 200 -v
func TestCheckPowerStudy(t *testing.T) {
	if *datasets == 0 {
		t.Skip("a study, run by hand: -datasets 200")
	}
	all := wrongModels()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			c, found, any, start := all[name], 0, 0, time.Now()
			sets := max(1, *datasets/10)
			for i := range sets {
				seed := *fromSeed + uint64(i)
				e := fitted(t, fit.Spec{Data: simulated(t, line(20), c.n, c.of, c.noise, seed), Kernel: c.kernel})
				r := testmain.Must(assess.Run(ctx, e, assess.Options{Seed: seed, NoKernels: c.fails != assess.Kernels}))(t)
				if slices.Contains(r.Failed(), c.fails) {
					found++
				}
				if !r.Passed() {
					any++
				} else {
					t.Errorf("seed %d passes:\n%s", seed, r)
				}
			}
			t.Logf("%q fails for %d of %d data sets, anything for %d; %.2g s each", c.fails, found, sets, any, time.Since(start).Seconds()/float64(sets))
		})
	}
}

// What cannot be checked is refused in words, and a check ends when it is asked to.
func TestCheckRefuses(t *testing.T) {
	m := line(8)
	d := simulated(t, m, 3, se(.3), white(.2), 1)
	if _, err := assess.Run(ctx, fitted(t, fit.Spec{Data: d, Kernel: se(.3), Lambda: 1e-3}), assess.Options{}); err == nil || !strings.Contains(err.Error(), "at least 4") {
		t.Errorf("three pairs: %v", err)
	}
	e := fitted(t, fit.Spec{Data: simulated(t, m, 12, se(.3), white(.2), 1), Kernel: matern(.3)})
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := assess.Run(stopped, e, assess.Options{}); err == nil {
		t.Error("a check that was cancelled went on")
	}
}

// Units and origins of inputs, outputs and axes do not change what a check finds.
func TestCheckInOtherUnits(t *testing.T) {
	m := line(10)
	d := simulated(t, m, 16, se(.3), white(.2), 4)
	var first []float64
	for _, by := range []float64{1, 1e-9, 1e9} {
		u, f := d.Output.Copy(), d.Input.Copy()
		for i := range u.Data {
			u.Data[i] = by*u.Data[i] + 1e3*by
		}
		for i := range f.Data {
			f.Data[i] /= by
		}
		other := testmain.Must(dataset.New(dataset.Spec{Input: f, Output: &array.Array{Shape: u.Shape, Data: u.Data}, InputMesh: m, OutputMesh: m}))(t)
		r := testmain.Must(assess.Run(ctx, fitted(t, fit.Spec{Data: other, Kernel: se(.3)}), assess.Options{Seed: 2, NoKernels: true}))(t)
		for i, test := range r.Tests {
			p := 0.0
			if test.P != nil {
				p = *test.P
			}
			if by == 1 {
				first = append(first, p)
			} else if !(math.Abs(p-first[i]) <= 0.02) {
				t.Errorf("times %g: %s: p %g, before %g", by, test.Kind, p, first[i])
			}
		}
	}
}

// A fit that follows its values as it would follow any noise fails, whatever lambda is given: no other test sees it.
func TestCheckOfAsManyDegreesOfFreedomAsValues(t *testing.T) {
	d := simulated(t, line(4), 5, se(.3), white(.3), 1)
	for lambda, passed := range map[float64]bool{1e-12: false, 1e-3: true} {
		r := testmain.Must(assess.Run(ctx, fitted(t, fit.Spec{Data: d, Kernel: matern(.1), Lambda: lambda}), assess.Options{NoKernels: true}))(t)
		if got := !slices.Contains(r.Failed(), assess.Freedom); got != passed {
			t.Errorf("lambda %g: passed is %v\n%v", lambda, got, r)
		}
		if !passed && (r.Passed() || !strings.Contains(r.String(), "not to be trusted")) {
			t.Errorf("lambda %g: the bands can be reported?\n%v", lambda, r)
		}
	}
}
