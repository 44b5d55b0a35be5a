package pde

import (
	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Entry is one line of the catalog.
type Entry struct {
	Name    string // in Lua: pde.<name>
	Doc     string // one sentence
	Example Problem
	Order   float64 // of convergence towards the known answer when all spacings shrink together, which the contract tests hold it to
}

// Catalog lists the named problems, in the order help shows them.
func Catalog() []Entry {
	line := uniform(0, 1, 41, "x")
	time := uniform(0, 1, 21, "t")
	x := expr.Var(0, "x")
	well := expr.Sub(expr.Pow(x, expr.Const(4)), expr.Mul(expr.Const(3), expr.Pow(x, expr.Const(2))))
	return []Entry{
		{"poisson", "Poisson equation -u″ = f on an interval, u given at both ends.", Poisson{line, -0.1, 0.1}, 2},
		{"helmholtz", "Helmholtz equation -u″ - omega² u = f on an interval, u given at both ends.", Helmholtz{line, 20, -0.1, 0.1}, 2},
		{"schrodinger", "Schrödinger equation Δu - V u = 0 on a rectangle, from u on the boundary.", Schrodinger{product(uniform(0, 1, 15, "x"), uniform(0, 1, 15, "y")), Hexagon{1000, 0.25, 0.5, 0.5}}, 2},
		{"fokker_planck", "Fokker–Planck equation of particles in a potential, from the density at the first time.", FokkerPlanck{uniform(-2, 2, 50, "x"), time, Formula{well}, 0.05, 20}, 2},
		{"heat", "Heat equation ∂u/∂t - alpha ∂²u/∂x² = f on an interval, zero at both ends and at the first time.", Heat{uniform(0, 1, 21, "x"), time, 0.1}, 1},
		{"oscillator", "Damped oscillator u″ + c u′ + omega² u = f in time, at rest at the first time.", Oscillator{time, 1, 10}, 2},
	}
}

func uniform(a, b float64, n int, name string) mesh.Mesh {
	return mesh.Must(mesh.Uniform(a, b, n, name))
}
