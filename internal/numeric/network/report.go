package network

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greenbench/workbench/numeric/fit"
)

// Report says what was learned and how far it can be trusted.
type Report struct {
	Implicit bool
	Terms    []TermReport // in the order given
	Tried    []Candidate  // sets of terms, where they were chosen
	Layers   []LayerReport
	LeftOut  float64 // error of predicting fifths of the pairs from the others: root of the sum of squares, relative to the outputs
	Linear   float64 // the same without terms
	Failed   int     // pairs that then had no fixed point
	Rounds   int     // in which terms were of predictions and not of noisy outputs
	Radius   float64 // of an implicit network: largest spectral radius of the map at predictions of the data
	Noise    float64 // standard deviation of the noise, relative to the spread of the outputs
	Seconds  float64
	Advice   string // what is suspicious, one line each
}

// TermReport is a term of a network.
type TermReport struct {
	Name      string
	Text      string  // its formula
	Chosen    bool    // it is part of the network
	Deviation float64 // standard deviation of what it adds to the output; of layers in the last
	// Coefficient is the mean of the Coefficient, and Band its 95 % band, from pairs left out; NaN where
	// there is no G on the same meshes.
	Coefficient, Band float64
}

// LayerReport is the fit of a layer: the only one of an implicit network.
type LayerReport struct {
	LeftOut float64 // error of predicting fifths of the pairs from the others
	Newton  bool    `json:",omitempty"` // it is a step of Newton's method
	fit.Report
}

func (r *Report) note(format string, args ...any) {
	if r.Advice != "" {
		r.Advice += "\n"
	}
	r.Advice += fmt.Sprintf(format, args...)
}

const (
	noGain     = 0.8  // error, in that of a linear fit, that is no gain
	fewPairs   = 10   // for each term
	nearlyOne  = 0.95 // spectral radius near which solutions cease to be unique
	mostListed = 4
)

// advise says what is suspicious.
func (r *Report) advise(l *learner) {
	var still, vague []string
	for _, t := range r.Terms {
		i := slices.IndexFunc(l.channels, func(c *channel) bool { return c.Name == t.Name })
		if len(l.channels[i].output) == 0 {
			still = append(still, t.Name)
		}
		if t.Chosen && math.Abs(t.Coefficient) < t.Band {
			vague = append(vague, t.Name)
		}
	}
	if len(still) > 0 {
		r.note("%s: without u; what a term without u does is done at once and not solved for", listed(still))
	}
	if len(vague) > 0 {
		r.note("%s: the band of the coefficient has zero in it: these pairs do not tell it from zero, or not from the other terms", listed(vague))
	}
	n, terms := l.data.N(), 0
	for _, t := range r.Terms {
		if t.Chosen {
			terms++
		}
	}
	if terms > 0 && n < fewPairs*(terms+1) {
		r.note("%d pairs are few: coefficients are uncertain, and terms hard to tell apart; want %d or more for each term and the linear one, %d", n, fewPairs, fewPairs*(terms+1))
	}
	if r.LeftOut > noGain*r.Linear {
		r.note("left-out pairs are predicted with an error of %.3g, and %.3g without the terms: these pairs show no gain from them", r.LeftOut, r.Linear)
	}
	if r.Noise > littleNoise && terms > 0 {
		r.note("the outputs have noise of %.2g of their spread: maps of them are noisy as well, which makes coefficients too small (attenuation); bands, which are from pairs left out, do not have all of it", r.Noise)
	}
	if r.Implicit && r.Radius > nearlyOne {
		r.note("the spectral radius is %.3g: near 1 and above it the solution may not be the only one", r.Radius)
	}
	if r.Failed > 0 {
		r.note("%d of %d pairs had no fixed point when they were left out: inputs as large as theirs may be refused", r.Failed, n)
	}
}

func listed(names []string) string {
	if len(names) > mostListed {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostListed], ", "), len(names)-mostListed)
	}
	return strings.Join(names, ", ")
}

// Candidate is a set of terms that was tried.
type Candidate struct {
	Terms []string
	REML  float64 // restricted likelihood, in nats; lower is better
	Sigma float64 // noise that is left, a standard deviation

	idle bool // one of the terms adds nothing
}
