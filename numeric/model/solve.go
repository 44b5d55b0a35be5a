package model

import (
	"context"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

func (s *Spec) fitBlock(ctx context.Context, outs []*dataset.Field) (*block, []*Output, error) {
	start := time.Now()
	within, end := progress.During(ctx, "terms")
	b, err := s.newBlock(within, outs)
	end()
	if err != nil {
		return nil, nil, err
	}
	all, err := s.fitSizes(ctx, b)
	for _, o := range all {
		o.Report.Seconds = time.Since(start).Seconds()
	}
	return b, all, err
}

// fitSizes chooses what is open of a block, and fits it.
func (s *Spec) fitSizes(ctx context.Context, b *block) (all []*Output, err error) {
	if err := s.chooseSizes(ctx, b); err != nil {
		return nil, err
	}
	return s.solve(ctx, b)
}

// chooseSizes chooses what is open of a block.
func (s *Spec) chooseSizes(ctx context.Context, b *block) (err error) {
	ctx, end := progress.During(ctx, "kernels and sizes of terms")
	defer end()
	if s.Coregional {
		b.coupling, err = s.question(b).Couple(ctx)
	} else {
		b.factors, err = s.question(b).Factors(ctx)
	}
	return err
}

// solve is the fit of terms whose kernels and sizes are chosen.
func (s *Spec) solve(ctx context.Context, b *block) ([]*Output, error) {
	sum, err := b.sum()
	if err != nil {
		return nil, err
	}
	d, err := b.data(sum, s.Data.Missing)
	if err != nil {
		return nil, err
	}
	e, err := fit.Fit(ctx, s.specOf(b, d, sum))
	if err != nil {
		return nil, err
	}
	if b.coupling != nil && e.Report.REML != nil {
		*e.Report.REML += b.coupling.LogUnits(b.outs)
	}
	return s.outputs(ctx, b, e, d, sum)
}

// outputs are the parts of an estimate for the outputs.
func (s *Spec) outputs(ctx context.Context, b *block, e *fit.Estimate, d *dataset.Dataset, sum kernels.DirectSum) (all []*Output, err error) {
	ctx, end := progress.During(ctx, "report")
	defer end()
	s.widen(b, e, d, sum)
	for number, out := range b.outs {
		o := &Output{Name: out.Name, Mesh: out.Mesh, Report: Report{Report: e.Report}, fit: e, number: number, unit: 1, errors: out.Errors, spec: s, cutOff: b.cutOff, outs: b.outs}
		o.Report.Call = "" // that of the sum, whose kernels a user gives by term
		if o.coupling = b.coupling; o.coupling != nil {
			o.unit, o.centre = o.coupling.Units[number], o.coupling.Centres[number]
		}
		o.noise = o.unit * math.Sqrt(outputs.ShareOfErrors(out, d))
		o.setSigma()
		if o.known = s.Prior[out.Name]; o.known != nil {
			o.prior = b.prior[number]
			o.Report.Prior = &o.prior
		}
		if err := o.setTerms(ctx, b, sum); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// setTerms cuts the weights into those of the terms.
func (o *Output) setTerms(ctx context.Context, b *block, sum kernels.DirectSum) error {
	at := 0
	_, columns := o.fit.Weights.Dims()
	for i, t := range b.terms {
		size := sum.Parts[i].On.Size()
		w := o.fit.Weights.Slice(at, at+size, 0, columns).(*mat.Dense)
		at += size
		own := &Term{Name: t.Name, Kind: string(t.Kind), Form: t.Form, term: t, number: i, out: o}
		if c := b.coupling; c != nil {
			own.weights = c.OfOutput(i, o.number, w)
			own.Kernel, own.Factor = t.Kernel, c.Terms[i][o.number*(len(c.Units)+1)]
		} else {
			own.weights, own.Kernel, own.Factor = mat.DenseCopyOf(w), sum.Parts[i].Kernel, b.factors[i]
		}
		o.Terms = append(o.Terms, own)
		if b.deviations != nil {
			own.Deviation = b.deviations[i]
			continue
		}
		u, err := own.respond(ctx, t.Columns, t.On, o.Mesh) // what was known beforehand included
		if err != nil {
			return err
		}
		own.Deviation = deviation(u)
	}
	return nil
}

// deviation is the root of the mean square of what varies from sample to sample.
func deviation(u *mat.Dense) float64 {
	n, m := u.Dims()
	sum := 0.0
	for k := range m {
		mean := 0.0
		for i := range n {
			mean += u.At(i, k) / float64(n)
		}
		for i := range n {
			sum += (u.At(i, k) - mean) * (u.At(i, k) - mean)
		}
	}
	return math.Sqrt(sum / float64(n*m))
}
