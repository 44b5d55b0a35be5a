package assess

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// probe looks at residuals for one thing: some numbers, and what they say.
type probe struct {
	kind    Kind
	of      func(*fit.Residue) []float64
	given   func(*fit.Residue) []float64 // of the data, where that is another than of draws; nil: of
	combine func(z []float64) float64    // nil: the largest size
	// says puts the numbers into words, and tells whether they are far enough off to matter for
	// bands: with many data the slightest deviation is significant.
	says  func(m measured) (finding string, matters bool)
	cause func(m measured) Kind // of what was found, where that may be another than its own kind; nil: its own
}

// What matters: correlations, ratios of spreads, kurtosis, and coverage off by these.
const (
	correlationMatters = 0.05
	spreadMatters      = 1.25
	kurtosisMatters    = 0.3
	coverageMatters    = 0.02
	squareMatters      = 0.2 // of the mean square of standardised means
)

// ofData are the numbers of the data.
func (b probe) ofData(r *fit.Residue) []float64 {
	if b.given != nil {
		return b.given(r)
	}
	return b.of(r)
}

func newProbes(ctx context.Context, r *fit.Residuals, in []input) []probe {
	y := r.Data.OutputMesh
	all := []probe{alongOutput(newDistances(y)), acrossPairs()}
	if len(in) > 0 {
		all = append(all, withInputs(ctx, in))
	}
	return append(all, spreadAlong(y), spreadOfPairs(), outliers(), leftValues(), leftMeans())
}

// each calls f for all values that are there.
func each(m *mat.Dense, f func(i, k int, v float64)) {
	n, my := m.Dims()
	for i := range n {
		for k, v := range m.RawRowView(i)[:my] {
			if !math.IsNaN(v) {
				f(i, k, v)
			}
		}
	}
}

// alongOutput is the correlation of values at points of the output, by their distance.
func alongOutput(d distances) probe {
	return probe{
		kind: AlongOutput,
		of:   func(r *fit.Residue) []float64 { return d.correlations(r.Values) },
		says: func(m measured) (string, bool) {
			j := worst(m.z)
			if j < 0 {
				return "one point: nothing to compare", false
			}
			return fmt.Sprintf("%.2f at distance %.3g, should be %.2f ± %.2g", m.values[j], d.at[j], m.mean[j], m.sd[j]),
				math.Abs(m.values[j]-m.mean[j]) > correlationMatters
		},
	}
}

// worst is where the largest number is; -1 where there is none.
func worst(z []float64) int {
	best := -1
	for j, v := range z {
		if best < 0 || math.Abs(v) > math.Abs(z[best]) {
			best = j
		}
	}
	return best
}

// acrossPairs is the correlation of a pair with the next, and the one after that: data that were
// measured one after the other drift.
func acrossPairs() probe {
	return probe{
		kind: AcrossPairs,
		of: func(r *fit.Residue) []float64 {
			n, _ := r.Values.Dims()
			var out []float64
			for lag := 1; lag <= min(2, n-2); lag++ {
				out = append(out, correlation(func(add func(a, b float64)) {
					for i := range n - lag {
						next := r.Values.RawRowView(i + lag)
						for k, v := range r.Values.RawRowView(i) {
							add(v, next[k])
						}
					}
				}))
			}
			return out
		},
		says: func(m measured) (string, bool) {
			j := worst(m.z)
			return fmt.Sprintf("%.2f with the pair %d on, should be %.2f ± %.2g", m.values[j], j+1, m.mean[j], m.sd[j]),
				math.Abs(m.values[j]-m.mean[j]) > correlationMatters
		},
	}
}

// correlation is Σab/√(Σa²Σb²) of the couples without NaN; 0 of none.
func correlation(couples func(add func(a, b float64))) float64 {
	var ab, aa, bb float64
	couples(func(a, b float64) {
		if p := a * b; !math.IsNaN(p) {
			ab, aa, bb = ab+p, aa+a*a, bb+b*b
		}
	})
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// withInputs is how alike residuals are of pairs whose inputs are alike in size and shape, up to
// the sign: what a linear operator does not explain is often quadratic. For each input one number
// of all values, one for the means.
func withInputs(ctx context.Context, in []input) probe {
	var alike []*mat.Dense
	for _, i := range in {
		alike = append(alike, likeness(ctx, i))
	}
	form := func(of *mat.Dense, v []float64) float64 {
		var kv mat.VecDense
		x := mat.NewVecDense(len(v), v)
		kv.MulVec(of, x)
		if s := floats.Dot(v, v); s > 0 {
			return mat.Dot(x, &kv) / s
		}
		return 0
	}
	return probe{
		kind: WithInputs,
		of: func(r *fit.Residue) []float64 {
			n, my := r.Values.Dims()
			column, means, out := make([]float64, n), make([]float64, n), make([]float64, 2*len(alike))
			for k := range my {
				for i := range column {
					if column[i] = r.Values.At(i, k); math.IsNaN(column[i]) {
						column[i] = 0
					}
					means[i] += column[i]
				}
				for j, of := range alike {
					out[2*j] += form(of, column) / float64(my)
				}
			}
			for j, of := range alike {
				out[2*j+1] = form(of, means)
			}
			return out
		},
		combine: highest,
		says: func(m measured) (string, bool) {
			at := floats.MaxIdx(m.z)
			inputs := "the inputs"
			if len(in) > 1 {
				inputs = in[at/2].name
			}
			if m.z[at] < 2 || m.p > byChance { // of many inputs one is far off by chance
				return "residuals do not follow the squares of the inputs", false
			}
			return fmt.Sprintf("residuals follow the squares of %s, by %.1f standard deviations", inputs, m.z[at]), true
		},
	}
}

// likeness is ⟨f_i, f_j⟩² with the means of rows and columns taken off, of unit mean square.
func likeness(ctx context.Context, in input) *mat.Dense {
	weighted := mat.DenseCopyOf(in.rows)
	weighted.Apply(func(_, j int, v float64) float64 { return v * in.weights[j] }, weighted)
	g := linop.Product(ctx, weighted, in.rows.T())
	n, _ := g.Dims()
	largest := 0.0
	for i := range n {
		largest = max(largest, g.At(i, i))
	}
	g.Apply(func(_, _ int, v float64) float64 {
		return (v / max(largest, math.SmallestNonzeroFloat64)) * (v / max(largest, math.SmallestNonzeroFloat64))
	}, g)
	means := make([]float64, n)
	for i := range n {
		means[i] = stat.Mean(g.RawRowView(i), nil)
	}
	all := stat.Mean(means, nil)
	g.Apply(func(i, j int, v float64) float64 { return v - means[i] - means[j] + all }, g)
	if size := mat.Norm(g, 2); size > 0 {
		g.Scale(1/size, g)
	}
	return g
}

// normal95 is the quantile of the normal distribution that bands of 95 % have.
const normal95 = 1.959963984540054

// leftValues is the share of left-out values in their bands.
func leftValues() probe {
	return probe{
		kind: LeftValues,
		of: func(r *fit.Residue) []float64 {
			in, count := 0.0, 0.0
			each(r.LeftOut, func(_, _ int, v float64) {
				if count++; math.Abs(v) <= normal95 {
					in++
				}
			})
			return []float64{in / count}
		},
		says: func(m measured) (string, bool) {
			return fmt.Sprintf("%.1f %% in bands of 95 %%, should be %.1f ± %.1f %%", 100*m.values[0], 100*m.mean[0], 100*m.sd[0]),
				math.Abs(m.values[0]-m.mean[0]) > coverageMatters
		},
	}
}

// leftMeans is the mean square of the means of left-out pairs, over their variances: what is
// small in every value and alike in all, the noise of single values hides.
func leftMeans() probe {
	return probe{
		kind: LeftMeans,
		of: func(r *fit.Residue) []float64 {
			sum, count := 0.0, 0.0
			for _, v := range r.Means {
				if !math.IsNaN(v) {
					sum, count = sum+v*v, count+1
				}
			}
			return []float64{math.Log(sum / count)}
		},
		combine: highest,
		says: func(m measured) (string, bool) {
			ratio := math.Exp(m.values[0])
			return fmt.Sprintf("means over the output are off by %.2f of their deviations, should be 1 ± %.2f", math.Sqrt(ratio), m.sd[0]/2),
				ratio-1 > squareMatters
		},
	}
}

// spreadOfPairs is the mean square of each pair.
func spreadOfPairs() probe {
	squares := func(r *fit.Residue) []float64 {
		n, _ := r.Values.Dims()
		sum, count := make([]float64, n), make([]float64, n)
		each(r.Values, func(i, _ int, v float64) { sum[i], count[i] = sum[i]+square(v), count[i]+1 })
		return logRatios(sum, count)
	}
	return probe{
		kind: PairSpread,
		of: func(r *fit.Residue) []float64 {
			v := squares(r)
			return append(v, stat.PopVariance(v, nil)) // a few loud pairs, or all of them uneven
		},
		combine: func(z []float64) float64 {
			last := len(z) - 1
			// Of n numbers the largest is far off by chance; the variance of all is one.
			return math.Max(largest(z[:last])-math.Sqrt(2*math.Log(float64(last))), z[last])
		},
		says: func(m measured) (string, bool) {
			last := len(m.z) - 1
			ratio := math.Exp(math.Sqrt(max(0, m.values[last]-m.mean[last])) / 2)
			text := fmt.Sprintf("standard deviations of pairs differ by a factor of %.2f", ratio)
			switch {
			case ratio < 1.005:
				text = "standard deviations of pairs differ by chance alone"
			case m.p <= failBelow:
				text += ", beyond chance"
			default:
				text += ", as they may by chance"
			}
			if loud := loudest(m.z[:last]); len(loud) > 0 {
				text += "; far off: " + pairList(loud)
			}
			return text, ratio > 1.1 || largest(m.z[:last]) > 4
		},
	}
}

// square is that of a value, of at most three deviations: a single wrong one is no loud pair.
func square(v float64) float64 { return math.Min(v*v, 9) }

// logRatios are the logarithms of means over the mean of all; 0 where nothing is counted.
func logRatios(sum, count []float64) []float64 {
	all := floats.Sum(sum) / floats.Sum(count)
	out := make([]float64, len(sum))
	for i, s := range sum {
		if s > 0 && all > 0 {
			out[i] = math.Log(s / count[i] / all)
		}
	}
	return out
}

// loudest are the pairs more than four deviations off, the farthest first.
func loudest(z []float64) (far []int) {
	for i, v := range z {
		if math.Abs(v) > 4 {
			far = append(far, i)
		}
	}
	slices.SortFunc(far, func(a, b int) int { return cmp.Compare(math.Abs(z[b]), math.Abs(z[a])) })
	return far
}

func pairList(pairs []int) string {
	const most = 5
	var words []string
	for _, i := range pairs[:min(len(pairs), most)] {
		words = append(words, fmt.Sprintf("pair %d", i+1))
	}
	if len(pairs) > most {
		words = append(words, fmt.Sprintf("%d more", len(pairs)-most))
	}
	return strings.Join(words, ", ")
}

// spreadAlong is the mean square in each of some parts of the output, once for noise that is even by the quadrature, as the model and so
// the draws have it, and once for noise of values that are alike: residuals of these have variances as the quadrature weights, and are
// divided by them. Noise of either kind is taken for even.
func spreadAlong(y mesh.Mesh) probe {
	parts, names := partsOf(y)
	w := y.Weights()
	squares := func(r *fit.Residue, weight func(k int) float64) (out []float64) {
		for _, of := range parts {
			groups := slices.Max(of) + 1
			sum, count := make([]float64, groups), make([]float64, groups)
			each(r.Values, func(_, k int, v float64) {
				sum[of[k]], count[of[k]] = sum[of[k]]+square(v)*weight(k), count[of[k]]+1
			})
			out = append(out, logRatios(sum, count)...)
		}
		return out
	}
	even := func(int) float64 { return 1 }
	return probe{
		kind: OutputSpread,
		of: func(r *fit.Residue) []float64 {
			own := squares(r, even)
			return append(own, own...)
		},
		given: func(r *fit.Residue) []float64 {
			return append(squares(r, even), squares(r, func(k int) float64 { return 1 / w[k] })...)
		},
		combine: func(z []float64) float64 { return math.Min(largest(z[:len(z)/2]), largest(z[len(z)/2:])) },
		says: func(m measured) (string, bool) {
			half := len(m.z) / 2
			at := 0
			if largest(m.z[half:]) < largest(m.z[:half]) {
				at = half
			}
			j := at + worst(m.z[at:at+half])
			ratio := math.Exp((m.values[j] - m.mean[j]) / 2)
			return fmt.Sprintf("standard deviation %.2f of its mean %s", ratio, names[j-at]), math.Max(ratio, 1/ratio) > spreadMatters
		},
	}
}
