package network

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

const (
	// enoughNats is what a term must gain in likelihood: its size and lengthscales are chosen.
	enoughNats = 10.0
	// enoughNoise is the factor by which a term must reduce what is left of data without noise,
	// where any term explains some of the error of the integrals.
	enoughNoise = 1.1
	// addsNothing is the part of the spread of the outputs below which a term adds nothing to them: what the likelihood gained
	// with it is of the search for the others.
	addsNothing = 1e-9
)

var errNoLikelihood = errors.New("choose: the restricted likelihood was not computed; leave lambda to be chosen, or choose out")

// choose adds the term that gains most as long as one gains enough, and then leaves out those
// that the others have made needless. All fits have the kernels of the one of all terms.
func (l *learner) choose(ctx context.Context, like *choices) (names []string, tried []Candidate, err error) {
	try := func(names []string) (Candidate, error) {
		c := Candidate{Terms: names}
		progress.Report(ctx, progress.Step{Task: "terms", Done: float64(len(tried)), Label: "tried", Value: float64(len(names))})
		t, err := l.table(names, l.u)
		if err != nil {
			return c, err
		}
		e, err := l.fit(ctx, t, names, like.shapes())
		if err != nil {
			return c, err
		}
		r := e.Outputs[0].Report
		if r.REML == nil {
			return c, errNoLikelihood
		}
		c.REML, c.Sigma = *r.REML, r.Sigma
		for _, term := range e.Outputs[0].Terms {
			c.idle = c.idle || slices.Contains(names, term.Name) && term.Deviation < addsNothing*l.spread()
		}
		tried = append(tried, c)
		return c, nil
	}
	now, err := try(nil)
	for err == nil && len(now.Terms) < len(l.channels) {
		best := now
		for _, c := range l.channels {
			if slices.Contains(now.Terms, c.Name) {
				continue
			}
			var next Candidate
			if next, err = try(append(slices.Clone(now.Terms), c.Name)); err != nil {
				return nil, nil, err
			}
			if next.REML < best.REML && !next.idle {
				best = next
			}
		}
		if !l.worth(now, best) {
			break
		}
		now = best
	}
	if err == nil && len(now.Terms) > 1 {
		now, err = l.without(now, try)
	}
	return now.Terms, tried, err
}

// without leaves out terms that are not worth it beside the others.
func (l *learner) without(now Candidate, try func([]string) (Candidate, error)) (Candidate, error) {
	for i := 0; i < len(now.Terms)-1; i++ { // the last one was worth it
		less, err := try(slices.Delete(slices.Clone(now.Terms), i, i+1))
		if err != nil {
			return now, err
		}
		if !l.worth(less, now) {
			now, i = less, -1
		}
	}
	return now, nil
}

// worth tells whether more terms are worth it.
func (l *learner) worth(less, more Candidate) bool {
	enough := enoughNats
	if less.Sigma < littleNoise*l.spread() {
		enough = max(enough, math.Log(enoughNoise)*float64(len(l.u.RawMatrix().Data)))
	}
	return !more.idle && more.REML < less.REML-enough
}
