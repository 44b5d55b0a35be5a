package bindings_test

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit"
)

// profiledData are pairs d and a frame, of which fits below are made.
const profiledData = `
local x = mesh.uniform(0, 1, 16)
local function field(n, seed, l) return random.field{kernel = kernel.se{lengthscale = l or 0.15}, mesh = x, n = n, seed = seed} end
local p = pde.poisson{mesh = x}
d = p:sample{n = 60, input = field(30, 1), seed = 1}:noise{level = 0.1, seed = 1}
scattered = data.new{input = random.normal{shape = {20, 300}, seed = 1}, output = random.normal{shape = {20, 300}, seed = 2},
  input_mesh = mesh.points(random.uniform{shape = {300, 2}, seed = 3}), output_mesh = mesh.points(random.uniform{shape = {300, 2}, seed = 4})}
frame = data.new{input = {f = field(20, 1), g = field(20, 2)}, output = {u = field(20, 3) + 0.1 * random.normal{shape = {20, 16}, seed = 5}, v = field(20, 4) + 0.1 * random.normal{shape = {20, 16}, seed = 6}},
  input_mesh = x, output_mesh = x}
k = kernel.matern{nu = 2.5, lengthscale = 0.2}
`

// profiled are fits of each kind, and stages that each has, a level deeper for each slash.
var profiled = []struct{ name, arguments, stages string }{
	{"given", `data = d, kernel = k, lambda = 1e-6`, "checks, choice of the kernel, set-up, set-up/structure, solve, certificate, report"},
	{"kernel of families", `data = d`, "choice of the kernel, choice of lambda, solve"},
	{"lengthscale", `data = d, kernel = kernel.matern{lengthscale = "auto"}`, "choice of the kernel/one kernel/set-up/structure, choice of the kernel/one kernel/likelihood, solve"},
	{"noise", `data = d, kernel = k, noise = "auto"`, "fit with white noise/choice of lambda, search for the noise/standard deviations/solve, search for the noise/random curves/solve"},
	{"outliers", `data = d, kernel = k, loss = "huber"`, "round/fit with white noise/solve, outliers, Huber's loss/solve"},
	{"constraint", `data = d, kernel = k, constraint = "auto"`, "search for a constraint/solve, solve"},
	{"landmarks", `data = scattered, kernel = kernel.matern{lengthscale = 0.3}, lambda = 1e-3, landmarks = 64`, "landmarks, set-up, solve, comparison with fewer landmarks/solve"},
	{"cross-validation", `data = d, kernel = k, criterion = "cv"`, "choice of lambda/set-up, choice of lambda/certificate, solve"},
	{"trained", `data = d, kernel = k, lambda = 1e-4, method = "adam", epochs = 20`, "solve, training"},
	{"model", `data = frame`, "terms, kernels and sizes of terms/one kernel, set-up, choice of lambda, solve, certificate, report"},
	{"coupled outputs", `data = frame, outputs = "coregional", kernel = {f = k, g = k}`, "kernels and sizes of terms, solve"},
	{"model with noise", `data = frame, kernel = {f = k, g = k}, noise = "diagonal"`, "fit with white noise/solve, standard deviations/solve, standard deviations/kernels and sizes of terms"},
}

// profileOf makes a fit and returns its profile.
func profileOf(t *testing.T, arguments string) *progress.Profile {
	t.Helper()
	h := newHost(t)
	of := "e"
	if strings.Contains(arguments, "data = frame") {
		of = "e.u"
	}
	values, err := h.Eval(t.Context(), "test", profiledData+"local e = green.fit{"+arguments+", profile = true}\nreturn "+of+".report.profile")
	if err != nil {
		t.Fatal(err)
	}
	return values[0].(*lua.LUserData).Value.(*progress.Profile)
}

// switched are seconds for which a busy system leaves a program between two stages.
const switched = .001

// The stages of every kind of fit are its time, but for a few percent; what is within a stage takes no longer than it does, and
// counts no more.
func TestStagesAreTheTimeOfAFit(t *testing.T) {
	testmain.Long(t)
	for _, c := range profiled {
		t.Run(c.name, func(t *testing.T) {
			if strings.HasPrefix(c.name, "model ") || strings.HasPrefix(c.name, "coupled") {
				testmain.Long(t)
			}
			var rest float64
			for range 20 { // what a machine was busy with once it is not always
				p := profileOf(t, c.arguments)
				checkProfile(t, p, c.stages)
				sum := 0.0
				for _, s := range p.Stages {
					if s.Level == 1 {
						sum += s.Seconds
					}
				}
				if rest = 1 - sum/p.Seconds; rest < .05 || rest*p.Seconds < switched {
					rest = 0
					break
				}
			}
			if rest >= .05 {
				t.Errorf("%.1f %% of the time are in no stage", 100*rest)
			}
		})
	}
}

// checkProfile holds the stages of a profile against one another, and looks for those that are wanted.
func checkProfile(t *testing.T, p *progress.Profile, wanted string) {
	t.Helper()
	type sum struct {
		name                 string
		seconds              float64
		iterations, products int
	}
	within := []sum{{seconds: p.Seconds, iterations: 1 << 30, products: 1 << 30}} // what each open stage has left
	var paths []string
	for _, s := range p.Stages {
		if s.Level < 1 || s.Level > len(within) {
			t.Fatalf("%s is on level %d, after one on level %d", s.Name, s.Level, len(within)-1)
		}
		within = within[:s.Level]
		around := &within[s.Level-1]
		around.seconds -= s.Seconds
		around.iterations -= s.Iterations
		around.products -= s.Products
		if around.seconds < -1e-6 || around.iterations < 0 || around.products < 0 {
			t.Errorf("the stages within %q have more than it has:\n%s", around.name, p)
		}
		within = append(within, sum{s.Name, s.Seconds, s.Iterations, s.Products})
		var path []string
		for _, w := range within[1:] {
			path = append(path, w.name)
		}
		paths = append(paths, strings.Join(path, "/"))
		if s.Times < 1 || s.Products < s.Iterations {
			t.Errorf("%+v: each step of a solver is a product", s)
		}
	}
	for want := range strings.SplitSeq(wanted, ", ") {
		if !slices.Contains(paths, want) {
			t.Errorf("no stage %q:\n%s", want, strings.Join(paths, "\n"))
		}
	}
}

// The steps of the last solve are those of the report, a fit has the same numbers with its record and without, and the record is
// kept in files.
func TestProfilesChangeNothing(t *testing.T) {
	h := newHost(t)
	values, err := h.Eval(t.Context(), "test", profiledData+`
		local plain = green.fit{data = d, kernel = k, lambda = 1e-6}
		local est = green.fit{data = d, kernel = k, lambda = 1e-6, profile = true}
		est:save([[`+filepath.Join(t.TempDir(), "est.npz")+`]])
		return plain, est`)
	if err != nil {
		t.Fatal(err)
	}
	plain, est := values[0].(*lua.LUserData).Value.(*fit.Estimate), values[1].(*lua.LUserData).Value.(*fit.Estimate)
	if plain.Report.Profile != nil {
		t.Error("a profile that nobody asked for")
	}
	if !reflect.DeepEqual(plain.Weights, est.Weights) {
		t.Error("other weights with a profile")
	}
	p := est.Report.Profile
	for _, s := range p.Stages {
		if s.Name == "solve" && s.Iterations != est.Report.Iterations {
			t.Errorf("%d steps, want %d", s.Iterations, est.Report.Iterations)
		}
	}
	path := filepath.Join(t.TempDir(), "again.npz")
	if err := est.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	again, err := fit.Load(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.Report.Profile, p) {
		t.Errorf("read back: %v", again.Report.Profile)
	}
}

// A fit that is recorded ends with its context, and nothing of the recording goes on after it.
func TestRecordedFitsStop(t *testing.T) {
	h := newHost(t)
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := h.Eval(ctx, "test", profiledData+`while true do green.fit{data = d, profile = true} end`)
	if err == nil || !errors.Is(err, context.DeadlineExceeded) && !strings.Contains(err.Error(), "time") {
		t.Errorf("got %v", err)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, of %d before", runtime.NumGoroutine(), before)
}

// What is wrong is said, by the names of the arguments.
func TestProfileArgument(t *testing.T) {
	h := newHost(t)
	for code, want := range map[string]string{
		`green.fit{data = d, kernel = k, profile = 1}`:                                            "profile",
		`green.path{data = d, kernel = k, lambdas = {1}, profile = true}`:                         "profile",
		`return green.fit{data = d, kernel = k, lambda = 1, profile = true}.report.profile.stage`: "stages",
	} {
		_, err := h.Eval(t.Context(), "test", profiledData+code)
		var e *bind.Error
		if err == nil || !errors.As(err, &e) && !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", code, err)
		}
	}
}
