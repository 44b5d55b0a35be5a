package term

import (
	"context"
	"fmt"
	"slices"

	"github.com/greenbench/workbench/numeric/mesh"
)

// kinds are all of them.
func kinds() []kind {
	return []kind{linear{}, coefficient{}, covariate{}, curves{}, operator{}, ownCurves{}}
}

// Terms makes those of an output.
func (g *Given) Terms(ctx context.Context, out mesh.Mesh) ([]*Term, error) {
	var terms []*Term
	names := g.Names
	if g.Noise != nil {
		names = append(slices.Clone(names), NoiseName)
	}
	for _, name := range names {
		if name == g.Without {
			continue
		}
		t, err := g.term(ctx, name, out)
		if err != nil {
			return nil, err
		}
		terms = append(terms, t)
	}
	return terms, nil
}

// term makes the term of a name.
func (g *Given) term(ctx context.Context, name string, out mesh.Mesh) (*Term, error) {
	for _, k := range kinds() {
		t, err := k.makes(ctx, g, name, out)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if t == nil {
			continue
		}
		t.Name, t.by = name, k
		if t.Columns == nil {
			t.Columns, t.On, err = k.columns(ctx, t, g.Data)
		}
		return t, err
	}
	return nil, Unknown("terms", name, append(AllNames(g.Data), "covariate*field"))
}
