package fit

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
	"github.com/greenbench/workbench/numeric/fit/internal/inobserved"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// near is equality but for rounding.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("%s: %g, want %g", what, got, want)
	}
}

// The operations of a product with the system, counted: where the kernel is held by Fourier transforms, that, and twice the inputs
// times a matrix of the points, which multiplies and adds, beside the eigenvectors of each axis of the output, there and back.
// Where it is few terms on few outputs or pairs, terms of a matrix of the rows and one of the outputs each. Under a constraint
// the inputs of all pairs, and the images.
func TestExpectedProductWithTheSystem(t *testing.T) {
	const mx, my, rows, pairs = 90, 70, 40, 50
	lines := work{pairs: pairs, mx: mx, my: my, rows: rows, axes: 3, output: []float64{7, 10}}
	product := gram.ProductTime(mx, my, 0, 3)
	near(t, "Fourier transforms", lines.step(), product+(4*rows*mx*my+4*rows*my*7+4*rows*my*10)*linop.PerFlop)

	constrained := lines
	constrained.constrained = true
	near(t, "constrained", constrained.step(), usualImages*product+4*pairs*mx*my*linop.PerFlop)

	few := lines
	few.terms, few.output, few.my = 5, []float64{indata.MaxCoreOutputs}, indata.MaxCoreOutputs
	near(t, "few outputs", few.step(), 5*(2*rows*rows*few.my+2*rows*few.my*few.my)*linop.PerFlop)
	few.my++
	few.rows = few.mx / indata.LeastFewer
	near(t, "few rows", few.step(), 5*(2*few.rows*few.rows*few.my+2*few.rows*few.my*few.my)*linop.PerFlop)
	few.output, few.rows = []float64{few.my}, few.rows+1
	near(t, "many of both", few.step(), gram.ProductTime(mx, few.my, 5, 3)+(4*few.rows*mx*few.my+4*few.rows*few.my*few.my)*linop.PerFlop)
}

// The parts of the plan of a fit, counted, for the ways to hold a kernel and to choose λ.
func TestExpectedPlan(t *testing.T) {
	const mx, my, rows, pairs, axes = 900, 700, 400, 500, 2
	const weights, unknowns = mx * my, rows * my
	lags := work{pairs: pairs, mx: mx, my: my, rows: rows, axes: axes, output: []float64{my}}
	inputs := perDatum*pairs*(mx+my) + 10*pairs*mx*rows*linop.PerFlop // read, and their factors
	hold := func(terms float64) float64 { return gram.Holding(mx, my, terms, axes) }
	transforms := weights * 4.0 // padded to twice the points of both axes
	common := float64(usualVectors*(weights+unknowns) + copiesOfData*pairs*(mx+my))
	eigen := eigenTime

	p := lags.plan()
	near(t, "lags, set-up", p.setup, hold(0)+2*weights*my*linop.PerFlop+inputs+eigen(rows)+eigen(my))
	near(t, "lags, memory", p.bytes, 8*(transforms+common))
	near(t, "lags, checks", p.checks, usualChecks*lags.step())
	if p.steps != usualSteps || p.choosing != 0 || p.closed != 0 || p.matrices != 0 || p.each != lags.step() {
		t.Errorf("lags: %+v", p)
	}

	mirrored := lags
	mirrored.mirrored, mirrored.output = true, []float64{30, 20}
	near(t, "two axes, even and odd functions apart", mirrored.plan().setup, hold(0)+inputs+eigen(rows)+2*eigen(15)+2*eigen(10))

	sum := lags
	sum.terms = 5
	p = sum.plan()
	near(t, "sum, set-up", p.setup, hold(5)+5*(2*my*my*my+2*rows*mx*mx)*linop.PerFlop+inputs+eigen(rows)+eigen(my))
	near(t, "sum, memory", p.bytes, 8*(copiesOfFactors*5*(mx*mx+my*my)+common))
	near(t, "sum, checks", p.checks, usualChecks*sum.step()+sum.product())
	sum.my, sum.output = indata.MaxCoreOutputs, []float64{indata.MaxCoreOutputs}
	m := sum.my
	near(t, "few outputs, set-up", sum.plan().setup,
		gram.Holding(mx, m, 5, axes)+5*(2*m*m*m+2*rows*mx*mx+4*m*m*m)*linop.PerFlop+perDatum*pairs*(mx+m)+10*pairs*mx*rows*linop.PerFlop+eigen(rows)+eigen(m))

	separable := lags
	separable.separable, separable.terms = true, 1
	p = separable.plan()
	near(t, "product, set-up", p.setup, hold(1)+(2*my*my*my+2*rows*mx*mx)*linop.PerFlop+inputs+eigen(rows)+separable.product()+eigen(my))
	if p.steps != 1 || p.choosing != 0 {
		t.Errorf("product: %+v", p)
	}
	separable.mirrored = true
	near(t, "product of lags, set-up", separable.plan().setup-p.setup, hold(0)+2*eigen(my/2.)-eigen(my))

	constrained := lags
	constrained.constrained, constrained.free = true, true
	p = constrained.plan()
	near(t, "constrained, memory", p.bytes, 8*(transforms+usualDirections*weights+usualVectors*2*weights+copiesOfData*pairs*(mx+my)))
	if p.steps != usualGMRES || p.choosing != usualSpectrum || p.closed != 0 || p.matrices != 0 {
		t.Errorf("constrained: %+v", p)
	}
	constrained.by = CV
	if p := constrained.plan(); p.choosing != usualFolds*usualGMRES {
		t.Errorf("constrained, cross-validation: %+v", p)
	}

	free := lags
	free.free = true
	inverted, operations := criteria.ClosedSearch(pairs, rows, my)
	p = free.plan()
	near(t, "λ, closed form", p.closed, perMode*inverted+operations*linop.PerFlop)
	near(t, "λ, memory", p.bytes, 8*(transforms+common+criteria.ProbedSpace(unknowns)))
	near(t, "λ, products", p.choosing, criteria.ProbedProducts(unknowns))
	free.smooth = true
	near(t, "λ of a smooth kernel, products", free.plan().choosing, usualBlocks*criteria.ProbedProducts(unknowns))
	free.by = CV
	near(t, "cross-validation, products", free.plan().choosing, usualFolds*usualSteps)
	gaps := lags
	gaps.free, gaps.gaps = true, true
	p = gaps.plan()
	near(t, "gaps, set-up", p.setup, hold(0)+2*weights*my*linop.PerFlop+inputs+eigen(my))
	near(t, "gaps, products", p.choosing, criteria.ProbedProducts(unknowns))
	if p.steps != usualGaps || p.closed != 0 {
		t.Errorf("gaps: %+v", p)
	}
	few := gaps // of which those that were observed make a matrix
	few.pairs, few.missing = 2, 400
	observed := 2.*my - 400
	columns := observed * few.column()
	near(t, "few with gaps, matrices", few.plan().matrices, columns+usualEvaluated*(perMatrix*observed*observed*observed*linop.PerFlop+perEntry*observed*observed))
	if p := few.plan(); p.choosing != 0 {
		t.Errorf("few with gaps: %g products", p.choosing)
	}
	near(t, "few with gaps, eigenvectors", few.plan().closed, columns+eigen(observed)+usualClosed*observed*my*(perMode+2*my*linop.PerFlop))
	few.tried = true
	if p := few.plan(); p.matrices != 0 || observed <= 800 {
		t.Errorf("few with gaps, among several kernels: %g seconds of matrices", p.matrices)
	}
	few.pairs, few.missing = 2, 2*my-100
	near(t, "very few", few.plan().matrices, 100*few.column()+usualPolish*(perMatrix*1e6*linop.PerFlop+perEntry*1e4))
	few.pairs, few.missing = 3, 3*my-1900
	near(t, "a space that grows", few.plan().closed, productsForward*usualDirected*few.column()+usualProjected*eigen(usualDirected))
	few.mx = 1 // of many values at each point few combinations
	near(t, "few inputs", few.seen(), 2*my)
	few.pairs, few.missing = 40, 40
	if few.fromObserved() {
		t.Error("of many values where pairs are complete")
	}
	if few.few = true; !few.fromObserved() {
		t.Error("of many values where no pair is complete")
	}
	bytes := p.bytes // of no missing outputs
	gaps.missing, gaps.light, gaps.apart, gaps.most = 3, 3, 1, 1000
	before := gaps.plan()
	gaps.missing, gaps.light = 900, 1000
	p = gaps.plan()
	flops := pairs*my*(pairs*pairs-9.) + my*(1e6-9) + perMatrix/2*(1e9-27)
	near(t, "gaps, factor", p.setup-before.setup, flops*linop.PerFlop+usualGaps*perFactor*(1e6-9))
	near(t, "gaps, memory", p.bytes-bytes, 8*1e6)
	for apart, want := range map[float64]float64{1: usualGaps, 100: 10 * stepsPerRoot, 1e6: 1000} {
		if gaps.apart = apart; gaps.plan().steps != want {
			t.Errorf("weights apart by %g: %g steps, want %g", apart, gaps.plan().steps, want)
		}
	}
	gaps.apart = 1
	near(t, "gaps, a product", gaps.step()-lags.step(), (8*pairs*pairs*my+4*pairs*my*my)*linop.PerFlop+perDatum*pairs*my)
	gaps.missing, gaps.light = inobserved.MaxSchur+1, 1000
	if p := gaps.plan(); p.steps != usualManyGaps || p.bytes != bytes {
		t.Errorf("more gaps than are factored: %+v", p)
	}
	free.by, free.smooth, free.landmarks = "", false, true
	if p := free.plan(); unknowns <= indata.MostProbedLandmarks || p.choosing != 0 || p.matrices != 0 {
		t.Errorf("more unknowns than are probed on landmarks: %+v", p)
	}
}

// Values with errors of their own are fitted as where some are missing, weights of whole pairs and of the same covariance for all
// pairs are not.
func TestExpectedOfErrors(t *testing.T) {
	s := Spec{Data: pairsOn(t, 4, 6, 5, false)}
	cov := mat.NewSymDense(5, nil)
	for i := range 5 {
		cov.SetSym(i, i, 1)
	}
	for what, c := range map[string]struct {
		errors *dataset.Errors
		want   bool
	}{
		"none":       {nil, false},
		"pairs":      {&dataset.Errors{Pairs: []float64{1, 2, 3, 4}}, false},
		"points":     {&dataset.Errors{Points: []float64{1, 2, 3, 4, 5}}, true},
		"covariance": {&dataset.Errors{Covariance: cov}, false},
	} {
		own := *s.Data
		own.Errors = c.errors
		with := Spec{Data: &own}
		if w := with.workOn(6, 5, []float64{5}, 2, 0); w.gaps != c.want || w.missing != 0 {
			t.Errorf("%s: as if some were missing %v, want %v; %g are", what, w.gaps, c.want, w.missing)
		}
	}
}

// λ of few unknowns is chosen by a matrix, of their number cubed, that of a smooth kernel by fewer directions, which are kept.
func TestExpectedMatrices(t *testing.T) {
	most := float64(problem.ToChoose(REML).Rows)
	w := work{pairs: 9, mx: 40, my: most / 8, rows: 8, axes: 2, output: []float64{most / 8}, free: true}
	p := w.plan()
	near(t, "matrices", p.matrices, 6*4./3*most*most*most*linop.PerFlop)
	if p.choosing != 0 {
		t.Errorf("vectors beside matrices: %+v", p)
	}
	smooth := w
	smooth.smooth = true
	s := smooth.plan()
	near(t, "matrices of a smooth kernel", s.matrices, p.matrices*usualThin)
	near(t, "memory of a smooth kernel", s.bytes-p.bytes, 8*copiesOfThin*most*most)
	for what, change := range map[string]func(w *work){
		"one row more":     func(w *work) { w.rows++ },
		"cross-validation": func(w *work) { w.by = CV },
		"λ is given":       func(w *work) { w.free = false },
	} {
		other := w
		if change(&other); other.plan().matrices != 0 {
			t.Errorf("%s: %+v", what, other.plan())
		}
	}
	w.landmarks = true
	if p := w.plan(); p.matrices == 0 {
		t.Errorf("few unknowns on landmarks: %+v", p)
	}
}

// The cost of a plan is all of its parts: the products with the system, of the solver and those of random vectors, which take
// more, are of one length.
func TestExpectedCostOfAPlan(t *testing.T) {
	c := plan{setup: 1, steps: 3, choosing: 5, each: 7, closed: 11, matrices: 13, checks: 17, bytes: 19}.cost()
	near(t, "seconds", c.Seconds, perProblem+1+(3+usualVectorWork*5)*7+11+13+17)
	near(t, "bytes", c.Bytes, 19)
}

// A fit by the definition evaluates the kernel for every pair of weights, and factors a matrix of all values of the data.
func TestExpectedCostOfTheDefinition(t *testing.T) {
	s := Spec{Data: pairsOn(t, 4, 6, 5, false)}
	const weights, values = 6 * 5, 4 * 5
	c := s.costOfDense()
	near(t, "seconds", c.Seconds, perProblem+perValue*weights*weights+values*values*(weights+values)*linop.PerFlop)
	near(t, "bytes", c.Bytes, 8*(weights*weights+2*values*values))
}

// A fit on landmarks is two, the first on half as many, with what is done for each landmark at all points.
func TestExpectedCostOfTwoFitsOnLandmarks(t *testing.T) {
	s := Spec{Data: pairsOn(t, 4, 60, 50, false), Lambda: 1, Landmarks: 20}
	on := func(k float64) float64 {
		w := s.workOn(k, k, []float64{k}, 2, gram.UsualTerms)
		return w.cost().Seconds
	}
	c := s.costOnLandmarks()
	near(t, "seconds", c.Seconds, on(20)+on(10)+4*20*110*24*linop.PerFlop)
	w := s.workOn(20, 20, []float64{20}, 2, gram.UsualTerms)
	near(t, "bytes", c.Bytes, w.cost().Bytes+8*2*24*110)
	s.Landmarks = 0
	most := s.costOnLandmarks() // of all points, as there are fewer of them
	w = s.workOn(60, 50, []float64{50}, 2, gram.UsualTerms)
	near(t, "usual", most.Seconds, 2*w.cost().Seconds+4*usualLandmarks*110*(usualLandmarks+4)*linop.PerFlop)
}

// The search for a kernel tries so many, each on data thinned out; one by closed forms takes a time for each point of a side.
func TestExpectedCostOfTheKernel(t *testing.T) {
	s := Spec{Data: pairsOn(t, 40, 30, 20, false), Kernel: kernel.SE{}}
	w := work{pairs: 40, mx: 30, my: 20, rows: 31, axes: 2, output: []float64{20}}
	few := w
	few.free = true
	p := few.plan()
	p.choosing = min(p.choosing, usualOfTry)
	one := p.cost().Seconds + perTry - perProblem
	near(t, "one kernel", s.costOfKernel(&w).Seconds, one*(firstTries+2*moreTries))
	s.Kernel, s.Kernels = nil, []kernel.Kernel{kernel.SE{}, kernel.Matern{Nu: 1.5}, kernel.Exponential{}}
	near(t, "three kernels", s.costOfKernel(&w).Seconds, 3*one*(firstTries+2*moreTries+1))

	given := s
	given.Kernels = []kernel.Kernel{kernel.SE{}, kernel.SE{Lengthscale: kernel.Lengthscale{.1}}}
	near(t, "one is known", given.tries(), firstTries+2*moreTries+2)
	given = Spec{Data: pairsOn(t, 4, 3, 2, false), Kernel: kernel.SE{}}
	at := []float64{.1, .2, .4, .3, .7, .5}
	given.Data.InputMesh, given.Data.OutputMesh = mesh.Must(mesh.Scattered(at, 2, nil)), mesh.Must(mesh.Scattered(at[:4], 2, nil))
	near(t, "two coordinates of a point on each side", given.tries(), firstTries+4*moreTries)

	constrained := w
	constrained.constrained = true
	few = constrained
	few.free = true
	one = few.cost().Seconds + perTry - perProblem
	near(t, "constrained", s.costOfKernel(&constrained).Seconds, usualSearch*3*one*(firstTries+2*moreTries+1))

	s.Kernels = nil
	holes := Spec{Data: pairsOn(t, 40, 30, 20, true)} // no pair is complete, so no closed form chooses
	if holes.byFamilies() {
		t.Fatal("by families")
	}
	gaps := work{pairs: 40, mx: 30, my: 20, rows: 31, axes: 2, output: []float64{20}, gaps: true, missing: 40}
	few = gaps
	few.free, few.tried = true, true
	one = few.plan().cost().Seconds + perTry - perProblem
	near(t, "no kernel, gaps", holes.costOfKernel(&gaps).Seconds, float64(len(openFamilies()))*one*(firstTries+2*moreTries+1))
	if !s.byFamilies() {
		t.Fatal("not by families")
	}
	c := s.costOfKernel(&w)
	near(t, "families", c.Seconds, perFamily*math.Sqrt(600))
	near(t, "families, memory", c.Bytes, 8*familyNumbers*600)
	w.mx, w.my = 1000, 1000
	c = s.costOfKernel(&w)
	near(t, "families of many points", c.Seconds, perFamily*familyPoints)
	near(t, "families of many points, memory", c.Bytes, 8*familyNumbers*familyPoints*familyPoints)

	s.Kernel = kernel.SE{}
	few = work{pairs: 300, mx: 1000, my: 400, rows: 300, axes: 2, output: []float64{400}}
	thin := few
	root := math.Sqrt(1000 * 400 / mostPoints)
	thin.mx, thin.my, thin.free = 1000/root, 400/root, true
	thin.pairs = mostCompared / thin.my
	thin.rows = thin.pairs
	p = thin.plan()
	p.choosing = min(p.choosing, usualOfTry)
	near(t, "data thinned out", s.costOfKernel(&few).Seconds, (p.cost().Seconds+perTry-perProblem)*(firstTries+2*moreTries))
}

// What is missing of the data is counted as so much of each mesh.
func TestMissingValuesAreCountedOnEachMesh(t *testing.T) {
	for missing, want := range map[int]float64{0: 0, 3: 3. / 20 * 4 * 10} {
		s := Spec{Data: pairsOn(t, 4, 6, 5, false)}
		for i := range missing {
			s.Data.Output.Data[7*i%20] = math.NaN()
		}
		s.Data.Missing = missing > 0
		w := s.workOn(12, 10, []float64{10}, 2, gram.UsualTerms)
		if !(math.Abs(w.missing-want) <= 1e-12) || w.light != w.missing || w.gaps != (missing > 0) || w.pairs != 4 || w.rows != 4 {
			t.Errorf("%d of 20 values are missing: %g of 40, want %g", missing, w.missing, want)
		}
	}
}

// A search for a constraint is the fit without any, one with each constraint that the meshes allow and one without on data that are
// thinned out, and, where these do not dismiss it, two of half the pairs for each. What will be found is not known beforehand: the mean
// of the least and the most.
func TestExpectedCostOfTheSearchForAConstraint(t *testing.T) {
	on := func(n int) *dataset.Dataset {
		d := pairsOn(t, n, 6, 6, false)
		d.InputMesh = mesh.Must(mesh.Uniform(0, 1, 6, "x"))
		d.OutputMesh = d.InputMesh
		return d
	}
	s := Spec{Data: on(8), Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}}
	found := s
	found.Constraint, found.Criterion = constraint.Symmetric{Names: []string{"x", "y"}}, REML
	reml := s
	reml.Criterion = REML
	half := func(s Spec) Spec {
		s.Data = testmain.Must(s.Data.Select([]int{0, 2, 4, 6}))(t)
		return s
	}
	seconds := func(s Spec) float64 { return s.expected(t.Context()).Seconds }
	free, trials := s.searchCosts(t.Context())
	near(t, "free", free.Seconds, seconds(s))
	if len(trials) != 1 || fmt.Sprint(trials[0].of) != fmt.Sprint(found.Constraint) {
		t.Fatalf("%v", trials)
	}
	near(t, "likelihoods", trials[0].likelihoods.Seconds, seconds(found)+seconds(reml))
	near(t, "halves", trials[0].halves.Seconds, 2*seconds(half(found))+2*seconds(half(reml)))

	s.AskConstraint = true
	least, most, _ := outcomes(free, trials)
	near(t, "dismissed", least.Seconds, free.Seconds+trials[0].likelihoods.Seconds)
	near(t, "found", most.Seconds, free.Seconds+trials[0].seconds())
	after := func(s Spec) progress.Cost {
		if s.AskConstraint {
			t.Error("what follows asks again")
		}
		if s.Constraint != nil {
			return progress.Cost{Seconds: 8e30, Bytes: 9e9} // beside which the search takes no time, on any processor
		}
		return progress.Cost{Seconds: 2e30}
	}
	c := afterSearch(t.Context(), s, after)
	near(t, "with what follows", c.Seconds, 4e30)
	near(t, "memory", c.Bytes, 9e9)
	for what, change := range map[string]func(s *Spec){
		"nobody asks": func(s *Spec) { s.AskConstraint = false },
		"nothing can be found": func(s *Spec) {
			s.Data = pairsOn(t, 8, 6, 6, false)
			s.Data.OutputMesh = mesh.Must(mesh.Uniform(0, 2, 6, "y"))
		},
		"a constraint is given": func(s *Spec) { s.Constraint = found.Constraint },
	} {
		other := s
		if change(&other); afterSearch(t.Context(), other, after) != after(Spec{Constraint: other.Constraint}) {
			t.Errorf("%s: %+v", what, afterSearch(t.Context(), other, after))
		}
	}
	few := s
	few.Data = on(fewestTold - 1)
	if _, trials := few.searchCosts(t.Context()); len(trials) != 1 || trials[0].seconds() != 0 {
		t.Errorf("few pairs: %v", trials)
	}
}

// Under a constraint λ is chosen by eigenvectors of what was observed, or of the weights where these are fewer, twice, and by matrices of what
// was observed; of more than these are made for by products.
func TestExpectedChoiceUnderAConstraint(t *testing.T) {
	w := work{pairs: 30, mx: 20, my: 20, rows: 21, axes: 2, output: []float64{20}, constrained: true, free: true}
	const values, weights = 21 * 20, 20 * 20
	if w.values() != values || w.seen() != weights {
		t.Errorf("%g values, %g seen", w.values(), w.seen())
	}
	p := w.plan()
	near(t, "eigenvectors", p.closed, 2*(weights*w.column()+eigenTime(weights))+usualClosed*weights*20*(perMode+2*20*linop.PerFlop))
	near(t, "matrices", p.matrices, values*w.column()+usualPolish*(perMatrix*values*values*values*linop.PerFlop+perEntry*values*values))
	if p.choosing != 0 {
		t.Errorf("%g products beside eigenvectors", p.choosing)
	}
	many := w
	many.pairs, many.mx, many.my, many.rows, many.output = 41, 40, 40, 41, []float64{40}
	if p := many.plan(); p.choosing != usualSpectrum || p.closed != 0 || p.matrices == 0 {
		t.Errorf("%g values: %+v", many.values(), p)
	}
	delayed := w
	delayed.delayed = 100
	if delayed.values() != 3000 || delayed.seen() != weights {
		t.Errorf("lags: %g values, %g seen", delayed.values(), delayed.seen())
	}
}
