package interp

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
)

// MostSmoothed is the largest number of points of a curve that is smoothed by a kernel: its
// matrix takes 8 bytes for each pair of them, twice.
const MostSmoothed = 5000

const (
	leastNoise  = 1e-10 // of the variance of a curve, where noise is chosen
	roundNoise  = 1e-13 // of curves that go through their values: what rounding needs
	exact       = 1e-6  // how near a curve without noise comes to its values, relative to them
	mostNoise   = 1e4
	mostChosen  = 3000 // values that the lengthscale and the noise are chosen from
	mostOfCurve = 300  // and of one curve
)

// Samples are values at points of a line, in any order.
type Samples struct{ X, Y []float64 }

// Smoother is a model of curves: a constant that is free of each, a Gaussian process and
// noise that is independent between values.
type Smoother struct {
	Kernel   kernel.Kernel // covariance of the process, up to its scale
	noise    float64       // variance of the noise over that of the process
	variance float64       // of the process; 0: what the values say
	unit     float64       // mean of k(x, x): what variances are relative to
	function *kernels.Function
}

// choice is the search for the smoother of greatest restricted likelihood.
type choice struct {
	ctx    context.Context
	kernel kernel.Kernel
	noise  float64
	few    []Samples
	size   float64 // of the range of points
	spread float64 // variance of the values
	least  float64
	best   Smoother
}

// ChooseSmoother chooses the lengthscales of k that are "auto" (all the same), the variance of
// the process and that of the noise by the restricted likelihood of all samples together. noise
// is the standard deviation of the noise, in the unit of values; below 0 it is chosen, and with 0
// curves go through the values, up to rounding. Cost: about a hundred times the cube of the
// points of a sample, of at most 300 points of each.
func ChooseSmoother(ctx context.Context, samples []Samples, k kernel.Kernel, noise float64) (Smoother, error) {
	c := choice{ctx: ctx, kernel: k, noise: noise, few: fewSamples(samples), least: math.Inf(1)}
	c.measure()
	best, err := c.model(c.size, c.amounts()[0])
	if err != nil {
		return Smoother{}, err
	}
	c.best = best
	return c.best, c.search()
}

// measure finds the sizes that lengthscales and variances are relative to.
func (c *choice) measure() {
	lo, hi := math.Inf(1), math.Inf(-1)
	values := 0
	for _, s := range c.few {
		lo, hi = min(lo, floats.Min(s.X)), max(hi, floats.Max(s.X))
		mean := 0.0
		for _, v := range s.Y {
			mean += (v - s.Y[0]) / float64(len(s.Y))
		}
		for _, v := range s.Y {
			c.spread += (v - s.Y[0] - mean) * (v - s.Y[0] - mean)
		}
		values += len(s.Y)
	}
	if c.size = hi - lo; !(c.size > 0) {
		c.size = 1
	}
	if c.spread /= float64(values); !(c.spread > 0) {
		c.spread = max(c.noise*c.noise, math.SmallestNonzeroFloat64)
	}
}

// amounts is the grid of the second number that is searched: of the noise over the variance,
// or where the noise is known of the variance over that of the values.
func (c *choice) amounts() []float64 {
	switch {
	case c.noise == 0:
		return []float64{roundNoise}
	case c.noise > 0:
		return []float64{1, 0.01, 100, 1e4}
	}
	var all []float64
	for v := leastNoise; v <= 10; v *= 100 {
		all = append(all, v)
	}
	return all
}

// lengths is the grid of lengthscales.
func (c *choice) lengths() []float64 {
	if !kernels.IsAuto(c.kernel) {
		return []float64{c.size}
	}
	all := []float64{0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6}
	if c.noise == 0 {
		all = append(all, 0.01, 0.003, 0.001)
	}
	floats.Scale(c.size, all)
	return all
}

// model is the smoother of a lengthscale and an amount, as amounts says.
func (c *choice) model(length, amount float64) (m Smoother, err error) {
	m = Smoother{Kernel: kernels.Resolve(c.kernel, kernel.Lengthscale{length}, length/c.size), noise: amount}
	if c.noise > 0 {
		m.variance = amount * c.spread
		m.noise = max(roundNoise, c.noise*c.noise/m.variance)
	}
	if m.function, err = kernels.Compile(m.Kernel, kernels.Line()); err != nil {
		return m, err
	}
	n := 0.0
	for _, s := range c.few {
		for _, x := range s.X {
			m.unit, n = m.unit+m.function.At([]float64{x}, []float64{x}), n+1
		}
	}
	if m.unit /= n; !(m.unit > 0) || math.IsInf(m.unit, 0) {
		return m, fmt.Errorf("kernel %s: its variance at the points is %g: want a positive number", m.Kernel, m.unit)
	}
	return m, nil
}

// search goes over a grid and then on in steps that become smaller.
func (c *choice) search() error {
	var err error
	at := [2]float64{c.size, c.amounts()[0]}
	try := func(length, amount float64) (better bool) {
		if err != nil {
			return false
		}
		var m Smoother
		if m, err = c.model(length, amount); err != nil {
			return false
		}
		v := 0.0
		if v, err = m.reml(c.ctx, c.few); err == nil && v < c.least {
			c.least, c.best, at, better = v, m, [2]float64{length, amount}, true
		}
		return better
	}
	lengths, amounts := c.lengths(), c.amounts()
	for _, l := range lengths {
		for _, a := range amounts {
			try(l, a)
		}
	}
	least, most := leastNoise, mostNoise
	if c.noise > 0 {
		least, most = 1e-4, 1e8
	}
	for step := 2.0; step > 1.05 && err == nil; step = math.Sqrt(step) {
		for moved := true; moved && err == nil; {
			l, a := at[0], at[1]
			moved = len(lengths) > 1 && (try(min(l*step, 10*c.size), a) || try(max(l/step, 1e-3*c.size), a)) ||
				len(amounts) > 1 && (try(l, min(a*step*step, most)) || try(l, max(a/step/step, least)))
		}
	}
	return err
}

// fewSamples are some of the samples, and some points of long ones.
func fewSamples(samples []Samples) (few []Samples) {
	total := 0
	every := 1
	for _, s := range samples {
		total += min(len(s.X), mostOfCurve)
	}
	if total > mostChosen {
		every = (total + mostChosen - 1) / mostChosen
	}
	for i := 0; i < len(samples); i += every {
		s := samples[i]
		if step := (len(s.X) + mostOfCurve - 1) / mostOfCurve; step > 1 {
			var thin Samples
			for k := 0; k < len(s.X); k += step {
				thin.X, thin.Y = append(thin.X, s.X[k]), append(thin.Y, s.Y[k])
			}
			s = thin
		}
		few = append(few, s)
	}
	return few
}

// reml is minus the logarithm of the restricted likelihood of all samples, with their variance
// at its best unless it is given; +Inf where nothing is left to explain.
func (m Smoother) reml(ctx context.Context, samples []Samples) (float64, error) {
	quad, det, values := 0.0, 0.0, 0.0
	for _, s := range samples {
		if len(s.X) < 2 {
			continue
		}
		f, err := m.of(ctx, s)
		if errors.Is(err, errSmooth) {
			return math.Inf(1), nil
		}
		if err != nil {
			return 0, err
		}
		quad, det, values = quad+f.quad, det+f.factors.LogDet()+math.Log(f.ones), values+float64(len(s.X)-1)
	}
	switch {
	case values == 0 || m.variance == 0 && !(quad > 0):
		return math.Inf(1), nil
	case m.variance > 0:
		return (values*math.Log(m.variance) + quad/m.variance + det) / 2, nil
	}
	return (values*math.Log(quad/values) + det) / 2, nil
}

// Smoothed is a curve smoothed by a kernel.
type Smoothed struct {
	model    Smoother
	x        []float64
	factors  *mat.Cholesky // of H = K + noise
	z, one   []float64     // H⁻¹ (y - c), H⁻¹ 1
	constant float64
	ones     float64 // 1ᵀ H⁻¹ 1
	quad     float64
}

var errSmooth = errors.New("smoothing: the covariance of the values is not positive definite")

// Of smooths samples: the best linear unbiased prediction. n³/3 operations.
func (m Smoother) Of(ctx context.Context, s Samples) (*Smoothed, error) {
	if len(s.X) > MostSmoothed {
		return nil, fmt.Errorf("x has %d points: smoothing by a kernel takes %d at most, in a time that grows with their cube; take every %d. of them, or means of neighbours",
			len(s.X), MostSmoothed, (len(s.X)+MostSmoothed-1)/MostSmoothed)
	}
	for { // more points than the noise was chosen from may need more to be told apart
		f, err := m.of(ctx, s)
		switch {
		case !errors.Is(err, errSmooth) || m.noise > 1e-6:
			return f, err
		case m.noise <= roundNoise:
			return nil, fmt.Errorf("noise 0: functions of %s are too smooth to go through values so near to each other; allow some noise, or take a rougher kernel or a shorter lengthscale", m.Kernel)
		}
		m.noise *= 10
	}
}

func (m Smoother) of(ctx context.Context, s Samples) (*Smoothed, error) {
	n := len(s.X)
	h := mat.NewSymDense(n, nil)
	raw := h.RawSymmetric()
	for i := range n {
		row := raw.Data[i*raw.Stride+i : i*raw.Stride+n]
		m.row(row, s.X[i], s.X[i:])
		row[0] += m.noise
	}
	f := &Smoothed{model: m, x: s.X}
	var err error
	if f.factors, err = linop.Cholesky(ctx, h); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, errSmooth
	}
	f.one, f.z = make([]float64, n), make([]float64, n)
	floats.AddConst(1, f.one)
	_ = f.factors.SolveVecTo(mat.NewVecDense(n, f.one), mat.NewVecDense(n, append([]float64(nil), f.one...)))
	f.ones = floats.Sum(f.one)
	centre := s.Y[0] // the mean would do: what is large and the same costs no digits
	left := make([]float64, n)
	for i, v := range s.Y {
		left[i] = v - centre
	}
	b := floats.Dot(f.one, left) / f.ones
	floats.AddConst(-b, left)
	f.constant = centre + b
	_ = f.factors.SolveVecTo(mat.NewVecDense(n, f.z), mat.NewVecDense(n, left))
	f.quad = max(0, floats.Dot(left, f.z))
	if m.noise <= roundNoise && m.noise*floats.Norm(f.z, math.Inf(1)) > exact*floats.Norm(left, math.Inf(1)) {
		return nil, errSmooth // what is there for rounding would be the noise
	}
	return f, nil
}

// row is the covariance of x with each of q, over the unit.
func (m Smoother) row(to []float64, x float64, q []float64) {
	m.function.Row(to, []float64{x}, [][]float64{q})
	floats.Scale(1/m.unit, to)
}

// At is the curve at a point, and its standard deviation over that of the process: see
// Variance. Quadratic cost.
func (f *Smoothed) At(x float64) (v, std float64) {
	n := len(f.x)
	k, s := make([]float64, n), make([]float64, n)
	f.model.row(k, x, f.x)
	_ = f.factors.SolveVecTo(mat.NewVecDense(n, s), mat.NewVecDense(n, k))
	left := 1 - floats.Dot(f.one, k)
	own := f.model.function.At([]float64{x}, []float64{x}) / f.model.unit
	return f.constant + floats.Dot(k, f.z), math.Sqrt(max(0, own-floats.Dot(k, s)) + left*left/f.ones)
}

// Evidence is what the samples tell of the variance of the process: a sum of squares, and how
// many values are in it.
func (f *Smoothed) Evidence() (squares, values float64) { return f.quad, float64(len(f.x) - 1) }

// Variance is that of the process, which the noise given or these samples alone tell; 0 of a
// single value.
func (f *Smoothed) Variance() float64 {
	if f.model.variance > 0 {
		return f.model.variance
	}
	return f.quad / max(1, float64(len(f.x)-1))
}

// Noise is the standard deviation of the noise, in the unit of values.
func (f *Smoothed) Noise() float64 {
	if f.model.noise <= roundNoise {
		return 0
	}
	return math.Sqrt(f.model.noise * f.Variance())
}
