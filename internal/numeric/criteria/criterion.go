// Package criteria evaluates what penalties λ of G and ρ of β are chosen by, and searches
// for the best. It knows problems only as operators A = C/λ + U Uᵀ/ρ in the space of the
// data T: as matrices (Exact), as products (Probed), as their diagonal in good bases
// (Closed), as the eigenvalues of C (Rules). What makes these of data and kernels is fit's.
package criteria

import (
	"context"
	"errors"
	"math"
	"slices"
)

// Criterion names a way to choose λ.
type Criterion string

// The criteria. The first three are computed together, and reported beside one
// another.
const (
	REML Criterion = "reml" // restricted maximum likelihood: the default
	GCV  Criterion = "gcv"  // generalised cross-validation
	LOO  Criterion = "loo"  // leaving out one sample at a time, in closed form
	CV   Criterion = "cv"   // leaving out every fifth sample, by fits without them
)

// ErrNothing says that no λ is better than another.
var ErrNothing = errors.New("lambda: cannot be chosen, as no G changes what is predicted: all inputs are zero, or the kernel is zero between the points of the meshes, or a free intercept fits every output by itself; look at the inputs, or give a number for lambda")

// Evaluator gives the criteria at any λ and ρ, exactly or with their standard errors. The
// error is the context's, or solve.ErrNotPositive where rounding has eaten the problem up.
type Evaluator interface {
	At(ctx context.Context, lambda, rho float64) (Sheet, error)
}

// Sheet is the values of the criteria at one λ and ρ.
type Sheet struct {
	Lambda, Rho         float64
	REML, GCV           float64
	LOO                 float64 // NaN where it is not known
	LOOLost             bool    // it is not known because of rounding
	ResidualDF          float64 // N less the parameters in use, that GCV divides by
	LogDet, EffectiveDF float64 // log det H, with that of c; effective degrees of freedom, N' less the trace of R
	Slope, RhoSlope     float64 // derivatives of REML by log λ and log ρ together, and by log ρ alone; NaN where not known
	REMLErr, DFError    float64 // standard errors of REML and of the degrees of freedom; 0: exact
}

const (
	leftShare = 0.02 // of the values, and
	leftDF    = 10.0 // degrees of freedom, below both of which what is left says nothing of the noise;
	leastDF   = 1.0  // below this it never does
)

// NoiseOpen reports whether a fit with so many degrees of freedom left, of so many values, follows them as closely as
// any noise would be followed: the deviation of the noise is then open, down to nothing.
func NoiseOpen(left, values float64) bool {
	return left < max(leastDF, min(leftShare*values, leftDF))
}

// NoiseOpen is that of the fit at λ and ρ; false where its degrees of freedom are not known exactly.
func (v Sheet) NoiseOpen() bool {
	values := v.ResidualDF + v.EffectiveDF
	return values > 0 && v.DFError == 0 && NoiseOpen(v.ResidualDF, values)
}

// Of is the value of a criterion.
func (v Sheet) Of(by Criterion) float64 {
	switch by {
	case GCV:
		return v.GCV
	case LOO:
		return v.LOO
	}
	return v.REML
}

// Unknown is the sheet of a λ and ρ where nothing was computed.
func Unknown(lambda, rho float64) Sheet {
	nan := math.NaN()
	return Sheet{Lambda: lambda, Rho: rho, REML: nan, GCV: nan, LOO: nan}
}

// slope is the derivative of REML by log λ and log ρ together: that of quad is ⟨Z, A Z⟩,
// with Z = R T of squares zz, that of the determinant less tr(A R), the effective degrees of freedom.
func slope(values, quad, rss0, zz, df float64) float64 {
	return 0.5 * (values*(quad-rss0-zz)/quad - df)
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }
