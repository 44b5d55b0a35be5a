// Package adam is the trainer of the paper (section 3): stochastic gradients of the
// objective on batches, with steps by Adam (amsgrad), from weights that are zero. It is
// here to be watched: it comes down to the minimum that fit.Fit computes, which the report
// holds beside the objective of every epoch.
package adam

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Trainer says how to train. The zero value of every field stands for the paper's choice.
//
// The unknowns are the weights W and w of fit.Objective, since Adam, unlike fit.Fit,
// depends on their scale.
type Trainer struct {
	Epochs int     // 0: 500
	Batch  int     // samples in a step; 0: 100
	Rate   float64 // learning rate; 0: the first of 100, 50, 10, 5, 1, … whose first epoch leaves a relative error of at most 1
	Seed   uint64  // of the order of the samples
}

const (
	defaultEpochs = 500
	defaultBatch  = 100
	rateTrials    = 20 // of the search for a learning rate
)

func (a Trainer) check(s *fit.Spec) error {
	switch {
	case a.Epochs < 0:
		return fmt.Errorf("epochs %d: must be at least 1", a.Epochs)
	case a.Batch < 0:
		return fmt.Errorf("batch %d: must be at least 1", a.Batch)
	case a.Rate < 0 || math.IsInf(a.Rate, 0) || math.IsNaN(a.Rate):
		return remedy.HaveItChosen.For(fmt.Errorf("rate %g: must be > 0 and finite", a.Rate))
	case s.Intercept == fit.Flat:
		return fmt.Errorf("intercept \"flat\": is a part of the exact method; leave out the intercept, or the method \"adam\"")
	}
	if s.Data == nil {
		return nil // Fit says so
	}
	for _, v := range s.Data.Output.Data {
		if math.IsNaN(v) {
			return fmt.Errorf("method \"adam\": does not take missing outputs (NaN); drop the pairs that have them")
		}
	}
	return nil
}

// Fit trains for a spec. The exact minimiser is computed first: it chooses what the spec
// leaves open, and is what the result is compared with. Cost of a step: two products with
// the kernel.
func (a Trainer) Fit(ctx context.Context, s fit.Spec) (*fit.Estimate, error) {
	start := time.Now()
	if err := a.check(&s); err != nil {
		return nil, err
	}
	s.Intercept = fit.NoIntercept
	exact, err := fit.Fit(ctx, s)
	if err != nil {
		return nil, err
	}
	ctx, end := progress.During(ctx, "training")
	defer end()
	all, err := exact.Objective(ctx)
	if err != nil {
		return nil, err
	}
	t, err := a.newTraining(ctx, s.Data, all)
	if err != nil {
		return nil, err
	}
	if err := t.run(ctx); err != nil {
		return nil, err
	}
	e, err := all.Estimate(ctx, t.weights)
	if err != nil {
		return nil, err
	}
	e.Report = t.report(exact.Report, e.Report)
	tolerance := s.Tolerance
	if tolerance == 0 {
		tolerance = solve.DefaultTolerance
	}
	e.Report.Converged = e.Report.Residual <= tolerance
	e.Report.Seconds = time.Since(start).Seconds()
	return e, nil
}

// report is that of the exact minimiser (λ, the criteria, the noise) with what the
// training reached.
func (t *training) report(exact, reached fit.Report) fit.Report {
	r := exact
	r.Residual, r.Objective, r.MSE = reached.Residual, reached.Objective, reached.MSE
	r.GreenNorm2, r.BiasNorm2, r.Unknowns = reached.GreenNorm2, reached.BiasNorm2, reached.Unknowns
	r.Minimum, r.History, r.Iterations = exact.Objective, t.history, len(t.history)
	above := r.Objective - r.Minimum
	r.Gap = min(reached.Gap, above+exact.Gap) // two bounds, of which the duality gap is weak far from the minimum
	r.Method = fmt.Sprintf("adam (amsgrad), learning rate %g, batches of %d, %s", t.rate, t.batch, t.all.Describe())
	r.Reason = fmt.Sprintf("stopped after %s, %.3g above the minimum; of that: %s", spelling.Count(len(t.history), "epoch"), above, exact.Reason)
	return r
}

// training is the state of a training.
type training struct {
	Trainer
	data    *dataset.Dataset
	all     *fit.Objective
	batch   int
	norm    []float64 // for each weight √N / ‖K diag(q)‖, what learning rates are relative to
	weights []float64
	moments *Moments
	rates   []float64 // of each weight
	rate    float64
	order   *rand.Rand
	whole   *fit.Objective // the only batch, when it holds all samples
	history []float64
}

func (a Trainer) newTraining(ctx context.Context, d *dataset.Dataset, all *fit.Objective) (*training, error) {
	t := &training{Trainer: a, data: d, all: all, batch: min(all.Samples(), a.Batch)}
	if a.Batch == 0 {
		t.batch = min(all.Samples(), defaultBatch)
	}
	if t.Epochs == 0 {
		t.Epochs = defaultEpochs
	}
	var err error
	t.norm, err = norms(ctx, all)
	return t, err
}

// run trains.
func (t *training) run(ctx context.Context) error {
	t.rate = t.Rate
	if t.Rate > 0 {
		t.reset()
		if err := t.epoch(ctx); err != nil {
			return err
		}
	} else if err := t.search(ctx); err != nil {
		return err
	}
	for len(t.history) < t.Epochs {
		if err := t.epoch(ctx); err != nil {
			return err
		}
	}
	return nil
}

// search does the first epoch with the largest of the paper's learning rates
// that leaves predictions no worse than zero.
func (t *training) search(ctx context.Context) error {
	t.rate = 100
	for i := range rateTrials {
		t.reset()
		if err := t.epoch(ctx); err != nil {
			return err
		}
		re, err := t.relativeError(ctx)
		if err != nil {
			return err
		}
		if re <= 1 {
			return nil
		}
		if i%2 == 0 { // 100, 50, 10, 5, 1, …
			t.rate /= 2
		} else {
			t.rate /= 5
		}
	}
	return fmt.Errorf("adam: no learning rate from 100 down to %.3g reduces the error in its first epoch; give rate", t.rate)
}

func (t *training) reset() {
	n := len(t.norm)
	t.weights = make([]float64, n)
	t.moments, t.rates, t.history = NewMoments(n), make([]float64, n), nil
	floats.AddScaled(t.rates, t.rate, t.norm)
	t.order = rand.New(rand.NewPCG(t.Seed, 0))
}

// epoch takes one step for each batch of a random permutation of the samples.
func (t *training) epoch(ctx context.Context) error {
	perm := t.order.Perm(t.all.Samples())
	for len(perm) > 0 {
		if ctx.Err() != nil {
			return fmt.Errorf("adam stopped after %d epochs: %w", len(t.history), context.Cause(ctx))
		}
		n := min(t.batch, len(perm))
		b, err := t.batchOf(ctx, perm[:n])
		if err != nil {
			return err
		}
		t.moments.Step(t.weights, b.Gradient(ctx, t.weights), t.rates)
		perm = perm[n:]
	}
	t.history = append(t.history, t.all.Value(ctx, t.weights))
	progress.Report(ctx, progress.Step{
		Task: "adam", Done: float64(len(t.history)), Total: float64(t.Epochs),
		Label: "objective", Value: t.history[len(t.history)-1],
	})
	return nil
}

// batchOf is the objective on some of the samples.
func (t *training) batchOf(ctx context.Context, samples []int) (*fit.Objective, error) {
	if t.whole != nil {
		return t.whole, nil
	}
	b, err := t.all.Of(ctx, samples)
	if err == nil && len(samples) == t.all.Samples() {
		t.whole = b
	}
	return b, err
}

// relativeError is the root mean square of the relative errors of the present
// predictions of the training data.
func (t *training) relativeError(ctx context.Context) (float64, error) {
	e, err := t.all.Estimate(ctx, t.weights)
	if err != nil {
		return 0, err
	}
	f, err := t.data.Input.Matrix()
	if err != nil {
		return 0, err
	}
	u, err := e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return 0, err
	}
	errs, err := dataset.RelativeErrors(array.FromMatrix(u), t.data.Output)
	if err != nil {
		return 0, err
	}
	return floats.Norm(errs, 2) / math.Sqrt(float64(len(errs))), nil
}
