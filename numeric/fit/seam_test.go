package fit_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Where G differs at both ends of a period, by definition, the report says by how much, and checks are told to except it: with
// a kernel that is not periodic, but not with one that is, nor on lines.
func TestSeamsOfPeriodsAreTold(t *testing.T) {
	const n, m = 12, 12
	circle := func(name string) mesh.Mesh { return mesh.Must(mesh.Periodic(0, 1, m, name)) }
	line := func(name string) mesh.Mesh { return mesh.Must(mesh.Trapezoid(circle(name).Columns()[0], name)) }
	f := testmain.Must(randfield.Field{Mesh: circle("x"), Kernel: kernel.Periodic{Period: 1, Lengthscale: kernel.Lengthscale{.5}}, N: n, Seed: 1}.Draw(ctx))(t)
	u := array.New(n, m)
	for i := range n {
		for k := range m {
			for j := range m {
				u.Data[i*m+k] += math.Exp(-4*math.Pow(math.Sin(math.Pi*(float64(k-j)/m-.2)), 2)) * f.At(i, j) / m
			}
			u.Data[i*m+k] += .01 * math.Sin(float64(7*i*i+5*k*k)) // noise
		}
	}
	smooth := kernel.SE{Lengthscale: kernel.Lengthscale{.1}}
	for _, c := range []struct {
		name string
		k    kernel.Kernel
		x, y mesh.Mesh
		told bool
	}{
		{"not periodic", smooth, circle("x"), circle("y"), true},
		{"periodic", kernel.Periodic{Period: 1, Lengthscale: kernel.Lengthscale{.6}}, circle("x"), circle("y"), false},
		{"lines", smooth, line("x"), line("y"), false},
	} {
		d := testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: c.x, OutputMesh: c.y}))(t)
		e := mustFit(t, fit.Spec{Data: d, Kernel: c.k})
		if told := strings.Contains(e.Report.Advice, "a period later, which are one point"); told != c.told {
			t.Errorf("%s: told %t, advice %q, kernel %v", c.name, told, e.Report.Advice, e.Kernel)
		}
		gap, size := 0., 0.
		for _, y := range c.y.Columns()[0] {
			a, b := testmain.Must(e.At(ctx, []float64{0}, []float64{y}))(t), testmain.Must(e.At(ctx, []float64{1}, []float64{y}))(t)
			gap, size = max(gap, math.Abs(a-b)), max(size, math.Abs(a), math.Abs(b))
		}
		is := func(l criteria.Note) bool { return l.Excepts == "G near x = 0" }
		if c.x.Axes()[0].Period > 0 && slices.ContainsFunc(e.Report.Limits, is) != (gap > .1*size) {
			t.Errorf("%s: G differs by %.2g of its size at the seam of x: %+v", c.name, gap/size, e.Report.Limits)
		}
	}
}
