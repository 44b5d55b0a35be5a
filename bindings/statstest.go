package bindings

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/numeric/array"
)

// tested is the result of a test.
type tested struct {
	Statistic float64 `arg:"statistic" doc:"the test statistic"`
	Pvalue    float64 `arg:"pvalue" doc:"probability of a statistic at least as extreme if the hypothesis holds"`
	DF        float64 `arg:"df" doc:"degrees of freedom, 0 where there are none"`
}

func outcome(r stats.Result, err error) (tested, error) {
	return tested{r.Statistic, r.P, r.DF}, err
}

type twoSamples struct {
	X []float64 `arg:"x" pos:"1" doc:"a sample"`
	Y []float64 `arg:"y" pos:"2" doc:"another sample"`
}

func statTests() []bind.Func {
	return []bind.Func{
		bind.Fn("ttest_1samp", "Student's test of the hypothesis that a sample comes from a population with the given mean. Two-sided.", func(_ *bind.Call, p *struct {
			X    []float64 `arg:"x" pos:"1" doc:"the sample"`
			Mean float64   `arg:"mean" pos:"2" doc:"the mean to test" default:"0" allow:"finite"`
		},
		) (tested, error) {
			return outcome(stats.TMean(p.X, p.Mean))
		}, bind.Example("print(stats.ttest_1samp({1, 2, 3}, 2).pvalue)  --> 1"), bind.Keywords("t test", "student")),
		bind.Fn("ttest_ind", "Student's test, or Welch's, of the hypothesis that two samples have the same mean. Two-sided.", func(_ *bind.Call, p *struct {
			twoSamples
			Equal bool `arg:"equal_var" doc:"the variances are the same" default:"true"`
		},
		) (tested, error) {
			return outcome(stats.TMeans(p.X, p.Y, p.Equal))
		}, bind.Example("print(stats.ttest_ind({1, 2, 3}, {3, 4, 5}).df)  --> 4"), bind.Keywords("t test", "student", "welch")),
		bind.Fn("ttest_rel", "Student's test of the hypothesis that the differences of pairs have mean 0. Two-sided.", func(_ *bind.Call, p *twoSamples) (tested, error) {
			if len(p.X) != len(p.Y) {
				return tested{}, fmt.Errorf("%d and %d values: want pairs", len(p.X), len(p.Y))
			}
			d := make([]float64, len(p.X))
			for i := range d {
				d[i] = p.X[i] - p.Y[i]
			}
			if sameDifferences(d, p.X, p.Y) {
				return tested{}, fmt.Errorf("all differences are %.6g but for rounding: their mean has no error to compare with", d[0])
			}
			return outcome(stats.TMean(d, 0))
		}, bind.Example("print(stats.ttest_rel({1, 2, 3}, {2, 1, 3}).statistic)  --> 0"), bind.Keywords("t test", "paired")),
		bind.Fn("chisquare", "Pearson's χ² test of the hypothesis that counts come from a distribution with the expected counts.", func(_ *bind.Call, p *struct {
			Counts   []float64 `arg:"f_obs" pos:"1" doc:"counts"`
			Expected []float64 `arg:"f_exp" pos:"2" doc:"expected counts; by default all the same" default:"nil"`
			Ddof     int       `arg:"ddof" doc:"how many parameters were estimated from the counts" default:"0" allow:">=0"`
		},
		) (tested, error) {
			if p.Expected == nil {
				sum := 0.0
				for _, v := range p.Counts {
					sum += v / float64(len(p.Counts))
				}
				p.Expected = slices.Repeat([]float64{sum}, len(p.Counts))
			}
			return outcome(stats.ChiSquare(p.Counts, p.Expected, p.Ddof))
		}, bind.Example("print(stats.chisquare({10, 10, 10}).pvalue)  --> 1"), bind.Keywords("chi squared", "goodness of fit")),
		bind.Fn("kstest", "The Kolmogorov–Smirnov test of the hypothesis that a sample comes from a continuous distribution, or from the same distribution as another sample.", func(_ *bind.Call, p *struct {
			X []float64                             `arg:"x" pos:"1" doc:"the sample"`
			Y bind.Either[*distribution, []float64] `arg:"y" pos:"2" doc:"a distribution, or another sample"`
		},
		) (tested, error) {
			if p.Y.IsB {
				return outcome(stats.KolmogorovSmirnov2(p.X, p.Y.B))
			}
			if p.Y.A.Discrete {
				return tested{}, fmt.Errorf("%s is discrete: the test is for continuous distributions; stats.chisquare compares counts", p.Y.A.text)
			}
			return outcome(stats.KolmogorovSmirnov(p.X, p.Y.A.Distribution))
		}, bind.Example("print(stats.kstest({0.2, 0.4, 0.9}, stats.uniform()).statistic)  --> 0.26666666666667"), bind.Keywords("kolmogorov", "smirnov", "ks_2samp", "goodness of fit")),
		bind.Fn("mannwhitneyu", "The Mann–Whitney U test (Wilcoxon's rank-sum test) of the hypothesis that the values of neither sample tend to be larger: of ranks, so for any distribution. Two-sided.",
			func(_ *bind.Call, p *twoSamples) (tested, error) {
				return outcome(stats.MannWhitney(p.X, p.Y))
			}, bind.Example("print(stats.mannwhitneyu({1, 2, 3}, {4, 5, 6}).pvalue)  --> 0.1"), bind.Keywords("wilcoxon", "rank sum", "ranksum")),
	}
}

// regression is a linear model with its errors.
type regression struct {
	Coef      *array.Array `arg:"coef" doc:"coefficients: the intercept first, if there is one, then one for each column"`
	Stderr    *array.Array `arg:"stderr" doc:"their standard errors"`
	T         *array.Array `arg:"t" doc:"coefficients divided by their standard errors"`
	Pvalue    *array.Array `arg:"pvalue" doc:"probability of a t at least as far from 0 if the coefficient is 0"`
	R2        float64      `arg:"r2" doc:"share of the variance of y that is explained"`
	Sigma     float64      `arg:"sigma" doc:"standard deviation of the residuals"`
	DF        int          `arg:"df" doc:"number of values minus number of coefficients"`
	Residuals *array.Array `arg:"residuals" doc:"y minus the model"`
}

func olsFunction() bind.Func {
	return bind.Fn("linregress", "Linear regression of y on one variable or several, with standard errors.", func(c *bind.Call, p *struct {
		X         *array.Array `arg:"x" pos:"1" doc:"a vector, or a matrix with a column for each variable"`
		Y         []float64    `arg:"y" pos:"2" doc:"the values"`
		Intercept bool         `arg:"intercept" doc:"whether the model has an intercept" default:"true"`
	},
	) (regression, error) {
		if p.X.Rank() > 2 || p.X.Shape[0] != len(p.Y) {
			return regression{}, fmt.Errorf("x of shape %s: want as many rows as y has values, %d", dense.ShapeString(p.X.Shape), len(p.Y))
		}
		width := p.X.Size() / max(1, p.X.Shape[0])
		rows := make([][]float64, len(p.Y))
		for i := range rows {
			if p.Intercept {
				rows[i] = append(rows[i], 1)
			}
			rows[i] = append(rows[i], p.X.Data[i*width:(i+1)*width]...)
		}
		r, err := stats.LeastSquares(c, rows, p.Y)
		if err != nil {
			return regression{}, err
		}
		return regression{
			array.Vector(r.Coefficients), array.Vector(r.Errors), array.Vector(r.T), array.Vector(r.P),
			r.R2, r.Sigma, r.DF, array.Vector(r.Residuals),
		}, nil
	}, bind.Errors("columns that depend on each other", "fewer values than coefficients"),
		bind.Example("print(stats.linregress({1, 2, 3, 4}, {3, 5, 7, 9}).coef[2])  --> 2"), bind.Keywords("ols", "regression", "least squares", "polyfit"), bind.See("optimize.curve_fit", "linalg.lstsq"))
}

func kdeFunction() bind.Func {
	return bind.Fn("kde", "Estimates the density that a sample comes from, by a normal distribution around each value.", func(c *bind.Call, p *struct {
		X         []float64 `arg:"x" pos:"1" doc:"the sample"`
		At        point     `arg:"at" pos:"2" doc:"where the density is wanted"`
		Bandwidth float64   `arg:"bandwidth" doc:"standard deviation of these distributions; 0 for Scott's rule" default:"0" allow:">=0 finite"`
	},
	) (numberOrArray, error) {
		v, err := stats.KernelDensity(c, p.X, p.At.x, p.Bandwidth)
		if err != nil {
			return numberOrArray{}, err
		}
		return p.At.result(v), nil
	}, bind.ReturnsAs("number|array", "as at is"), bind.Example("print(stats.kde({-1, 1}, 0, {bandwidth = 1}))  --> 0.24197072451914"), bind.Keywords("gaussian_kde", "kernel density", "histogram"))
}

// resampled is what a bootstrap says of a statistic.
type resampled struct {
	Estimate float64      `arg:"estimate" doc:"the statistic of the sample"`
	Stderr   float64      `arg:"stderr" doc:"its standard error"`
	Low      float64      `arg:"low" doc:"lower end of the confidence interval"`
	High     float64      `arg:"high" doc:"upper end"`
	Values   *array.Array `arg:"values" doc:"the statistic of each new sample, in increasing order"`
}

func bootstrapFunction() bind.Func {
	return bind.Fn("bootstrap", "Standard error and confidence interval of a statistic, from samples drawn with replacement from the sample; the interval is that of percentiles.", func(c *bind.Call, p *struct {
		X          []float64     `arg:"x" pos:"1" doc:"the sample" allow:"nonempty"`
		F          bind.Function `arg:"f" pos:"2" doc:"function of an array that returns the statistic"`
		N          int           `arg:"n" doc:"how many new samples" default:"2000" allow:"[2, 10000000]"`
		Confidence float64       `arg:"confidence" doc:"of the interval" default:"0.95" allow:"(0, 1)"`
		Seed       uint64        `arg:"seed" doc:"of the generator" default:"1"`
	},
	) (resampled, error) {
		r := rand.New(rand.NewPCG(p.Seed, 0))
		values, sample := make([]float64, p.N), make([]float64, len(p.X))
		call := func(x []float64) (float64, error) {
			v, err := p.F.Number(c, array.Vector(slices.Clone(x)))
			if err == nil && math.IsNaN(v) {
				err = fmt.Errorf("%s returns NaN for a sample drawn anew", &p.F)
			}
			return v, err
		}
		estimate, err := call(p.X)
		if err != nil {
			return resampled{}, err
		}
		for k := range values {
			for i := range sample {
				sample[i] = p.X[r.IntN(len(p.X))]
			}
			if values[k], err = call(sample); err != nil {
				return resampled{}, err
			}
		}
		slices.Sort(values)
		mean, square := 0.0, 0.0
		for _, v := range values {
			mean += v / float64(p.N)
		}
		for _, v := range values {
			square += (v - mean) * (v - mean) / float64(p.N-1)
		}
		at := func(q float64) float64 {
			i := q * float64(p.N-1)
			k := min(int(i), p.N-2)
			return values[k] + (i-float64(k))*(values[k+1]-values[k])
		}
		return resampled{estimate, math.Sqrt(square), at((1 - p.Confidence) / 2), at((1 + p.Confidence) / 2), array.Vector(values)}, nil
	}, bind.Errors("a statistic that is NaN"), bind.Example("local b = stats.bootstrap({1, 2, 3, 4, 5}, function(x) return x:mean() end)\nprint(b.estimate, b.low < 3, b.high > 3)  --> 3	true	true"),
		bind.Keywords("resampling", "confidence interval"))
}

// sameDifferences reports whether differences differ by the rounding of what they are of only.
func sameDifferences(d, x, y []float64) bool {
	most := 0.0
	for i := range x {
		most = max(most, math.Abs(x[i]), math.Abs(y[i]))
	}
	return len(d) > 1 && slices.Max(d)-slices.Min(d) <= 0x1p-51*most
}
