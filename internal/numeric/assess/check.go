package assess

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Kind names what a test looks for.
type Kind string

// The tests of a check.
const (
	AlongOutput  Kind = "correlation along the output"
	AcrossPairs  Kind = "correlation from pair to pair"
	WithInputs   Kind = "dependence on the inputs"
	OutputSpread Kind = "spread along the output"
	PairSpread   Kind = "spread from pair to pair"
	Freedom      Kind = "degrees of freedom left"
	Outliers     Kind = "outliers"
	LeftValues   Kind = "left-out values in their bands"
	LeftMeans    Kind = "left-out means in their bands"
	Kernels      Kind = "kernel, and bands of G"
)

// Test is the result of one of them.
type Test struct {
	Kind    Kind
	Finding string   // what was found, in words and numbers
	P       *float64 // how often data for which the model is true look like this or worse; nil: not counted
	Passed  bool
	Skipped bool // it could not be made; Finding says why
	Cause   Kind // of a failure, whose advice is to be followed; "": Kind
}

// Advice is what to do about a test that failed, of a sentence for each kind.
func (t Test) Advice(of func(Kind) string) string { return of(cmp.Or(t.Cause, t.Kind)) }

// Check is what tests of an estimate found.
type Check struct {
	Tests []Test
	Pairs int // that residuals were computed of
	Of    int // pairs of the estimate
	Draws int

	Limits []criteria.Note // what the notes of the report except from what may be reported, whatever the tests say
}

// Passed reports whether tests were made and none of them failed.
func (c *Check) Passed() bool { return len(c.Failed()) == 0 && !c.nothing() }

// nothing reports whether no test could be made.
func (c *Check) nothing() bool {
	return !slices.ContainsFunc(c.Tests, func(t Test) bool { return !t.Skipped && !(t.Kind == Freedom && t.Passed) })
}

// Failed are the tests that failed.
func (c *Check) Failed() (failed []Kind) {
	for _, t := range c.Tests {
		if !t.Passed && !t.Skipped {
			failed = append(failed, t.Kind)
		}
	}
	return failed
}

const (
	nullDraws = 999 // that tell what the numbers of a probe should be, and how seldom they are so far off
	// failBelow is the p-value up to which a test fails. There are eight, and λ and ρ were chosen
	// for the data: of data for which the model is true, about 3 % fail one.
	failBelow = 0.002
	// byChance is the p-value from which a finding is called one of chance.
	byChance = 0.05
)

// Options of a check.
type Options struct {
	Seed      uint64
	NoKernels bool                       // other kernels are not tried, which takes a fit for each of them
	Write     func(kernel.Kernel) string // of kernels in findings; nil: as they describe themselves
}

// Run tests an estimate, or an output of a model. It refuses outputs that are the same for all pairs. With
// data for which its model is true about one check of thirty fails. Cost: 999 draws of residuals, a few
// products of the size of the data each, and a fit with each of three other kernels; for kernels that are no
// product, see fit.Residuals.
func Run(ctx context.Context, of Subject, o Options) (*Check, error) {
	r, err := of.Residuals(ctx)
	if err != nil {
		return nil, err
	}
	if alike(r.Data.Filled()) {
		return nil, errors.New("the outputs of all pairs are the same: there is nothing to check against, since nothing differs with the input; check an estimate of data whose outputs differ")
	}
	c := &Check{Pairs: r.Data.N(), Of: r.Of, Draws: nullDraws}
	parts := partsFor(of)
	report, err := parts.report().Measured(ctx)
	if err != nil {
		return nil, err
	}
	c.Limits = report.Limits
	all := newProbes(ctx, r, parts.inputs(r))
	p, err := measure(ctx, r, all, rand.New(rand.NewPCG(o.Seed, 17)))
	if err != nil {
		return nil, err
	}
	for i, b := range all {
		c.Tests = append(c.Tests, b.test(p[i]))
	}
	c.Tests = append(c.Tests, freedom(r))
	if !o.NoKernels {
		t, err := tryKernels(ctx, parts, o.Write)
		if err != nil {
			return nil, err
		}
		c.Tests = append(c.Tests, t)
	}
	return c, nil
}

// freedom tests whether the fit leaves of the values what tells their noise.
func freedom(r *fit.Residuals) Test {
	_, u := r.Data.Matrices()
	values := float64(observed(u))
	left := max(values-r.DF, 0)
	return Test{Kind: Freedom, Finding: fmt.Sprintf("%.3g of %.0f values", left, values), Passed: !criteria.NoiseOpen(left, values)}
}

// measured are the numbers of a probe beside those of draws.
type measured struct {
	values, mean, sd []float64
	z                []float64
	p                float64
}

// measure takes the numbers of all probes, of the data and of draws.
func measure(ctx context.Context, r *fit.Residuals, all []probe, rng *rand.Rand) ([]measured, error) {
	out, drawn := make([]measured, len(all)), make([][][]float64, len(all))
	for k := range nullDraws {
		progress.Report(ctx, progress.Step{Task: "check", Done: float64(k), Total: nullDraws})
		d, err := r.Draw(ctx, rng)
		if err != nil {
			return nil, err
		}
		for i, b := range all {
			drawn[i] = append(drawn[i], slices.Clone(b.of(d)))
		}
	}
	for i, b := range all {
		out[i] = beside(b.ofData(r.Observed), drawn[i], b.statistic)
	}
	return out, nil
}

// beside are numbers of the data, and how often one statistic of those of draws is as large. For p, mean and deviation are of
// draws and data alike, so that data for which the model is true are one more draw: p is exact, and no other draws are needed,
// whose few would move it with the seed by more than its standard error. For what is told they are of the draws alone, beside
// which data for which the model is wrong may be any number of deviations off.
func beside(own []float64, drawn [][]float64, statistic func(z []float64) float64) measured {
	all := measured{}
	all.learn(append(slices.Clip(drawn), own))
	least, worse := statistic(all.standardised(own)), 0
	for _, v := range drawn {
		if statistic(all.standardised(v)) >= least {
			worse++
		}
	}
	m := measured{values: own, p: float64(1+worse) / float64(1+len(drawn))}
	m.learn(drawn)
	m.z = m.standardised(own)
	return m
}

// learn takes mean and deviation of each number from draws.
func (m *measured) learn(drawn [][]float64) {
	m.mean, m.sd = nil, nil
	one := make([]float64, len(drawn))
	for j := range drawn[0] {
		for k, v := range drawn {
			one[k] = v[j]
		}
		mean, sd := stat.MeanStdDev(one, nil)
		m.mean, m.sd = append(m.mean, mean), append(m.sd, sd)
	}
}

// standardised are numbers less their means, over their deviations; 0 where they do not scatter.
func (m *measured) standardised(v []float64) []float64 {
	z := make([]float64, len(v))
	for j, x := range v {
		if m.sd[j] > 0 {
			z[j] = (x - m.mean[j]) / m.sd[j]
		}
	}
	return z
}

// test is the result for a probe; one that is not a number, of the data or of the draws, is no result.
func (b probe) test(m measured) Test {
	if !floats.HasNaN(m.values) && !floats.HasNaN(m.z) {
		return b.told(m)
	}
	return Test{Kind: b.kind, Finding: "not defined for these data: 0/0, of residuals that are all zero or missing", Skipped: true}
}

func (b probe) told(m measured) Test {
	finding, matters := b.says(m)
	t := Test{Kind: b.kind, Finding: finding, P: &m.p, Passed: m.p > failBelow || !matters}
	if !t.Passed && b.cause != nil {
		t.Cause = b.cause(m)
	}
	return t
}

// statistic is one number for all of a probe.
func (b probe) statistic(z []float64) float64 {
	if b.combine != nil {
		return b.combine(z)
	}
	return largest(z)
}

// largest is the largest size.
func largest(z []float64) float64 { return floats.Norm(z, math.Inf(1)) }

// highest is the largest number: small ones tell nothing.
func highest(z []float64) float64 { return floats.Max(z) }

// Describe is the check as a table, with what to do about a test that failed, a sentence for
// each kind; nil for none.
func (c *Check) Describe(advice func(Kind) string) string {
	var b strings.Builder
	wide := 0
	for _, t := range c.Tests {
		wide = max(wide, len(t.Kind))
	}
	fmt.Fprintf(&b, "%-*s  %-6s  %-5s  %s\n", wide, "test", "result", "p", "found")
	for _, t := range c.Tests {
		p, result := "", "pass"
		if t.P != nil {
			p = fmt.Sprintf("%.3f", *t.P)
		}
		switch {
		case t.Skipped:
			result = "-"
		case !t.Passed:
			result = "FAIL"
		}
		fmt.Fprintf(&b, "%-*s  %-6s  %-5s  %s\n", wide, t.Kind, result, p, t.Finding)
	}
	fmt.Fprintf(&b, "p: how often data for which the model is true look like this or worse, of %d draws; up to %g fails", c.Draws, failBelow)
	if c.Pairs < c.Of {
		fmt.Fprintf(&b, "\nresiduals of %d of the %d pairs, as many as there is room for", c.Pairs, c.Of)
	}
	failed := c.Failed()
	if c.nothing() {
		b.WriteString("\nNo test could be made: nothing is known of the bands and the sigma.")
		return b.String()
	}
	if len(failed) == 0 {
		b.WriteString("\nNothing in the data contradicts the model: its bands and its sigma can be reported")
		b.WriteString(c.excepted(", except", "."))
		return b.String()
	}
	b.WriteString("\nThe data contradict the model: its bands are not to be trusted as they are.")
	said := map[string]bool{} // advice that several tests share
	for _, t := range c.Tests {
		if advice == nil || t.Passed || t.Skipped {
			continue
		}
		if text := t.Advice(advice); text != "" && !said[text] {
			said[text] = true
			fmt.Fprintf(&b, "\n- %s: %s", t.Kind, text)
		}
	}
	b.WriteString(c.excepted("\nWhatever the tests say, not to be reported", ""))
	return b.String()
}

// excepted introduces what the report excepts, with why, a line each; instead is for where that is nothing.
func (c *Check) excepted(introduction, instead string) string {
	if len(c.Limits) == 0 {
		return instead
	}
	lines := []string{introduction + ":"}
	for _, l := range c.Limits {
		lines = append(lines, fmt.Sprintf("- %s: %s", l.Excepts, l.Text))
	}
	return strings.Join(lines, "\n")
}

// String is the check as a table.
func (c *Check) String() string { return c.Describe(nil) }
