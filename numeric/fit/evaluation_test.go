package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// places are meshes of every kind to evaluate on, of a space and a time coordinate.
func places(rng *rand.Rand, space, time string) map[string]mesh.Mesh {
	line := func(a mesh.Axis, err error) mesh.Mesh { return mesh.Must(a, err) }
	points := func(n int, low, high float64, name string) mesh.Mesh {
		p := make([]float64, n)
		for i := range p {
			p[i] = low + rng.Float64()*(high-low)
		}
		return line(mesh.Scattered(p, 1, nil, name))
	}
	cloud := make([]float64, 10)
	for i := range cloud {
		cloud[i] = rng.Float64()
	}
	return map[string]mesh.Mesh{
		"that of the data":  {},
		"uniform":           productOf(line(mesh.Uniform(-.9, .8, 3, space)), line(mesh.Uniform(.05, .95, 4, time))),
		"one step":          productOf(line(mesh.Uniform(-.9, .8, 3, space)), line(mesh.Uniform(-.5, 2, 6, time))),
		"gauss":             productOf(line(mesh.Gauss(-1, 1, 3, space)), line(mesh.Gauss(0, 1, 3, time))),
		"chebyshev":         productOf(line(mesh.Chebyshev(-1, 1, 3, space)), line(mesh.Uniform(0, 1, 3, time))),
		"periodic":          productOf(line(mesh.Periodic(-1, 1, 3, space)), line(mesh.Periodic(0, 1, 3, time))),
		"scattered in both": line(mesh.Scattered(cloud, 2, nil, space, time)),
		"scattered in each": productOf(points(3, -1, 1, space), points(2, 0, 1, time)),
		"scattered times":   productOf(line(mesh.Uniform(-1, 1, 3, space)), points(3, 0, 1, time)),
		"one point":         line(mesh.Scattered(cloud[:2], 2, nil, space, time)),
	}
}

// Under every constraint, on meshes of every kind, every way to evaluate an estimate
// gives the values of G at its points: as a matrix, against inputs, against functions of
// the output, by singular functions, as slices and derivatives.
func TestEvaluationsAgreeOnAllMeshes(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	all := []constraint.Constraint{nil}
	for _, o := range oracles(t) {
		all = append(all, o.c)
	}
	inv, cau := constraint.TimeInvariant{Input: "s", Output: "t"}, constraint.Causal{Input: "s", Output: "t"}
	sym := constraint.Symmetric{Names: []string{"x", "y"}}
	all = append(all, constraint.List{inv, cau}, constraint.List{inv, sym}, constraint.List{cau, inv, sym})
	for i, c := range all {
		k := kernel.Kernel(kernel.SE{Lengthscale: kernel.Lengthscale{.6, .9, .5, .7}})
		if c != nil {
			if l, err := constraint.LawsOf(c, kernel.Space{Names: []string{"x", "s", "y", "t"}, Inputs: 2}); err == nil && l.Reduce != nil {
				k = kernel.SE{Lengthscale: kernel.Lengthscale{.6, .9, .5}}
			}
		}
		d := noise(t, 3, kinds(rng, i%2, "x", "s"), kinds(rng, i%2, "y", "t"))
		e := mustFit(t, fit.Spec{Data: d, Kernel: k, Constraint: c, Bias: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}, Lambda: 1e-2})
		xs, ys := places(rng, "x", "s"), places(rng, "y", "t")
		for xn, x := range xs {
			for yn, y := range ys {
				if own := "that of the data"; xn == yn || xn == own || yn == own || xn == "scattered in both" {
					checkEvaluations(t, fmt.Sprintf("%v, from %s to %s", c, xn, yn), e, x, y)
				}
			}
		}
		checkSlices(t, e)
		for _, y := range []string{"one point", "scattered in each"} {
			std, err := e.Std(ctx, xs["scattered in both"], ys[y])
			if err != nil {
				t.Errorf("%v: std: %v", c, err)
			} else if low := mat.Min(std); !(low >= 0) {
				t.Errorf("%v: std %g", c, low)
			}
			f := mat.NewDense(1, xs["scattered in each"].Size(), nil)
			if _, err := e.PredictStd(ctx, f, xs["scattered in each"], ys[y]); err != nil {
				t.Errorf("%v: std of predictions: %v", c, err)
			}
		}
	}
}

// checkSlices compares slices through points off the meshes with G.
func checkSlices(t *testing.T, e *fit.Estimate) {
	t.Helper()
	for _, at := range []map[string]float64{{"x": .13}, {"s": .21, "y": -.4}, {"x": .13, "s": .21, "t": .7}} {
		values, rest, err := e.Slice(ctx, at)
		if err != nil {
			t.Errorf("%v: slice: %v", e.Constraint, err)
			continue
		}
		free := make([]float64, rest.Dim())
		for i, v := range values {
			rest.Point(free, i)
			p, next := make([]float64, 4), 0
			for k, name := range []string{"x", "s", "y", "t"} {
				if held, ok := at[name]; ok {
					p[k] = held
					continue
				}
				p[k] = free[next]
				next++
			}
			if want := value(t, e, p); !(math.Abs(v-want) <= 1e-10*(1+math.Abs(want))) {
				t.Errorf("%v: slice at %v is %g, G %g", e.Constraint, p, v, want)
			}
		}
	}
}

func checkEvaluations(t *testing.T, name string, e *fit.Estimate, x, y mesh.Mesh) {
	t.Helper()
	defer func() {
		if crash := recover(); crash != nil {
			t.Errorf("%s: crash: %v", name, crash)
		}
	}()
	fail := func(what string, err error) bool {
		if err != nil {
			t.Errorf("%s: %s: %v", name, what, err)
		}
		return err != nil
	}
	g, err := e.Green(ctx, x, y)
	if fail("green", err) {
		return
	}
	ownX, ownY := x, y
	if x.Size() == 0 {
		ownX = e.InputMesh
	}
	if y.Size() == 0 {
		ownY = e.OutputMesh
	}
	size := mat.Max(g) - mat.Min(g) + 1e-3
	near := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-9*size) {
			t.Errorf("%s: %s %.12g, must be %.12g", name, what, got, want)
		}
	}
	p := make([]float64, 4)
	for i := 0; i < ownX.Size(); i += 2 {
		for j := 0; j < ownY.Size(); j += 3 {
			ownX.Point(p[:2], i)
			ownY.Point(p[2:], j)
			v, err := e.At(ctx, p[:2], p[2:])
			if !fail("at", err) {
				near("G at a point", g.At(i, j), v)
			}
		}
	}
	f, v := mat.NewDense(1, ownX.Size(), nil), mat.NewDense(1, ownY.Size(), nil)
	f.Apply(func(_, i int, _ float64) float64 { return math.Sin(float64(2*i + 1)) }, f)
	v.Apply(func(_, i int, _ float64) float64 { return math.Cos(float64(3 * i)) }, v)
	wx, wy := ownX.Weights(), ownY.Weights()
	u, err := e.Apply(ctx, f, x, y)
	back, backErr := fit.Adjoint{Estimate: e}.Apply(ctx, v, y, x)
	full, fullErr := e.Predict(ctx, f, x, y)
	beta, betaErr := e.Bias(ctx, y)
	if fail("apply", err) || fail("adjoint", backErr) || fail("predict", fullErr) || fail("bias", betaErr) {
		return
	}
	for j := range ownY.Size() {
		want := 0.0
		for i, w := range wx {
			want += f.At(0, i) * w * g.At(i, j)
		}
		near("∫ G f", u.At(0, j), want)
		near("β + ∫ G f", full.At(0, j), want+beta[j])
	}
	for i := range ownX.Size() {
		want := 0.0
		for j, w := range wy {
			want += v.At(0, j) * w * g.At(i, j)
		}
		near("∫ G v", back.At(0, i), want)
	}
	svd, err := e.SVD(ctx, 0, x, y)
	if !fail("svd", err) {
		norm, want := 0.0, 0.0
		for _, s := range svd.Values {
			norm += s * s
		}
		for i, a := range wx {
			for j, b := range wy {
				want += a * b * g.At(i, j) * g.At(i, j)
			}
		}
		near("norm of the singular values", math.Sqrt(norm), math.Sqrt(want))
	}
	diff, err := e.Diff(ctx, []string{"y"}, x, y)
	if fail("diff", err) {
		return
	}
	i, j := ownX.Size()-1, ownY.Size()/2
	ownX.Point(p[:2], i)
	ownY.Point(p[2:], j)
	const h = 1e-5
	up, _ := e.At(ctx, p[:2], []float64{p[2] + h, p[3]})
	down, _ := e.At(ctx, p[:2], []float64{p[2] - h, p[3]})
	if d := (up - down) / (2 * h); !(math.Abs(diff.At(i, j)-d) <= 1e-5*size) && up != 0 && down != 0 {
		t.Errorf("%s: derivative %.8g, by differences %.8g", name, diff.At(i, j), d)
	}
}
