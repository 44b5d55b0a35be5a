package network

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// operator is what a layer makes of channels on the mesh of the outputs: an addend by channel,
// with the weights of the integral in it, points of the channel × points of the output.
type operator struct {
	channels []*channel
	green    []*mat.Dense
	scale    []float64 // factors of the channels, 1 unless a solution is followed
}

func newOperator(ctx context.Context, o *model.Output, channels []*channel, ys mesh.Mesh) (*operator, error) {
	op := &operator{}
	for _, c := range channels {
		t := o.Term(c.Name)
		if t == nil {
			continue // it was not chosen
		}
		if err := dense.CheckMatrix("predict: the term "+c.Name, 1, c.on.Size(), ys.Size()); err != nil {
			return nil, err
		}
		e, err := t.Green()
		if err != nil {
			return nil, err
		}
		g, err := e.Green(ctx, c.on, ys)
		if err != nil {
			return nil, err
		}
		for i, w := range c.on.Weights() {
			floats.Scale(w, g.RawRowView(i))
		}
		op.channels, op.green, op.scale = append(op.channels, c), append(op.green, g), append(op.scale, 1)
	}
	return op, nil
}

// addTo adds to v what the channels of a sample make of u.
func (op *operator) addTo(v []float64, in inputs, sample int, u []float64) {
	for k, c := range op.channels {
		phi := make([]float64, c.on.Size())
		c.value.Block(phi, c.operands(in[k], sample, u))
		for x, p := range phi {
			floats.AddScaled(v, op.scale[k]*p, op.green[k].RawRowView(x))
		}
	}
}

// jacobian is the transpose of the derivative of addTo by u: points of u × points of v.
func (op *operator) jacobian(in inputs, sample int, u []float64) *mat.Dense {
	_, m := op.green[0].Dims()
	j := mat.NewDense(len(u), m, nil)
	for k, c := range op.channels {
		vars := c.operands(in[k], sample, u)
		slope := make([]float64, c.on.Size())
		for a := range c.output {
			c.slopes[a].Block(slope, vars)
			for x, s := range slope {
				columns, weights := c.sample[a].Row(x)
				for e, at := range columns {
					if f := op.scale[k] * s * weights[e]; f != 0 {
						floats.AddScaled(j.RawRowView(at), f, op.green[k].RawRowView(x))
					}
				}
			}
		}
	}
	return j
}

const (
	newtonSteps     = 40
	newtonTolerance = 1e-10 // of the change of u, relative to its size
	halvings        = 12
	pathSteps       = 64 // at most, along the path to the whole nonlinearity
)

var errNoFixedPoint = errors.New("no fixed point")

// solution is u = fixed + (what the channels make of u), on the mesh of the outputs.
type solution struct {
	u        []float64
	steps    int
	residual float64 // largest of the equation, relative to the largest of u
	radius   float64 // spectral radius of the map there; NaN where it was not asked for
	reached  float64 // how much of the nonlinearity has a solution: 1 is all
}

// solve is Newton's method from a start, and where that fails along a path on which the
// nonlinearity grows from nothing.
func (op *operator) solve(ctx context.Context, fixed []float64, in inputs, sample int, start []float64) (*solution, error) {
	s, err := op.newton(ctx, fixed, in, sample, start)
	if !errors.Is(err, errNoFixedPoint) {
		return s, err
	}
	part := *op
	part.scale = make([]float64, len(op.scale))
	u, reached, step := fixed, 0.0, 0.25
	for range pathSteps {
		t := min(reached+step, 1)
		for k := range part.scale {
			part.scale[k] = t * op.scale[k]
		}
		s, err = part.newton(ctx, fixed, in, sample, u)
		switch {
		case errors.Is(err, errNoFixedPoint):
			step /= 2
		case err != nil:
			return nil, err
		default:
			u, reached, step = s.u, t, 1.5*step
		}
		if reached == 1 {
			s.reached = 1
			return s, nil
		}
		if step < 1e-3 {
			break
		}
	}
	return &solution{u: u, reached: reached}, errNoFixedPoint
}

func (op *operator) residual(fixed []float64, in inputs, sample int, u []float64) []float64 {
	r := append([]float64(nil), fixed...)
	op.addTo(r, in, sample, u)
	floats.Sub(r, u)
	return r
}

// newton takes steps that are halved until the equation is nearer to being true.
func (op *operator) newton(ctx context.Context, fixed []float64, in inputs, sample int, start []float64) (*solution, error) {
	u := append([]float64(nil), start...)
	r := op.residual(fixed, in, sample, u)
	size := norm(r)
	for step := range newtonSteps {
		if math.IsNaN(size) || math.IsInf(size, 0) {
			return nil, errNoFixedPoint
		}
		scale := max(largest(u), largest(fixed))
		if largest(r) <= newtonTolerance*scale {
			return &solution{u: u, steps: step, residual: largest(r) / max(scale, math.SmallestNonzeroFloat64), radius: math.NaN(), reached: 1}, nil
		}
		d, err := op.step(ctx, in, sample, u, r)
		if err != nil {
			return nil, err
		}
		better := false
		for h, t := 0, 1.0; h < halvings && !better; h, t = h+1, t/2 {
			next := append([]float64(nil), u...)
			floats.AddScaled(next, t, d)
			rest := op.residual(fixed, in, sample, next)
			if n := norm(rest); n < (1-t/4)*size {
				u, r, size, better = next, rest, n, true
			}
		}
		if !better {
			return nil, errNoFixedPoint
		}
	}
	return nil, errNoFixedPoint
}

// step solves (I - T'(u)) d = r.
func (op *operator) step(ctx context.Context, in inputs, sample int, u, r []float64) ([]float64, error) {
	if len(op.channels) == 0 {
		return r, nil
	}
	j := op.jacobian(in, sample, u)
	j.Scale(-1, j)
	for i := range u {
		j.Set(i, i, 1+j.At(i, i))
	}
	f, err := linop.LU(ctx, j.T())
	if err != nil {
		if stopped := linop.Stopped(ctx); stopped != nil {
			return nil, stopped
		}
		return nil, errNoFixedPoint
	}
	d, err := f.Solve(ctx, mat.NewDense(len(r), 1, r))
	if err != nil {
		if stopped := linop.Stopped(ctx); stopped != nil {
			return nil, stopped
		}
		return nil, errNoFixedPoint
	}
	return d.RawMatrix().Data, nil
}

// radius is the spectral radius of the derivative of the map at u, by the growth of a vector
// over many products: to a few percent.
func (op *operator) radius(in inputs, sample int, u []float64) float64 {
	if len(op.channels) == 0 {
		return 0
	}
	const burn, steps = 20, 40
	j := op.jacobian(in, sample, u).T()
	v, w := mat.NewVecDense(len(u), nil), mat.NewVecDense(len(u), nil)
	for i := range u {
		v.SetVec(i, 1+math.Sin(float64(3*i+1))) // in no symmetry
	}
	growth := 0.0
	for k := range steps {
		w.MulVec(j, v)
		n, before := mat.Norm(w, 2), mat.Norm(v, 2)
		if n == 0 {
			return 0
		}
		if k >= burn {
			growth += math.Log(n / before)
		}
		v.ScaleVec(1/n, w)
	}
	return math.Exp(growth / (steps - burn))
}

// advance makes of v, what does not depend on channels, the output of a layer after h.
func (op *operator) advance(ctx context.Context, v []float64, in inputs, sample int, h []float64, newton bool) error {
	op.addTo(v, in, sample, h)
	if !newton {
		return nil
	}
	floats.Sub(v, h)
	d, err := op.step(ctx, in, sample, h, v)
	if err != nil {
		return err
	}
	copy(v, d)
	floats.Add(v, h)
	return nil
}

// addTangent adds to v what the channels, linearised at h, make of u, the mesh of the outputs of
// op being any.
func (op *operator) addTangent(v []float64, in inputs, sample int, h, u []float64) {
	d := append([]float64(nil), u...)
	floats.Sub(d, h)
	for k, c := range op.channels {
		phi := make([]float64, c.on.Size())
		c.value.Block(phi, c.operands(in[k], sample, h))
		c.addSlope(phi, in[k], sample, h, d)
		for x, p := range phi {
			floats.AddScaled(v, op.scale[k]*p, op.green[k].RawRowView(x))
		}
	}
}
