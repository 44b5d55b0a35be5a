package mesh_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/greenbench/workbench/numeric/mesh"
)

// constructor makes an axis of n points on [a, b].
type constructor struct {
	name  string
	least int
	make  func(a, b float64, n int, name string) (mesh.Axis, error)
}

// constructors lists every rule of the catalog, and the weights of given points: the tests
// of quadrature run over them.
func constructors() []constructor {
	all := []constructor{
		{"right", 2, func(a, b float64, n int, name string) (mesh.Axis, error) {
			ax, err := mesh.Uniform(a, b, n, name)
			if err != nil {
				return ax, err
			}
			return ax.Right()
		}},
		{"trapezoid", 2, func(a, b float64, n int, name string) (mesh.Axis, error) {
			x := make([]float64, n)
			for i := range x { // quadratically graded towards a
				t := float64(i) / float64(n-1)
				x[i] = a + (b-a)*t*t
			}
			return mesh.Trapezoid(x, name)
		}},
	}
	for _, r := range mesh.Rules() {
		all = append(all, constructor{r.Points, r.Least, r.Axis})
	}
	return all
}

// What a rule says of itself holds: names that are its own, points that increase inside the
// interval, weights that are not negative (they are norms' too), ends, spacings and symmetry
// as stated, the same rule on every interval, no fewer and no more points than it takes, and
// refinement that keeps the interval and the rule.
func TestContractOfRules(t *testing.T) {
	points, names := map[string]bool{}, map[string]bool{}
	for _, r := range mesh.Rules() {
		if points[r.Points] || names[r.Name] || r.Doc == "" {
			t.Errorf("%s, %s: a name is taken, or nothing says what the rule is", r.Points, r.Name)
		}
		points[r.Points], names[r.Name] = true, true
		if _, err := r.Axis(0, 1, r.Least-1, ""); err == nil {
			t.Errorf("%s: takes %d points, fewer than it needs", r.Points, r.Least-1)
		}
		if _, err := r.Axis(0, 1, r.Most+1, ""); err == nil && r.Most > 0 {
			t.Errorf("%s: takes %d points, more than it can", r.Points, r.Most+1)
		}
		for _, n := range []int{r.Least, r.Least + 1, 7, 8, 101} {
			for _, ends := range [][2]float64{{0, 1}, {-3, 5e-9}, {1e6, 1e6 + 1}, {-1e9, 2e9}} {
				checkAxis(t, r, ends[0], ends[1], n)
			}
		}
	}
}

func checkAxis(t *testing.T, r mesh.Rule, a, b float64, n int) {
	t.Helper()
	ax, err := r.Axis(a, b, n, "x")
	if err != nil {
		t.Fatalf("%s(%g, %g, %d): %v", r.Points, a, b, n, err)
	}
	unit, unitWeights := r.Nodes(0, 1, n)
	x, w := ax.Coordinates, ax.Weights
	tol := 1e-14*(b-a) + 4e-16*max(math.Abs(a), math.Abs(b)) // of rounding: relative to the length, and to the place
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s(%g, %g, %d): "+format, append([]any{r.Points, a, b, n}, args...)...)
	}
	sum := 0.0
	for i := range n {
		if i > 0 && x[i] <= x[i-1] || x[i] < a || x[i] > b {
			fail("point %d is %v", i+1, x[i])
		}
		if !(w[i] >= 0) {
			fail("weight %d is %v", i+1, w[i])
		}
		if math.Abs(x[i]-(a+(b-a)*unit[i])) > tol || math.Abs(w[i]-(b-a)*unitWeights[i]) > 1e-13*(b-a) {
			fail("point %d, %v with weight %v, is not that of the unit interval", i+1, x[i], w[i])
		}
		if mirror := a + (b - x[n-1-i]); !r.Periodic && (math.Abs(x[i]-mirror) > 2*tol || n%2 == 1 && math.Abs(w[i]-w[n-1-i]) > 1e-13*(b-a)) {
			fail("point %d is not the mirror image of point %d", i+1, n-i)
		}
		if r.Even && i > 0 && math.Abs(x[i]-x[i-1]-ax.Step) > tol {
			fail("step %d is %v, not %v", i, x[i]-x[i-1], ax.Step)
		}
		sum += w[i]
	}
	if math.Abs(sum-(b-a)) > 1e-13*(b-a) {
		fail("the weights sum to %v", sum)
	}
	if (r.Ends || r.Periodic) && x[0] != a || r.Ends && x[n-1] != b || !r.Ends && x[n-1] == b {
		fail("reaches from %v to %v", x[0], x[n-1])
	}
	if (ax.Step > 0) != r.Even || (ax.Period > 0) != r.Periodic {
		fail("step %v, period %v", ax.Step, ax.Period)
	}
	m, err := mesh.New(ax)
	if err != nil {
		t.Fatal(err)
	}
	fine, err := m.Refine(3)
	if err != nil {
		t.Fatal(err)
	}
	want := 3 * n
	if r.Ends {
		want -= 2
	}
	if f := fine.Axes()[0]; f.Rule != ax.Rule || f.Size() != want || f.Lower[0] != a || f.Upper[0] != b || f.Degree() != r.Degree(want) {
		fail("refined: %s of %d points", f.Rule, f.Size())
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var read mesh.Mesh
	if err := json.Unmarshal(data, &read); err != nil || read.String() != m.String() || !read.Equal(m) {
		fail("saved and read: %v, %v", read, err)
	}
}
