package term

import (
	"context"
	"fmt"
	"slices"

	"github.com/greenbench/workbench/numeric/mesh"
)

// kinds are all of them.
func kinds() []kind {
	return []kind{linear{}, coefficient{}, slopes{}, covariate{}, curves{}, operator{}, ownCurves{}}
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
		t.Name, t.Form, t.by = name, k.form(), k
		if g.Constraints[name] != nil && t.Form != Function {
			return nil, fmt.Errorf("constraint.%s: want the term of a function; that of %s has no Green's function", name, name)
		}
		if t.Columns == nil {
			t.Columns, t.On, err = k.columns(ctx, t, g.Data)
		}
		return t, err
	}
	known := AllNames(g.Data)
	for _, k := range kinds() {
		if k, ok := k.(interface{ called() string }); ok {
			known = append(known, k.called())
		}
	}
	return nil, Unknown("terms", name, known)
}
