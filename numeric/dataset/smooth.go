package dataset

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/internal/linop"
)

// smoother is the model that curves are smoothed by: c_i + s g_i(x) + σ ε, g_i of a Matérn kernel
// of a lengthscale, noise being σ²/s². c_i is free of each curve.
type smoother struct{ length, noise float64 }

const (
	leastNoise  = 1e-10 // of the variance of a curve: rounding
	mostNoise   = 1e4
	mostChosen  = 3000 // values that the lengthscale and the noise are chosen from
	mostOfCurve = 300  // and of one curve
)

// smoothCurves smooths curves at points, with the standard deviations of what it gives.
func smoothCurves(ctx context.Context, curves []Curve, at []float64, to, band *array.Array) error {
	model, err := chooseSmoother(ctx, curves)
	if err != nil {
		return err
	}
	quad, values := 0.0, 0.0
	for i, c := range curves {
		f, err := model.of(ctx, c)
		if err != nil {
			return err
		}
		quad, values = quad+f.quad, values+float64(len(c.Values)-1)
		for k, x := range at {
			to.Data[i*len(at)+k], band.Data[i*len(at)+k] = f.at(x)
		}
	}
	if values > 0 {
		floats.Scale(math.Sqrt(quad/values), band.Data)
	}
	return nil
}

// chooseSmoother is the model of greatest restricted likelihood, by a grid and then in steps
// that become smaller.
func chooseSmoother(ctx context.Context, curves []Curve) (best smoother, err error) {
	few := fewCurves(curves)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range few {
		lo, hi = min(lo, c.Points[0]), max(hi, c.Points[len(c.Points)-1])
	}
	size := positive(hi - lo)
	least := math.Inf(1)
	try := func(m smoother) (better bool) {
		m.noise = min(max(m.noise, leastNoise), mostNoise)
		m.length = min(max(m.length, 1e-3*size), 10*size)
		v := 0.0
		if v, err = m.reml(ctx, few); err == nil && v < least {
			least, best, better = v, m, true
		}
		return better
	}
	for _, l := range []float64{0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6} {
		for noise := leastNoise; noise <= 10 && err == nil; noise *= 100 {
			try(smoother{l * size, noise})
		}
	}
	for step := 2.0; step > 1.05 && err == nil; step = math.Sqrt(step) {
		for moved := true; moved && err == nil; {
			b := best
			moved = try(smoother{b.length * step, b.noise}) || try(smoother{b.length / step, b.noise}) ||
				try(smoother{b.length, b.noise * step * step}) || try(smoother{b.length, b.noise / step / step})
		}
	}
	if err == nil && math.IsInf(least, 1) { // curves of one value or constant: nothing tells
		best = smoother{size, leastNoise}
	}
	return best, err
}

// fewCurves are some of the curves, and some points of long ones.
func fewCurves(curves []Curve) (few []Curve) {
	total := 0
	every := 1
	for _, c := range curves {
		total += min(len(c.Points), mostOfCurve)
	}
	if total > mostChosen {
		every = (total + mostChosen - 1) / mostChosen
	}
	for i := 0; i < len(curves); i += every {
		c := curves[i]
		if step := (len(c.Points) + mostOfCurve - 1) / mostOfCurve; step > 1 {
			var thin Curve
			for k := 0; k < len(c.Points); k += step {
				thin.Points, thin.Values = append(thin.Points, c.Points[k]), append(thin.Values, c.Values[k])
			}
			c = thin
		}
		few = append(few, c)
	}
	return few
}

// reml is minus the logarithm of the restricted likelihood of all curves, with their variance at
// its best; +Inf where nothing is left to explain.
func (m smoother) reml(ctx context.Context, curves []Curve) (float64, error) {
	quad, det, values := 0.0, 0.0, 0.0
	for _, c := range curves {
		if len(c.Points) < 2 {
			continue
		}
		f, err := m.of(ctx, c)
		if errors.Is(err, errSmooth) {
			return math.Inf(1), nil
		}
		if err != nil {
			return 0, err
		}
		quad, det, values = quad+f.quad, det+f.factors.LogDet()+math.Log(f.ones), values+float64(len(c.Points)-1)
	}
	if !(quad > 0) || values == 0 {
		return math.Inf(1), nil
	}
	return (values*math.Log(quad/values) + det) / 2, nil
}

// smoothed is a curve in the model.
type smoothed struct {
	m        smoother
	points   []float64
	factors  *mat.Cholesky // of H = K + noise
	z, one   []float64     // H⁻¹ (v - c), H⁻¹ 1
	constant float64
	ones     float64 // 1ᵀ H⁻¹ 1
	quad     float64
}

var errSmooth = errors.New("smoothing: the covariance of the values is not positive definite")

// of takes the model to a curve.
func (m smoother) of(ctx context.Context, c Curve) (*smoothed, error) {
	n := len(c.Points)
	h := mat.NewSymDense(n, nil)
	for i, x := range c.Points {
		for j := i; j < n; j++ {
			h.SetSym(i, j, m.kernel(x-c.Points[j]))
		}
		h.SetSym(i, i, 1+m.noise)
	}
	f := &smoothed{m: m, points: c.Points}
	var err error
	if f.factors, err = linop.Cholesky(ctx, h); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, errSmooth
	}
	f.one, f.z = make([]float64, n), make([]float64, n)
	for i := range f.one {
		f.one[i] = 1
	}
	_ = f.factors.SolveVecTo(mat.NewVecDense(n, f.one), mat.NewVecDense(n, append([]float64(nil), f.one...)))
	f.ones = floats.Sum(f.one)
	centre := c.Values[0] // the mean would do: what is large and the same costs no digits
	left := make([]float64, n)
	for i, v := range c.Values {
		left[i] = v - centre
	}
	b := floats.Dot(f.one, left) / f.ones
	floats.AddConst(-b, left)
	f.constant = centre + b
	_ = f.factors.SolveVecTo(mat.NewVecDense(n, f.z), mat.NewVecDense(n, left))
	f.quad = max(0, floats.Dot(left, f.z))
	return f, nil
}

// kernel is Matérn 5/2 at a distance.
func (m smoother) kernel(d float64) float64 {
	r := math.Sqrt(5) * math.Abs(d) / m.length
	return (1 + r + r*r/3) * math.Exp(-r)
}

// at is the curve at a point, and its standard deviation over that of curves.
func (f *smoothed) at(x float64) (v, std float64) {
	n := len(f.points)
	k, s := make([]float64, n), make([]float64, n)
	for i, p := range f.points {
		k[i] = f.m.kernel(x - p)
	}
	_ = f.factors.SolveVecTo(mat.NewVecDense(n, s), mat.NewVecDense(n, k))
	left := 1 - floats.Dot(f.one, k)
	return f.constant + floats.Dot(k, f.z), math.Sqrt(max(0, 1-floats.Dot(k, s)) + left*left/f.ones)
}
