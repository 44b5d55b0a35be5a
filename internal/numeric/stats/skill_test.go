package stats_test

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/stats"
)

func TestSummarize(t *testing.T) {
	// Mean 2, √((1+1+16)/3) = √6, maximum 4.
	s, err := stats.Summarize([]float64{1, 1, 4})
	if err != nil || s.Mean != 2 || math.Abs(s.RMS-math.Sqrt(6)) > 1e-15 || s.Max != 4 {
		t.Errorf("%+v, %v", s, err)
	}
	if s, _ := stats.Summarize([]float64{1, math.NaN()}); !math.IsNaN(s.Mean) || !math.IsNaN(s.RMS) || !math.IsNaN(s.Max) {
		t.Errorf("%+v: a NaN was lost", s)
	}
	if _, err = stats.Summarize(nil); err == nil || !strings.Contains(err.Error(), "no numbers") {
		t.Errorf("no numbers: %v", err)
	}
}
