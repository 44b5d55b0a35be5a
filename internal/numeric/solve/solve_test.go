package solve_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

type solver interface {
	Solve(ctx context.Context, a linop.Operator, x, b []float64) (solve.Report, error)
}

// solvers lists every method: the contract runs over it.
var solvers = map[string]solver{
	"cg":                solve.CG{Tolerance: 1e-12},
	"preconditioned cg": solve.CG{Tolerance: 1e-12, Preconditioner: linop.Scale{A: linop.Shift{A: linop.Diagonal(make([]float64, 60)), Lambda: 1}, Factor: 0.3}},
	"cholesky":          solve.Cholesky{},
	"gmres":             solve.GMRES{Tolerance: 1e-12},
	"restarted gmres":   solve.GMRES{Tolerance: 1e-12, Restart: 40, MaxIterations: 20000},
}

// spd is a random symmetric matrix with eigenvalues spread over [1, condition].
func spd(rng *rand.Rand, n int, condition float64) *mat.Dense {
	g := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			g.Set(i, j, rng.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(g)
	var q, qd, a mat.Dense
	qr.QTo(&q)
	d := make([]float64, n)
	for i := range d {
		d[i] = math.Pow(condition, float64(i)/float64(n-1))
	}
	qd.Mul(&q, mat.NewDiagDense(n, d))
	a.Mul(&qd, q.T())
	return &a
}

// Every method finds the solution that the right-hand side was made from, and
// reports the residual that the definition gives.
func TestSolversAgreeWithAKnownSolution(t *testing.T) {
	const n = 60
	for name, s := range solvers {
		for _, condition := range []float64{1, 1e2, 1e5} {
			rng := rand.New(rand.NewPCG(3, 4))
			a := linop.Dense{M: spd(rng, n, condition)}
			if condition > 1e3 && strings.HasPrefix(name, "restarted") {
				continue // a short basis stagnates there, by the nature of the method
			}
			want, b, x := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range want {
				want[i] = rng.NormFloat64()
			}
			a.Apply(t.Context(), b, want)
			rep, err := s.Solve(context.Background(), a, x, b)
			if err != nil || !rep.Converged {
				t.Fatalf("%s, condition %g: %+v, %v", name, condition, rep, err)
			}
			if e := floats.Distance(x, want, 2) / floats.Norm(want, 2); e > 1e-11*condition {
				t.Errorf("%s, condition %g: solution is off by %.2g", name, condition, e)
			}
			if r := solve.Residual(t.Context(), a, x, b); r != rep.Residual {
				t.Errorf("%s: reported residual %g, recomputed %g", name, rep.Residual, r)
			}
		}
	}
}

func TestIndefiniteOperatorsAreRefused(t *testing.T) {
	a := linop.Diagonal{1, -1, 2}
	for name, s := range map[string]solver{"cg": solve.CG{}, "cholesky": solve.Cholesky{}} {
		if _, err := s.Solve(context.Background(), a, make([]float64, 3), []float64{0, 1, 0}); !errors.Is(err, solve.ErrNotPositive) {
			t.Errorf("%s: %v, want ErrNotPositive", name, err)
		}
	}
}

// GMRES needs no symmetry.
func TestGMRESSolvesUnsymmetricSystems(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const n = 50
	m := mat.NewDense(n, n, nil)
	m.Apply(func(i, j int, _ float64) float64 {
		if i == j {
			return 10 + rng.Float64()
		}
		return rng.NormFloat64()
	}, m)
	a := linop.Dense{M: m}
	want, b, x := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range want {
		want[i] = rng.NormFloat64()
	}
	a.Apply(t.Context(), b, want)
	pre := make(linop.Diagonal, n)
	for i := range pre {
		pre[i] = 1 / m.At(i, i)
	}
	for _, restart := range []int{0, 7} {
		clear(x)
		rep, err := solve.GMRES{Tolerance: 1e-12, Restart: restart, Preconditioner: pre}.Solve(context.Background(), a, x, b)
		if err != nil || !rep.Converged {
			t.Fatalf("restart %d: %+v, %v", restart, rep, err)
		}
		if e := floats.Distance(x, want, 2) / floats.Norm(want, 2); e > 1e-11 {
			t.Errorf("restart %d: solution is off by %.2g", restart, e)
		}
	}
}

// GMRES goes on as far as its caller wants, and has converged all the same where that
// cannot be reached.
func TestGMRESGoesOnWhileMoreIsWanted(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	a, b := mat.NewDense(60, 60, nil), make([]float64, 60)
	for i := range 60 {
		a.Set(i, i, 1+float64(i))
		for j := range 60 {
			a.Set(i, j, a.At(i, j)+.2*rng.NormFloat64())
		}
		b[i] = rng.NormFloat64()
	}
	for _, want := range []float64{1e-9, 1e-30} {
		asked := 0
		s := solve.GMRES{Tolerance: 1e-3, Wanted: func(x []float64, residual float64) float64 {
			asked++
			if r := solve.Residual(context.Background(), linop.Dense{M: a}, x, b); math.Abs(r-residual) > 1e-2*residual+1e-14 {
				t.Errorf("asked about an x of residual %g, told %g", r, residual)
			}
			return want
		}}
		x := make([]float64, 60)
		rep, err := s.Solve(context.Background(), linop.Dense{M: a}, x, b)
		if err != nil || !rep.Converged || asked == 0 || rep.Residual > max(want, 1e-13) {
			t.Errorf("wanted %g: %+v, %v, asked %d times", want, rep, err, asked)
		}
	}
}

func TestNotConvergingIsReportedWithAdvice(t *testing.T) {
	a := linop.Dense{M: spd(rand.New(rand.NewPCG(1, 1)), 60, 1e6)}
	b := make([]float64, 60)
	b[0] = 1
	rep, err := solve.CG{MaxIterations: 3}.Solve(context.Background(), a, make([]float64, 60), b)
	if err != nil || rep.Converged || rep.Iterations != 3 || rep.Residual < 1e-10 {
		t.Fatalf("%+v, %v", rep, err)
	}
	if want := "raise max_iterations"; !strings.Contains(rep.Reason, want) {
		t.Errorf("reason %q does not say %q", rep.Reason, want)
	}
}

// CG that is found hopeless ends there, after steps that were asked about once each, with the
// residual that it has.
func TestHopelessEndsCG(t *testing.T) {
	const n = 60
	a := linop.Dense{M: spd(rand.New(rand.NewPCG(1, 1)), n, 1e6)}
	b, x, asked := make([]float64, n), make([]float64, n), 0
	b[0] = 1
	s := solve.CG{Hopeless: func(iterations int, residual float64) bool {
		asked++
		return asked == 7 && iterations == 7 && residual > 1e-6
	}}
	rep, err := s.Solve(t.Context(), a, x, b)
	if err != nil || rep.Converged || rep.Iterations != 7 || !strings.Contains(rep.Reason, "7 iterations") {
		t.Errorf("asked %d times: %+v, %v", asked, rep, err)
	}
	if own := solve.Residual(t.Context(), a, x, b); math.Abs(own-rep.Residual) > 1e-12 {
		t.Errorf("residual %g, reported %g", own, rep.Residual)
	}
}

func TestUnreachableToleranceStopsWithTheReason(t *testing.T) {
	a := linop.Dense{M: spd(rand.New(rand.NewPCG(1, 1)), 60, 1e3)}
	b := make([]float64, 60)
	b[0] = 1
	rep, err := solve.CG{Tolerance: 1e-19}.Solve(context.Background(), a, make([]float64, 60), b)
	if err != nil || rep.Converged || !strings.Contains(rep.Reason, "rounding") {
		t.Fatalf("%+v, %v", rep, err)
	}
}

func TestWarmStartAndZeroRightHandSide(t *testing.T) {
	a := linop.Diagonal{1, 2, 3}
	x := []float64{1, 1, 1}
	rep, err := solve.CG{}.Solve(context.Background(), a, x, []float64{1, 2, 3})
	if err != nil || rep.Iterations != 0 || !rep.Converged {
		t.Errorf("started at the solution: %+v, %v", rep, err)
	}
	rep, err = solve.CG{}.Solve(context.Background(), a, x, make([]float64, 3))
	if err != nil || !rep.Converged || floats.Norm(x, 2) != 0 {
		t.Errorf("zero right-hand side: %+v, %v, x = %v", rep, err, x)
	}
}

func TestCancelledContextStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("interrupted"))
	a := linop.Diagonal{1, 2, 3}
	_, err := solve.CG{}.Solve(ctx, a, make([]float64, 3), []float64{1, 1, 1})
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("error %v does not carry the cause", err)
	}
}

func TestShapesAreChecked(t *testing.T) {
	for _, s := range solvers {
		if _, err := s.Solve(context.Background(), linop.Diagonal{1, 2}, make([]float64, 2), make([]float64, 3)); err == nil {
			t.Error("a right-hand side of the wrong length was accepted")
		}
	}
}

func ExampleCG() {
	a := linop.Shift{A: linop.Diagonal{0, 1, 2, 3}, Lambda: 1}
	x := make([]float64, 4)
	rep, _ := solve.CG{Tolerance: 1e-12}.Solve(context.Background(), a, x, []float64{1, 2, 3, 4})
	fmt.Printf("%.3f after %d iterations, converged: %t\n", x, rep.Iterations, rep.Converged)
	// Output:
	// [1.000 1.000 1.000 1.000] after 4 iterations, converged: true
}

// The energy that CG is asked about with is 2⟨b, x⟩ - ⟨x, A x⟩ of its iterates, from any
// start, and grows to ⟨b, A⁻¹ b⟩; what is missing is at most the squared residual over the
// smallest eigenvalue, 1. It stops when it is told to.
func TestEnergyOfCG(t *testing.T) {
	const n = 60
	rng := rand.New(rand.NewPCG(5, 6))
	a := linop.Dense{M: spd(rng, n, 1e4)}
	b, want := make([]float64, n), make([]float64, n)
	for i := range want {
		want[i] = rng.NormFloat64()
	}
	a.Apply(context.Background(), b, want)
	most := floats.Dot(b, want)
	for _, scale := range []float64{0, 0.5} {
		x := make([]float64, n)
		floats.AddScaled(x, scale, want)
		last, asked := math.Inf(-1), 0
		s := solve.CG{Enough: func(energy, residual2 float64) bool {
			ax := make([]float64, n)
			a.Apply(context.Background(), ax, x)
			if is := 2*floats.Dot(b, x) - floats.Dot(x, ax); math.Abs(is-energy) > 1e-9*most {
				t.Errorf("energy %.12g, by its definition %.12g", energy, is)
			}
			if energy < last-1e-12*most || most-energy > residual2*(1+1e-9)+1e-9*most {
				t.Errorf("energy %.12g after %.12g, at most %.12g, squared residual %.3g", energy, last, most, residual2)
			}
			last = energy
			asked++
			return asked == 8
		}}
		rep, err := s.Solve(context.Background(), a, x, b)
		if err != nil || rep.Iterations != 7 || math.Abs(rep.Residual-solve.Residual(context.Background(), a, x, b)) > 1e-9 {
			t.Errorf("%+v, residual %.3g: %v", rep, solve.Residual(context.Background(), a, x, b), err)
		}
	}
}
