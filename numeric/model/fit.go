package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Fit learns every output by itself: each has its own sizes of terms, λ and ρ.
func Fit(ctx context.Context, s Spec) (*Estimate, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	e := &Estimate{Data: s.Data, spec: s}
	for i := range s.Data.Outputs {
		o, err := s.fitOutput(ctx, &s.Data.Outputs[i])
		if err != nil {
			if len(s.Data.Outputs) > 1 {
				err = fmt.Errorf("output %s: %w", s.Data.Outputs[i].Name, err)
			}
			return nil, err
		}
		e.Outputs = append(e.Outputs, o)
	}
	return e, nil
}

func (s *Spec) fitOutput(ctx context.Context, out *dataset.Field) (*Output, error) {
	start := time.Now()
	terms, err := s.terms(out.Mesh)
	if err != nil {
		return nil, err
	}
	factors, err := s.factors(ctx, terms, out)
	if err != nil {
		return nil, err
	}
	o, err := s.solve(ctx, out, terms, factors)
	if err != nil {
		return nil, err
	}
	o.Report.Seconds = time.Since(start).Seconds()
	return o, nil
}

// solve is the fit of terms whose kernels and factors are chosen.
func (s *Spec) solve(ctx context.Context, out *dataset.Field, terms []*term, factors []float64) (*Output, error) {
	o := &Output{Name: out.Name, Mesh: out.Mesh}
	sum := directSum(terms, factors, out.Mesh)
	d, err := data(terms, sum, out, s.Data.Missing)
	if err != nil {
		return nil, err
	}
	if known := s.Prior[out.Name]; known != nil {
		if d, o.prior, err = fit.WithoutPrior(ctx, d, s.Data.Fields[0].Mesh, known); err != nil {
			return nil, err
		}
		o.known = known
	}
	if o.fit, err = fit.Fit(ctx, s.specOf(d, sum, terms)); err != nil {
		return nil, err
	}
	o.Report = Report{Report: o.fit.Report}
	o.Report.Call = "" // that of the sum, whose kernels a user gives by term
	s.widen(o, out, terms, factors, d, sum)
	return o, o.setTerms(ctx, terms, sum, factors)
}

// specOf is the fit that the model is. The kernel of β does not depend on the sizes of the
// terms, for its own is chosen.
func (s *Spec) specOf(d *dataset.Dataset, sum kernel.DirectSum, terms []*term) fit.Spec {
	spec := fit.Spec{
		Data: d, Kernel: sum, Bias: s.Bias, NoBias: s.NoBias, Intercept: s.Intercept, Lambda: s.Lambda, Rho: s.Rho,
		Criterion: s.Criterion, Tolerance: s.Tolerance, MaxIterations: s.MaxIterations, Dense: s.Dense,
	}
	if spec.Bias == nil && !s.NoBias {
		spec.Bias = curve(terms, sum.Output)
	}
	return spec
}

// curve is the mean of what the kernels of the terms are on the output, each of unit size.
func curve(terms []*term, out mesh.Mesh) kernel.Kernel {
	factors := make([]float64, len(terms))
	for i := range terms {
		factors[i] = 1
		alone := directSum(terms[i:i+1], factors[i:i+1], out)
		if size, err := alone.Trace(0); err == nil && size > 0 {
			factors[i] = 1 / size
		}
	}
	largest := floats.Max(factors)
	floats.Scale(1/largest, factors)
	return directSum(terms, factors, out).OnOutput()
}

// directSum is the kernel of the terms with factors.
func directSum(terms []*term, factors []float64, out mesh.Mesh) kernel.DirectSum {
	k := kernel.DirectSum{Output: out}
	for i, t := range terms {
		k.Parts = append(k.Parts, kernel.Summand{Kernel: scaled(t.kernel, factors[i]), On: t.on})
	}
	return k
}

func scaled(k kernel.Kernel, factor float64) kernel.Kernel {
	if factor == 1 {
		return k
	}
	return kernel.Scaled{Factor: factor, Kernel: k}
}

// data are the columns of all terms as one input.
func data(terms []*term, sum kernel.DirectSum, out *dataset.Field, missing bool) (*dataset.Dataset, error) {
	union, err := sum.Mesh()
	if err != nil {
		return nil, err
	}
	n, _ := terms[0].columns.Dims()
	all := mat.NewDense(n, union.Size(), nil)
	at := 0
	for _, t := range terms {
		_, m := t.columns.Dims()
		all.Slice(0, n, at, at+m).(*mat.Dense).Copy(t.columns)
		at += m
	}
	return dataset.New(dataset.Spec{Input: array.FromMatrix(all), Output: out.Values, InputMesh: union, OutputMesh: out.Mesh, Missing: missing})
}

var errApart = errors.New("no size of the terms can be told from the data: all of them are zero there")

// factors chooses lengthscales that are open, and the factors of the kernels. Those that
// are given keep their ratios; the largest of the others is one.
func (s *Spec) factors(ctx context.Context, terms []*term, out *dataset.Field) ([]float64, error) {
	fixed := map[int]float64{}
	open := false
	for i, t := range terms {
		if a, ok := s.Amplitudes[t.name]; ok {
			fixed[i] = a
		}
		open = open || t.auto != nil
	}
	factors := make([]float64, len(terms))
	if !open && len(terms) == 1 && len(fixed) == 0 { // λ is its size
		fixed[0] = 1
	}
	if !open && len(fixed) == len(terms) {
		for i, a := range fixed {
			factors[i] = a
		}
		return factors, nil
	}
	flat := !s.NoBias && s.Intercept != fit.NoIntercept
	r, err := newReduced(ctx, out, curve(terms, out.Mesh), flat)
	if err != nil {
		return nil, err
	}
	c, err := newChoice(ctx, s, r, terms, fixed)
	if err != nil {
		return nil, err
	}
	best, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	most := math.Inf(-1)
	for i := range terms {
		factors[i] = criteria.Clamp(best[i]) - math.Log(c.scale[i])
		if c.scale[i] > 0 {
			most = max(most, factors[i])
		}
	}
	if math.IsInf(most, -1) {
		return nil, errApart
	}
	if len(fixed) > 0 { // those keep their numbers
		for i, a := range fixed {
			most = factors[i] - math.Log(a)
		}
	}
	for i := range factors {
		factors[i] = math.Exp(factors[i] - most)
		if !(c.scale[i] > 0) {
			factors[i] = 1
		}
	}
	return factors, nil
}
