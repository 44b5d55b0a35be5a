package assess

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit"
)

// outliers is the kurtosis, and the largest value; and the kurtosis where each point, and each pair, is taken for as loud as it is.
func outliers() probe {
	return probe{
		kind: Outliers,
		of: func(r *fit.Residue) []float64 {
			kurtosis, most := kurtosisOf(r.Values)
			points, _ := kurtosisOf(evenly(r.Values, func(_, k int) int { return k }))
			pairs, _ := kurtosisOf(evenly(r.Values, func(i, _ int) int { return i }))
			return []float64{math.Log(kurtosis), most, math.Log(points), math.Log(pairs)}
		},
		combine: func(z []float64) float64 { return highest(z[:2]) },
		says: func(m measured) (string, bool) {
			kurtosis, should := math.Exp(m.values[0]), math.Exp(m.mean[0])
			text := fmt.Sprintf("largest %.1f standard deviations (should be %.1f), kurtosis %.1f (should be %.1f)", m.values[1], m.mean[1], kurtosis, should)
			for at, what := range map[int]string{2: "point", 3: "pair"} {
				if m.p <= failBelow && tails(m) == at {
					text += fmt.Sprintf(", and %.1f with each %s as loud as it is", math.Exp(m.values[at]), what)
				}
			}
			return text, kurtosis-should > kurtosisMatters || m.values[1] > m.mean[1]+1
		},
		cause: func(m measured) Kind {
			return map[int]Kind{0: Outliers, 2: OutputSpread, 3: PairSpread}[tails(m)]
		},
	}
}

// tails is by which number of [outliers] long tails are no tails: 2 where points, and 3 where pairs, are as loud as they are, which leaves
// less than half of what the logarithm of the kurtosis is too large by; 0: neither.
func tails(m measured) (at int) {
	beyond := func(j int) float64 { return m.values[j] - m.mean[j] }
	least := beyond(0) / 2
	for _, j := range []int{2, 3} {
		if beyond(0) > 0 && beyond(j) < least {
			at, least = j, beyond(j)
		}
	}
	return at
}

// kurtosisOf is that of values about zero, and the largest size.
func kurtosisOf(values *mat.Dense) (kurtosis, most float64) {
	var two, four, count float64
	each(values, func(_, _ int, v float64) {
		two, four, count, most = two+v*v, four+v*v*v*v, count+1, max(most, math.Abs(v))
	})
	return four * count / (two * two), most
}

// evenly are values over the size of their group, the square of the mean root, which a few that are far off hardly change.
func evenly(values *mat.Dense, group func(i, k int) int) *mat.Dense {
	n, my := values.Dims()
	sum, count := make([]float64, max(n, my)), make([]float64, max(n, my))
	each(values, func(i, k int, v float64) {
		g := group(i, k)
		sum[g], count[g] = sum[g]+math.Sqrt(math.Abs(v)), count[g]+1
	})
	out := mat.NewDense(n, my, nil)
	out.Apply(func(i, k int, v float64) float64 {
		g := group(i, k)
		if mean := sum[g] / count[g]; mean > 0 || math.IsNaN(v) {
			return v / (mean * mean)
		}
		return 0
	}, values)
	return out
}
