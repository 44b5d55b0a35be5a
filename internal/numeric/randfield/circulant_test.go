package randfield

import (
	"math"
	"slices"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The covariance of what Fourier transforms draw is that of the kernel: the first
// column of the root, applied twice, holds k between the first point and every other
// one, on each axis. Kernels and meshes that do not fit are left to a factorisation.
func TestCirculantCovariance(t *testing.T) {
	l := func(l ...float64) kernel.Lengthscale { return l }
	line := []mesh.Mesh{mesh.Must(mesh.Uniform(0, 1, 700, "x"))}
	plane := []mesh.Mesh{mesh.Must(mesh.Uniform(-1, 2, 31, "x")), mesh.Must(mesh.Uniform(0, 1, 27, "t"))}
	for _, c := range []struct {
		name  string
		k     kernel.Kernel
		axes  []mesh.Mesh
		drawn bool
	}{
		{"line", kernel.SE{Lengthscale: l(.1)}, line, true},
		{"longer", kernel.SE{Lengthscale: l(.5)}, line, true},
		{"circle", kernel.Periodic{Period: 1, Lengthscale: l(.5)}, []mesh.Mesh{mesh.Must(mesh.Periodic(0, 1, 720, "x"))}, true},
		{"plane", kernel.Exponential{Lengthscale: l(.2, .05)}, plane, true},
		{"smooth plane", kernel.Matern{Nu: 2.5, Lengthscale: l(.2)}, plane, true},
		{"too long", kernel.Exponential{Lengthscale: l(20)}, plane, false},
		{"graded", kernel.SE{Lengthscale: l(.1)}, []mesh.Mesh{mesh.Must(mesh.Gauss(0, 1, 700, "x"))}, false},
		{"bridge", kernel.BrownianBridge{Lower: 0, Upper: 1}, line, false},
	} {
		m := c.axes[0]
		for _, a := range c.axes[1:] {
			var err error
			if m, err = mesh.Product(m, a); err != nil {
				t.Fatal(err)
			}
		}
		f, err := kernels.Compile(c.k, kernel.Space{Names: m.Names()})
		if err != nil {
			t.Fatal(err)
		}
		got, err := newCirculant(t.Context(), f, m)
		if err != nil {
			t.Fatal(err)
		}
		if (got != nil) != c.drawn {
			t.Errorf("%s: drawn by transforms: %t", c.name, got != nil)
		}
		if got == nil {
			continue
		}
		squared, none := slices.Clone(got.root), make([]float64, len(got.root))
		for i := range squared {
			squared[i] *= squared[i]
		}
		symbol := make([]float64, got.plan.Size())
		got.plan.Inverse(symbol, squared, none)
		cov := make([]float64, m.Size())
		block(cov, symbol, got.shape, got.padded)
		p, q := make([]float64, m.Dim()), make([]float64, m.Dim())
		m.Point(p, 0)
		for i, v := range cov {
			m.Point(q, i)
			if want := f.At(p, q); math.Abs(v-want) > 3*clipped {
				t.Fatalf("%s: covariance of points 1 and %d is %.12g, the kernel says %.12g", c.name, i+1, v, want)
			}
		}
	}
}

// More functions begin with those that fewer are, and a stop is an error.
func TestCirculantDrawsInOrder(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 700, "x"))
	f := Field{Kernel: kernel.Exponential{Lengthscale: kernel.Lengthscale{.1}}, Mesh: m, N: 2, Seed: 4}
	few, err := f.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.N = 5
	more, err := f.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(few.Data, more.Data[:len(few.Data)]) {
		t.Error("5 functions do not begin with the 2 of the same seed")
	}
}
