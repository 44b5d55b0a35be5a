package model

import (
	"encoding/json"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
)

// savedSpec is what a file has of a spec as it was given: bands, tests and fits of a part of the data ask what was
// given, and what was chosen. The data, what was known beforehand and the order of the outputs are parts of their own;
// kernels are those that were learned, by output.
type savedSpec struct {
	Terms         []string                   `json:"terms"`
	Bias          json.RawMessage            `json:"bias,omitempty"`
	NoBias        bool                       `json:"no_bias"`
	Intercept     fit.Intercept              `json:"intercept"`
	Lambda        float64                    `json:"lambda"` // 0: chosen
	Rho           float64                    `json:"rho"`
	Criterion     fit.Criterion              `json:"criterion"`
	Tolerance     float64                    `json:"tolerance"`
	MaxIterations int                        `json:"max_iterations"`
	Dense         bool                       `json:"dense,omitempty"`
	Amplitudes    map[string]float64         `json:"amplitudes,omitempty"` // by term, as the next two
	Metrics       map[string]float64         `json:"metrics,omitempty"`
	Constraints   map[string]json.RawMessage `json:"constraints,omitempty"`
	Noise         *savedNoise                `json:"noise,omitempty"` // nil: white
}

type savedNoise struct {
	Kind   noise.Kind      `json:"kind,omitempty"`
	Kernel json.RawMessage `json:"kernel,omitempty"` // of curves; a lengthscale may be left to be chosen
	Huber  bool            `json:"huber,omitempty"`
}

// saved is what a file has of the spec.
func (s *Spec) saved() (savedSpec, error) {
	out := savedSpec{
		Terms: s.termNames(), NoBias: s.NoBias, Intercept: s.Intercept, Lambda: s.Lambda, Rho: s.Rho, Criterion: s.Criterion,
		Tolerance: s.Tolerance, MaxIterations: s.MaxIterations, Dense: s.Dense, Amplitudes: s.Amplitudes, Metrics: s.Metrics,
	}
	var err error
	if s.Bias != nil {
		if out.Bias, err = written.MarshalKernel(s.Bias); err != nil {
			return out, err
		}
	}
	for name, c := range s.Constraints {
		if c == nil {
			continue
		}
		if out.Constraints == nil {
			out.Constraints = map[string]json.RawMessage{}
		}
		if out.Constraints[name], err = written.Marshal(c); err != nil {
			return out, fmt.Errorf("constraint.%s: %w", name, err)
		}
	}
	if s.Noise != (noise.Choice{}) {
		out.Noise = &savedNoise{Kind: s.Noise.Kind, Huber: s.Noise.Huber}
		if s.Noise.Kernel != nil {
			out.Noise.Kernel, err = written.MarshalKernel(s.Noise.Kernel)
		}
	}
	return out, err
}

// asksMore tells whether older programs would answer as if something had not been given.
func (s *savedSpec) asksMore() bool {
	return len(s.Amplitudes) > 0 || len(s.Metrics) > 0 || len(s.Constraints) > 0
}

// spec is what saved was of.
func (s *savedSpec) spec() (Spec, error) {
	out := Spec{
		Terms: s.Terms, NoBias: s.NoBias, Intercept: s.Intercept, Lambda: s.Lambda, Rho: s.Rho, Criterion: s.Criterion,
		Tolerance: s.Tolerance, MaxIterations: s.MaxIterations, Dense: s.Dense, Amplitudes: s.Amplitudes, Metrics: s.Metrics,
	}
	var err error
	if s.Bias != nil {
		if out.Bias, err = written.UnmarshalKernel(s.Bias); err != nil {
			return out, err
		}
	}
	for name, text := range s.Constraints {
		if out.Constraints == nil {
			out.Constraints = map[string]constraint.Constraint{}
		}
		if out.Constraints[name], err = written.Unmarshal(text); err != nil {
			return out, fmt.Errorf("constraint.%s: %w", name, err)
		}
	}
	if n := s.Noise; n != nil {
		out.Noise = noise.Choice{Kind: n.Kind, Huber: n.Huber}
		if n.Kernel != nil {
			out.Noise.Kernel, err = written.UnmarshalKernel(n.Kernel)
		}
	}
	return out, err
}

// checkRead is check of a spec that was read, whose outputs have the errors that were found, too: noise that was to be
// found is not refused for these.
func (s Spec) checkRead() error {
	if s.noise() == nil {
		s.Noise = noise.Choice{}
	}
	if err := s.check(); err != nil {
		return err
	}
	return s.checkOrder()
}
