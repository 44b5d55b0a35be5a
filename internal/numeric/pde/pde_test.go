package pde_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

var ctx = context.Background()

func interval(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, "x")) }

// The stored pairs were made by the paper's generators (the last three are the
// first five of each, in single precision): solving for the stored inputs gives the
// stored outputs.
func TestStoredOutputsAreReproduced(t *testing.T) {
	cases := []struct {
		file    string
		problem pde.Problem
		bound   float64 // on the difference, relative to the largest output
	}{
		{"../../../scripts/data/poisson.npz", pde.Poisson{Mesh: interval(100), Left: -0.1, Right: 0.1}, 1e-10},
		{"../../../scripts/data/helmholtz.npz", pde.Helmholtz{Mesh: interval(100), Omega: 20, Left: -0.1, Right: 0.1}, 1e-10},
		{"testdata/schrodinger.npz", pde.Schrodinger{Mesh: square(50), Potential: pde.Hexagon{Height: 1000, Radius: 0.25, X: 0.5, Y: 0.5}}, 2e-7},
		{"testdata/heat.npz", pde.Heat{Mesh: interval(50), Time: axis(0, 1, 50, "t"), Alpha: 0.1}, 2e-7},
		{"testdata/fokker_planck.npz", pde.FokkerPlanck{Mesh: axis(-2, 2, 50, "x"), Time: axis(0, 1, 50, "t"), Potential: doubleWell(), Diffusivity: 0.05, Drag: 20}, 2e-7},
	}
	for _, c := range cases {
		all, err := arrays.LoadAll(c.file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := all["f"].Reshape(all["f"].Shape[0], -1)
		if err != nil {
			t.Fatal(err)
		}
		fm, err := f.Matrix()
		if err != nil {
			t.Fatal(err)
		}
		u, err := pde.Solve(ctx, c.problem, fm)
		if err != nil {
			t.Fatal(err)
		}
		want := all["u"].Data
		scale := floats.Norm(want, math.Inf(1))
		if e := floats.Distance(u.RawMatrix().Data, want, math.Inf(1)) / scale; !(e <= c.bound) {
			t.Errorf("%s: outputs differ by %.2g of the largest", c.file, e)
		}
	}
}

// The Helmholtz equation can be solved on every mesh, also where the differences do
// not resolve the waves: the paper's sweep begins at ten points.
func TestHelmholtzOnCoarseMeshes(t *testing.T) {
	for n := 4; n <= 100; n++ {
		if _, err := pde.Solve(ctx, pde.Helmholtz{Mesh: interval(n), Omega: 20, Left: -0.1, Right: 0.1}, mat.NewDense(1, n, nil)); err != nil {
			t.Errorf("%d points: %v", n, err)
		}
	}
}

func doubleWell() pde.Coefficient {
	return pde.Formula{Node: expr.Sub(expr.Pow(x0, expr.Const(4)), expr.Mul(expr.Const(3), expr.Pow(x0, expr.Const(2))))}
}

func TestBadInputIsRefusedByName(t *testing.T) {
	plane, _ := mesh.Product(interval(5), mesh.Must(mesh.Uniform(0, 1, 5, "y")))
	zeros := func(n int) *mat.Dense { return mat.NewDense(1, n, nil) }
	nan := zeros(5)
	nan.Set(0, 2, math.NaN())
	solve := func(p pde.Problem, f *mat.Dense) error { _, err := pde.Solve(ctx, p, f); return err }
	for _, c := range []struct {
		err  error
		want string
	}{
		{solve(pde.Poisson{}, zeros(1)), "mesh: missing"},
		{solve(pde.Poisson{Mesh: plane}, zeros(25)), "mesh: has 2 coordinates"},
		{solve(pde.Poisson{Mesh: mesh.Must(mesh.Gauss(0, 1, 5, ""))}, zeros(5)), "must be uniform"},
		{solve(pde.Poisson{Mesh: interval(2)}, zeros(2)), "mesh: has 2 points, must be at least 3"},
		{solve(pde.Poisson{Mesh: interval(5)}, zeros(4)), "f: has 4 values per input, must be 5"},
		{solve(pde.Poisson{Mesh: interval(5)}, nan), "f[1][3] is NaN"},
		{solve(pde.Helmholtz{Mesh: interval(5)}, zeros(5)), "omega 0: must be > 0"},
		{solve(pde.Helmholtz{Mesh: interval(5), Omega: 2 * math.Pi}, zeros(5)), "an eigenvalue of the interval"},
		{solve(pde.Helmholtz{Mesh: axis(1, 2.5, 5, "x"), Omega: 2 * math.Pi / 3}, zeros(5)), "an eigenvalue of the interval (a multiple of π over its length 1.5)"},
		{solve(pde.Schrodinger{}, zeros(5)), "mesh: missing; give one such as the product of 50 uniform points in each direction"},
		{solve(pde.Schrodinger{Mesh: interval(5)}, zeros(5)), "mesh: has 1 coordinates, this problem has 2"},
		{solve(pde.Schrodinger{Mesh: square(5)}, zeros(17)), "potential: missing; the paper's is a hexagon"},
		{solve(pde.Schrodinger{Mesh: square(5), Potential: pde.Constant(math.NaN())}, zeros(17)), "potential: is NaN at x = 0, y = 0: must be finite"},
		{solve(pde.Schrodinger{Mesh: square(5), Potential: pde.Formula{Node: expr.Var(2, "z")}}, zeros(17)), "potential: z uses more than the 2 coordinates of the mesh"},
		{solve(pde.Schrodinger{Mesh: square(5), Potential: pde.Constant(1)}, zeros(25)), "f: has 25 values per input, must be 17"},
		{solve(pde.FokkerPlanck{Mesh: interval(5)}, zeros(5)), "time: missing"},
		{solve(pde.FokkerPlanck{Mesh: interval(5), Time: interval(5), Potential: doubleWell(), Diffusivity: 1, Drag: 1}, zeros(5)), "time: axis name \"x\": used twice"},
		{solve(pde.FokkerPlanck{Mesh: interval(5), Time: axis(0, 1, 4, "t"), Diffusivity: 1, Drag: 1}, zeros(5)), "potential: missing"},
		{solve(pde.FokkerPlanck{Mesh: interval(5), Time: axis(0, 1, 4, "t"), Potential: doubleWell(), Drag: 1}, zeros(5)), "diffusivity 0: must be > 0"},
		{solve(pde.FokkerPlanck{Mesh: interval(5), Time: axis(0, 1, 4, "t"), Potential: doubleWell(), Diffusivity: 1, Drag: -1}, zeros(5)), "drag -1: must be > 0"},
		{solve(pde.FokkerPlanck{Mesh: interval(5), Time: axis(0, 1, 4, "t"), Potential: doubleWell(), Diffusivity: 1e-3, Drag: 1}, zeros(5)), "the fastest rate is"},
		{solve(pde.Heat{Mesh: interval(5), Time: axis(0, 1, 4, "t")}, zeros(20)), "alpha 0: must be > 0"},
		{solve(pde.Heat{Mesh: interval(5), Time: mesh.Must(mesh.Chebyshev(0, 1, 4, "t")), Alpha: 1}, zeros(20)), "time: chebyshev(0, 1, 4, \"t\"): must be uniform"},
		{solve(pde.AdvectionDiffusion{Mesh: interval(5), Time: axis(0, 1, 4, "t")}, zeros(5)), "diffusivity 0: must be > 0"},
		{solve(pde.AdvectionDiffusion{Mesh: interval(5), Time: axis(0, 1, 4, "t"), Velocity: math.NaN(), Diffusivity: 1}, zeros(5)), "velocity NaN: must be finite"},
		{solve(pde.Wave{Mesh: interval(5), Time: axis(0, 1, 4, "t"), Speed: -1}, zeros(20)), "speed -1: must be > 0"},
		{solve(pde.Airy{Mesh: interval(5)}, zeros(5)), "kappa 0: must be > 0"},
		{solve(pde.Airy{Mesh: axis(0, 4, 5, "x"), Kappa: 1000}, zeros(5)), "kappa 1000: must be at most 125 on this interval"},
		{solve(pde.Airy{Mesh: axis(-2.338107410459767, 10, 50, "x"), Kappa: 1}, zeros(50)), "kappa 1: an eigenvalue of the interval"}, // the first zero of Ai
		{solve(pde.Beam{Mesh: interval(9)}, zeros(9)), "stiffness: missing"},
		{solve(pde.Beam{Mesh: interval(9), Stiffness: linear(-0.5, 1, ex)}, zeros(9)), "stiffness: is -0.5 at x = 0: must be > 0"},
		{solve(pde.Beam{Mesh: interval(9), Stiffness: pde.Func(func([]float64) float64 { return 1 })}, zeros(9)), "is a Go function, which cannot be differentiated"},
		{solve(pde.ConvectedHelmholtz{Mesh: interval(9), Velocity: pde.Constant(0)}, zeros(9)), "wavenumber: missing"},
		{solve(pde.ConvectedHelmholtz{Mesh: interval(40), Velocity: pde.Constant(0), Wavenumber: pde.Constant(2 * math.Pi)}, zeros(40)), "an eigenvalue that is zero, or too near"},
		{solve(pde.Poisson2D{Mesh: interval(9)}, zeros(9)), "mesh: has 1 coordinates, this problem has 2"},
		{solve(pde.Biharmonic{Mesh: square(5)}, zeros(25)), "mesh: has 5 points, must be at least 6"},
		{solve(pde.Oscillator{}, zeros(5)), "time: missing"},
		{solve(pde.Oscillator{Time: mesh.Must(mesh.Periodic(0, 1, 5, "t")), C: 1, Omega: 1}, zeros(5)), "must be an interval of at least 2 points"},
		{solve(pde.Oscillator{Time: mesh.Must(mesh.Scattered([]float64{0, .5, 1}, 1, nil, "t")), C: 1, Omega: 1}, zeros(3)), "must be an interval of at least 2 points"},
		{solve(pde.Oscillator{Time: interval(5), C: -1}, zeros(5)), "c -1: must be >= 0"},
		{solve(pde.Oscillator{Time: interval(5), Omega: math.Inf(1)}, zeros(5)), "omega +Inf: must be >= 0 and finite"},
		{sampled(pde.Schrodinger{}), "mesh: missing"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
}

// Times without a name are called t; names that they have stay.
func TestNamesOfTimes(t *testing.T) {
	for given, want := range map[string]string{"": "t", "s": "s"} {
		time := axis(0, 1, 4, given)
		if got := pde.OutputMesh(pde.Oscillator{Time: time, C: 1, Omega: 1}).Names(); !slices.Equal(got, []string{want}) {
			t.Errorf("an oscillator in %q: %q", given, got)
		}
		if got := pde.OutputMesh(pde.Heat{Mesh: interval(4), Time: time, Alpha: 1}).Names(); !slices.Equal(got, []string{"x", want}) {
			t.Errorf("heat in %q: %q", given, got)
		}
		if got := pde.Unknown(interval(4), time).Names(); !slices.Equal(got, []string{"x", want}) {
			t.Errorf("an unknown in %q: %q", given, got)
		}
	}
}

// Every problem of the catalog is solved on as few points as its differences are made of, and
// refuses fewer by their number: three, six where they are of fourth order, two where time is
// all there is.
func TestFewestPoints(t *testing.T) {
	need := map[string]int{"beam": 6, "biharmonic": 6, "oscillator": 2}
	for name, c := range contracts() {
		fewest := 2 // that an axis has
		for ; fewest < 10; fewest++ {
			p := c.problem(fewest)
			if _, err := pde.Solve(ctx, p, mat.NewDense(1, 1, nil)); err != nil && strings.Contains(err.Error(), "points, must be at least") {
				continue
			}
			input, _ := pde.Meshes(p)
			if _, err := pde.Solve(ctx, p, mat.NewDense(1, input.Size(), nil)); err != nil {
				t.Errorf("%s on %d points: %v", name, fewest, err)
			}
			break
		}
		if want := cmp.Or(need[name], 3); fewest != want {
			t.Errorf("%s: is solved from %d points on, want %d", name, fewest, want)
		}
	}
}

func sampled(p pde.Problem) error {
	_, err := pde.Sample(ctx, p, 3, randfield.Field{Kernel: kernel.SE{}})
	return err
}

func ExampleSolve() {
	p := pde.Poisson{Mesh: interval(5), Left: 0, Right: 1}
	u, err := pde.Solve(ctx, p, mat.NewDense(1, 5, []float64{2, 2, 2, 2, 2})) // u = x(1 - x) + x
	fmt.Printf("%.4f %v\n", u.RawRowView(0), err)
	// Output:
	// [0.0000 0.4375 0.7500 0.9375 1.0000] <nil>
}

func ExampleSample() {
	d, err := pde.Sample(ctx, pde.Helmholtz{Mesh: interval(50), Omega: 20}, 30, randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.1}}, Seed: 1})
	fmt.Println(d.Input.Shape, d.Output.Shape, err)
	// Output:
	// [30 50] [30 50] <nil>
}

// Every argument of every problem of the catalog is checked, each while the others are right: numbers outside of what is allowed, words that are not known, and meshes and coefficients that are missing.
func TestEveryArgumentIsChecked(t *testing.T) {
	for _, e := range append(pde.Catalog(), pde.NonlinearCatalog()...) {
		kind := reflect.TypeOf(e.Example)
		for i := range kind.NumField() {
			field := kind.Field(i)
			var wrong []any
			switch field.Type.Kind() {
			case reflect.Float64:
				allowed := field.Tag.Get("allow")
				if allowed != "" {
					wrong = []any{math.NaN(), math.Inf(1), math.Inf(-1)}
				}
				if strings.HasPrefix(allowed, ">") {
					wrong = append(wrong, -1e-9)
				}
				if allowed == ">0" {
					wrong = append(wrong, 0.)
				}
			case reflect.Int:
				wrong = []any{0, -1, 65}
			case reflect.String:
				wrong = []any{"", "other"}
			default:
				wrong = []any{nil}
				if field.Type == reflect.TypeFor[pde.Coefficient]() {
					wrong = append(wrong, pde.Constant(math.NaN()), pde.Constant(math.Inf(1)), pde.Constant(math.Inf(-1)))
				}
			}
			for _, w := range wrong {
				p := reflect.New(kind).Elem()
				p.Set(reflect.ValueOf(e.Example))
				if w == nil {
					p.Field(i).SetZero()
				} else {
					p.Field(i).Set(reflect.ValueOf(w))
				}
				_, err := pde.Solve(ctx, p.Interface().(pde.Problem), mat.NewDense(1, 1, nil))
				size := 0
				if _, few := fmt.Sscanf(fmt.Sprint(err), "f: has 1 values per input, must be %d", &size); few == nil { // it is looked at later
					_, err = pde.Solve(ctx, p.Interface().(pde.Problem), mat.NewDense(1, size, nil))
				}
				if err == nil || !strings.HasPrefix(err.Error(), field.Tag.Get("arg")) {
					t.Errorf("%s with %s = %v: error %v", e.Name, field.Tag.Get("arg"), w, err)
				}
			}
		}
	}
}
