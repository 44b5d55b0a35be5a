package pde

import (
	"context"
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/mesh"
)

// checkAxis refuses an axis that differences cannot use. name is that of the
// argument, least the number of points needed.
func checkAxis(name string, a mesh.Axis, least int) error {
	if a.Scattered() || a.Step == 0 || a.Period > 0 {
		return remedy.UniformPoints.For(fmt.Errorf("%s: %s: must be uniform with both ends", name, a))
	}
	if a.Size() < least {
		return fmt.Errorf("%s: has %d points, must be at least %d", name, a.Size(), least)
	}
	return nil
}

// checkMesh refuses a mesh that is missing or has another number of axes.
func checkMesh(name string, m mesh.Mesh, dim int, example remedy.Remedy) error {
	if m.Size() == 0 {
		return example.For(fmt.Errorf("%s: missing", name))
	}
	if m.Dim() != dim {
		return fmt.Errorf("%s: has %d coordinates, this problem has %d", name, m.Dim(), dim)
	}
	return nil
}

// checkInterval refuses a mesh that is not a uniform interval.
func checkInterval(m mesh.Mesh) error {
	if err := checkMesh("mesh", m, 1, remedy.GiveInterval); err != nil {
		return err
	}
	return checkAxis("mesh", m.Axes()[0], 3)
}

// checkTime refuses a time that is not a uniform interval.
func checkTime(m mesh.Mesh) error {
	if err := checkMesh("time", m, 1, remedy.GiveTimes); err != nil {
		return err
	}
	return checkAxis("time", m.Axes()[0], 2)
}

// checkSpaceTime refuses a mesh that is not a uniform interval, or a time that is not
// or has the same name.
func checkSpaceTime(space, time mesh.Mesh) error {
	if err := checkInterval(space); err != nil {
		return err
	}
	if err := checkTime(time); err != nil {
		return err
	}
	_, err := spaceTime(space, time)
	return err
}

// positive refuses a parameter that is not positive and finite.
func positive(name string, v float64) error {
	if !(v > 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%s %g: must be > 0 and finite", name, v)
	}
	return nil
}

// coordinate is the first coordinate of a mesh, as a formula.
func coordinate(m mesh.Mesh) *expr.Node { return expr.Var(0, m.Names()[0]) }

// spaceTime is the product of space and time. A time without a name of its own is
// called t.
func spaceTime(space, time mesh.Mesh) (mesh.Mesh, error) {
	time, err := nameTime(time)
	if err != nil {
		return mesh.Mesh{}, err
	}
	m, err := mesh.Product(space, time)
	if err != nil {
		return mesh.Mesh{}, fmt.Errorf("time: %w", err)
	}
	return m, nil
}

func nameTime(time mesh.Mesh) (mesh.Mesh, error) {
	if a := time.Axes(); len(a) == 1 && a[0].Dim() == 1 && a[0].Names[0] == "" {
		return time.Rename("t")
	}
	return time, nil
}

// stepped is the time of a forcing that backward Euler sums: u_k does not depend on
// the forcing at the first time, and on all others alike. With these weights the
// computed solution is an integral of the forcing, and depends on t - s alone where
// the equation does; with trapezoidal ones it is neither.
func stepped(time mesh.Mesh) mesh.Mesh {
	r, err := time.Right()
	if err != nil {
		return time // refused elsewhere
	}
	return r
}

// product is spaceTime of meshes that Check has accepted.
func product(space, time mesh.Mesh) mesh.Mesh {
	m, err := spaceTime(space, time)
	if err != nil {
		return mesh.Mesh{}
	}
	return m
}

// ends are the ends of an interval.
func ends(m mesh.Mesh) (a, b float64) {
	ax := m.Axes()[0]
	return ax.Lower[0], ax.Upper[0]
}

// stopped is the error of a cancelled context, or nil.
func stopped(ctx context.Context) error {
	if ctx.Err() != nil {
		return fmt.Errorf("solve stopped: %w", context.Cause(ctx))
	}
	return nil
}
