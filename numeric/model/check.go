package model

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// check refuses what does not fit together, by name.
func (s *Spec) check() error {
	if s.Data == nil {
		return fmt.Errorf("data: missing")
	}
	if s.Data.N() == 1 {
		return fmt.Errorf("data: 1 sample: the terms of a model cannot be told apart by it; want at least 2")
	}
	terms := s.termNames()
	if len(terms) == 0 {
		return fmt.Errorf("terms: must name at least one input or group")
	}
	for i, name := range terms {
		if slices.Contains(terms[:i], name) {
			return fmt.Errorf("terms: %s is there twice", name)
		}
	}
	if err := s.checkNames(terms); err != nil {
		return err
	}
	if err := s.checkScale(); err != nil {
		return err
	}
	if err := s.checkNoise(); err != nil {
		return err
	}
	if len(s.Prior) > 0 && (len(s.Data.Fields) != 1 || !slices.Equal(terms, []string{s.Data.Fields[0].Name}) || len(s.Data.Parameters) > 0) {
		return fmt.Errorf("prior: is for models whose only term is one field, without parameters; the terms are %s", strings.Join(terms, ", "))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Metrics)) {
		if p := s.Metrics[name]; !(p >= 0 && p <= term.MostSmoothing) {
			return fmt.Errorf("metric.%s %g: must be from 0 to %g", name, p, float64(term.MostSmoothing))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Amplitudes)) {
		if a := s.Amplitudes[name]; !(a > 0) {
			return fmt.Errorf("amplitude.%s %g: must be > 0", name, a)
		}
	}
	return s.checkCoregional()
}

// mostSize of the data: squares of products of two such numbers are still numbers.
const mostSize = 1e100

// checkScale refuses data so large or small that their squares are no numbers.
func (s *Spec) checkScale() error {
	check := func(name string, values []float64) error {
		size := 0.0
		for _, v := range values {
			if !math.IsNaN(v) {
				size = max(size, math.Abs(v))
			}
		}
		if size > mostSize || size > 0 && size < 1/mostSize {
			return fmt.Errorf("data: the largest value of %s is %.3g, beyond %.0e … %.0e, where squares are still numbers; divide %s by %.0e, a unit of its own", name, size, 1/mostSize, mostSize, name, math.Pow(10, math.Floor(math.Log10(size))))
		}
		return nil
	}
	for _, f := range append(slices.Clone(s.Data.Fields), s.Data.Outputs...) {
		if err := check(f.Name, f.Values.Data); err != nil {
			return err
		}
	}
	for _, z := range s.Data.Scalars {
		if err := check(z.Name, z.Values); err != nil {
			return err
		}
	}
	return nil
}

// checkNames refuses arguments for terms, parameters and outputs that there are not.
func (s *Spec) checkNames(terms []string) error {
	sized := terms
	if s.noise() != nil {
		sized = append(slices.Clone(terms), term.NoiseName)
	}
	known := slices.Clone(terms)
	for _, p := range s.Data.Parameters {
		known = append(known, p.Name)
	}
	for _, list := range []struct {
		argument string
		names    []string
		known    []string
	}{
		{"kernel", slices.Collect(maps.Keys(s.Kernels)), known},
		{"constraint", slices.Collect(maps.Keys(s.Constraints)), terms},
		{"amplitude", slices.Collect(maps.Keys(s.Amplitudes)), sized},
		{"metric", slices.Collect(maps.Keys(s.Metrics)), terms},
		{"prior", slices.Collect(maps.Keys(s.Prior)), outputNames(s.Data)},
	} {
		slices.Sort(list.names)
		for _, name := range list.names {
			if !slices.Contains(list.known, name) {
				return term.Unknown(list.argument, name, list.known)
			}
		}
	}
	return nil
}

func outputNames(t *dataset.Table) []string {
	var names []string
	for _, o := range t.Outputs {
		names = append(names, o.Name)
	}
	return names
}

// checkCoregional refuses outputs that cannot be coupled.
func (s *Spec) checkCoregional() error {
	if !s.Coregional {
		return nil
	}
	outs := s.Data.Outputs
	if len(outs) < 2 {
		return fmt.Errorf("outputs: coupling needs at least two outputs; there is %s", outs[0].Name)
	}
	for _, o := range outs[1:] {
		if !o.Mesh.Equal(outs[0].Mesh) {
			return fmt.Errorf("outputs: those that are coupled must have one mesh; %s and %s have different ones", outs[0].Name, o.Name)
		}
	}
	if len(s.Amplitudes) > 0 {
		return fmt.Errorf("amplitude: the covariances of coupled outputs are chosen; leave it out")
	}
	return nil
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
