package posterior

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Bands by an arrow are those from all data, factored as one matrix: never narrower, and wider by at most 1 %. On uniform
// meshes and others, with a free constant, other penalties of the bias, correlated errors, and in units far from 1.
func TestBandsByArrow(t *testing.T) {
	ctx := t.Context()
	x, y := mesh.Must(mesh.Uniform(0, 1, 28, "x")), mesh.Must(mesh.Uniform(0, 1, 22, "y"))
	gx, gy := mesh.Must(mesh.Gauss(0, 1, 24, "x")), mesh.Must(mesh.Gauss(0, 1, 20, "y"))
	xs, ys := mesh.Must(mesh.Gauss(0, 1, 12, "x")), mesh.Must(mesh.Uniform(-.1, 1.1, 9, "y"))
	rough := kernel.Exponential{Lengthscale: kernel.Lengthscale{.3}}
	for _, c := range []struct {
		name string
		x, y mesh.Mesh
		unit float64
		slow bool
		s    spec
	}{
		{"free constant", x, y, 1, false, spec{Kernel: rough, Lambda: 1e-4, Flat: true}},
		{"ρ is another", x, y, 1, true, spec{Kernel: rough, Lambda: 1e-3, Rho: 1e-5}},
		{"no bias", x, y, 1, true, spec{Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.2}}, Lambda: 1e-5, NoBias: true}},
		{"Gauss meshes", gx, gy, 1, true, spec{Kernel: rough, Lambda: 1e-3, Flat: true}},
		{"large outputs", x, y, 1e9, true, spec{Kernel: rough, Lambda: 1e-4, Flat: true}},
		{"small outputs", x, y, 1e-9, true, spec{Kernel: rough, Lambda: 1e-4, Flat: true}},
		{"correlated errors", x, y, 1, false, spec{Kernel: rough, Lambda: 1e-4, Flat: true}},
	} {
		if c.slow && !testmain.EveryCase() {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			c.s.Data = smoothPairs(t, c.x, c.y, 32, false)
			copy(c.s.Data.Input.Data, testmain.Must(randfield.Normal(6, 32, c.x.Size()))(t).Data) // many directions
			for i := range c.s.Data.Output.Data {
				c.s.Data.Output.Data[i] *= c.unit
			}
			if c.name == "correlated errors" {
				c.s.Data = correlated(t, c.s.Data)
			}
			c.s.amplitude = c.unit * c.unit
			p := c.s.posterior(t)
			all, err := p.factored(ctx)
			if err != nil || all == nil {
				t.Fatal("no factor", err)
			}
			inputs := slices.Clone(c.s.Data.Input.Data[:3*c.x.Size()])
			for i, on := range []targets{{xs: c.x, ys: c.y}, {xs: xs, ys: ys}, {xs: c.x, ys: ys, weights: mat.NewDense(3, c.x.Size(), inputs)}} {
				t.Run(fmt.Sprint(i), func(t *testing.T) { arrowIsWide(t, p, all, on) })
			}
		})
	}
}

// correlated are data whose errors are those of an exponential kernel along the output.
func correlated(t *testing.T, d *dataset.Dataset) *dataset.Dataset {
	t.Helper()
	at := d.OutputMesh.Columns()[0]
	c := mat.NewSymDense(len(at), nil)
	for i, a := range at {
		for j, b := range at {
			c.SetSym(i, j, math.Exp(-3*math.Abs(a-b)))
		}
	}
	return testmain.Must(d.WithErrors(&dataset.Errors{Covariance: c}))(t)
}

// arrowIsWide compares the band of an arrow with that from all data at targets, of which every seventh is enough.
func arrowIsWide(t *testing.T, p *Posterior, all *conditioned, on targets) {
	t.Helper()
	ctx := t.Context()
	d := p.Regression.(problem.Complete)
	to := testmain.Must(gram.Cross(ctx, p.f, on.xs, on.ys, p.x, p.y))(t)
	c := testmain.Must(p.newCovariances(ctx, to, on))(t)
	testmain.Must(true, c.take(ctx, d))(t)
	prior := testmain.Must(p.priors(ctx, on))(t)
	a := testmain.Must(c.arrow(ctx, prior, d.Diagonal(p.at)))(t)
	if a == nil || len(a.tail) < len(a.m)/5 {
		t.Fatalf("no arrow, or one that is nearly all head: %v", a != nil)
	}
	got := testmain.Must(a.deviations(ctx, c, prior))(t)
	if got == nil {
		t.Fatal("no band")
	}
	step := 7 // prime to the points of a row
	if testmain.EveryCase() {
		step = 1
	}
	for i := 0; i < on.count()*on.ys.Size(); i += step {
		s := testmain.Must(p.oneOf(ctx, on, i))(t)
		h := all.reduced(ctx, mat.NewDense(1, len(s.with), s.with))
		want := make([]float64, 1)
		if err := all.variances(ctx, want, []float64{s.prior}, h, s.times); err != nil {
			t.Fatal(err)
		}
		v, w := got.RawMatrix().Data[i], math.Sqrt(p.Tau2*want[0])
		if !(v >= w*(1-1e-7) && v <= 1.01*w) {
			t.Fatalf("band %.10g at %d, from all data %.10g", v, i, w)
		}
	}
	for i, s := range testmain.Must(c.sampled(ctx, prior))(t) {
		if err := a.known(ctx, []*sample{s}, mat.NewDense(len(s.with), 1, slices.Clone(s.with))); err != nil {
			t.Fatal(err)
		}
		h := all.reduced(ctx, mat.NewDense(1, len(s.with), slices.Clone(s.with)))
		want := make([]float64, 1)
		if err := all.variances(ctx, want, []float64{s.prior}, h, s.times); err != nil {
			t.Fatal(err)
		}
		if !(s.variance >= want[0]*(1-1e-7) && s.variance <= want[0]*(1+sampleWidth)) {
			t.Fatalf("sample %d has the variance %.10g, from all data %.10g", i, s.variance, want[0])
		}
	}
	// The largest eigenvalue of the tail bounds that of the matrix itself.
	for _, j := range a.tail[:min(len(a.tail), 40)] {
		e, ae := make([]float64, len(a.m)), make([]float64, len(a.m))
		e[j] = 1
		p.a.Apply(ctx, ae, e)
		if !(ae[j] <= a.m[j]*(1+1e-12)) {
			t.Fatalf("entry %d of the tail is %g, its bound %g", j, ae[j], a.m[j])
		}
	}
	if err := linop.Stopped(ctx); err != nil {
		t.Fatal(err)
	}
}

// Of more data than are factored at once bands are by an arrow, where it pays: those from all data at the targets.
func TestBandsByArrowOfManyData(t *testing.T) {
	ctx := t.Context()
	const n = 40
	x, y := mesh.Must(mesh.Uniform(0, 1, n, "x")), mesh.Must(mesh.Uniform(0, 1, 31, "y"))
	d := smoothPairs(t, x, y, n, false)
	copy(d.Input.Data, testmain.Must(randfield.Normal(6, n, n))(t).Data) // many directions
	p := spec{Data: d, Kernel: kernel.Exponential{Lengthscale: kernel.Lengthscale{.3}}, Lambda: 1e-5, Flat: true}.posterior(t)
	on := targets{xs: x, ys: y, weights: mat.NewDense(10, n, slices.Clone(d.Input.Data[:10*n]))}
	got := testmain.Must(p.byArrow(ctx, on))(t)
	if got == nil {
		t.Fatal("no band")
	}
	all := testmain.Must(p.factored(ctx))(t)
	for i := 0; i < 10*y.Size(); i += 10 {
		v := got.RawMatrix().Data[i]
		s := testmain.Must(p.oneOf(ctx, on, i))(t)
		want := make([]float64, 1)
		if err := all.variances(ctx, want, []float64{s.prior}, all.reduced(ctx, mat.NewDense(1, len(s.with), s.with)), s.times); err != nil {
			t.Fatal(err)
		}
		if w := math.Sqrt(p.Tau2 * want[0]); !(v >= w*(1-1e-7) && v <= 1.01*w) {
			t.Errorf("band %.10g at %d, from all data %.10g", v, i, w)
		}
	}
}
