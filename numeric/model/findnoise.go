package model

import (
	"context"
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// found is a fit of a block with some noise.
type found struct {
	spec    *Spec
	given   []*dataset.Field // the outputs, with their errors
	b       *block
	all     []*Output
	numbers float64 // that the noise asked of the data
	varies  bool
	curves  string // what the curves are, where they are part of the errors; else they are a term
}

// value is minus the logarithm of the likelihood, and what the numbers cost; NaN where it is not known.
func (f *found) value() float64 {
	r := f.all[0].Report.REML
	if r == nil {
		return math.NaN()
	}
	return *r + noise.Price(f.numbers)
}

// fitNoise fits a block with the noise of the spec, or the likeliest, and reports it.
func (s *Spec) fitNoise(ctx context.Context, outs []*dataset.Field) (*found, error) {
	if s.Noise.Huber {
		return s.robust(ctx, outs)
	}
	return s.find(ctx, outs)
}

func (s *Spec) find(ctx context.Context, outs []*dataset.Field) (*found, error) {
	kind := s.Noise.Kind
	if kind == noise.Curves {
		f, err := s.with(ctx, outs, s.Noise.Kernel)
		return f.said(math.NaN()), err
	}
	within, end := ctx, func() {}
	if kind != "" && kind != noise.White {
		within, end = progress.During(ctx, "fit with white noise")
	}
	white, err := s.with(within, outs, nil)
	end()
	if err != nil || kind == "" || kind == noise.White {
		return white, err
	}
	best := white
	if kind == noise.Diagonal {
		if best, err = white.vary(ctx); err != nil {
			return nil, err
		}
	} else if best, err = white.likeliest(ctx); err != nil {
		return nil, err
	}
	return best.said(white.value() - best.value() + noise.Price(best.numbers)), nil
}

// with is the fit with random curves of a kernel; nil: without.
func (s *Spec) with(ctx context.Context, outs []*dataset.Field, k kernel.Kernel) (*found, error) {
	f := &found{spec: s.withNoise(k), given: outs}
	if k != nil {
		f.numbers = noise.CurvesNumbers
		own, end := progress.During(ctx, "random curves")
		defer end()
		ctx = own
	}
	var err error
	f.b, f.all, err = f.spec.fitBlock(ctx, outs)
	return f, err
}

// likeliest is that of white noise, noise whose standard deviations vary, random curves, and both.
func (white *found) likeliest(ctx context.Context) (best *found, err error) {
	if math.IsNaN(white.value()) {
		return nil, noLikelihood(white.given)
	}
	varies, err := white.vary(ctx)
	if err != nil {
		return nil, err
	}
	best = white
	if varies.value() < best.value() {
		best = varies
	}
	var curves *found
	for _, k := range []kernel.Kernel{kernel.Exponential{Lengthscale: kernel.Auto}, kernel.Matern{Nu: 1.5, Lengthscale: kernel.Auto}} {
		own, err := white.spec.with(ctx, white.given, k)
		if err != nil {
			return nil, err
		}
		if curves == nil || own.value() < curves.value() {
			curves = own
		}
	}
	if curves.value() < best.value() {
		best = curves
	}
	if best == white || curves.value() > white.value() {
		return best, nil
	}
	if !varies.varies {
		return best.orLoudCurves(ctx, white.given, curves)
	}
	both, err := white.spec.with(ctx, varies.given, curves.spec.noise())
	if err != nil {
		return nil, err
	}
	both.numbers, both.varies = both.numbers+varies.numbers, true
	if both.value() < best.value() {
		best = both
	}
	return best.orLoudCurves(ctx, white.given, curves)
}

// varyRounds is how often the sizes of the terms are chosen anew for the standard deviations found.
const varyRounds = 2

// vary finds standard deviations along the outputs and by sample; f itself where there is nothing to be found.
func (f *found) vary(ctx context.Context) (best *found, err error) {
	ctx, end := progress.During(ctx, "standard deviations")
	defer end()
	best = f
	for range varyRounds {
		own, _ := best.all[0].fit.Learned()
		given := *own.Data // found anew, beside those given
		if given.Errors, err = outputs.Stacked(f.given); err != nil {
			return nil, err
		}
		own.Data, own.Lambda, own.Rho = &given, f.spec.Lambda, f.spec.Rho
		e, numbers, err := noise.Vary(ctx, own, len(best.b.outs))
		if err != nil {
			return nil, err
		}
		if numbers == 0 {
			return best, nil
		}
		next := &found{spec: f.spec, given: outputs.Split(f.given, e), numbers: f.numbers + numbers, varies: true}
		if next.b, next.all, err = f.spec.fitBlock(ctx, next.given); err != nil {
			return nil, err
		}
		if best != f && !(next.value() < best.value()) {
			break
		}
		best = next
	}
	return best, best.unshrink(ctx)
}

// unshrink makes sigma unbiased where standard deviations were found.
func (f *found) unshrink(ctx context.Context) error {
	if err := noise.Unshrink(ctx, f.all[0].fit); err != nil {
		return err
	}
	for _, o := range f.all {
		o.setSigma()
	}
	return nil
}

// orLoudCurves is the noise f or, where it is likelier, that whose curves are as loud as they are by themselves, found as that of pairs
// is, beside the terms: first with the kernels and sizes that these have beside plain curves. Its curves are part of the errors, for a term has
// curves that are as loud at every point. Outputs that are coupled have curves that depend on each other, of a term.
func (f *found) orLoudCurves(ctx context.Context, given []*dataset.Field, plain *found) (best *found, err error) {
	if plain.b.coupling != nil {
		return f, nil
	}
	ctx, end := progress.During(ctx, "standard deviations of curves")
	defer end()
	best = f
	for from := range varyRounds {
		beside := plain
		if from > 0 {
			beside = best
		}
		own, err := beside.withoutCurves(given[0].Errors)
		if err != nil {
			return nil, err
		}
		e, numbers, words, err := noise.LoudCurves(ctx, own)
		if err != nil {
			return nil, err
		}
		if e == nil {
			break
		}
		next := &found{spec: f.spec.withNoise(nil), given: outputs.Split(given, e), numbers: numbers, varies: true, curves: words}
		if next.b, next.all, err = next.spec.fitBlock(ctx, next.given); err != nil {
			return nil, err
		}
		if !(next.value() < best.value()) {
			break
		}
		best = next
	}
	if best == f {
		return f, nil
	}
	return best, best.unshrink(ctx)
}

// withoutCurves is the fit of one output by its terms but for random curves, with the errors given; λ and ρ are open.
func (f *found) withoutCurves(given *dataset.Errors) (fit.Spec, error) {
	b := *f.b
	b.terms, b.factors = nil, nil
	for i, t := range f.b.terms {
		if t.Kind != term.Noise {
			b.terms, b.factors = append(b.terms, t), append(b.factors, f.b.factors[i])
		}
	}
	sum, err := b.sum()
	if err != nil {
		return fit.Spec{}, err
	}
	d, err := b.data(sum, f.spec.Data.Missing)
	if err != nil {
		return fit.Spec{}, err
	}
	d.Errors = given
	return f.spec.withNoise(nil).specOf(&b, d, sum), nil
}

// robust chooses kernels, sizes and the deviation of the noise from outputs whose residuals are
// cut off, and minimises Huber's loss there.
func (s *Spec) robust(ctx context.Context, outs []*dataset.Field) (*found, error) {
	one := *s
	one.Noise.Huber = false
	at := make([]*dataset.Field, len(outs)) // that f is learned from
	for k, o := range outs {
		tame, err := noise.Tamed(o.Values)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.Name, err)
		}
		begin := *o
		begin.Values, at[k] = tame, &begin
	}
	f, err := one.find(ctx, at)
	if err != nil {
		return nil, err
	}
	for round := 1; ; round++ {
		own, _ := f.all[0].fit.Learned()
		own.Lambda, own.Rho = s.Lambda, s.Rho
		whole := f.b.moved(own.Data, at, outs)
		cut, err := noise.CutOff(ctx, own, f.all[0].fit, whole, nil, round)
		switch {
		case err != nil || cut == nil && one.Lambda == s.Lambda && one.Rho == s.Rho:
			return f, err
		case cut == nil: // there is no noise beside which penalties are less
			one.Lambda, one.Rho = s.Lambda, s.Rho
			return one.find(ctx, at)
		case round == noise.HuberRounds:
			return f, f.minimiseHuber(ctx, own, whole, cut, at, outs)
		}
		at = f.b.movedTo(outs, whole, cut.Data)
		one.Lambda, one.Rho = cut.Beside(s.Lambda, s.Rho)
		if f, err = one.find(ctx, at); err != nil {
			return nil, err
		}
	}
}

// minimiseHuber replaces the fit of f by that of Huber's loss, of data d of all outputs, which are made from outs as
// those of f from at.
func (f *found) minimiseHuber(ctx context.Context, own fit.Spec, d *dataset.Dataset, cut *noise.Cut, at, outs []*dataset.Field) error {
	e, err := noise.Minimise(ctx, own, f.all[0].fit, d, cut)
	if err != nil {
		return err
	}
	sum, err := f.b.sum()
	if err != nil {
		return err
	}
	weighted, core := *d, f.given // the noise of what is not off
	weighted.Errors = e.Errors()
	f.given = nil
	for o, out := range outs {
		one := *out
		one.Errors = core[o].Errors
		f.given = append(f.given, &one)
	}
	f.given = outputs.Split(f.given, e.Errors())
	if len(outs) == 1 {
		f.b.cutOff = f.b.outs[0]
	}
	for o, was := range f.b.outs {
		one := *was // without what was known beforehand
		one.Values, one.Errors = was.Values.Copy(), f.given[o].Errors
		for i := range one.Values.Data {
			one.Values.Data[i] += outs[o].Values.Data[i] - at[o].Values.Data[i]
		}
		f.b.outs[o] = &one
	}
	if f.all, err = f.spec.outputs(ctx, f.b, e, &weighted, sum); err != nil {
		return err
	}
	for i, o := range f.all {
		o.errors, o.huber = core[i].Errors, true
		o.noise = o.unit * math.Sqrt(outputs.ShareOfErrors(core[i], d))
		o.setSigma()
	}
	return nil
}

// moved are data of all outputs that were made from some, made from others.
func (b *block) moved(d *dataset.Dataset, from, to []*dataset.Field) *dataset.Dataset {
	out := *d
	out.Output = d.Output.Copy()
	b.eachValue(func(o, at, all int) {
		out.Output.Data[all] += (to[o].Values.Data[at] - from[o].Values.Data[at]) / b.unit(o)
	})
	return &out
}

// movedTo are outputs with what data of all of them differ by.
func (b *block) movedTo(outs []*dataset.Field, from, to *dataset.Dataset) (moved []*dataset.Field) {
	for _, out := range outs {
		one := *out
		one.Values = out.Values.Copy()
		moved = append(moved, &one)
	}
	b.eachValue(func(o, at, all int) {
		if d := to.Output.Data[all] - from.Output.Data[all]; !math.IsNaN(d) {
			moved[o].Values.Data[at] += d * b.unit(o)
		}
	})
	return moved
}

// unit is that of an output in the data of all.
func (b *block) unit(o int) float64 {
	if b.coupling == nil {
		return 1
	}
	return b.coupling.Units[o]
}

// eachValue calls f for every value of an output, with its place in that and in all of them.
func (b *block) eachValue(f func(o, at, all int)) {
	each := b.mesh().Size()
	for o, out := range b.outs {
		for at := range out.Values.Data {
			f(o, at, (at/each*len(b.outs)+o)*each+at%each)
		}
	}
}

// said puts what the noise is into the reports, and by how many nats it is likelier than white noise.
func (f *found) said(better float64) *found {
	if f == nil {
		return nil
	}
	for _, o := range f.all {
		o.Report.Reason = f.sentence(o, better) + "; " + o.Report.Reason
	}
	return f
}

func (f *found) sentence(o *Output, better float64) string {
	n := o.Term(term.NoiseName)
	if n == nil && !f.varies {
		return "the noise is white"
	}
	text := "the noise"
	if f.varies {
		text += noise.Variation(o.errors)
	}
	if n != nil {
		if f.varies {
			text += " and"
		}
		text += fmt.Sprintf(" is correlated, a random curve of %s for each pair, of standard deviation %.3g beside the white noise", n.term.Kernel.(kernel.Tensor).Output, n.Deviation)
	}
	if f.curves != "" {
		text += " and" + f.curves
	}
	if !math.IsNaN(better) {
		text += fmt.Sprintf(", %.0f nats likelier than white noise alone", better)
	}
	return text
}
