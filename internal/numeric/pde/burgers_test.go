package pde_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

func circleOf(n int) mesh.Mesh { return mesh.Must(mesh.Periodic(0, 1, n, "x")) }

// steep is an input with a mean, which makes a shock.
func steep(x []float64) float64 {
	return 0.2 + 0.5*math.Sin(2*math.Pi*x[0]) + 0.2*math.Cos(4*math.Pi*x[0]+1)
}

// The differences of the semilinear solver, which knows nothing of Cole and Hopf, converge to
// the outputs at their order, 2.
func TestBurgersIsWhatDifferencesConvergeTo(t *testing.T) {
	var errs []float64
	for _, n := range []int{64, 128} {
		m, times := circleOf(n), axis(0, 0.5, n/2+1, "t")
		exact, err := pde.Solve(ctx, pde.Burgers{Mesh: m, Time: times, Viscosity: 0.02}, sample(m, steep))
		if err != nil {
			t.Fatal(err)
		}
		u := pde.Unknown(m, times)
		p, err := pde.Define(ctx, pde.Definition{
			Mesh: m, Time: times, Input: pde.InputInitial,
			Operator: u.D("t", 1).Plus(u.D("x", 2).Scale(-0.02), u.Power(2).D("x", 1).Scale(0.5)),
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := pde.Solve(ctx, p, sample(m, steep))
		if err != nil {
			t.Fatal(err)
		}
		var d mat.Dense
		d.Sub(exact, got)
		errs = append(errs, mat.Norm(&d, 2)/mat.Norm(exact, 2))
	}
	if order := math.Log2(errs[0] / errs[1]); !(order > 1.7) || !(errs[1] < 5e-3) {
		t.Errorf("errors %.2g fall at order %.2f, want 2", errs, order)
	}
}

// A finer mesh of inputs and steps changes no output: they are exact. Nor does it matter whether
// time is taken in one step or in several, or by which velocity the frame moves.
func TestBurgersIsExact(t *testing.T) {
	coarse, fine := circleOf(32), circleOf(96)
	solve := func(m, times mesh.Mesh, shift float64) *mat.Dense {
		u, err := pde.Solve(ctx, pde.Burgers{Mesh: m, Time: times, Viscosity: 0.01}, sample(m, func(x []float64) float64 { return steep(x) + shift }))
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	want := solve(coarse, axis(0, 1, 3, "t"), 0)
	finer := solve(fine, axis(0, 1, 9, "t"), 0)
	moved := solve(coarse, axis(0, 1, 3, "t"), 2) // by two turns of the circle in a unit of time
	for j := range 32 {
		for k := range 3 {
			u := want.At(0, 3*j+k)
			if d := math.Abs(finer.At(0, 27*j+4*k) - u); !(d <= 1e-11) {
				t.Fatalf("x %d, t %d: on a finer mesh %.3g away", j, k, d)
			}
			if d := math.Abs(moved.At(0, 3*j+k) - 2 - u); !(d <= 1e-11) {
				t.Fatalf("x %d, t %d: in a frame that moves %.3g away", j, k, d)
			}
		}
	}
	// In units of which a turn is 3 and a unit of time 0.5.
	const length, time = 3, 0.5
	u, err := pde.Solve(ctx, pde.Burgers{Mesh: mesh.Must(mesh.Periodic(0, length, 32, "x")), Time: axis(0, time, 3, "t"), Viscosity: 0.01 * length * length / time},
		sample(coarse, func(x []float64) float64 { return steep(x) * length / time }))
	if err != nil {
		t.Fatal(err)
	}
	u.Scale(time/length, u)
	if !mat.EqualApprox(u, want, 1e-11) {
		t.Error("in other units the outputs are others")
	}
	for i := range 32 { // the first time is the input itself
		if want.At(0, 3*i) != steep([]float64{float64(i) / 32}) {
			t.Fatal("the output at the first time is not the input")
		}
	}
}

func TestBurgersRefusals(t *testing.T) {
	times := axis(0, 1, 5, "t")
	for _, c := range []struct {
		p     pde.Burgers
		scale float64
		want  string
	}{
		{pde.Burgers{Mesh: interval(16), Time: times, Viscosity: 0.01}, 1, "must be periodic"},
		{pde.Burgers{Mesh: circleOf(16), Time: times}, 1, "viscosity 0"},
		{pde.Burgers{Mesh: circleOf(16), Time: times, Viscosity: 1e-9}, 1, "need a mesh of"},
		{pde.Burgers{Mesh: circleOf(16), Time: times, Viscosity: 0.01}, math.Inf(1), "must be finite"},
	} {
		_, err := pde.Solve(ctx, c.p, sample(c.p.Mesh, func(x []float64) float64 { return c.scale * steep(x) }))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.p, err, c.want)
		}
	}
	// The slope of sin 2πx is 2π, which decides how fine a mesh has to be.
	_, err := pde.Solve(ctx, pde.Burgers{Mesh: circleOf(64), Time: times, Viscosity: 1e-9}, sample(circleOf(64), func(x []float64) float64 { return math.Sin(2 * math.Pi * x[0]) }))
	if err == nil || !strings.Contains(err.Error(), "slope, 6.28,") {
		t.Errorf("error %v, want the slope 6.28", err)
	}
}

// With a smooth permeability the flow converges at order 2 to an exact solution, whose source
// follows from it: here by the refined mesh of the solver, seen on a coarse one.
func TestDarcyConverges(t *testing.T) {
	x, y := axis(0, 1, 9, "x"), axis(0, 2, 9, "y")
	m, err := mesh.Product(x, y)
	if err != nil {
		t.Fatal(err)
	}
	// a = 1: u = sin πx sin πy, -Δu = 2π² u.
	source := pde.Func(func(p []float64) float64 {
		return 2 * math.Pi * math.Pi * math.Sin(math.Pi*p[0]) * math.Sin(math.Pi*p[1])
	})
	var errs []float64
	for _, refine := range []int{2, 4} {
		u, err := pde.Solve(ctx, pde.Darcy{Mesh: m, Source: source, Refine: refine, Law: pde.Threshold, Low: 3, High: 12}, sample(m, func([]float64) float64 { return 1 }))
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for k, v := range u.RawRowView(0) {
			p := make([]float64, 2)
			m.Point(p, k)
			worst = max(worst, math.Abs(v-math.Sin(math.Pi*p[0])*math.Sin(math.Pi*p[1])))
		}
		errs = append(errs, worst)
	}
	if order := math.Log2(errs[0] / errs[1]); !(math.Abs(order-2) <= 0.1) || !(errs[1] <= 5e-3) {
		t.Errorf("errors %.2g fall at order %.2f, want 2", errs, order)
	}
}

// Where the permeability jumps half way between two points, from 1 to 9, with no flow in y far
// from the ends, u is what it is of two layers: the flux is the same on both sides.
func TestDarcyFluxesAcrossAJump(t *testing.T) {
	m, err := mesh.Product(axis(0, 1, 12, "x"), axis(0, 40, 41, "y"))
	if err != nil {
		t.Fatal(err)
	}
	layers := func(p []float64) float64 {
		if p[0] < 0.5 {
			return 1
		}
		return 9
	}
	u, err := pde.Solve(ctx, pde.Darcy{Mesh: m, Source: pde.Constant(1), Refine: 1, Law: pde.Threshold, Low: 3, High: 12}, sample(m, layers))
	if err != nil {
		t.Fatal(err)
	}
	// -(a u′)′ = 1: a u′ = c - x, u = cx - x²/2 below ½, and u(1) = 0 gives c.
	c := (0.125 + 0.375/9) / (0.5 + 0.5/9)
	for i := range 12 {
		x := float64(i) / 11
		want := c*x - x*x/2
		if x > 0.5 {
			want = (x*x - 1 + 2*c*(1-x)) / -18
		}
		if got := u.At(0, i*41+20); !(math.Abs(got-want) <= 2e-3) {
			t.Errorf("u(%.2g) = %.5g, want %.5g", x, got, want)
		}
	}
}

// A permeability that is turned round has the flow that is turned round, however much finer the mesh of the solver is: cells are around
// the points of the mesh.
func TestDarcyIsSymmetric(t *testing.T) {
	const n = 7
	m, err := mesh.Product(axis(0, 1, n, "x"), axis(0, 1, n, "y"))
	if err != nil {
		t.Fatal(err)
	}
	given := func(i, j int) float64 { return 1 + float64(i*i+3*j) }
	for _, refine := range []int{1, 2, 3, 4, 5} {
		f := mat.NewDense(4, m.Size(), nil)
		turned := [4]func(i, j int) int{
			func(i, j int) int { return i*n + j }, func(i, j int) int { return (n-1-i)*n + j },
			func(i, j int) int { return i*n + n - 1 - j }, func(i, j int) int { return j*n + i },
		}
		for s, at := range turned {
			for i := range n {
				for j := range n {
					f.Set(s, at(i, j), given(i, j))
				}
			}
		}
		u, err := pde.Solve(ctx, pde.Darcy{Mesh: m, Source: pde.Constant(1), Refine: refine, Law: pde.Threshold, Low: 3, High: 12}, f)
		if err != nil {
			t.Fatal(err)
		}
		for s, at := range turned {
			for i := range n {
				for j := range n {
					if refine%2 == 0 && s != 3 {
						continue // what is half way between two points belongs to the second one
					}
					if want, got := u.At(0, i*n+j), u.At(s, at(i, j)); !(math.Abs(got-want) <= 1e-10) {
						t.Fatalf("refined %d times, turned the way %d: u(%d, %d) is %g, want %g", refine, s, i, j, got, want)
					}
				}
			}
		}
	}
}

// Random permeabilities have the law asked for, and pairs are those of the finer problem.
func TestDarcySamples(t *testing.T) {
	m, err := mesh.Product(axis(0, 1, 6, "x"), axis(0, 1, 6, "y"))
	if err != nil {
		t.Fatal(err)
	}
	field := randfield.Field{Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.4}}, Scale: 1, Seed: 3}
	for _, law := range []string{pde.Threshold, pde.Lognormal} {
		d, err := pde.Sample(ctx, pde.Darcy{Mesh: m, Source: pde.Constant(1), Refine: 3, Law: law, Low: 3, High: 12}, 5, field)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range d.Input.Data {
			if law == pde.Threshold && v != 3 && v != 12 || !(v > 0) {
				t.Fatalf("%s: a permeability of %g", law, v)
			}
		}
		for i, v := range d.Output.Data {
			x, y := i/6%6, i%6
			if edge := x == 0 || y == 0 || x == 5 || y == 5; edge != (v == 0) || !(v >= 0) {
				t.Fatalf("%s: u is %g at %d, %d", law, v, x, y)
			}
		}
	}
	three := square(3) // of one point inside: 4 u/h² = 1
	if u, err := pde.Solve(ctx, pde.Darcy{Mesh: three, Source: pde.Constant(1), Refine: 1, Law: pde.Threshold, Low: 3, High: 12}, sample(three, func([]float64) float64 { return 1 })); err != nil || !(math.Abs(u.At(0, 4)-1./16) <= 1e-15) {
		t.Errorf("on three points of each side u = %v, want 1/16; %v", u, err)
	}
	for _, worst := range []float64{-0.5, 0} {
		bad := sample(m, func(p []float64) float64 {
			if p[0] == 0 && p[1] == 0 {
				return worst
			}
			return 1
		})
		if _, err := pde.Solve(ctx, pde.Darcy{Mesh: m, Source: pde.Constant(1), Refine: 1, Law: pde.Threshold, Low: 3, High: 12}, bad); err == nil || !strings.Contains(err.Error(), "not elliptic") || !strings.Contains(err.Error(), fmt.Sprintf("f[1]: the permeability is %g at x = 1, y = 1 of the mesh", worst)) {
			t.Errorf("a permeability of %g: error %v", worst, err)
		}
	}
}
