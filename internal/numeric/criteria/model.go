package criteria

import (
	"context"
	"math"
	"slices"
	"strings"
)

// Penalty says what ρ is at a λ: Rho where that is given, otherwise Ratio·λ. For models of
// one ratio Ratio is that of Rho and a λ nearby.
type Penalty struct{ Rho, Ratio float64 }

// At is ρ.
func (p Penalty) At(lambda float64) float64 {
	if p.Rho > 0 {
		return p.Rho
	}
	return p.Ratio * lambda
}

// Model is criteria that cost little at any λ: those of the problem, or near them but for a
// part that varies slowly with λ.
type Model interface {
	// Along is the criteria for a penalty.
	Along(ctx context.Context, p Penalty) (Curve, error)
	// Tied reports that curves belong to one ratio and are dear to make.
	Tied() bool
}

// Curve is the criteria of a model by λ.
type Curve interface {
	// Value is one criterion.
	Value(ctx context.Context, by Criterion, lambda float64) (float64, error)
	// Sheet is all that is known.
	Sheet(ctx context.Context, lambda float64) (Sheet, error)
	// Top is λ beyond which nothing is left of what is penalised.
	Top() float64
	// Reach is over how many decades around another choice a criterion may be followed;
	// 0: it is not known, +Inf: everywhere.
	Reach(by Criterion) float64
}

// Choice is the outcome of a search along a model.
type Choice struct {
	Lambda         float64 // the best by the criterion asked for
	REML, GCV, LOO float64 // where each criterion is least; 0: not known
	Penalty        Penalty
	Unit           float64 // of ρ/λ, if that was free
	Unsettled      bool    // λ was still changing when the search ended
	Curve          Curve
	Top, Decades   float64 // λ went from ten times Top this far down
}

// Took replaces the minimiser of a criterion.
func (c *Choice) Took(by Criterion, lambda float64) {
	c.Lambda = lambda
	switch by {
	case GCV:
		c.GCV = lambda
	case LOO:
		c.LOO = lambda
	default:
		c.REML = lambda
	}
}

const (
	disagreement = 100 // ratio of the λ's of two criteria that is worth a word
	endOfSearch  = 3.0 // factor of an end of the range of λ within which a choice counts as there
)

// Note is what is to be said of a choice, and what it excepts from what may be reported of an estimate, in a few words; "": nothing.
type Note struct {
	Excepts string `arg:"of"`
	Text    string `arg:"note"`
}

// Say adds a note to the lines of what is said of an estimate, and to what they except. All that says something does it by this, so
// that checks know what they must not let pass.
func (n Note) Say(lines *string, limits *[]Note) {
	if n.Excepts != "" {
		*limits = append(slices.Clip(*limits), n) // reports are copied
	}
	*lines = strings.TrimPrefix(*lines+"\n"+n.Text, "\n")
}

// FollowLambda are what a note excepts that says that λ was not chosen by the data: these are in proportion to its root.
const FollowLambda = "sigma and the bands, which go with lambda"

// Notes are what is suspicious in a choice: that the criteria disagree, and that λ lies at an
// end of its range, which is no sign of data without noise where these leave it open.
func (c Choice) Notes(noiseOpen bool) (notes []Note) {
	apart := func(a, b float64) bool { return a > 0 && b > 0 && (a/b > disagreement || b/a > disagreement) }
	switch {
	case apart(c.REML, c.LOO) && !apart(c.GCV, c.LOO):
		notes = append(notes, Note{"G between the points of the meshes", "likelihood and prediction disagree: predictions on this mesh may be good while G is not identified between its points; compare kernels by the reml of their reports"})
	case apart(c.REML, c.LOO):
		notes = append(notes, Note{"sigma and all bands", "leave-one-out prefers a very different lambda: the map may not be linear, or the kernel may not suit it"})
	case apart(c.REML, c.GCV):
		notes = append(notes, Note{"sigma and all bands", "the criteria disagree on lambda: the data say little about the noise; compare held-out errors"})
	}
	switch highest := 10 * c.Top; {
	case c.Lambda > highest/endOfSearch:
		notes = append(notes, Note{"G and its bands", "lambda is the largest that was tried: the outputs show no dependence on the inputs that this kernel can express; check that pairs belong together, or try another kernel"})
	case noiseOpen:
	case c.Lambda < highest*math.Pow(10, -c.Decades)*endOfSearch:
		notes = append(notes, Note{FollowLambda, "lambda is the smallest that was tried: the data have hardly any noise; give a smaller number if they have none"})
	}
	if c.Unsettled && !noiseOpen {
		notes = append(notes, Note{FollowLambda, "lambda was still changing when its search ended: the data have hardly any noise, and a smaller lambda may be better"})
	}
	return notes
}
