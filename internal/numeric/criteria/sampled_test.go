package criteria

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Restricted to an invariant subspace, the closed form and the probes are the criteria of
// that part alone.
func TestSharesAreAPart(t *testing.T) {
	b := newProblem(6, 6, 5, true, false, false, 1)
	shares := mat.NewDense(6, 5, nil)
	part := &Exact{Outputs: 15, Width: 1}
	var at []int
	for i := range b.t {
		if i%2 == 0 {
			b.t[i] = 0
			continue
		}
		shares.RawMatrix().Data[i] = 1
		at = append(at, i)
		part.T = append(part.T, b.t[i])
	}
	part.Green = mat.NewDense(15, 15, nil)
	for k, i := range at {
		part.Green.Set(k, k, b.green.At(i, i))
	}
	closed, probed := b.closed(), b.probed()
	closed.Shares, closed.Outputs = shares, 15
	probed.Shares, probed.Outputs = shares.RawMatrix().Data, 15
	probed.Project = func(_ context.Context, z []float64) { floats.Mul(z, shares.RawMatrix().Data) }
	for _, lambda := range []float64{1, 1e-3} {
		want, err := part.At(context.Background(), lambda, lambda)
		if err != nil {
			t.Fatal(err)
		}
		want.LOO = math.NaN()
		for name, e := range map[string]Evaluator{"closed form": closed, "probes": probed} {
			if got := checkSheet(t, name, e, want, 1e-9); !(got <= 1e-8) {
				t.Errorf("%s: off by %g", name, got)
			}
		}
	}
}

// Rules from random vectors say their error: the mean square over many is about one, and
// none is off by four.
func TestSampledRulesSayTheirError(t *testing.T) {
	b := newProblem(24, 24, 8, false, false, false, 1)
	exact := b.rules(1)
	values, v, err := linop.Eigen(context.Background(), b.matrix(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, probes := range []int{1, 8} {
		const repeats = 40
		for _, lambda := range []float64{.1, 1e-3} {
			want, square, free := exact.At(lambda), 0.0, 0.0
			for seed := range repeats {
				s := *exact
				s.Sampled, s.Probes = true, nil
				for k := range probes {
					var along mat.VecDense
					z := Signs(len(b.t), uint64(seed*probes+k))
					along.MulVec(v.T(), mat.NewVecDense(len(z), z))
					along.MulElemVec(&along, &along)
					s.Probes = append(s.Probes, Rule{values, along.RawVector().Data})
				}
				got := s.At(lambda)
				z, f := (got.REML-want.REML)/got.REMLErr, (got.ResidualDF-want.ResidualDF)/got.DFError
				if !(math.Abs(z) <= 5) || !(math.Abs(f) <= 5) {
					t.Errorf("%d probes, λ = %g: REML %.6g ± %.2g, exactly %.6g; residual degrees of freedom %.5g ± %.2g, exactly %.5g", probes, lambda, got.REML, got.REMLErr, want.REML, got.ResidualDF, got.DFError, want.ResidualDF)
				}
				square, free = square+z*z/repeats, free+f*f/repeats
			}
			t.Logf("%d probes, λ = %g: mean squares of errors in standard errors %.2f, %.2f", probes, lambda, square, free)
			if !(square <= 2) || !(free <= 2) {
				t.Errorf("%d probes, λ = %g: errors are %.2f and %.2f standard errors in the mean square", probes, lambda, math.Sqrt(square), math.Sqrt(free))
			}
		}
	}
	exact.Settled = false
	if got := exact.At(1); !math.IsInf(got.REMLErr, 1) {
		t.Errorf("error %g of a space that was still growing", got.REMLErr)
	}
}

// Where the criterion has an error, the search ends where the exact one is no more than that
// above its least, from a model that is off by many nats; huge systems and those asked for
// LOO are evaluated once, at the model's choice.
func TestDecisionsOfEstimates(t *testing.T) {
	ctx := context.Background()
	b := newProblem(24, 24, 16, false, false, false, 1)
	q := Search{By: REML, Penalty: Penalty{Ratio: 1}, Outputs: 384}
	ch, err := q.Along(ctx, b.closed())
	if err != nil {
		t.Fatal(err)
	}
	v, err := q.Decide(ctx, ch, b.probed())
	if err != nil {
		t.Fatal(err)
	}
	x := b.exact()
	x.Pairs = nil
	best, err := q.Decide(ctx, ch, x)
	if err != nil {
		t.Fatal(err)
	}
	at, err := x.At(ctx, v.Lambda, v.Rho)
	if err != nil {
		t.Fatal(err)
	}
	model, err := ch.Curve.Value(ctx, REML, v.Lambda)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("λ = %.4g of the diagonal, %.4g estimated, %.4g exactly; REML %.6g ± %.2g, exactly %.6g there and %.6g at its least; the diagonal's %.6g", ch.Lambda, v.Lambda, best.Lambda, v.REML, v.REMLErr, at.REML, best.REML, model)
	if !(v.REMLErr > 0) || !(math.Abs(v.REML-at.REML) <= 4*v.REMLErr) || !(at.REML-best.REML <= max(v.REMLErr, .05)) {
		t.Errorf("REML %.6g ± %.2g at λ = %.4g, exactly %.6g; the least is %.6g at %.4g", v.REML, v.REMLErr, v.Lambda, at.REML, best.REML, best.Lambda)
	}
	q.By = LOO
	if v, err = q.Decide(ctx, ch, b.probed()); err != nil || v.Lambda != ch.Lambda || !math.IsNaN(v.LOO) {
		t.Errorf("λ = %g, LOO %g, want %g and none; %v", v.Lambda, v.LOO, ch.Lambda, err)
	}
}

// estimated is REML as of random vectors: with an error, off from the model, its derivative known or not.
type estimated struct {
	off, slope float64
	calls      int
	curve      Curve
}

func (e *estimated) At(ctx context.Context, lambda, rho float64) (Sheet, error) {
	e.calls++
	v, err := e.curve.Sheet(ctx, lambda)
	v.REML, v.REMLErr = v.REML+e.off*math.Log(lambda), 1e-3
	if v.Slope += e.off; math.IsNaN(e.slope) {
		v.Slope = math.NaN()
	}
	return v, err
}

// What has an error is asked twice at most, as its derivative says where the least is, and once where
// there is no derivative or it says that the model knew.
func TestEstimatesAreAskedRarely(t *testing.T) {
	b := newProblem(9, 9, 6, true, false, false, 1)
	q := Search{By: REML, Penalty: Penalty{Ratio: 1}, Outputs: 54}
	ch, err := q.Along(t.Context(), b.closed())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		off, slope float64
		calls      int
	}{{1e-3, 0, 1}, {.5, 0, 2}, {-.5, 0, 2}, {3, 0, 2}, {.5, math.NaN(), 1}, {3, math.NaN(), 1}} {
		e := &estimated{off: c.off, slope: c.slope, curve: ch.Curve}
		v, err := q.Decide(t.Context(), ch, e)
		if err != nil {
			t.Fatal(err)
		}
		if e.calls != c.calls || !((ch.Lambda-v.Lambda)*c.off >= 0) || (v.Lambda == ch.Lambda) != (c.calls == 1) {
			t.Errorf("off by %g log λ, derivative known %t: asked %d times, want %d; λ = %.4g, by the model %.4g", c.off, c.slope == 0, e.calls, c.calls, v.Lambda, ch.Lambda)
		}
	}
}
