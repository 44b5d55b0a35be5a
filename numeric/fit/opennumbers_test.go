package fit

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Numbers that kernels leave open are moved one at a time or all lengthscales together, weights by the
// cube of that, within what is tried; what lies at an end of it is said.
func TestOpenNumbersMove(t *testing.T) {
	q := &search{space: kernel.Space{Names: []string{"x", "y"}, Inputs: 1}, opens: []kernels.Open{{Coordinates: []int{0}}, {}, {Coordinates: []int{1}}}, ofGreen: 3}
	values := []float64{.1, 1, .4}
	for _, c := range []struct {
		i    int
		by   float64
		want []float64
	}{
		{0, 2, []float64{.2, 1, .4}}, {1, 2, []float64{.1, 8, .4}}, {2, .5, []float64{.1, 1, .2}}, {3, 2, []float64{.2, 1, .8}},
		{0, 1e-3, []float64{smallestLength, 1, .4}}, {2, 1e3, []float64{.1, 1, largestLength}}, {1, 1e3, []float64{.1, mostWeight, .4}}, {1, 1e-3, []float64{.1, 1 / mostWeight, .4}},
	} {
		if got := q.moved(values, c.i, c.by); !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12*b }) {
			t.Errorf("number %d by %g: %v, want %v", c.i, c.by, got, c.want)
		}
	}
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{values, ""}, {[]float64{.1, mostWeight, .4}, ""}, {[]float64{smallestLength, 1, .4}, "the lengthscale of x is the smallest that was tried, 2 % of its axis"},
		{[]float64{.1, 1, largestLength}, "the lengthscale of y is the largest that was tried, 5 times its axis"},
	} {
		if got := q.note(c.values); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%v: %q, want %q", c.values, got, c.want)
		}
	}
	if got := q.what(); got != "lengthscales and weights" {
		t.Errorf("%q", got)
	}
	if q.opens = q.opens[2:]; q.what() != "lengthscales" {
		t.Errorf("%q without weights", q.what())
	}
}
