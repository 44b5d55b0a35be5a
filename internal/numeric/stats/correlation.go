package stats

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Covariance is the matrix of the covariances of columns, divided by n - ddof; with correlate, of their correlations,
// which are NaN for a column that does not vary.
func Covariance(ctx context.Context, columns [][]float64, ddof float64, correlate bool) ([][]float64, error) {
	if err := check(columns...); err != nil {
		return nil, err
	}
	centred, lengths := make([][]float64, len(columns)), make([]float64, len(columns))
	for j, x := range columns {
		if len(x) != len(columns[0]) {
			return nil, fmt.Errorf("samples of %d and %d values: want as many", len(columns[0]), len(x))
		}
		centred[j], lengths[j] = centre(x)
	}
	if n := float64(len(columns[0])); !correlate && n <= ddof {
		return nil, fmt.Errorf("%g values: want more than ddof, %g", n, ddof)
	}
	out := make([][]float64, len(columns))
	for i := range out {
		out[i] = make([]float64, len(columns))
	}
	for i, x := range centred {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j, y := range centred[:i+1] {
			v := 0.0 // products of directions, so that no unit over- or underflows
			for k := range x {
				v += x[k] * y[k]
			}
			switch {
			case correlate && (lengths[i] == 0 || lengths[j] == 0):
				v = math.NaN()
			case correlate && i == j:
				v = 1
			case correlate:
				v = max(-1, min(v, 1))
			default:
				v = v * lengths[i] / (float64(len(x)) - ddof) * lengths[j]
			}
			out[i][j], out[j][i] = v, v
		}
	}
	return out, nil
}

// centre subtracts the mean and divides by the length of what is left, which is 0 where all values are the same.
func centre(x []float64) (direction []float64, length float64) {
	direction = slices.Clone(x)
	unit := 0.0
	for _, v := range x {
		unit = max(unit, math.Abs(v))
	}
	if unit == 0 || slices.Min(x) == slices.Max(x) {
		clear(direction)
		return direction, 0
	}
	for range 2 { // the second time subtracts what rounding left
		mean := 0.0
		for _, v := range direction {
			mean += v / unit / float64(len(x))
		}
		for i := range direction {
			direction[i] -= mean * unit
		}
	}
	for _, v := range direction {
		length = math.Hypot(length, v)
	}
	for i := range direction {
		direction[i] /= length
	}
	return direction, length
}

// ranks are 1 for the smallest value and so on, equal values sharing the mean of theirs.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	ranks := make([]float64, len(x))
	for from := 0; from < len(x); {
		to := from
		for to < len(x) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return ranks
}

// Correlation is a coefficient from -1 to 1 of two samples, and the probability of as large a one if they are
// independent, two-sided: "pearson", of values, "spearman", of ranks, both by Student's t; or "kendall", of the signs
// of differences of pairs (τ_b): exact for up to 50 values that are all different, otherwise by the normal
// distribution, corrected for equal values. Cost: n log n, of kendall n².
func Correlation(ctx context.Context, method string, x, y []float64) (Result, error) {
	if err := check(x, y); err != nil {
		return Result{}, err
	}
	n := float64(len(x))
	if len(x) != len(y) || len(x) < 3 {
		return Result{}, fmt.Errorf("samples of %d and %d values: want as many, three at least", len(x), len(y))
	}
	if method == "kendall" {
		return kendall(ctx, x, y)
	}
	u, v := x, y
	if method == "spearman" {
		x, y = ranks(x), ranks(y)
	}
	c, err := Covariance(ctx, [][]float64{x, y}, 0, true)
	if err != nil {
		return Result{}, err
	}
	r := c[0][1]
	if method == "spearman" {
		r = ofRanks(r, x, y)
	}
	if math.IsNaN(r) {
		return Result{}, constant(u, v)
	}
	if math.Abs(r) == 1 {
		return Result{Statistic: r, P: 0, DF: n - 2}, nil
	}
	out := twoSided(r*math.Sqrt((n-2)/((1-r)*(1+r))), n-2)
	out.Statistic = r
	return out, nil
}

// mostExact are the values of which all orders are counted for Kendall's test.
const mostExact = 50

func kendall(ctx context.Context, x, y []float64) (Result, error) {
	score, tiedX, tiedY := 0.0, 0.0, 0.0
	for i := range x {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		for j := range i {
			a, b := cmp.Compare(x[i], x[j]), cmp.Compare(y[i], y[j])
			score += float64(a * b)
			if a == 0 {
				tiedX++
			}
			if b == 0 {
				tiedY++
			}
		}
	}
	n := float64(len(x))
	pairs := n * (n - 1) / 2
	if tiedX == pairs || tiedY == pairs {
		return Result{}, constant(x, y)
	}
	vx, ux, wx := ties(x)
	vy, uy, wy := ties(y)
	variance := (n*(n-1)*(2*n+5)-vx-vy)/18 + ux*uy/(2*n*(n-1)) + wx*wy/(9*n*(n-1)*(n-2))
	tau := score / math.Sqrt(pairs-tiedX) / math.Sqrt(pairs-tiedY)
	p := math.Erfc(math.Abs(score) / math.Sqrt(2*variance))
	if tiedX == 0 && tiedY == 0 && len(x) <= mostExact {
		p = kendallTail(len(x), int((pairs-math.Abs(score))/2))
	}
	return Result{Statistic: max(-1, min(tau, 1)), P: p}, nil
}

// kendallTail is the probability, two-sided, that an order drawn at random has at most k
// inversions, or as many too few: of k + 1 inversions there are as many orders of n as of n - 1
// with up to n - 1 fewer.
func kendallTail(n, k int) float64 {
	share := make([]float64, n*(n-1)/2+1)
	share[0] = 1
	for m := 2; m <= n; m++ {
		next, sum := make([]float64, len(share)), 0.0
		for i := range next {
			if sum += share[i]; i >= m {
				sum -= share[i-m]
			}
			next[i] = sum / float64(m)
		}
		share = next
	}
	tail := 0.0
	for _, v := range share[:k+1] {
		tail += v
	}
	return min(1, 2*tail)
}

// ties are the sums over groups of t equal values of t(t-1)(2t+5), t(t-1) and t(t-1)(t-2), which correct Kendall's
// variance (Kendall, Rank Correlation Methods, 1970, chapter 4).
func ties(x []float64) (v, u, w float64) {
	sorted := slices.Sorted(slices.Values(x))
	for from := 0; from < len(x); {
		to := from
		for to < len(x) && sorted[to] == sorted[from] {
			to++
		}
		t := float64(to - from)
		v, u, w = v+t*(t-1)*(2*t+5), u+t*(t-1), w+t*(t-1)*(t-2)
		from = to
	}
	return v, u, w
}

// constant is the error of two samples of which one does not vary.
func constant(x, y []float64) error {
	which := 1
	if slices.Min(x) != slices.Max(x) {
		which, x = 2, y
	}
	return fmt.Errorf("sample %d does not vary, all of its values are %g: its correlation is not defined", which, x[0])
}

// ofRanks is the correlation r of ranks without rounding where they are the same, or the reverse.
func ofRanks(r float64, x, y []float64) float64 {
	if !(math.Abs(r) > 0.9) {
		return r
	}
	for i, v := range y {
		if r < 0 {
			v = float64(len(y)) + 1 - v
		}
		if v != x[i] {
			return r
		}
	}
	return math.Copysign(1, r)
}
