package network

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// leftOut are the predictions of the pairs, each from all others.
func (s *shared) leftOut(ctx context.Context, d *dual) *mat.Dense {
	rest := linop.Product(ctx, d.rest, s.v.T())
	u := mat.DenseCopyOf(s.l.u)
	for i := range s.n {
		for k, r := range rest.RawRowView(i) {
			if s.root[k] > 0 {
				u.Set(i, k, u.At(i, k)-r*math.Sqrt(float64(s.n))/s.root[k])
			}
		}
	}
	return u
}

// kernels are those that a term has on its input and all have on the output, where they are not
// given: Matérn kernels whose lengthscales, fractions of the axes, predict pairs that are left
// out best from the inputs alone.
func (s *shared) kernels(ctx context.Context) (func(name string, on mesh.Mesh) kernel.Kernel, error) {
	of := func(fraction float64) func(string, mesh.Mesh) kernel.Kernel {
		return func(_ string, on mesh.Mesh) kernel.Kernel {
			return kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengths(fraction, on)}
		}
	}
	inputs, outputs := []float64{0.3, 0.1}, []float64{0.1, 0.05, 0.3}
	out := s.l.data.Outputs[0].Mesh
	value, input, output := math.Inf(1), 0.0, outputs[0]
	for k, in := range inputs {
		all, err := s.addends(ctx, s.l.data, s.l.spec.names(), of(in))
		if err != nil {
			return nil, err
		}
		if k > 0 {
			outputs = []float64{output}
		}
		if err := s.setOutput(ctx, of(outputs[0])("", out)); err != nil {
			return nil, err
		}
		x, err := s.weigh(ctx, all, 1)
		if err != nil {
			return nil, err
		}
		for _, fraction := range outputs {
			progress.Report(ctx, progress.Step{Task: "lengthscales", Done: float64(k), Total: float64(len(inputs))})
			if err := s.setOutput(ctx, of(fraction)("", out)); err != nil {
				return nil, err
			}
			if err := s.rotate(ctx, x); err != nil {
				return nil, err
			}
			d, err := s.best(ctx, x)
			if err != nil {
				return nil, err
			}
			if d.value < value {
				value, input, output = d.value, in, fraction
			}
		}
	}
	return of(input), s.setOutput(ctx, of(output)("", out))
}

// layers learns layers one after the other from predictions of pairs that were left out, until
// these get no better.
func (s *shared) layers(ctx context.Context, most int, given map[string]kernel.Kernel, output kernel.Kernel) ([]*attempt, error) {
	if err := dense.CheckMatrix("layers", 6+len(s.l.channels), s.n, s.n); err != nil {
		return nil, err
	}
	input := func(name string, _ mesh.Mesh) kernel.Kernel { return given[name] }
	var err error
	if output == nil {
		input, err = s.kernels(ctx)
	} else {
		err = s.setOutput(ctx, output)
	}
	if err != nil {
		return nil, err
	}
	var all []*attempt
	h := s.l.u
	for k := range most {
		progress.Report(ctx, progress.Step{Task: "layer", Done: float64(k), Total: float64(most)})
		var channels []string
		if k > 0 {
			channels = s.l.names()
		}
		t, err := s.l.table(channels, h)
		if err != nil {
			if k > 0 {
				break // the layers before diverge
			}
			return nil, err
		}
		terms, err := s.addends(ctx, t, slices.Concat(s.l.spec.names(), channels), input)
		if err != nil {
			return nil, err
		}
		own, err := s.layer(ctx, terms)
		if err != nil {
			return nil, err
		}
		a := &attempt{names: channels, out: s.leftOut(ctx, own.d)}
		a.leftOut = s.l.error(a.out)
		if k > 0 && !(a.leftOut < worthWhile*all[k-1].leftOut) {
			break
		}
		if a.e, a.green, err = s.estimate(ctx, t, own); err != nil {
			return nil, err
		}
		h, all = a.out, append(all, a)
	}
	return all, linop.Stopped(ctx)
}
