package fit_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

func (p *randomProblem) compare(t *testing.T) *comparison {
	want := define(t, p)
	return &comparison{T: t, want: want, trusted: math.Max(1, want.trusted/1e-9), least: 1e-4 * p.gain()}
}

// exactly compares a fit at the λ and ρ of the spec with the definition.
func (p *randomProblem) exactly(t *testing.T, e *fit.Estimate) *comparison {
	t.Helper()
	c := p.compare(t)
	c.parts(e.Report)
	c.constant(e)
	c.functions(e)
	c.functionsOn(e, p.other, p.further)
	return c
}

// askFit is for λ and ρ that are given, with and without a free constant.
func askFit(t *testing.T, p *randomProblem) string {
	p.exactly(t, mustFit(t, p.spec))
	if p.spec.Intercept = fit.Flat; !p.spec.NoBias {
		p.exactly(t, mustFit(t, p.spec))
	}
	return ""
}

func askDense(t *testing.T, p *randomProblem) string {
	p.spec.Dense = true
	e := mustFit(t, p.spec)
	c := p.compare(t)
	c.number("objective", e.Report.Objective, c.want.objective, 1e-10*c.want.objective)
	c.functions(e)
	c.functionsOn(e, p.other, p.further)
	return ""
}

// takes puts λ, ρ and the constant that a fit chose in place of those of the problem.
func (p *randomProblem) takes(r fit.Report, i fit.Intercept) {
	p.spec.Lambda, p.spec.Rho, p.spec.Intercept, p.spec.Criterion = r.Lambda, r.Rho, i, ""
}

// askOpen leaves all open: λ, ρ and the free constant. REML is least there.
func askOpen(t *testing.T, p *randomProblem) string {
	p.spec.Lambda, p.spec.Rho, p.spec.Intercept = 0, 0, ""
	e := mustFit(t, p.spec)
	flat := fit.Flat
	if p.spec.NoBias {
		flat = fit.NoIntercept
	}
	p.takes(e.Report, flat)
	here := p.exactly(t, e).want.reml()
	for _, by := range [][2]float64{{.7, 1}, {1.4, 1}, {1, .7}, {1, 1.4}} {
		p.spec.Lambda, p.spec.Rho = by[0]*e.Report.Lambda, by[1]*e.Report.Rho
		if p.spec.NoBias && by[1] != 1 {
			continue
		}
		if there := define(t, p).reml(); !(there >= here-1e-4) {
			t.Errorf("REML is %.8g at the λ and ρ chosen, %.8g at %g and %g times them", here, there, by[0], by[1])
		}
	}
	return ""
}

// askCriterion leaves λ to a criterion, at a given ρ: it is least there.
func askCriterion(by fit.Criterion) func(t *testing.T, p *randomProblem) string {
	return func(t *testing.T, p *randomProblem) string {
		p.spec.Lambda, p.spec.Criterion = 0, by
		e := mustFit(t, p.spec)
		value := func(d *definition) (v float64) {
			switch by {
			case fit.GCV:
				return .5 * d.values() * math.Log(d.gcv())
			case fit.LOO:
				return .5 * d.values() * math.Log(d.loo(t))
			}
			return d.reml()
		}
		p.takes(e.Report, p.spec.Intercept)
		tolerance := 1e-3
		if by == fit.LOO {
			tolerance = .2 // nothing like it is known between the few λ that it is computed at
		}
		here := value(p.exactly(t, e).want)
		for _, factor := range []float64{.7, 1.4} {
			p.spec.Lambda = factor * e.Report.Lambda
			if p.spec.NoBias {
				p.spec.Rho = p.spec.Lambda
			}
			if there := value(define(t, p)); !(there >= here-tolerance) {
				t.Errorf("%s is %.8g nats at the λ chosen, %.8g at %g times it", by, here, there, factor)
			}
		}
		return ""
	}
}

// askValidation leaves λ to cross-validation: its error is that of fits by the definition
// without every fifth pair, and least there.
func askValidation(t *testing.T, p *randomProblem) string {
	p.spec.Lambda, p.spec.Criterion = 0, fit.CV
	e := mustFit(t, p.spec)
	all, n := p.spec.Data, p.spec.Data.N()
	p.takes(e.Report, p.spec.Intercept)
	p.exactly(t, e)
	const folds = 5
	validated := func(lambda float64) float64 {
		sum := 0.0
		for k := range folds {
			var in, out []int
			for i := range n {
				if i%folds == k {
					out = append(out, i)
				} else {
					in = append(in, i)
				}
			}
			some := *p
			some.spec.Data = testmain.Must(all.Select(in))(t)
			some.spec.Lambda = lambda * folds / (folds - 1)
			if p.spec.NoBias {
				some.spec.Rho = some.spec.Lambda
			}
			sum += define(t, &some).missed(all, out)
		}
		return sum / float64(n)
	}
	here := validated(e.Report.Lambda)
	if got := *e.Report.CV; !(math.Abs(got-here) <= 1e-6*here) {
		t.Errorf("cross-validation %.9g, by the definition %.9g", got, here)
	}
	for _, decades := range []float64{-.125, .125} {
		if there := validated(e.Report.Lambda * math.Pow(10, decades)); !(there >= here*(1-1e-9)) {
			t.Errorf("cross-validation %.9g at the λ chosen, %.9g %g decades from it", here, there, decades)
		}
	}
	return ""
}

// missed is the squared error of predictions of some pairs, integrated over the outputs
// that are there.
func (d *definition) missed(of *dataset.Dataset, pairs []int) float64 {
	g, beta := d.on(d.x, d.y)
	sum := 0.0
	whole := *d
	whole.observed, whole.weighted = nil, nil
	whole.observe(fit.Spec{Data: of})
	whole.errors(fit.Spec{Data: of})
	for _, i := range pairs {
		var at []int
		var missed []float64
		for k, dy := range d.y.Weights() {
			u := beta[k]
			for j, dx := range d.x.Weights() {
				u += dx * of.Input.At(i, j) * g.At(j, k)
			}
			if e := of.Output.At(i, k) - u; !math.IsNaN(e) {
				at = append(at, slices.IndexFunc(whole.observed, func(o observation) bool { return o.sample == i && o.at == k }))
				missed = append(missed, math.Sqrt(dy)*e)
			}
		}
		sum += whole.whitenedSquares(at, missed)
	}
	return sum
}

func askPath(t *testing.T, p *randomProblem) string {
	if p.spec.NoBias {
		p.spec.Rho = 0
	}
	reports := testmain.Must(fit.Path(ctx, p.spec, []float64{1e-3, 1, 3e-2}))(t)
	for i, r := range reports {
		if p.spec.Lambda = r.Lambda; i > 0 && !(r.Lambda < reports[i-1].Lambda) {
			t.Errorf("λ = %g after %g", r.Lambda, reports[i-1].Lambda)
		}
		p.compare(t).parts(r)
	}
	return ""
}

// askBands compares standard deviations of G, of predictions and of β, with and without a
// free constant.
func askBands(t *testing.T, p *randomProblem) string {
	for _, i := range []fit.Intercept{fit.NoIntercept, fit.Flat} {
		if p.spec.Intercept = i; i == fit.Flat && p.spec.NoBias {
			break
		}
		e := mustFit(t, p.spec)
		c := p.exactly(t, e)
		c.bands(e, p.x, p.y)
		c.bands(e, p.other, p.further)
		c.predicted(e, p.x, p.further)
		c.drawn(e, p.x, p.further)
	}
	return ""
}

// drawn compares the spread of draws of G and of predictions with the bands, to five standard
// errors of so many draws and the 1 % that bands may be wide.
func (c *comparison) drawn(e *fit.Estimate, x, y mesh.Mesh) {
	c.Helper()
	const n = 400
	f := mat.NewDense(1, x.Size(), nil)
	for j := range x.Size() {
		f.Set(0, j, math.Cos(float64(2*j)))
	}
	for _, inputs := range []*mat.Dense{nil, f} {
		got := testmain.Must(e.Deviate(ctx, fit.Draws{N: n, Seed: 4, F: inputs, X: x, Y: y}))(c)
		std, err := e.Std(ctx, x, y)
		if inputs != nil {
			std, err = e.PredictStd(ctx, f, x, y)
		}
		if err != nil {
			c.Fatal(err)
		}
		for k, want := range std.RawMatrix().Data {
			sum := 0.0
			for i := range n {
				sum += got.At(i, k) * got.At(i, k) / n
			}
			if !(math.Abs(sum-want*want) <= (5*math.Sqrt(2./n)+.02)*want*want+1e-12) {
				c.Errorf("draws have the standard deviation %.6g at %d, the band is %.6g", math.Sqrt(sum), k, want)
			}
		}
	}
}

// predicted compares the standard deviations of a prediction and of β.
func (c *comparison) predicted(e *fit.Estimate, x, y mesh.Mesh) {
	c.Helper()
	f := mat.NewDense(2, x.Size(), nil) // the second is zero: β
	for j := range x.Size() {
		f.Set(0, j, math.Cos(float64(2*j)))
	}
	std := testmain.Must(e.PredictStd(ctx, f, x, y))(c)
	at := make([]float64, y.Dim())
	for i := range 2 {
		weights := x.Weights()
		floats.Mul(weights, f.RawRowView(i))
		for k := range y.Size() {
			y.Point(at, k)
			variance := c.want.predictionVariance(weights, x, at)
			if got, want := std.At(i, k), math.Sqrt(variance); !(math.Abs(got-want) <= .011*want+1e-9) {
				c.Errorf("band of prediction %d at %v: %.6g, by the definition %.6g", i, at, got, want)
			}
		}
	}
}

// predictionVariance is that of Σ_j w_j G(x_j, y) + β(y).
func (d *definition) predictionVariance(w []float64, x mesh.Mesh, y []float64) float64 {
	h, prior := make([]float64, len(d.observed)), 0.0
	var points [][]image
	for j := range w {
		p := make([]float64, x.Dim()+len(y))
		x.Point(p[:x.Dim()], j)
		copy(p[x.Dim():], y)
		points = append(points, d.images(p))
		floats.AddScaled(h, w[j]/d.lambda, d.covariances(points[j]))
	}
	for i, a := range points {
		for j, b := range points {
			prior += w[i] * w[j] * d.at(a, b) / d.lambda
		}
	}
	if d.q != nil {
		at := make([]float64, len(y))
		for a, o := range d.observed {
			d.y.Point(at, o.at)
			h[a] += o.root * d.q(y, at) / d.rho
		}
		prior += d.q(y, y) / d.rho
	}
	var z mat.VecDense
	_ = d.factors.SolveVecTo(&z, mat.NewVecDense(len(h), h))
	v := prior - floats.Dot(h, z.RawVector().Data)
	if d.flat != nil {
		left := 1 - floats.Dot(d.flat, h)
		v += left * left / d.size
	}
	return d.objective / d.values() * max(v, 0)
}

// askCalibration simulates twice, for a truth and for draws from the prior.
func askCalibration(t *testing.T, p *randomProblem) string {
	e := mustFit(t, p.spec)
	g := testmain.Must(e.Green(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
	g.Scale(1.1, g) // the estimate itself is refused
	for _, truth := range []*mat.Dense{nil, g} {
		c := testmain.Must(e.Calibrate(ctx, fit.Simulation{N: 2, Truth: truth}))(t)
		if !(c.Coverage > .3 && c.Coverage <= 1+1e-9) {
			t.Errorf("two simulations cover %g", c.Coverage)
		}
	}
	return ""
}

// askLoaded saves the estimate with its data: what is read back gives the same bits of G,
// of predictions and of bands.
func askLoaded(t *testing.T, p *randomProblem) string {
	e := mustFit(t, p.spec)
	path := filepath.Join(t.TempDir(), "e.npz")
	if err := e.SaveWithData(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	back := testmain.Must(fit.Load(t.Context(), path))(t)
	for _, ask := range []func(e *fit.Estimate) (*mat.Dense, error){
		func(e *fit.Estimate) (*mat.Dense, error) { return e.Green(ctx, p.other, p.further) },
		func(e *fit.Estimate) (*mat.Dense, error) {
			return e.Predict(ctx, mat.NewDense(1, p.x.Size(), p.spec.Data.Input.Data[:p.x.Size()]), mesh.Mesh{}, p.further)
		},
		func(e *fit.Estimate) (*mat.Dense, error) { return e.Std(ctx, p.other, p.further) },
	} {
		want := testmain.Must(ask(e))(t)
		if got, err := ask(back); err != nil || !mat.Equal(got, want) {
			t.Errorf("what was read back differs: %v", err)
		}
	}
	return ""
}

// askStructure insists on a structure: a kernel that has none refuses it, by name.
func askStructure(s gram.Structure) func(t *testing.T, p *randomProblem) string {
	return func(t *testing.T, p *randomProblem) string {
		p.spec.Structure = s
		e, err := fit.Fit(ctx, p.spec)
		if err != nil {
			if !strings.Contains(err.Error(), "structure "+string(s)+": ") {
				t.Error(err)
			}
			return "not so"
		}
		c := p.compare(t)
		c.number("objective", e.Report.Objective, c.want.objective, 1e-8*c.want.objective)
		c.functions(e)
		return ""
	}
}
