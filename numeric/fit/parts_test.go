package fit

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Some of many things are evenly spread, and all of few are all.
func TestEvenly(t *testing.T) {
	for _, c := range []struct {
		n, most int
		want    []int
	}{{5, 9, []int{0, 1, 2, 3, 4}}, {5, 5, []int{0, 1, 2, 3, 4}}, {10, 2, []int{2, 7}}, {9, 3, []int{1, 4, 7}}, {7, 1, []int{3}}, {0, 3, []int{}}} {
		if got := evenly(c.n, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%d of %d: %v, want %v", c.most, c.n, got, c.want)
		}
	}
}

// Kernels that few data allow are those of a field by their likelihoods: none that is a bound or has no value, and none where
// the best is not known.
func TestPlausibleKernels(t *testing.T) {
	of := func(values ...float64) (field []*criteria.Contender, kernels []kernel.Kernel) {
		for i, v := range values {
			field = append(field, &criteria.Contender{Value: v})
			kernels = append(kernels, kernel.SE{Lengthscale: kernel.Lengthscale{float64(i + 1)}})
		}
		return field, kernels
	}
	field, kernels := of(3, 3-math.Log(3), math.NaN(), 3-math.Log(2), 300)
	field = append(field, &criteria.Contender{Value: 3, Bound: true})
	kernels = append(kernels, kernel.SE{})
	sum := 0.0
	got := map[string]float64{}
	for _, r := range plausible(field, kernels) {
		got[r.kernel.String()] = r.share
		sum += r.share
	}
	for i, share := range map[int]float64{0: 2. / 12, 1: 6. / 12, 3: 4. / 12} { // 1 : 3 : 2, in twelfths
		if v := got[kernels[i].String()]; math.Abs(v-share) > 1e-12 {
			t.Errorf("kernel %d has %g, want %g", i, v, share)
		}
	}
	if len(got) != 3 || math.Abs(sum-1) > 1e-12 {
		t.Errorf("shares %v", got)
	}
	field, kernels = of(math.NaN(), math.Inf(1))
	if none := plausible(field, kernels); none != nil {
		t.Errorf("no likelihood: %v", none)
	}
	for n, says := range map[int]bool{0: false, 1: false, 2: true} {
		if text := allowed(n); (text != "") != says {
			t.Errorf("%d kernels: %q", n, text)
		}
	}
}

// What a spec refuses, and what it takes, at the bounds.
func TestSpecsAtTheirBounds(t *testing.T) {
	d := pairsOn(t, 4, 6, 5, false)
	for what, c := range map[string]struct {
		change func(s *Spec)
		want   string
	}{
		"nothing":                   {func(*Spec) {}, ""},
		"no data":                   {func(s *Spec) { s.Data = nil }, "data: missing"},
		"the least λ":               {func(s *Spec) { s.Lambda = math.SmallestNonzeroFloat64 }, ""},
		"an infinite λ":             {func(s *Spec) { s.Lambda = math.Inf(1) }, "lambda +Inf"},
		"λ that is no number":       {func(s *Spec) { s.Lambda = math.NaN() }, "lambda NaN"},
		"a negative ρ":              {func(s *Spec) { s.Rho = -1 }, "rho -1"},
		"ρ that is no number":       {func(s *Spec) { s.Rho = math.NaN() }, "rho NaN"},
		"an infinite ρ":             {func(s *Spec) { s.Rho = math.Inf(1) }, "rho +Inf"},
		"a tolerance below one":     {func(s *Spec) { s.Tolerance = .999 }, ""},
		"a tolerance of one":        {func(s *Spec) { s.Tolerance = 1 }, "tolerance 1"},
		"a negative tolerance":      {func(s *Spec) { s.Tolerance = -1e-9 }, "tolerance -1e-09"},
		"two landmarks":             {func(s *Spec) { s.Landmarks = 2 }, ""},
		"one landmark":              {func(s *Spec) { s.Landmarks = 1 }, "landmarks 1"},
		"less than no landmarks":    {func(s *Spec) { s.Landmarks = -1 }, "landmarks -1"},
		"one iteration":             {func(s *Spec) { s.MaxIterations = 1 }, ""},
		"negative iterations":       {func(s *Spec) { s.MaxIterations = -1 }, "max_iterations -1"},
		"another intercept":         {func(s *Spec) { s.Intercept = "x" }, "intercept \"x\""},
		"no intercept":              {func(s *Spec) { s.Intercept, s.NoBias = NoIntercept, true }, ""},
		"an intercept":              {func(s *Spec) { s.Intercept = Flat }, ""},
		"an intercept without bias": {func(s *Spec) { s.Intercept, s.NoBias = Flat, true }, "intercept \"flat\""},
		"a dense intercept":         {func(s *Spec) { s.Intercept, s.Dense, s.Lambda = Flat, true, 1 }, "intercept \"flat\""},
		"dense":                     {func(s *Spec) { s.Dense, s.Lambda = true, 1 }, ""},
		"dense without λ":           {func(s *Spec) { s.Dense = true }, "method \"dense\""},
		"another criterion":         {func(s *Spec) { s.Criterion = "x" }, "criterion \"x\""},
		"cross-validation":          {func(s *Spec) { s.Criterion = CV }, ""},
	} {
		s := Spec{Data: d}
		c.change(&s)
		err := s.check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
	for _, c := range []struct {
		s    Spec
		want Intercept
		rho  float64 // at λ = 7
	}{
		{Spec{}, Flat, 7},
		{Spec{Lambda: 1}, NoIntercept, 7},
		{Spec{Rho: 1}, NoIntercept, 1},
		{Spec{NoBias: true}, NoIntercept, 7},
		{Spec{Dense: true}, NoIntercept, 7},
		{Spec{Lambda: 1, Intercept: Flat}, Flat, 7},
		{Spec{Intercept: NoIntercept}, NoIntercept, 7},
	} {
		if got := c.s.decidedIntercept(); got != c.want || c.s.rho(7) != c.rho {
			t.Errorf("%+v: intercept %s, ρ %g", c.s, got, c.s.rho(7))
		}
	}
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.5}}
	s := Spec{Kernel: k, Lambda: 2}
	if got := s.String(); got != "kernel "+k.String()+", lambda 2, rho 2" {
		t.Error(got)
	}
	c := constraint.Symmetric{Names: []string{"x", "y"}}
	s.Bias, s.Constraint, s.Rho = k, c, 3
	if got := s.String(); got != "kernel "+k.String()+", bias "+k.String()+", constraint "+c.String()+", lambda 2, rho 3" {
		t.Error(got)
	}
	s.NoBias = true
	if got := s.String(); !strings.Contains(got, ", no bias, constraint") {
		t.Error(got)
	}
}

// Symmetry is natural where input and output have the same coordinates on the same intervals, causality where both have a time.
func TestNaturalConstraints(t *testing.T) {
	line := func(name string, from, to float64) mesh.Mesh { return mesh.Must(mesh.Uniform(from, to, 3, name)) }
	with := func(m ...mesh.Mesh) mesh.Mesh {
		var axes []mesh.Axis
		for _, a := range m {
			axes = append(axes, a.Axes()...)
		}
		return testmain.Must(mesh.New(axes...))(t)
	}
	for what, c := range map[string]struct {
		in, out mesh.Mesh
		want    []string
	}{
		"a line":             {line("x", 0, 1), line("y", 0, 1), []string{"constraint.Symmetric"}},
		"another end":        {line("x", 0, 1), line("y", 0, 2), nil},
		"another beginning":  {line("x", 0, 1), line("y", -1, 1), nil},
		"a plane":            {with(line("a", 0, 1), line("b", 0, 2)), with(line("c", 0, 1), line("d", 0, 2)), []string{"constraint.Permute"}},
		"half of a plane":    {with(line("a", 0, 1), line("b", 0, 2)), with(line("c", 0, 1), line("d", 0, 3)), nil},
		"a plane and a line": {with(line("a", 0, 1), line("b", 0, 2)), line("c", 0, 1), nil},
		"a line and a plane": {line("c", 0, 1), with(line("a", 0, 1), line("b", 0, 2)), nil},
		"times":              {line("t", 0, 1), line("t", 0, 3), []string{"constraint.Causal"}},
		"one time":           {line("x", 0, 1), with(line("x", 0, 1), line("t", 0, 1)), []string{"constraint.Symmetric"}},
		"lines and times":    {with(line("x", 0, 1), line("t", 0, 1)), with(line("x", 0, 1), line("t", 0, 2)), []string{"constraint.Symmetric", "constraint.Causal"}},
	} {
		var got []string
		for _, n := range natural(c.in, c.out) {
			got = append(got, typeName(n))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
}

func typeName(c constraint.Constraint) string {
	switch c.(type) {
	case constraint.Symmetric:
		return "constraint.Symmetric"
	case constraint.Permute:
		return "constraint.Permute"
	case constraint.Causal:
		return "constraint.Causal"
	}
	return "another"
}

// Points are far outside where they are more than half of an axis beyond its ends; around a period nothing is.
func TestFarOutside(t *testing.T) {
	d := pairsOn(t, 4, 6, 5, false)
	e := testmain.Must(Fit(t.Context(), Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, Lambda: 1}))(t)
	a := e.InputMesh.Axes()[0]
	size := a.Upper[0] - a.Lower[0]
	for off, far := range map[float64]bool{-.51: true, -.49: false, 1.49: false, 1.51: true} {
		at := mesh.Must(mesh.Scattered([]float64{a.Lower[0] + off*size}, 1, []float64{1}, a.Names...))
		if got := e.outside(at, e.OutputMesh); (got != "") != far || far && !strings.HasPrefix(got, a.Names[0]+" = ") {
			t.Errorf("%g of the axis from its beginning is far outside: %q", off, got)
		}
	}
	around := mesh.Must(mesh.Periodic(0, 1, 6, "x"))
	if p := periods(testmain.Must(mesh.Product(around, e.OutputMesh))(t)); !slices.Equal(p, []bool{true, false}) {
		t.Errorf("periodic %v", p)
	}
	cloud := mesh.Must(mesh.Scattered([]float64{3, -1, 0, 5, 2, 2}, 2, []float64{1, 1, 1}, "a", "b"))
	if lo, hi := bounds(cloud); !slices.Equal(lo, []float64{0, -1}) || !slices.Equal(hi, []float64{3, 5}) {
		t.Errorf("from %v to %v", lo, hi)
	}
	inner := mesh.Must(mesh.Gauss(-1, 2, 4, "x"))
	if lo, hi := bounds(inner); !slices.Equal(lo, []float64{-1}) || !slices.Equal(hi, []float64{2}) {
		t.Errorf("points within an interval from -1 to 2: from %v to %v", lo, hi)
	}
}

// A value without a scale is zero.
func TestQuotientsOfNothing(t *testing.T) {
	if got := divided([]float64{1, 2, 3}, []float64{2, 0, -1}); !slices.Equal(got, []float64{.5, 0, -3}) {
		t.Error(got)
	}
}

// Weights of Huber's loss are k over a residual beyond k, and one within, times those that the errors have already.
func TestWeightsOfResiduals(t *testing.T) {
	d := pairsOn(t, 2, 6, 3, false)
	r := []float64{.5, -2, 1, 4, 0, -1}
	got := testmain.Must(weighted(d, r, outputs.Huber(1)))(t).Errors.Values.Data
	if want := []float64{1, .5, 1, .25, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	own := &array.Array{Shape: []int{2, 3}, Data: []float64{2, 2, 2, 4, 4, 4}}
	d = testmain.Must(d.WithErrors(&dataset.Errors{Values: own, Pairs: []float64{1, 3}}))(t)
	again := testmain.Must(weighted(d, r, outputs.Huber(1)))(t).Errors
	if want := []float64{2, 1, 2, 1, 4, 4}; !slices.Equal(again.Values.Data, want) || again.Pairs[1] != 3 || own.Data[1] != 2 {
		t.Errorf("%v, want %v", again.Values.Data, want)
	}
	w := d.OutputMesh.Weights()
	for i, root := range residualRoots(d) {
		if want := math.Sqrt(w[i%3] * own.Data[i] * []float64{1, 3}[i/3]); math.Abs(root-want) > 1e-14 {
			t.Errorf("root %d: %g, want %g", i, root, want)
		}
	}
}

// Shifts by uncertain weights are the residuals of each pair by itself, times √1.5 of how uncertain its weight is; of more pairs than
// shifts every so many together.
func TestShiftsOfData(t *testing.T) {
	const n, m = mostShifts + 2, 2
	given, u, loose := array.New(n, m), mat.NewDense(n, m, nil), make([]float64, n)
	for i := range n {
		loose[i] = 1 + float64(i)
		given.Data[i*m], given.Data[i*m+1] = float64(i), math.NaN()
		u.Set(i, 0, .5)
	}
	all := shiftsOfData(given, u, loose)
	if len(all) != mostShifts {
		t.Fatalf("%d shifts", len(all))
	}
	for k, s := range all {
		for i := range n {
			want := 0.0
			if i%mostShifts == k {
				want = math.Sqrt(shiftTimes) * loose[i] * math.Abs(float64(i)-.5)
			}
			if got := math.Abs(s.Data[i*m]); math.Abs(got-want) > 1e-12*(1+want) || !math.IsNaN(s.Data[i*m+1]) {
				t.Errorf("shift %d of pair %d: %g, want ±%g", k, i, got, want)
			}
		}
	}
	if few := shiftsOfData(given, mat.DenseCopyOf(u.Slice(0, 3, 0, m)), loose[:3]); len(few) != 3 {
		t.Errorf("%d shifts of three pairs", len(few))
	}
}

// A change of any number of the data, and an exchange of two, changes their sum.
func TestSumsOfData(t *testing.T) {
	d := pairsOn(t, 4, 6, 5, false)
	sum := sumOf(d)
	for _, a := range []*array.Array{d.Input, d.Output} {
		for i, v := range a.Data {
			a.Data[i] = math.Nextafter(v, math.Inf(1))
			if sumOf(d) == sum {
				t.Errorf("number %d changes nothing", i)
			}
			a.Data[i] = v
			if i > 0 {
				a.Data[i], a.Data[i-1] = a.Data[i-1], a.Data[i]
				if sumOf(d) == sum {
					t.Errorf("numbers %d and %d are exchanged unseen", i-1, i)
				}
				a.Data[i], a.Data[i-1] = a.Data[i-1], a.Data[i]
			}
		}
	}
	s := sealOf(d)
	if s.check(d) != nil || (seal{}).check(d) != nil {
		t.Error("nothing has changed")
	}
	d.Output.Data[3]++
	if s.check(d) == nil || s.check(pairsOn(t, 4, 6, 5, false)) != nil {
		t.Error("what has changed is not seen, or is seen of other data")
	}
}

// Singular functions have a positive integral or, where that is nothing, a positive first value; a point without weight has zero.
func TestSignsOfSingularFunctions(t *testing.T) {
	w := []float64{.25, .5, .25}
	for _, c := range []struct {
		f    []float64
		want bool
	}{
		{[]float64{1, 1, 1}, false},
		{[]float64{1, -2, 1}, true},
		{[]float64{1, 0, -1}, false},
		{[]float64{-1, 0, 1}, true},
		{[]float64{0, 0, 0}, false},
		{[]float64{-1, 1 + 1e-11, -1}, true},
		{[]float64{-1, 1 + 1e-8, -1}, false},
		{[]float64{1e-11, -1, 2}, true},
	} {
		if got := negative(c.f, w); got != c.want {
			t.Errorf("%v is negative: %v", c.f, got)
		}
	}
	s := singular(mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), 2, []float64{.5, 0, 2})
	if want := []float64{2, 0, 2.5, 4, 0, 3}; floats.Distance(s.RawMatrix().Data, want, 1) != 0 {
		t.Errorf("%v, want %v", s.RawMatrix().Data, want)
	}
}

// λ and ρ that are given are taken as they are; ρ is λ where it is not.
func TestPenaltiesThatAreGiven(t *testing.T) {
	for _, c := range []struct{ lambda, rho, want float64 }{{2, 0, 2}, {2, 3, 3}} {
		p := &problem.Posed{Setting: &problem.Setting{Lambda: c.lambda, Rho: c.rho}}
		got, err := givenPenalty(t.Context(), p)
		if err != nil || got.Penalty != problem.At(c.lambda, c.want) || !got.Unmeasured || got.By != "given" {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
}

// Bands take one kernel for known where there is no other, and where λ is given.
func TestKernelsThatAreKnown(t *testing.T) {
	for _, c := range []struct {
		rivals int
		lambda float64
		want   bool
	}{{0, 0, true}, {1, 0, true}, {2, 0, false}, {3, 0, false}, {3, 1, true}} {
		r := &resolved{Spec: Spec{Lambda: c.lambda}, decision: decision{rivals: make([]rival, c.rivals)}}
		if got := r.kernelIsKnown(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	d := pairsOn(t, 8, 6, 5, false) // 40 values
	for lambda, says := range map[float64]bool{0: false, 1e-2: true} {
		e := testmain.Must(Fit(t.Context(), Spec{Data: d, Kernel: kernel.SE{}, Lambda: lambda}))(t)
		if got := strings.Contains(e.Report.Advice, "bands take it as known"); got != says {
			t.Errorf("λ = %g: %q", lambda, e.Report.Advice)
		}
		if strings.HasPrefix(e.Report.Reason, "; ") || strings.Contains(e.Report.Reason, "; ;") {
			t.Errorf("λ = %g: a reason of nothing in %q", lambda, e.Report.Reason)
		}
	}
}

// A kernel that closed forms choose has its λ chosen by leaving out pairs where no criterion is given, which a larger matrix is
// worth: that is what is expected.
func TestExpectedCriterionOfFamilies(t *testing.T) {
	d := pairsOn(t, 60, 39, 60, false)
	bytes := func(by Criterion) float64 { return Expected(t.Context(), Spec{Data: d, Criterion: by}).Bytes }
	if open, loo, reml := bytes(""), bytes(LOO), bytes(REML); open != loo || open == reml {
		t.Errorf("%g bytes, by LOO %g, by REML %g", open, loo, reml)
	}
}

// A constraint fits meshes as it does others where both have it on their points, or both for one reason not.
func TestConstraintsThatFitAsBefore(t *testing.T) {
	of := func(my int, c constraint.Constraint) *Spec {
		return &Spec{Data: pairsOn(t, 4, 6, my, false), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, Constraint: c}
	}
	c := constraint.Symmetric{Names: []string{"s", "t"}}
	for _, of := range []struct {
		a, b *Spec
		want bool
	}{{of(6, nil), of(5, nil), true}, {of(6, c), of(6, c), true}, {of(5, c), of(6, c), false}, {of(6, c), of(5, c), false}} {
		if got, err := of.a.fitsAs(t.Context(), of.b); got != of.want || err != nil {
			t.Errorf("on %d and %d points: %v, %v", of.a.Data.OutputMesh.Size(), of.b.Data.OutputMesh.Size(), got, err)
		}
	}
}
