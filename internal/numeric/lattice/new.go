package lattice

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/mesh"
)

// New finds the index maps of a constraint, nil constraints included. It fails for
// constraints that these meshes, or one another, rule out. A lattice without index maps says
// so, see [Lattice.OnMeshes].
func New(ctx context.Context, c constraint.Constraint, x, y mesh.Mesh) (*Lattice, error) {
	l := On(x, y)
	if c == nil {
		return l, nil
	}
	own, err := constraint.LawsOf(c, l.full)
	if err != nil {
		return nil, err
	}
	t, err := own.On(l.full)
	if err == nil {
		err = l.apply(ctx, t)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c, err)
	}
	return l, nil
}

func (l *Lattice) apply(ctx context.Context, t *laws.Transform) error {
	if err := checkExchanged(t.Exchanged, l.full.Names, l.x, l.y); err != nil {
		return err
	}
	x, y := l.x, l.y
	l.space, l.lag = t.Space, t.Reduce
	if l.lag != nil {
		if err := l.reduce(t.Images); err != nil {
			return err
		}
	}
	l.images, l.generators = l.lift(t.Images), l.lift(t.Generators)
	if t.Chi != nil {
		l.chi = l.lifted(t.Chi)
	}
	if err := l.checkMask(t, x, y); err != nil {
		return err
	}
	if err := l.findMaps(ctx, besideOnMeshes); err != nil || l.off != "" {
		return err
	}
	if err := l.checkGroup(ctx); err != nil {
		return err
	}
	return l.findMask(ctx, t)
}
