package pde

import (
	"math"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Entry is one line of the catalog.
type Entry struct {
	Name    string // of the constructor in scripts
	Doc     string // one sentence
	Example Problem
	Order   float64 // of convergence towards the known answer when all spacings shrink together, which the contract tests hold it to
}

// Catalog lists the named problems, in the order help shows them.
func Catalog() []Entry {
	line := uniform(0, 1, 41, "x")
	time := uniform(0, 1, 21, "t")
	plane := product(uniform(0, 1, 15, "x"), uniform(0, 1, 15, "y"))
	x := expr.Var(0, "x")
	well := expr.Sub(expr.Pow(x, expr.Const(4)), expr.Mul(expr.Const(3), expr.Pow(x, expr.Const(2))))
	return []Entry{
		{"poisson", "Poisson equation -u″ = f on an interval, u given at both ends.", Poisson{line, -0.1, 0.1}, 2},
		{"helmholtz", "Helmholtz equation -u″ - omega² u = f on an interval, u given at both ends.", Helmholtz{line, 20, -0.1, 0.1}, 2},
		{"schrodinger", "Schrödinger equation Δu - V u = 0 on a rectangle; the input is u on the boundary.", Schrodinger{plane, Hexagon{1000, 0.25, 0.5, 0.5}}, 2},
		{"fokker_planck", "Fokker–Planck equation of particles in a potential; the input is the density at the first time.", FokkerPlanck{uniform(-2, 2, 50, "x"), time, Formula{well}, 0.05, 20}, 2},
		{"heat", "Heat equation ∂u/∂t - alpha ∂²u/∂x² = f on an interval, zero at both ends and at the first time; solved by backward Euler, so the input is integrated in time by right Riemann sums.", Heat{uniform(0, 1, 21, "x"), time, 0.1}, 1},
		{"advection_diffusion", "Advection–diffusion ∂u/∂t + velocity ∂u/∂x - diffusivity ∂²u/∂x² = 0 on an interval; the input is u at the first time.", AdvectionDiffusion{line, time, 1, 0.1}, 2},
		{"wave", "Wave equation ∂²u/∂t² - speed² ∂²u/∂x² = f on an interval, zero at both ends, at rest at the first time.", Wave{uniform(0, 1, 21, "x"), time, 1}, 2},
		{"airy", "Airy equation -u″ + kappa² x u = f on an interval, u given at both ends.", Airy{line, 10, 0, 0}, 2},
		{"beam", "Euler–Bernoulli beam (stiffness u″)″ = f, clamped at the left end, free at the right.", Beam{line, Formula{expr.Add(expr.Const(1), x)}}, 2},
		{"convected_helmholtz", "Convected Helmholtz equation -u″ + velocity u′ - wavenumber² u = f on an interval, u given at both ends.", ConvectedHelmholtz{line, Constant(2), Formula{expr.Add(expr.Const(8), x)}, 0, 0.1}, 2},
		{"poisson2d", "Poisson equation -Δu = f on a rectangle, u constant on the boundary.", Poisson2D{plane, 0}, 2},
		{"biharmonic", "Biharmonic equation Δ²u = f on a rectangle, hinged (simply supported) on all sides.", Biharmonic{plane}, 2},
		{"oscillator", "Damped oscillator u″ + c u′ + omega² u = f in time, at rest at the first time.", Oscillator{time, 1, 10}, 2},
	}
}

// NonlinearCatalog lists the named problems that are not linear: they have no Green's function.
func NonlinearCatalog() []Entry {
	circle, time := mesh.Must(mesh.Periodic(0, 1, 32, "x")), uniform(0, 1, 17, "t")
	plane := product(uniform(0, 1, 16, "x"), uniform(0, 1, 16, "y"))
	return []Entry{
		{"burgers", "Burgers' equation ∂u/∂t + u ∂u/∂x - viscosity ∂²u/∂x² = 0 on a circle; the input is u at the first time. Outputs are exact, by the transformation of Cole and Hopf.", Burgers{circle, time, 0.01}, math.Inf(1)},
		{"darcy", "Darcy flow -∇·(a∇u) = source on a rectangle, zero on the boundary; the input is the permeability a. Random inputs are made of a random field, see law.", Darcy{plane, Constant(1), 4, Threshold, 3, 12}, 2},
	}
}

func uniform(a, b float64, n int, name string) mesh.Mesh {
	return mesh.Must(mesh.Uniform(a, b, n, name))
}
