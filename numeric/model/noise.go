package model

import (
	"errors"
	"fmt"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/noise"
)

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
	if len(e.Outputs) != 1 || len(e.Outputs[0].predicted()) != 1 || e.Outputs[0].Terms[0].term.Field == nil {
		return nil, errors.New("the model has several terms or outputs, and is no estimate of one operator")
	}
	g, err := e.Outputs[0].Terms[0].Green()
	if err != nil {
		return nil, err
	}
	return g.WithBias(e.Outputs[0].Report.Report).WithNoise(e.Outputs[0].newCurve), nil
}
