package network

import (
	"math"
	"testing"
)

// TestImplicit: pairs of -u″ + 2u³ = f on 17 points name their law, and left-out ones are solved
// for far better than by a linear fit.
func TestImplicit(t *testing.T) {
	train, test := split(t, cubic(t, 34, 17, 4, constant(2), 3), 6)
	e, err := Fit(t.Context(), spec(train, power(3)))
	if err != nil {
		t.Fatal(err)
	}
	err1 := testError(t, e, test)
	t.Logf("%.2e, left out %.2e linear %.2e radius %.2f coefficient %v", err1, e.Report.LeftOut, e.Report.Linear, e.Report.Radius, e.Report.Terms)
	if c := e.Report.Terms[0]; math.Abs(c.Coefficient+2) > 0.01 {
		t.Errorf("coefficient %v", c)
	}
}
