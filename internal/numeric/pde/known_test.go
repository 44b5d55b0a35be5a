package pde_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Numbers from the tables of engineers: Timoshenko and Woinowsky-Krieger, Theory of
// Plates and Shells (1959), articles 30 and 34, for a hinged square plate; the beam by
// elementary integration.
func TestDeflectionsFromTheTables(t *testing.T) {
	plate := pde.Biharmonic{Mesh: square(33)}
	if w := pde.GreenAt(plate, []float64{0.5, 0.5}, []float64{0.5, 0.5}); !(math.Abs(w-0.0116008) <= 5e-7) {
		t.Errorf("plate under a load at its centre: %.7f, want 0.01160", w)
	}
	ones := func([]float64) float64 { return 1 }
	u, err := pde.Solve(ctx, plate, sample(plate.Mesh, ones))
	if err != nil {
		t.Fatal(err)
	}
	if w := u.At(0, 16*33+16); !(math.Abs(w-0.0040624) <= 1e-5) {
		t.Errorf("plate under a uniform load: %.6f at its centre, want 0.00406", w)
	}
	beam := pde.Beam{Mesh: axis(0, 2, 81, "x"), Stiffness: pde.Constant(4)}
	if w := pde.GreenAt(beam, []float64{2}, []float64{2}); !(math.Abs(w-8./12) <= 1e-14) {
		t.Errorf("beam under a load at its tip: %.15f, want P L³/(3 E I)", w)
	}
	if u, err = pde.Solve(ctx, beam, sample(beam.Mesh, ones)); err != nil {
		t.Fatal(err)
	}
	if w := u.At(0, 80); !(math.Abs(w-16./32) <= 1e-3) {
		t.Errorf("beam under a uniform load: %.6f at its tip, want q L⁴/(8 E I)", w)
	}
}

// Green's functions are symmetric where the operator is, vanish on the boundary, and
// do not care which side of a rectangle comes first, nor where it is.
func TestGreenFunctionsInThePlane(t *testing.T) {
	wide, err := mesh.Product(axis(-1, 1, 9, "x"), axis(0, 1, 9, "y"))
	if err != nil {
		t.Fatal(err)
	}
	tall, err := mesh.Product(axis(0, 1, 9, "x"), axis(-1, 1, 9, "y"))
	if err != nil {
		t.Fatal(err)
	}
	moved, err := mesh.Product(axis(2, 4, 9, "x"), axis(-5, -4, 9, "y"))
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string][3]pde.Known{
		"poisson2d":  {pde.Poisson2D{Mesh: wide}, pde.Poisson2D{Mesh: tall}, pde.Poisson2D{Mesh: moved}},
		"biharmonic": {pde.Biharmonic{Mesh: wide}, pde.Biharmonic{Mesh: tall}, pde.Biharmonic{Mesh: moved}},
	} {
		for _, c := range [][2][2]float64{{{0.1, 0.3}, {-0.7, 0.8}}, {{0.5, 0.5}, {0.5, 0.2}}, {{0.5, 0.5}, {0.3, 0.5}}, {{0.25, 0.25}, {0.25, 0.25}}} {
			x, y := c[0][:], c[1][:]
			g := pde.GreenAt(p[0], x, y)
			if !(g > 0) {
				t.Errorf("%s: G(%v, %v) = %g, must be positive", name, x, y, g)
			}
			if back := pde.GreenAt(p[0], y, x); !(math.Abs(g-back) <= 1e-9) {
				t.Errorf("%s: G(%v, %v) = %.12g, exchanged %.12g", name, x, y, g, back)
			}
			tol := 1e-13 // terms of the series fall off with the distance of the points
			if x[0] == y[0] && x[1] == y[1] {
				tol = 1e-7
			}
			if turned := pde.GreenAt(p[1], []float64{x[1], x[0]}, []float64{y[1], y[0]}); !(math.Abs(g-turned) <= tol) {
				t.Errorf("%s: G(%v, %v) = %.12g, turned by 90° %.12g", name, x, y, g, turned)
			}
			if there := pde.GreenAt(p[2], []float64{x[0] + 3, x[1] - 5}, []float64{y[0] + 3, y[1] - 5}); !(math.Abs(g-there) <= 1e-12) {
				t.Errorf("%s: G(%v, %v) = %.12g, on a rectangle elsewhere %.12g", name, x, y, g, there)
			}
		}
		for _, y := range [][]float64{{-1, 0.3}, {1, 0.3}, {0.2, 0}, {0.2, 1}} {
			if g := pde.GreenAt(p[0], []float64{0.1, 0.4}, y); !(math.Abs(g) <= 1e-12) {
				t.Errorf("%s: G = %g at %v on the boundary", name, g, y)
			}
		}
	}
}

// On a line that lies elsewhere, and in another unit, a problem with constant coefficients has the
// answers it has from 0 on: those of the length and the time alone.
func TestLinesElsewhere(t *testing.T) {
	const c, later = 3, 2
	for name, at := range map[string]func(from, start float64) pde.Known{
		"poisson": func(from, _ float64) pde.Known {
			return pde.Poisson{Mesh: axis(from, from+2, 9, "x"), Left: 0.4, Right: -0.7}
		},
		"helmholtz": func(from, _ float64) pde.Known {
			return pde.Helmholtz{Mesh: axis(from, from+2, 9, "x"), Omega: 2, Left: 0.4, Right: -0.7}
		},
		"beam": func(from, _ float64) pde.Known {
			return pde.Beam{Mesh: axis(from, from+2, 9, "x"), Stiffness: pde.Constant(2)}
		},
		"heat": func(from, start float64) pde.Known {
			return pde.Heat{Mesh: axis(from, from+2, 9, "x"), Time: axis(start, start+1, 9, "t"), Alpha: 0.3}
		},
		"wave": func(from, start float64) pde.Known {
			return pde.Wave{Mesh: axis(from, from+2, 9, "x"), Time: axis(start, start+1, 9, "t"), Speed: 1.5}
		},
	} {
		here, there := at(0, 0), at(c, later)
		for _, p := range [][4]float64{{0.3, 1.6, 0.1, 0.7}, {1.6, 0.3, 0, 0.45}, {0.9, 1.1, 0.2, 0.4}} {
			x, y := []float64{p[0]}, []float64{p[1]}
			movedX, movedY := []float64{p[0] + c}, []float64{p[1] + c}
			if name == "heat" || name == "wave" {
				x, y = append(x, p[2]), append(y, p[3])
				movedX, movedY = append(movedX, p[2]+later), append(movedY, p[3]+later)
			}
			if a, b := pde.GreenAt(here, x, y), pde.GreenAt(there, movedX, movedY); !(math.Abs(a-b) <= 1e-12) {
				t.Errorf("%s: G(%v, %v) = %.15g, and %.15g elsewhere", name, x, y, a, b)
			}
			if a, b := pde.BiasAt(here, y), pde.BiasAt(there, movedY); !(math.Abs(a-b) <= 1e-12) {
				t.Errorf("%s: the bias at %v is %.15g, and %.15g elsewhere", name, y, a, b)
			}
		}
	}
}

// Sums over the mesh with the mean over a cell in place of the infinite value give
// the solution, at second order: u = sin πx sin πy/(2π²) for f = sin πx sin πy.
func TestSumsOfTheLogarithm(t *testing.T) {
	var errs []float64
	y := []float64{0.5, 0.25}
	for _, n := range []int{9, 17, 33} {
		p := pde.Poisson2D{Mesh: square(n)}
		sum, x := 0.0, make([]float64, 2)
		for j, w := range p.Mesh.Weights() {
			p.Mesh.Point(x, j)
			sum += w * pde.GreenAt(p, x, y) * math.Sin(math.Pi*x[0]) * math.Sin(math.Pi*x[1])
		}
		errs = append(errs, math.Abs(sum-math.Sin(math.Pi*0.25)/(2*math.Pi*math.Pi)))
	}
	for k := 1; k < len(errs); k++ {
		if order := math.Log2(errs[k-1] / errs[k]); !(order >= 1.7) {
			t.Errorf("errors %.2g fall at order %.2f, want 2", errs, order)
		}
	}
}

// Waves and their absence on one interval: from where Airy's functions oscillate to
// where they grow and decay.
func TestAiryAcrossTheTurningPoint(t *testing.T) {
	p := pde.Airy{Mesh: axis(-3, 2, 201, "x"), Kappa: 4, Left: 1, Right: -0.5}
	g, err := pde.Green(ctx, columns{p}, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := pde.Green(ctx, p, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	var d mat.Dense
	d.Sub(g, want)
	if e := mat.Norm(&d, 2) / mat.Norm(want, 2); !(e <= 0.05) {
		t.Errorf("columns differ by %.2g", e)
	}
	b, err := pde.Bias(ctx, columns{p}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	for j, x := range p.Mesh.Points() {
		if w := pde.BiasAt(p, []float64{x}); !(math.Abs(b[j]-w) <= 0.1) {
			t.Errorf("β(%g) = %g, want %g", x, b[j], w)
		}
	}
}

// Where Airy's functions grow and decay alone there is one solution, however different they are in size.
func TestAiryAwayFromTheTurningPoint(t *testing.T) {
	for _, kappa := range []float64{4, 90, 700} {
		p := pde.Airy{Mesh: axis(0.5, 1, 401, "x"), Kappa: kappa, Left: 1, Right: 2}
		b, err := pde.Bias(ctx, p, mesh.Mesh{})
		if err != nil {
			t.Errorf("kappa %g: %v", kappa, err)
			continue
		}
		u, err := pde.Solve(ctx, p, mat.NewDense(1, 401, nil))
		if err != nil {
			t.Errorf("kappa %g: %v", kappa, err)
			continue
		}
		for _, b := range [][]float64{b, u.RawRowView(0)} {
			if b[0] != 1 || b[400] != 2 || !(slices.Min(b) >= 0) || !(slices.Max(b) <= 2) {
				t.Errorf("kappa %g: from %g to %g at the ends, %g to %g between them", kappa, b[0], b[400], slices.Min(b), slices.Max(b))
			}
		}
	}
}

// An interval that is longer than that of an eigenvalue by a ten-millionth has one solution, and one that is as long has none.
func TestAiryBesideAnEigenvalue(t *testing.T) {
	const zero = -2.338107410459767 // of Ai, and Bi(10) is so large that what vanishes at the other end is Ai
	for longer, refused := range map[float64]bool{0: true, 1e-7: false, -1e-7: false} {
		_, err := pde.Bias(ctx, pde.Airy{Mesh: axis(zero*(1+longer), 10, 50, "x"), Kappa: 1}, mesh.Mesh{})
		if (err != nil) != refused {
			t.Errorf("longer by %g: %v", longer, err)
		}
	}
}

// A wave arrives, is reflected with the opposite sign at an end, and adds to what has
// come the other way.
func TestWaveFronts(t *testing.T) {
	p := pde.Wave{Mesh: axis(0, 0.25, 5, "x"), Time: axis(0, 9, 5, "t"), Speed: 0.5}
	for _, c := range []struct{ x, y, lag, want float64 }{
		{0.125, 0.0625, 0.12, 0},
		{0.125, 0.0625, 0.125, 0.5},
		{0.125, 0.0625, 0.13, 1},
		{0.125, 0.0625, 0.37, 1},
		{0.125, 0.0625, 0.38, 0},  // reflected at 0
		{0.125, 0.0625, 0.63, -1}, // and at the other end
		{0.125, 0.0625, 1.13, 1},  // once around: as at first
		{0.125, 0.0625, 8.13, 1},
		{0.25, 0.25, 1, 0}, // an end does not move, not on a front either
		{0.125, 0.0625, -0.1, 0},
		{0.125, 0.125, 0, 0},
	} {
		if g := pde.GreenAt(p, []float64{c.x, 1}, []float64{c.y, 1 + c.lag}); !(math.Abs(g-c.want) <= 1e-12) {
			t.Errorf("G from %g to %g after %g: %g, want %g", c.x, c.y, c.lag, g, c.want)
		}
	}
}

// The bias of problems with u given at both ends has these values there and solves the equation without a source, on an interval
// that begins anywhere; Green's functions vanish at the ends.
func TestBiasOnAnyInterval(t *testing.T) {
	on := axis(1, 2.5, 7, "x")
	for name, c := range map[string]struct {
		p    pde.Known
		over func(x float64) float64 // u″/u
	}{
		"poisson":   {pde.Poisson{Mesh: on, Left: 2, Right: -3}, func(float64) float64 { return 0 }},
		"helmholtz": {pde.Helmholtz{Mesh: on, Omega: 3, Left: 2, Right: -3}, func(float64) float64 { return -9 }},
		"airy":      {pde.Airy{Mesh: on, Kappa: 2, Left: 2, Right: -3}, func(x float64) float64 { return 4 * x }},
	} {
		u := func(x float64) float64 { return pde.BiasAt(c.p, []float64{x}) }
		if !(math.Abs(u(1)-2) <= 1e-12) || !(math.Abs(u(2.5)+3) <= 1e-12) {
			t.Errorf("%s: %g and %g at the ends", name, u(1), u(2.5))
		}
		const h = 1e-3
		for _, x := range []float64{1.2, 1.7, 2.3} {
			if second := (u(x+h) - 2*u(x) + u(x-h)) / (h * h); !(math.Abs(second-c.over(x)*u(x)) <= 1e-4) {
				t.Errorf("%s: at %g u″ is %g, u %g", name, x, second, u(x))
			}
			for _, end := range []float64{1, 2.5} {
				if g := pde.GreenAt(c.p, []float64{x}, []float64{end}); !(math.Abs(g) <= 1e-12) {
					t.Errorf("%s: G from %g to the end %g is %g", name, x, end, g)
				}
			}
		}
	}
}

// On a rectangle twice as large in both directions Green's function of an operator of order k is 2^(k-2) times as large.
func TestGreenFunctionsOfLargerRectangles(t *testing.T) {
	at := func(scale float64) mesh.Mesh {
		m, err := mesh.Product(axis(0, scale, 9, "x"), axis(0, 1.5*scale, 9, "y"))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for name, c := range map[string]struct {
		p      func(m mesh.Mesh) pde.Known
		larger float64
	}{
		"poisson2d":  {func(m mesh.Mesh) pde.Known { return pde.Poisson2D{Mesh: m} }, 1},
		"biharmonic": {func(m mesh.Mesh) pde.Known { return pde.Biharmonic{Mesh: m} }, 4},
	} {
		for _, x := range [][]float64{{.3, .4}, {.5, 1.1}, {.8, .1}} {
			for _, y := range [][]float64{{.2, .7}, {.9, 1.2}} {
				small := pde.GreenAt(c.p(at(1)), x, y)
				large := pde.GreenAt(c.p(at(2)), []float64{2 * x[0], 2 * x[1]}, []float64{2 * y[0], 2 * y[1]})
				if !(math.Abs(large-c.larger*small) <= 1e-12) || small == 0 {
					t.Errorf("%s: from %v to %v it is %g, and %g on the larger one", name, x, y, small, large)
				}
			}
		}
	}
}

// Green's functions know differences of times and places of boundaries only: a problem elsewhere, at another time, has the same.
func TestGreenFunctionsOfMovedProblems(t *testing.T) {
	at := func(x, s float64) [2]mesh.Mesh { return [2]mesh.Mesh{axis(x, x+2, 9, "x"), axis(s, s+1, 5, "t")} }
	for name, p := range map[string]func(m [2]mesh.Mesh) pde.Known{
		"heat": func(m [2]mesh.Mesh) pde.Known { return pde.Heat{Mesh: m[0], Time: m[1], Alpha: .3} },
		"wave": func(m [2]mesh.Mesh) pde.Known { return pde.Wave{Mesh: m[0], Time: m[1], Speed: 1.7} },
		"advection diffusion": func(m [2]mesh.Mesh) pde.Known {
			return pde.AdvectionDiffusion{Mesh: m[0], Time: m[1], Velocity: .8, Diffusivity: .2}
		},
		"damped oscillator": func(m [2]mesh.Mesh) pde.Known { return pde.Oscillator{Time: m[1], C: .5, Omega: 4} },
	} {
		first, moved := p(at(0, 0)), p(at(-3, 5))
		for _, from := range [][2]float64{{.3, 0}, {1.2, .31}, {1.9, .6}} {
			for _, to := range [][2]float64{{.4, .1}, {1, .45}, {1.3, .9}, {.2, 1}} {
				x, y, x2, y2 := from[:], to[:], []float64{from[0] - 3, from[1] + 5}, []float64{to[0] - 3, to[1] + 5}
				switch name {
				case "damped oscillator":
					x, y, x2, y2 = x[1:], y[1:], x2[1:], y2[1:]
				case "advection diffusion": // of the first time
					x, x2 = x[:1], x2[:1]
				}
				want, got := pde.GreenAt(first, x, y), pde.GreenAt(moved, x2, y2)
				if !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
					t.Errorf("%s: from %v to %v it is %g, moved %g", name, x, y, want, got)
				}
			}
		}
	}
}
