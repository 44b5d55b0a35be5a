package manual_test

import (
	"testing"

	"github.com/greenbench/workbench/workbench/manual"
)

// Questions as newcomers ask them, and the page that answers each.
var questions = map[string]string{
	"how many pairs do I need?":                    "troubleshooting.html#how-many-pairs-do-i-need",
	"how many samples":                             "troubleshooting.html#how-many-pairs-do-i-need",
	"which inputs should I choose":                 "troubleshooting.html#which-inputs-should-i-choose",
	"my data have units (Kelvin)":                  "troubleshooting.html#my-data-have-units-kelvin-pascals-large-numbers",
	"my data are long and irregular":               "troubleshooting.html#my-curves-are-irregular-long-or-have-gaps",
	"how do I put error bars on G":                 "error-bars.html#how-do-i-put-error-bars-on-g",
	"how do I put error bars on predictions":       "error-bars.html#how-do-i-put-error-bars-on-predictions",
	"2-D and time problems step by step":           "space-and-time.html",
	"how do I use constraints":                     "constraints.html",
	"how do I write my own kernel":                 "own-kernels.html",
	"how do I define my own equation":              "own-kernels.html",
	"why is my fit slow":                           "troubleshooting.html#why-is-my-fit-slow",
	"how much memory does it take":                 "troubleshooting.html#how-much-memory-does-it-take",
	"not converged, what now?":                     "troubleshooting.html#not-converged-what-now",
	"can I publish this picture (size, font, dpi)": "publish.html#can-i-publish-this-picture",
	"how to cite":                                  "publish.html",
	"how do I interpolate":                         "troubleshooting.html#how-do-i-interpolate-draw-a-histogram-sort",
}

// The first answer of the search is the page that answers the question.
func TestQuestionsAreAnswered(t *testing.T) {
	for question, want := range questions {
		if got := manual.Answers(registry(), question); len(got) == 0 || got[0] != want {
			t.Errorf("%s\ngot  %.3q\nwant %q", question, got, want)
		}
	}
}
