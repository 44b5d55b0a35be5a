package pde

import (
	"context"
	"fmt"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The matrix of a self-adjoint problem is symmetric bit for bit, whatever the conditions
// at its ends and however its coefficient varies, and is factored by Cholesky: an entry
// that differs in its last place costs twice the time and, at natural ends, where a cell is
// half as long, a wrong weight would be a wrong problem.
func TestSelfAdjointProblemsHaveSymmetricMatrices(t *testing.T) {
	conditions := map[string]Side{
		"value": {Dirichlet: Constant(1)},
		"slope": {Neumann: Constant(1)},
		"robin": {Robin: &Robin{A: Constant(3), B: Constant(0.7)}},
		"wall":  {Reflecting: true},
	}
	line, plane := uniform(-0.3, 0.4, 9, "x"), product(uniform(0, 0.7, 6, "x"), uniform(-1, 2.3, 7, "y"))
	for left, a := range conditions {
		for right, b := range conditions {
			sides := map[string]Side{"x-": a, "x+": b, "y-": b, "y+": a}
			checkSymmetric(t, "plane "+left+" "+right, plane, diffusion(plane), sides)
			delete(sides, "y-")
			delete(sides, "y+")
			checkSymmetric(t, left+" "+right, line, diffusion(line), sides)
		}
	}
	circle := mesh.Must(mesh.Periodic(0, 1, 8, "x"))
	checkSymmetric(t, "circle", circle, diffusion(circle), map[string]Side{"x-": {Periodic: true}, "x+": {Periodic: true}})
	zero, hinged := Side{Dirichlet: Constant(0)}, Side{Dirichlet: Constant(0), Second: Constant(0)}
	laplace := Unknown(plane, mesh.Mesh{}).Laplacian()
	checkSymmetric(t, "Laplace", plane, laplace.Neg(), map[string]Side{"x-": zero, "x+": zero, "y-": zero, "y+": zero})
	checkSymmetric(t, "plate", plane, laplace.Laplacian(), map[string]Side{"x-": hinged, "x+": hinged, "y-": hinged, "y+": hinged})
}

// diffusion is -div(k grad u) + u with k = 1 + x² + …, a positive operator.
func diffusion(m mesh.Mesh) *Operator {
	u := Unknown(m, mesh.Mesh{})
	k := expr.Const(1)
	for _, x := range u.Coordinates() {
		k = expr.Add(k, expr.Mul(x, x))
	}
	o := u
	for _, axis := range u.Names() {
		o = o.Minus(u.D(axis, 1).Times(Formula{k}).D(axis, 1))
	}
	return o
}

func checkSymmetric(t *testing.T, name string, m mesh.Mesh, operator *Operator, sides map[string]Side) {
	t.Helper()
	p, err := Define(context.Background(), Definition{Mesh: m, Operator: operator, Boundary: sides})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	inside := p.solver.inside
	n, _ := inside.Dims()
	if inside.Symmetric() && p.solver.factors.Method == "band cholesky" {
		return
	}
	what := ""
	for i := range n {
		for j := range i {
			if inside.At(i, j) != inside.At(j, i) && what == "" {
				what = fmt.Sprintf(": entries (%d, %d) are %g and %g", i, j, inside.At(i, j), inside.At(j, i))
			}
		}
	}
	t.Errorf("%s: factored by %s%s", name, p.solver.factors.Method, what)
}
