package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/noise"
)

// Noise is a random curve of each sample that no other sample has: noise that is correlated
// along the output, beside the white noise of every value. Predictions are without it.
const Noise Kind = "noise"

// noiseName is that of the term. No input may have it.
const noiseName = "noise"

// ownCurves are those of samples. A sample of weight w has one of 1/w times the variance, as all of its
// noise has.
type ownCurves struct{}

func (ownCurves) makes(_ context.Context, s *Spec, name string, out mesh.Mesh) (*term, error) {
	if name != noiseName || s.noise() == nil {
		return nil, nil
	}
	n := s.Data.N()
	t := &term{kind: Noise, columns: linop.Identity(n), group: &dataset.Grouping{Name: noiseName}}
	numbers := make([]float64, n)
	for i := range n {
		numbers[i] = float64(i)
		t.group.Labels, t.group.Of = append(t.group.Labels, strconv.Itoa(i+1)), append(t.group.Of, i)
	}
	var err error
	t.on, err = labelMesh(noiseName, numbers...)
	t.setKernel(s.noise(), func(k kernel.Kernel) kernel.Kernel {
		return kernel.Tensor{Input: kernel.White{}, Output: k}
	}, out)
	return t, err
}

// columns of other samples have none of the curves of the data.
func (ownCurves) columns(context.Context, *term, *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	return nil, mesh.Mesh{}, errors.New("noise is not predicted")
}

func (ownCurves) take(t *term, k kernel.Kernel) error { return curves{}.take(t, k) }

// asLoud gives the curves of the samples the standard deviations that their errors have as a whole: the same for
// outputs that are coupled.
func (t *term) asLoud(outs []*dataset.Field) {
	if t.kind != Noise {
		return
	}
	first := outs[0].Errors
	for _, o := range outs {
		if o.Errors == nil || o.Errors.Pairs == nil || !slices.Equal(o.Errors.Pairs, first.Pairs) {
			return
		}
	}
	for i, w := range first.Pairs {
		t.columns.Set(i, i, 1/math.Sqrt(w))
	}
}

// noise is the kernel of the random curves, on the output; nil: there are none.
func (s *Spec) noise() kernel.Kernel {
	if s.Noise.Kind == noise.Curves {
		return s.Noise.Kernel
	}
	return nil
}

// withNoise is the spec with random curves of a kernel; nil: without.
func (s *Spec) withNoise(k kernel.Kernel) *Spec {
	one := *s
	one.Noise = noise.Choice{}
	if k != nil {
		one.Noise = noise.Choice{Kind: noise.Curves, Kernel: k}
	}
	return &one
}

// checkNoise refuses what goes with no other choice, and what no data can tell from others.
func (s *Spec) checkNoise() error {
	c := s.Noise
	white, chosen := c.Kind == "" || c.Kind == noise.White, c.Kind == noise.Diagonal || c.Kind == noise.Auto
	if c.Kind == noise.Curves && c.Kernel == nil {
		return errors.New("noise: a kernel is missing")
	}
	for _, o := range s.Data.Outputs {
		e := o.Errors
		if e == nil {
			continue
		}
		d := dataset.Dataset{Input: o.Values, Output: o.Values, InputMesh: o.Mesh, OutputMesh: o.Mesh}
		if _, err := d.WithErrors(e); err != nil {
			return fmt.Errorf("errors of output %s: %w", o.Name, err)
		}
		switch {
		case c.Huber && e.Covariance != nil:
			return fmt.Errorf("loss \"huber\": values of correlated noise have no loss by themselves; give output %s weights or standard deviations in place of the covariance", o.Name)
		case chosen && (e.Covariance != nil || e.Points != nil):
			return fmt.Errorf("noise: that of output %s is given already, and not to be found", o.Name)
		}
	}
	switch {
	case c.Huber && (c.Kind == noise.Curves || c.Kind == noise.Auto):
		return errors.New("loss \"huber\": goes with white noise, with noise \"diagonal\" and with weights; a value that is off by itself is no part of a curve")
	case white && !c.Huber:
		return nil
	case s.Dense && (chosen || c.Huber):
		return errors.New("method \"dense\": solves for noise that is known; leave it out where noise is to be found, and for loss \"huber\"")
	case (c.Kind == noise.Curves || c.Kind == noise.Auto) && (s.Criterion == fit.LOO || s.Criterion == fit.CV):
		return fmt.Errorf("criterion %s: says nothing of noise that no other sample has; with correlated noise take reml or gcv", s.Criterion)
	case s.Data.N() < noise.FewestPairs:
		return fmt.Errorf("noise: %d samples: noise that is not white cannot be told from the functions themselves; want at least %d", s.Data.N(), noise.FewestPairs)
	}
	return nil
}

// Alone is the estimate of the only field of a model with one output, with β: that of pairs
// whose noise is correlated.
func (e *Estimate) Alone() (*fit.Estimate, error) {
	if len(e.Outputs) != 1 || len(e.Outputs[0].predicted()) != 1 || e.Outputs[0].Terms[0].term.field == nil {
		return nil, errors.New("the model has several terms or outputs, and is no estimate of one operator")
	}
	g, err := e.Outputs[0].Terms[0].Green()
	if err != nil {
		return nil, err
	}
	return g.WithBias(e.Outputs[0].Report.Report).WithNoise(e.Outputs[0].newCurve), nil
}
