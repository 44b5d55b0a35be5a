package joint

import (
	"math"
	"os"
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
)

// cpu is the time of all processors that the process took.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// silu is z/(1 + exp(-z)).
func silu() Activation {
	z := expr.Var(0, "z")
	return Activation{Map: expr.Of(expr.OpDiv, z, expr.Of(expr.OpAdd, expr.Const(1), expr.Of(expr.OpExp, expr.Of(expr.OpNeg, z)))), Text: "silu"}
}

// TestAgainstAdam is a study: WORKBENCH_STUDY=joint go test -run AgainstAdam -v. On each problem Adam
// has 2000 epochs at each of seven rates from each of two starts. Printed are the processor time
// until the joint descent is as low as the best of these runs, its starts included, relative to
// one such run, and the objectives in the end.
func TestAgainstAdam(t *testing.T) {
	if os.Getenv("WORKBENCH_STUDY") != "joint" {
		t.Skip("a study of minutes: WORKBENCH_STUDY=joint")
	}
	for _, c := range []struct {
		name        string
		data        *dataset.Dataset
		activations []Activation
		lambda      float64
	}{
		{"cubic, 2 layers", semilinear(t, 80, 41, 30, 30, 1), []Activation{tanh()}, 1e-6},
		{"cubic, 3 layers", semilinear(t, 80, 41, 30, 30, 1), []Activation{tanh(), tanh()}, 1e-6},
		{"cubic, small λ", semilinear(t, 60, 33, 30, 30, 7), []Activation{tanh()}, 1e-8},
		{"cubic, sine", semilinear(t, 100, 33, 30, 30, 8), []Activation{of(expr.OpSin)}, 1e-6},
		{"cubic, silu, 1 % noise", noisy(semilinear(t, 100, 65, 50, 30, 6), 0.01), []Activation{silu(), silu()}, 1e-5},
		{"hidden, square", hidden(t, 80, 41, 30, 2), []Activation{square()}, 1e-6},
		{"Burgers, 2 layers", burgers(t, 200, 65, 3), []Activation{tanh()}, 1e-5},
		{"Burgers, 4 layers", burgers(t, 100, 41, 3), []Activation{tanh(), tanh(), tanh()}, 1e-5},
		{"a network with 1 % noise", noisy(drawnTruth(t, 100, 33, 4), 0.01), []Activation{tanh()}, 1e-4},
		{"a network, 300 pairs", noisy(drawnTruth(t, 300, 33, 4), 0.01), []Activation{tanh()}, 1e-6},
	} {
		s := Spec{Data: c.data, Layers: len(c.activations) + 1, Activations: c.activations, Kernel: matern(0.3), Lambda: c.lambda, Method: Jointly}
		p, err := newProblem(t.Context(), &s)
		if err != nil {
			t.Fatal(err)
		}
		var times []time.Duration
		var curve []float64
		begin := cpu()
		d, err := p.train(progress.With(t.Context(), func(s progress.Step) {
			if s.Task == "all layers" {
				times, curve = append(times, cpu()-begin), append(curve, s.Value)
			}
		}), defaultSteps, &Report{})
		if err != nil {
			t.Fatal(err)
		}
		whole := cpu() - begin
		adam, took := math.Inf(1), time.Duration(0)
		starts, err := p.starts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range starts[:2] {
			for _, rate := range []float64{1, 0.2, 0.1, 0.05, 0.02, 0.01, 0.003} {
				begin := cpu()
				_, history, err := p.chain.adamRun(t.Context(), from.p, 2000, rate)
				if err != nil {
					t.Fatal(err)
				}
				if low := floats.Min(history); low < adam {
					adam, took = low, cpu()-begin
				}
			}
		}
		at := 0
		for at < len(curve)-1 && curve[at] > adam {
			at++
		}
		t.Logf("%-25s Adam %.4g in %v; joint %.4g: as low after %.3f of that time, at its end after %.2f", c.name, adam, took,
			d.s.objective, float64(times[at])/float64(took), float64(whole)/float64(took))
	}
}
