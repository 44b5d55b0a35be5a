package joint

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

const (
	thinner    = 0.1  // of one in that of the one before
	startSteps = 4    // of each start
	trialSteps = 60   // of each λ that is tried
	patience   = 2    // λ that may be tried without gain
	converged  = 1e-2 // of the objective, by which that of the network linearised may be lower at most
)

// Fit trains a network. Where λ is chosen it is the one by which a fifth of the pairs is predicted
// best from the others, and the network is then trained on all pairs.
func Fit(ctx context.Context, s Spec) (*Estimate, error) {
	begin := time.Now()
	if err := s.check(); err != nil {
		return nil, err
	}
	p, err := newProblem(ctx, &s)
	if err != nil {
		return nil, err
	}
	s.Method = cmp.Or(s.Method, Jointly)
	r := Report{Method: s.Method, LeftOut: math.NaN(), Linear: math.NaN()}
	if p.chain.lambda == 0 {
		if err := p.chooseLambda(ctx, &r); err != nil {
			return nil, err
		}
	}
	d, err := p.train(ctx, cmp.Or(s.Steps, defaultSteps), &r)
	if err != nil {
		return nil, err
	}
	e, err := p.estimate(ctx, d, r)
	if err != nil {
		return nil, err
	}
	e.Report.Seconds = time.Since(begin).Seconds()
	return e, nil
}

// train goes on from the start that comes furthest in a few steps.
func (p *problem) train(ctx context.Context, steps int, r *Report) (*descent, error) {
	d, name, err := p.begin(ctx)
	if err != nil {
		return nil, err
	}
	r.Start = name
	switch r.Method {
	case LayerByLayer:
		return d, nil
	case Adam:
		return d, p.chain.adam(ctx, d, cmp.Or(p.spec.Steps, defaultEpochs))
	}
	if err := d.run(ctx, steps-d.taken()); err != nil {
		return d, err
	}
	last := mostPolishing
	if p.spec.Steps > 0 {
		last = min(last, p.spec.Steps-d.taken())
	}
	return d, d.polish(ctx, last)
}

// start is where a descent began.
type start struct {
	*descent
	name string
}

// begin is the best of the starts: after a few steps of each the better half goes on for twice as many.
func (p *problem) begin(ctx context.Context) (best *descent, name string, err error) {
	if p.from != nil && p.spec.Method == Jointly {
		return newDescent(ctx, p.chain, p.from), "the network of four fifths of the pairs", nil
	}
	all, err := p.starts(ctx)
	if err != nil {
		return nil, "", err
	}
	trained := p.spec.Method != LayerByLayer && p.spec.Method != Adam
	for steps := startSteps; trained && len(all) > 1; steps *= 2 {
		for k, d := range all {
			progress.Report(ctx, progress.Step{Task: "starts", Done: float64(k), Total: float64(len(all))})
			if err := d.run(ctx, min(steps, cmp.Or(p.spec.Steps, defaultSteps)-d.taken())); err != nil {
				return nil, "", err
			}
		}
		slices.SortStableFunc(all, func(a, b start) int { return cmp.Compare(a.s.objective, b.s.objective) })
		all = all[:(len(all)+1)/2]
	}
	first := slices.MinFunc(all, func(a, b start) int { return cmp.Compare(a.s.objective, b.s.objective) })
	return first.descent, first.name, nil
}

// starts are layers learned one by one, and draws.
func (p *problem) starts(ctx context.Context) (all []start, err error) {
	c := p.chain
	count, how := cmp.Or(p.spec.Starts, defaultStarts), linear(roughly)
	if len(c.layers) == 1 && c.layers[0].sigma == nil || p.spec.Method == LayerByLayer {
		count, how = 1, exactly // convex, or not to be trained
	}
	for k := range count {
		name, w := "layers learned one by one", (*weights)(nil)
		if k == 0 {
			w, err = c.layerwise(ctx, how)
		} else {
			name = fmt.Sprintf("draw %d of the priors", k)
			w, err = c.drawn(ctx, how, p.spec.Seed+uint64(k))
		}
		if err != nil {
			return nil, err
		}
		all = append(all, start{newDescent(ctx, c, w), name})
	}
	return all, nil
}

// chooseLambda follows λ down, each network from the one before, as long as pairs that are left
// out are predicted better.
func (p *problem) chooseLambda(ctx context.Context, r *Report) error {
	in, out := criteria.FoldsOf(p.chain.samples(), p.chain.f.RawRowView, p.chain.u.RawRowView)
	part, held := p.of(in[0]), p.of(out[0])
	part.chain.lambda = firstLambda
	d, err := part.train(ctx, trialSteps, &Report{Method: r.Method})
	if err != nil {
		return err
	}
	best, since := math.Inf(1), 0
	for lambda := firstLambda; lambda > leastLambda/2 && since < patience; lambda *= thinner {
		if lambda < firstLambda {
			if d, err = part.next(ctx, d, lambda, r.Method); err != nil {
				return err
			}
		}
		progress.Report(ctx, progress.Step{Task: "λ", Label: "tried", Value: lambda})
		mse, err := held.mse(ctx, d.p)
		if err != nil {
			return err
		}
		r.Tried = append(r.Tried, Trial{lambda, held.relative(mse)})
		since++
		if mse < best {
			best, since = mse, 0
			p.chain.lambda, p.from = lambda, d.p
		}
	}
	r.LeftOut = held.relative(best)
	r.Linear, err = p.linear(ctx, part, held)
	return err
}

// next is the training with another λ, from what the one before has come to.
func (p *problem) next(ctx context.Context, d *descent, lambda float64, m Method) (*descent, error) {
	p.chain.lambda = lambda
	if m != Jointly {
		return p.train(ctx, 0, &Report{Method: m})
	}
	next := newDescent(ctx, p.chain, d.p)
	next.modes = d.modes
	return next, next.run(ctx, trialSteps)
}

// linear is the error of one linear layer that is learned and tried alike.
func (p *problem) linear(ctx context.Context, part, held *problem) (float64, error) {
	best := math.Inf(1)
	for lambda := firstLambda; lambda > leastLambda/2; lambda *= thinner {
		first := *p.chain.layers[0]
		first.sigma = nil
		c := *part.chain
		c.layers, c.lambda = []*layer{&first}, lambda
		w, err := exactly(ctx, &c)
		if err != nil {
			return 0, err
		}
		other := *held
		o := *held.chain
		o.layers = c.layers
		other.chain = &o
		mse, err := other.mse(ctx, w)
		if err != nil {
			return 0, err
		}
		best = min(best, mse)
	}
	return held.relative(best), nil
}

// relative is a mean square misfit as the root of the sum of squares over that of the outputs.
func (p *problem) relative(mse float64) float64 {
	c := p.chain
	sum := 0.0
	for i := range c.samples() {
		for k, v := range c.u.RawRowView(i) {
			v = (v*p.units.output + p.units.centre) / p.units.output
			sum += c.roots[k] * c.roots[k] * v * v
		}
	}
	return math.Sqrt(mse * float64(c.samples()) / max(sum, math.SmallestNonzeroFloat64))
}

// estimate are the layers in the units of the user, with their certificates.
func (p *problem) estimate(ctx context.Context, d *descent, r Report) (*Estimate, error) {
	c := p.chain
	low, err := d.bound(ctx)
	if err != nil {
		return nil, err
	}
	r.Objective, r.History, r.Bound, r.Lambda = d.s.objective, d.history, max(low, 0), c.lambda
	r.Gradient, r.Steps, r.Products, r.Converged = c.gradientSize(ctx, d.p, d.s), d.taken(), d.products, d.s.objective-low <= converged*d.s.objective
	r.Misfit = p.relative(d.s.mse)
	e := &Estimate{InputMesh: p.spec.Data.InputMesh, OutputMesh: p.spec.Data.OutputMesh, Activations: p.spec.Activations, Largest: largest(p.spec.Data.Input.Data)}
	back := mat.DenseCopyOf(d.s.misfit)
	c.weigh(back)
	for k := len(c.layers) - 1; k >= 0; k-- {
		d.s.times(k, back)
		layer, err := p.layer(ctx, d, k, back)
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", k+1, err)
		}
		e.Layers = append([]*fit.Estimate{layer}, e.Layers...)
		layer.Report.Criterion = "given"
		r.Layers = append([]LayerReport{{layer.Report.Lambda, layer.Report.Residual, layer.Report.Gap, layer.Report.Objective}}, r.Layers...)
		if k > 0 {
			back = linop.Product(ctx, back, d.s.at.g[k].T())
		}
	}
	r.advise(p)
	e.Report = r
	return e, nil
}

// layer is G and β of a layer as an estimate. Where the gradient is zero, each layer is the
// exact minimiser of a linear fit of targets: what it gives, less the derivative of the misfit by
// that; how far it is from that is in its report.
func (p *problem) layer(ctx context.Context, d *descent, k int, back *mat.Dense) (*fit.Estimate, error) {
	c, own := p.chain, p.chain.layers[k]
	wy := own.y.Weights()
	size := 0.0
	for _, w := range wy {
		size += w
	}
	in, out, centre := 1.0, 1.0, 0.0
	if k == 0 {
		in = p.units.input
	}
	if k == len(c.layers)-1 {
		out, centre = p.units.output, p.units.centre
	}
	input, target := mat.DenseCopyOf(d.s.u[k]), mat.DenseCopyOf(d.s.z[k])
	input.Scale(in, input)
	for i := range c.samples() {
		row, g := target.RawRowView(i), back.RawRowView(i)
		for j, w := range wy {
			if w > 0 {
				row[j] += size * g[j] / w
			}
			row[j] *= out
		}
	}
	data, err := dataset.New(dataset.Spec{Input: arrayOf(input), Output: arrayOf(target), InputMesh: own.x, OutputMesh: own.y})
	if err != nil {
		return nil, err
	}
	s := fit.Spec{
		Data: data, Kernel: p.kernels[k], Bias: p.biases[k], NoBias: own.q == nil, Intercept: fit.NoIntercept,
		Lambda: c.lambda * own.size * size * in * in, Tolerance: 1e-3, MaxIterations: 1,
	}
	if own.q != nil {
		s.Rho = c.lambda * own.bias * size
	}
	any, err := fit.Fit(ctx, s)
	if err != nil {
		return nil, err
	}
	o, err := any.Objective(ctx)
	if err != nil {
		return nil, err
	}
	var w []float64
	for i, x := range own.dx {
		for j, v := range d.p.v[k].RawRowView(i) {
			w = append(w, quotient(v*out/in, x*wy[j]))
		}
	}
	for j, v := range d.p.w[k] {
		w = append(w, quotient(v*out, wy[j]))
	}
	e, err := o.Estimate(ctx, w)
	if err != nil {
		return nil, err
	}
	e.Intercept = centre
	r := &e.Report
	r.Method, r.Reason = "a layer of a network of several, all trained at once", "beside the exact fit of the targets that the other layers make"
	r.Iterations, r.Converged, r.Seconds = d.taken(), r.Gap <= converged*r.Objective, 0
	return e, nil
}

// quotient is 0 where a weight of the quadrature is.
func quotient(v, w float64) float64 {
	if w == 0 {
		return 0
	}
	return v / w
}
