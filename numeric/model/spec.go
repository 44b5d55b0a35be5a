package model

import (
	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// Spec is everything a model depends on. Data is required; the zero value of every other
// field stands for a good choice.
type Spec struct {
	Data  *dataset.Table
	Terms []string // names of inputs and groups, products of a covariate and a field, "age*f", or a group, "age*who", and operators, "operator(f)"; nil: every input and group by itself

	// Kernels by term: of a field on (x, y), of a covariate or group on y, of a parameter
	// on itself. Without one: Matérn 5/2, of a field perhaps 3/2, with a lengthscale, both
	// chosen by REML.
	Kernels     map[string]kernel.Kernel
	Constraints map[string]constraint.Constraint // by term that is a field
	Metrics     map[string]float64               // powers of the norms of operators, by term; without one: chosen by REML; see Operator
	Amplitudes  map[string]float64               // factors of the kernels, by term; without one: chosen by REML
	Prior       map[string]fit.Known             // by output: G and β that were known beforehand, for models of one field; see fit.Spec

	// Coregional learns all outputs at once: each term has one kernel times a covariance
	// between the outputs, chosen by restricted likelihood, as is the noise of each. The
	// outputs have one mesh; where one of them was seldom observed, the others help.
	Coregional bool

	// Noise is what is assumed of the errors of the outputs, beside those that the outputs have in
	// Data: found for each output by itself, by restricted likelihood; see package noise. Random
	// curves of samples are a term of the model.
	Noise noise.Choice

	Bias      kernel.Kernel // of β, on y; nil: the mean of the kernels of the terms on y
	NoBias    bool
	Intercept fit.Intercept

	Lambda, Rho   float64
	Criterion     fit.Criterion
	Tolerance     float64
	MaxIterations int
	Dense         bool // the direct reference method: for small problems with a number for Lambda, and for tests

	order   []int  // in which coupled outputs are fitted; nil: that of the data
	without string // a term that is left out, while the others stay as they are beside it; "": none
}

// termNames are those asked for, or all.
func (s *Spec) termNames() []string {
	if s.Terms != nil {
		return s.Terms
	}
	return term.AllNames(s.Data)
}

// given is what it says of its terms.
func (s *Spec) given() *term.Given {
	return &term.Given{
		Data: s.Data, Names: s.termNames(), Without: s.without, Kernels: s.Kernels, Constraints: s.Constraints, Metrics: s.Metrics,
		NoBias: s.NoBias, Noise: s.noise(),
	}
}

// biasOr is the kernel of β, or k where none is given.
func (s *Spec) biasOr(k kernel.Kernel) kernel.Kernel {
	if s.Bias != nil {
		return s.Bias
	}
	return k
}

// flat tells whether β has a constant that is not penalised, as fit.Spec decides it: of coupled outputs, which are fitted
// without their constants, and of the sizes of terms, too.
func (s *Spec) flat() bool {
	open := s.Intercept == "" && s.Lambda == 0 && s.Rho == 0 && !s.Dense
	return !s.NoBias && (open || s.Intercept == fit.Flat)
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
