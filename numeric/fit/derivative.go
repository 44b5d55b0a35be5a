package fit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// Diff evaluates a derivative of G on xs × ys, once with respect to each of the
// named coordinates: {"y", "y"} is ∂²G/∂y². The derivative is that of the kernel,
// exact. A kernel that is not that smooth is refused.
func (e *Estimate) Diff(ctx context.Context, along []string, xs, ys mesh.Mesh) (*mat.Dense, error) {
	xs, ys, err := e.meshes(xs, ys)
	if err != nil {
		return nil, err
	}
	full := space(e.InputMesh, e.OutputMesh)
	var slots []int
	for _, name := range along {
		i := slices.Index(full.Names, name)
		if i < 0 {
			return nil, fmt.Errorf("no coordinate %q: the coordinates of G are %s", name, strings.Join(full.Names, ", "))
		}
		slots = append(slots, i)
	}
	if err := e.green.CheckSmooth(slots); err != nil {
		return nil, err
	}
	d, err := e.green.Diff(ctx, slots, xs, ys)
	if err != nil {
		return nil, err
	}
	return e.prior.diff(ctx, d, along, xs, ys)
}
