package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// lists are all constraints, all pairs and an eighth of the triples, or all, each in a random order.
func lists(rng *rand.Rand, all []oracle) (out [][]oracle) {
	n := len(all)
	for i := range n {
		out = append(out, []oracle{all[i]})
		for j := range i {
			out = append(out, []oracle{all[i], all[j]})
			for k := (i + j) % testmain.Stride(8); k < j; k += testmain.Stride(8) {
				out = append(out, []oracle{all[i], all[j], all[k]})
			}
		}
	}
	for _, l := range out {
		rng.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
	}
	return out
}

func listed(list []oracle) (l constraint.List) {
	for _, o := range list {
		l = append(l, o.c)
	}
	return l
}

// kinds of meshes of (x, s) in [-1,1] × [0,1]. Where time is to be one axis, it is.
func kinds(rng *rand.Rand, kind int, space, time string) mesh.Mesh {
	times3 := mesh.Must(mesh.Uniform(0, 1, 3, time))
	switch kind {
	case 0:
		return productOf(mesh.Must(mesh.Uniform(-1, 1, 3, space)), times3)
	case 1:
		return productOf(mesh.Must(mesh.Gauss(-1, 1, 3, space)), times3)
	case 2:
		p := []float64{-.9 - .1*rng.Float64(), rng.Float64() - .5, .9 + .1*rng.Float64()}
		return productOf(mesh.Must(mesh.Scattered(p, 1, nil, space)), times3)
	}
	cloud := make([]float64, 10)
	for i := range cloud {
		cloud[i] = rng.Float64()
		if i%2 == 0 {
			cloud[i] = 2*cloud[i] - 1
		}
	}
	copy(cloud, []float64{-.95, .02, .97, .96}) // corners of the box
	return mesh.Must(mesh.Scattered(cloud, 2, nil, space, time))
}

// Whatever constraints are listed, in whatever order, G obeys each of them, on and off
// the meshes, and is the minimiser over all functions that do: that of the kernel
// averaged over the group, by its definition. A list that leaves nothing but zero is
// refused.
func TestListsAreGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	refused := 0
	for i, list := range lists(rng, oracles(t)) {
		m := mean(rng, list)
		kind := i % 4
		invariant := slices.ContainsFunc(list, func(o oracle) bool { return o.invariant })
		large := m != nil && len(m.average) > 8 // too slow by the definition
		switch {
		case m != nil && len(m.average) > 4: // and slow off the grid
			kind = i % 2
		case invariant:
			kind = i % 3 // time is reduced on an axis of its own
		}
		s := fit.Spec{
			Data: noise(t, 3, kinds(rng, kind, "x", "s"), kinds(rng, kind, "y", "t")), Kernel: kernel.Matern{Nu: []float64{.5, 1.5, 2.5}[i/4%3], Lengthscale: kernel.Lengthscale{.4 + rng.Float64(), .4 + rng.Float64(), .4 + rng.Float64(), .4 + rng.Float64()}},
			NoBias: true, Constraint: listed(list), Lambda: math.Pow(10, -1-3*rng.Float64()), Tolerance: 1e-14,
		}
		sp := kernel.Space{Names: []string{"x", "s", "y", "t"}, Inputs: 2}
		if invariant {
			k := s.Kernel.(kernel.Matern)
			s.Kernel, sp = kernel.Matern{Nu: k.Nu, Lengthscale: k.Lengthscale[1:]}, kernel.Space{Names: []string{"x", "y", "lag"}, Inputs: 1}
		}
		name := fmt.Sprintf("%s, meshes %d", s.Constraint, kind)
		e, err := fit.Fit(ctx, s)
		if m == nil {
			refused++
			if err == nil || !strings.Contains(err.Error(), "G = 0") && !strings.Contains(err.Error(), "leaves no") && !strings.Contains(err.Error(), "not depend on time at all") {
				t.Errorf("%s: error %v, but only zero obeys", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkLaws(t, name, e, m, rng)
		if !large {
			checkGreen(t, name, e, m.solve(t, s, compiled(t, s.Kernel, sp)), rng)
		}
		if len(list) == 1 {
			continue // there is no other order
		}
		slices.Reverse(list)
		s.Constraint = listed(list)
		again, err := fit.Fit(ctx, s)
		if err != nil {
			t.Errorf("%s: reversed: %v", name, err)
			continue
		}
		checkGreen(t, name+", reversed", again, func(p []float64) float64 { return value(t, e, p) }, rng)
	}
	if refused < 10 {
		t.Errorf("%d lists leave nothing; the oracles should give more", refused)
	}
}

func value(t *testing.T, e *fit.Estimate, p []float64) float64 {
	t.Helper()
	return testmain.Must(e.At(ctx, p[:2], p[2:]))(t)
}

// checkLaws checks the laws at random points and at points of the meshes.
func checkLaws(t *testing.T, name string, e *fit.Estimate, m *meaning, rng *rand.Rand) {
	t.Helper()
	size := 0.0
	for i := range 24 {
		p := anywhere(rng)
		if i%2 == 0 {
			e.InputMesh.Point(p[:2], rng.IntN(e.InputMesh.Size()))
			e.OutputMesh.Point(p[2:], rng.IntN(e.OutputMesh.Size()))
		}
		v := value(t, e, p)
		size = max(size, math.Abs(v))
		for _, g := range m.laws {
			if w := g.sign * value(t, e, g.at(p)); !(math.Abs(v-w) <= 1e-10*max(size, 1e-3)) {
				t.Errorf("%s: G(%.3g) = %.10g, must be %.10g as at %.3g", name, p, v, w, g.at(p))
			}
		}
		for _, mask := range m.masks {
			if v != 0 && !mask(p) {
				t.Errorf("%s: G(%.3g) = %g, must be 0", name, p, v)
			}
		}
		if m.invariant {
			if w := value(t, e, []float64{p[0], p[1] + .25, p[2], p[3] + .25}); !(math.Abs(v-w) <= 1e-10*max(size, 1e-3)) {
				t.Errorf("%s: G(%.3g) = %.10g and %.10g later", name, p, v, w)
			}
		}
	}
}

// checkGreen compares G with the definition on its meshes and at random points.
func checkGreen(t *testing.T, name string, e *fit.Estimate, want func([]float64) float64, rng *rand.Rand) {
	t.Helper()
	g := testmain.Must(e.Green(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
	var off, size float64
	p := make([]float64, 4)
	for i := 0; i < len(g.RawMatrix().Data); i += 1 + rng.IntN(9) {
		e.InputMesh.Point(p[:2], i/e.OutputMesh.Size())
		e.OutputMesh.Point(p[2:], i%e.OutputMesh.Size())
		w := want(p)
		off, size = max(off, math.Abs(g.RawMatrix().Data[i]-w)), max(size, math.Abs(w))
	}
	for range 5 {
		p := anywhere(rng)
		w := want(p)
		off, size = max(off, math.Abs(value(t, e, p)-w)), max(size, math.Abs(w))
	}
	if !(off <= 1e-8*max(size, 1e-6)) {
		t.Errorf("%s: G differs from the definition by %.2g of %.2g", name, off, size)
	}
}
