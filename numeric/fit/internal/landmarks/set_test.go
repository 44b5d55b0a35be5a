package landmarks

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// arrayOf is n × m normal numbers.
func arrayOf(rng *rand.Rand, n, m int) *array.Array {
	return &array.Array{Shape: []int{n, m}, Data: linop.Normal(rng, n*m)}
}

// cloud is points of the plane, one of them without weight.
func cloud(t *testing.T, n int) mesh.Mesh {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	points, weights := make([]float64, 2*n), make([]float64, n)
	for i := range points {
		points[i] = rng.Float64()
	}
	for i := range weights {
		weights[i] = .5 + rng.Float64()
	}
	weights[2] = 0
	return mesh.Must(mesh.Scattered(points, 2, weights, "a", "b"))
}

func compiled(t *testing.T, k kernel.Kernel, m mesh.Mesh) *kernels.Function {
	t.Helper()
	return testmain.Must(kernels.Compile(k, kernel.Space{Names: m.Names()}))(t)
}

func point(m mesh.Mesh, i int) []float64 {
	p := make([]float64, m.Dim())
	m.Point(p, i)
	return p
}

// Landmarks are one after the other the point that is furthest from those before, in the metric of the kernel, of points with a
// weight; no more than asked for, and none that those before say all of.
func TestLandmarksAreSpread(t *testing.T) {
	m := cloud(t, 40)
	f := compiled(t, kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}, m)
	at := testmain.Must(Spread(t.Context(), f, m, 12))(t)
	if len(at) != 12 || at[0] != 0 {
		t.Fatalf("landmarks %v", at)
	}
	for k := 1; k < len(at); k++ {
		furthest, most := -1, 0.0
		for i, w := range m.Weights() {
			near := math.Inf(1)
			for _, z := range at[:k] {
				near = min(near, f.At(point(m, i), point(m, i))+f.At(point(m, z), point(m, z))-2*f.At(point(m, i), point(m, z)))
			}
			if w > 0 && near > most {
				furthest, most = i, near
			}
		}
		if at[k] != furthest {
			t.Errorf("landmark %d is %d, the furthest is %d", k, at[k], furthest)
		}
	}
	all := testmain.Must(Spread(t.Context(), f, m, 1000))(t)
	if len(all) != 39 || slices.Contains(all, 2) {
		t.Errorf("%d of 39 points with a weight: %v", len(all), all)
	}
	smooth := compiled(t, kernel.Polynomial{Degree: 1, Offset: 1}, m) // three functions
	if three := testmain.Must(Spread(t.Context(), smooth, m, 40))(t); len(three) != 3 {
		t.Errorf("%d landmarks say all of three functions", len(three))
	}
}

// Of more points than can be looked at, as many as can are drawn, in order, of those with a weight.
func TestCandidates(t *testing.T) {
	weights := linop.Ones(mostCandidates + 2)
	weights[1] = 0
	weights[7] = -1
	some := candidates(weights)
	if len(some) != mostCandidates || some[0] != 0 || some[1] != 2 || some[len(some)-1] != mostCandidates+1 {
		t.Errorf("%d candidates: %v …", len(some), some[:8])
	}
	weights = append(weights, 1)
	some = candidates(weights)
	if len(some) != mostCandidates || !slices.IsSorted(some) || len(slices.Compact(some)) != mostCandidates || slices.Contains(some[:9], 1) || slices.Contains(some[:9], 7) {
		t.Errorf("%d candidates: %v …", len(some), some[:9])
	}
}

// The functions that interpolate are one at their landmark and zero at the others, have constants exactly everywhere, and
// elsewhere are those of kriging; what is left of the kernel is what it leaves by its definition.
func TestCardinalFunctions(t *testing.T) {
	m := cloud(t, 30)
	f := compiled(t, kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.4}}, m)
	at := []int{0, 5, 11, 20}
	set := testmain.Must(newSet(t.Context(), f, m, at))(t)
	values, left, err := set.cardinal(t.Context(), m, 3, 30)
	if err != nil {
		t.Fatal(err)
	}
	gram, most := mat.NewSymDense(4, nil), 0.0
	for i, p := range at {
		for j, q := range at[:i+1] {
			gram.SetSym(i, j, f.At(point(m, p), point(m, q)))
		}
	}
	solve := func(b []float64) []float64 {
		var z mat.VecDense
		if err := z.SolveVec(gram, mat.NewVecDense(4, b)); err != nil {
			t.Fatal(err)
		}
		return z.RawVector().Data
	}
	mean := solve(linop.Ones(4))
	for x := 3; x < 30; x++ {
		k := make([]float64, 4)
		for i, p := range at {
			k[i] = f.At(point(m, p), point(m, x))
		}
		want := solve(slices.Clone(k))
		own := f.At(point(m, x), point(m, x))
		most = max(most, (own-floats.Dot(k, want))/own)
		floats.AddScaled(want, (1-floats.Sum(want))/floats.Sum(mean), mean)
		got := mat.Col(nil, x-3, values)
		if d := floats.Distance(got, want, math.Inf(1)); !(d <= 1e-10) || math.Abs(floats.Sum(got)-1) > 1e-12 {
			t.Errorf("point %d: %v, want %v", x, got, want)
		}
	}
	if math.Abs(left-most) > 1e-10 {
		t.Errorf("%g is left of the kernel, want %g", left, most)
	}
	// some points at a time, or all: the same; gathered and extended functions have the same integrals
	all, _, err := set.cardinal(t.Context(), m, 0, 30)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	u, g := mat.NewDense(2, 4, linop.Normal(rng, 8)), mat.NewDense(2, 30, linop.Normal(rng, 60))
	on := testmain.Must(set.extend(t.Context(), u, m))(t)
	var want mat.Dense
	want.Mul(u, all)
	if want.Sub(&want, on); mat.Norm(&want, 2) > 1e-14 {
		t.Errorf("extended functions are off by %g", mat.Norm(&want, 2))
	}
	few := testmain.Must(set.gather(t.Context(), g, m))(t)
	for i := range 2 {
		fine, coarse := 0.0, 0.0
		for x, w := range m.Weights() {
			fine += w * g.At(i, x) * on.At(1, x)
		}
		for z, w := range set.Mesh.Weights() {
			coarse += w * few.At(i, z) * u.At(1, z)
		}
		if math.Abs(fine-coarse) > 1e-12 {
			t.Errorf("integral %g, on landmarks %g", fine, coarse)
		}
	}
	zero := *set
	zero.f = compiled(t, kernel.Polynomial{Degree: 1}, m) // which is nothing at the origin
	origin := mesh.Must(mesh.Scattered([]float64{0, 0}, 2, []float64{1}, "a", "b"))
	if _, left, err := zero.cardinal(t.Context(), origin, 0, 1); err != nil || left != 0 {
		t.Errorf("%g is left of a kernel that is zero: %v", left, err)
	}
}

// What outputs on landmarks leave is the squares that their nearest combination does, with weights and without, and of the
// outputs less their mean.
func TestBeyondLandmarks(t *testing.T) {
	x, y := mesh.Must(mesh.Uniform(0, 1, 5, "x")), cloud(t, 20)
	rng := rand.New(rand.NewPCG(3, 1))
	const n = 6
	d := testmain.Must(dataset.New(dataset.Spec{
		Input: arrayOf(rng, n, 5), Output: arrayOf(rng, n, 20), InputMesh: x, OutputMesh: y,
	}))(t)
	pairs, points := []float64{1, 2, .5, 1, 3, .25}, make([]float64, 20)
	for i := range points {
		points[i] = .5 + rng.Float64()
	}
	d = testmain.Must(d.WithErrors(&dataset.Errors{Pairs: pairs, Points: points}))(t)
	out := []int{0, 4, 9, 15, 18}
	k := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.5}}
	r := testmain.Must(Reduce(t.Context(), d, k, nil, out))(t)
	m, _, err := r.Out.cardinal(t.Context(), y, 0, 20)
	if err != nil {
		t.Fatal(err)
	}
	w := y.Weights()
	floats.Mul(w, points)
	nearest := func(u []float64) (left float64) { // by weighted least squares
		a, b := mat.NewDense(20, 5, nil), mat.NewVecDense(20, nil)
		for i, v := range w {
			for j := range 5 {
				a.Set(i, j, math.Sqrt(v)*m.At(j, i))
			}
			b.SetVec(i, math.Sqrt(v)*u[i])
		}
		var c, off mat.VecDense
		if err := c.SolveVec(a, b); err != nil {
			t.Fatal(err)
		}
		off.MulVec(a, &c)
		off.SubVec(&off, b)
		return mat.Dot(&off, &off)
	}
	mean, want := make([]float64, 20), Beyond{Values: n * 15}
	for i := range n {
		u := d.Output.Data[i*20 : (i+1)*20]
		floats.AddScaled(mean, 1./n, u)
		want.Left += nearest(u) / n
		want.Squares += pairs[i] * nearest(u) / n
	}
	for i := range n {
		u := slices.Clone(d.Output.Data[i*20 : (i+1)*20])
		floats.Sub(u, mean)
		want.Around += nearest(u) / n
	}
	got := r.Beyond
	for what, v := range map[string][2]float64{"squares": {got.Squares, want.Squares}, "left": {got.Left, want.Left}, "around": {got.Around, want.Around}} {
		if math.Abs(v[0]-v[1]) > 1e-11*v[1] {
			t.Errorf("%s: %g, want %g", what, v[0], v[1])
		}
	}
	if got.Values != want.Values {
		t.Errorf("%d values, want %d", got.Values, want.Values)
	}
}

// Landmarks of the input have the squares of their functions for weights, and inputs on them the integrals that they had with these; on
// meshes of more points than landmarks G is interpolated, and on those of as many, or fewer, it is itself.
func TestInputsOnLandmarks(t *testing.T) {
	x, y := cloud(t, 20), mesh.Must(mesh.Uniform(0, 1, 9, "y"))
	rng := rand.New(rand.NewPCG(3, 2))
	d := testmain.Must(dataset.New(dataset.Spec{Input: arrayOf(rng, 3, 20), Output: arrayOf(rng, 3, 9), InputMesh: x, OutputMesh: y}))(t)
	k := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.5}}
	r := testmain.Must(Reduce(t.Context(), d, k, []int{0, 4, 9, 15, 18}, []int{0, 3, 8}))(t)
	l, _, err := r.In.cardinal(t.Context(), x, 0, 20)
	if err != nil {
		t.Fatal(err)
	}
	for j, w := range r.In.Mesh.Weights() {
		square := 0.0
		for i, v := range x.Weights() {
			square += v * l.At(j, i) * l.At(j, i)
		}
		if math.Abs(w-square) > 1e-13 {
			t.Errorf("landmark %d has the weight %g, want %g", j, w, square)
		}
		for i := range 3 {
			integral := 0.0
			for p, v := range x.Weights() {
				integral += v * l.At(j, p) * d.Input.Data[i*20+p]
			}
			if got := w * r.Data.Input.Data[i*5+j]; math.Abs(got-integral) > 1e-12 {
				t.Errorf("pair %d, landmark %d: %g, want %g", i, j, got, integral)
			}
		}
	}
	g := testmain.Must(lattice.On(r.In.Mesh, r.Out.Mesh).Expand(k, mat.NewDense(5, 3, linop.Normal(rng, 15))))(t)
	r.Green = testmain.Must(g.On(t.Context(), r.In.Mesh, r.Out.Mesh))(t)
	line := func(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(.05, .9, n, "y")) }
	same := func(a, b *mat.Dense) bool {
		var off mat.Dense
		off.Sub(a, b)
		return mat.Norm(&off, math.Inf(1)) <= 1e-12*mat.Norm(b, math.Inf(1))
	}
	for _, c := range []struct {
		nx, ny     int
		manyX, all bool // interpolated along the input; itself everywhere
	}{{4, 2, false, true}, {5, 3, false, true}, {6, 3, true, false}, {5, 4, false, false}, {6, 4, true, false}} {
		xs, ys := cloud(t, c.nx), line(c.ny)
		itself := testmain.Must(g.On(t.Context(), xs, ys))(t)
		got := testmain.Must(r.Values(t.Context(), g, xs, ys))(t)
		if same(got, itself) != c.all {
			t.Errorf("%d × %d points: G is itself %v", c.nx, c.ny, !c.all)
		}
		f := mat.NewDense(2, c.nx, linop.Normal(rng, 2*c.nx))
		var want mat.Dense
		want.Mul(weightedColumns(f, xs.Weights(), 0, c.nx), got)
		if u := testmain.Must(r.Respond(t.Context(), g, f, xs, ys))(t); !same(u, &want) {
			t.Errorf("%d × %d points: predictions are not those of G", c.nx, c.ny)
		}
		on, m, err := r.Input(t.Context(), f, xs)
		if err != nil || (on != f) != c.manyX || m.Equal(r.In.Mesh) != c.manyX {
			t.Errorf("%d points: inputs are on landmarks %v; %v", c.nx, on != f, err)
		}
	}
}

// What a file says of landmarks makes them again; one of before has one number for what they leave.
func TestLandmarksOfAFile(t *testing.T) {
	x, y := cloud(t, 20), mesh.Must(mesh.Uniform(0, 1, 9, "y"))
	rng := rand.New(rand.NewPCG(3, 4))
	d := testmain.Must(dataset.New(dataset.Spec{Input: arrayOf(rng, 3, 20), Output: arrayOf(rng, 3, 9), InputMesh: x, OutputMesh: y}))(t)
	k := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.5}}
	r := testmain.Must(Reduce(t.Context(), d, k, []int{0, 4, 9}, nil))(t)
	h := r.Saved(r.In.Mesh, y)
	if !h.Input || h.Output || h.Pairs != nil {
		t.Errorf("%+v", h)
	}
	h.Points, h.Beyond = []float64{1, 2}, Beyond{Values: 3, Squares: .5}
	again := testmain.Must(h.Reduction(t.Context(), k, x, y))(t)
	if again.Out != nil || !again.In.Mesh.Equal(r.In.Mesh) || !mat.Equal(again.In.upper, r.In.upper) {
		t.Error("other landmarks")
	}
	if again.Beyond != (Beyond{3, .5, .5, .5}) || again.Errors == nil || again.Errors.Points[1] != 2 {
		t.Errorf("%+v, %+v", again.Beyond, again.Errors)
	}
	h.Points, h.Beyond.Left = nil, .25
	if again = testmain.Must(h.Reduction(t.Context(), k, x, y))(t); again.Beyond.Left != .25 || again.Beyond.Around != 0 || again.Errors != nil {
		t.Errorf("%+v, %+v", again.Beyond, again.Errors)
	}
}
