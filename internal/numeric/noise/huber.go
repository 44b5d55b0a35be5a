package noise

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// HuberRounds is how often the kernel, λ and the standard deviation are chosen for Huber's loss.
const HuberRounds = 3

const (
	efficient    = 1.345  // standard deviations beyond which residuals are cut off: 95 % as efficient as squares, of normal noise
	normalMedian = 0.6745 // of the absolute values of standard normal numbers
	cutVariance  = 0.7102 // of standard normal numbers that are cut off at efficient
	huberProbes  = 2
)

// How far values may be from the median of the pairs, in standard deviations as the median distance
// has them: where the search begins, and at all.
const (
	farthest = 10
	absurd   = 1e9 // what is beyond is a mark for something else, such as 9.97e36, and its weight would be next to nothing
)

// Tamed are outputs, pairs × points, with the values cut off that are far from those of most pairs at the
// same point, whatever the inputs. The first fit of a search must not follow values that are off: λ and
// the kernel would be theirs, and so the residuals. What was cut off wrongly comes back, as the
// residuals that decide later are of the values given.
func Tamed(v *array.Array) (*array.Array, error) {
	n, m := v.Shape[0], v.Shape[1]
	middle, off := make([]float64, m), make([]float64, m)
	var all []float64
	for k := range m {
		var column []float64
		for i := range n {
			if x := v.Data[i*m+k]; !math.IsNaN(x) {
				column = append(column, x)
			}
		}
		middle[k] = median(column)
		for i, x := range column {
			column[i] = math.Abs(x - middle[k])
		}
		off[k] = median(column)
		all = append(all, column...)
	}
	least := median(all)
	out := v.Copy()
	for i, x := range v.Data {
		one := max(off[i%m], least) / normalMedian
		switch d := x - middle[i%m]; {
		case one > 0 && math.Abs(d) > absurd*one:
			return nil, fmt.Errorf("output[%d][%d] is %g, and those of the other pairs there are about %.3g apart: too far off for a loss; mark it as missing, NaN, or leave pair %d out", i/m+1, i%m+1, x, one, i/m+1)
		case one > 0 && math.Abs(d) > farthest*one:
			out.Data[i] = middle[i%m] + math.Copysign(farthest*one, d)
		}
	}
	return out, nil
}

// huberReport puts the deviation of the noise, and what chose λ, into the report of a fit with Huber's loss.
func huberReport(out *fit.Estimate, was fit.Report, d *dataset.Dataset, sigma float64) *fit.Estimate {
	out.Report.Sigma = sigma
	cut := 0
	for _, w := range out.Errors().Values.Data {
		if w < 1 {
			cut++
		}
	}
	out.Report.Criterion, out.Report.LambdaREML, out.Report.LambdaGCV, out.Report.LambdaLOO = was.Criterion, was.LambdaREML, was.LambdaGCV, was.LambdaLOO
	out.Report.Reason = fmt.Sprintf("the loss is Huber's: %d of %d values are beyond %.3g standard deviations and count less; %s", cut, observed(d), efficient, was.Reason)
	return out
}

// chosenBy is a spec with the choices of an estimate.
func chosenBy(s fit.Spec, e *fit.Estimate) fit.Spec {
	learned, _ := e.Learned()
	s.Kernel, s.Kernels, s.Lambda, s.Rho, s.Intercept = e.Kernel, nil, e.Report.Lambda, e.Report.Rho, learned.Intercept
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
	left, err := (&noisy{spec: f, est: e}).left(ctx, huberProbes, nil, precise)
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

const (
	farOff     = 2.5 // standard deviations from which on values are left out where that of the others is found
	farInside  = 0.9875806693484477
	farRounds  = 3
	farSettled = 1e-3
)

// farVariance is that of a standard normal number of size at most farOff.
func farVariance() float64 {
	return 1 - math.Sqrt(2/math.Pi)*farOff*math.Exp(-farOff*farOff/2)/farInside
}

// others is the standard deviation of the noise of the values that are not off: that of a fit without those
// beyond 2.5 of it, as the likelihood of the rest has it, over what normal numbers have there. The median, and
// squares that are cut off, grow with the share of values that are off, by 6 % for one of twenty. sigma is to begin with,
// in the units of white noise; the result is that of a value.
func others(ctx context.Context, s fit.Spec, d *dataset.Dataset, r []float64, sigma float64) (float64, error) {
	mean := meanOver(d)
	for range farRounds {
		rest := *d
		rest.Output, rest.Missing = d.Output.Copy(), true
		for i, v := range r {
			if math.Abs(v) > farOff*sigma {
				rest.Output.Data[i] = math.NaN()
			}
		}
		s.Data = &rest
		e, err := fit.Minimise(ctx, s)
		if err != nil {
			return 0, err
		}
		last := sigma
		sigma = e.Report.Sigma / math.Sqrt(farVariance()) / mean
		if math.Abs(sigma-last) < farSettled*last {
			break
		}
		if r, err = residuals(ctx, e, d); err != nil {
			return 0, err
		}
	}
	return sigma * mean, nil
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
