package pde

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/numeric/mesh"
)

// The heat kernel of an interval of length l is that of [0, 1] with lengths divided by l and
// times by l²; around the time from which it is summed over eigenfunctions, too.
func TestHeatKernelScales(t *testing.T) {
	for _, l := range []float64{1e-3, 0.3, 2, 40} {
		for _, tau := range []float64{1e-3, 0.03, 0.0999, 0.1001, 0.3, 1} {
			for _, p := range [][2]float64{{0.2, 0.3}, {0.5, 0.5}, {0.9, 0.05}} {
				got, want := l*heatKernel(tau*l*l, l*p[0], l*p[1], l), heatKernel(tau, p[0], p[1], 1)
				if peak := 1 / math.Sqrt(4*math.Pi*tau); !(math.Abs(got-want) <= 1e-14*(1+peak)) {
					t.Errorf("l = %g, tau = %g, %v: %.17g, on [0, 1] %.17g", l, tau, p, got, want)
				}
			}
		}
	}
	// The two sums agree where they meet: on both sides of it the kernel hardly differs.
	if a, b := heatKernel(0.1*(1-1e-12), 0.3, 0.6, 1), heatKernel(0.1*(1+1e-12), 0.3, 0.6, 1); !(math.Abs(a-b) <= 1e-11) {
		t.Errorf("%.15g and %.15g where the sums meet", a, b)
	}
}

// The mean of Green's function of the plane over the cell around its source is that of its values at points all over the
// cell, by the midpoint rule, inside the domain and near its sides, where cells are squares (the smooth part is harmonic); the singularity leaves the rule an error of a point's share.
func TestMeanOverTheCellOfTheSource(t *testing.T) {
	m, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 12, "x")), mesh.Must(mesh.Uniform(-1, 1, 23, "y")))
	if err != nil {
		t.Fatal(err)
	}
	p := Poisson2D{Mesh: m}
	r := rectangleOf(m)
	const n = 100
	for _, x := range [][]float64{{5. / 11, 3. / 11}, {1. / 11, -10. / 11}, {10. / 11, 0}} {
		sum := 0.0
		from := r.local(x)
		for i := range n {
			for j := range n {
				at := from
				at[0] += r.step[0] * ((float64(i)+.5)/n - .5)
				at[1] += r.step[1] * ((float64(j)+.5)/n - .5)
				sum += r.logarithms(from, at)
			}
		}
		if got, want := p.greenAt(x, x), sum/(n*n); !(math.Abs(got-want) <= 1e-3*want) {
			t.Errorf("at %v: %g, want %g", x, got, want)
		}
	}
	for _, x := range [][]float64{{0, 3. / 11}, {1, 3. / 11}, {5. / 11, -1}, {5. / 11, 1}, {0, -1}} { // nothing is felt of a source on a side
		if got := p.greenAt(x, x); got != 0 {
			t.Errorf("at %v, on a side: %g", x, got)
		}
	}
}
