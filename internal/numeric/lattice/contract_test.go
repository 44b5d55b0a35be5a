package lattice_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// asked is a constraint of any maps and masks.
type asked struct {
	constraint.Constraint
	name string
	of   laws.Laws
}

func (l asked) Laws(kernel.Space) (laws.Laws, error) { return l.of, nil }
func (l asked) String() string                       { return l.name }

// domain places [-1, 1] in other units.
type domain struct{ scale, offset float64 }

func (d domain) at(v float64) float64 { return d.offset + d.scale*v }

// conditional mirrors coordinate i where coordinate by is at least the centre: a map that is
// its own inverse, and no permutation.
func (d domain) conditional(dim, by, i int) constraint.Constraint {
	im := laws.Image{Sign: 1}
	for k := range dim {
		im.At = append(im.At, expr.Var(k, fmt.Sprintf("x%d", k)))
	}
	side := expr.Sub(expr.Const(1), expr.Mul(expr.Const(2), expr.GE(im.At[by], expr.Const(d.offset))))
	im.At[i] = expr.Add(expr.Const(d.offset), expr.Mul(side, expr.Sub(im.At[i], expr.Const(d.offset))))
	return asked{name: fmt.Sprintf("mirror %d where %d is large", i, by), of: laws.Laws{Obey: []laws.Image{im}}}
}

func (d domain) band(i int, below float64) constraint.Constraint {
	return asked{name: "band", of: laws.Laws{Masks: []*expr.Node{expr.GE(expr.Const(d.at(below)), expr.Var(i, fmt.Sprintf("x%d", i)))}}}
}

// subject is a space with the names of its axes, and constraints on it.
type subject struct {
	in, out []string
	list    []constraint.Constraint
}

func (d domain) subjects() []subject {
	names := func(n ...string) []string { return n }
	flip := func(odd bool, n ...string) constraint.Constraint {
		return constraint.Flip{Names: n, About: d.offset, Odd: odd}
	}
	sym, inv := constraint.Symmetric{Names: names("x", "y")}, constraint.TimeInvariant{Input: "s", Output: "t"}
	cau, anti := constraint.Causal{Input: "s", Output: "t"}, constraint.Anticausal{Input: "s", Output: "t"}
	both := constraint.Permute{Lists: [][]string{{"x", "y"}, {"s", "t"}}}
	return []subject{
		{names("x"), names("y"), []constraint.Constraint{
			sym,
			constraint.Antisymmetric{Names: names("x", "y")},
			flip(false, "x", "y"), flip(true, "x"), flip(false, "y"), d.band(1, .3),
			constraint.List{sym, flip(true, "x", "y")},
			constraint.List{sym, d.band(0, .3)},
			constraint.List{flip(false, "x", "y"), d.band(0, .3)},
			d.conditional(2, 0, 1),
		}},
		{names("s"), names("t"), []constraint.Constraint{cau, anti, inv, constraint.List{inv, cau}, constraint.List{anti, inv}}},
		{names("x", "s"), names("y", "t"), []constraint.Constraint{
			nil, cau, inv, both,
			constraint.List{inv, cau},
			constraint.List{inv, sym},
			constraint.List{cau, inv, sym, flip(true, "x", "y")},
			constraint.List{both, flip(false, "s", "t")},
			d.conditional(4, 0, 1), d.conditional(4, 2, 3), d.conditional(4, 3, 2), d.conditional(4, 0, 3),
			constraint.List{inv, asked{name: "exchange in space", of: laws.Laws{Obey: []laws.Image{exchange(4, 0, 2)}}}},
		}},
		{names("x"), names("y1", "y2"), []constraint.Constraint{constraint.Permute{Lists: [][]string{names("y1", "y2")}}, flip(false, "y1"), flip(true, "x", "y2")}},
	}
}

func exchange(dim, i, j int) laws.Image {
	im := laws.Image{Sign: 1}
	for k := range dim {
		im.At = append(im.At, expr.Var(k, fmt.Sprintf("x%d", k)))
	}
	im.At[i], im.At[j] = im.At[j], im.At[i]
	return im
}

// axes are of every kind, each the same for all coordinates.
func (d domain) axes(rng *rand.Rand, n int) map[string]func(name string) mesh.Axis {
	lo, hi := d.at(-1), d.at(1)
	points := func(weights []float64, p ...float64) func(string) mesh.Axis {
		for i, v := range p {
			p[i] = d.at(v)
		}
		return func(name string) mesh.Axis { return must(mesh.Scattered(p, 1, weights, name)) }
	}
	random := make([]float64, n)
	for i := range random {
		random[i] = 2*rng.Float64() - 1
	}
	return map[string]func(string) mesh.Axis{
		"uniform":   func(name string) mesh.Axis { return must(mesh.Uniform(lo, hi, n, name)) },
		"gauss":     func(name string) mesh.Axis { return must(mesh.Gauss(lo, hi, n, name)) },
		"chebyshev": func(name string) mesh.Axis { return must(mesh.Chebyshev(lo, hi, n, name)) },
		"right":     func(name string) mesh.Axis { return must(must(mesh.Uniform(lo, hi, n, name)).Right()) },
		"graded":    func(name string) mesh.Axis { return must(mesh.Trapezoid([]float64{lo, d.at(-.3), d.at(.3), hi}, name)) },
		"shuffled":  points(nil, .5, -1, 1, -.5, 0),
		"weighted":  points([]float64{d.scale, 2 * d.scale, 0, d.scale}, 1, -.5, .5, -1),
		"random":    points(nil, random...),
		"one point": points(nil, 0),
		"two":       points(nil, .4, .4000001),
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func of(names []string, axis func(string) mesh.Axis) mesh.Mesh {
	var axes []mesh.Axis
	for _, n := range names {
		axes = append(axes, axis(n))
	}
	return must(mesh.New(axes...))
}

// Over a catalog of constraints, meshes and units, a lattice is what its name says: the
// average is a projection, self-adjoint in the weighted inner product, the mask commutes with
// it, both are those of the constrained kernel as one expression, and so are all values of an
// expansion, wherever they are asked for. What cannot be is said, and nothing crashes.
func TestLattices(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	on, count, each := 0, 0, testmain.Stride(2)
	for _, d := range []domain{{1, 0}, {1e9, 0}, {1e-9, 3e-9}, {1, 1e6}} {
		all := d.axes(rng, 4)
		for _, s := range d.subjects() {
			for kind, axis := range all {
				for _, c := range s.list {
					if d != (domain{1, 0}) && !anyOf([]string{"uniform", "shuffled", "one point"}, kind) {
						continue
					}
					if count++; count%each != 0 {
						continue
					}
					name := fmt.Sprintf("%v on %s axes in units of %g at %g", c, kind, d.scale, d.offset)
					l, err := lattice.New(t.Context(), c, of(s.in, axis), of(s.out, axis))
					if err != nil {
						if refused := []string{"time axes must be uniform", "leaves no", "cover the same", "leaves nothing", "cannot be told apart"}; !anyOf(refused, err.Error()) {
							t.Errorf("%s: %v", name, err)
						}
						continue
					}
					ok, why := l.OnMeshes()
					if ok != (why == "") {
						t.Errorf("%s: on its meshes %t, but: %s", name, ok, why)
					}
					if ok {
						on++
						checkProjection(t, name, l, rng)
						checkExpansion(t, name, c, l, d, s, rng)
					}
				}
			}
		}
	}
	if on < 250/each {
		t.Errorf("only %d lattices", on)
	}
}

func anyOf(parts []string, text string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

func normal(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

func clone(v []float64) []float64 { return append([]float64(nil), v...) }

func checkProjection(t *testing.T, name string, l *lattice.Lattice, rng *rand.Rand) {
	t.Helper()
	n := l.Size()
	same := func(what string, a, b []float64) {
		t.Helper()
		if d := floats.Distance(a, b, math.Inf(1)); !(d <= 1e-13*(1+floats.Norm(b, math.Inf(1)))) {
			t.Errorf("%s: %s: off by %.2g", name, what, d)
		}
	}
	v, w := normal(rng, n), normal(rng, n)
	av, aw := clone(v), clone(w)
	l.Average(av)
	l.Average(aw)
	again := clone(av)
	l.Average(again)
	same("the average of an average", again, av)
	scales, back := l.Scales()
	inner := func(a, b []float64) float64 {
		sum := 0.0
		for i, s := range scales {
			sum += a[i] * s * s * b[i]
		}
		return sum / floats.Dot(scales, scales)
	}
	if floats.Norm(scales, 1) > 0 {
		same("the average in the weighted inner product", []float64{inner(av, w)}, []float64{inner(v, aw)})
	}
	own := make([]float64, 0, n)
	for _, a := range l.X().Weights() {
		for _, b := range l.Y().Weights() {
			own = append(own, math.Sqrt(a*b))
		}
	}
	if back != nil {
		floats.Mul(back, scales)
		scales = back
	}
	floats.Scale(1/max(floats.Max(own), 1e-300), scales)
	floats.Scale(1/max(floats.Max(own), 1e-300), own)
	same("scales and back", scales, own)
	masked := clone(av)
	l.Mask(masked)
	if !strings.Contains(name, "causal") { // the kernel is symmetrised in time before it is cut
		averaged := clone(v)
		l.Mask(averaged)
		l.Average(averaged)
		same("mask and average", masked, averaged)
	}
	if f := l.Fraction(); !(f > 0 && f <= 1) {
		t.Errorf("%s: the constraint leaves %g of all arrays", name, f)
	}
}

// checkExpansion holds G, derivatives and responses against sums over the constrained kernel
// as one expression.
func checkExpansion(t *testing.T, name string, c constraint.Constraint, l *lattice.Lattice, d domain, s subject, rng *rand.Rand) {
	t.Helper()
	full := l.Full()
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.8 * d.scale}}
	var all kernel.Kernel = k
	if c != nil {
		all = constraint.Apply(c, k)
	}
	p, q := kernels.Points(full)
	node, err := kernels.Symbolic(all, p, q)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	plain := normal(rng, l.Size())
	obeying := clone(plain)
	l.Mask(obeying)
	l.Average(obeying)
	e, err := l.Expand(k, mat.NewDense(l.X().Size(), l.Y().Size(), obeying))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	sources := make([][]float64, l.Size())
	for j := range sources {
		x, y := make([]float64, l.X().Dim()), make([]float64, l.Y().Dim())
		l.X().Point(x, j/l.Y().Size())
		l.Y().Point(y, j%l.Y().Size())
		if l.Point() {
			x = nil
		}
		z := append(x, y...)
		if l.Lag() != nil { // the pair of times with that lag and input time zero
			in := l.Lag().Input
			z = append(append(append([]float64(nil), z[:in]...), 0), z[in:]...)
		}
		sources[j] = z
	}
	derivatives := map[int]*expr.Program{}
	for along := -1; along < full.Dim(); along++ {
		n := node
		if along >= 0 {
			n = expr.Diff(node, along)
		}
		derivatives[along] = must(expr.Compile(n, 2*full.Dim()))
	}
	value := func(along int, p []float64) (v, size float64) {
		for j, z := range sources {
			if plain[j] != 0 {
				k := derivatives[along].Eval(append(clone(p), z...))
				v += k * plain[j]
				size += math.Abs(k * plain[j])
			}
		}
		return v, size
	}
	axes := d.axes(rng, 3)
	others := []string{"uniform", "random", "graded", "one point"}
	for _, where := range []string{"own", others[rng.IntN(len(others))]} {
		xs, ys := of(s.in, axes[elsewhere(where)]), of(s.out, axes[elsewhere(where)])
		if where == "own" && l.Lag() == nil {
			xs, ys = l.X(), l.Y()
		}
		along := rng.IntN(full.Dim()+1) - 1
		checkValues(t, fmt.Sprintf("%s, %s, derivative %d", name, where, along), e, xs, ys, along, d, value)
	}
}

func elsewhere(where string) string {
	if where == "own" {
		return "gauss"
	}
	return where
}

func checkValues(t *testing.T, name string, e *lattice.Expansion, xs, ys mesh.Mesh, along int, d domain, value func(int, []float64) (float64, float64)) {
	t.Helper()
	var list []int
	unit := 1.0
	if along >= 0 {
		list, unit = []int{along}, 1/d.scale
	}
	g, err := e.Diff(t.Context(), list, xs, ys)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	tolerance := 1e-9 * (1 + 1e-6*math.Abs(d.offset)/d.scale)
	x, y := make([]float64, xs.Dim()), make([]float64, ys.Dim())
	for i := range xs.Size() {
		for j := range ys.Size() {
			if (i*ys.Size()+j)%5 != 0 {
				continue
			}
			xs.Point(x, i)
			ys.Point(y, j)
			want, size := value(along, append(clone(x), y...))
			if got := g.At(i, j); !(math.Abs(got-want) <= tolerance*(size+unit)) {
				t.Errorf("%s: at %v, %v: %.12g, by the constrained kernel %.12g", name, x, y, got, want)
				return
			}
		}
	}
	if along >= 0 {
		return
	}
	f := mat.NewDense(2, xs.Size(), nil)
	f.Apply(func(i, j int, _ float64) float64 { return math.Cos(float64(i + 3*j)) }, f)
	u, err := e.Respond(t.Context(), f, xs, ys)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	weighted := mat.DenseCopyOf(f)
	w := xs.Weights()
	for i := range 2 {
		floats.Mul(weighted.RawRowView(i), w)
	}
	var want mat.Dense
	want.Mul(weighted, g)
	if off := floats.Distance(u.RawMatrix().Data, want.RawMatrix().Data, math.Inf(1)); !(off <= tolerance*(1+mat.Norm(g, math.Inf(1)))*(1+floats.Sum(w))) {
		t.Errorf("%s: responses are off by %.2g", name, off)
	}
}
