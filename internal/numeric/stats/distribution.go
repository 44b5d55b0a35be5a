package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/greenbench/workbench/internal/numeric/special"
)

// Distribution is a probability distribution of numbers.
type Distribution struct {
	Mean, Variance float64 // NaN or infinite where there is none
	Discrete       bool    // on whole numbers: Density is the probability of one
	Density        func(x float64) float64
	// Tails are the probabilities of at most x and of more than x, each to its own digits.
	Tails func(x float64) (lower, upper float64)
	// Quantile is the x with a probability p of at most x; the least of a discrete one.
	Quantile func(p float64) float64
	Draw     func(r *rand.Rand) float64
}

func normal(mean, std float64) Distribution {
	return Distribution{
		Mean: mean, Variance: std * std,
		Density: func(x float64) float64 {
			z := (x - mean) / std
			return math.Exp(-z*z/2) / (std * math.Sqrt(2*math.Pi))
		},
		Tails: func(x float64) (float64, float64) {
			z := (x - mean) / (std * math.Sqrt2)
			return math.Erfc(-z) / 2, math.Erfc(z) / 2
		},
		Quantile: func(p float64) float64 { return mean + std*normalQuantile(p) },
		Draw:     func(r *rand.Rand) float64 { return mean + std*r.NormFloat64() },
	}
}

// normalQuantile polishes the inverse of the standard library, which has no digits of small p.
func normalQuantile(p float64) float64 {
	if p > 0.5 {
		return -normalQuantile(1 - p)
	}
	x := -math.Sqrt2 * math.Erfcinv(2*p)
	if p < 1e-15 { // where that is infinite: the tail is exp(-x²/2) times little
		x = -math.Sqrt(-2 * math.Log(p))
	}
	if p > 0 {
		for range 8 { // Newton, on the logarithm of the tail
			tail := math.Erfc(-x/math.Sqrt2) / 2
			step := math.Log(tail/p) * tail * math.Sqrt(2*math.Pi) * math.Exp(x*x/2)
			if x -= step; math.Abs(step) < 1e-15*math.Abs(x) {
				break
			}
		}
	}
	return x
}

func uniform(a, b float64) Distribution {
	return Distribution{
		Mean: a/2 + b/2, Variance: (b - a) * (b - a) / 12,
		Density: func(x float64) float64 {
			if x < a || x > b {
				return 0
			}
			return 1 / (b - a)
		},
		Tails: func(x float64) (float64, float64) {
			x = min(max(x, a), b)
			return (x - a) / (b - a), (b - x) / (b - a)
		},
		Quantile: func(p float64) float64 { return a*(1-p) + b*p },
		Draw:     func(r *rand.Rand) float64 { return a + (b-a)*r.Float64() },
	}
}

func weibull(shape, scale float64) Distribution {
	m := math.Gamma(1 + 1/shape)
	return Distribution{
		Mean: scale * m, Variance: scale * scale * (math.Gamma(1+2/shape) - m*m),
		Density: func(x float64) float64 {
			if x < 0 {
				return 0
			}
			z := x / scale
			return shape / scale * math.Pow(z, shape-1) * math.Exp(-math.Pow(z, shape))
		},
		Tails: func(x float64) (float64, float64) {
			z := math.Pow(max(x, 0)/scale, shape)
			return -math.Expm1(-z), math.Exp(-z)
		},
		Quantile: func(p float64) float64 { return scale * math.Pow(-math.Log1p(-p), 1/shape) },
		Draw:     func(r *rand.Rand) float64 { return scale * math.Pow(r.ExpFloat64(), 1/shape) },
	}
}

func gamma(shape, scale float64) Distribution {
	return Distribution{
		Mean: shape * scale, Variance: shape * scale * scale,
		Density: func(x float64) float64 {
			z := x / scale
			switch {
			case x < 0:
				return 0
			case x == 0 && shape == 1:
				return 1 / scale
			case shape > 15: // beside that, logarithms of gamma functions cancel
				return poissonProbability(shape-1, z) / scale
			}
			return math.Exp((shape-1)*math.Log(z)-z-special.LogGamma(shape)) / scale
		},
		Tails:    func(x float64) (float64, float64) { return special.GammaInc(shape, max(x, 0)/scale) },
		Quantile: func(p float64) float64 { return scale * special.GammaIncInv(shape, p, false) },
		Draw:     func(r *rand.Rand) float64 { return scale * drawGamma(r, shape) },
	}
}

// drawGamma is the method of Marsaglia and Tsang (ACM Trans. Math. Softw. 26, 2000).
func drawGamma(r *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return drawGamma(r, shape+1) * math.Pow(1-r.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	for {
		x := r.NormFloat64()
		v := 1 + x/(3*math.Sqrt(d))
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

func beta(a, b float64) Distribution {
	return Distribution{
		Mean: a / (a + b), Variance: a * b / ((a + b) * (a + b) * (a + b + 1)),
		Density: func(x float64) float64 {
			if x < 0 || x > 1 {
				return 0
			}
			l := -special.LogBeta(a, b)
			if a != 1 {
				l += (a - 1) * math.Log(x)
			}
			if b != 1 {
				l += (b - 1) * math.Log1p(-x)
			}
			return math.Exp(l)
		},
		Tails:    func(x float64) (float64, float64) { return special.BetaInc(a, b, min(max(x, 0), 1)) },
		Quantile: func(p float64) float64 { return special.BetaIncInv(a, b, p) },
		Draw: func(r *rand.Rand) float64 {
			x, y := drawGamma(r, a), drawGamma(r, b)
			return x / (x + y)
		},
	}
}

// ratio is the F distribution; its tails are those of the beta distribution.
func ratio(m, n float64) Distribution {
	mean, variance := math.Inf(1), math.NaN()
	if n > 2 {
		mean, variance = n/(n-2), math.Inf(1)
	}
	if n > 4 {
		variance = 2 * n * n * (m + n - 2) / (m * (n - 2) * (n - 2) * (n - 4))
	}
	return Distribution{
		Mean: mean, Variance: variance,
		Density: func(x float64) float64 {
			switch {
			case x < 0:
				return 0
			case x == 0 && m == 2:
				return 1
			}
			return math.Exp(m/2*math.Log(m/n) + (m/2-1)*math.Log(x) - (m+n)/2*math.Log1p(m*x/n) - special.LogBeta(m/2, n/2))
		},
		Tails: func(x float64) (float64, float64) {
			x = max(x, 0)
			if m*x < n {
				return special.BetaInc(m/2, n/2, m*x/(n+m*x))
			}
			upper, lower := special.BetaInc(n/2, m/2, n/(n+m*x))
			return lower, upper
		},
		Quantile: func(p float64) float64 {
			if y := special.BetaIncInv(m/2, n/2, p); y < 0.5 {
				return n * y / (m * (1 - y))
			}
			y := special.BetaIncInv(n/2, m/2, 1-p)
			return n * (1 - y) / (m * y)
		},
		Draw: func(r *rand.Rand) float64 { return drawGamma(r, m/2) / m / (drawGamma(r, n/2) / n) },
	}
}

func student(n float64) Distribution {
	if n > 1e20 { // normal to the last digit
		return normal(0, 1)
	}
	mean, variance := math.NaN(), math.NaN()
	if n > 1 {
		mean, variance = 0, math.Inf(1)
	}
	if n > 2 {
		variance = n / (n - 2)
	}
	return Distribution{
		Mean: mean, Variance: variance,
		Density: func(x float64) float64 {
			return math.Exp(-(n+1)/2*math.Log1p(x*x/n)-special.LogBeta(n/2, 0.5)) / math.Sqrt(n)
		},
		Tails: func(x float64) (float64, float64) {
			var far, near float64
			const farthest = 1e100 // in units of √n: from here on the tail is a power, and squares overflow
			if z := math.Abs(x) / math.Sqrt(n); z > farthest {
				far = math.Exp(-n*math.Log(z)-special.LogBeta(n/2, 0.5)) / n
				near = 1 - far
			} else if x*x < n {
				inside, outside := special.BetaInc(0.5, n/2, x*x/(n+x*x))
				far, near = outside/2, 0.5+inside/2
			} else {
				outside, inside := special.BetaInc(n/2, 0.5, n/(n+x*x))
				far, near = outside/2, 0.5+inside/2
			}
			if x > 0 {
				return near, far
			}
			return far, near
		},
		Quantile: func(p float64) float64 {
			q, s := p, -1.0
			if p > 0.5 {
				q, s = 1-p, 1
			}
			if q > 0.25 {
				y := special.BetaIncInv(0.5, n/2, 1-2*q)
				return s * math.Sqrt(n*y/(1-y))
			}
			y := special.BetaIncInv(n/2, 0.5, 2*q)
			if y < 1e-200 { // the power that the tail is
				return s * math.Sqrt(n) * math.Exp(-(math.Log(q*n)+special.LogBeta(n/2, 0.5))/n)
			}
			return s * math.Sqrt(n*(1-y)/y)
		},
		Draw: func(r *rand.Rand) float64 { return r.NormFloat64() / math.Sqrt(2*drawGamma(r, n/2)/n) },
	}
}

func lognormal(mu, sigma float64) Distribution {
	n := normal(mu, sigma)
	return Distribution{
		Mean: math.Exp(mu + sigma*sigma/2), Variance: math.Expm1(sigma*sigma) * math.Exp(2*mu+sigma*sigma),
		Density: func(x float64) float64 {
			if x <= 0 {
				return 0
			}
			return n.Density(math.Log(x)) / x
		},
		Tails: func(x float64) (float64, float64) {
			if x <= 0 {
				return 0, 1
			}
			return n.Tails(math.Log(x))
		},
		Quantile: func(p float64) float64 { return math.Exp(n.Quantile(p)) },
		Draw:     func(r *rand.Rand) float64 { return math.Exp(n.Draw(r)) },
	}
}

// discrete completes a distribution on 0, 1, …, most by its probabilities.
func discrete(mean, variance, most float64, probability func(k float64) float64, tails func(k float64) (lower, upper float64)) Distribution {
	d := Distribution{Mean: mean, Variance: variance, Discrete: true}
	d.Density = func(x float64) float64 {
		if x < 0 || x > most || x != math.Floor(x) {
			return 0
		}
		return probability(x)
	}
	d.Tails = func(x float64) (float64, float64) {
		switch x = math.Floor(x); {
		case x < 0:
			return 0, 1
		case x >= most:
			return 1, 0
		}
		return tails(x)
	}
	d.Quantile = func(p float64) float64 {
		if p >= 1 {
			return most
		}
		high := min(most, math.Ceil(mean+10*math.Sqrt(variance)+10))
		for lower, _ := d.Tails(high); lower < p && high < most; lower, _ = d.Tails(high) {
			high = min(2*high, most)
		}
		reached := func(k float64) bool {
			const rounding = 64 * 0x1p-52 // of the tails: a p that is one of them has its own number
			lower, upper := d.Tails(k)
			if p > 0.5 {
				return upper <= (1-p)*(1+rounding)+0x1p-53
			}
			return lower >= p*(1-rounding)
		}
		if high > 1<<53 { // whole numbers are as far apart as floating point numbers there
			low := 0.0
			for mid := high / 2; low < mid && mid < high; mid = low + (high-low)/2 {
				if reached(mid) {
					high = mid
				} else {
					low = mid
				}
			}
			return high
		}
		return float64(sort.Search(int(high), func(k int) bool { return reached(float64(k)) }))
	}
	d.Draw = func(r *rand.Rand) float64 { return d.Quantile(1 - r.Float64()) }
	return d
}

func poisson(mean float64) Distribution {
	return discrete(mean, mean, math.Inf(1), func(k float64) float64 { return poissonProbability(k, mean) }, func(k float64) (float64, float64) {
		upper, lower := special.GammaInc(k+1, mean)
		return lower, upper
	})
}

func binomial(n, p float64) Distribution {
	return discrete(n*p, n*p*(1-p), n, func(k float64) float64 { return binomialProbability(n, k, p) }, func(k float64) (float64, float64) {
		upper, lower := special.BetaInc(k+1, n-k, p)
		return lower, upper
	})
}

// New returns a distribution by its name and parameters: norm (mean, standard deviation),
// uniform (ends), exponential (mean), gamma and weibull (shape, scale), beta (a, b), t and
// chi2 (degrees of freedom), f (of both), lognormal (mean and standard deviation of the
// logarithm), binomial (number, probability), poisson (mean).
func New(name string, a, b float64) (Distribution, error) {
	positive := func(v float64, what string) error {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("%s %g: must be > 0", what, v)
		}
		return nil
	}
	var err error
	switch name {
	case "norm":
		return normal(a, b), positive(b, "std")
	case "uniform":
		if !(a < b) || math.IsInf(b-a, 0) {
			err = fmt.Errorf("from %g to %g: want the lower end first", a, b)
		}
		return uniform(a, b), err
	case "exponential":
		return weibull(1, a), positive(a, "scale")
	case "gamma", "weibull", "beta", "f":
		if err = positive(a, "first parameter"); err == nil {
			err = positive(b, "second parameter")
		}
		return map[string]func(a, b float64) Distribution{"gamma": gamma, "weibull": weibull, "beta": beta, "f": ratio}[name](a, b), err
	case "t":
		return student(a), positive(a, "df")
	case "chi2":
		return gamma(a/2, 2), positive(a, "df")
	case "lognormal":
		return lognormal(a, b), positive(b, "sigma")
	case "binomial":
		if a < 0 || a != math.Floor(a) || a > 1<<53 || !(b >= 0 && b <= 1) {
			err = fmt.Errorf("n %g and p %g: want a whole number and a probability", a, b)
		}
		return binomial(a, b), err
	case "poisson":
		return poisson(a), positive(a, "mean")
	}
	return Distribution{}, fmt.Errorf("no distribution %q", name)
}
