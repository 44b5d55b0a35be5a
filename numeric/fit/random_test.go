package fit_test

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

var (
	randomCases = flag.Int("cases", 80, "random problems that TestRandomProblems tries")
	randomSeed  = flag.Uint64("seed", 0, "the first of their seeds")
	randomMost  = flag.Int("points", 250, "points of input × output that they have at most, usually; every twentieth has four times as many")
)

// Random problems have the solution that their definition has: the objective and its
// parts, G and predictions on the meshes and off them, β, the criteria, and the posterior bands
// to the 1 % that they are computed to.
//
//	go test ./numeric/fit -run TestRandomProblems -cases 2000 -seed 1000
//
// tries others; a failure says the seed that repeats it.
func TestRandomProblems(t *testing.T) {
	var tried, refused, failed int
	reasons := map[string]int{}
	for seed := *randomSeed; seed < *randomSeed+uint64(*randomCases); seed++ {
		most := *randomMost
		if seed%20 == 19 {
			most *= 4
		}
		tried++
		passed := t.Run(fmt.Sprint(seed), func(t *testing.T) {
			defer func() {
				if crash := recover(); crash != nil {
					t.Errorf("crashed: %v\n%v", crash, newRandomProblem(seed, most))
				}
			}()
			if reason := newRandomProblem(seed, most).check(t); reason != "" {
				refused++
				reasons[reason]++
			}
		})
		if !passed {
			failed++
		}
	}
	t.Logf("%d tried, %d wrong or crashed, %d refused %v", tried, failed, refused, reasons)
}

// A system solved directly may leave more of its equations in rounding than the tolerance, here 3e-9
// with two pairs and a mask: the solution is the definition's all the same, and the report says so.
func TestRoundingIsNoFailure(t *testing.T) {
	p := newRandomProblem(28112550, 250)
	if reason := p.check(t); reason != "" {
		t.Fatal(reason)
	}
	r := mustFit(t, p.spec).Report
	if !(r.Residual > 1e-10 && r.Converged && strings.Contains(r.Reason, "rounding leaves a relative residual")) {
		t.Errorf("residual %.1e, converged %t: %s", r.Residual, r.Converged, r.Reason)
	}
}

// check compares the fit of a problem with its definition; it returns the reason of a
// refusal that is right.
func (p *randomProblem) check(t *testing.T) (refused string) {
	t.Helper()
	e, err := fit.Fit(t.Context(), p.spec)
	if obeyed, _, _ := p.laws(); obeyed == nil {
		if err == nil || !strings.Contains(err.Error(), "sign") {
			t.Errorf("signs contradict each other: %v\n%v", err, p)
		}
		return "contradictory signs"
	}
	switch {
	case err == nil:
	case p.rule.lag != nil && strings.Contains(err.Error(), "time axes must be uniform with one step"):
		return "time axes of different steps"
	case strings.Contains(err.Error(), "leaves nothing of G") && p.leavesNothing(),
		strings.Contains(err.Error(), "leaves no point of the meshes") && define(t, p).green == 0:
		return "nothing of G is left"
	default:
		t.Errorf("%v\n%v", err, p)
		return ""
	}
	want := define(t, p)
	c := &comparison{T: t, want: want, trusted: math.Max(1, want.trusted/1e-9), least: 1e-4 * p.gain()}
	c.parts(e.Report)
	c.constant(e)
	c.functions(e)
	c.functionsOn(e, p.other, p.further)
	if p.seed%4 == 0 && want.objective > 1e-12*c.largest()*c.largest() {
		c.bands(e, p.other, p.further)
	}
	if t.Failed() {
		t.Logf("%v\n%v", p, e.Report)
	}
	return ""
}

// leavesNothing reports whether G vanishes but for single points, such as those where
// two times are equal.
func (p *randomProblem) leavesNothing() bool {
	_, _, inside := p.laws()
	at := make([]float64, p.space.Dim())
	for range 300 {
		for i := range at {
			at[i] = p.lower + p.length()*p.rng.Float64()
		}
		if inside(at) {
			return false
		}
	}
	return true
}

// comparison is of an estimate with its definition.
type comparison struct {
	*testing.T
	want    *definition
	trusted float64 // times the tolerances: 1 unless the definition's own rounding is larger
	least   float64 // the largest G, or what is small compared with data
}

// gain is how large G is at least when the outputs are explained by it.
func (p *randomProblem) gain() float64 {
	f, u := 0.0, 0.0
	for _, v := range p.spec.Data.Input.Data {
		f = max(f, math.Abs(v))
	}
	for _, v := range p.spec.Data.Output.Data {
		if !math.IsNaN(v) {
			u = max(u, math.Abs(v))
		}
	}
	return u / (f * math.Pow(p.length(), float64(p.x.Dim())))
}

func (c *comparison) number(what string, got, want, tol float64) {
	c.Helper()
	if !(math.Abs(got-want) <= c.trusted*tol) {
		c.Errorf("%s: %.12g, by the definition %.12g", what, got, want)
	}
}

// values compares to 1e-6 of the largest, or of a size that what is compared with has.
func (c *comparison) values(what string, got, want []float64, size float64) {
	c.Helper()
	if len(got) != len(want) {
		c.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	size = max(size, floats.Norm(want, math.Inf(1)))
	if d := floats.Distance(got, want, math.Inf(1)); !(d <= 1e-6*c.trusted*size) {
		c.Errorf("%s: off by %.2g of %.3g", what, d, size)
	}
}

func (c *comparison) parts(r fit.Report) {
	c.Helper()
	w := c.want
	rounding := 1e-15 * c.largest() * c.largest()
	c.number("objective", r.Objective, w.objective, 1e-8*w.objective+rounding)
	c.number("misfit", r.MSE, w.misfit, 1e-7*w.objective+rounding)
	c.number("λ‖G‖²", w.lambda*r.GreenNorm2, w.green, 1e-7*w.objective+rounding)
	c.number("ρ‖β‖²", w.rho*r.BiasNorm2, w.bias, 1e-7*w.objective+rounding)
	if !r.Converged {
		c.Errorf("not converged: residual %g", r.Residual)
	}
	if gap := r.Objective - w.objective; !(gap <= r.Gap+1e-10*c.trusted*w.objective+rounding) {
		c.Errorf("the objective is %.3g above the minimum, the certificate says at most %.3g", gap, r.Gap)
	}
	if !r.Converged || !(w.objective > rounding) { // the logarithm of nothing
		return
	}
	c.criterion("reml", r.REML, r.REMLError, w.reml(), 1e-6*w.values())
	c.criterion("gcv", r.GCV, r.GCVError, w.gcv(), 1e-5*w.gcv()) // the closed form takes entries of 1e-6 for zeros
	if r.LOO != nil {
		c.criterion("loo", r.LOO, nil, w.loo(c.T), 1e-6*w.loo(c.T))
	}
}

// criterion compares a criterion: exact, or with a standard error.
func (c *comparison) criterion(what string, got, err *float64, want, tol float64) {
	c.Helper()
	switch {
	case got == nil:
		c.Errorf("%s is not known", what)
	case err != nil:
		c.number(what+" with an error", *got, want, 4**err)
	default:
		c.number(what, *got, want, tol)
	}
}

// constant compares the free constant.
func (c *comparison) constant(e *fit.Estimate) {
	c.Helper()
	c.number("constant", e.Intercept, c.want.b, 1e-6*c.largest())
}

// largest is the largest output.
func (c *comparison) largest() float64 {
	v := 0.0
	for _, o := range c.want.observed {
		v = max(v, math.Abs(o.value))
	}
	return v
}

// functions compares G and β on the meshes of the data.
func (c *comparison) functions(e *fit.Estimate) { c.functionsOn(e, e.InputMesh, e.OutputMesh) }

func (c *comparison) functionsOn(e *fit.Estimate, x, y mesh.Mesh) {
	c.Helper()
	largest := .01 * c.largest() // what is far below the outputs need not have six digits
	g, beta := c.want.on(x, y)
	where := fmt.Sprintf("on %v and %v", x, y)
	got, err := e.Green(c.Context(), x, y)
	if err != nil {
		c.Errorf("G %s: %v", where, err)
		return
	}
	c.least = max(c.least, floats.Norm(g.RawMatrix().Data, math.Inf(1))) // the first is that of the data
	c.values("G "+where, got.RawMatrix().Data, g.RawMatrix().Data, c.least)
	p, q := make([]float64, x.Dim()), make([]float64, y.Dim())
	x.Point(p, 0)
	y.Point(q, y.Size()-1)
	v, err := e.At(ctx, p, q)
	if err != nil {
		c.Errorf("G at %v, %v: %v", p, q, err)
	}
	c.number("G at a point", v, g.At(0, y.Size()-1), 1e-6*c.least)
	b, err := e.Bias(c.Context(), y)
	if err != nil {
		c.Errorf("bias %s: %v", where, err)
	}
	c.values("bias "+where, b, beta, largest)

	f := mat.NewDense(2, x.Size(), nil)
	f.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(3*i + j)) }, f)
	u, err := e.Predict(c.Context(), f, x, y)
	if err != nil {
		c.Errorf("predictions %s: %v", where, err)
		return
	}
	want := mat.NewDense(2, y.Size(), nil)
	dx, size := x.Weights(), max(largest, floats.Norm(beta, math.Inf(1)))
	for i := range 2 {
		for k := range y.Size() {
			sum, terms := beta[k], 0.0
			for j, w := range dx {
				v := f.At(i, j) * w * g.At(j, k)
				sum, terms = sum+v, terms+math.Abs(v)
			}
			want.Set(i, k, sum)
			size = max(size, terms)
		}
	}
	c.values("predictions "+where, u.RawMatrix().Data, want.RawMatrix().Data, size)
}

// on is G and β on meshes.
func (d *definition) on(x, y mesh.Mesh) (*mat.Dense, []float64) {
	g, beta := mat.NewDense(x.Size(), y.Size(), nil), make([]float64, y.Size())
	p := make([]float64, x.Dim()+y.Dim())
	for k := range beta {
		y.Point(p[x.Dim():], k)
		beta[k] = d.beta(p[x.Dim():])
		for j := range x.Size() {
			x.Point(p[:x.Dim()], j)
			g.Set(j, k, d.value(p))
		}
	}
	return g, beta
}

// bands compares posterior standard deviations, where the data leave any.
func (c *comparison) bands(e *fit.Estimate, x, y mesh.Mesh) {
	c.Helper()
	std, err := e.Std(c.Context(), x, y)
	if err != nil {
		c.Errorf("bands: %v", err)
		return
	}
	p := make([]float64, x.Dim()+y.Dim())
	for j := range x.Size() {
		for k := range y.Size() {
			x.Point(p[:x.Dim()], j)
			y.Point(p[x.Dim():], k)
			variance, prior := c.want.variance(p)
			if variance > 1e-6*c.trusted*prior {
				if r := std.At(j, k) / math.Sqrt(variance); !(math.Abs(r-1) <= .011) {
					c.Errorf("band at %v: %.4g of that by the definition", p, r)
					return
				}
			}
		}
	}
}

// The λ chosen for random problems with a signal is where REML by the definition is
// least, to within one unit of the logarithm of the likelihood, or a little above the
// least λ that is considered where there is none.
func TestRandomChoicesOfLambda(t *testing.T) {
	for seed := range uint64(12) {
		p := newRandomProblem(seed, 60)
		if obeyed, _, _ := p.laws(); obeyed == nil {
			continue
		}
		p.addSignal()
		s := &p.spec
		s.Lambda, s.Rho, s.Intercept = 0, 0, ""
		e, err := fit.Fit(t.Context(), *s)
		if err != nil {
			t.Errorf("%v: %v", p, err)
			continue
		}
		s.Intercept = fit.NoIntercept
		if !s.NoBias {
			s.Intercept = fit.Flat
		}
		reml := func(lambda float64) float64 {
			s.Lambda, s.Rho = lambda, lambda*e.Report.Rho/e.Report.Lambda
			return define(t, p).reml()
		}
		chosen := e.Report.Lambda
		got, best := reml(chosen), math.Inf(1)
		for decade := max(-10, math.Log10(chosen)-3); decade < 3; decade += .25 {
			best = min(best, reml(math.Pow(10, decade)))
		}
		if !(got <= best+1) && !(chosen <= 1e-10) {
			t.Errorf("%v: REML is %.6g at the λ chosen, %.3g, and %.6g at the best", p, got, chosen, best)
		}
	}
}

// addSignal replaces the outputs by responses to the inputs with a tenth of the noise.
func (p *randomProblem) addSignal() {
	d := p.spec.Data
	my, dx := d.OutputMesh.Size(), d.InputMesh.Weights()
	for i := range d.N() {
		sum := 0.0
		for j, w := range dx {
			sum += w * d.Input.At(i, j)
		}
		for k := range my {
			d.Output.Data[i*my+k] = .1*d.Output.Data[i*my+k] + sum*math.Sin(3*float64(k)/float64(my))
		}
	}
}
