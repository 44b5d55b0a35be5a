package pde

import "github.com/greenbench/workbench/numeric/mesh"

// Entry is one line of the catalog.
type Entry struct {
	Name    string // in Lua: pde.<name>
	Doc     string // one sentence
	Example Problem
	Order   float64 // of convergence towards the known answer, which the contract tests hold it to
}

// Catalog lists the named problems, in the order help shows them.
func Catalog() []Entry {
	ax, err := mesh.Uniform(0, 1, 41, "x")
	m := mesh.Must(ax, err)
	return []Entry{
		{"poisson", "Poisson equation -u″ = f on an interval, u given at both ends.", Poisson{m, -0.1, 0.1}, 2},
		{"helmholtz", "Helmholtz equation -u″ - omega² u = f on an interval, u given at both ends.", Helmholtz{m, 20, -0.1, 0.1}, 2},
	}
}
