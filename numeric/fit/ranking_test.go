package fit_test

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// candidates are three models whose order by likelihood is another than by errors.
func candidates() []fit.Candidate {
	reml := []float64{7, -3, 1}
	return []fit.Candidate{
		{Compared: fit.Compared{Name: "least error", REML: &reml[0]}, Errors: []float64{1, 2, 3, 2}},
		{Compared: fit.Compared{Name: "likeliest", REML: &reml[1]}, Errors: []float64{5, 3, 4, 4}},
		{Compared: fit.Compared{Name: "middle", REML: &reml[2]}, Errors: []float64{2, 4, 3, 3}},
	}
}

func names(c *fit.Comparison) string {
	var all []string
	for _, m := range c.Models {
		all = append(all, m.Name)
	}
	return strings.Join(all, ", ")
}

// Models are ordered by likelihood where that is comparable for all of them, and by errors otherwise; differences are to the
// first, with the standard error of the mean of the differences of the pairs.
func TestRank(t *testing.T) {
	c := fit.Rank(candidates(), 16)
	if got := names(c); got != "likeliest, middle, least error" {
		t.Fatal(got)
	}
	first, second := c.Models[0], c.Models[1]
	if first.Squared != 4 || first.Error != .5 || *first.REMLDifference != 0 || first.Difference != 0 || first.DifferenceSE != 0 {
		t.Errorf("the first: %+v", first)
	}
	// the pairs differ by -3, 1, -1, -1: mean -1, sum of squares about it 8
	if second.Squared != 3 || *second.REMLDifference != 4 || second.Difference != -1 || math.Abs(second.DifferenceSE-math.Sqrt(8./3/4)) > 1e-15 {
		t.Errorf("the second: %+v", second)
	}

	unknown := candidates()
	unknown[1].REML = nil
	c = fit.Rank(unknown, 16)
	if got := names(c); got != "least error, middle, likeliest" {
		t.Errorf("one likelihood is unknown: %s", got)
	}
	if d := c.Models[1].REMLDifference; d == nil || *d != -6 || c.Models[2].REMLDifference != nil {
		t.Errorf("one likelihood is unknown: %+v", c.Models)
	}
	unknown = candidates()
	unknown[0].REML = nil
	for i, m := range fit.Rank(unknown, 16).Models {
		if m.REMLDifference != nil {
			t.Errorf("model %d is compared with a likelihood that is unknown", i)
		}
	}

	other := candidates()
	other[0].Flat = true
	c = fit.Rank(other, 16)
	if got := names(c); got != "least error, middle, likeliest" || c.Models[1].REMLDifference != nil || *c.Models[0].REMLDifference != 0 {
		t.Errorf("one likelihood is of other numbers: %s, %+v", got, c.Models)
	}
}

// Models that are as good stay in the order in which they were given.
func TestRankOfEqualModels(t *testing.T) {
	same := candidates()
	for i := range same {
		*same[i].REML = 2
	}
	if got := names(fit.Rank(same, 1)); got != "least error, likeliest, middle" {
		t.Error(got)
	}
}

// The table of a comparison, to the letter.
func TestTableOfAComparison(t *testing.T) {
	const foot = "reml in nats, less is better; left out: relative error of 4 pairs, a fifth of them at a time"
	const order = "; in the order of left out, as reml does not compare them all"
	for what, c := range map[string]struct {
		change func(all []fit.Candidate)
		want   []string
	}{
		"all are known": {func([]fit.Candidate) {}, []string{
			"model                  reml    left out  squared error less that of the first",
			"likeliest             -3.00         0.5",
			"middle                +4.00       0.433  -1 ± 0.82",
			"least error          +10.00      0.3536  -2 ± 0.71",
			foot,
		}},
		"one is unknown": {func(all []fit.Candidate) { all[0].REML = nil }, []string{
			"model                  reml    left out  squared error less that of the first",
			"least error         unknown      0.3536",
			"middle                 1.00       0.433  +1 ± 0.41",
			"likeliest             -3.00         0.5  +2 ± 0.71",
			foot + order,
		}},
		"one is of other numbers": {func(all []fit.Candidate) { all[0].Flat = true }, []string{
			"model                  reml    left out  squared error less that of the first",
			"least error            7.00      0.3536",
			"middle       not comparable       0.433  +1 ± 0.41",
			"likeliest    not comparable         0.5  +2 ± 0.71",
			foot + "; not comparable: only one of the two has an intercept that is not penalised" + order,
		}},
	} {
		all := candidates()
		c.change(all)
		if got, want := fit.Rank(all, 16).String(), strings.Join(c.want, "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
		}
	}
}

// Four pairs are enough to compare two models.
func TestFourPairsAreCompared(t *testing.T) {
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	two := []fit.Model{{Name: "a", Spec: fit.Spec{Kernel: k, Lambda: 1e-2}}, {Name: "b", Spec: fit.Spec{Kernel: k, Lambda: 1}}}
	c, err := fit.Compare(ctx, noisyPoisson(t, 4), two)
	if err != nil || len(c.Models) != 2 {
		t.Errorf("%v, %v", c, err)
	}
}
