package stats

import (
	"math"

	"github.com/greenbench/workbench/internal/numeric/special"
)

// Probabilities of large numbers are differences of logarithms that are far larger. Here they are
// written with what is left of them: Stirling's errors and deviances (Loader, Fast and accurate
// computation of binomial probabilities, 2000).

// poissonProbability is mean^k e^-mean/Γ(k+1), of any k >= 0.
func poissonProbability(k, mean float64) float64 {
	if k == 0 {
		return math.Exp(-mean)
	}
	return math.Exp(-stirlingError(k)-deviance(k, mean)) / math.Sqrt(2*math.Pi*k)
}

// binomialProbability is that of k successes in n trials.
func binomialProbability(n, k, p float64) float64 {
	switch {
	case p == 0 || p == 1:
		if k == n*p {
			return 1
		}
		return 0
	case k == 0:
		return math.Exp(n * math.Log1p(-p))
	case k == n:
		return math.Exp(n * math.Log(p))
	}
	return binomialTerm(n, k, p, 1-p)
}

// binomialTerm is C(n, k) a^k b^(n-k) of a + b = 1, each to its own digits, for k < n.
func binomialTerm(n, k, a, b float64) float64 {
	if k == 0 {
		return math.Pow(b, n)
	}
	left := n - k
	l := stirlingError(n) - stirlingError(k) - stirlingError(left) - deviance(k, n*a) - deviance(left, n*b)
	return math.Exp(l) * math.Sqrt(n/(2*math.Pi*k)/left)
}

// stirlingError is log Γ(n+1) without log √(2πn) + n log n - n.
func stirlingError(n float64) float64 {
	if n < 15 {
		return special.LogGamma(n+1) - (n+0.5)*math.Log(n) + n - math.Log(2*math.Pi)/2
	}
	u := 1 / (n * n)
	return (1./12 - u*(1./360-u*(1./1260-u*(1./1680-u*(1./1188-u*691./360360))))) / n
}

// deviance is x log(x/mean) + mean - x, with its own digits near mean.
func deviance(x, mean float64) float64 {
	v := (x - mean) / (x + mean)
	if math.Abs(v) > 0.1 {
		return x*math.Log(x/mean) + mean - x
	}
	sum, term := (x-mean)*v, 2*x*v
	for j := 3.0; ; j += 2 {
		term *= v * v
		next := sum + term/j
		if next == sum {
			return sum
		}
		sum = next
	}
}
