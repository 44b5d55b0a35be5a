package criteria

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	modestStart = -3.0 // of log s, for the search for what is most probable
	modeSteps   = 25   // of that search
	told        = 0.4  // standard deviation of log s up to which a size is as good as known

	leastInformation = 1e-2 // about log s: that of a standard deviation of 10
)

// posterior is that of the free sizes.
type posterior struct {
	likelihood *Components
	variants   [][]*mat.Dense // of the covariance of each term; nil: there is one
	free       parameters
}

// of is the likelihood of some variants.
func (p *posterior) of(variants []int) *Components {
	if len(variants) == 0 {
		return p.likelihood
	}
	own := *p.likelihood
	own.C = slices.Clone(own.C)
	for k, v := range variants {
		if p.variants[k] != nil {
			own.C[k] = p.variants[k][v]
		}
	}
	return &own
}

// beforehand is minus the logarithm of the density of all log s, up to a constant, with the share of each in
// the variance, and what the logarithm of the variance is multiplied by: half the number of shares.
func (p *posterior) beforehand(s Sizes) (value float64, shares []float64, times float64) {
	all := append(slices.Clone(s), 0) // that of the noise
	variance := floats.LogSumExp(all)
	times = 0.5
	for k := range p.each {
		value, times = value-s[k]/2, times+0.5
	}
	for _, v := range s {
		shares = append(shares, math.Exp(v-variance))
	}
	return value + times*variance, shares, times
}

// each yields a size for each parameter.
func (p *posterior) each(yield func(k int) bool) {
	seen := false
	for k := range p.free.count {
		_, fixed := p.free.fixed[k]
		if fixed && seen {
			continue
		}
		if seen = seen || fixed; !yield(k) {
			return
		}
	}
}
