package term

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// Slopes is (z - z̄) γ_g(y) with a random curve γ_g for each group g: what a covariate adds differs from group to group.
// Where the group is no term by itself it is z γ_g(y).
// Its name is "z*g".
const Slopes Kind = "slopes of groups"

type slopes struct{ curves }

func (slopes) called() string { return "covariate*group" }

// makes takes the covariate without its mean where the curves of the groups are a term, too: the rest is in these.
func (slopes) makes(_ context.Context, g *Given, name string, out mesh.Mesh) (*Term, error) {
	scalar, group, _ := Product(name)
	t := &Term{Kind: Slopes, scalar: scalarOf(g.Data, scalar), Group: groupOf(g.Data, group)}
	switch {
	case groupOf(g.Data, scalar) != nil && scalarOf(g.Data, group) != nil:
		return nil, fmt.Errorf("the covariate comes first: %s*%s", group, scalar)
	case t.scalar == nil || t.Group == nil:
		return nil, nil
	}
	if slices.Contains(g.Names, group) {
		t.centre = stat.Mean(t.scalar.Values, nil)
	}
	t.setCurves(g.Kernels[name], out)
	return t, nil
}
