package stats

import (
	"context"
	"math"
	"testing"
)

// Coefficients and probabilities of samples with equal values among them, from scipy.stats 1.10: pearsonr, spearmanr and
// kendalltau(method="asymptotic") of {1, 2, 2, 4, 7, 7, 9} and {3, 1, 4, 4, 8, 5, 9}. Units do not matter.
func TestCorrelations(t *testing.T) {
	x, y := []float64{1, 2, 2, 4, 7, 7, 9}, []float64{3, 1, 4, 4, 8, 5, 9}
	for _, tt := range []struct {
		method       string
		statistic, p float64
	}{
		{"pearson", 0.8763207164435286, 0.0096560007895109164},
		{"spearman", 0.90829510622924758, 0.0046532740259863639},
		{"kendall", 0.82078268166812318, 0.012925264601955706},
	} {
		for _, unit := range []float64{1, 1e-200, -1e150} {
			scaled := make([]float64, len(x))
			for i, v := range x {
				scaled[i] = v * unit
			}
			r, err := Correlation(context.Background(), tt.method, scaled, y)
			if err != nil {
				t.Fatal(err)
			}
			want := math.Copysign(tt.statistic, unit)
			if math.Abs(r.Statistic-want) > 1e-14 || math.Abs(r.P-tt.p) > 1e-13 {
				t.Errorf("%s, unit %g: %.17g, p %.17g; SciPy has %.17g, %.17g", tt.method, unit, r.Statistic, r.P, want, tt.p)
			}
		}
	}
	if _, err := Correlation(context.Background(), "pearson", x, make([]float64, 7)); err == nil {
		t.Error("a sample that does not vary has a correlation")
	}
	// An offset a billion times the spread: 1/2 of {0, 1, 2} and {0, 2, 1}, as exactly as the numbers hold it.
	c, err := Covariance(context.Background(), [][]float64{{1e9, 1e9 + 1, 1e9 + 2}, {0, 2, 1}}, 1, false)
	if err != nil || math.Abs(c[0][1]-0.5) > 1e-15 || math.Abs(c[0][0]-1) > 1e-15 || c[0][1] != c[1][0] {
		t.Errorf("covariance %v, %v: want 1/2", c, err)
	}
}

// TestRanksAlike: ranks that are the same, or the reverse, have a correlation of 1 and no chance, whatever their number
// and with equal values; one exchange makes it less.
func TestRanksAlike(t *testing.T) {
	for n := 3; n < 60; n++ {
		if n%7 == 0 {
			continue // 7i is 0 for all i
		}
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = math.Exp(float64(i * 7 % n))
			y[i] = math.Pow(float64(i*7%n), 3)
		}
		if n > 5 {
			x[1], y[1] = x[0], y[0]
		}
		for _, sign := range []float64{1, -1} {
			for i := range y {
				y[i] = math.Copysign(y[i], sign)
			}
			r, err := Correlation(t.Context(), "spearman", x, y)
			if err != nil || r.Statistic != sign || r.P != 0 {
				t.Errorf("%d values, sign %g: %+v, %v", n, sign, r, err)
			}
		}
	}
	x, y := make([]float64, 20000), make([]float64, 20000)
	for i := range x {
		x[i], y[i] = float64(i), float64(i)
	}
	y[7], y[8] = y[8], y[7]
	if r, err := Correlation(t.Context(), "spearman", x, y); err != nil || r.Statistic >= 1 {
		t.Errorf("ranks that are not the same: %+v, %v", r, err)
	}
}
