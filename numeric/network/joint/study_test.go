package joint

import (
	"os"
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"
)

// cpu is the time of all processors that the process took.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestAgainstAdam is a study: WORKBENCH_STUDY=joint go test -run AgainstAdam -v. On networks of
// three sets it prints the objective of 2000 epochs of Adam and of Gauss and Newton's method,
// from the same start and from nothing, with the time that each took.
func TestAgainstAdam(t *testing.T) {
	if os.Getenv("WORKBENCH_STUDY") != "joint" {
		t.Skip("a study of minutes: WORKBENCH_STUDY=joint")
	}
	for _, c := range []struct {
		name   string
		s      Spec
		layers int
	}{
		{"cubic, tanh", Spec{Data: semilinear(t, 100, 41, 30, 30, 1), Activations: []Activation{tanh()}}, 2},
		{"cubic, tanh", Spec{Data: semilinear(t, 100, 41, 30, 30, 1), Activations: []Activation{tanh(), tanh()}}, 3},
		{"hidden, square", Spec{Data: hidden(t, 100, 41, 30, 2), Activations: []Activation{square()}}, 2},
	} {
		for _, lambda := range []float64{1e-6} {
			s := c.s
			s.Layers, s.Lambda, s.Kernel = c.layers, lambda, matern(0.3)
			train, test := split(t, s.Data, 20)
			all := s
			s.Data = train
			p, err := newProblem(t.Context(), &s)
			if err != nil {
				t.Fatal(err)
			}
			other, err := newProblem(t.Context(), &all)
			if err != nil {
				t.Fatal(err)
			}
			_ = other
			held := p.heldOut(t, test)
			ctx := t.Context()
			begin := cpu()
			w, err := p.chain.layerwise(ctx)
			if err != nil {
				t.Fatal(err)
			}
			e0, _ := held.mse(ctx, w)
			started := cpu() - begin
			d := newDescent(ctx, p.chain, w)
			t.Logf("%s, %d layers, λ %g: start %.3g (test %.3g) after %v", c.name, c.layers, lambda, d.s.objective, e0, started)
			if err := d.run(ctx, 60); err != nil {
				t.Fatal(err)
			}
			e1, _ := held.mse(ctx, d.p)
			t.Logf("   joint %.4g (mse %.3g, test %.3g) after %v, %d steps, %d products, damping %.2g; %.3g", d.s.objective, d.s.mse, e1, cpu()-begin, len(d.history)-1, d.products, d.damping, d.history[:min(12, len(d.history))])
			low, err := d.bound(ctx)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("   linearised bound %.4g, relative %.2g", low, (d.s.objective-low)/d.s.objective)
			for k := range 8 {
				d := newDescent(ctx, p.chain, w)
				begin := cpu()
				if err := d.run(ctx, k+1); err != nil {
					t.Fatal(err)
				}
				t.Logf("      %d steps: %.4g, %d products, damping %.2g, %v cpu", k+1, d.s.objective, d.products, d.damping, cpu()-begin)
			}
			random, err := p.chain.drawn(ctx, 1)
			if err != nil {
				t.Fatal(err)
			}
			begin = cpu()
			d2 := newDescent(ctx, p.chain, random)
			if err := d2.run(ctx, 60); err != nil {
				t.Fatal(err)
			}
			e2, _ := held.mse(ctx, d2.p)
			t.Logf("   joint from a draw %.4g (test %.3g) after %v, %d steps", d2.s.objective, e2, cpu()-begin, len(d2.history)-1)
			for name, from := range map[string]*weights{"layer by layer": w, "a draw": random} {
				best, at := 1e300, 0.0
				if _, rate, err := p.chain.adamRate(ctx, from, 40); err == nil {
					begin := cpu()
					x, history, err := p.chain.adamRun(ctx, from, 2000, rate)
					if err != nil {
						t.Fatal(err)
					}
					best, at = floats.Min(history), rate
					e3, _ := held.mse(ctx, x)
					t.Logf("   Adam from %s: %.4g (test %.3g) at rate %g after %v", name, best, e3, at, cpu()-begin)
				}
			}
		}
	}
}
