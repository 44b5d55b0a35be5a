package bindings

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/numeric/array"
)

// Stats is the Lua module stats: distributions, tests, regression.
func Stats() bind.Module {
	return bind.Module{
		Name:  "stats",
		Doc:   "Probability distributions, summaries, correlations, tests of hypotheses, regression, kernel density, bootstrap.",
		Types: []bind.Type{distributionType()},
		Funcs: slices.Concat(distributions(), statTests(), correlations(), []bind.Func{describeSample(), olsFunction(), kdeFunction(), bootstrapFunction()}),
	}
}

func newDistribution(text, name string, a, b float64) (*distribution, error) {
	d, err := stats.New(name, a, b)
	return &distribution{d, text}, err
}

func distributionType() bind.Type {
	method := func(name, doc, what string, f func(d *distribution, x float64) float64, example string, words ...string) bind.Func {
		return bind.Fn(name, doc, func(_ *bind.Call, p *struct {
			Distribution *distribution `arg:"self"`
			X            point         `arg:"x" pos:"1" doc:"a number, or several"`
		},
		) (numberOrArray, error) {
			out := make([]float64, len(p.X.x))
			for i, x := range p.X.x {
				if name == "quantile" && !(x >= 0 && x <= 1) {
					return numberOrArray{}, fmt.Errorf("x %g: a probability: must be in [0, 1]", x)
				}
				out[i] = f(p.Distribution, x)
			}
			return p.X.result(out), nil
		}, bind.ReturnsAs("number|array", what+", as x is"), bind.Example(example), bind.Keywords(words...))
	}
	return bind.TypeOf[*distribution]("distribution", "A probability distribution of numbers, such as stats.norm().",
		bind.Properties(
			bind.Prop("mean", "its mean; NaN where there is none", func(d *distribution) float64 { return d.Mean }),
			bind.Prop("var", "its variance; NaN or infinite where there is none", func(d *distribution) float64 { return d.Variance }),
		),
		bind.Methods(
			method("pdf", "The density at x; of a distribution on whole numbers the probability of x.", "density",
				func(d *distribution, x float64) float64 { return d.Density(x) }, "print(stats.uniform(0, 2):pdf(1))  --> 0.5"),
			method("cdf", "The probability of at most x.", "probability",
				func(d *distribution, x float64) float64 { lower, _ := d.Tails(x); return lower }, "print(stats.norm():cdf(1.96))  --> 0.97500210485178"),
			method("sf", "The probability of more than x: 1 - cdf, with all its digits where that is small.", "probability",
				func(d *distribution, x float64) float64 { _, upper := d.Tails(x); return upper }, "print(stats.norm():sf(10))  --> 7.6198530241605e-24"),
			method("quantile", "The number that is not exceeded with probability x: the inverse of cdf.", "quantile",
				func(d *distribution, x float64) float64 { return d.Quantile(x) }, "print(stats.norm():quantile(0.975))  --> 1.9599639845401", "ppf", "isf", "inverse", "percentile"),
			bind.Fn("draw", "Independent numbers of the distribution; the same seed gives the same numbers.", func(c *bind.Call, p *struct {
				Distribution *distribution `arg:"self"`
				Shape        []int         `arg:"shape" doc:"length of each axis" allow:">=1 nonempty"`
				Seed         uint64        `arg:"seed" doc:"of the generator" default:"1"`
			},
			) (*array.Array, error) {
				a, err := array.Zeros(p.Shape...)
				if err != nil {
					return nil, err
				}
				r := rand.New(rand.NewPCG(p.Seed, 0))
				for i := range a.Data {
					if i%1024 == 0 && c.Err() != nil {
						return nil, c.Err()
					}
					a.Data[i] = p.Distribution.Draw(r)
				}
				return a, nil
			}, bind.Returns("an array of that shape"), bind.Example("print(math.abs(stats.gamma(3, 2):draw{shape = {10000}}:mean() - 6) < 0.2)  --> true"),
				bind.Keywords("random", "sample", "rvs")),
		),
		bind.ToString(func(d *distribution) string { return d.text }))
}

// one and two declare distributions of one and of two parameters.
func one[P any](name, doc, example string, parameter func(P) float64) bind.Func {
	return bind.Fn(name, doc, func(_ *bind.Call, p P) (*distribution, error) {
		a := parameter(p)
		return newDistribution(fmt.Sprintf("stats.%s(%g)", name, a), name, a, 0)
	}, bind.Returns("a distribution"), bind.Example(example), bind.Keywords("distribution", "probability"))
}

func two[P any](name, doc, example string, parameters func(P) (a, b float64)) bind.Func {
	return bind.Fn(name, doc, func(_ *bind.Call, p P) (*distribution, error) {
		a, b := parameters(p)
		return newDistribution(fmt.Sprintf("stats.%s(%g, %g)", name, a, b), name, a, b)
	}, bind.Returns("a distribution"), bind.Example(example), bind.Keywords("distribution", "probability"))
}

type shapeScale struct {
	Shape float64 `arg:"shape" pos:"1" doc:"shape parameter k" allow:">0 finite"`
	Scale float64 `arg:"scale" pos:"2" doc:"scale parameter θ, which multiplies every value" default:"1" allow:">0 finite"`
}

type freedom struct {
	DF float64 `arg:"df" pos:"1" doc:"degrees of freedom" allow:">0 finite"`
}

func distributions() []bind.Func {
	return []bind.Func{
		two("norm", "The normal distribution.", "print(stats.norm(1, 2):cdf(1))  --> 0.5", func(p *struct {
			Mean float64 `arg:"mean" pos:"1" doc:"mean" default:"0" allow:"finite"`
			Std  float64 `arg:"std" pos:"2" doc:"standard deviation" default:"1" allow:">0 finite"`
		},
		) (float64, float64) {
			return p.Mean, p.Std
		}),
		two("uniform", "The uniform distribution on an interval.", "print(stats.uniform(1, 3).mean)  --> 2", func(p *struct {
			A float64 `arg:"a" pos:"1" doc:"lower end" default:"0" allow:"finite"`
			B float64 `arg:"b" pos:"2" doc:"upper end" default:"1" allow:"finite"`
		},
		) (float64, float64) {
			return p.A, p.B
		}),
		one("exponential", "The exponential distribution.", "print(stats.exponential(2).mean)  --> 2", func(p *struct {
			Scale float64 `arg:"scale" pos:"1" doc:"mean" default:"1" allow:">0 finite"`
		},
		) float64 {
			return p.Scale
		}),
		two("gamma", "The gamma distribution.", "print(stats.gamma(3, 2).var)  --> 12", func(p *shapeScale) (float64, float64) { return p.Shape, p.Scale }),
		two("weibull", "The Weibull distribution.", "print(stats.weibull(1, 2).mean)  --> 2", func(p *shapeScale) (float64, float64) { return p.Shape, p.Scale }),
		two("beta", "The beta distribution on [0, 1].", "print(stats.beta(2, 2):cdf(0.5))  --> 0.5", func(p *struct {
			A float64 `arg:"a" pos:"1" doc:"the density near 0 goes as x^(a-1)" allow:">0 finite"`
			B float64 `arg:"b" pos:"2" doc:"the density near 1 goes as (1-x)^(b-1)" allow:">0 finite"`
		},
		) (float64, float64) {
			return p.A, p.B
		}),
		one("t", "Student's t distribution.", "print(stats.t(10):quantile(0.975))  --> 2.2281388519649", func(p *freedom) float64 { return p.DF }),
		one("chi2", "The χ² distribution.", "print(stats.chi2(3).mean)  --> 3", func(p *freedom) float64 { return p.DF }),
		two("f", "The F distribution: the ratio of two χ² ones, each divided by its degrees of freedom.", "print(stats.f(2, 10).mean)  --> 1.25", func(p *struct {
			DF1 float64 `arg:"df1" pos:"1" doc:"degrees of freedom of the numerator" allow:">0 finite"`
			DF2 float64 `arg:"df2" pos:"2" doc:"degrees of freedom of the denominator" allow:">0 finite"`
		},
		) (float64, float64) {
			return p.DF1, p.DF2
		}),
		two("lognormal", "The distribution of a number whose logarithm is normal.", "print(stats.lognormal(0, 1):quantile(0.5))  --> 1", func(p *struct {
			Mu    float64 `arg:"mu" pos:"1" doc:"mean of the logarithm" default:"0" allow:"finite"`
			Sigma float64 `arg:"sigma" pos:"2" doc:"standard deviation of the logarithm" default:"1" allow:">0 finite"`
		},
		) (float64, float64) {
			return p.Mu, p.Sigma
		}),
		two("binomial", "The binomial distribution: how many of n independent trials succeed.", "print(stats.binomial(4, 0.5):pdf(2))  --> 0.375", func(p *struct {
			N int     `arg:"n" pos:"1" doc:"number of trials" allow:">=0"`
			P float64 `arg:"p" pos:"2" doc:"probability that a trial succeeds" allow:"[0, 1]"`
		},
		) (float64, float64) {
			return float64(p.N), p.P
		}),
		one("poisson", "The Poisson distribution: how many of many rare, independent events happen.", "print(stats.poisson(2):pdf(0))  --> 0.13533528323661", func(p *struct {
			Mean float64 `arg:"mean" pos:"1" doc:"mean" allow:">0 finite"`
		},
		) float64 {
			return p.Mean
		}),
	}
}

// summary is what describe says of a sample.
type summary struct {
	N        int     `arg:"n" doc:"number of values"`
	Mean     float64 `arg:"mean" doc:"mean"`
	Std      float64 `arg:"std" doc:"standard deviation of the population, √(Σ(x-mean)²/(n-1))"`
	Stderr   float64 `arg:"stderr" doc:"standard error of the mean"`
	Min      float64 `arg:"min" doc:"least value"`
	Q1       float64 `arg:"q1" doc:"first quartile"`
	Median   float64 `arg:"median" doc:"median"`
	Q3       float64 `arg:"q3" doc:"third quartile"`
	Max      float64 `arg:"max" doc:"largest value"`
	Skewness float64 `arg:"skewness" doc:"third central moment over the cube of the standard deviation, with divisor n in both"`
	Kurtosis float64 `arg:"kurtosis" doc:"fourth central moment over the fourth power of the standard deviation, minus 3; with divisor n in both"`
}

func describeSample() bind.Func {
	return bind.Fn("describe", "Summary of a sample.", func(_ *bind.Call, p *struct {
		X *array.Array `arg:"x" pos:"1" doc:"numbers of any shape"`
	},
	) (summary, error) {
		x := slices.Sorted(slices.Values(p.X.Data))
		n := len(x)
		if n == 0 {
			return summary{}, errors.New("x is empty")
		}
		if math.IsNaN(x[0]) { // NaN sorts first
			return summary{}, errors.New("x has NaN: leave it out first")
		}
		quantile := func(q float64) float64 {
			at := q * float64(n-1)
			i := min(int(at), max(n-2, 0))
			low, high, t := x[i], x[min(i+1, n-1)], at-float64(i)
			switch {
			case t == 0 || low == high:
				return low
			case t == 1:
				return high
			}
			return (1-t)*low + t*high // nothing but opposite infinities has no number in between
		}
		s := summary{N: n, Min: x[0], Max: x[n-1], Q1: quantile(0.25), Median: quantile(0.5), Q3: quantile(0.75)}
		var m2, m3, m4 float64
		for _, v := range x {
			s.Mean += v / float64(n)
		}
		if x[0] == x[n-1] {
			s.Mean = x[0] // without the rounding of a sum
		}
		unit := max(s.Mean-x[0], x[n-1]-s.Mean) // powers of deviations in another one may overflow
		if unit == 0 {
			unit = 1
		}
		for _, v := range x {
			d := (v - s.Mean) / unit
			m2, m3, m4 = m2+d*d/float64(n), m3+d*d*d/float64(n), m4+d*d*d*d/float64(n)
		}
		s.Std = math.Sqrt(m2*float64(n)/float64(n-1)) * unit
		s.Stderr = s.Std / math.Sqrt(float64(n))
		s.Skewness, s.Kurtosis = m3/math.Pow(m2, 1.5), m4/(m2*m2)-3
		return s, nil
	}, bind.Errors("NaN", "no values"), bind.Example("print(stats.describe({1, 2, 3, 6}).mean)  --> 3"), bind.Keywords("summary", "quartile", "skew", "kurtosis"))
}
