package joint

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// uneven has the pairs of d on points that are no longer evenly spaced.
func uneven(t testing.TB, d *dataset.Dataset) *dataset.Dataset {
	t.Helper()
	x := d.InputMesh.Points()
	for i, v := range x {
		x[i] = v * v
	}
	on := mesh.Must(mesh.Trapezoid(x, "x"))
	other := *d
	other.InputMesh, other.OutputMesh = on, on
	return &other
}

func drawnProblem(t testing.TB, d *dataset.Dataset, layers int) (*chain, *weights) {
	t.Helper()
	s := small(t, layers)
	s.Data = d
	p, err := newProblem(t.Context(), &s)
	if err != nil {
		t.Fatal(err)
	}
	w, err := p.chain.drawn(t.Context(), exactly, 1)
	if err != nil {
		t.Fatal(err)
	}
	return p.chain, w
}

// TestModes: in coordinates of modes a network has the outputs and the norm that it has by weights,
// and its tangent is theirs; the adjoint is its transpose.
func TestModes(t *testing.T) {
	d := semilinear(t, 8, 9, 30, 30, 1)
	for _, d := range []*dataset.Dataset{d, uneven(t, d)} {
		c, w := drawnProblem(t, d, 3)
		ctx := t.Context()
		x := c.coordinates(ctx, w)
		s, by := c.forwardAt(ctx, c.reducedFunctions(ctx, x)), c.forward(ctx, w)
		if !(math.Abs(s.objective-by.objective) <= 1e-10*by.objective) || !(distance(s.misfit, by.misfit) <= 1e-9) {
			t.Errorf("objective %.15g, by weights %.15g", s.objective, by.objective)
		}
		if back := c.coordinates(ctx, c.fromCoordinates(ctx, x)); !(floats.Distance(back, x, 2) <= 1e-8*floats.Norm(x, 2)) {
			t.Error("coordinates of weights of coordinates differ")
		}
		lin, err := c.linearise(ctx, s)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		dir := make([]float64, len(x))
		for i := range dir {
			dir[i] = rng.NormFloat64()
		}
		for k := range lin.cut {
			lin.cut[k] = [2]int{} // all of it
		}
		want := c.tangent(ctx, s, c.reducedFunctions(ctx, dir))
		got := mat.DenseCopyOf(lin.tangent(ctx, lin.rotate(ctx, dir)))
		if off := distance(got, want); !(off <= 1e-10) {
			t.Errorf("the tangent is off by %.2g", off)
		}
		if a, b := floats.Dot(lin.back(ctx, lin.adjoint(ctx, s.misfit, true)), dir), inner(s.misfit, want); !(math.Abs(a-b) <= 1e-9*math.Abs(b)) {
			t.Errorf("⟨adjoint e, d⟩ = %g, ⟨e, tangent d⟩ = %g", a, b)
		}
	}
}

// TestCurve: of a linear layer the diagonal is JᵀJ/n, which has no other entries among those of G.
func TestCurve(t *testing.T) {
	c, w := drawnProblem(t, semilinear(t, 8, 6, 30, 30, 1), 1)
	ctx := t.Context()
	lin, err := c.linearise(ctx, c.forward(ctx, w))
	if err != nil {
		t.Fatal(err)
	}
	count, _, _ := c.layers[0].modes.part(lin.curve)
	nx, ny := count.Dims()
	lin.cut[0] = [2]int{}
	jacobian := mat.NewDense(c.samples()*len(c.roots), nx*ny, nil)
	for k := range nx * ny {
		d := make([]float64, len(lin.curve))
		d[k] = 1
		jacobian.SetCol(k, lin.tangent(ctx, d).RawMatrix().Data)
	}
	square := linop.Product(ctx, jacobian.T(), jacobian)
	square.Scale(1/float64(c.samples()), square)
	top := floats.Max(lin.curve)
	for i := range nx * ny {
		for j := range nx * ny {
			want := 0.0
			if i == j {
				want = lin.curve[i]
			}
			if !(math.Abs(square.At(i, j)-want) <= 1e-12*top) {
				t.Fatalf("entry %d, %d is %g, not %g", i, j, square.At(i, j), want)
			}
		}
	}
}

// TestReducedDescent: descents by coordinates and by weights, from the same start, come to the same minimum.
func TestReducedDescent(t *testing.T) {
	d := semilinear(t, 12, 9, 30, 30, 1)
	for _, d := range []*dataset.Dataset{d, uneven(t, d)} {
		c, w := drawnProblem(t, d, 2)
		c.lambda = 1e-3
		ctx := t.Context()
		quick, exact := newDescent(ctx, c, w), newDescent(ctx, c, w)
		if err := quick.run(ctx, 100); err != nil {
			t.Fatal(err)
		}
		if quick.modes != nil {
			t.Fatal("there were steps by weights")
		}
		for range 40 {
			if err := exact.step(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := quick.s.objective, exact.s.objective; !(math.Abs(a-b) <= 1e-4*b) {
			t.Errorf("by coordinates %.8g, by weights %.8g", a, b)
		}
	}
}

// TestDescentGoesOn: a descent of layers that have no modes ends where steps gain next to nothing, which is where many of them come to.
func TestDescentGoesOn(t *testing.T) {
	s := small(t, 2)
	s.Data, s.Lambda = semilinear(t, 6, 5, 30, 30, 1), 1e-3
	s.Kernel = kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}}
	ctx := t.Context()
	p, err := newProblem(ctx, &s)
	if err != nil {
		t.Fatal(err)
	}
	w, err := p.chain.drawn(ctx, exactly, 1)
	if err != nil {
		t.Fatal(err)
	}
	quick, long := newDescent(ctx, p.chain, w), newDescent(ctx, p.chain, w)
	if err := quick.run(ctx, 60); err != nil {
		t.Fatal(err)
	}
	for range 60 {
		if err := long.step(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := quick.s.objective, long.s.objective; !(math.Abs(a-b) <= 1e-4*b) || quick.taken() >= 60 {
		t.Errorf("%.8g after %d steps, %.8g after 60", a, quick.taken(), b)
	}
}

// TestBlock: what layers are, seen through a mode, is J K Jᵀ in it: products of the network linearised with its adjoint, pair by pair.
func TestBlock(t *testing.T) {
	c, w := drawnProblem(t, semilinear(t, 5, 6, 30, 30, 1), 2)
	ctx := t.Context()
	s := c.forward(ctx, w)
	mode := make([]float64, len(c.roots))
	for j := range mode {
		mode[j] = math.Sin(float64(1 + j*j))
	}
	const total = 3
	got, err := c.block(ctx, s, c.grams(ctx, s), mode, total)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.samples() {
		one := mat.NewDense(c.samples(), len(mode), nil)
		one.SetRow(i, mode)
		seen := c.tangent(ctx, s, c.functions(ctx, c.adjoint(ctx, s, one)))
		for j := range c.samples() {
			want := floats.Dot(seen.RawRowView(j), mode) / total
			if !(math.Abs(got.At(i, j)-want) <= 1e-10*mat.Max(got)) {
				t.Errorf("pairs %d, %d: %g, want %g", i, j, got.At(i, j), want)
			}
		}
	}
}
