package kernels

import (
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/simd"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Gaussian is one term w exp(-Σ_i rate_i (p_i - q_i)²) of a mixture. A rate of
// +Inf stands for the indicator of p_i = q_i.
type Gaussian struct {
	Weight float64
	Rates  []float64 // one per coordinate
}

// Mixer is a kernel that is a mixture of Gaussians, as every completely monotone
// function of the squared distance is. Each term is a product over coordinates,
// which makes products with the kernel fast on any product of axes.
type Mixer interface {
	// Mixture returns terms whose sum is within tol of the kernel at pairs of points
	// of which each coordinate i agrees or differs by at least least[i] > 0; nil
	// when the kernel has no such form on points of len(least) coordinates.
	Mixture(least []float64, tol float64) []Gaussian
}

// Mixture asks a kernel for its terms, see [Mixer]; ok is false where it knows nothing of a
// mixture.
func Mixture(k kernel.Kernel, least []float64, tol float64) (terms []Gaussian, ok bool) {
	if m, ok := known(k).(Mixer); ok {
		return m.Mixture(least, tol), true
	}
	return nil, false
}

// Mixture implements Mixer for kernels that say so themselves, and for those whose
// expression is a positive sum of radial families, however written.
func (f *Function) Mixture(least []float64, tol float64) []Gaussian {
	if terms, ok := Mixture(f.Kernel, least, tol); ok {
		return terms
	}
	if f.Node == nil || f.Space.Dim() != len(least) {
		return nil
	}
	var all []Gaussian
	for _, n := range expr.Addends(f.Node) {
		u := findFused(n, len(least))
		if u == nil || !(u.amplitude > 0) {
			return nil
		}
		terms := scaledKernel{Factor: u.amplitude, Kernel: u.library()}.Mixture(least, tol)
		if terms == nil {
			return nil
		}
		all = append(all, terms...)
	}
	return all
}

// library is the kernel of the library, but for the amplitude, which the loops of the
// family compute; nil when there is none.
func (u *fused) library() kernel.Kernel {
	lengthscale := func(rate float64) kernel.Lengthscale { // rate is that of the distance in units of the lengthscale
		l := make(kernel.Lengthscale, len(u.scale))
		for i, s := range u.scale {
			l[i] = rate / math.Abs(s)
		}
		return l
	}
	switch u.family {
	case simd.SE:
		return kernel.SE{Lengthscale: lengthscale(math.Sqrt(0.5))}
	case simd.Exponential:
		return kernel.Exponential{Lengthscale: lengthscale(1)}
	case simd.Matern32:
		return kernel.Matern{Nu: 1.5, Lengthscale: lengthscale(math.Sqrt(3))}
	case simd.Matern52:
		return kernel.Matern{Nu: 2.5, Lengthscale: lengthscale(math.Sqrt(5))}
	}
	return nil
}

// rates returns rate/ℓ_i² for every coordinate, nil for an unknown lengthscale.
func (l lengths) rates(d int, rate float64) []float64 {
	r := make([]float64, d)
	for i := range r {
		s, err := l.of(i, d)
		if err != nil {
			return nil
		}
		r[i] = rate / (s * s)
	}
	return r
}

// scaled returns the smallest of least[i]/ℓ_i, false for an unknown lengthscale.
func (l lengths) scaled(least []float64) (best float64, known bool) {
	best = math.Inf(1)
	for i, v := range least {
		s, err := l.of(i, len(least))
		if err != nil {
			return 0, false
		}
		best = min(best, v/s)
	}
	return best, true
}

// Mixture implements Mixer: a single term.
func (k se) Mixture(least []float64, _ float64) []Gaussian {
	r := lengths(k.Lengthscale).rates(len(least), 0.5)
	if r == nil {
		return nil
	}
	return []Gaussian{{Weight: 1, Rates: r}}
}

func (k exponential) Mixture(least []float64, tol float64) []Gaussian {
	return maternMixture(0.5, lengths(k.Lengthscale), least, tol)
}

func (k matern) Mixture(least []float64, tol float64) []Gaussian {
	return maternMixture(k.Nu, lengths(k.Lengthscale), least, tol)
}

func (k scaledKernel) Mixture(least []float64, tol float64) []Gaussian {
	terms, _ := Mixture(k.Kernel, least, tol/math.Max(k.Factor, 1))
	terms = slices.Clone(terms)
	for i := range terms {
		terms[i].Weight *= k.Factor
	}
	return terms
}

func (k sumKernel) Mixture(least []float64, tol float64) []Gaussian {
	var all []Gaussian
	for _, t := range k.Terms {
		terms, _ := Mixture(t, least, tol)
		if terms == nil {
			return nil
		}
		all = append(all, terms...)
	}
	return all
}

// maternMixture discretises
//
//	C_ν(δ) = 1/Γ(ν) ∫ t^(ν-1) e^(-t) exp(-ν δ²/(2t)) dt,   t = e^τ,
//
// (Abramowitz & Stegun 9.6.24 with its substitution) by the trapezoid rule in τ.
// Its error is at most that of the integrand on the lines Im τ = ±y, which is
// cos(y)^-ν as large, times exp(-2π y/h), for any y < π/2. Terms too narrow to be seen at the least
// distance are gathered into one that only sees coincident points.
func maternMixture(nu float64, l lengths, least []float64, tol float64) []Gaussian {
	d := len(least)
	nearest, known := l.scaled(least)
	if !known {
		return nil
	}
	h := 0.0
	for y := 0.3; y < 1.57; y += 0.01 {
		h = math.Max(h, 2*math.Pi*y/(math.Log(8/tol)-nu*math.Log(math.Cos(y))))
	}
	lg, _ := math.Lgamma(nu)
	weight := func(tau float64) float64 { return h * math.Exp(nu*tau-math.Exp(tau)-lg) }
	top := math.Log(math.Log(1/tol)+10+4*nu) + h
	bottom := math.Log(tol/10)/nu - 1
	var terms []Gaussian
	narrow := 0.0
	for tau := math.Ceil(top/h) * h; tau >= bottom; tau -= h {
		w := weight(tau)
		rate := nu / (2 * math.Exp(tau))
		if rate*nearest*nearest > 80 {
			narrow += w
			continue
		}
		if w > tol*1e-4 {
			terms = append(terms, Gaussian{Weight: w, Rates: l.rates(d, rate)})
		}
	}
	if narrow > 0 {
		terms = append(terms, Gaussian{Weight: narrow, Rates: l.rates(d, math.Inf(1))})
	}
	return terms
}

// at returns the term's value for the differences p - q.
func (g Gaussian) at(difference []float64) float64 {
	sum := 0.0
	for i, v := range difference {
		if v != 0 {
			sum += g.Rates[i] * v * v
		}
	}
	return g.Weight * math.Exp(-sum)
}
