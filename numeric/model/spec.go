package model

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model/internal/term"
	"github.com/greenbench/workbench/numeric/noise"
)

// Spec is everything a model depends on. Data is required; the zero value of every other
// field stands for a good choice.
type Spec struct {
	Data  *dataset.Table
	Terms []string // names of inputs and groups, products of a covariate and a field, "age*f", and operators, "operator(f)"; nil: every input and group by itself

	// Kernels by term: of a field on (x, y), of a covariate or group on y, of a parameter
	// on itself. Without one: Matérn 5/2, of a field perhaps 3/2, with a lengthscale, both
	// chosen by REML.
	Kernels     map[string]kernel.Kernel
	Constraints map[string]constraint.Constraint // by term that is a field
	Metrics     map[string]float64               // powers of the norms of operators, by term; without one: chosen by REML; see Operator
	Amplitudes  map[string]float64               // factors of the kernels, by term; without one: chosen by REML
	Prior       map[string]Prior                 // by output: G and β that were known beforehand, for models of one field; see fit.Spec

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

	without string // a term that is left out, while the others stay as they are beside it; "": none
}

// Prior is a G and β that were known beforehand.
type Prior = fit.Known

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
	for _, name := range slices.Sorted(maps.Keys(s.Constraints)) {
		if _, _, ok := term.Product(name); !ok && term.FieldOf(s.Data, name) == nil {
			return fmt.Errorf("constraint.%s: want the term of a function; that of %s has no Green's function", name, name)
		}
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
