package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/progress"
)

// Adam is the trainer of the paper (section 3): stochastic gradients of the
// objective on batches, with steps by Adam (amsgrad), from weights that are zero.
// It is here to be watched: it comes down to the minimum that Fit computes, which
// the report holds beside the objective of every epoch.
//
// The unknowns are the weights W and w of the paper's representation
// G = K (W ∘ dx dy), β = Q (w ∘ dy), since Adam, unlike Fit, depends on their
// scale. The estimate's weights are W ∘ dx dy, as those of Fit.
type Adam struct {
	Epochs int     // 0: 500
	Batch  int     // samples in a step; 0: 100
	Rate   float64 // learning rate; 0: the first of 100, 50, 10, 5, 1, … whose first epoch leaves a relative error of at most 1
	Seed   uint64  // of the order of the samples
}

const (
	defaultEpochs = 500
	defaultBatch  = 100
	rateTrials    = 20   // of the search for a learning rate
	normRows      = 2000 // rows that the norm of a kernel is estimated from
)

func (a Adam) check() error {
	switch {
	case a.Epochs < 0:
		return fmt.Errorf("epochs %d: must be at least 1", a.Epochs)
	case a.Batch < 0:
		return fmt.Errorf("batch %d: must be at least 1", a.Batch)
	case a.Rate < 0 || math.IsInf(a.Rate, 0) || math.IsNaN(a.Rate):
		return fmt.Errorf("rate %g: must be > 0, or \"auto\"", a.Rate)
	}
	return nil
}

// fitAdam trains by Adam. The exact minimiser is computed first: it chooses λ
// where Spec does not, and is what the result is compared with. Cost of a step:
// two products with K.
func fitAdam(ctx context.Context, s Spec) (*Estimate, error) {
	if err := s.Adam.check(); err != nil {
		return nil, err
	}
	if missing(s.Data) {
		return nil, fmt.Errorf("method \"adam\": does not take missing outputs (NaN); drop the pairs that have them")
	}
	a := *s.Adam
	s.Adam = nil
	exact, err := Fit(ctx, s)
	if err != nil {
		return nil, err
	}
	w, why, err := newWeightSpace(ctx, &s)
	if err != nil {
		return nil, err
	}
	w.lambda, w.rho = exact.Report.Lambda, orDefault(exact.Report.Rho, exact.Report.Lambda)
	tr, err := newTrainer(ctx, &s, w, a)
	if err != nil {
		return nil, err
	}
	rate, err := tr.run(ctx)
	if err != nil {
		return nil, err
	}
	e, err := tr.estimate(ctx)
	if err != nil {
		return nil, err
	}
	rep := exact.Report // λ, the criteria, the noise
	rep.Residual = tr.residual(ctx)
	rep.Objective, rep.MSE = e.Report.Objective, e.Report.MSE
	rep.GreenNorm2, rep.BiasNorm2 = e.Report.GreenNorm2, e.Report.BiasNorm2
	rep.Unknowns = len(tr.x)
	rep.Minimum, rep.History = exact.Report.Objective, tr.history
	// Two bounds, of which the duality gap is weak far from the minimum.
	rep.Gap = min(e.Report.Gap, rep.Objective-rep.Minimum+exact.Report.Gap)
	rep.Converged = rep.Residual <= s.tolerance()
	rep.Iterations = len(tr.history)
	rep.Method = fmt.Sprintf("adam (amsgrad), learning rate %g, batches of %d, %s", rate, tr.batch, w.k.Describe())
	rep.Reason = fmt.Sprintf("%s; stopped after %d epochs, %.3g above the minimum", why, len(tr.history), rep.Objective-rep.Minimum)
	e.Report = rep
	return e, nil
}

// trainer is the state of a training.
type trainer struct {
	Adam
	spec    *Spec
	w       *weightSpace // of all the data
	batch   int
	norm    []float64 // for each weight √N / ‖K diag(q)‖, what learning rates are relative to
	root    []float64 // square roots of the quadrature weights of each weight
	weights []float64 // W, then w
	x       []float64 // the same in the variables of w
	m, v, u []float64 // moments, and the largest second moment so far
	steps   int
	rate    float64
	order   *rand.Rand
	whole   *weightSpace // the only batch, when it holds all samples
	history []float64
}

func newTrainer(ctx context.Context, s *Spec, w *weightSpace, a Adam) (*trainer, error) {
	t := &trainer{Adam: a, spec: s, w: w, batch: min(w.n, a.Batch)}
	if a.Batch == 0 {
		t.batch = min(w.n, defaultBatch)
	}
	if t.Epochs == 0 {
		t.Epochs = defaultEpochs
	}
	t.root = append([]float64(nil), w.s...)
	n, _ := w.Dims()
	t.norm = make([]float64, n)
	g, err := relativeRate(ctx, w.g.Kernel(s.Kernel), w.g.Space(), w.g.X(), w.g.Y())
	if err != nil {
		return nil, err
	}
	for i := range w.s {
		t.norm[i] = g
	}
	if w.q != nil {
		t.root = append(t.root, w.rdy...)
		y := s.Data.OutputMesh
		b, err := relativeRate(ctx, s.biasKernel(), kernel.Space{Names: y.Names()}, y)
		if err != nil {
			return nil, err
		}
		for i := len(w.s); i < n; i++ {
			t.norm[i] = b
		}
	}
	return t, nil
}

// relativeRate is √N / ‖K diag(q)‖, the Frobenius norm, on the N points of a
// product of meshes with weights q: exact up to normRows points, from as many
// rows drawn at random beyond.
func relativeRate(ctx context.Context, k kernel.Kernel, space kernel.Space, meshes ...mesh.Mesh) (float64, error) {
	f, err := kernel.Compile(k, space)
	if err != nil {
		return 0, err
	}
	joint, at := mesh.Mesh{}, 0
	for i, m := range meshes {
		m = mustRename(m, space.Names[at:at+m.Dim()])
		at += m.Dim()
		if joint = m; i > 0 {
			if joint, err = mesh.Product(mustRename(meshes[0], space.Names[:meshes[0].Dim()]), m); err != nil {
				return 0, err
			}
		}
	}
	n, q, columns := joint.Size(), joint.Weights(), joint.Columns()
	rows := rand.New(rand.NewPCG(1, 1)).Perm(n)
	rows = rows[:min(n, normRows)]
	squares := make([]float64, len(rows))
	err = kernel.Rows(ctx, len(rows), f.Time(n), func(i int) {
		p, row := make([]float64, joint.Dim()), make([]float64, n)
		joint.Point(p, rows[i])
		f.Row(row, p, columns)
		for j, v := range row {
			squares[i] += v * v * q[j] * q[j]
		}
	})
	if err != nil {
		return 0, fmt.Errorf("adam stopped: %w", err)
	}
	sum := floats.Sum(squares) * float64(n) / float64(len(rows))
	return math.Sqrt(float64(n) / max(sum, math.SmallestNonzeroFloat64)), nil
}

// run trains and returns the learning rate that was used.
func (t *trainer) run(ctx context.Context) (float64, error) {
	t.rate = t.Rate
	if t.Rate > 0 {
		t.reset()
		if err := t.epoch(ctx); err != nil {
			return 0, err
		}
	} else if err := t.search(ctx); err != nil {
		return 0, err
	}
	for len(t.history) < t.Epochs {
		if err := t.epoch(ctx); err != nil {
			return 0, err
		}
	}
	return t.rate, nil
}

// search does the first epoch with the largest of the paper's learning rates
// that leaves predictions no worse than zero.
func (t *trainer) search(ctx context.Context) error {
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

func (t *trainer) reset() {
	n := len(t.norm)
	t.weights, t.x = make([]float64, n), make([]float64, n)
	t.m, t.v, t.u = make([]float64, n), make([]float64, n), make([]float64, n)
	t.steps, t.history = 0, nil
	t.order = rand.New(rand.NewPCG(t.Seed, 0))
}

// epoch takes one step for each batch of a random permutation of the samples.
func (t *trainer) epoch(ctx context.Context) error {
	perm := t.order.Perm(t.w.n)
	for len(perm) > 0 {
		if ctx.Err() != nil {
			return fmt.Errorf("adam stopped after %d epochs: %w", len(t.history), context.Cause(ctx))
		}
		n := min(t.batch, len(perm))
		b, err := t.batchOf(ctx, perm[:n])
		if err != nil {
			return err
		}
		t.step(t.gradient(ctx, b))
		perm = perm[n:]
	}
	t.history = append(t.history, t.w.objective(ctx, t.x))
	progress.Report(ctx, progress.Step{
		Task: "adam", Done: float64(len(t.history)), Total: float64(t.Epochs),
		Label: "objective", Value: t.history[len(t.history)-1],
	})
	return nil
}

// batchOf is the problem on some of the samples.
func (t *trainer) batchOf(ctx context.Context, rows []int) (*weightSpace, error) {
	if t.whole != nil {
		return t.whole, nil
	}
	b := *t.w
	b.n = len(rows)
	s := *t.spec
	s.Data = &dataset.Dataset{
		Input: chooseRows(t.spec.Data.Input, rows), Output: chooseRows(t.spec.Data.Output, rows),
		InputMesh: s.Data.InputMesh, OutputMesh: s.Data.OutputMesh,
	}
	if err := b.setData(ctx, &s); err != nil {
		return nil, err
	}
	if len(rows) == t.w.n {
		t.whole = &b
	}
	return &b, nil
}

func chooseRows(a *array.Array, rows []int) *array.Array {
	m := a.Size() / a.Shape[0]
	out := array.New(len(rows), m)
	for i, r := range rows {
		copy(out.Data[i*m:(i+1)*m], a.Data[r*m:(r+1)*m])
	}
	return out
}

// gradient is that of the loss of a batch with respect to W and w: with
// x = P M (s ∘ W), it is 2 s ∘ P M K̃ (P M 𝒜ᵀ(𝒜 M P K̃ x - T) + λ x).
func (t *trainer) gradient(ctx context.Context, b *weightSpace) []float64 {
	out, kv, qb := b.forward(ctx, t.x)
	floats.Sub(out, b.t)
	back := make([]float64, len(t.x))
	b.backward(ctx, back, out)
	cut := len(b.s)
	g := append(b.scaledKernel(ctx, b.k, b.s, back[:cut]), make([]float64, len(t.x)-cut)...)
	floats.AddScaled(g[:cut], b.lambda, kv)
	b.g.Mask(g[:cut])
	b.g.Average(g[:cut])
	if b.q != nil {
		copy(g[cut:], b.scaledKernel(ctx, b.q, b.rdy, back[cut:]))
		floats.AddScaled(g[cut:], b.rho, qb)
	}
	for i, s := range t.root {
		g[i] *= 2 * s
	}
	return g
}

// step is one step of Adam with amsgrad, with the customary constants.
func (t *trainer) step(g []float64) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	t.steps++
	c1, c2 := 1-math.Pow(beta1, float64(t.steps)), 1-math.Pow(beta2, float64(t.steps))
	for i, d := range g {
		t.m[i] = beta1*t.m[i] + (1-beta1)*d
		t.v[i] = beta2*t.v[i] + (1-beta2)*d*d
		t.u[i] = max(t.u[i], t.v[i])
		t.weights[i] -= t.rate * t.norm[i] / c1 * t.m[i] / (math.Sqrt(t.u[i]/c2) + epsilon)
	}
	floats.MulTo(t.x, t.root, t.weights)
	cut := len(t.w.s)
	t.w.g.Mask(t.x[:cut])
	t.w.g.Average(t.x[:cut])
}

// objective is the minimised functional, on all samples.
func (w *weightSpace) objective(ctx context.Context, x []float64) float64 {
	cut := w.g.Size()
	out, kv, qb := w.forward(ctx, x)
	floats.Sub(out, w.t)
	sum := w.rss0 + floats.Dot(out, out) + w.lambda*floats.Dot(x[:cut], kv)
	if w.q != nil {
		sum += w.rho * floats.Dot(x[cut:], qb)
	}
	return sum
}

// residual is the relative residual of the optimality system.
func (t *trainer) residual(ctx context.Context) float64 {
	b, r := t.w.rightHandSide(ctx), make([]float64, len(t.x))
	t.w.Apply(ctx, r, t.x)
	return floats.Distance(r, b, 2) / max(floats.Norm(b, 2), math.SmallestNonzeroFloat64)
}

// estimate is the present estimate.
func (t *trainer) estimate(ctx context.Context) (*Estimate, error) {
	s := t.spec
	e := &Estimate{
		Kernel: s.Kernel, BiasKernel: s.biasKernel(), Constraint: s.Constraint,
		InputMesh: s.Data.InputMesh, OutputMesh: s.Data.OutputMesh,
	}
	if s.Constraint != nil {
		e.grid = t.w.g
	}
	if err := t.w.finish(ctx, e, append([]float64(nil), t.x...)); err != nil {
		return nil, err
	}
	var err error
	e.function, err = kernel.Compile(t.w.g.Kernel(s.Kernel), t.w.g.Space())
	return e, err
}

// relativeError is the root mean square of the relative errors of the present
// predictions of the training data.
func (t *trainer) relativeError(ctx context.Context) (float64, error) {
	e, err := t.estimate(ctx)
	if err != nil {
		return 0, err
	}
	f, err := t.spec.Data.Input.Matrix()
	if err != nil {
		return 0, err
	}
	u, err := e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return 0, err
	}
	errs, err := dataset.RelativeErrors(array.FromMatrix(u), t.spec.Data.Output)
	if err != nil {
		return 0, err
	}
	return floats.Norm(errs, 2) / math.Sqrt(float64(len(errs))), nil
}
