package assess

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Classes of distance end at one and a half times that of neighbours, and at twice as far each,
// up to half of the mesh: on equal steps they are 1, 2 and 3, 4 to 6, 7 to 12 steps and so on.
func TestClassesOfDistance(t *testing.T) {
	for _, n := range []int{2, 3, 5, 9, 17, 33} { // whose steps are not rounded
		d := newDistances(mesh.Must(mesh.Uniform(2, 6, n, "y")))
		step := 4 / float64(n-1)
		var counts []int
		var means []float64
		for lo, hi := 0., 1.5; lo == 0 || hi <= float64(n-1)/2; lo, hi = hi, 2*hi {
			count, sum := 0, 0.0
			for k := 1; k < n; k++ {
				if s := float64(k); s > lo && s <= hi {
					count, sum = count+n-k, sum+s*float64(n-k)
				}
			}
			counts, means = append(counts, count), append(means, sum/float64(count)*step)
		}
		if len(d.couples) != len(counts) {
			t.Errorf("%d points: %d classes, want %d", n, len(d.couples), len(counts))
			continue
		}
		for c, couples := range d.couples {
			if len(couples) != counts[c] || !(math.Abs(d.at[c]-means[c]) <= 1e-12) {
				t.Errorf("%d points, class %d: %d couples at %g, want %d at %g", n, c, len(couples), d.at[c], counts[c], means[c])
			}
		}
	}
	plane, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 5, "x")), mesh.Must(mesh.Uniform(0, 100, 5, "y")))
	if err != nil {
		t.Fatal(err)
	}
	d := newDistances(plane) // in lengths of the axes: neighbours beside one another and across
	if want := (40*.25 + 32*.25*math.Sqrt2) / 72; len(d.couples[0]) != 72 || !(math.Abs(d.at[0]-want) <= 1e-12) {
		t.Errorf("in the plane %d couples at %g, want 72 at %g", len(d.couples[0]), d.at[0], want)
	}
	if d := newDistances(mesh.Mesh{}); len(d.couples) != 0 {
		t.Errorf("no point has %d classes", len(d.couples))
	}
}

// Of more couples than 600 as many are looked at, each once.
func TestCouplesThatAreLookedAt(t *testing.T) {
	d := newDistances(mesh.Must(mesh.Uniform(0, 1, 200, "y")))
	for c, couples := range d.couples {
		seen := map[[2]int]bool{}
		for _, p := range couples {
			seen[p] = true
			if p[0] >= p[1] {
				t.Errorf("class %d has the couple %v", c, p)
			}
		}
		if len(seen) != len(couples) || len(couples) > 600 || c > 2 && len(couples) != 600 {
			t.Errorf("class %d: %d couples, %d of them different", c, len(couples), len(seen))
		}
	}
}

// Parts of a mesh have as many points each, in the order of the coordinate, and are named by their ends.
func TestPartsOfMeshes(t *testing.T) {
	for n := 2; n <= 20; n++ {
		m := mesh.Must(mesh.Uniform(0, float64(n-1), n, "y"))
		parts, names := partsOf(m)
		count := make([]int, min(6, n))
		first, last := slices.Repeat([]int{n}, len(count)), make([]int, len(count))
		for k, g := range parts[0] {
			count[g]++
			first[g], last[g] = min(first[g], k), max(last[g], k)
		}
		for g := range count {
			if want := fmt.Sprintf("for y from %.3g to %.3g", float64(first[g]), float64(last[g])); names[g] != want || count[g] < n/len(count) || count[g] > n/len(count)+1 {
				t.Errorf("%d points: part %d is %q of %d points, want %q", n, g, names[g], count[g], want)
			}
		}
	}
}

// Places along a coordinate are its values, or forty groups of neighbours, each at their mean.
func TestPlacesAlongTheOutput(t *testing.T) {
	for _, n := range []int{2, 7, 40, 41, 80, 100} {
		plane, err := mesh.Product(mesh.Must(mesh.Uniform(3, 5, n, "x")), mesh.Must(mesh.Uniform(0, 1, 2, "y")))
		if err != nil {
			t.Fatal(err)
		}
		places, at := placesOf(plane)
		groups := min(n, 40)
		sum, count := make([]float64, groups), make([]float64, groups)
		for k, x := range plane.Columns()[0] {
			sum[places[k]], count[places[k]] = sum[places[k]]+x, count[places[k]]+1
		}
		if len(at) != groups || !slices.IsSorted(at) {
			t.Fatalf("%d values: %d places %v", n, len(at), at)
		}
		for g := range at {
			if !(math.Abs(at[g]-sum[g]/count[g]) <= 1e-12) || !(count[g] >= 2*float64(n/groups)) || !(count[g] <= 2*float64(n/groups+1)) {
				t.Errorf("%d values: place %d at %g has %g points whose mean is %g", n, g, at[g], count[g], sum[g]/count[g])
			}
		}
	}
}

// Quantiles are of ranks from the first to the last, each once, where normal numbers would be.
func TestQuantilesOfResiduals(t *testing.T) {
	for _, n := range []int{1, 2, 9, 99, 100, 1000} {
		values := mat.NewDense(n, 1, nil)
		for i := range n {
			values.Set((i*7)%n, 0, float64(i))
		}
		if n%7 == 0 {
			t.Fatal("7 divides it")
		}
		q := quantileProbes(&fit.Residuals{Observed: &fit.Residue{Values: values}})
		sorted := q.of(&fit.Residue{Values: values})
		if q.ranks[0] != 0 || q.ranks[len(q.ranks)-1] != n-1 || len(q.ranks) > 99 || len(q.ranks) < min(n/2+1, 50) {
			t.Errorf("%d values: ranks %v", n, q.ranks)
		}
		for j, rank := range q.ranks {
			p := (1 + math.Erf(q.at[j]/math.Sqrt2)) / 2
			if !(math.Abs(p-(float64(rank)+.5)/float64(n)) <= 1e-9) || sorted[j] != float64(rank) || j > 0 && rank <= q.ranks[j-1] {
				t.Errorf("%d values: rank %d is %g at %g", n, rank, sorted[j], q.at[j])
			}
		}
	}
}

// Coordinates are from 0 to 1 in any units; one that is the same everywhere is 0.
func TestRelativeCoordinates(t *testing.T) {
	m := mesh.Must(mesh.Scattered([]float64{3, 5, 7, 4, 5, 5, 4, 5, 11}, 3, nil, "a", "b", "c"))
	want := [][]float64{{0, 0, 1. / 3}, {1, 0, 0}, {1, 0, 1}}
	for i, p := range relative(m) {
		for j, v := range p {
			if !(math.Abs(v-want[i][j]) <= 1e-15) {
				t.Errorf("point %d: %v, want %v", i, p, want[i])
			}
		}
	}
}

// Rivals are fits whose λ and ρ the likelihood chooses, whatever those of the own one are; its own kernel is one where it had others.
func TestRivalsChooseTheirPenalties(t *testing.T) {
	ctx := t.Context()
	m := mesh.Must(mesh.Uniform(0, 1, 6, "x"))
	in, out := array.New(8, 6), array.New(8, 6)
	for i := range in.Data {
		in.Data[i] = math.Sin(float64(7 * i * i))
		out.Data[i] = 1 + in.Data[i] + .1*math.Cos(float64(3*i*i))
	}
	d, err := dataset.New(dataset.Spec{Input: in, Output: out, InputMesh: m, OutputMesh: m})
	if err != nil {
		t.Fatal(err)
	}
	k := kernel.Kernel(kernel.SE{Lengthscale: kernel.Lengthscale{.3}})
	e, err := fit.Fit(ctx, fit.Spec{Data: d, Kernel: k, Lambda: 2, Rho: 3})
	if err != nil {
		t.Fatal(err)
	}
	own, ok := e.Learned()
	if !ok {
		t.Fatal("nothing was learned")
	}
	r := pairs{e}.rivals(kernel.Kernel.String)
	tried := append(otherKernels(), k)
	if len(r.others) != len(tried) {
		t.Fatalf("%d rivals, want %d", len(r.others), len(tried))
	}
	for i, k := range tried[1:] {
		got, err := r.others[i+1](ctx)
		if err != nil {
			t.Fatal(err)
		}
		want, err := fit.Fit(ctx, fit.Spec{Data: d, Kernel: k, Criterion: fit.REML, Intercept: own.Intercept, Bias: own.Bias})
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(*got.report.REML-*want.Report.REML) <= 1e-3) {
			t.Errorf("%v: REML %g at λ = %g, ρ = %g, want %g at %g, %g", k, *got.report.REML, got.report.Lambda, got.report.Rho, *want.Report.REML, want.Report.Lambda, want.Report.Rho)
		}
	}
}
