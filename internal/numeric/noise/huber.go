package noise

import (
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// HuberRounds is how often the kernel, λ and the standard deviation are chosen beside a loss: of outputs that are tamed, of
// residuals as Huber's loss counts them, and as [outliers] do.
const HuberRounds = 3

const (
	efficient    = 1.345  // standard deviations beyond which Huber's loss cuts residuals off: 95 % as efficient as squares, of normal noise
	normalMedian = 0.6745 // of the absolute values of standard normal numbers
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

// chosenBy is a spec with the choices of an estimate.
func chosenBy(s fit.Spec, e *fit.Estimate) fit.Spec {
	learned, _ := e.Learned()
	s.Kernel, s.Kernels, s.Lambda, s.Rho, s.Intercept = e.Kernel, nil, e.Report.Lambda, e.Report.Rho, learned.Intercept
	if s.Bias != nil {
		s.Bias = e.BiasKernel
	}
	return s
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
