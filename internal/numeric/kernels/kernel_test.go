package kernels_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

var plane = kernel.Space{Names: []string{"x", "y"}, Inputs: 1}

func compile(t testing.TB, k kernel.Kernel, s kernel.Space) *kernels.Function {
	t.Helper()
	f, err := kernels.Compile(k, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// combinations adds to the catalog what the combinators make of it.
func combinations() []kernel.Kernel {
	var all []kernel.Kernel
	for _, e := range kernels.Catalog() {
		all = append(all, e.Example)
	}
	l := kernel.Lengthscale{.3, .5}
	se, ex := kernel.SE{Lengthscale: l}, kernel.Exponential{Lengthscale: l}
	return append(
		all,
		kernel.Matern{Nu: 0.5, Lengthscale: l}, kernel.Matern{Nu: 1.5, Lengthscale: l}, kernel.Matern{Nu: 0.3, Lengthscale: l}, kernel.Matern{Nu: 7, Lengthscale: l},
		kernel.Sum{Terms: []kernel.Kernel{se, ex}},
		kernel.Product{Factors: []kernel.Kernel{se, kernel.Sum{Terms: []kernel.Kernel{ex, kernel.White{}}}}},
		kernel.Scaled{Factor: 2.5, Kernel: kernel.Sum{Terms: []kernel.Kernel{se, ex}}},
		kernel.Tensor{Input: kernel.Exponential{Lengthscale: kernel.Lengthscale{.2}}, Output: kernel.BrownianBridge{Lower: 0, Upper: 1}},
		kernel.Kink{Base: se, Jump: ex, Power: 3},
		kernel.Kink{Base: se, Jump: ex, Power: 1, OneSided: true},
		kernel.Kink{Base: se, Jump: ex, OneSided: true},
		kernel.Vanishing{Base: ex, Where: map[string][]float64{"x": {0}, "y": {0, 1}}},
		kernels.ScaledBy{Base: ex, By: wave(1), Text: "…"},
		kernels.Mercer{Functions: []kernels.Formula{wave(1), wave(2)}, Eigenvalues: []float64{1, .25}, Text: []string{"…", "…"}},
	)
}

// wave is the function sin(π n x).
func wave(n float64) kernels.Formula {
	x := expr.Var(kernels.NameSlot(0, 0), "x")
	return kernels.Formula{
		Points: 1, Names: []string{"x"},
		Forms: []kernels.Form{{Nodes: []*expr.Node{expr.Sin(expr.Mul(expr.Const(math.Pi*n), x))}}},
	}
}

// beyond is a function of a coordinate that points of the plane do not have.
func beyond() kernels.Formula {
	f := wave(1)
	f.Names = []string{"z"}
	return f
}

func randomPoint(rng *rand.Rand) []float64 { return []float64{rng.Float64(), rng.Float64()} }

// The contract of every kernel: symmetric and positive semi-definite on a mesh,
// rows agree with single values, structure promises hold, the JSON form and
// the Lua expression stand for the kernel.
func TestContract(t *testing.T) {
	x := mesh.Must(mesh.Uniform(0, 1, 9, "x"))
	y := mesh.Must(mesh.Chebyshev(0, 1, 7, "y"))
	xy, err := mesh.Product(x, y)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range combinations() {
		t.Run(k.String(), func(t *testing.T) {
			f := compile(t, k, plane)
			if v, err := f.Verify(t.Context(), xy); err != nil {
				t.Error(err)
			} else if v.Points < 40 || !(v.LargestEigen > 0) {
				t.Errorf("verified on %d points with largest eigenvalue %g", v.Points, v.LargestEigen)
			}
			checkRows(t, f, xy)
			checkStructure(t, f)
			b, err := kernels.Marshal(k)
			if err != nil {
				t.Fatal(err)
			}
			back, err := kernels.Unmarshal(b)
			if err != nil {
				t.Fatal(err)
			}
			if back.String() != k.String() || !expr.Equal(compile(t, back, plane).Node, f.Node) {
				t.Errorf("read back as %s", back)
			}
		})
	}
}

func checkRows(t *testing.T, f *kernels.Function, m mesh.Mesh) {
	t.Helper()
	g, err := f.Gram(context.Background(), m, m)
	if err != nil {
		t.Fatal(err)
	}
	p, q := make([]float64, 2), make([]float64, 2)
	for i := range m.Size() {
		m.Point(p, i)
		for j := range m.Size() {
			m.Point(q, j)
			if a, b := g.At(i, j), f.At(p, q); !(math.Abs(a-b) <= 4e-15*(1+math.Abs(b))) {
				t.Fatalf("row value %.17g, single value %.17g at %v, %v", a, b, p, q)
			}
			if want := expr.Eval(f.Node, append(append([]float64{}, p...), q...)); !(math.Abs(f.At(p, q)-want) <= 4e-15*(1+math.Abs(want))) {
				t.Fatalf("compiled %.17g, interpreted %.17g", f.At(p, q), want)
			}
		}
	}
}

// checkStructure moves both points along a stationary coordinate, and mirrors the
// difference along an even one.
func checkStructure(t *testing.T, f *kernels.Function) {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 3))
	for range 200 {
		p, q := randomPoint(rng), randomPoint(rng)
		if a, b := f.At(p, p), f.At(q, q); f.Stationary(0) && f.Stationary(1) && !(math.Abs(a-b) <= 1e-14*math.Abs(a)) {
			t.Fatalf("promises to depend on differences only, and is %.17g and %.17g at equal points", a, b)
		}
		for i := range 2 {
			v, s := f.At(p, q), rng.NormFloat64()
			moved := func(a []float64, by float64) []float64 { b := append([]float64{}, a...); b[i] += by; return b }
			if f.Stationary(i) && !(math.Abs(f.At(moved(p, s), moved(q, s))-v) <= 1e-12*(1+math.Abs(v))) {
				t.Fatalf("promises to depend on the difference in coordinate %d and does not", i)
			}
			if f.Even(i) && !(math.Abs(f.At(moved(p, 2*(q[i]-p[i])), q)-v) <= 1e-12*(1+math.Abs(v))) {
				t.Fatalf("promises to be even in coordinate %d and is not", i)
			}
		}
	}
}

// Structure that users rely on for speed is found.
func TestStructureIsFound(t *testing.T) {
	l := kernel.Lengthscale{.2}
	for _, c := range []struct {
		k                kernel.Kernel
		stationary, even bool
	}{
		{kernel.SE{Lengthscale: l}, true, true},
		{kernel.Matern{Nu: 2.5, Lengthscale: l}, true, true},
		{kernel.Matern{Nu: 1.2, Lengthscale: l}, true, true},
		{kernel.Hat{Lengthscale: l}, true, true},
		{kernel.Periodic{Period: 1, Lengthscale: l}, true, true},
		{kernel.RationalQuadratic{Alpha: 1, Lengthscale: l}, true, true},
		{kernel.BrownianBridge{Lower: 0, Upper: 1}, false, false},
		{kernel.Polynomial{Degree: 2, Offset: 1}, false, false},
	} {
		f := compile(t, c.k, plane)
		if f.Stationary(0) != c.stationary || f.Even(1) != c.even {
			t.Errorf("%s: stationary %t, even %t", c.k, f.Stationary(0), f.Even(1))
		}
	}
}

// A joint distance is not a product of distances, except for the squared
// exponential.
func TestDistancesAreJoint(t *testing.T) {
	f := compile(t, kernel.Exponential{Lengthscale: kernel.Lengthscale{1, 2}}, plane)
	if got, want := f.At([]float64{0, 0}, []float64{3, 8}), math.Exp(-5); !(math.Abs(got-want) <= 1e-16) {
		t.Errorf("at scaled differences 3 and 4: %g, want exp(-5)", got)
	}
}

// A number for each coordinate is put in as one where they are the same, and else as they are.
func TestLengthscalesOfEqualSides(t *testing.T) {
	plane := kernel.Space{Names: []string{"x", "y"}, Inputs: 1}
	for want, lengths := range map[string][]float64{"se{lengthscale=0.5}": {2, 2}, "se{lengthscale={0.5, 1}}": {2, 4}} {
		if got := kernels.Fill(kernel.SE{Lengthscale: kernel.Auto}, plane, lengths, []float64{.25, .25}).String(); got != want {
			t.Errorf("on sides of %v: %s, want %s", lengths, got, want)
		}
	}
}

// "auto" is found and replaced inside combinations too; what was given stays.
func TestAutomaticLengthscales(t *testing.T) {
	k := kernel.Sum{Terms: []kernel.Kernel{
		kernel.Matern{Nu: 1.5, Lengthscale: kernel.Auto},
		kernel.Scaled{Factor: 2, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.7}}},
	}}
	if !kernels.IsAuto(k) || kernels.IsAuto(k.Terms[1]) {
		t.Error("auto is not found where it is")
	}
	if got, want := kernels.Resolve(k, kernel.Lengthscale{.1}, .1).String(), "matern{nu=1.5, lengthscale=0.1} + 2 * se{lengthscale=0.7}"; got != want {
		t.Errorf("resolved to %s, want %s", got, want)
	}
	if !kernels.IsAuto(k) {
		t.Error("the kernel itself was changed")
	}
}

// The lengthscale of a periodic kernel has no unit: a fraction of the axes stands for
// the same fraction of the period, of which the kernel is the squared exponential one
// near the diagonal.
func TestAutomaticPeriodicLengthscale(t *testing.T) {
	const fraction = .2
	for _, period := range []float64{1e-9, 1, 365, 1e9} {
		k := kernel.Product{Factors: []kernel.Kernel{kernel.Periodic{Period: period}, kernel.SE{}}}
		r := kernels.Resolve(k, kernel.Lengthscale{fraction * 2 * period}, fraction).(kernel.Product)
		if l := r.Factors[1].(kernel.SE).Lengthscale; l[0] != fraction*2*period {
			t.Errorf("period %g: lengthscale %v of the other factor", period, l)
		}
		per := compile(t, r.Factors[0], kernels.Unnamed(1))
		se := compile(t, kernel.SE{Lengthscale: kernel.Lengthscale{fraction * period}}, kernels.Unnamed(1))
		for _, d := range []float64{1e-3, 1e-2} { // sin(πd)² = (πd)² (1 - (πd)²/3 + …)
			a, b := per.At([]float64{0}, []float64{d * period}), se.At([]float64{0}, []float64{d * period})
			if !(math.Abs(a-b) <= (1-b)*math.Pow(math.Pi*d, 2)) {
				t.Errorf("period %g, distance %g of it: %.9g, must be about %.9g", period, d, a, b)
			}
		}
	}
}

func TestVerifyRefusesWhatIsNoKernel(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 30, "x"))
	for _, c := range []struct {
		k    kernel.Kernel
		want string
	}{
		{formula{name: "difference", of: func(p, q *expr.Node) *expr.Node { return expr.Sub(p, q) }}, "not symmetric"},
		{formula{name: "distance", of: func(p, q *expr.Node) *expr.Node { return expr.Abs(expr.Sub(p, q)) }}, "not positive semi-definite"},
		{formula{name: "pole", of: func(p, q *expr.Node) *expr.Node { return expr.Div(expr.Const(1), expr.Sub(p, q)) }}, "must be finite"},
	} {
		if _, err := compile(t, c.k, kernels.Line()).Verify(t.Context(), m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.k, err, c.want)
		}
	}
	// Values that rounding makes different are symmetric, and others are not.
	for part, ok := range map[float64]bool{1e-12: true, 1e-10: true, 1e-7: false} {
		k := formula{name: "askew", of: func(p, q *expr.Node) *expr.Node {
			d := expr.Sub(p, q)
			return expr.Mul(expr.Exp(expr.Neg(expr.Mul(d, d))), expr.Add(expr.Const(1), expr.Mul(expr.Const(part), d)))
		}}
		v, err := compile(t, k, kernels.Line()).Verify(t.Context(), m)
		if ok != (err == nil) || !ok && !strings.Contains(err.Error(), "not symmetric") || ok && !(v.Asymmetry > part/2 && v.Asymmetry < 2*part) {
			t.Errorf("askew by %g: error %v, asymmetry %g", part, err, v.Asymmetry)
		}
	}
	// Where values are small beside others it is 10⁻¹² of the largest that may be rounding, whatever differs more elsewhere.
	for part, ok := range map[float64]bool{4e-13: true, 6e-13: false} {
		k := formula{name: "askew where it is small", of: func(p, q *expr.Node) *expr.Node {
			d, a, b := expr.Sub(p, q), expr.Sub(expr.Const(1), p), expr.Sub(expr.Const(1), q)
			large := expr.Mul(expr.Mul(a, b), expr.Add(expr.Const(1), expr.Mul(expr.Const(4e-10), d)))
			return expr.Add(large, expr.Mul(expr.Const(part), d))
		}}
		if _, err := compile(t, k, kernels.Line()).Verify(t.Context(), m); ok != (err == nil) || !ok && !strings.Contains(err.Error(), "not symmetric") {
			t.Errorf("askew by %g where values are small: error %v", part, err)
		}
	}
}

// What Verify says of a kernel is so: the values p q on a mesh are a matrix of rank one,
// whose eigenvalue is Σ p².
func TestVerdict(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 21, "x"))
	v, err := compile(t, kernel.Linear{}, kernels.Line()).Verify(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for i := range 21 {
		want += math.Pow(float64(i)/20, 2)
	}
	if !(math.Abs(v.LargestEigen-want) <= 1e-12) || !(math.Abs(v.SmallestEigen) <= 1e-14) || v.Points != 21 || v.Asymmetry != 0 {
		t.Errorf("%+v, want the largest eigenvalue %g, the smallest 0", v, want)
	}
}

// Verify looks at all points of a mesh of up to 48, and at no more of a larger one, of which it
// takes neighbours as well as others from all over it.
func TestPointsThatAreVerified(t *testing.T) {
	f := compile(t, kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, kernels.Line())
	for _, n := range []int{2, 15, 16, 17, 47, 48, 49, 50, 97, 200, 1000} {
		v, err := f.Verify(t.Context(), mesh.Must(mesh.Uniform(0, 1, n, "x")))
		if err != nil || v.Points > 48 || v.Points < min(n, 44) {
			t.Errorf("of %d points %d are looked at, %v", n, v.Points, err)
		}
	}
}

// formula is a kernel given by an expression of one coordinate.
type formula struct {
	kernel.Kernel
	name string
	of   func(p, q *expr.Node) *expr.Node
}

func (f formula) Expr(p, q kernels.Point) (*expr.Node, error) { return f.of(p.X[0], q.X[0]), nil }
func (f formula) String() string                              { return f.name }

// What a kernel cannot be on points of a plane is said by name; what it cannot be on any, in
// package kernel.
func TestKernelsThatDoNotFitAreRefusedByName(t *testing.T) {
	for _, c := range []struct {
		k    kernel.Kernel
		want string
	}{
		{kernel.SE{Lengthscale: kernel.Lengthscale{1, 2, 3}}, "a list of 3, but points here have 2 coordinates"},
		{kernel.Sobolev{Terms: 5000, Lower: 0, Upper: 1}, "the series has 5000^1 terms: must be at most 4096"},
		{kernel.Vanishing{Base: kernel.White{}, Where: map[string][]float64{"z": {0}}}, `where: no coordinate "z": the coordinates here are x, y`},
		{kernels.Mercer{Functions: []kernels.Formula{wave(1)}, Eigenvalues: []float64{1, 2}}, "eigenvalues: 2 values for 1 functions"},
		{kernels.Mercer{Functions: []kernels.Formula{wave(1)}, Eigenvalues: []float64{-1}}, "eigenvalues[1] -1: must be > 0"},
		{kernels.Mercer{Functions: []kernels.Formula{wave(1)}, Eigenvalues: []float64{0}}, "eigenvalues[1] 0: must be > 0"},
		{kernels.Mercer{Functions: []kernels.Formula{wave(1)}, Eigenvalues: []float64{math.Inf(1)}}, "eigenvalues[1] +Inf: must be > 0 and finite"},
		{kernels.Mercer{Functions: []kernels.Formula{wave(1), beyond()}, Eigenvalues: []float64{1, 2}}, "functions[2]: "},
		{kernels.Mercer{Functions: []kernels.Formula{wave(1), {Points: 2}}, Eigenvalues: []float64{1, 2}}, "functions[2]: formula of 2 points"},
		{kernels.OnCoordinate{Kernel: kernel.White{}, At: 2}, "coordinate 3 of 2"},
		{kernel.SE{}, "lengthscale auto"},
		{nil, "kernel: missing"},
		{kernel.SE{Lengthscale: kernel.Lengthscale{-1}}, "se{lengthscale=-1}: lengthscale -1: must be > 0"},
	} {
		if _, err := kernels.Compile(c.k, plane); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.k, err, c.want)
		}
	}
}

// Parameters at the ends of what is allowed are.
func TestParametersAtTheEnds(t *testing.T) {
	l := kernel.Lengthscale{1}
	for _, k := range []kernel.Kernel{
		kernel.Polynomial{},
		kernel.Polynomial{Degree: 1},
		kernel.SE{Lengthscale: kernel.Lengthscale{1e-300}},
		kernel.SE{Lengthscale: kernel.Lengthscale{1e300, 1}},
		kernel.Sobolev{Terms: 1, Lower: 0, Upper: 1},
		kernel.Sobolev{Terms: 64, Lower: 0, Upper: 1},
		kernel.Matern{Nu: 1e-3, Lengthscale: l},
		kernel.Matern{Nu: 50, Lengthscale: l},
		kernel.RationalQuadratic{Alpha: 1e-300, Lengthscale: l},
		kernel.Periodic{Period: 1e-300, Lengthscale: l},
		kernel.BrownianBridge{Lower: -1e-300, Upper: 0},
		kernel.Kink{Base: kernel.SE{Lengthscale: l}, Jump: kernel.SE{Lengthscale: l}, OneSided: true},
		kernel.Kink{Base: kernel.SE{Lengthscale: l}, Jump: kernel.SE{Lengthscale: l}, Power: 1e-3},
		kernel.Scaled{Factor: 1e-300, Kernel: kernel.White{}},
		kernel.Sum{Terms: []kernel.Kernel{kernel.White{}}},
		kernel.Vanishing{Base: kernel.White{}, Where: map[string][]float64{"x": {0}}},
		kernels.Mercer{Functions: []kernels.Formula{wave(1)}, Eigenvalues: []float64{1e-300}},
	} {
		if _, err := kernels.Compile(k, plane); err != nil {
			t.Errorf("%s: %v", k, err)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, k := range combinations() {
		b, err := kernels.Marshal(k)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := kernels.Unmarshal(b)
		if err != nil {
			return
		}
		if _, err := kernels.Marshal(k); err != nil {
			t.Errorf("read but not written: %v", err)
		}
	})
}

func Example() {
	k := kernel.Sum{Terms: []kernel.Kernel{
		kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.1}},
		kernel.Scaled{Factor: .01, Kernel: kernel.Polynomial{Degree: 1, Offset: 1}},
	}}
	f, err := kernels.Compile(k, kernels.Line())
	fmt.Println(k)
	fmt.Printf("%.6f %v\n", f.At([]float64{0.2}, []float64{0.3}), err)
	// Output:
	// matern{nu=1.5, lengthscale=0.1} + 0.01 * polynomial{degree=1, offset=1}
	// 0.493958 <nil>
}
