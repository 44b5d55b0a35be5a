package noise

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

const (
	efficient    = 1.345  // standard deviations beyond which residuals are cut off: 95 % as efficient as squares, of normal noise
	normalMedian = 0.6745 // of the absolute values of standard normal numbers
	huberRounds  = 3      // of choosing the kernel, λ and the standard deviation
	huberProbes  = 2
)

// robust chooses the kernel, λ and the standard deviation of the noise from data whose residuals
// are cut off, and minimises Huber's loss there.
func robust(ctx context.Context, s fit.Spec, c Choice) (*fit.Estimate, error) {
	given := s.Data
	var e *fit.Estimate
	var sigma float64
	for range huberRounds {
		var err error
		if e, err = find(ctx, s, Choice{Kind: c.Kind}); err != nil {
			return nil, err
		}
		whole := *given
		whole.Errors = e.Errors()
		var r []float64
		if r, sigma, err = deviation(ctx, s, e, &whole); err != nil {
			return nil, err
		}
		if !(sigma > 0) {
			return e, nil
		}
		s.Data = cutOff(&whole, r, efficient*sigma, given.Errors)
	}
	f := chosenBy(s, e)
	d := *given
	d.Errors = e.Errors()
	f.Data = &d
	out, err := fit.Huber(ctx, f, efficient*sigma)
	if err != nil {
		return nil, err
	}
	out.Report.Sigma = sigma * meanOver(&d)
	cut := 0
	for _, w := range out.Errors().Values.Data {
		if w < 1 {
			cut++
		}
	}
	was := e.Report
	out.Report.Criterion, out.Report.LambdaREML, out.Report.LambdaGCV, out.Report.LambdaLOO = was.Criterion, was.LambdaREML, was.LambdaGCV, was.LambdaLOO
	out.Report.Reason = fmt.Sprintf("the loss is Huber's: %d of %d values are beyond %.3g standard deviations and count less; %s", cut, observed(&d), efficient, was.Reason)
	return out, nil
}

// chosenBy is a spec with the choices of an estimate.
func chosenBy(s fit.Spec, e *fit.Estimate) fit.Spec {
	s.Kernel, s.Kernels, s.Lambda, s.Rho, s.Intercept = e.Kernel, nil, e.Report.Lambda, e.Report.Rho, e.ChosenIntercept()
	if s.Bias != nil {
		s.Bias = e.BiasKernel
	}
	return s
}

// deviation is that of the noise by the median of absolute residuals, in units of white noise.
func deviation(ctx context.Context, s fit.Spec, e *fit.Estimate, d *dataset.Dataset) (all []float64, sigma float64, err error) {
	if all, err = residuals(ctx, e, d); err != nil {
		return nil, 0, err
	}
	f := chosenBy(s, e)
	f.Data = d
	left, err := (&noisy{spec: f, est: e}).left(ctx, huberProbes)
	if err != nil {
		return nil, 0, err
	}
	var sizes, rest []float64
	for i, v := range all {
		if !math.IsNaN(v) {
			sizes, rest = append(sizes, math.Abs(v)), append(rest, left[i])
		}
	}
	return all, median(sizes) / normalMedian / math.Sqrt(max(stat.Mean(rest, nil), leastLeft)), nil
}

// cutOff are the data with residuals of at most k, with the errors that were given.
func cutOff(d *dataset.Dataset, r []float64, k float64, given *dataset.Errors) *dataset.Dataset {
	out, scale := *d, scales(d)
	out.Output, out.Errors = d.Output.Copy(), given
	for i, v := range r {
		if math.Abs(v) > k {
			out.Output.Data[i] -= (v - math.Copysign(k, v)) / scale[i]
		}
	}
	return &out
}

// observed is how many outputs were.
func observed(d *dataset.Dataset) (count int) {
	for _, v := range d.Output.Data {
		if !math.IsNaN(v) {
			count++
		}
	}
	return count
}

// meanOver is the root of the mean variance of a value, by the quadrature, where that of an
// error in the units of white noise is one.
func meanOver(d *dataset.Dataset) float64 {
	sum, length, my, dy := 0.0, 0.0, d.OutputMesh.Size(), d.OutputMesh.Weights()
	for i, v := range d.Output.Data {
		if w := dy[i%my]; !math.IsNaN(v) && w > 0 {
			sum, length = sum+1/weight(d.Errors, i, my), length+w
		}
	}
	return math.Sqrt(sum / length)
}

func median(v []float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	if len(v) == 0 {
		return 0
	}
	return (v[len(v)/2] + v[(len(v)-1)/2]) / 2
}
