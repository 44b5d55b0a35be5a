package gram

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A product of rows of the kernel in parts of the columns, whole ones or not, is the product at once.
func TestProductsInParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	all, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 6, "x")), mesh.Must(mesh.Uniform(0, 2, 5, "y")))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 2, "x")), mesh.Must(mesh.Uniform(0, 2, 3, "y")))
	if err != nil {
		t.Fatal(err)
	}
	f, err := kernels.Compile(kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}}, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	c := &Check{f: f, rows: rows, all: all}
	b := mat.NewDense(30, 2, nil)
	b.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, b)
	m, err := f.Gram(t.Context(), rows, all)
	if err != nil {
		t.Fatal(err)
	}
	var want mat.Dense
	want.Mul(m, b)
	for _, size := range []int{1, 7, 10, 29, 30, 31} {
		got := mat.NewDense(6, 2, []float64{9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9})
		if err := c.multiplyBy(t.Context(), got, b, size); err != nil {
			t.Fatal(err)
		}
		got.Sub(got, &want)
		if off := mat.Norm(got, math.Inf(1)); !(off <= 1e-13) {
			t.Errorf("in parts of %d columns the product is off by %g", size, off)
		}
	}
}

// A block is eliminated by the largest pivots first, as long as they are more than a twentieth of the first: the factor is
// that of the matrix in this order, and the pivots are what is left of its diagonal.
func TestBlocksAreEliminatedByTheLargestPivots(t *testing.T) {
	const n, cols = 8, 12
	rng := rand.New(rand.NewPCG(3, 5))
	half := mat.NewDense(n, n, nil)
	half.Apply(func(i, _ int, _ float64) float64 { return rng.NormFloat64() * math.Pow(.6, float64((3*i)%n)) }, half)
	half.SetRow(5, half.RawRowView(2)) // twice the same point
	var k mat.Dense
	k.Mul(half, half.T())
	at, rows := make([]int, n), mat.NewDense(n, cols, nil)
	for i := range at {
		at[i] = (5*i + 2) % cols
		for j := range i + 1 {
			rows.Set(i, at[j], k.At(i, j))
			rows.Set(j, at[i], k.At(i, j))
		}
	}
	order, lower := (&partialCholesky{left: make([]float64, cols)}).eliminate(rows, at)
	left, first := mat.DenseCopyOf(&k), 0.0
	for a, i := range order {
		pivot := left.At(i, i)
		for q := range n {
			if !(left.At(q, q) <= pivot*(1+1e-12)) {
				t.Errorf("pivot %d is %g, at %d there is %g", a, pivot, q, left.At(q, q))
			}
		}
		if a == 0 {
			first = pivot
		}
		if !(pivot > first/20) {
			t.Errorf("pivot %d is %g, the first %g", a, pivot, first)
		}
		for b, j := range order[:a+1] {
			sum := 0.0
			for c := range b + 1 {
				sum += lower[a][c] * lower[b][c]
			}
			if !(math.Abs(sum-k.At(i, j)) <= 1e-14*first) {
				t.Errorf("entry %d, %d of the factor's product is %g, must be %g", a, b, sum, k.At(i, j))
			}
		}
		column := mat.NewVecDense(n, mat.Col(nil, i, left))
		left.RankOne(left, -1/pivot, column, column)
	}
	for q := range n {
		if !(left.At(q, q) <= first/20) {
			t.Errorf("at %d there is still %g of %g", q, left.At(q, q), first)
		}
	}
	if len(order) < 3 || len(order) == n {
		t.Errorf("%d of %d pivots", len(order), n)
	}
}

// What stands in for a kernel without structure is a short Kronecker sum within its tolerance, or that of two slices where none
// is any good.
func TestStandInsForKernels(t *testing.T) {
	space := kernel.Space{Names: []string{"x", "y"}, Inputs: 1}
	x := mesh.Must(mesh.Uniform(0, 1, 140, "x"))
	y, err := x.Rename("y")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		k      kernel.Kernel
		slices bool
	}{{kernel.Matern{Nu: .5, Lengthscale: kernel.Lengthscale{1}}, false}, {ridge{}, true}} {
		f, err := kernels.Compile(c.k, space)
		if err != nil {
			t.Fatal(err)
		}
		g, err := newChooser(t.Context(), f, x, y, structures())
		if err != nil {
			t.Fatal(err)
		}
		u, err := g.unstructured()
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for i := range 20 {
			a, b := [2]int{(7 * i) % 140, (11 * i) % 140}, [2]int{(13 * i) % 140, (17 * i) % 140}
			got := 0.0
			for q := range u.rough.Terms() {
				got += u.rough.Left(q).At(a[0], b[0]) * u.rough.Right(q).At(a[1], b[1])
			}
			at := func(k [2]int) []float64 { return []float64{float64(k[0]) / 139, float64(k[1]) / 139} }
			worst = max(worst, math.Abs(got-f.At(at(a), at(b))))
		}
		if !c.slices && !(worst <= roughTolerance) || c.slices != (u.rough.Terms() == 1) {
			t.Errorf("%v: %d terms, off by %g", c.k, u.rough.Terms(), worst)
		}
	}
}

// ridge is a kernel of which no Kronecker sum is short: exp(-((x-x')-(y-y'))²/l²), of a small l.
type ridge struct{ kernel.Kernel }

func (ridge) String() string { return "ridge" }

func (ridge) Expr(p, q kernels.Point) (*expr.Node, error) {
	d := expr.Sub(expr.Sub(p.X[0], q.X[0]), expr.Sub(p.X[1], q.X[1]))
	return expr.Exp(expr.Mul(expr.Const(-1e6), expr.Mul(d, d))), nil
}

// A form between other meshes that is wrong at three entries only is refused: rows of products are looked at, too.
func TestWrongEntriesBetweenMeshes(t *testing.T) {
	for _, unit := range []float64{1, 1e-9, 1e9} {
		wrongEntriesAreRefused(t, unit)
	}
}

func wrongEntriesAreRefused(t *testing.T, unit float64) {
	t.Helper()
	k := kernel.Scaled{Factor: unit, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.2}}}
	f, err := kernels.Compile(k, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	on := func(n int) (x, y mesh.Mesh) {
		return mesh.Must(mesh.Uniform(0, 1, n, "x")), mesh.Must(mesh.Uniform(0, 1, n, "y"))
	}
	xs, ys := on(8)
	x, y := on(9)
	for seed := range uint64(8) {
		r, err := newReference(t.Context(), f, xs, ys, x, y)
		if err != nil {
			t.Fatal(err)
		}
		r.rng = rand.New(rand.NewPCG(seed, 1))
		k, err := f.Gram(t.Context(), r.to, r.from)
		if err != nil {
			t.Fatal(err)
		}
		for _, off := range []float64{0, 1e-5} {
			wrong := mat.DenseCopyOf(k)
			for i := range 3 {
				at := [2]int{(5*i + int(seed)) % 64, 80 - 7*i}
				wrong.Set(at[0], at[1], wrong.At(at[0], at[1])+off*unit)
			}
			if _, verdict, err := r.check(claim{linop.Dense{M: wrong}, wrong.At, false}); err != nil || (verdict == "") != (off == 0) {
				t.Errorf("in units of %g, seed %d, entries off by %g: %q, %v", unit, seed, off, verdict, err)
			}
		}
	}
}

// Nothing can be missing in a sum where that is so of each of its terms; a sum of Kronecker products whose factors need more memory
// than there is, is refused by what it takes.
func TestSumsThatAreCertain(t *testing.T) {
	sure, open := &kronecker{all: true}, &kronecker{}
	if !sure.certain() || open.certain() {
		t.Fatal("all entries compared, or not, is not what makes a sum certain")
	}
	for _, c := range []struct {
		terms []scaledTerm
		want  bool
	}{{[]scaledTerm{{k: sure}, {k: sure}}, true}, {[]scaledTerm{{k: sure}, {k: open}}, false}, {[]scaledTerm{{k: open}}, false}} {
		if got := (&scaledSum{terms: c.terms}).certain(); got != c.want {
			t.Errorf("%v is certain: %t", c.terms, got)
		}
		between := make(crossSum, len(c.terms))
		for i, term := range c.terms {
			between[i].k = term.k.(*kronecker)
		}
		if got := between.certain(); got != c.want {
			t.Errorf("%v between other meshes is certain: %t", c.terms, got)
		}
	}
	low := &lowRank{a: make([][]float64, 3), b: make([][]float64, 3)}
	large, small := &pairSet{rows: 1 << 22, cols: 1 << 22}, &pairSet{rows: 1, cols: 1}
	for _, c := range [][2]*pairSet{{large, small}, {small, large}} {
		if _, err := newKronecker(low, c[0], c[1]); err == nil || !strings.Contains(err.Error(), "kernel as 3 Kronecker products") {
			t.Errorf("error %v", err)
		}
	}
}

// Squared differences are of each coordinate of points that are scattered, and zero where two count as equal.
func TestSquaredDifferences(t *testing.T) {
	a := mesh.Must(mesh.Scattered([]float64{0, 10, 1, 20, 2, 40}, 2, nil, "x", "y")).Axes()[0]
	b := mesh.Must(mesh.Scattered([]float64{1 + 1e-15, 10, 5, 40}, 2, nil, "x", "y")).Axes()[0]
	s := newSquaredDifferences(t.Context(), a, b)
	for k, want := range [][]float64{{1, 25, 0, 16, 1, 9}, {0, 900, 100, 400, 900, 0}} {
		for i, v := range s.of[k] {
			if !(math.Abs(v-want[i]) <= 1e-12) || want[i] == 0 && v != 0 {
				t.Errorf("coordinate %d: %v, want %v", k, s.of[k], want)
			}
		}
	}
}

// Entries of a direct sum are those of its parts, not of the kernel that these may differ from, and between functions there is nothing.
func TestEntriesOfDirectSumsAreThoseOfTheirParts(t *testing.T) {
	k := kernels.DirectSum{Output: mesh.Must(mesh.Uniform(0, 1, 2, "x"))}
	sizes, s := []int{3, 4}, &directSum{from: []int{0}, my: 2}
	want := mat.NewDense(14, 14, nil)
	for t, n := range sizes {
		k.Parts = append(k.Parts, kernels.Summand{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, On: mesh.Must(mesh.Uniform(0, 1, n, "x"))})
		own := numbered{m: mat.NewDense(2*n, 2*n, nil)}
		own.m.Apply(func(i, j int, _ float64) float64 { return float64(1000*(t+1) + 20*i + j) }, own.m)
		want.Slice(2*s.from[t], 2*(s.from[t]+n), 2*s.from[t], 2*(s.from[t]+n)).(*mat.Dense).Copy(own.m)
		s.parts, s.from = append(s.parts, own), append(s.from, s.from[t]+n)
	}
	x, err := k.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	f, err := kernels.Compile(k, kernel.Space{Names: append(x.Names(), k.Output.Names()...), Inputs: x.Dim()})
	if err != nil {
		t.Fatal(err)
	}
	if s.g, err = newChooser(t.Context(), f, x, k.Output, structures()); err != nil {
		t.Fatal(err)
	}
	var i, j []int
	for at := range 14 * 14 {
		i, j = append(i, (5*at+at/14)%14), append(j, at%14)
	}
	got := make([]float64, len(i))
	s.entries(got, i, j)
	for at, v := range got {
		if v != want.At(i[at], j[at]) {
			t.Errorf("entry %d, %d is %g, must be %g", i[at], j[at], v, want.At(i[at], j[at]))
		}
	}
}

// numbered is a part that has the entries of a matrix.
type numbered struct {
	Product
	m *mat.Dense
}

func (n numbered) certain() bool { return true }

func (n numbered) entries(dst []float64, i, j []int) {
	for k := range dst {
		dst[k] = n.m.At(i[k], j[k])
	}
}

// Responses of a mixture are products with its matrix, however many functions are taken at a time.
func TestResponsesInPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	random := func(r, c int) *mat.Dense {
		m := mat.NewDense(r, c, nil)
		m.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, m)
		return m
	}
	m := &mixture{to: []int{3, 2, 4}, from: []int{2, 3, 5}, inputs: 2}
	all := mat.NewDense(24, 30, nil)
	for range 3 {
		term := []*mat.Dense{random(3, 2), random(2, 3), random(4, 5)}
		var in, whole mat.Dense
		in.Kronecker(term[0], term[1])
		whole.Kronecker(&in, term[2])
		all.Add(all, &whole)
		m.terms = append(m.terms, term)
	}
	f, w := random(7, 6), random(6, 5)
	var g mat.VecDense
	g.MulVec(all, mat.NewVecDense(30, w.RawMatrix().Data))
	var want mat.Dense
	want.Mul(f, mat.NewDense(6, 4, g.RawVector().Data))
	for _, count := range []int{1, 2, 3, 7, 8} {
		got := mat.NewDense(7, 4, nil)
		m.respondBy(t.Context(), got, f, w, count)
		got.Sub(got, &want)
		if off := mat.Norm(got, math.Inf(1)); !(off <= 1e-12) {
			t.Errorf("%d functions at a time: responses are off by %g", count, off)
		}
	}
}
