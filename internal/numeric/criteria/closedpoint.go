package criteria

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

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
// known. Searches ask one after another; it is not for several at once.
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

	last    *diagonal  // the one that was asked for last
	squared *mat.Dense // of the entries of P; nil: nobody has asked for them
	own     []float64  // what of each pair P does not see
}

// class is that of a mode of the outputs.
func (c *Closed) class(k int) int {
	if c.Class == nil {
		return 0
	}
	return c.Class[k]
}

// betas stores β of each mode of row i.
func (c *Closed) betas(beta []float64, i int) {
	row := c.Row.RawRowView(i)
	for k := range beta {
		beta[k] = row[0]
	}
	for k, class := range c.Class {
		beta[k] = row[class]
	}
}

// diagonal is D at one λ, and at one ρ where that is part of it, with all sums over it that the
// criteria need: with them any ρ that is not part of it costs a sum over the modes of the
// outputs. The squares are those of T - β hᵀ for the h that leaves least of ⟨T, Z⟩, so that no
// two great numbers cancel where β explains all but a little.
type diagonal struct {
	lambda, rho float64   // ρ is 0 where it is not part of D
	inv         []float64 // 1/D, row-major

	logD, modes, left float64 // Σ log D, how many modes there are, and Σ 1/D; with shares, of these

	s, twice         []float64 // Σ_i β_ik²/D_ik and Σ_i β_ik²/D_ik²; nil without β
	best             []float64 // h: Σ_i β_ik T_ik/D_ik / s_k
	quad, zz, across []float64 // of what that leaves, e: Σ_i e_ik²/D_ik, Σ_i e_ik²/D_ik², Σ_i β_ik e_ik/D_ik²
}

// diagonal is D at λ and ρ.
func (c *Closed) diagonal(lambda, rho float64) *diagonal {
	if c.Open || c.Out == nil {
		rho = 0
	}
	if c.last == nil || c.last.lambda != lambda || c.last.rho != rho {
		d := &diagonal{lambda: lambda, rho: rho}
		d.invert(c)
		d.sum(c)
		c.last = d
	}
	return c.last
}

// invert fills in 1/D and its sums.
func (d *diagonal) invert(c *Closed) {
	r, my := c.Green.Dims()
	d.inv = make([]float64, r*my)
	for i := range r {
		row := d.inv[i*my : (i+1)*my]
		for k, g := range c.Green.RawRowView(i) {
			row[k] = 1 + g/d.lambda
		}
		if d.rho > 0 {
			beta := c.Row.RawRowView(i)
			for k, q := range c.Out {
				b := beta[c.class(k)]
				row[k] += b * b / d.rho * q
			}
		}
		if c.Shares == nil {
			d.all(row)
		} else {
			d.counted(row, c.Shares.RawRowView(i))
		}
	}
	if whole := math.Round(d.modes); math.Abs(d.modes-whole) < 1e-6 {
		d.modes = whole // the trace of a projection; not where inputs cancel, whose rows are any
	}
}

// all inverts a row of D and adds it to the sums: logarithms are those of products.
func (d *diagonal) all(row []float64) {
	product, left := 1.0, 0.0
	for k, v := range row {
		if product *= v; product > 1e250 {
			d.logD += math.Log(product)
			product = 1
		}
		row[k] = 1 / v
		left += row[k] // by itself: it may be far below the rounding of the number of modes
	}
	d.logD += math.Log(product)
	d.modes += float64(len(row))
	d.left += left
}

// counted is the same for what of each mode is counted.
func (d *diagonal) counted(row, shares []float64) {
	for k, v := range row {
		row[k] = 1 / v
		d.logD += shares[k] * math.Log(v)
		d.modes += shares[k]
		d.left += shares[k] * row[k]
	}
}

// sum fills in the sums over pairs.
func (d *diagonal) sum(c *Closed) {
	_, my := c.T.Dims()
	t := c.T.RawMatrix().Data
	d.quad, d.zz = make([]float64, my), make([]float64, my)
	if c.Row == nil {
		for i, v := range t {
			z := v * d.inv[i]
			d.quad[i%my] += v * z
			d.zz[i%my] += z * z
		}
		return
	}
	d.s, d.twice, d.best, d.across = make([]float64, my), make([]float64, my), make([]float64, my), make([]float64, my)
	beta := make([]float64, my)
	s, twice, best := d.s[:len(beta)], d.twice[:len(beta)], d.best[:len(beta)]
	for i := range len(t) / my {
		c.betas(beta, i)
		v, inv := t[i*my:][:len(beta)], d.inv[i*my:][:len(beta)]
		for k, b := range beta {
			w := b * inv[k]
			s[k] += b * w
			twice[k] += w * w
			best[k] += w * v[k]
		}
	}
	for k, s := range d.s {
		if s > 0 {
			d.best[k] /= s
		}
	}
	quad, zz, across := d.quad[:len(beta)], d.zz[:len(beta)], d.across[:len(beta)]
	for i := range len(t) / my {
		c.betas(beta, i)
		v, inv := t[i*my:][:len(beta)], d.inv[i*my:][:len(beta)]
		for k, b := range beta {
			e := v[k] - b*best[k]
			z := e * inv[k]
			quad[k] += e * z
			zz[k] += z * z
			across[k] += b * inv[k] * z
		}
	}
}

// point is the closed form at one λ and ρ.
type point struct {
	*Closed
	*diagonal
	rho float64
	bias
}

// bias is what the inverse R has of the bias and the free constant, mode by mode of the
// outputs: R T = (T - β hᵀ)/D.
type bias struct {
	h       []float64 // nil when there is neither
	alpha   []float64 // q/ρ where the bias is not part of D; else 0
	y       []float64 // D^-1-weighted ĉ: (R ĉ)_ik = β_ik y_k/D_ik; nil without a free constant
	size    float64   // ĉᵀ R ĉ
	penalty float64   // part of ⟨T, R T⟩ that is the penalty of β
}
