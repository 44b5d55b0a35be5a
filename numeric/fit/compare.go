package fit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/sorting"
	"github.com/greenbench/workbench/numeric/dataset"
)

// Model is a fit among others of the same data: a hypothesis about G.
type Model struct {
	Name string
	Spec Spec // without data

	Errors *dataset.Errors // of the data, where they are not white; nil: they are
}

// Compared is what is known of a model. Differences are to the first model of a
// Comparison: positive is worse.
type Compared struct {
	Name           string   `arg:"name" doc:"of the model"`
	REML           *float64 `arg:"reml" doc:"restricted likelihood criterion, in nats: less is better; nil where it was not computed"`
	REMLError      *float64 `arg:"reml_error" doc:"its standard error where it is estimated; nil where it is exact"`
	REMLDifference *float64 `arg:"reml_difference" doc:"reml less that of the first model; nil where one is unknown, or where only one of them has an intercept that is not penalised, for these are likelihoods of other numbers"`
	Error          float64  `arg:"error" doc:"square root of the mean squared error of pairs that were left out, over that of their mean curve: 1 is no better than no dependence on the input"`
	Squared        float64  `arg:"squared" doc:"squared error of pairs that were left out, integrated over the outputs, mean of the pairs"`
	Difference     float64  `arg:"difference" doc:"squared less that of the first model"`
	DifferenceSE   float64  `arg:"difference_se" doc:"standard error of the difference, from its spread over the pairs"`
	Call           string   `arg:"call" doc:"the call that makes this fit from all pairs, for data that are called d"`
}

// Comparison is models of the same data, the best first: that of the least REML, or of the
// least error of pairs that were left out where REML is not known of all.
type Comparison struct {
	Models   []Compared
	pairs    int
	byErrors bool // the order is that of the errors
}

// Candidate is a model to be ranked: its name, its likelihood and its call, and how it
// predicts pairs that are left out.
type Candidate struct {
	Compared
	Flat   bool      // has an intercept that is not penalised
	Errors []float64 // squared error of each pair, integrated over the output
}

// Compare fits models to all pairs, and to four fifths of them five times, to predict the
// others. A kernel that is left open is chosen from all pairs, λ and ρ each time. Cost: six
// fits for each model.
func Compare(ctx context.Context, d *dataset.Dataset, models []Model) (*Comparison, error) {
	switch {
	case d == nil:
		return nil, fmt.Errorf("data: missing")
	case len(models) < 2:
		return nil, fmt.Errorf("models: got %d, need at least 2 to compare", len(models))
	case d.N() < 4:
		return nil, fmt.Errorf("data: has %d pairs; comparing leaves some of them out, and needs at least 4", d.N())
	}
	var all []Candidate
	for i, m := range models {
		progress.Report(ctx, progress.Step{Task: "model", Done: float64(i), Total: float64(len(models))})
		f, err := m.fitted(ctx, d)
		if err != nil {
			return nil, fmt.Errorf("models.%s: %w", m.Name, err)
		}
		all = append(all, f)
	}
	return Rank(all, outputs.Spread2(d)), nil
}

func (m Model) fitted(ctx context.Context, d *dataset.Dataset) (Candidate, error) {
	s := m.Spec
	own := *d
	own.Errors = m.Errors
	s.Data = &own
	e, err := Fit(ctx, s)
	if err != nil {
		return Candidate{}, err
	}
	report, err := e.Report.Measured(ctx)
	if err != nil {
		return Candidate{}, err
	}
	chosen := e.learned.spec
	out := Candidate{Flat: chosen.flat(), Errors: make([]float64, d.N())}
	out.Name, out.REML, out.REMLError, out.Call = m.Name, report.REML, report.REMLError, chosen.call(e.Report)
	chosen.Lambda, chosen.Rho = m.Spec.Lambda, m.Spec.Rho
	in, left := criteria.Folds(d.N())
	for k := range in {
		if chosen.Data, err = s.Data.Select(in[k]); err != nil {
			return out, err
		}
		e, err := Fit(ctx, chosen)
		if err != nil {
			return out, err
		}
		for _, i := range left[k] {
			one, err := d.Select([]int{i})
			if err != nil {
				return out, err
			}
			one.Errors = nil // models are compared by what all of them predict
			if out.Errors[i], err = heldOut(ctx, e, one); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// Rank orders models by restricted likelihood, or where that does not compare them all by the errors of left-out pairs, and compares
// them with the first; spread is what their squared errors
// are relative to.
func Rank(all []Candidate, spread float64) *Comparison {
	byREML := !slices.ContainsFunc(all, func(f Candidate) bool { return f.REML == nil || f.Flat != all[0].Flat })
	for i := range all {
		all[i].Squared = stat.Mean(all[i].Errors, nil)
	}
	sorting.By(all, func(a, b Candidate) int {
		x, y := a.Squared, b.Squared
		if byREML {
			x, y = *a.REML, *b.REML
		}
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	out := &Comparison{pairs: len(all[0].Errors), byErrors: !byREML}
	first := all[0]
	for i, f := range all {
		c := f.Compared
		c.Error = math.Sqrt(c.Squared / spread)
		if f.REML != nil && first.REML != nil && f.Flat == first.Flat {
			v := *f.REML - *first.REML
			c.REMLDifference = &v
		}
		if i > 0 {
			apart := make([]float64, len(f.Errors))
			for k := range apart {
				apart[k] = f.Errors[k] - first.Errors[k]
			}
			c.Difference = stat.Mean(apart, nil)
			c.DifferenceSE = stat.StdDev(apart, nil) / math.Sqrt(float64(len(apart)))
		}
		out.Models = append(out.Models, c)
	}
	return out
}

// String is the models as a table.
func (c *Comparison) String() string {
	wide := len("model")
	for _, m := range c.Models {
		wide = max(wide, len(m.Name))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s  %14s  %10s  %s\n", wide, "model", "reml", "left out", "squared error less that of the first")
	apart := ""
	for i, m := range c.Models {
		reml := "unknown"
		switch {
		case m.REML != nil && m.REMLDifference == nil && c.Models[0].REML != nil:
			reml, apart = "not comparable", "; not comparable: only one of the two has an intercept that is not penalised"
		case m.REMLDifference != nil && i > 0:
			reml = fmt.Sprintf("%+.2f", *m.REMLDifference)
		case m.REML != nil:
			reml = fmt.Sprintf("%.2f", *m.REML)
		}
		fmt.Fprintf(&b, "%-*s  %14s  %10.4g", wide, m.Name, reml, m.Error)
		if i > 0 {
			fmt.Fprintf(&b, "  %+.3g ± %.2g", m.Difference, m.DifferenceSE)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "reml in nats, less is better; left out: relative error of %d pairs, a fifth of them at a time%s", c.pairs, apart)
	if c.byErrors {
		b.WriteString("; in the order of left out, as reml does not compare them all")
	}
	return b.String()
}
