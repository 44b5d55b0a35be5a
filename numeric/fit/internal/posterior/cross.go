package posterior

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// cross is the kernel from the meshes of the data to others.
func (p *Posterior) cross(ctx context.Context, xs, ys mesh.Mesh) (linop.Operator, error) {
	a := p.averaged
	if a == nil {
		return gram.Cross(ctx, p.f, xs, ys, p.x, p.y)
	}
	if xs.Equal(p.x) && ys.Equal(p.y) {
		return a, nil
	}
	if !a.lattice.Masked() {
		op, err := gram.Cross(ctx, a.f, xs, ys, p.x, p.y)
		if err != nil {
			return nil, err
		}
		from := fromAveraged{op, a}
		if ok, err := a.is(ctx, from, p.f, xs, ys); ok && !gram.Evaluates(op) || err != nil {
			return from, err
		}
	}
	return gram.Cross(ctx, p.f, xs, ys, p.x, p.y)
}
