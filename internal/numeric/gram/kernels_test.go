package gram_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

var (
	trials  = flag.Int("trials", 120, "random kernels and meshes of TestOperatorsAreTheKernel")
	largest = flag.Int("largest", 400, "points (x, y) of the largest of them")
	seed    = flag.Uint64("seed", 1, "that they are drawn from")
)

// local is base(p, q) φ(p) φ(q) with φ large on a spot only: a bump, or the indicator
// of a box.
type local struct {
	kernel.Kernel
	centre           []float64
	width, amplitude float64 // the width in units of the axis
	box              bool
	length           float64 // of the axis
}

func (k local) String() string {
	return fmt.Sprintf("local(%s at %.3g, width %.2g, amplitude %g, box %t)", k.Kernel, k.centre, k.width, k.amplitude, k.box)
}

func (k local) at(p kernels.Point) *expr.Node {
	sum, inside := expr.Const(0), expr.Const(k.amplitude)
	for i, x := range p.X {
		d := expr.Mul(expr.Sub(x, expr.Const(k.centre[i])), expr.Const(1/(k.width*k.length)))
		sum = expr.Add(sum, expr.Mul(d, d))
		inside = expr.Mul(inside, expr.Where(expr.LT(expr.Abs(d), expr.Const(1)), expr.Const(1), expr.Const(0)))
	}
	if k.box {
		return inside
	}
	return expr.Mul(expr.Const(k.amplitude), expr.Exp(expr.Neg(sum)))
}

func (k local) Expr(p, q kernels.Point) (*expr.Node, error) {
	n, err := kernels.Symbolic(k.Kernel, p, q)
	if err != nil {
		return nil, err
	}
	return expr.Mul(expr.Mul(k.at(p), k.at(q)), n), nil
}

// mirrored is the average of base over q and its image in a mirror.
type mirrored struct {
	kernel.Kernel
	by   int
	twin float64 // sum of a coordinate and its image
}

func (k mirrored) String() string { return fmt.Sprintf("mirrored(%s by %d)", k.Kernel, k.by) }

func (k mirrored) Expr(p, q kernels.Point) (*expr.Node, error) {
	a, err := kernels.Symbolic(k.Kernel, p, q)
	if err != nil {
		return nil, err
	}
	image := q
	image.X = append([]*expr.Node(nil), q.X...)
	image.X[k.by] = expr.Sub(expr.Const(k.twin), q.X[k.by])
	b, err := kernels.Symbolic(k.Kernel, p, image)
	if err != nil {
		return nil, err
	}
	return expr.Mul(expr.Const(.5), expr.Add(a, b)), nil
}

// problem draws kernels and meshes on [0, 1] in some unit.
type problem struct {
	*rand.Rand
	lower, length float64
	uniform       bool // all axes
}

func (g problem) axis(n int) mesh.Axis {
	lo, hi := g.lower, g.lower+g.length
	points := make([]float64, n)
	var a mesh.Axis
	var err error
	kind := g.IntN(8)
	if g.uniform {
		kind = 0
	}
	switch kind {
	case 0, 1:
		a, err = mesh.Uniform(lo, hi, n, "")
	case 2:
		a, err = mesh.Gauss(lo, hi, n, "")
	case 3:
		a, err = mesh.Chebyshev(lo, hi, n, "")
	case 4:
		a, err = mesh.Simpson(lo, hi, n, "")
	case 5:
		a, err = mesh.Periodic(lo, hi, n, "")
	case 6: // clustered
		power := 1 + 4*g.Float64()
		for i := range points {
			points[i] = lo + g.length*math.Pow(float64(i)/float64(n-1), power)
		}
		if a, err = mesh.Trapezoid(points, ""); err != nil { // points coincide in this unit
			a, err = mesh.Gauss(lo, hi, n, "")
		}
	default:
		for i := range points {
			points[i] = lo + g.length*g.Float64()
		}
		a, err = mesh.Scattered(points, 1, nil)
	}
	if err != nil {
		panic(err)
	}
	return a
}

// side is a mesh of about n points, of one axis or of two, or scattered in two
// dimensions.
func (g problem) side(n, dim int) mesh.Mesh {
	if dim == 1 {
		return mesh.Must(g.axis(n), nil)
	}
	if g.IntN(2) == 0 {
		c := make([]float64, 2*n)
		for i := range c {
			c[i] = g.lower + g.length*g.Float64()
		}
		return mesh.Must(mesh.Scattered(c, 2, nil))
	}
	k := max(2, int(math.Sqrt(float64(n))))
	m, err := mesh.New(g.axis(k), g.axis(k+1))
	if err != nil {
		panic(err)
	}
	return m
}

// lengthscale is between 1e-4 and 1e2 of the axis.
func (g problem) lengthscale() kernel.Lengthscale {
	return kernel.Lengthscale{g.length * math.Pow(10, -4+6*g.Float64())}
}

func (g problem) leaf() kernel.Kernel {
	l := g.lengthscale()
	switch g.IntN(9) {
	case 0, 1:
		return kernel.SE{Lengthscale: l}
	case 2:
		return kernel.Exponential{Lengthscale: l}
	case 3:
		return kernel.Matern{Nu: []float64{.5, 1.5, 2.5, .8}[g.IntN(4)], Lengthscale: l}
	case 4, 5:
		return kernel.Hat{Lengthscale: l}
	case 6:
		return kernel.RationalQuadratic{Alpha: 1.5, Lengthscale: l}
	case 7:
		return kernel.Periodic{Period: g.length * (.3 + 2*g.Float64()), Lengthscale: kernel.Lengthscale{.3 + g.Float64()}}
	}
	return kernel.White{}
}

func (g problem) kernel(x, y int, depth int) kernel.Kernel {
	if depth == 0 {
		return g.leaf()
	}
	inner := func() kernel.Kernel { return g.kernel(x, y, depth-1) }
	switch g.IntN(9) {
	case 0, 1:
		return kernel.Sum{Terms: []kernel.Kernel{inner(), inner()}}
	case 2:
		return kernel.Product{Factors: []kernel.Kernel{inner(), inner()}}
	case 3:
		return kernel.Scaled{Factor: math.Pow(10, -6+12*g.Float64()), Kernel: inner()}
	case 4:
		if x == y {
			return kernel.Kink{Base: inner(), Jump: inner(), Power: 1 + 2*float64(g.IntN(2)), OneSided: x == 1 && g.IntN(2) == 0}
		}
		return inner()
	case 5:
		return kernel.Tensor{Input: g.leaf(), Output: g.leaf()}
	case 6:
		return mirrored{inner(), g.IntN(x + y), 2*g.lower + g.length}
	case 7:
		return kernel.Sum{Terms: []kernel.Kernel{inner(), g.local(g.leaf(), x+y)}}
	}
	return g.local(inner(), x+y)
}

func (g problem) local(base kernel.Kernel, dim int) kernel.Kernel {
	k := local{Kernel: base, width: math.Pow(10, -3+3*g.Float64()), amplitude: math.Pow(10, -2+4*g.Float64()), box: g.IntN(2) == 0, length: g.length}
	for range dim {
		k.centre = append(k.centre, g.lower+g.length*g.Float64())
	}
	return k
}

// differs is the difference of an operator from a matrix in the Frobenius norm,
// relative: of the products with some normal vectors, and of its entries if it
// has them.
func (g problem) differs(op linop.Operator, want *mat.Dense) float64 {
	r, c := want.Dims()
	norm := mat.Norm(want, 2)
	if norm == 0 {
		norm = 1
	}
	worst := 0.0
	v, got, exact := make([]float64, c), make([]float64, r), make([]float64, r)
	for range 3 {
		for i := range v {
			v[i] = g.NormFloat64()
		}
		op.Apply(context.Background(), got, v)
		linop.Dense{M: want}.Apply(context.Background(), exact, v)
		worst = max(worst, floats.Distance(got, exact, 2)/norm)
	}
	i, j, row := make([]int, c), make([]int, c), make([]float64, c)
	sum := 0.0
	for at := range r {
		for k := range c {
			i[k], j[k] = at, k
		}
		if !gram.Entries(op, row, i, j) {
			break
		}
		sum = math.Hypot(sum, floats.Distance(row, want.RawRowView(at), 2))
	}
	return max(worst, sum/norm)
}

// Whatever the kernel and the meshes, the operator that is chosen is the kernel's
// matrix, on the meshes and between them: sums, products, kinks, local and mirrored
// kernels, lengthscales from 1e-4 to 1e2 of the domain, in units from 1e-9 to 1e9. So
// is each structure that is asked for and not refused, and each form between meshes
// that passes its check. The reference is the matrix entry by entry.
func TestOperatorsAreTheKernel(t *testing.T) {
	counts, forms := map[string]int{}, gram.Structures()
	for trial := range *trials {
		g := problem{Rand: rand.New(rand.NewPCG(*seed, uint64(trial))), length: 1}
		g.uniform = g.IntN(4) == 0
		if g.IntN(4) == 0 {
			g.length = math.Pow(10, -9+18*g.Float64())
		}
		tol := 1e-10
		if g.IntN(8) == 0 { // far from zero: lags are rounded, and so are equal ones
			g.lower, tol = g.length*math.Pow(10, 6*g.Float64()), 2e-8
		}
		dx, dy := 1, 1
		if g.IntN(5) == 0 {
			dx = 2
		}
		if g.IntN(5) == 0 {
			dy = 2
		}
		mx := 5 + g.IntN(66)
		my := 5 + g.IntN(max(1, min(66, *largest/mx-4)))
		if g.IntN(2) == 0 {
			mx, my = my, mx
		}
		x, y := g.side(mx, dx), g.side(my, dy)
		k := g.kernel(dx, dy, g.IntN(3))
		name := fmt.Sprintf("-seed %d, trial %d: %s on %s × %s", *seed, trial, k, x, y)
		in, out := mesh.JointNames(x, y)
		f, err := kernels.Compile(k, kernel.Space{Names: append(in, out...), Inputs: dx})
		if err != nil {
			t.Fatal(name, err)
		}
		want := exact(t, f, x, y)
		for _, s := range []gram.Structure{gram.Automatic, forms[trial%len(forms)]} {
			p, _, err := gram.Self(t.Context(), f, x, y, gram.Options{Structure: s})
			if err != nil {
				if s == gram.Automatic {
					t.Error(name, err)
				}
				continue
			}
			if e := g.differs(p, want); !(e <= tol) {
				t.Errorf("%s: structure %q (%s) differs by %.1e; its check said %s", name, s, p.Describe(), e, p.Check())
			}
			if s == gram.Automatic {
				counts[fmt.Sprintf("%T", p)]++
			}
		}
		xs, ys := g.side(5+g.IntN(12), dx), g.side(5+g.IntN(12), dy)
		g.crossing(t, name, f, xs, ys, x, y, tol, counts)
	}
	t.Log(counts)
}

func (g problem) crossing(t *testing.T, name string, f *kernels.Function, xs, ys, x, y mesh.Mesh, tol float64, counts map[string]int) {
	t.Helper()
	in, out := mesh.JointNames(x, y)
	joint := func(x, y mesh.Mesh) mesh.Mesh { return product(t, rename(x, in), rename(y, out)) }
	want, err := f.Gram(t.Context(), joint(xs, ys), joint(x, y))
	if err != nil {
		t.Fatal(name, err)
	}
	op, err := gram.Cross(t.Context(), f, xs, ys, x, y)
	if err != nil {
		t.Error(name, err)
		return
	}
	if e := g.differs(op, want); !(e <= tol) {
		t.Errorf("%s, to %s × %s: %s differs by %.1e", name, xs, ys, linop.Describe(op), e)
	}
	ops, verdicts, err := gram.CrossForms(t.Context(), f, xs, ys, x, y)
	if err != nil {
		t.Error(name, err)
	}
	for i, op := range ops {
		if verdicts[i] != "" {
			counts["cross refused"]++
			continue
		}
		counts["cross "+fmt.Sprintf("%T", op)]++
		if e := g.differs(op, want); !(e <= tol) {
			t.Errorf("%s, to %s × %s: %s passed its check and differs by %.1e", name, xs, ys, linop.Describe(op), e)
		}
	}
}
