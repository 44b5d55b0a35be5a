package noise_test

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/noise"
)

// Noise that is correlated and differs in size is found to be both.
func TestBothKindsAreFound(t *testing.T) {
	s := shape{ar: .9, along: func(y float64) float64 { return math.Pow(30, y) }}
	data := simulate(helmholtz, s, 20, 12, .3, 7)
	e := learn(t, specOf(data.d), noise.Choice{Kind: noise.Auto})
	for _, says := range []string{"a random curve", "along the output"} {
		if !strings.Contains(e.Report.Reason, says) {
			t.Errorf("the report says: %s; want %q", e.Report.Reason, says)
		}
	}
}
