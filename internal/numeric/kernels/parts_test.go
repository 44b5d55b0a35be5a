package kernels

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A kernel that knows its terms itself is asked for them: found from its expression, a term
// would have no form of its own, and whoever fits with it would take longer.
func TestKernelsSayTheirTerms(t *testing.T) {
	space := kernel.Space{Names: []string{"x", "y"}, Inputs: 1}
	se := kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}
	for _, c := range []struct {
		k     kernel.Kernel
		terms int
	}{
		{kernel.Kink{Base: se, Jump: se, Power: 1}, 2},
		{kernel.Vanishing{Base: se, Where: map[string][]float64{"x": {0}}}, 1},
	} {
		f, err := Compile(c.k, space)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := f.parts()
		if err != nil {
			t.Fatal(err)
		}
		if len(parts) != c.terms {
			t.Errorf("%v: %d terms, want %d", f.Kernel, len(parts), c.terms)
		}
		for _, p := range parts {
			if _, ok := p.Kernel.(kernel.SE); !ok {
				t.Errorf("%v: a term is %T, want its own %T", f.Kernel, p.Kernel, se)
			}
		}
	}
}

var _ = []decomposer{kink{}, vanishing{}, ScaledBy{}}

// A mean over coordinates leaves some of those of the space, each point with a weight that is not negative.
func TestMeansThatAreMeans(t *testing.T) {
	se := kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}
	space := kernel.Space{Names: []string{"x", "y"}, Inputs: 1}
	at, w := [][]float64{{0, 1}, {0, 2}}, []float64{1, 0}
	for _, c := range []struct {
		k  averaged
		ok bool
	}{
		{averaged{se, space, 0, 1, at, w}, true},
		{averaged{se, space, 1, 2, at, w}, true},
		{averaged{se, space, 0, 2, at, w}, true},
		{averaged{se, space, -1, 1, at, w}, false},
		{averaged{se, space, 1, 0, at, w}, false},
		{averaged{se, space, 1, 3, at, w}, false},
		{averaged{se, space, 0, 1, nil, nil}, false},
		{averaged{se, space, 0, 1, at, w[:1]}, false},
		{averaged{se, space, 0, 1, [][]float64{{0}, {0, 1}}, w}, false},
		{averaged{se, space, 0, 1, at, []float64{1, -1}}, false},
	} {
		if err := c.k.Check(); c.ok != (err == nil) {
			t.Errorf("coordinates %d to %d, %v with %v: error %v", c.k.From, c.k.To, c.k.At, c.k.Weights, err)
		}
	}
}

// The covariance between outputs is the kernel between them: a number in between is the nearest output, of two the upper, and
// one beyond them the last.
func TestCovariancesBetweenOutputsAreTheKernel(t *testing.T) {
	for _, c := range [][]float64{{5}, {4, 1, 1, 2}} {
		f, err := Compile(Coregional{Covariance: c}, kernel.Space{Names: []string{"x", OutputName}, Inputs: 1})
		if err != nil {
			t.Fatal(err)
		}
		n := int(math.Sqrt(float64(len(c))))
		for i, want := range c {
			if got := f.At([]float64{.1, float64(i / n)}, []float64{.7, float64(i % n)}); got != want {
				t.Errorf("of %d outputs %d and %d have %g, want %g", n, i/n, i%n, got, want)
			}
		}
	}
	k := Coregional{Covariance: []float64{4, 1, 0, 1, 2, -1, 0, -1, 3}}
	f, err := Compile(k, kernel.Space{Names: []string{"x", OutputName}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	outputs := []float64{2, 0, 1, 1.2, .5, 1.5, .4, -3, 7, 2}
	b := k.Between(outputs)
	for i, x := range outputs {
		for j, y := range outputs {
			if got, want := b.At(i, j), f.At([]float64{.1, x}, []float64{.7, y}); got != want {
				t.Errorf("between outputs %g and %g the covariance is %g, the kernel %g", x, y, got, want)
			}
		}
	}
	if b.At(1, 2) != 1 || b.At(0, 4) != -1 || b.At(0, 0) != 3 {
		t.Errorf("the outputs themselves have %v", mat.Formatted(b))
	}
}

// A covariance of outputs is square, finite, symmetric and not negative on its diagonal, or refused for what it is not.
func TestCovariancesOfOutputsThatAreNone(t *testing.T) {
	for _, c := range []struct {
		b    []float64
		want string
	}{
		{[]float64{2, 1, 1, 3}, ""},
		{[]float64{0}, ""},
		{[]float64{0, 0, 0, 5}, ""},
		{[]float64{2, -1, -1, 3}, ""}, // signs beside the diagonal are any
		{nil, "0 numbers"},
		{[]float64{1, 2, 3}, "3 numbers"},
		{[]float64{2, 1, .5, 3}, "symmetric"},
		{[]float64{2, math.NaN(), math.NaN(), 3}, "finite"},
		{[]float64{2, math.Inf(1), math.Inf(1), 3}, "finite"},
		{[]float64{math.Inf(1), 1, 1, 3}, "finite"},
		{[]float64{2, math.Inf(-1), math.Inf(-1), 3}, "finite"},
		{[]float64{2, 1, 1, -1e-9}, "not negative"},
	} {
		err := Coregional{Covariance: c.b}.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v, want %q", c.b, err, c.want)
		}
	}
}

// A covariance between outputs needs a coordinate that says which output.
func TestCovariancesOfOutputsNeedAnOutput(t *testing.T) {
	k := Coregional{Covariance: []float64{1}, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{1}}}
	for _, inputs := range []int{1, 2} {
		_, err := Compile(k, kernel.Space{Names: []string{"x", "z"}[:inputs], Inputs: inputs})
		if err == nil || !strings.Contains(err.Error(), "no coordinate of the output") {
			t.Errorf("%d coordinates, all of the input: %v", inputs, err)
		}
	}
	each, err := k.Each(kernel.Space{Names: []string{"x", OutputName, "y"}, Inputs: 1})
	if err != nil || strings.Join(each.Names, " ") != "x y" || each.Inputs != 1 {
		t.Errorf("the kernel of the rest is on %v: %v", each, err)
	}
}

// A covariance of outputs is written with the kernel of the rest, where there is one.
func TestCovariancesOfOutputsInWords(t *testing.T) {
	k := Coregional{Covariance: []float64{2, 1, 1, 3}}
	if got := k.String(); got != "coregional([2 1 1 3])" {
		t.Errorf("%q", got)
	}
	k.Kernel = kernel.SE{Lengthscale: kernel.Lengthscale{1}}
	if got := k.String(); got != "coregional([2 1 1 3]) * se{lengthscale=1}" {
		t.Errorf("%q", got)
	}
}

// A number to three digits is the nearest of these; the largest of all has none above it.
func TestNumbersToThreeDigits(t *testing.T) {
	for v, want := range map[float64]float64{.123456: .123, -98765: -98800, 1e-9: 1e-9, 2.5: 2.5, math.MaxFloat64: math.MaxFloat64} {
		if got := rounded(v); got != want {
			t.Errorf("%g is %g to three digits, want %g", v, got, want)
		}
	}
}

// Points that are scaled for the loops are relative to the origin, or none where they, or their distances, are no numbers then.
func TestPointsForTheLoops(t *testing.T) {
	line := func(at ...float64) mesh.Mesh { return mesh.Must(mesh.Scattered(at, 1, nil)) }
	for _, c := range []struct {
		scale float64
		m     mesh.Mesh
		ok    bool
	}{
		{2, line(1, 3, 7), true},
		{1e200, line(1, 1e100), true},
		{1e200, line(1, 1e150), false},
		{1e-200, line(1, 1e200), true},
		{1e-200, line(1, math.MaxFloat64/2), false},
	} {
		x := (&fused{scale: []float64{c.scale}}).scaled(c.m, []float64{1})
		if (x != nil) != c.ok {
			t.Errorf("%v times %g: %v", c.m.Points(), c.scale, x)
			continue
		}
		for i, v := range x {
			if want := c.m.Points()[i] - 1; v != want {
				t.Errorf("point %d is %g, want %g", i, v, want)
			}
		}
	}
}

// Kernels are known to be symmetric; what is not symmetric, in any coordinate, is known not to be.
func TestSymmetryOfKernels(t *testing.T) {
	l := kernel.Lengthscale{.3}
	for _, k := range []kernel.Kernel{
		kernel.SE{Lengthscale: l},
		kernel.Polynomial{Degree: 2, Offset: 1},
		kernel.Tensor{Input: kernel.SE{Lengthscale: l}, Output: kernel.Linear{}},
		kernel.Kink{Base: kernel.SE{Lengthscale: l}, Jump: kernel.SE{Lengthscale: l}, Power: 1},
	} {
		f, err := Compile(k, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Symmetric(); got == expr.Refuted {
			t.Errorf("%s is %v symmetric", k, got)
		}
	}
	for i := range 2 {
		f, err := Compile(leaning{at: i}, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Symmetric(); got != expr.Refuted {
			t.Errorf("p - 2q of coordinate %d is %v symmetric", i+1, got)
		}
	}
}

// What a kernel is on its own points is how large it is in their box, whatever that is, and however small it is at the points.
func TestSizesOfKernelsInABox(t *testing.T) {
	for _, c := range []struct{ low, high float64 }{{2, 2.5}, {-7, -4}, {0, 1e-3}} {
		f, err := Compile(kernel.Linear{}, kernel.Space{Names: []string{"x"}})
		if err != nil {
			t.Fatal(err)
		}
		least, most := c.low*c.low, c.high*c.high
		if got := f.size(mesh.Must(mesh.Uniform(c.low, c.high, 5, "x"))); !(got >= min(least, most) && got <= max(least, most)) || got <= (least+most)/2 {
			t.Errorf("from %g to %g the size of p q is %g", c.low, c.high, got)
		}
	}
}

// Of a kernel that knows how large its terms are, that is the size where it is more than its values, and a number.
func TestSizesOfTerms(t *testing.T) {
	for size, want := range map[float64]float64{7: 7, .25: 1, math.Inf(1): 1} {
		f, err := Compile(termed{size: size}, kernel.Space{Names: []string{"x"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.size(mesh.Must(mesh.Uniform(0, 1, 5, "x"))); got != want {
			t.Errorf("of terms of %g the size is %g, want %g", size, got, want)
		}
	}
}

// termed is 1 everywhere, a sum of terms of another size.
type termed struct {
	kernel.Kernel
	size float64
}

func (termed) String() string { return "termed" }

func (termed) Expr(Point, Point) (*expr.Node, error) { return expr.Const(1), nil }

func (k termed) Size(kernel.Space, [][]float64) float64 { return k.size }

// Eigenvalues below zero are rounding where they are small beside the largest of the matrix, or beside what the terms of the
// kernel are off its points, in all units.
func TestEigenvaluesThatAreRounding(t *testing.T) {
	line := mesh.Must(mesh.Uniform(0, 1, 6, "x"))
	for _, unit := range []float64{1, 1e-6, 1e6} {
		for _, c := range []struct {
			part   float64 // that is subtracted, of the kernel off its points
			beside float64 // that is left at the points
			ok     bool
		}{{2e-14, 0, true}, {1e-12, 0, false}, {1e-12, 1, true}, {3e-9, 1, true}, {5e-9, 1, false}} {
			f, err := Compile(dented{unit: unit, part: c.part, beside: c.beside}, kernel.Space{Names: []string{"x"}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Verify(t.Context(), line); c.ok != (err == nil) || err != nil && !strings.Contains(err.Error(), "not positive") {
				t.Errorf("%g × (%g beside the points - %g): %v", unit, c.beside, c.part, err)
			}
		}
	}
}

// dented is unit (s(p) s(q) + beside - part [p = q]), with s a sine that is nothing at the points of a mesh of six.
type dented struct {
	kernel.Kernel
	unit, part, beside float64
}

func (dented) String() string { return "dented" }

func (k dented) Expr(p, q Point) (*expr.Node, error) {
	s := func(x *expr.Node) *expr.Node { return expr.Sin(expr.Mul(expr.Const(5*math.Pi), x)) }
	same := expr.LT(expr.Abs(expr.Sub(p.X[0], q.X[0])), expr.Const(.01))
	sum := expr.Add(expr.Mul(s(p.X[0]), s(q.X[0])), expr.Const(k.beside))
	return expr.Mul(expr.Const(k.unit), expr.Sub(sum, expr.Mul(expr.Const(k.part), same))), nil
}

// Where a kernel is not finite, the points are said.
func TestWhereKernelsAreNotFinite(t *testing.T) {
	line := mesh.Must(mesh.Uniform(0, 1, 6, "x"))
	for i, p := range line.Points() {
		f, err := Compile(pole{at: p}, kernel.Space{Names: []string{"x"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Verify(t.Context(), line); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("p = [%.4g], q = [%.4g]", p, p)) {
			t.Errorf("at point %d: %v", i, err)
		}
	}
}

// pole is infinite at one point only.
type pole struct {
	kernel.Kernel
	at float64
}

func (pole) String() string { return "pole" }

func (k pole) Expr(p, q Point) (*expr.Node, error) {
	away := func(x *expr.Node) *expr.Node { return expr.Abs(expr.Sub(x, expr.Const(k.at))) }
	return expr.Div(expr.Const(1), expr.Add(away(p.X[0]), away(q.X[0]))), nil
}

// Formulas are written anew where there are enough pairs to be worth it.
func TestFormulasAreWrittenAnewForManyPairs(t *testing.T) {
	f, err := Compile(kernel.RationalQuadratic{Alpha: 1.3, Lengthscale: kernel.Lengthscale{.3}}, kernel.Space{Names: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	line := func(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, "x")) }
	for _, c := range []struct {
		p, q int
		anew bool
	}{{2, 3, false}, {511, 512, false}, {512, 512, true}, {1024, 256, true}, {3, 1000, false}} {
		if got := f.tapeFor(line(c.p), line(c.q)) != f.tape(); got != c.anew {
			t.Errorf("%d × %d pairs: written anew %t", c.p, c.q, got)
		}
	}
	first := f.tapeFor(line(512), line(512))
	if f.tapeFor(line(700), line(600)) != first {
		t.Error("the same intervals have two tapes")
	}
	if wider := mesh.Must(mesh.Uniform(0, 2, 512, "x")); f.tapeFor(wider, line(512)) == first || f.tapeFor(line(512), wider) == first {
		t.Error("other intervals have the same tape")
	}
}

// leaning is p - 2q of one coordinate.
type leaning struct {
	kernel.Kernel
	at int
}

func (leaning) String() string { return "leaning" }

func (k leaning) Expr(p, q Point) (*expr.Node, error) {
	return expr.Sub(p.X[k.at], expr.Mul(expr.Const(2), q.X[k.at])), nil
}
