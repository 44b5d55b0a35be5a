package criteria

import "gonum.org/v1/gonum/mat"

// Closed evaluates the criteria of a problem that is diagonal in good bases of pairs and
// outputs: exactly for separable kernels, otherwise near enough to begin a search from: of
// the determinant it is an upper bound, off by up to hundreds of nats. With N values,
//
//	D_ik = 1 + C_ik/λ + β_ik² q_k/ρ ,
//
// the last term where ρ/λ is not Open, otherwise β_k β_kᵀ q_k/ρ as a matrix of rank one in each
// mode k, R its inverse and Z = R T,
//
//	REML = ½ (N log(quad/N) + log det R⁻¹),  quad = rss₀ + ⟨T, Z⟩
//	GCV  = N (rss₀ + ‖Z‖²) / ((n-r) my + tr R)²
//	LOO  = Σ ((residual)_ik / (1 - h_iik))²,  h the leverage of pair i in mode k
//
// With a free constant R is that of the contrasts, R - R ĉ ĉᵀR / ĉᵀRĉ, one value fewer
// counts in REML, and log ĉᵀRĉ is added to the determinant.
//
// Where Shares are given the sums over D count what of each mode they say, and LOO is not
// known.
type Closed struct {
	Green *mat.Dense // C, r × my; not negative
	Row   *mat.Dense // β of each class of modes, r × classes; nil without bias and free constant
	Class []int      // of each mode k; nil: there is one
	Out   []float64  // q; not negative; nil without bias
	Open  bool

	T           *mat.Dense // r × my
	P           *mat.Dense // orthonormal columns, pairs × r: T is Pᵀ times the outputs
	Unexplained *mat.Dense // what P leaves of the outputs, pairs × my; nil when zero
	RSS0        float64    // its squares
	Outputs     float64    // N

	Constant []float64  // y of the direction ĉ_ik = β_ik y_k that is not penalised; nil: none
	Shares   *mat.Dense // of each mode; nil: all one
}

// class is that of a mode of the outputs.
func (c *Closed) class(k int) int {
	if c.Class == nil {
		return 0
	}
	return c.Class[k]
}

// point is the closed form at one λ and ρ.
type point struct {
	*Closed
	lambda, rho float64
	inv         []float64 // 1/D, row-major
	logD        []float64 // Σ log D of each row; with shares of modes, of these
	bias
}

// bias is what the inverse R has of the bias and the free constant, mode by mode of the
// outputs: R T = (T - β hᵀ)/D.
type bias struct {
	h       []float64 // nil when there is neither
	alpha   []float64 // q/ρ where the bias is not part of D; else 0
	s       []float64 // Σ_i β_ik²/D_ik
	y       []float64 // D^-1-weighted ĉ: (R ĉ)_ik = β_ik y_k/D_ik; nil without a free constant
	size    float64   // ĉᵀ R ĉ
	penalty float64   // part of ⟨T, R T⟩ that is the penalty of β
}
