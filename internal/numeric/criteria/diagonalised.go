package criteria

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Diagonalised is a problem in all eigenvectors of its operator A, taken at λ = 1 with one ρ/λ.
// At another ρ/λ, r, the bias is an update of A by a matrix of low rank,
//
//	A(r) = A + δ U Uᵀ ,  δ = 1/r - 1/Ratio ,
//
// and with D = A + λ and M = Uᵀ D⁻¹ U the criteria follow exactly from Woodbury's formula and
// that for determinants, at n k² multiplications for n eigenvalues and k columns of U:
//
//	(A(r) + λ)⁻¹ = D⁻¹ - D⁻¹ U δ (I + δ M)⁻¹ Uᵀ D⁻¹
//	log det (A(r) + λ) = log det D + log det (I + δ M) .
//
// At smaller ρ/λ this loses no digits beyond those of A(r), for then δ > 0. At greater ones the
// eigenvalues of I + δ M are at least Ratio/r, as no eigenvalue of M is greater than Ratio, and
// those of A, from which the bias is taken away, carry the rounding of the largest.
type Diagonalised struct {
	RSS0    float64
	Outputs int
	Values  int // outputs, less one for a free constant
	Ratio   float64

	Eigenvalues []float64
	T           []float64  // its components along the eigenvectors
	Bias        *mat.Dense // U in the eigenvectors; nil: without bias
	Rest        float64    // ‖T‖² outside of the eigenvectors, where A is zero
	Zeros       int        // dimensions there
}

const (
	ratioAbove = 10. // by which factor ρ/λ may be greater than that of the eigenvectors
	ratioBelow = 1e8 // and less
)

// Reaches reports whether the criteria at another ρ/λ follow from these eigenvectors.
func (d *Diagonalised) Reaches(ratio float64) bool {
	return d.Bias == nil || ratio <= ratioAbove*d.Ratio && ratio*ratioBelow >= d.Ratio
}

// At is the criteria at a ρ/λ.
func (d *Diagonalised) At(ratio float64) Curve {
	u := updated{Diagonalised: d, ratio: ratio}
	if d.Bias != nil && ratio != d.Ratio {
		u.by = 1/ratio - 1/d.Ratio
	}
	u.top = u.largest()
	return u
}

// KnowZeros makes as many eigenvalues zero as are known to be: of a free constant that was
// projected out, and of outputs that are missing. Rounding of them would be all that is left of the
// degrees of freedom where λ is small.
func (d *Diagonalised) KnowZeros() { knowZeros(d.Eigenvalues, d.Values) }

// knowZeros makes those eigenvalues zero that are nearest to it, but for as many.
func knowZeros(values []float64, but int) {
	sizes := make([]float64, len(values))
	for i, v := range values {
		sizes[i] = math.Abs(v)
	}
	slices.Sort(sizes)
	zeros := len(values) - but
	for i, v := range values {
		if zeros > 0 && math.Abs(v) <= sizes[zeros-1] {
			values[i] = 0
		}
	}
}

// Rules are the eigenvalues at a ρ/λ, from the matrix A(r). Cost: its eigenvectors.
func (d *Diagonalised) Rules(ctx context.Context, ratio float64) (Rules, error) {
	values, squares := slices.Clone(d.Eigenvalues), slices.Clone(d.T)
	if n := len(values); d.Bias != nil && ratio != d.Ratio {
		a := mat.NewDense(n, n, nil)
		if err := linop.MulContext(ctx, a, d.Bias, d.Bias.T()); err != nil {
			return Rules{}, err
		}
		a.Scale(1/ratio-1/d.Ratio, a)
		for i, v := range d.Eigenvalues {
			a.Set(i, i, a.At(i, i)+v)
		}
		var v *mat.Dense
		var err error
		if values, v, err = linop.Eigen(ctx, a); err != nil {
			return Rules{}, err
		}
		knowZeros(values, d.Values)
		mat.NewVecDense(n, squares).MulVec(v.T(), mat.NewVecDense(n, d.T))
	}
	floats.Mul(squares, squares)
	s := Rules{RSS0: d.RSS0, Outputs: d.Outputs, Values: d.Values, Ratio: ratio}
	s.AllEigenvalues(append(values, 0), append(squares, d.Rest), append(ones(len(values)), float64(d.Zeros)))
	return s, nil
}

// updated is a Diagonalised at a ρ/λ.
type updated struct {
	*Diagonalised
	ratio, by float64 // by is δ
	top       float64
}

// parts is what the criteria at λ are made of.
type parts struct{ quad, zz, logDet, df, free float64 } // free is the residual degrees of freedom

// parts is at λ; without df where only REML is wanted.
func (u updated) parts(ctx context.Context, lambda float64, df bool) (parts, error) {
	n := len(u.Eigenvalues)
	z, half := make([]float64, n), make([]float64, n) // D⁻¹ T and D^-½
	p := parts{free: float64(u.Values - n)}
	for i, a := range u.Eigenvalues {
		a = max(a, 0)
		z[i], half[i] = u.T[i]/(a+lambda), 1/math.Sqrt(a+lambda)
		p.logDet += math.Log1p(a / lambda)
		p.df += a / (a + lambda)
		p.free += lambda / (a + lambda)
	}
	if u.by != 0 {
		if err := u.update(ctx, lambda, z, half, df, &p); err != nil {
			return p, err
		}
	}
	p.quad = u.RSS0 + u.Rest + lambda*floats.Dot(u.T, z)
	p.zz = u.Rest + lambda*lambda*floats.Dot(z, z)
	return p, linop.Stopped(ctx)
}

// update is for the bias.
func (u updated) update(ctx context.Context, lambda float64, z, half []float64, df bool, p *parts) error {
	n, k := u.Bias.Dims()
	scaled, m := mat.DenseCopyOf(u.Bias), mat.NewDense(k, k, nil) // D^-½ U and M
	for i, s := range half {
		floats.Scale(s, scaled.RawRowView(i))
	}
	if err := linop.MulContext(ctx, m, scaled.T(), scaled); err != nil {
		return err
	}
	m.Scale(u.by, m)
	for i := range k {
		m.Set(i, i, m.At(i, i)+1)
	}
	f, err := linop.Cholesky(ctx, linop.Symmetric(m))
	if err := linop.Stopped(ctx); err != nil {
		return err
	}
	if err != nil {
		return fmt.Errorf("lambda %.3g: rounding is greater than the part of the bias", lambda)
	}
	p.logDet += f.LogDet()
	var h, g mat.VecDense
	h.MulVec(u.Bias.T(), mat.NewVecDense(n, z))
	if err := f.SolveVecTo(&h, &h); err != nil {
		return fmt.Errorf("lambda %.3g: %w", lambda, err)
	}
	g.MulVec(u.Bias, &h)
	for i, s := range half {
		z[i] -= u.by * s * s * g.AtVec(i)
	}
	if !df {
		return nil
	}
	for i, s := range half { // D⁻¹ U
		floats.Scale(s, scaled.RawRowView(i))
	}
	if err := linop.MulContext(ctx, m, scaled.T(), scaled); err != nil {
		return err
	}
	var both mat.Dense
	if err := f.SolveTo(&both, m); err != nil {
		return fmt.Errorf("lambda %.3g: %w", lambda, err)
	}
	more := lambda * u.by * mat.Trace(&both)
	p.df, p.free = p.df+more, p.free-more
	return nil
}

// largest is the largest eigenvalue of A(r), by the power method.
func (u updated) largest() float64 {
	top := slices.Max(append([]float64{0}, u.Eigenvalues...))
	if u.by == 0 {
		return top
	}
	const steps = 40
	n := len(u.Eigenvalues)
	x, y, a := mat.NewVecDense(n, Signs(n, 0)), mat.NewVecDense(n, nil), 0.0
	var h mat.VecDense
	for range steps {
		x.ScaleVec(1/mat.Norm(x, 2), x)
		h.MulVec(u.Bias.T(), x)
		y.MulVec(u.Bias, &h)
		for i, v := range u.Eigenvalues {
			y.SetVec(i, v*x.AtVec(i)+u.by*y.AtVec(i))
		}
		if a = mat.Norm(y, 2); !(a > 0) {
			return 0
		}
		x, y = y, x
	}
	return a
}

// Value implements Curve. Of leaving out pairs, which it does not know, it gives GCV.
func (u updated) Value(ctx context.Context, by Criterion, lambda float64) (float64, error) {
	p, err := u.parts(ctx, lambda, by != REML)
	if by == REML {
		n := float64(u.Values)
		return 0.5 * (n*math.Log(p.quad/n) + p.logDet), err
	}
	return u.gcv(p), err
}

func (u updated) gcv(p parts) float64 {
	return float64(u.Outputs) * (u.RSS0 + p.zz) / (p.free * p.free)
}

// Sheet implements Curve.
func (u updated) Sheet(ctx context.Context, lambda float64) (Sheet, error) {
	p, err := u.parts(ctx, lambda, true)
	n := float64(u.Values)
	return Sheet{
		Lambda: lambda, Rho: u.ratio * lambda, REML: 0.5 * (n*math.Log(p.quad/n) + p.logDet), GCV: u.gcv(p), LOO: math.NaN(),
		EffectiveDF: p.df, ResidualDF: p.free, LogDet: p.logDet, RhoSlope: math.NaN(),
		Slope: slope(n, p.quad, u.RSS0, p.zz, p.df),
	}, err
}

// Top implements Curve.
func (u updated) Top() float64 { return u.top }

// Reach implements Curve.
func (u updated) Reach(by Criterion) float64 {
	if by == LOO {
		return 0
	}
	return math.Inf(1)
}
