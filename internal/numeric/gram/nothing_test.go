package gram

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A kernel that is zero at all points of a mesh is a matrix like others: its rows are
// drawn with equal probabilities, and nothing of it is eliminated.
func TestKernelsThatAreNothingOnTheMesh(t *testing.T) {
	ends := mesh.Must(mesh.Uniform(0, 1, 2, ""))
	k := kernel.Tensor{Input: kernel.BrownianBridge{Upper: 1}, Output: kernel.BrownianBridge{Upper: 1}}
	in, out := mesh.JointNames(ends, ends)
	f, err := kernels.Compile(k, kernel.Space{Names: append(in, out...), Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	r, err := newReference(context.Background(), f, ends, ends, ends, ends)
	if err != nil {
		t.Fatal(err)
	}
	weights, err := r.rowWeights()
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range weights {
		if w != 1./4 {
			t.Errorf("row %d has the weight %v, want that of all others", i, w)
		}
	}
	if lost := r.rounding([]int{0, 1, 2, 3}); lost != 0 {
		t.Errorf("rows of zeros lose %g by rounding", lost)
	}
	c := &partialCholesky{left: []float64{1e-20, 1, 1e-20}}
	if order, _ := c.eliminate(mat.NewDense(2, 3, nil), []int{0, 2}); len(order) != 0 || c.left[0] != 0 || c.left[1] != 1 || c.left[2] != 0 {
		t.Errorf("%d pivots in a matrix of zeros, of which %v is left", len(order), c.left)
	}
}

// A sample has an entry of each row of a matrix that is not too large, so that nothing local is overlooked.
func TestSamplesHaveEveryRow(t *testing.T) {
	const n = 30
	points := make([]float64, n)
	for i := range points {
		points[i] = float64(i*i) / n
	}
	m := mesh.Must(mesh.Trapezoid(points, ""))
	in, out := mesh.JointNames(m, m)
	f, err := kernels.Compile(kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, kernel.Space{Names: append(in, out...), Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	r, err := newReference(context.Background(), f, m, m, m, m)
	if err != nil {
		t.Fatal(err)
	}
	a := m.Axes()[0]
	c, err := newCrossing(r, axisPairs(f, a, a, 0), axisPairs(f, a, a, 1))
	if err != nil {
		t.Fatal(err)
	}
	if c.all {
		t.Fatal("all entries are checked")
	}
	seen := map[entry]bool{}
	for _, e := range c.at[:n*n] {
		seen[e] = true
	}
	for i := range n {
		for k := range n {
			if own := (entry{c.x.at(i, i), c.y.at(k, k)}); !seen[own] {
				t.Fatalf("the row of the points %d and %d is not in the sample", i, k)
			}
		}
	}
}

// A term that lives at one point only is not overlooked among rows that are drawn: a sum of products is the kernel there, too.
func TestTermsOfOnePoint(t *testing.T) {
	const n = 17 // of all n⁴ entries only some are looked at
	m := mesh.Must(mesh.Uniform(0, 1, n, ""))
	in, out := mesh.JointNames(m, m)
	for _, at := range [][2]int{{0, 0}, {3, 12}, {8, 8}, {16, 5}, {16, 16}} {
		f, err := kernels.Compile(onePoint{at: [2]float64{float64(at[0]) / (n - 1), float64(at[1]) / (n - 1)}}, kernel.Space{Names: append(in, out...), Inputs: 1})
		if err != nil {
			t.Fatal(err)
		}
		g, err := newChooser(t.Context(), f, m, m, structures())
		if err != nil {
			t.Fatal(err)
		}
		k, err := g.kronecker(crossTolerance, 3)
		if err != nil || k == nil || k.all {
			t.Fatalf("no sum of products by a sample: %v", err)
		}
		i, got := at[0]*n+at[1], []float64{0}
		if k.entries(got, []int{i}, []int{i}); !(math.Abs(got[0]-2) <= 1e-12) {
			t.Errorf("at the point %v of the term the sum is %g, want 2", at, got[0])
		}
	}
}

// onePoint is 1, and 2 where both points are one of a mesh.
type onePoint struct {
	kernel.Kernel
	at [2]float64
}

func (onePoint) String() string { return "one point" }

func (k onePoint) Expr(p, q kernels.Point) (*expr.Node, error) {
	near := expr.Const(1)
	for _, x := range [][]*expr.Node{p.X, q.X} {
		for i, v := range x {
			near = expr.Mul(near, expr.Where(expr.LT(expr.Abs(expr.Sub(v, expr.Const(k.at[i]))), expr.Const(.01)), expr.Const(1), expr.Const(0)))
		}
	}
	return expr.Add(expr.Const(1), near), nil
}

// The least difference of a coordinate is by looking at all, of points with several coordinates, too; of
// those that are equal but for rounding it is none.
func TestLeastDifference(t *testing.T) {
	a := mesh.Must(mesh.Scattered([]float64{0, 5, 1, 5.5, 3, 9}, 2, nil, "x", "y")).Axes()[0]
	b := mesh.Must(mesh.Scattered([]float64{1 + 1e-15, 7, 3.25, 2, 8, 5.125}, 2, nil, "x", "y")).Axes()[0]
	for k, want := range []float64{0.25, 0.125} {
		if got := leastDifference(t.Context(), a, b, k); got != want {
			t.Errorf("coordinate %d: %g, want %g", k+1, got, want)
		}
	}
}

// Half of the probability is the same for all rows, the other half is shared among the terms of the kernel and their sum,
// each by the sizes of its own diagonal: where terms cancel, they are looked at nevertheless.
func TestRowsAreDrawnByTheTermsOfAKernel(t *testing.T) {
	f, err := kernels.Compile(twoLines{}, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{1, 1e-5, 1e5} {
		x, y := mesh.Must(mesh.Uniform(0, unit, 4, "x")), mesh.Must(mesh.Uniform(0, 2*unit, 5, "y"))
		r, err := newReference(t.Context(), f, x, y, x, y)
		if err != nil {
			t.Fatal(err)
		}
		weights, err := r.rowWeights()
		if err != nil {
			t.Fatal(err)
		}
		sizes := func(i int) [3]float64 {
			a, b := float64(i/5)/3, float64(i%5)/2
			return [3]float64{a * a, b * b, math.Abs(a*a - b*b)}
		}
		var sums [3]float64
		for i := range 20 {
			for k, v := range sizes(i) {
				sums[k] += v
			}
		}
		for i, w := range weights {
			want := .5 / 20
			for k, v := range sizes(i) {
				want += .5 / 3 * v / sums[k]
			}
			if !(math.Abs(w-want) <= 1e-14) {
				t.Errorf("in units of %g row %d is drawn with probability %g, want %g", unit, i, w, want)
			}
		}
	}
}

// twoLines is xξ - yη.
type twoLines struct{ kernel.Kernel }

func (twoLines) String() string { return "two lines" }

func (twoLines) Expr(p, q kernels.Point) (*expr.Node, error) {
	return expr.Sub(expr.Mul(p.X[0], q.X[0]), expr.Mul(p.X[1], q.X[1])), nil
}

// Cells of a padded grid have the number of their lag, from the far end of the axis backwards: lags of even axes are
// distances, the others run from -(n-1) to n-1, and those of the last axis change fastest.
func TestCellsHaveTheNumbersOfTheirLags(t *testing.T) {
	for _, axes := range [][]lagAxisInfo{{{3, false}}, {{4, true}}, {{3, false}, {2, false}}, {{3, true}, {4, false}}, {{2, false}, {3, true}, {4, false}}} {
		padded, size := make([]int, len(axes)), 1
		for k, a := range axes {
			padded[k] = 2*a.n + k
			size *= padded[k]
		}
		got := lagCells(axes, padded)
		if len(got) != size {
			t.Fatalf("%v: %d cells, want %d", axes, len(got), size)
		}
		numbers := map[int][]int{} // the lags of each number
		for cell, number := range got {
			lags, inside, rest, want := make([]int, len(axes)), true, cell, 0
			for k := len(axes) - 1; k >= 0; k-- {
				lags[k] = rest % padded[k]
				rest /= padded[k]
				if lags[k] > padded[k]/2 {
					lags[k] -= padded[k]
				}
				if axes[k].even {
					lags[k] = max(lags[k], -lags[k])
				}
				inside = inside && max(lags[k], -lags[k]) < axes[k].n
			}
			for k, a := range axes {
				want *= a.lags()
				if want += lags[k]; !a.even {
					want += a.n - 1
				}
			}
			if !inside {
				want = -1
			} else if other, ok := numbers[number]; ok && !slices.Equal(other, lags) {
				t.Errorf("%v: lags %v and %v have the number %d", axes, other, lags, number)
			}
			if got[cell] != want {
				t.Errorf("%v: cell %d of lags %v has the number %d, want %d", axes, cell, lags, got[cell], want)
			}
			numbers[number] = lags
		}
	}
}

// A side without coordinates is one point of weight one, which an interval of length one stands for.
func TestPointIsOne(t *testing.T) {
	a := Point()
	if a.Size() != 1 || a.Weights[0] != 1 || a.Upper[0]-a.Lower[0] != 1 || a.Step != 1 || a.Coordinates[0] != a.Lower[0] {
		t.Errorf("%+v", a)
	}
}

// Rows are drawn as often as their probabilities say, the last as the others.
func TestRowsAreDrawnAsOftenAsTheyAreProbable(t *testing.T) {
	const count = 20000
	ends := mesh.Must(mesh.Uniform(0, 1, 2, "x"))
	f, err := kernels.Compile(twoLines{}, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	y, err := ends.Rename("y")
	if err != nil {
		t.Fatal(err)
	}
	r, err := newReference(t.Context(), f, ends, y, ends, y)
	if err != nil {
		t.Fatal(err)
	}
	draws, err := r.drawRows(count)
	if err != nil {
		t.Fatal(err)
	}
	often := make([]float64, 4)
	for _, i := range draws {
		often[i] += 1. / count
	}
	for i, w := range r.weights {
		if off := 5 * math.Sqrt(w/count); !(math.Abs(often[i]-w) <= off) {
			t.Errorf("row %d of probability %g is drawn %g of times", i, w, often[i])
		}
	}
}

// Terms that are alike are described once, with their number, in the order in which they come.
func TestTermsAreDescribedOnce(t *testing.T) {
	terms := []string{"a", "b", "-a", "a", "b", "a", "c"}
	got := describeTerms(terms, func(s string) (string, bool) { return s[len(s)-1:], len(s) > 1 })
	if want := "3 times a a + 2 times a b + scaled a + c"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A number without its last two bits is as near to it as these are small, and can be halved by them no more.
func TestNumbersWithoutTheirLastBits(t *testing.T) {
	for i, v := range blur([]float64{1, 1 / 3., -2 / 7., 1e100 / 3, 5e-200 / 7}) {
		x := []float64{1, 1 / 3., -2 / 7., 1e100 / 3, 5e-200 / 7}[i]
		if !(math.Abs(v-x) <= 0x1p-50*math.Abs(x)) || math.Float64bits(v)&3 != 0 {
			t.Errorf("%b is %b", x, v)
		}
	}
}

// The Gaussians of a kernel that does not see the input are the kernel, wherever the points of the input are.
func TestMixturesOfKernelsOfTheOutput(t *testing.T) {
	k := OnOutput{Kernel: kernel.Matern{Nu: .5, Lengthscale: kernel.Lengthscale{.3}}}
	f, err := kernels.Compile(k, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	terms := k.Mixture([]float64{.1, .01}, 1e-12)
	if len(terms) == 0 {
		t.Fatal("no Gaussians")
	}
	for _, d := range [][]float64{{0, .01}, {.1, .3}, {5, .3}, {5, 0}} {
		sum := 0.0
		for _, g := range terms {
			for k, r := range g.Rates {
				if d[k] != 0 { // rates may be infinite
					g.Weight *= math.Exp(-r * d[k] * d[k])
				}
			}
			sum += g.Weight
		}
		if want := f.At([]float64{0, 0}, d); !(math.Abs(sum-want) <= 1e-11) {
			t.Errorf("at a distance of %v the Gaussians are %g, the kernel %g", d, sum, want)
		}
	}
}

// Of entries that are compared each counts, the first as the last, relative to the largest of the kernel in any unit.
func TestEveryEntryIsCompared(t *testing.T) {
	x, y := mesh.Must(mesh.Uniform(0, 1, 4, "x")), mesh.Must(mesh.Uniform(0, 2, 5, "y"))
	for _, unit := range []float64{1, 1e-9, 1e9} {
		k := kernel.Scaled{Factor: unit, Kernel: kernel.Matern{Nu: .5, Lengthscale: kernel.Lengthscale{2}}}
		f, err := kernels.Compile(k, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
		if err != nil {
			t.Fatal(err)
		}
		everyEntryIsCompared(t, f, x, y, unit)
	}
}

func everyEntryIsCompared(t *testing.T, f *kernels.Function, x, y mesh.Mesh, unit float64) {
	t.Helper()
	r, err := newReference(t.Context(), f, x, y, x, y)
	if err != nil {
		t.Fatal(err)
	}
	k, err := f.Gram(t.Context(), r.to, r.from)
	if err != nil {
		t.Fatal(err)
	}
	for row := range 20 {
		wrong := mat.DenseCopyOf(k)
		wrong.Set(row, 19-row, wrong.At(row, 19-row)+unit/2)
		off, err := r.entries(claim{linop.Dense{M: wrong}, wrong.At, false}, 20, func(i int) int { return 19 - i })
		if err != nil || !(off > .3 && off < 1) {
			t.Errorf("an entry of row %d is off by half of the largest, found is %g (%v)", row, off, err)
		}
	}
}

// A difference is accepted that is below 2·10⁻¹¹, or where coordinates are rounded so much that the kernel is no better known:
// twice what that does, but never more than 10⁻⁸, nor one that is no number.
func TestDifferencesThatAreAccepted(t *testing.T) {
	f, err := kernels.Compile(kernel.SE{Lengthscale: kernel.Lengthscale{1}}, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []float64{0, 1e6, 1e9} { // of the mesh
		x, y := mesh.Must(mesh.Uniform(from, from+1/3., 4, "x")), mesh.Must(mesh.Uniform(from, from+2/7., 4, "y"))
		r, err := newReference(t.Context(), f, x, y, x, y)
		if err != nil {
			t.Fatal(err)
		}
		at := []int{0, 5, 10, 15}
		rounding := r.rounding(at)
		most := max(2e-11, min(2*rounding, 1e-8))
		if from == 1e6 && !(most == 2*rounding) || from == 1e9 && !(most == 1e-8) {
			t.Fatalf("rows of a kernel at %g change by %g: another example is needed", from, rounding)
		}
		for off, accepted := range map[float64]bool{.99 * most: true, 1.01 * most: false, math.NaN(): false, 0: true} {
			if _, why, err := r.verdict(&Check{Error: off, at: at}, nil); (why == "") != accepted || err != nil {
				t.Errorf("at %g a difference of %g: %q, %v", from, off, why, err)
			}
		}
	}
}
