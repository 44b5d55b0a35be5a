package prepare

import (
	"context"
	"math"
	"slices"

	"github.com/greenbench/workbench/numeric/dataset"
)

// How far from the median an outlier is, in robust standard deviations: 1.4826 times the
// median distance, which is the standard deviation of normal numbers. Of 1e5 normal numbers
// the farthest is 4.4 away.
const (
	farSample    = 8.0 // a sample as a whole, its distance from the median sample,
	farTimes     = 7.0 // and this many times the median distance: one amplitude that is normal has 3e-6 beyond
	farValue     = 6.0 // a value from those of the other samples at its point
	farNeighbour = 8.0 // and from its neighbours in its own sample
	fewSamples   = 5   // below, there is no telling which is the odd one
	single       = 0.1 // of the points of a sample: more outlying values are the sample's
)

// findOutliers looks for samples and values far from the others.
func (s *Function) findOutliers(ctx context.Context, f dataset.Field) error {
	n, m := f.Values.Shape[0], f.Values.Shape[1]
	if n < fewSamples {
		return nil
	}
	median, scale := make([]float64, m), make([]float64, m)
	column := make([]float64, 0, n)
	for k := range m {
		if k%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		column = column[:0]
		for i := range n {
			if v := f.Values.Data[i*m+k]; !math.IsNaN(v) {
				column = append(column, v)
			}
		}
		median[k], scale[k] = center(column)
	}
	s.OutlyingValues = farValues(f, median, scale)
	s.Outliers = farRows(f, median, s.OutlyingValues)
	s.OutlyingValues = slices.DeleteFunc(s.OutlyingValues, func(p Place) bool { return slices.Contains(s.Outliers, p.Sample) })
	return nil
}

// farValues lists the single values that are far from the median at their point, and from
// their neighbours.
func farValues(f dataset.Field, median, scale []float64) (far []Place) {
	jumps, size := jumps(f)
	if size == 0 { // most values lie on lines between their neighbours: a bend says nothing
		return nil
	}
	m := f.Values.Shape[1]
	most := max(1, int(single*float64(m)))
	for i := range f.Values.Shape[0] {
		var own []Place
		for k, v := range row(f, i) {
			if scale[k] > 0 && math.Abs(v-median[k]) > farValue*scale[k] && math.Abs(jumps[i*m+k]) > farNeighbour*size {
				own = append(own, Place{i, k, v})
			}
		}
		if len(own) <= most {
			far = append(far, own...)
		}
	}
	return far
}

// farRows lists the samples whose distance from the median sample is far beyond that of the
// others, single values left out.
func farRows(f dataset.Field, median []float64, but []Place) (far []int) {
	n := f.Values.Shape[0]
	distance := make([]float64, n)
	var known []float64
	for i := range n {
		square, count := 0.0, 0.0
		for k, v := range row(f, i) {
			if len(but) > 0 && but[0].Sample == i && but[0].Point == k {
				but = but[1:]
				continue
			}
			if d := v - median[k]; !math.IsNaN(d) {
				count++
				square += (d*d - square) / count
			}
		}
		if distance[i] = math.Sqrt(square); count > 0 {
			known = append(known, distance[i])
		}
	}
	middle, scale := center(known)
	for i, d := range distance {
		if scale > 0 && d > middle+farSample*scale && d > farTimes*middle {
			far = append(far, i)
		}
	}
	return far
}

// jumps are how far values lie outside what their two neighbours along the last axis of the
// mesh span, at its ends from the line through the next two, and the robust standard
// deviation of second differences. Where there are no neighbours all are infinite: the other
// samples decide alone.
func jumps(f dataset.Field) (all []float64, scale float64) {
	axes := f.Mesh.Axes()
	last := axes[len(axes)-1]
	line, v := last.Size(), f.Values.Data
	all = make([]float64, len(v))
	if line < 3 || last.Dim() > 1 {
		for i := range all {
			all[i] = math.Inf(1)
		}
		return all, 1
	}
	var bends []float64
	for i, x := range v {
		switch i % line {
		case 0:
			all[i] = x - (2*v[i+1] - v[i+2])
		case line - 1:
			all[i] = x - (2*v[i-1] - v[i-2])
		default:
			a, b := v[i-1], v[i+1]
			all[i] = x - min(max(x, min(a, b)), max(a, b))
			if bend := a/2 - x + b/2; !math.IsNaN(bend) {
				bends = append(bends, bend)
			}
		}
	}
	_, scale = center(sampled(bends))
	return all, scale
}

// sampled are at most about a million of the numbers, for what a million say as well.
func sampled(v []float64) []float64 {
	const enough = 1 << 20
	every := (len(v) + enough - 1) / enough
	if every <= 1 {
		return v
	}
	var out []float64
	for i := 0; i < len(v); i += every {
		out = append(out, v[i])
	}
	return out
}

// center is the median of numbers and their robust standard deviation. The numbers are
// sorted in place.
func center(v []float64) (median, scale float64) {
	if len(v) == 0 {
		return math.NaN(), 0
	}
	median = middle(v)
	distance := make([]float64, len(v))
	for i, x := range v {
		distance[i] = math.Abs(x - median)
	}
	return median, 1.4826 * middle(distance)
}

func middle(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	if n%2 == 1 {
		return v[n/2]
	}
	return v[n/2-1]/2 + v[n/2]/2
}
