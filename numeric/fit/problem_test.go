package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/inweights"
	"github.com/greenbench/workbench/numeric/fit/internal/pose"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// example is a fit that one of the ways poses.
type example struct {
	name, way string
	spec      Spec
}

// examples has one fit for every way there is, with and without missing outputs, and with
// more pairs than points, where rows are reduced.
func examples(t *testing.T) []example {
	t.Helper()
	symmetric := constraint.Symmetric{Names: []string{"s", "t"}}
	lag := constraint.List{constraint.Causal{Input: "s", Output: "t"}, constraint.TimeInvariant{Input: "s", Output: "t"}}
	both := constraint.Flip{Names: []string{"s", "t"}, About: .5}
	list := []example{
		{"data", "data", Spec{Data: pairsOn(t, 4, 6, 5, false)}},
		{"many pairs", "data", Spec{Data: pairsOn(t, 14, 6, 5, false)}},
		{"no bias", "data", Spec{Data: pairsOn(t, 4, 6, 5, false), NoBias: true}},
		{"missing", "data", Spec{Data: pairsOn(t, 4, 6, 5, true)}},
		{"many with missing", "data", Spec{Data: pairsOn(t, 14, 6, 5, true)}},
		{"images", "images", Spec{Data: pairsOn(t, 4, 6, 5, false), NoBias: true, Constraint: both}},
		{"many with images", "images", Spec{Data: pairsOn(t, 9, 6, 5, false), NoBias: true, Constraint: both}},
		{"images, missing", "weights", Spec{Data: pairsOn(t, 4, 6, 5, true), NoBias: true, Constraint: both}},
		{"weights", "weights", Spec{Data: pairsOn(t, 4, 6, 6, false), Constraint: symmetric}},
		{"lag", "weights", Spec{Data: pairsOn(t, 4, 6, 6, false), Constraint: lag}},
		{"lag, missing", "weights", Spec{Data: pairsOn(t, 4, 6, 6, true), Constraint: lag}},
		{"composed", "composed", Spec{Data: pairsOn(t, 4, 6, 5, false), Constraint: symmetric}},
		{"composed, missing", "composed", Spec{Data: pairsOn(t, 4, 6, 5, true), Constraint: symmetric}},
		{"dense", "dense", Spec{Data: pairsOn(t, 4, 6, 5, false), Constraint: symmetric, Dense: true}},
		{"dense, missing", "dense", Spec{Data: pairsOn(t, 4, 6, 5, true), Dense: true}},
	}
	for i := range list {
		s := &list[i].spec
		s.Kernel, s.Lambda, s.Rho, s.Tolerance = kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, 1e-2, 3e-2, 1e-12
		s.Intercept = NoIntercept
	}
	return list
}

// pairsOn are pairs with some noise, and if missing is set without some outputs.
func pairsOn(t *testing.T, n, mx, my int, missing bool) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(31, 32))
	f, u := array.New(n, mx), array.New(n, my)
	for _, a := range []*array.Array{f, u} {
		for i := range a.Data {
			a.Data[i] = rng.NormFloat64()
		}
	}
	for i := range u.Data {
		y, sum := float64(i%my)/float64(my-1), 0.0
		for j := range mx {
			sum += f.At(i/my, j) * math.Exp(-math.Abs(y-float64(j)/float64(mx-1)))
		}
		u.Data[i] = sum/float64(mx) + .1*u.Data[i]
		if missing && i%4 == 1 {
			u.Data[i] = math.NaN()
		}
	}
	return testmain.Must(dataset.New(dataset.Spec{
		Input: f, Output: u, Missing: missing,
		InputMesh: mesh.Must(mesh.Uniform(0, 1, mx, "s")), OutputMesh: mesh.Must(mesh.Uniform(0, 1, my, "t")),
	}))(t)
}

// posedAs poses an example, and checks the way.
func posedAs(t *testing.T, e example) *problem.Posed {
	t.Helper()
	p, err := pose.New(t.Context(), e.spec.setting())
	if err != nil {
		t.Fatal(e.name, err)
	}
	if p.Name != e.way {
		t.Fatalf("%s: posed as %s, want %s", e.name, p.Name, e.way)
	}
	return p
}

// solved is the solution at λ and ρ, and what it weighs.
func solved(t *testing.T, p problem.Problem, at problem.Penalty, start []float64) (*problem.Solution, *problem.Weighed) {
	t.Helper()
	x := testmain.Must(p.Solve(t.Context(), at, start))(t)
	w := testmain.Must(p.Weigh(t.Context(), at, append([]float64(nil), x.X...)))(t)
	return x, w
}

// Every way is taken by some example.
func TestWaysAreTaken(t *testing.T) {
	taken := map[string]bool{}
	for _, e := range examples(t) {
		taken[posedAs(t, e).Name] = true
	}
	for _, w := range pose.Ways() {
		if !taken[w.Name] {
			t.Errorf("no example is posed as %s", w.Name)
		}
	}
}

// Every problem has the solution of the matrix of kernel values: the same objective and
// the same G, whatever it was solved for before, and from wherever it begins, which it
// leaves as it was.
func TestProblemsAgreeWithTheDenseMatrix(t *testing.T) {
	for _, e := range examples(t) {
		p, s := posedAs(t, e), e.spec
		s.Dense = true
		full, err := pose.New(t.Context(), s.setting())
		if err != nil {
			t.Fatal(e.name, err)
		}
		var start []float64
		for _, at := range []problem.Penalty{problem.At(1e-2, 3e-2), problem.At(1, .1), problem.At(1e-2, 3e-2)} {
			if s.NoBias {
				at.Rho = at.Lambda
			}
			x, w := solved(t, p, at, start)
			_, want := solved(t, full, at, nil)
			if got, least := w.Objective(at), want.Objective(at); !(math.Abs(got-least) <= 1e-9*least) {
				t.Errorf("%s: objective %.12g at %v, of the matrix %.12g", e.name, got, at, least)
			}
			if !x.How.Converged || x.X == nil || x.Least != 0 {
				t.Errorf("%s: %+v", e.name, x)
			}
			g, h := valuesOf(t, p, w), valuesOf(t, full, want)
			if d := floats.Distance(g, h, math.Inf(1)); !(d <= 1e-7*floats.Norm(h, math.Inf(1))) {
				t.Errorf("%s: G is off by %.2g of %.2g at %v", e.name, d, floats.Norm(h, math.Inf(1)), at)
			}
			start = append([]float64(nil), x.X...)
			again, _ := solved(t, p, at, start)
			if again.How.Iterations > 1 && e.way != "weights" || !floats.Equal(start, x.X) {
				t.Errorf("%s: %d iterations from the solution", e.name, again.How.Iterations)
			}
		}
	}
}

// valuesOf is G of weights on the meshes of the data.
func valuesOf(t *testing.T, p *problem.Posed, w *problem.Weighed) []float64 {
	t.Helper()
	e := frame(p)
	e.green = testmain.Must(p.Meshes().Expand(e.Kernel, w.Green))(t)
	g := testmain.Must(e.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{}))(t)
	return g.RawMatrix().Data
}

// Whatever weights there are, the response to what their kernels make of them and the
// misfit are together the data, and the objective is above the minimum by at most the gap.
func TestCertificatesHoldAnywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	at := problem.At(1e-2, 3e-2)
	for _, e := range examples(t) {
		p := posedAs(t, e)
		x, best := solved(t, p, at, nil)
		least := best.Objective(at)
		data := dataOf(t, best)
		for _, size := range []float64{1e-6, 1e-2, 1} {
			z := append([]float64(nil), x.X...)
			for i, v := range z {
				if v != 0 { // what is missing is no part of the problem
					z[i] += size * rng.NormFloat64() * floats.Norm(z, math.Inf(1))
				}
			}
			project(p, z)
			w := testmain.Must(p.Weigh(t.Context(), at, z))(t)
			if got := dataOf(t, w); !(floats.Distance(got, data, 2) <= 1e-9*(floats.Norm(data, 2)+floats.Norm(w.Misfit, 2))) {
				t.Errorf("%s: response and misfit are not the data: off by %.2g", e.name, floats.Distance(got, data, 2))
			}
			above := w.Objective(at) - least
			if !(above >= -1e-9*least && above <= w.Gap()*(1+1e-9)+1e-9*w.Objective(at)) {
				t.Errorf("%s: %.6g above the minimum, the gap is %.6g", e.name, above, w.Gap())
			}
		}
	}
}

// dataOf is T: the response to the values of the weights, and the misfit.
func dataOf(t *testing.T, w *problem.Weighed) []float64 {
	t.Helper()
	g := make([]float64, len(w.Green.RawMatrix().Data))
	w.K.Apply(t.Context(), g, w.Green.RawMatrix().Data)
	var b []float64
	if w.Q != nil {
		b = make([]float64, len(w.Bias))
		w.Q.Apply(t.Context(), b, w.Bias)
	}
	sum := w.Respond(t.Context(), g, b)
	floats.Add(sum, w.Misfit)
	return sum
}

// project leaves of weights what the constraint lets there be.
func project(p *problem.Posed, x []float64) {
	if w, ok := p.Problem.(*inweights.Problem); ok {
		w.G.Mask(x[:w.G.Size()])
		w.G.Average(x[:w.G.Size()])
	}
}

// In the space of the data operators are symmetric, and at least one; what they are
// preconditioned with is symmetric; and the response is the adjoint of the weights.
func TestRegressionsAreSymmetric(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(51, 52))
	random := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		return v
	}
	at := problem.At(1e-2, 3e-2)
	for _, e := range examples(t) {
		if e.way != "data" && e.way != "composed" {
			continue
		}
		r, err := pose.NewRegression(ctx, &problem.Question{Setting: e.spec.setting().Composed()})
		if err != nil {
			t.Fatal(e.name, err)
		}
		a, inverse, err := r.Equations(ctx, at)
		if err != nil {
			t.Fatal(e.name, err)
		}
		d := e.spec.Data
		mx, my := d.InputMesh.Size(), d.OutputMesh.Size()
		g, b := random(mx*my), random(my)
		h := r.Respond(ctx, g, b)
		n := len(h)
		z, y := r.Respond(ctx, random(mx*my), random(my)), r.Respond(ctx, random(mx*my), random(my))
		az, ay, pz, py := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		a.Apply(ctx, az, z)
		a.Apply(ctx, ay, y)
		inverse.Apply(ctx, pz, z)
		inverse.Apply(ctx, py, y)
		size := floats.Norm(az, 2) * floats.Norm(y, 2)
		if off := math.Abs(floats.Dot(az, y) - floats.Dot(z, ay)); !(off <= 1e-12*size) {
			t.Errorf("%s: ⟨A z, y⟩ and ⟨z, A y⟩ differ by %.2g of %.2g", e.name, off, size)
		}
		if off := math.Abs(floats.Dot(pz, y) - floats.Dot(z, py)); !(off <= 1e-12*floats.Norm(pz, 2)*floats.Norm(y, 2)) {
			t.Errorf("%s: the preconditioner is off symmetry by %.2g", e.name, off)
		}
		if !(floats.Dot(az, z) >= floats.Dot(z, z)*(1-1e-12) && floats.Dot(pz, z) > 0) {
			t.Errorf("%s: not positive", e.name)
		}
		w := testmain.Must(r.Weigh(ctx, at, append([]float64(nil), z...)))(t)
		sum := at.Lambda * floats.Dot(g, w.Green.RawMatrix().Data)
		if w.Bias != nil {
			sum += at.Rho * floats.Dot(b, w.Bias)
		}
		if want := floats.Dot(h, z); !(math.Abs(sum-want) <= 1e-11*floats.Norm(h, 2)*floats.Norm(z, 2)) {
			t.Errorf("%s: ⟨(g, b), weights of z⟩ is %.12g, ⟨response, z⟩ %.12g", e.name, sum, want)
		}
	}
}

// Units and the order of the pairs change nothing: with inputs in units of a and outputs
// in units of b, λ being a² times as large, the objective is b² times, G b/a times as large.
func TestUnitsAndOrderOfProblems(t *testing.T) {
	for _, e := range examples(t) {
		p := posedAs(t, e)
		at := problem.At(1e-2, 3e-2)
		_, want := solved(t, p, at, nil)
		g := valuesOf(t, p, want)
		for _, unit := range [][2]float64{{1, 1}, {1e6, 1e-3}, {1e-6, 1e9}} {
			a, b := unit[0], unit[1]
			s, d := e.spec, e.spec.Data
			n := d.N()
			order := rand.New(rand.NewPCG(61, 62)).Perm(n)
			var err error
			s.Data = testmain.Must(d.Select(order))(t)
			floats.Scale(a, s.Data.Input.Data)
			floats.Scale(b, s.Data.Output.Data)
			q, err := pose.New(t.Context(), s.setting())
			if err != nil {
				t.Fatal(e.name, err)
			}
			in := problem.At(at.Lambda*a*a, at.Rho)
			_, got := solved(t, q, in, nil)
			if is, be := got.Objective(in)/(b*b), want.Objective(at); !(math.Abs(is-be) <= 1e-9*be) {
				t.Errorf("%s: objective %.12g in units of %v, %.12g without", e.name, is, unit, be)
			}
			values := valuesOf(t, q, got)
			floats.Scale(a/b, values)
			if off := floats.Distance(values, g, math.Inf(1)); !(off <= 1e-7*floats.Norm(g, math.Inf(1))) {
				t.Errorf("%s: G is off by %.2g in units of %v", e.name, off, unit)
			}
		}
	}
}

// What a problem chooses is what it measures there, and what the pipeline raises λ from.
func TestChoicesAreMeasured(t *testing.T) {
	for _, e := range examples(t) {
		if e.spec.Dense {
			continue
		}
		e.spec.Lambda, e.spec.Rho = 0, 0
		p := posedAs(t, e)
		for _, by := range []Criterion{REML, GCV} {
			c, err := p.Choose(t.Context(), by)
			if err != nil {
				t.Fatal(e.name, err)
			}
			v, err := p.Measure(t.Context(), c.Penalty)
			if err != nil {
				t.Fatal(e.name, err)
			}
			r := c.Sheet
			if !c.Free || math.IsNaN(r.REML) || !(math.Abs(r.REML-v.REML) <= 1e-8*math.Abs(v.REML)) || !(math.Abs(r.GCV-v.GCV) <= 1e-8*v.GCV) {
				t.Errorf("%s: chosen %+v by %s, measured %+v", e.name, r, by, v)
			}
			up, err := p.Raised(t.Context(), c, 10*c.Lambda)
			if err != nil || !(math.Abs(up.Rho-10*c.Rho) <= 1e-12*up.Rho) || math.IsNaN(up.Sheet.REML) || by == REML && !(up.Sheet.REML >= r.REML) {
				t.Errorf("%s: raised to %+v: %v", e.name, up, err)
			}
			if x, w := solved(t, p, c.Penalty, c.Start); x.Least == 0 && !(w.Gap() <= 1e-12*w.Objective(c.Penalty)) {
				t.Errorf("%s: gap %.2g from what the criteria needed: %+v", e.name, w.Gap(), x.How)
			}
		}
	}
}
