package fit

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

const (
	fewForKernel    = 100   // up to which the choice of a kernel is so uncertain that the report says so
	barelyJoined    = 0.05  // correlation of neighbouring points below which the kernel hardly connects them
	wideGap         = 1e-3  // of the objective, that the certificate allows above the minimum
	farOffset       = 10.0  // mean of the outputs over their spread that a penalised bias should not have
	fewAreLoud      = 4.0   // root of the mean variance of a value over that of the median value
	worseThanMean   = 1.2   // squares that are left, over those around the mean curve, that are no chance
	roundingOfMeans = 1e-14 // of the outputs, that a mean of few may be off
	leastSize       = 1e-100
	mostSize        = 1e100 // of the data: squares of products of two such numbers are still numbers
)

// notes adds what is suspicious about the data of a fit, its kernel and its choices.
func (s *Spec) notes(r *Report) {
	for _, text := range s.Data.Suspicious() {
		r.note(everything, "%s", text)
	}
	for _, text := range prepare.Crowded("input", s.Data.InputMesh) {
		r.note(greenItself, "%s", text)
	}
	if r.Gap > wideGap*r.Objective && r.Minimum == 0 && r.LandmarksX == 0 {
		r.note(everything, "the certificate is wide: the objective may be %.2g %% above its minimum; give a smaller tolerance, or a larger lambda if rounding is the limit", 100*r.Gap/r.Objective)
	}
	s.noteNeighbours(r)
	if s.OwnNoise { // which counts among the degrees of freedom of the fit, and of which none are ever left
		r.NoiseOpen = false
	}
	r.noteOpen(s.few())
	s.noteLoud(r)
	mean, spread, misfit := s.outputMoments(r)
	if s.Intercept == NoIntercept && math.Abs(mean) > farOffset*spread && !s.NoBias && spread > 0 {
		r.note("the bias", "the mean of the outputs, %.3g, is %.0f times their spread, and a penalised bias has to reach it: leave lambda and rho to the fit, or give the intercept \"flat\"", mean, math.Abs(mean)/spread)
	}
	// The mean curve is fitted, too: of outputs that depend on nothing it leaves (n-1)/n of the noise.
	if n := float64(s.Data.N()); misfit*(n-1)/n > worseThanMean {
		r.note(everything, "the misfit is %.2g times that of the mean curve: the estimate predicts its own data worse than no dependence on the inputs at all; a smaller lambda, or another kernel, is needed", misfit)
	}
}

// noteLoud says where a few values that count for little make sigma large. The sigma of a loss is that of the values that
// are right, whatever little the others count for.
func (s *Spec) noteLoud(r *Report) {
	if s.Data.Errors == nil || s.reweighted {
		return
	}
	all := slices.DeleteFunc(outputs.ErrorVariances(s.Data), math.IsNaN)
	slices.Sort(all)
	if ratio := math.Sqrt(outputs.MeanVariance(s.Data) / all[len(all)/2]); ratio > fewAreLoud {
		r.note("sigma as the noise of most values", "sigma is the root of the mean variance of a value, and most of that is of a few noisy ones, of small weight: that of the median value is sigma times %.3g", 1/ratio)
	}
}

// noteNeighbours looks at the correlation of the kernel between neighbouring points of
// each axis, in the middle of the meshes and beside it.
func (s *Spec) noteNeighbours(r *Report) {
	x, y := s.Data.InputMesh, s.Data.OutputMesh
	in := lattice.Space(x, y)
	if s.Constraint != nil {
		if l, err := constraint.LawsOf(s.Constraint, in); err != nil || l.Reduce != nil {
			return
		}
	}
	f, err := kernels.Compile(s.Kernel, in)
	if err != nil {
		return
	}
	first := 0
	for _, a := range append(x.Axes(), y.Axes()...) {
		if a.Dim() == 1 && a.Size() > 1 {
			if gap, c := neighbours(f, places(x, y), a, first); c < barelyJoined {
				r.note("G between the points of "+in.Names[first], "the kernel hardly connects neighbouring points of %s, which are %.3g apart (correlation %.2g): its lengthscale is below the spacing, or in another unit; values between the points are not learned", in.Names[first], gap, max(c, 0))
			}
		}
		first += a.Dim()
	}
}

// places are the middle of the meshes, and two on either side of where input and output meet, where a kernel may jump.
func places(x, y mesh.Mesh) (all [][]float64) {
	middle, inputs := lattice.Centre(x, y), x.Dim()
	for _, share := range []float64{0, -.25, .25} {
		p, first := slices.Clone(middle), 0
		for _, a := range append(x.Axes(), y.Axes()...) {
			for i := range a.Lower {
				side := share
				if first < inputs {
					side = -share
				}
				p[first] += side * (a.Upper[i] - a.Lower[i])
				first++
			}
		}
		all = append(all, p)
	}
	return all
}

// neighbours returns the median distance of the points of an axis, and the largest correlation
// at it around some places.
func neighbours(f *kernels.Function, places [][]float64, a mesh.Axis, first int) (gap, correlation float64) {
	var gaps []float64
	for i := 1; i < a.Size(); i++ {
		gaps = append(gaps, math.Abs(a.Coordinates[i]-a.Coordinates[i-1]))
	}
	slices.Sort(gaps)
	gap, correlation = gaps[len(gaps)/2], math.Inf(-1)
	for _, at := range places {
		p, q := slices.Clone(at), slices.Clone(at)
		p[first] -= gap / 2
		q[first] += gap / 2
		c := f.At(p, q) / math.Sqrt(f.At(p, p)*f.At(q, q))
		if math.IsNaN(c) {
			c = 1 // the kernel is zero there
		}
		correlation = max(correlation, c)
	}
	return gap, correlation
}

// outputMoments returns the mean of the outputs, their standard deviation over all, and
// the misfit over that of the mean curve; 0 where there is too little to say.
func (s *Spec) outputMoments(r *Report) (mean, spread, misfit float64) {
	d := s.Data
	my, dy := d.OutputMesh.Size(), d.OutputMesh.Weights()
	sums, squares, counts := make([]float64, my), make([]float64, my), make([]float64, my)
	for row := range slices.Chunk(d.Output.Data, my) {
		for k, v := range row {
			if !math.IsNaN(v) {
				sums[k] += v
				counts[k]++
			}
		}
	}
	means := quotients(sums, counts)
	for row := range slices.Chunk(d.Output.Data, my) {
		for k, v := range row {
			if !math.IsNaN(v) {
				squares[k] += (v - means[k]) * (v - means[k])
			}
		}
	}
	var length, curve, total float64
	for k, w := range dy {
		length += w * counts[k]
		mean += w * sums[k]
		curve += w * squares[k]
	}
	if length == 0 {
		return 0, 0, 0
	}
	mean /= length
	total = curve
	for k, w := range dy {
		if counts[k] > 0 {
			total += w * counts[k] * (means[k] - mean) * (means[k] - mean)
		}
	}
	// Of pairs that are all the same the squares around their mean are those of its rounding, which misfits exceed by chance.
	least := floats.Norm(observedOf(d), 2) * roundingOfMeans
	if curve > least*least*slices.Max(dy) {
		if around := s.aroundMeanCurve(); around > 0 && d.N() > 2 {
			misfit = r.MSE * float64(d.N()) / around
		}
	}
	return mean, math.Sqrt(total / length), misfit
}

// observedOf are the outputs that were observed.
func observedOf(d *dataset.Dataset) []float64 {
	return slices.DeleteFunc(slices.Clone(d.Output.Data), math.IsNaN)
}

// aroundMeanCurve is the sum of the squares that the mean curve leaves, each over the variance of its error as in the misfit;
// 0 where errors are correlated, whose misfit is another sum.
func (s *Spec) aroundMeanCurve() float64 {
	d := s.Data
	if d.Errors != nil && d.Errors.Covariance != nil {
		return 0
	}
	my, dy, variances := d.OutputMesh.Size(), d.OutputMesh.Weights(), outputs.VariancesOf(d)
	sums, weights, weight, total := make([]float64, my), make([]float64, my), make([]float64, my), 0.0
	each := func(rows *mat.Dense, do func(row []float64)) {
		copy(weight, dy)
		for i := range d.N() {
			if d.Errors != nil {
				variances(weight, i)
				for k, v := range weight {
					weight[k] = dy[k] / v
				}
			}
			do(rows.RawRowView(i))
		}
	}
	each(d.Filled(), func(row []float64) {
		for k, v := range row {
			if !math.IsNaN(v) && weight[k] > 0 {
				sums[k], weights[k] = sums[k]+weight[k]*v, weights[k]+weight[k]
			}
		}
	})
	means := quotients(sums, weights)
	_, observed := d.Matrices()
	each(observed, func(row []float64) {
		for k, v := range row {
			if !math.IsNaN(v) && weight[k] > 0 {
				total += weight[k] * (v - means[k]) * (v - means[k])
			}
		}
	})
	return total
}

// quotients are a/b.
func quotients(a, b []float64) []float64 { return floats.DivTo(make([]float64, len(a)), a, b) }

// checkScale refuses data so large or small that their squares are no numbers.
func (s *Spec) checkScale() error {
	for _, a := range []struct {
		name   string
		values []float64
	}{{"input", s.Data.Input.Data}, {"output", s.Data.Output.Data}} {
		size := 0.0
		for _, v := range a.values {
			if !math.IsNaN(v) {
				size = max(size, math.Abs(v))
			}
		}
		if size > mostSize || size > 0 && size < leastSize {
			return fmt.Errorf("data: the largest %s is %.3g, beyond %.0e … %.0e, where squares are still numbers; divide the %ss by %.0e, a unit of their own", a.name, size, leastSize, mostSize, a.name, math.Pow(10, math.Floor(math.Log10(size))))
		}
	}
	return nil
}
