package joint

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/adam"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
)

// adamRates are learning rates that are tried, as in the paper, relative to the norm of the kernels.
func adamRates() []float64 { return []float64{100, 50, 10, 5, 1, 0.5, 0.1, 0.05, 0.01} }

// adamTrial is how many epochs a learning rate is tried for.
const adamTrial = 20

// adamRate is the learning rate that comes furthest in a trial of some epochs.
func (c *chain) adamRate(ctx context.Context, from *weights, epochs int) (best, rate float64, err error) {
	best = math.Inf(1)
	for _, r := range adamRates() {
		_, history, err := c.adamRun(ctx, from, epochs, r)
		if err != nil {
			return 0, 0, err
		}
		if last := history[len(history)-1]; last < best {
			best, rate = last, r
		}
	}
	return best, rate, nil
}

// adamRun is a run at one rate. The variables are the weights without the quadrature weights, as in the paper.
func (c *chain) adamRun(ctx context.Context, from *weights, epochs int, rate float64) (*weights, []float64, error) {
	x, scale := c.variables(from)
	steps := adam.NewMoments(len(x))
	norms := c.adamNorms()
	for i := range norms {
		norms[i] *= rate
	}
	var history []float64
	for k := range epochs {
		p := c.fromVariables(x, scale)
		s := c.forward(ctx, p)
		e := mat.DenseCopyOf(s.misfit)
		e.Scale(1/float64(c.samples()), e)
		g := c.adjoint(ctx, s, e)
		for l, own := range c.layers { // λ size v - p, by K, is half the gradient
			floats.Scale(-1, g.v[l].RawMatrix().Data)
			floats.AddScaled(g.v[l].RawMatrix().Data, c.lambda*own.size, p.v[l].RawMatrix().Data)
			out := mat.NewDense(own.x.Size(), own.y.Size(), nil)
			own.k.Apply(ctx, out.RawMatrix().Data, g.v[l].RawMatrix().Data)
			g.v[l] = out
			if own.q != nil {
				floats.Scale(-1, g.w[l])
				floats.AddScaled(g.w[l], c.lambda*own.bias, p.w[l])
				var w mat.VecDense
				w.MulVec(own.q, mat.NewVecDense(len(g.w[l]), g.w[l]))
				g.w[l] = w.RawVector().Data
			}
		}
		gradient, _ := c.variables(g)
		floats.Mul(gradient, scale) // variables divides by them
		floats.Mul(gradient, scale)
		floats.Scale(2, gradient)
		steps.Step(x, gradient, norms)
		if err := linop.Stopped(ctx); err != nil {
			return nil, nil, err
		}
		history = append(history, s.objective)
		if k%20 == 0 {
			progress.Report(ctx, progress.Step{Task: "adam", Done: float64(k), Total: float64(epochs), Label: "objective", Value: s.objective})
		}
	}
	p := c.fromVariables(x, scale)
	return p, append(history, c.forward(ctx, p).objective), linop.Stopped(ctx)
}

// variables are weights without the quadrature weights, all in one, and these.
func (c *chain) variables(p *weights) (x, scale []float64) {
	for l, own := range c.layers {
		dy := own.y.Weights()
		for _, w := range own.dx {
			for _, v := range dy {
				scale = append(scale, w*v)
			}
		}
		x = append(x, p.v[l].RawMatrix().Data...)
		if own.q != nil {
			x, scale = append(x, p.w[l]...), append(scale, dy...)
		}
	}
	floats.Div(x, scale)
	return x, scale
}

func (c *chain) fromVariables(x, scale []float64) *weights {
	p := &weights{w: make([][]float64, len(c.layers))}
	v := make([]float64, len(x))
	floats.MulTo(v, x, scale)
	for l, own := range c.layers {
		mx, my := own.x.Size(), own.y.Size()
		p.v, v = append(p.v, mat.NewDense(mx, my, v[:mx*my])), v[mx*my:]
		if own.q != nil {
			p.w[l], v = v[:my], v[my:]
		}
	}
	return p
}

// adamNorms are √N/‖K diag(q)‖ for each variable, what learning rates are relative to.
func (c *chain) adamNorms() []float64 {
	var all []float64
	for _, l := range c.layers {
		dy := l.y.Weights()
		green := weighed(l.left, l.dx) * weighed(l.right, dy)
		count := len(l.dx) * len(dy)
		for range count {
			all = append(all, math.Sqrt(float64(count))/green)
		}
		if l.q != nil {
			for range dy {
				all = append(all, math.Sqrt(float64(len(dy)))/weighed(l.q, dy))
			}
		}
	}
	return all
}

// weighed is the Frobenius norm of K diag(q).
func weighed(k *mat.Dense, q []float64) float64 {
	sum := 0.0
	n, m := k.Dims()
	for i := range n {
		for j := range m {
			v := k.At(i, j) * q[j]
			sum += v * v
		}
	}
	return math.Sqrt(sum)
}

// adam trains a start with Adam.
func (c *chain) adam(ctx context.Context, d *descent, epochs int) error {
	_, rate, err := c.adamRate(ctx, d.p, min(epochs, adamTrial))
	if err != nil {
		return err
	}
	p, history, err := c.adamRun(ctx, d.p, epochs, rate)
	if err != nil {
		return err
	}
	modes := d.modes
	*d = *newDescent(ctx, c, p)
	d.modes, d.history, d.products = modes, history, len(history)
	return nil
}
