package network

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/mesh"
)

// fifth is a polynomial of degree 5 and its derivatives.
func fifth(x float64, order int) float64 {
	c, sum := []float64{1, -2, .5, 3, -1, .7}, 0.0
	for k := order; k < len(c); k++ {
		times := c[k]
		for j := range order {
			times *= float64(k - j)
		}
		sum += times * math.Pow(x, float64(k-order))
	}
	return sum
}

// Values between the points of an axis and derivatives are exact for polynomials of degree 5, on any spacing; a shift beyond
// the ends holds the values there.
func TestSamplesOfPolynomialsAreExact(t *testing.T) {
	for _, m := range []mesh.Mesh{mesh.Must(mesh.Uniform(-1, 1, 9, "x")), mesh.Must(mesh.Chebyshev(-1, 1, 11, "x")), mesh.Must(mesh.Uniform(-1, 1, 6, "x"))} {
		a := m.Axes()[0]
		for order := range 4 {
			for _, shift := range []float64{0, .31, -.31, 1.2, -1.2} {
				s, err := sampleAxis(a, []float64{-1, -.83, -.2, 0, .449, .97, 1}, order, shift)
				if err != nil {
					t.Fatal(err)
				}
				for i, x := range []float64{-1, -.83, -.2, 0, .449, .97, 1} {
					got := 0.0
					for j, at := range s.at[i] {
						got += s.weights[i][j] * fifth(a.Coordinates[at], 0)
					}
					x = min(max(x+shift, a.Coordinates[0]), a.Coordinates[a.Size()-1])
					if want := fifth(x, order); s.from != a.Size() || !(math.Abs(got-want) <= 1e-10*math.Pow(20, float64(order))) {
						t.Errorf("%s: derivative %d at %g is %g, want %g", m, order, x, got, want)
					}
				}
			}
		}
		for _, shift := range []float64{2, -2, 5} {
			if _, err := sampleAxis(a, []float64{-1, 1}, 0, shift); err == nil {
				t.Errorf("%s: a shift of %g leaves nothing", m, shift)
			}
		}
	}
}

// A stencil has the points nearest to a place; of a periodic axis they go round, with the coordinates of the turn they are in.
func TestStencilsAreOfTheNearestPoints(t *testing.T) {
	round := mesh.Must(mesh.Periodic(.5, 2.5, 9, "x")).Axes()[0]
	for _, a := range []mesh.Axis{mesh.Must(mesh.Uniform(-1, 1, 9, "x")).Axes()[0], mesh.Must(mesh.Chebyshev(-1, 1, 12, "x")).Axes()[0], round} {
		for _, width := range []int{1, 4, 5, 6} {
			for x := -4.013; x < 4; x += .1 {
				if a.Period == 0 && math.Abs(x) > 1 {
					continue
				}
				at, points := nearest(a, x, width)
				if len(at) != width || len(points) != width {
					t.Fatalf("%d points for a stencil of %d", len(at), width)
				}
				farthest := 0.0
				for i, p := range points {
					turns := (p - a.Coordinates[at[i]]) / max(a.Period, 1)
					if a.Period == 0 && turns != 0 || !(math.Abs(turns-math.Round(turns)) <= 1e-12) || i > 0 && p <= points[i-1] {
						t.Errorf("at %g: point %d is at %g, %g turns on", x, at[i], p, turns)
					}
					farthest = max(farthest, math.Abs(p-x))
				}
				nearer := 0 // points that are nearer than the farthest one
				for turn := -4.0; turn <= 4; turn++ {
					for _, c := range a.Coordinates {
						if (turn == 0 || a.Period > 0) && math.Abs(c+turn*a.Period-x) < farthest-1e-9 {
							nearer++
						}
					}
				}
				if nearer >= width {
					t.Errorf("at %g: %d points are nearer than the farthest of the %d", x, nearer, width)
				}
			}
		}
	}
}

// Of a wave on a periodic axis the error falls by the sixth power of the spacing, wherever a shift leads.
func TestSamplesOfWavesConverge(t *testing.T) {
	off := func(n int, shift float64) float64 {
		a := mesh.Must(mesh.Periodic(.5, 2.5, n, "x"))
		s := testmain.Must(newSampling(a, mesh.Must(mesh.Uniform(.5, 2.4, 17, "x")), nil, []float64{shift}))(t)
		values, worst := make([]float64, n), 0.0
		for i, x := range a.Points() {
			values[i] = math.Sin(math.Pi * x)
		}
		got := make([]float64, 17)
		s.Apply(t.Context(), got, values)
		for i, v := range got {
			worst = max(worst, math.Abs(v-math.Sin(math.Pi*(.5+1.9*float64(i)/16+shift))))
		}
		return worst
	}
	for _, shift := range []float64{.1234, -7.77, 5.05} {
		if coarse, fine := off(24, shift), off(48, shift); !(coarse/fine > 40) || !(fine < 1e-6) {
			t.Errorf("shifted by %g: errors of %g and %g", shift, coarse, fine)
		}
	}
}
