package pde_test

import (
	"context"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/progresstest"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Problems so large that setting them up and solving them takes seconds end with their
// contexts.
func TestEndsWithContext(t *testing.T) {
	solves := func(p pde.Problem, n int) func(ctx context.Context) error {
		f := mat.NewDense(n, pde.InputMesh(p).Size(), nil)
		f.Apply(func(i, j int, _ float64) float64 { return float64((i*j)%7) / 7 }, f)
		return func(ctx context.Context) error {
			for {
				if _, err := pde.Solve(ctx, p, f); err != nil {
					return err
				}
			}
		}
	}
	greens := func(p pde.Problem) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			for {
				if _, err := pde.Green(ctx, p, mesh.Mesh{}, mesh.Mesh{}); err != nil {
					return err
				}
			}
		}
	}
	defines := func(d pde.Definition) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			p, err := pde.Define(ctx, d)
			if err != nil {
				return err
			}
			return solves(p, 50)(ctx)
		}
	}
	flows := func(refine int) func(ctx context.Context) error {
		p := darcy(10, refine)
		a := mat.NewDense(1, p.Mesh.Size(), nil)
		a.Apply(func(_, j int, _ float64) float64 { return float64(1 + j%7) }, a)
		return func(ctx context.Context) error {
			for {
				if _, err := pde.Solve(ctx, p, a); err != nil {
					return err
				}
			}
		}
	}
	time := axis(0, 1, 400, "t")
	plane := square(250)
	u, v := pde.Unknown(plane, mesh.Mesh{}), pde.Unknown(interval(1500), time)
	all := map[string]pde.Side{"x-": fixed(0), "x+": fixed(0), "y-": fixed(0), "y+": fixed(0)}
	progresstest.Ends(
		t,
		progresstest.Computation{Name: "Poisson", Run: solves(pde.Poisson{Mesh: interval(20000)}, 300)},
		progresstest.Computation{Name: "Poisson, Green", Run: greens(pde.Poisson{Mesh: interval(3000)})},
		progresstest.Computation{Name: "Airy, Green", Run: greens(pde.Airy{Mesh: interval(1500), Kappa: 10})},
		progresstest.Computation{Name: "heat", Run: solves(pde.Heat{Mesh: interval(300), Time: time, Alpha: .1}, 60)},
		progresstest.Computation{Name: "heat, Green", Run: greens(pde.Heat{Mesh: interval(50), Time: axis(0, 1, 50, "t"), Alpha: .1})},
		progresstest.Computation{Name: "Fokker-Planck", Run: solves(pde.FokkerPlanck{Mesh: axis(-2, 2, 400, "x"), Time: time, Potential: doubleWell(), Diffusivity: .5, Drag: 3}, 60)},
		progresstest.Computation{Name: "Schrödinger", Run: solves(pde.Schrodinger{Mesh: square(200), Potential: pde.Constant(1)}, 50)},
		progresstest.Computation{Name: "wave", Run: solves(pde.Wave{Mesh: interval(300), Time: time, Speed: 1}, 60)},
		progresstest.Computation{Name: "defined on a square", Run: defines(pde.Definition{Mesh: plane, Operator: u.D("x", 2).Plus(u.D("y", 2)).Neg().Plus(u), Boundary: all})},
		progresstest.Computation{Name: "Darcy", Run: flows(40)},
		progresstest.Computation{Name: "defined in time", Run: defines(pde.Definition{Mesh: interval(1500), Time: time, Operator: v.D("t", 1).Minus(v.D("x", 2)), Boundary: both(fixed(0)), Scheme: pde.Exponential})},
	)
}

func darcy(n, refine int) pde.Darcy {
	return pde.Darcy{Mesh: square(n), Source: pde.Constant(1), Refine: refine, Law: pde.Threshold, Low: 3, High: 12}
}

// A mesh so fine that the factor of its matrix has no room is refused before anything is
// computed: 4033² points with neighbours 4033 apart take 490 GiB.
func TestDarcyAsksForMemory(t *testing.T) {
	p := darcy(64, 64)
	one := mat.NewDense(1, p.Mesh.Size(), nil)
	one.Apply(func(int, int, float64) float64 { return 1 }, one)
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // it would end here if it did not ask first
	if _, err := pde.Solve(ctx, p, one); err == nil || !strings.Contains(err.Error(), "refine 64: to solve on 4033 × 4033 points needs 4") {
		t.Fatalf("the error is %v", err)
	}
}
