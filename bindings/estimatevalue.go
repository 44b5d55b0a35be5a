package bindings

import (
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

type estimate = *fit.Estimate

// truth is something to compare with: values, or a problem that knows them.
type truth = bind.Either[*array.Array, pde.Problem]

// optionalMeshes are named meshes; those of the data by default.
type optionalMeshes struct {
	X mesh.Mesh `arg:"xmesh" doc:"points of the input; by default those of the input mesh" default:"nil"`
	Y mesh.Mesh `arg:"ymesh" doc:"points of the output; by default those of the output mesh" default:"nil"`
}

// sizeOr is the number of points of a mesh, or of another where it has none.
func sizeOr(m, other mesh.Mesh) int {
	if m.Size() > 0 {
		return m.Size()
	}
	return other.Size()
}

const sampleNoisy = "d = pde.poisson{mesh = mesh.uniform(0, 1, 30)}:sample{n = 20, input = {kernel = kernel.se{lengthscale = 0.1}}}:noise{level = 0.1}\nest = green.fit{data = d, kernel = kernel.se{lengthscale = 0.3}}\n"

const sampleFit = sampleData + `k = kernel.matern{nu = 1.5, lengthscale = 0.2}
est = green.fit{data = d, kernel = k, lambda = 1e-6}
`
