package special

import (
	"math"

	"github.com/greenbench/workbench/internal/numeric/bessel"
)

// BesselJ returns J_nu(x), |nu| ≤ 10⁶; for x < 0 the order must be an integer.
func BesselJ(nu, x float64) float64 {
	j, _ := bessel.JY(nu, x)
	return j
}

// BesselY returns Y_nu(x), |nu| ≤ 10⁶ and x ≥ 0.
func BesselY(nu, x float64) float64 {
	_, y := bessel.JY(nu, x)
	return y
}

// BesselI returns the modified I_nu(x), |nu| ≤ 10⁶, times exp(-|x|) where scaled; for x < 0
// the order must be an integer.
func BesselI(nu, x float64, scaled bool) float64 {
	if scaled {
		return bessel.IScaled(nu, x)
	}
	return bessel.I(nu, x)
}

// BesselK returns the modified K_nu(x), x ≥ 0, times exp(x) where scaled.
func BesselK(nu, x float64, scaled bool) float64 {
	switch {
	case !(math.Abs(nu) <= bessel.MaxOrder):
		return math.NaN()
	case scaled:
		return bessel.KScaled(nu, x)
	}
	return bessel.K(nu, x)
}

// Airy returns Airy's functions and their derivatives, by Bessel functions of orders one and
// two thirds (DLMF 9.6), and near 0 by Maclaurin's series.
func Airy(x float64) (ai, aip, bi, bip float64) {
	switch {
	case math.IsInf(x, 1):
		return 0, 0, x, x
	case math.IsInf(x, -1):
		return 0, math.NaN(), 0, math.NaN()
	case math.Abs(x) < 1:
		return airySeries(x)
	}
	z := math.Abs(x)
	root := math.Sqrt(z)
	zeta := 2 * z * root / 3
	if x > 0 {
		k1, k2 := bessel.K(1.0/3, zeta), bessel.K(2.0/3, zeta)
		i1, i2 := bessel.I(1.0/3, zeta), bessel.I(2.0/3, zeta)
		ai, aip = root/math.Sqrt(3)/math.Pi*k1, -z/math.Sqrt(3)/math.Pi*k2
		bi = root / math.Sqrt(3) * (2*i1 + 2/math.Pi*math.Sin(math.Pi/3)*k1)
		bip = z / math.Sqrt(3) * (2*i2 + 2/math.Pi*math.Sin(2*math.Pi/3)*k2)
		return ai, aip, bi, bip
	}
	j1, y1 := bessel.JY(1.0/3, zeta)
	j2, y2 := bessel.JY(2.0/3, zeta)
	third := 1 / math.Sqrt(3)
	ai, bi = root/2*(j1-third*y1), -root/2*(third*j1+y1)
	aip, bip = z/2*(j2+third*y2), z/2*(third*j2-y2)
	return ai, aip, bi, bip
}

// airySeries is DLMF 9.4.
func airySeries(x float64) (ai, aip, bi, bip float64) {
	const (
		a0 = 0.355028053887817239260063186004 // Ai(0)
		a1 = 0.258819403792806798405183560189 // -Ai'(0)
		b0 = 0.614926627446000735150922369093 // Bi(0)
		b1 = 0.448288357353826357914823710398 // Bi'(0)
	)
	f, g, fp, gp := 1.0, x, 0.0, 1.0
	u, v := 1.0, x
	for k := 3.0; k < 60; k += 3 {
		up, vp := u*x*x/(k-1), v*x*x/k
		u, v = up*x/k, vp*x/(k+1)
		f, g, fp, gp = f+u, g+v, fp+up, gp+vp
	}
	return a0*f - a1*g, a0*fp - a1*gp, b0*f + b1*g, b0*fp + b1*gp
}
