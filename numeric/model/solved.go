package model

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// Solution is the minimiser of a model that was found without Fit.
type Solution struct {
	Weights    *mat.Dense // points of all terms, one after the other × points of the output
	Bias       []float64
	Intercept  float64
	Deviations []float64 // of the terms
	Report     fit.Report
}

// Solved is the estimate that Fit gives for a Spec of one output with fields as terms, whose
// kernels, amplitudes, bias, λ and ρ are all given, from its solution.
func Solved(ctx context.Context, s Spec, x Solution) (*Estimate, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if len(s.Data.Outputs) != 1 || s.Bias == nil || len(s.Amplitudes) != len(s.termNames()) || len(x.Deviations) != len(s.Amplitudes) {
		return nil, errors.New("solved: must be of one output, with the kernel of its bias and the amplitudes of all terms")
	}
	b, err := s.newBlock(ctx, s.blocks()[0])
	if err != nil {
		return nil, err
	}
	for _, t := range b.terms {
		if len(t.Open) > 0 || t.Kind != term.Linear {
			return nil, fmt.Errorf("solved: %s: must be a field with a kernel", t.Name)
		}
		b.factors = append(b.factors, s.Amplitudes[t.Name])
	}
	b.deviations = x.Deviations
	sum, err := b.sum()
	if err != nil {
		return nil, err
	}
	d, err := b.data(sum, false)
	if err != nil {
		return nil, err
	}
	f, err := fit.Restored(ctx, s.specOf(b, d, sum), x.Weights, x.Bias, x.Intercept, x.Report)
	if err != nil {
		return nil, err
	}
	all, err := s.outputs(ctx, b, f, d, sum)
	if err != nil {
		return nil, err
	}
	return &Estimate{Data: s.Data, Outputs: all, spec: s}, nil
}
