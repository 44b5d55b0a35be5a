package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// randomProblem is a random fit: any meshes, kernels and constraint, some outputs missing.
type randomProblem struct {
	seed  uint64
	spec  fit.Spec
	rule  rule
	space kernel.Space // of (x, y)

	rng            *rand.Rand
	lower, upper   float64 // of all axes
	most           int     // points of x × y
	x, y           mesh.Mesh
	other, further mesh.Mesh // off the meshes: as x and as y
}

// newRandomProblem draws a problem whose definition takes the kernel at no more points
// than most: those of x × y and their images.
func newRandomProblem(seed uint64, most int) *randomProblem {
	p := &randomProblem{seed: seed, rng: rand.New(rand.NewPCG(seed, 77)), lower: 0, upper: 1}
	switch p.rng.IntN(8) {
	case 0:
		p.lower = -1
	case 1:
		p.upper = 2
	case 2:
		p.lower, p.upper = 2, 2.5
	}
	for p.most = most; ; p.most = p.most * 2 / 3 {
		suit := p.meshes()
		in, out := mesh.JointNames(p.x, p.y)
		p.space, p.rule = kernel.Space{Names: append(in, out...), Inputs: len(in)}, rule{}
		if rules := suit(p.space); p.rng.IntN(3) > 0 {
			p.rule = rules[p.rng.IntN(len(rules))]
		}
		if _, average, _ := p.laws(); p.x.Size()*p.y.Size()*len(average) <= most {
			break
		}
	}
	p.spec.Constraint = p.rule.c
	p.other, p.further = p.elsewhere(p.x), p.elsewhere(p.y)
	p.data()
	p.kernels()
	return p
}

func (p *randomProblem) laws() (obeyed, average []signed, inside func(p []float64) bool) {
	return p.rule.laws((p.lower+p.upper)/2, p.length(), p.space.Dim())
}

func (p *randomProblem) chance(n int) bool { return p.rng.IntN(n) == 0 }

// between is a number whose logarithm is uniform.
func (p *randomProblem) between(a, b float64) float64 { return a * math.Pow(b/a, p.rng.Float64()) }

func (p *randomProblem) length() float64 { return p.upper - p.lower }

// size is a number of points, more often small than large.
func (p *randomProblem) size(least, most int) int {
	return int(p.between(float64(least), float64(max(least, most))+.9))
}

// axis is an axis of n points by any rule.
func (p *randomProblem) axis(n int, name string) mesh.Mesh {
	a, b, rng := p.lower, p.upper, p.rng
	switch rng.IntN(11) {
	case 0:
		return mesh.Must(mesh.Simpson(a, b, n, name))
	case 1, 2:
		return mesh.Must(mesh.Gauss(a, b, n, name))
	case 3, 4:
		return mesh.Must(mesh.Chebyshev(a, b, n, name))
	case 5:
		return must(mesh.Must(mesh.Uniform(a, b, n, name)).Right())
	case 6: // clustered at one end
		x := make([]float64, n)
		for i := range x {
			x[i] = a + (b-a)*math.Pow(float64(i)/float64(max(1, n-1)), 3)
		}
		return mesh.Must(mesh.Trapezoid(x, name))
	case 7: // scattered, with given weights
		x, w := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], w[i] = a+(b-a)*rng.Float64(), (b-a)*rng.Float64()/float64(n)
		}
		w[0] = 0
		return mesh.Must(mesh.Scattered(x, 1, w, name))
	case 8:
		return mesh.Must(mesh.Periodic(a, b, n, name))
	}
	return mesh.Must(mesh.Uniform(a, b, n, name))
}

// cloud is n points of the square, half of the time in clusters.
func (p *randomProblem) cloud(n int, names ...string) mesh.Mesh {
	c := make([]float64, n*len(names))
	for i := range c {
		c[i] = p.lower + p.length()*p.rng.Float64()
	}
	if p.chance(2) {
		for i := 2 * len(names); i < len(c); i++ { // around the first two points
			c[i] = c[i%(2*len(names))] + 1e-2*p.length()*p.rng.NormFloat64()
		}
	}
	return mesh.Must(mesh.Scattered(c, len(names), nil, names...))
}

// must is the value of a call that does not fail, where there is no test to end.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func productOf(a, b mesh.Mesh) mesh.Mesh { return must(mesh.Product(a, b)) }

func renamed(m mesh.Mesh, names ...string) mesh.Mesh { return must(m.Rename(names...)) }

// meshes draws x and y, and returns the rules that suit them.
func (p *randomProblem) meshes() func(s kernel.Space) []rule {
	centre := (p.lower + p.upper) / 2
	odd := p.chance(3)
	mirror := func(s kernel.Space, names ...string) rule { return flip(s, centre, odd, names...) }
	mx := p.size(3, min(70, p.most/3))
	my := p.size(2, min(70, p.most/mx))
	switch p.rng.IntN(8) {
	case 0: // a cloud to a line
		p.x, p.y = p.cloud(mx, "a", "b"), p.axis(my, "y")
		return func(s kernel.Space) []rule {
			return []rule{mirror(s, "y"), mirror(s, "a", "y"), symmetric(s, false, "a", "b"), within(s, "a", "b", .6*p.length())}
		}
	case 1: // a cloud to a cloud, often the same
		p.x = p.cloud(my, "a", "b")
		p.y = renamed(p.x, "c", "d")
		if p.chance(3) {
			p.y = p.cloud(my+1, "c", "d")
		}
		return func(s kernel.Space) []rule {
			return []rule{
				permute(s, []string{"a", "c"}, []string{"b", "d"}), symmetric(s, odd, "c", "d"),
				permute(s, []string{"a", "c"}, []string{"b", "d"}).and(symmetric(s, odd, "a", "c")), within(s, "a", "c", .6*p.length()),
			}
		}
	case 2: // a square to a line, as a product of axes
		n := min(8, int(math.Sqrt(float64(mx))))
		p.x, p.y = productOf(p.axis(max(2, n), "a"), p.axis(max(2, mx/max(2, n)), "b")), p.axis(my, "y")
		return func(s kernel.Space) []rule {
			return []rule{mirror(s, "a"), mirror(s, "b", "y"), symmetric(s, odd, "a", "b"), symmetric(s, odd, "a", "b").and(mirror(s, "a")), symmetric(s, false, "a", "b", "y")}
		}
	case 3: // a square to a square
		n := 2 + p.rng.IntN(2)
		one := p.axis(n, "a")
		p.x = productOf(one, renamed(one, "b"))
		p.y = renamed(p.x, "c", "d")
		return func(s kernel.Space) []rule {
			return []rule{
				permute(s, []string{"a", "c"}, []string{"b", "d"}), symmetric(s, odd, "a", "b", "c"), mirror(s, "a", "c"),
				symmetric(s, false, "a", "b").and(symmetric(s, false, "b", "c")),
				permute(s, []string{"a", "b"}, []string{"c", "d"}).and(permute(s, []string{"a", "c"}, []string{"b", "d"})),
				permute(s, []string{"a", "c"}, []string{"b", "d"}).and(mirror(s, "a", "c")),
			}
		}
	case 4: // time
		n := p.size(3, min(70, int(math.Sqrt(float64(p.most)))))
		p.x, p.y = p.time(n)
		return func(s kernel.Space) []rule {
			inv, cau, anti := invariant(s), causal(s, false), causal(s, true)
			return []rule{inv, cau, anti, inv.and(cau), inv.and(anti), inv.and(mirror(s, "s", "t")), cau.and(flip(s, centre, false, "s", "t"))}
		}
	case 5: // space and time
		n := 2 + p.rng.IntN(3)
		s, t := p.time(n)
		space := p.axis(2+p.rng.IntN(3), "x")
		p.x = productOf(space, s)
		p.y = productOf(renamed(space, "y"), t)
		if p.chance(3) {
			p.y = productOf(p.axis(3, "y"), t)
		}
		return func(s kernel.Space) []rule {
			inv, cau, sym := invariant(s), causal(s, false), symmetric(s, odd, "x", "y")
			return []rule{inv, cau, inv.and(cau), inv.and(sym), inv.and(mirror(s, "x", "y")), cau.and(mirror(s, "x", "y")), sym, inv.and(cau).and(sym), inv.and(sym).and(mirror(s, "x")), inv.and(within(s, "x", "y", .6*p.length()))}
		}
	}
	// a line to a line, often the same
	p.x, p.y = p.axis(mx, "x"), p.axis(my, "y")
	if p.chance(2) {
		n := max(2, min(70, int(math.Sqrt(float64(p.most)))))
		p.x = p.axis(p.size(min(5, n), n), "x")
		p.y = renamed(p.x, "y")
	}
	return func(s kernel.Space) []rule {
		sym, width := symmetric(s, odd, "x", "y"), p.length()*(.2+.5*p.rng.Float64())
		return []rule{
			sym, symmetric(s, true, "x", "y"), mirror(s, "x", "y"), mirror(s, "x"), mirror(s, "y"), within(s, "x", "y", width),
			sym.and(mirror(s, "x", "y")), mirror(s, "x").and(sym), sym.and(mirror(s, "x")), mirror(s, "x").and(flip(s, centre, false, "y")),
			sym.and(within(s, "x", "y", width)), rotation(s, centre, 1, "x", "y"), rotation(s, centre, -1, "x", "y"), rotation(s, centre, 1, "x", "y").and(sym),
		}
	}
}

// time is two time axes, mostly the same.
func (p *randomProblem) time(n int) (s, t mesh.Mesh) {
	s = mesh.Must(mesh.Uniform(p.lower, p.upper, n, "s"))
	t = renamed(s, "t")
	if p.chance(3) {
		s = must(s.Right())
	}
	if p.chance(4) {
		t = must(t.Right())
	}
	switch p.rng.IntN(10) {
	case 0:
		s = p.axis(n, "s")
	case 1:
		t = p.axis(max(2, n-1), "t")
	case 2: // a later window with the same step, a power of two: lags are exact
		n = 1 + 1<<(1+p.rng.IntN(3))
		step := p.length() / float64(n-1)
		s = mesh.Must(mesh.Uniform(p.lower, p.upper, n, "s"))
		t = mesh.Must(mesh.Uniform(p.lower+step, p.lower+float64(n)*step, n, "t"))
	}
	return s, t
}

// elsewhere is a few points off a mesh: scattered, or a product where the mesh is one.
func (p *randomProblem) elsewhere(m mesh.Mesh) mesh.Mesh {
	if len(m.Axes()) == m.Dim() && p.chance(2) {
		var axes []mesh.Axis
		for i, n := range m.Names() {
			a, b := p.lower+.01*p.length(), p.upper-.02*p.length()
			axes = append(axes, mesh.Must(mesh.Uniform(a, b, 2+i, n)).Axes()...)
		}
		return must(mesh.New(axes...))
	}
	c := make([]float64, 3*m.Dim())
	for i := range c {
		c[i] = p.lower + p.length()*p.rng.Float64()
	}
	m.Point(c[:m.Dim()], p.rng.IntN(m.Size())) // one of its own
	return mesh.Must(mesh.Scattered(c, m.Dim(), nil, m.Names()...))
}

// data are normal numbers, in units of any size.
func (p *randomProblem) data() {
	n := 1 + p.rng.IntN(6)
	f, u := array.New(n, p.x.Size()), array.New(n, p.y.Size())
	missing, input, output := p.chance(4), 1.0, 1.0
	if p.chance(6) {
		input, output = p.between(1e-6, 1e6), p.between(1e-6, 1e6)
	}
	for i := range f.Data {
		f.Data[i] = input * p.rng.NormFloat64()
	}
	for i := range u.Data {
		u.Data[i] = output * p.rng.NormFloat64()
		if missing && p.chance(4) && i > 0 {
			u.Data[i] = math.NaN()
		}
	}
	p.spec.Data = must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: p.x, OutputMesh: p.y, Missing: missing}))
}

// nearlyOne reports whether two coordinates of any axes are one but for rounding: maps that
// exchange axes take points there to others, which are theirs or not as rounding has it.
func nearlyOne(meshes ...mesh.Mesh) bool {
	var all []float64
	for _, m := range meshes {
		all = append(all, m.Points()...)
	}
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if d := all[i] - all[i-1]; d > 0 && d < 1e-9*(1+math.Abs(all[i])) {
			return true
		}
	}
	return false
}

// kernels draws K, Q, λ and ρ. The penalties are relative to the size of what they
// weigh, so that the problem is one that can be solved to 1e-8 by any method.
func (p *randomProblem) kernels() {
	s := &p.spec
	inexact := p.rule.inexact || p.rule.maps != nil && nearlyOne(s.Data.InputMesh, s.Data.OutputMesh)
	for s.Kernel = p.kernel(p.kernelSpace(), 2); inexact && strings.Contains(s.Kernel.String(), "white"); {
		s.Kernel = p.kernel(p.kernelSpace(), 2) // points that coincide do so to rounding
	}
	f, err := kernels.Compile(s.Kernel, p.kernelSpace())
	if err != nil {
		panic(fmt.Sprintf("%s: %v", s.Kernel, err))
	}
	square := 0.0
	for _, v := range s.Data.Input.Data {
		square = max(square, v*v)
	}
	size := p.sizeOf(f) * square * math.Pow(p.length(), 2*float64(p.x.Dim()))
	s.Lambda, s.Intercept = size*p.between(1e-6, 3), fit.NoIntercept
	if p.chance(3) {
		s.NoBias = true
		return
	}
	if p.chance(3) {
		s.Intercept = fit.Flat
	}
	switch p.rng.IntN(3) {
	case 0:
		s.Rho = p.sizeOf(f) * p.between(1e-5, 3)
		if plain(s.Kernel) {
			return // the default
		}
		fallthrough
	default:
		out := kernel.Space{Names: p.y.Names()}
		s.Bias = p.kernel(out, 1)
		q, err := kernels.Compile(s.Bias, out)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", s.Bias, err))
		}
		s.Rho = p.sizeOf(q) * p.between(1e-5, 3)
	}
}

// plain reports whether the kernel's default bias is known from its values alone.
func plain(k kernel.Kernel) bool {
	return !strings.Contains(fmt.Sprintf("%T %s", k, k), "tensor")
}

// sizeOf is the largest of some values k(p, p).
func (p *randomProblem) sizeOf(f *kernels.Function) float64 {
	size := 1e-6
	for range 20 {
		at := make([]float64, f.Space.Dim())
		for i := range at {
			at[i] = p.lower + p.length()*p.rng.Float64()
		}
		size = max(size, f.At(at, at))
	}
	return size
}

// kernelSpace is what the kernel is on.
func (p *randomProblem) kernelSpace() kernel.Space {
	if p.rule.lag == nil {
		return p.space
	}
	s := kernel.Space{Inputs: p.space.Inputs - 1}
	for i, n := range p.space.Names {
		if !slices.Contains(p.rule.lag[:], i) {
			s.Names = append(s.Names, n)
		}
	}
	s.Names = append(s.Names, "lag")
	return s
}

func (p *randomProblem) String() string {
	s, missing := p.spec, 0
	for _, v := range s.Data.Output.Data {
		if math.IsNaN(v) {
			missing++
		}
	}
	bias := "false"
	if !s.NoBias {
		bias = fmt.Sprint(s.Bias)
	}
	return fmt.Sprintf("seed %d: %d pairs on %s %q and %s %q, %d missing, kernel %v, bias %v, constraint %v, λ %.4g, ρ %.4g, intercept %v", p.seed, s.Data.N(),
		p.x, p.x.Names(), p.y, p.y.Names(), missing, s.Kernel, bias, p.rule, s.Lambda, s.Rho, s.Intercept)
}
