package noise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Kind is what is assumed of the noise.
type Kind string

// The kinds of noise; the zero value is white.
const (
	White    Kind = "white"    // or as the errors of the data are given
	Diagonal Kind = "diagonal" // standard deviations along the output and by pair are found
	Curves   Kind = "curves"   // a random curve for each pair, beside white noise
	Auto     Kind = "auto"     // whichever of these is likelier, by far
)

// Choice is the noise of a fit. Weights and a covariance that are known are errors of its data.
type Choice struct {
	Kind   Kind
	Kernel kernel.Kernel // of Curves, on the output
	Huber  bool          // Huber's loss in place of squares
}

// To find the noise, or the outliers, takes the time of so many fits with white noise whose kernel and λ are known, besides
// two that choose λ, and the memory of so many.
const (
	fitsDiagonal = 45 // of standard deviations
	fitsCurves   = 60
	fitsTurns    = 60 // of standard deviations beside curves
	fitsHuber    = 60
	usualCopies  = 1.5

	// Fits among these that choose λ for errors of their own, of a kernel that is a product.
	choosesDiagonal = 4
	choosesCurves   = 8
)

func (c Choice) white() bool { return (c.Kind == "" || c.Kind == White) && !c.Huber }

// check refuses what does not go together.
func (c Choice) check(s *fit.Spec) error {
	n, e := s.Data.N(), s.Data.Errors
	switch {
	case c.Huber && (c.Kind == Curves || c.Kind == Auto):
		return fmt.Errorf("loss \"huber\": goes with white noise, with noise \"diagonal\" and with weights; a value that is off by itself is no part of a curve")
	case c.Huber && e != nil && e.Covariance != nil:
		return errors.New("loss \"huber\": values of correlated noise have no loss by themselves; give weights or standard deviations in place of the covariance")
	case c.Huber && s.Dense, c.Kind != White && c.Kind != "" && s.Dense:
		return errors.New("method \"dense\": solves for noise that is known; leave it out where noise is to be found, and for loss \"huber\"")
	case c.Kind != White && c.Kind != "" && e != nil && (e.Covariance != nil || e.Points != nil):
		return errors.New("noise: is given already, and not to be found")
	case c.Kind != White && c.Kind != "" && n < FewestPairs:
		return fmt.Errorf("noise: %d pairs: noise that is not white cannot be told from the functions themselves; want at least %d", n, FewestPairs)
	}
	return nil
}

// FewestPairs is from how many pairs on noise is found.
const FewestPairs = 3

// noisy is a fit with some errors: its kernel is chosen, λ and ρ are chosen by REML.
type noisy struct {
	spec   fit.Spec // without choices but for λ and ρ
	est    *fit.Estimate
	reml   float64 // NaN: it is not known
	errors *dataset.Errors
	parts  int // of the output, of the same size, whose standard deviations are apart; 0: 1
}

// at fits with other errors; nil for those given.
func (f *noisy) at(ctx context.Context, e *dataset.Errors) (*noisy, error) {
	next := &noisy{spec: f.spec, errors: e, reml: math.NaN(), parts: f.parts}
	d := *f.spec.Data
	d.Errors = e
	next.spec.Data = &d
	var err error
	if next.est, err = fit.Fit(ctx, next.spec); err != nil {
		return nil, err
	}
	if r := next.est.Report.REML; r != nil {
		next.reml = *r
	}
	return next, nil
}

// begin is the fit with white noise, or the errors given, of the kernel of an estimate, or of a
// product that is nearly that: noise is told from G as well, and the fits take less than a tenth
// of the time.
func begin(ctx context.Context, s fit.Spec, e *fit.Estimate) (*noisy, error) {
	s.Kernel, s.Kernels = separated(e.Kernel, &s), nil
	if s.Bias != nil && kernels.IsAuto(s.Bias) {
		s.Bias = e.BiasKernel
	}
	if s.Criterion != fit.GCV {
		s.Criterion = fit.REML
	}
	return (&noisy{spec: s}).at(ctx, s.Data.Errors)
}

// separated is a kernel as a product of one on the input and one on the output, by what it is in
// the middle of the other side; the kernel itself where there is a constraint, or a kink.
func separated(k kernel.Kernel, s *fit.Spec) kernel.Kernel {
	if s.Constraint != nil {
		return k
	}
	switch k.(type) {
	case kernel.SE, kernel.Tensor:
		return k
	case kernel.Kink: // what a smooth kernel misses of the kink would be taken for noise
		return k
	}
	x, y := s.Data.InputMesh, s.Data.OutputMesh
	in, out := mesh.JointNames(x, y)
	space := kernel.Space{Names: slices.Concat(in, out), Inputs: len(in)}
	var middle []float64
	for _, a := range slices.Concat(x.Axes(), y.Axes()) {
		for i := range a.Lower {
			middle = append(middle, (a.Lower[i]+a.Upper[i])/2)
		}
	}
	return kernel.Tensor{
		Input:  kernels.Restrict(k, space, 0, len(in), middle),
		Output: kernels.Restrict(k, space, len(in), len(middle), middle),
	}
}

// residuals are those of the data, times the roots of their quadrature and weights, n × my,
// and NaN where an output is missing. Points without quadrature weight are missing.
func (f *noisy) residuals(ctx context.Context) ([]float64, error) {
	return residuals(ctx, f.est, f.spec.Data)
}

func residuals(ctx context.Context, e *fit.Estimate, d *dataset.Dataset) ([]float64, error) {
	in, _ := d.Matrices()
	u, err := e.Predict(ctx, in, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return nil, err
	}
	out, scale := u.RawMatrix().Data, scales(d)
	for i, v := range d.Output.Data {
		out[i] = (v - out[i]) * scale[i]
		if scale[i] == 0 {
			out[i] = math.NaN()
		}
	}
	return out, nil
}

// scales are the roots of the quadrature weights and the weights of the errors of each output.
func scales(d *dataset.Dataset) []float64 {
	my, dy := d.OutputMesh.Size(), d.OutputMesh.Weights()
	out := make([]float64, len(d.Output.Data))
	for i := range out {
		out[i] = math.Sqrt(dy[i%my] * weight(d.Errors, i, my))
	}
	return out
}

func weight(e *dataset.Errors, i, my int) float64 {
	w := 1.0
	if e == nil {
		return w
	}
	if e.Pairs != nil {
		w *= e.Pairs[i/my]
	}
	if e.Points != nil {
		w *= e.Points[i%my]
	}
	if e.Values != nil {
		w *= e.Values.Data[i]
	}
	return w
}

// gramOf is the matrix of a kernel on the output, with mean one of its diagonal in the units of
// white noise.
func gramOf(ctx context.Context, k kernel.Kernel, y mesh.Mesh) (*mat.Dense, error) {
	f, err := kernels.Compile(k, kernel.Space{Names: y.Names()})
	if err != nil {
		return nil, fmt.Errorf("noise: %w", err)
	}
	return f.Gram(ctx, y, y)
}

const (
	probes     = 8    // fits to random signs
	rounds     = 6    // of finding variances and fitting anew
	leastLeft  = .05  // of noise that residuals are taken to have
	settledLog = .02  // change of the logarithms of standard deviations
	mostApart  = 1e6  // of standard deviations
	few        = 1e-9 // numbers of variances that are all the same
)

// signs are random.
func signs(n int, seed uint64) []float64 {
	draw, out := rand.New(rand.NewPCG(seed, 0x51)), make([]float64, n)
	for i := range out {
		out[i] = float64(2*draw.IntN(2) - 1)
	}
	return out
}
