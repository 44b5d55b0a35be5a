package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/spelling"
)

// Result is a statistic and the probability of one as extreme if the hypothesis holds.
type Result struct {
	Statistic, P, DF float64
}

func moments(x []float64) (mean, variance float64) {
	n := float64(len(x))
	for _, v := range x { // from the first: equal values have no rounding, and no variance
		mean += (v - x[0]) / n
	}
	mean += x[0]
	for _, v := range x {
		variance += (v - mean) * (v - mean) / (n - 1)
	}
	return mean, variance
}

func twoSided(t, df float64) Result {
	_, upper := student(df).Tails(math.Abs(t))
	return Result{t, 2 * upper, df}
}

func check(samples ...[]float64) error {
	for k, x := range samples {
		if len(x) < 2 {
			return fmt.Errorf("sample %d has %s: want two at least", k+1, spelling.Count(len(x), "value"))
		}
		for i, v := range x {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("sample %d: value %d is %g: want finite numbers", k+1, i+1, v)
			}
		}
	}
	return nil
}

// outOfRange is the error of values whose squares are no numbers.
func outOfRange(x []float64) error {
	return fmt.Errorf("values of about %g: their squares over- or underflow; take another unit", x[0])
}

// TMean is Student's test of the hypothesis that the mean is mu.
func TMean(x []float64, mu float64) (Result, error) {
	if err := check(x); err != nil {
		return Result{}, err
	}
	mean, v := moments(x)
	n := float64(len(x))
	switch {
	case math.IsInf(v, 0) || v == 0 && slices.Min(x) < slices.Max(x):
		return Result{}, outOfRange(x)
	case v == 0:
		return Result{}, errors.New("all values are the same: their mean has no error to compare with")
	}
	return twoSided((mean-mu)/math.Sqrt(v/n), n-1), nil
}

// TMeans is the test that two samples have the same mean, with the same variance (Student)
// or not (Welch).
func TMeans(x, y []float64, equal bool) (Result, error) {
	if err := check(x, y); err != nil {
		return Result{}, err
	}
	a, v := moments(x)
	b, w := moments(y)
	n, m := float64(len(x)), float64(len(y))
	p, q := v/n, w/m
	for k, sample := range [][]float64{x, y} {
		if v := []float64{v, w}[k]; math.IsInf(v, 0) || v == 0 && slices.Min(sample) < slices.Max(sample) {
			return Result{}, outOfRange(sample)
		}
	}
	if p+q == 0 {
		return Result{}, errors.New("all values of each sample are the same: there is no error to compare with")
	}
	if equal {
		pooled := ((n-1)*v + (m-1)*w) / (n + m - 2)
		return twoSided((a-b)/math.Sqrt(pooled*(1/n+1/m)), n+m-2), nil
	}
	return twoSided((a-b)/math.Sqrt(p+q), (p+q)*(p+q)/(p*p/(n-1)+q*q/(m-1))), nil
}

// ChiSquare is Pearson's test that counts were drawn with expected ones; ddof parameters
// were estimated from them.
func ChiSquare(counts, expected []float64, ddof int) (Result, error) {
	if err := check(counts, expected); err != nil {
		return Result{}, err
	}
	df := float64(len(counts) - 1 - ddof)
	if len(counts) != len(expected) || df < 1 {
		return Result{}, fmt.Errorf("%d counts, %d expected, %d parameters: nothing to test", len(counts), len(expected), ddof)
	}
	var sum, a, b float64
	for i, e := range expected {
		if counts[i] < 0 {
			return Result{}, fmt.Errorf("counts[%d] is %g: want a number of events", i+1, counts[i])
		}
		if !(e > 0) {
			return Result{}, fmt.Errorf("expected[%d] is %g: must be > 0", i+1, e)
		}
		sum += (counts[i] - e) * (counts[i] - e) / e
		a, b = a+counts[i], b+e
	}
	if math.Abs(a-b) > 1e-8*b {
		return Result{}, fmt.Errorf("the counts sum to %g and the expected ones to %g: want the same", a, b)
	}
	_, p := gamma(df/2, 2).Tails(sum)
	return Result{sum, p, df}, nil
}

// KolmogorovSmirnov is the test that a sample is of a continuous distribution.
func KolmogorovSmirnov(x []float64, d Distribution) (Result, error) {
	if err := check(x); err != nil {
		return Result{}, err
	}
	x = slices.Sorted(slices.Values(x))
	n, most := float64(len(x)), 0.0
	for i, v := range x {
		lower, _ := d.Tails(v)
		most = max(most, lower-float64(i)/n, float64(i+1)/n-lower)
	}
	return Result{most, kolmogorov(len(x), most), 0}, nil
}

// kolmogorov is the probability of a distance of at least d: exact by the matrix of
// Marsaglia, Tsang and Wang (J. Stat. Softw. 8, 2003) where that is small, far out by the sum for
// one side, and the limit for large n.
func kolmogorov(n int, d float64) float64 {
	s := float64(n) * d * d
	const far = 6 // from here on hardly a sample is far on both sides: e^(-6 s) of those on one
	if d >= 0.5 || s > far {
		return min(1, 2*smirnov(n, d))
	}
	if k := int(float64(n)*d) + 1; k <= 60 && n <= 3000 {
		return 1 - marsaglia(n, k, float64(k)-float64(n)*d)
	}
	return limit(math.Sqrt(s) + 1/(6*math.Sqrt(float64(n))) + (math.Sqrt(s)-1)/(4*float64(n)))
}

// smirnov is the probability of a distance of at least d to one side (Birnbaum and Tingey, 1951).
func smirnov(n int, d float64) float64 {
	sum, size := 0.0, float64(n)
	for j := 0.0; j < size*(1-d); j++ {
		up, down := d+j/size, 1-d-j/size
		if down > 0 {
			sum += d / up * binomialTerm(size, j, up, down)
		}
	}
	return sum
}

// limit is Kolmogorov's series.
func limit(t float64) float64 {
	if t < 0.2 {
		return 1
	}
	sum := 0.0
	for k := 1; k < 200; k++ {
		term := 2 * math.Exp(-2*float64(k*k)*t*t)
		if k%2 == 0 {
			term = -term
		}
		sum += term
	}
	return min(1, max(0, sum))
}

func marsaglia(n, k int, h float64) float64 {
	m := 2*k - 1
	a := make([]float64, m*m)
	for i := range m {
		for j := range m {
			if i-j+1 >= 0 {
				a[i*m+j] = 1
			}
		}
	}
	for i := range m {
		a[i*m] -= math.Pow(h, float64(i+1))
		a[(m-1)*m+i] -= math.Pow(h, float64(m-i))
	}
	if 2*h > 1 {
		a[(m-1)*m] += math.Pow(2*h-1, float64(m))
	}
	for i := range m {
		for j := range m {
			for g := 1; g <= i-j+1; g++ {
				a[i*m+j] /= float64(g)
			}
		}
	}
	row := make([]float64, m) // of the power of a that matters
	row[k-1] = 1
	p := 1.0
	for i := 1; i <= n; i++ {
		next := make([]float64, m)
		for r, v := range row {
			if v != 0 {
				for c := range next {
					next[c] += v * a[r*m+c]
				}
			}
		}
		row = next
		p *= float64(i) / float64(n)
		if p < 1e-200 { // kept in the row, which grows as fast
			for c := range row {
				row[c] *= p
			}
			p = 1
		}
	}
	return row[k-1] * p
}

// KolmogorovSmirnov2 is the test that two samples are of the same continuous distribution:
// exact by counting paths for up to a million pairs.
func KolmogorovSmirnov2(x, y []float64) (Result, error) {
	if err := check(x, y); err != nil {
		return Result{}, err
	}
	x, y = slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))
	n, m := len(x), len(y)
	most, i, j := 0, 0, 0
	for i < n && j < m {
		v := min(x[i], y[j])
		for i < n && x[i] == v {
			i++
		}
		for j < m && y[j] == v {
			j++
		}
		most = max(most, abs(i*m-j*n))
	}
	d := float64(most) / float64(n) / float64(m)
	if n*m > 1000000 {
		e := math.Sqrt(float64(n) * float64(m) / float64(n+m))
		return Result{d, limit(e * d), 0}, nil
	}
	if most == 0 {
		return Result{0, 1, 0}, nil
	}
	// the share of paths from (0, 0) to (i, j) that come as far from the diagonal as most: not one
	// minus that of the others, which has no digits of small ones
	outside := make([]float64, m+1)
	for i := range n + 1 {
		for j := range m + 1 {
			switch {
			case abs(i*m-j*n) >= most:
				outside[j] = 1
			case i == 0 && j == 0:
				outside[j] = 0
			case i == 0:
				outside[j] = outside[j-1]
			case j > 0:
				outside[j] = (outside[j]*float64(i) + outside[j-1]*float64(j)) / float64(i+j)
			}
		}
	}
	return Result{d, outside[m], 0}, nil
}

func abs(n int) int { return max(n, -n) }

// MannWhitney is the test of ranks that values of x are neither larger nor smaller than
// those of y: exact for samples of which one has at most 8 values and no ties, otherwise by
// the normal limit with corrections for ties and continuity.
func MannWhitney(x, y []float64) (Result, error) {
	if err := check(x, y); err != nil {
		return Result{}, err
	}
	n, m := len(x), len(y)
	all := slices.Sorted(slices.Values(slices.Concat(x, y)))
	rank := func(v float64) float64 {
		low, _ := slices.BinarySearch(all, v)
		high, _ := slices.BinarySearch(all, math.Nextafter(v, math.Inf(1)))
		return float64(low+high+1) / 2
	}
	u := -float64(n) * float64(n+1) / 2
	for _, v := range x {
		u += rank(v)
	}
	ties := 0.0
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j] == all[i] {
			j++
		}
		c := float64(j - i)
		ties += c*c*c - c
		i = j
	}
	pairs, total := float64(n)*float64(m), float64(n+m)
	far := max(u, pairs-u)
	if ties == 0 && min(n, m) <= 8 && n*m <= 100000 {
		return Result{u, min(1, 2*rankTail(n, m, int(far))), 0}, nil
	}
	s := math.Sqrt(pairs / 12 * (total + 1 - ties/(total*(total-1))))
	if s == 0 {
		return Result{}, errors.New("all values are the same")
	}
	_, p := normal(0, 1).Tails((far - pairs/2 - 0.5) / s)
	return Result{u, min(1, 2*p), 0}, nil
}

// rankTail is the probability that the statistic of Mann and Whitney is at least u.
func rankTail(n, m, u int) float64 {
	// count[i][s]: share of the arrangements of i of the first and j of the second, by j
	rows := make([][]float64, n+1)
	for i := range rows {
		rows[i] = make([]float64, n*m+1)
		rows[i][0] = 1
	}
	for j := 1; j <= m; j++ {
		for i := 1; i <= n; i++ {
			next := make([]float64, n*m+1)
			a, b := float64(i)/float64(i+j), float64(j)/float64(i+j)
			for s := range next {
				if s >= j { // the largest is one of x: it is above all j of y
					next[s] = a * rows[i-1][s-j]
				}
				next[s] += b * rows[i][s]
			}
			rows[i] = next
		}
	}
	sum := 0.0
	for _, v := range rows[n][u:] {
		sum += v
	}
	return sum
}
