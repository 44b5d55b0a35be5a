package fit

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/linop/linoptest"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/randfield"
)

// waves is n inputs of random cosines on m points and their integrals against
// min(x, y) - x y, with noise.
func waves(t *testing.T, n, m int, noise float64) *dataset.Dataset {
	t.Helper()
	x := mesh.Must(mesh.Uniform(0, 1, m, ""))
	w, p := x.Weights(), x.Points()
	r, err := randfield.Normal(5, n, 12+m)
	if err != nil {
		t.Fatal(err)
	}
	f, u := array.New(n, m), array.New(n, m)
	for i := range n {
		for j := range m {
			v := 0.0
			for k := range 12 {
				v += r.At(i, k) * math.Cos(math.Pi*float64(k)*p[j]) / (1 + .3*float64(k))
			}
			f.Set(v, i, j)
		}
		for j := range m {
			v := noise * r.At(i, 12+j)
			for l := range m {
				v += w[l] * (min(p[l], p[j]) - p[l]*p[j]) * f.At(i, l)
			}
			u.Set(v, i, j)
		}
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: x})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// prepared is a system in its bases at λ and ρ.
func prepared(t *testing.T, s *Spec) (*system, *simultaneous) {
	t.Helper()
	sys, _, err := newSystem(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	m, err := newSimultaneous(context.Background(), sys, s)
	if err != nil {
		t.Fatal(err)
	}
	sys.lambda, sys.rho = s.Lambda, s.Rho
	return sys, m
}

// roughKernels are far from products.
func roughKernels() []kernel.Kernel {
	l := kernel.Lengthscale{.5}
	return []kernel.Kernel{
		kernel.Matern{Nu: 2.5, Lengthscale: l},
		kernel.Exponential{Lengthscale: l},
		kernel.Kink{Base: kernel.SE{Lengthscale: l}, Jump: kernel.SE{Lengthscale: l}, Power: 1},
	}
}

// Over many random vectors the determinant and the trace are off by their standard error
// as a rule, and never by four; with the diagonal known and not.
func TestProbesSayTheirError(t *testing.T) {
	for _, k := range roughKernels() {
		s := &Spec{Data: waves(t, 14, 16, 1e-3), Kernel: k, Lambda: 1e-6, Rho: 1e-5}
		sys, m := prepared(t, s)
		d := m.at(s.Lambda, s.Rho).d
		h := linoptest.Matrix(sys)
		f, err := factor(context.Background(), mat.DenseCopyOf(h), d)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.invert(context.Background()); err != nil {
			t.Fatal(err)
		}
		exact := make([]float64, len(d))
		for i := range exact {
			exact[i] = h.At(i, i)
		}
		for _, diagonal := range [][]float64{nil, exact} {
			const repeats = 25
			var det, trace float64
			for seed := range repeats {
				p := newProbing(sys, d, diagonal)
				p.plan, p.seed = plan{8, 6}, uint64(1000*seed)
				for range 2 {
					if err := p.more(context.Background()); err != nil {
						t.Fatal(err)
					}
				}
				a, b := p.logDet(), p.trace()
				za, zb := (a.value-f.logs)/a.err, (b.value-f.trace())/b.err
				if math.Abs(za) > 4 || math.Abs(zb) > 4 {
					t.Errorf("%v, diagonal known %t: log det %.6g ± %.2g, exactly %.6g; trace %.6g ± %.2g, exactly %.6g", k, diagonal != nil, a.value, a.err, f.logs, b.value, b.err, f.trace())
				}
				det, trace = det+za*za/repeats, trace+zb*zb/repeats
			}
			t.Logf("%v, diagonal known %t: mean squares of errors in standard errors %.2f, %.2f", k, diagonal != nil, det, trace)
			if det > 2 || trace > 2 {
				t.Errorf("%v: errors are %.2f and %.2f standard errors in the mean square", k, math.Sqrt(det), math.Sqrt(trace))
			}
		}
	}
}

// On an invariant subspace the determinant and the trace are those of that part.
func TestProbesOfASubspace(t *testing.T) {
	h, d := definite(60, 3)
	used := make([]float64, 60)
	for i := range used {
		for j := range used {
			if i%2 != j%2 {
				h.Set(i, j, 0)
			}
		}
		used[i] = float64(i % 2)
	}
	odd, od := mat.NewDense(30, 30, nil), make([]float64, 30)
	for i := range od {
		od[i] = d[2*i+1]
		for j := range od {
			odd.Set(i, j, h.At(2*i+1, 2*j+1))
		}
	}
	f, err := factor(context.Background(), odd, od)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.invert(context.Background()); err != nil {
		t.Fatal(err)
	}
	p := newProbing(linop.Dense{M: h}, d, nil)
	p.restrict(used, func(_ context.Context, z []float64) { floats.Mul(z, used) })
	if err := p.more(context.Background()); err != nil { // the space is the whole subspace
		t.Fatal(err)
	}
	if a, b := p.logDet(), p.trace(); math.Abs(a.value-f.logs) > 3*a.err+1e-8 || math.Abs(b.value-f.trace()) > 3*b.err+1e-8 {
		t.Errorf("log det %.10g ± %.2g, exactly %.10g; trace %.10g ± %.2g, exactly %.10g", a.value, a.err, f.logs, b.value, b.err, f.trace())
	}
}

// With a direction that is not penalised the criteria are those of contrasts, by dense
// algebra; LOO fits the direction anew without each pair. Their derivatives by λ and ρ
// are those of differences.
func TestCriteriaOfContrasts(t *testing.T) {
	for _, n := range []int{7, 20} { // fewer pairs than inputs, and more
		s := &Spec{Data: waves(t, n, 9, 1e-2), Kernel: roughKernels()[0], Bias: kernel.SE{Lengthscale: kernel.Lengthscale{.2}}, Lambda: 1e-3, Rho: 1e-2}
		sys, m := prepared(t, s)
		x, err := sys.exactCriteria(context.Background(), m.weighted)
		if err != nil {
			t.Fatal(err)
		}
		r, cols := sys.b.Dims()
		x.contrast = make([]float64, r*sys.my)
		for i := range r { // the constant output for the constant input
			for k, w := range sys.rdy {
				x.contrast[i*sys.my+k] = sys.b.At(i, cols-1) * w
			}
		}
		sys.v.forward(context.Background(), x.contrast)
		got, err := x.at(context.Background(), s.Lambda, s.Rho)
		if err != nil {
			t.Fatal(err)
		}
		reml, gcv, loo := contrastsByDefinition(sys, x, s.Lambda, s.Rho)
		near := func(name string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-8*math.Abs(want) {
				t.Errorf("%d pairs: %s %.12g, by its definition %.12g", n, name, got, want)
			}
		}
		near("REML", got.reml, reml)
		near("GCV", got.gcv, gcv)
		near("LOO", got.loo, loo)
		const h = 1e-4
		value := func(a, b float64) float64 {
			v, err := x.at(context.Background(), s.Lambda*math.Exp(a), s.Rho*math.Exp(b))
			if err != nil {
				t.Fatal(err)
			}
			return v.reml
		}
		for name, c := range map[string][2]float64{
			"by ρ":       {got.rhoSlope, (value(0, h) - value(0, -h)) / (2 * h)},
			"by λ and ρ": {got.slope, (value(h, h) - value(-h, -h)) / (2 * h)},
		} {
			if math.Abs(c[0]-c[1]) > 1e-5*(1+math.Abs(c[1])) {
				t.Errorf("%d pairs: derivative %s %.8g, by differences %.8g", n, name, c[0], c[1])
			}
		}
	}
}

// contrastsByDefinition computes the criteria in the space of all outputs, from the
// inverse of the matrix and the projected residual operator.
func contrastsByDefinition(sys *system, x *exactCriteria, lambda, rho float64) (reml, gcv, loo float64) {
	n, my := sys.n, sys.my
	size := n * my
	var turn, left, all mat.Dense
	eye := mat.NewDense(my, my, nil)
	for k := range my {
		eye.Set(k, k, 1)
	}
	turn.Kronecker(sys.p, eye)
	h := x.matrix(context.Background(), lambda, rho)
	for i := range len(x.t) {
		h.Set(i, i, h.At(i, i)-1)
	}
	left.Mul(&turn, h)
	all.Mul(&left, turn.T())
	for i := range size {
		all.Set(i, i, all.At(i, i)+1)
	}
	var ch mat.Cholesky
	var inverse mat.SymDense
	if !ch.Factorize(linop.Symmetric(&all)) || ch.InverseTo(&inverse) != nil {
		panic("the matrix has no inverse")
	}
	var c, u, hc, z mat.VecDense
	c.MulVec(&turn, mat.NewVecDense(len(x.contrast), x.contrast))
	u.MulVec(&turn, mat.NewVecDense(len(x.t), x.t))
	if sys.unexplained != nil {
		u.AddVec(&u, mat.NewVecDense(size, sys.unexplained.RawMatrix().Data))
	}
	hc.MulVec(&inverse, &c)
	chc := mat.Dot(&c, &hc)
	inverse.SymRankOne(&inverse, -1/chc, &hc)
	z.MulVec(&inverse, &u)
	free := float64(size - 1)
	reml = 0.5 * (free*math.Log(mat.Dot(&u, &z)/free) + ch.LogDet() + math.Log(chc/mat.Dot(&c, &c)))
	gcv = float64(size) * mat.Dot(&z, &z) / math.Pow(mat.Trace(&inverse), 2)
	for i := range n {
		var e mat.VecDense
		if e.SolveVec(inverse.SliceSym(i*my, (i+1)*my), z.SliceVec(i*my, (i+1)*my)) != nil {
			panic("a pair is not determined")
		}
		loo += mat.Dot(&e, &e) / float64(size)
	}
	return reml, gcv, loo
}

// Of several kernels the one of the least exact REML wins, also where the values are
// estimated and a first block of random vectors does not decide.
func TestEstimatedCriteriaAreDecided(t *testing.T) {
	d := waves(t, 30, 30, 1e-3) // 900 unknowns
	var field []*contender
	var exact []float64
	for _, l := range []float64{.3, .4, .5, .6, .8} {
		s := &Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{l}}, Intercept: Flat}
		sys, _, err := newSystem(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		c, err := sys.contend(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if c.probed == nil {
			t.Fatal("the values are not estimated")
		}
		field = append(field, c)
		e, err := Fit(context.Background(), *s)
		if err != nil {
			t.Fatal(err)
		}
		exact = append(exact, *e.Report.REML)
	}
	if err := settle(context.Background(), field, true); err != nil {
		t.Fatal(err)
	}
	best, _ := winner(field)
	if off := exact[best] - floats.Min(exact); off > 2*undecided {
		t.Errorf("kernel %d was chosen of REML %.8g; it is %.3g nats worse than the best", best, exact, off)
	}
	for i, c := range field {
		if math.Abs(c.value-exact[i]) > 4*c.err+.05 {
			t.Errorf("kernel %d: REML %.8g ± %.2g, exactly %.8g", i, c.value, c.err, exact[i])
		}
	}
}

// λ and ρ that are both chosen are where REML is least, by its values around them.
func TestBothPenaltiesAreChosen(t *testing.T) {
	for _, k := range roughKernels() {
		s := Spec{Data: waves(t, 9, 12, 1e-2), Kernel: k, Bias: kernel.SE{Lengthscale: kernel.Lengthscale{.2}}, Intercept: Flat}
		e, err := Fit(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		for _, by := range [][2]float64{{1, 1.1}, {1, .9}, {1.1, 1}, {.9, 1}, {1.1, .9}, {.9, 1.1}} {
			s.Lambda, s.Rho = e.Report.Lambda*by[0], e.Report.Rho*by[1]
			other, err := Fit(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			if *other.Report.REML < *e.Report.REML-1e-6 {
				t.Errorf("%v: REML %.9g at λ = %.4g, ρ = %.4g chosen, %.9g at %g and %g times them", k, *e.Report.REML, e.Report.Lambda, e.Report.Rho, *other.Report.REML, by[0], by[1])
			}
		}
	}
}

// imagesOf is the problem of the pairs of a spec with their images.
func imagesOf(t *testing.T, s *Spec) *images {
	t.Helper()
	p, err := pose(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	f, ok := p.problem.(*images)
	if !ok {
		t.Fatalf("posed as %s", p.name)
	}
	return f
}

// Of pairs with their images the estimated criteria are those of the constrained problem
// of the pairs, also where eigenvectors of both kinds share an eigenvalue.
func TestProbesOfOrbits(t *testing.T) {
	for _, n := range []int{5, 14} { // with the images fewer than points, and more
		d := waves(t, n, 20, 1e-3)
		s := &Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}}, NoBias: true, Constraint: constraint.Flip{Names: []string{"x", "y"}, About: .5}}
		f := imagesOf(t, s)
		m, err := newSimultaneous(context.Background(), f.sys, f.spec)
		if err != nil {
			t.Fatal(err)
		}
		p := f.sys.probedCriteria(context.Background(), f.spec, m, newCriteria(context.Background(), f.sys, m, f.spec))
		if p == nil {
			t.Fatal("the modes do not separate")
		}
		x, err := f.sys.orbit.exact(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, lambda := range []float64{1e-4, 1e-6} {
			got, err := p.at(context.Background(), lambda, lambda)
			if err != nil {
				t.Fatal(err)
			}
			want, err := x.at(context.Background(), lambda, lambda)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.reml-want.reml) > 3*got.remlErr || math.Abs(got.free-want.free) > 3*got.freeErr {
				t.Errorf("%d pairs, λ = %g: REML %.8g ± %.2g, exactly %.8g; freedom left %.6g ± %.2g, exactly %.6g", n, lambda, got.reml, got.remlErr, want.reml, got.free, got.freeErr, want.free)
			}
		}
	}
}
