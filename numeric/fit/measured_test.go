package fit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// measuredExamples has fits of every way with a λ that is given: some with noise that is left open, with errors of their
// own, a constant that is free, a kernel that is chosen, a prior, on landmarks.
func measuredExamples(t *testing.T) []example {
	t.Helper()
	list := examples(t)
	spec := list[0].spec
	add := func(name string, change func(s *Spec)) {
		s := spec
		change(&s)
		list = append(list, example{name: name, spec: s})
	}
	add("noise left open", func(s *Spec) { s.Lambda, s.Rho = 1e-9, 1e-9 })
	add("flat", func(s *Spec) { s.Intercept = Flat })
	add("open intercept", func(s *Spec) { s.Intercept, s.Rho = "", 0 })
	add("own errors", func(s *Spec) {
		s.Data = testmain.Must(s.Data.WithErrors(&dataset.Errors{Points: []float64{1, 2, 1e-9, 1, 3}}))(t)
	})
	add("kernel chosen", func(s *Spec) { s.Kernel = kernel.SE{Lengthscale: kernel.Auto} })
	add("prior", func(s *Spec) { s.Prior = testmain.Must(Fit(t.Context(), spec))(t) })
	rng := rand.New(rand.NewPCG(5, 6))
	points := make([]float64, 2*60)
	for i := range points {
		points[i] = rng.Float64()
	}
	scattered := testmain.Must(mesh.Scattered(points, 2, nil, "x", "y"))(t)
	f, u := testmain.Must(mesh.Uniform(0, 1, 6, "s"))(t), testmain.Must(mesh.New(scattered))(t)
	small := pairsOn(t, 5, 6, 60, false)
	add("landmarks", func(s *Spec) {
		s.Data = testmain.Must(dataset.New(dataset.Spec{Input: small.Input, Output: small.Output, InputMesh: testmain.Must(mesh.New(f))(t), OutputMesh: u}))(t)
		s.Landmarks = 20
	})
	return list
}

// without is a report without what differs from run to run.
func without(r Report) Report {
	r.Seconds, r.Times, r.unmeasured = 0, Times{}, nil
	r.Expected.Seconds, r.Expected.Bytes = 0, 0
	lines := strings.Split(r.Advice, "\n")
	slices.Sort(lines)
	r.Advice = strings.Join(lines, "\n")
	return r
}

// Criteria that are measured when they are asked for are those of the fit that measured them at once, to the last bit,
// with every note; also from a copy of the report, by several at once, and from a file.
func TestMeasuredLaterIsMeasuredAtOnce(t *testing.T) {
	known, open := 0, 0
	for _, c := range measuredExamples(t) {
		want := testmain.Must(Fit(t.Context(), c.spec))(t).Report
		e := testmain.Must(Minimise(t.Context(), c.spec))(t)
		if r := e.Report; r.REML != nil || r.GCV != nil || r.LOO != nil || r.Rest() == nil {
			t.Errorf("%s: measured before anybody asked: %+v", c.name, r)
		}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				got := testmain.Must(e.Notes().Measured(t.Context()))(t)
				if !reflect.DeepEqual(without(got), without(want)) {
					t.Errorf("%s: later\n%+v\nat once\n%+v", c.name, without(got), without(want))
				}
				if got.Rest() != nil {
					t.Errorf("%s: something is left to be measured", c.name)
				}
			})
		}
		all.Wait()
		path := filepath.Join(t.TempDir(), "e.npz")
		for _, save := range []func(context.Context, string) error{testmain.Must(Minimise(t.Context(), c.spec))(t).Save, e.Save} {
			if err := save(t.Context(), path); err != nil {
				t.Fatal(c.name, err)
			}
			if got := testmain.Must(Load(t.Context(), path))(t).Report; !reflect.DeepEqual(without(got), without(want)) {
				t.Errorf("%s: from a file\n%+v\nat once\n%+v", c.name, without(got), without(want))
			}
		}
		if !strings.Contains(e.String(), "criteria     not computed yet") || strings.Contains(want.String(), "not computed yet") {
			t.Errorf("%s: shown as %s", c.name, e)
		}
		if want.REML != nil {
			known++
		}
		if strings.Contains(want.Advice, "sigma is open") {
			open++
		}
	}
	if known < 10 || open == 0 {
		t.Errorf("criteria of %d fits, %d with open noise: the examples say too little", known, open)
	}
}

// Criteria end with the context of who asks for them; who asks next gets them, and what cannot be shown is said.
func TestMeasuringEndsWithItsContext(t *testing.T) {
	why := errors.New("enough")
	for _, c := range measuredExamples(t) {
		e := testmain.Must(Minimise(t.Context(), c.spec))(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		if r, err := e.Report.Measured(ctx); err == nil || r.REML != nil || r.Rest() == nil {
			t.Errorf("%s: measured in a context that has ended: %v", c.name, err)
		}
		if err := e.Save(ctx, filepath.Join(t.TempDir(), "e.npz")); err == nil {
			t.Errorf("%s: saved in a context that has ended", c.name)
		}
		if _, err := e.Report.Measured(t.Context()); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Huber's loss has no criteria, neither now nor later, and a λ that is chosen has them at once.
func TestNothingIsMeasuredLater(t *testing.T) {
	s := examples(t)[0].spec
	if e := testmain.Must(WithLoss(t.Context(), s, .1, outputs.Huber(.1).Of, nil))(t); e.Report.Rest() != nil || e.Report.REML != nil {
		t.Errorf("%+v", e.Report)
	}
	s.Lambda, s.Rho = 0, 0
	if e := testmain.Must(Minimise(t.Context(), s))(t); e.Report.Rest() != nil || e.Report.REML == nil {
		t.Errorf("%+v", e.Report)
	}
}

// REML of more values than a matrix is for is measured wherever λ was chosen, and is what it is at that λ if it is given: under
// constraints of every way, and with values missing in some pairs and in all.
func TestManyValuesAreMeasured(t *testing.T) {
	k := kernel.Exponential{Lengthscale: kernel.Lengthscale{.3}}
	whole := pairsOn(t, 50, 47, 47, false)
	holes := func(each int) *dataset.Dataset {
		d := pairsOn(t, 50, 47, 47, false)
		for i := 0; i < len(d.Output.Data); i += each {
			d.Output.Data[i] = math.NaN()
		}
		d.Missing = true
		return d
	}
	x, y := whole.InputMesh.Names()[0], whole.OutputMesh.Names()[0]
	if x == y {
		x, y = "x", "y"
	}
	for what, s := range map[string]Spec{
		"symmetric":              {Data: whole, Constraint: constraint.Symmetric{Names: []string{x, y}}},
		"causal":                 {Data: whole, Constraint: constraint.Causal{Input: x, Output: y}},
		"missing in some pairs":  {Data: holes(400)},
		"missing in all pairs":   {Data: holes(20)},
		"missing, and symmetric": {Data: holes(20), Constraint: constraint.Symmetric{Names: []string{x, y}}},
	} {
		s.Kernel = k
		e := testmain.Must(Minimise(t.Context(), s))(t)
		if e.Report.REML != nil || e.Report.Rest() == nil {
			t.Errorf("%s: measured before anybody asked", what)
		}
		chosen := testmain.Must(e.Report.Measured(t.Context()))(t)
		s.Lambda, s.Rho, s.Intercept = e.Report.Lambda, e.Report.Rho, e.learned.spec.decidedIntercept()
		given := testmain.Must(testmain.Must(Minimise(t.Context(), s))(t).Report.Measured(t.Context()))(t)
		if chosen.REML == nil || given.REML == nil {
			t.Errorf("%s: REML %v where λ was chosen, %v where it is given", what, chosen.REML, given.REML)
		} else if !(math.Abs(*chosen.REML-*given.REML) <= 1e-6*math.Abs(*given.REML)) {
			t.Errorf("%s: REML %.6g where λ was chosen, %.6g where it is given", what, *chosen.REML, *given.REML)
		}
	}
}
