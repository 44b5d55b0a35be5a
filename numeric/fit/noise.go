package fit

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// variances are those of the errors of all outputs that were observed, over that of white
// noise, and NaN of the others.
func variances(d *dataset.Dataset) []float64 {
	my, e, dy := d.OutputMesh.Size(), d.Errors, d.OutputMesh.Weights()
	var c *mat.SymDense
	if e != nil && e.Covariance != nil {
		c = scaledCovariance(d)
	}
	out := make([]float64, len(d.Output.Data))
	for i, v := range d.Output.Data {
		out[i] = 1
		switch {
		case math.IsNaN(v) || !(dy[i%my] > 0):
			out[i] = math.NaN()
			continue
		case e == nil:
			continue
		case c != nil:
			out[i] = c.At(i%my, i%my)
		}
		if e.Pairs != nil {
			out[i] /= e.Pairs[i/my]
		}
		if e.Points != nil {
			out[i] /= e.Points[i%my]
		}
		if e.Values != nil {
			out[i] /= e.Values.Data[i]
		}
	}
	return out
}

// meanVariance is the mean of what was observed of them.
func meanVariance(d *dataset.Dataset) float64 {
	sum, count := 0.0, 0.0
	for _, v := range variances(d) {
		if !math.IsNaN(v) {
			sum, count = sum+v, count+1
		}
	}
	return sum / max(count, 1)
}

// noiseDeviation is that of the noise of a value, for the least value of the objective: REML
// takes this for the noise of the samples, squared and integrated over the observed outputs,
// where their errors have the variance of white noise.
func noiseDeviation(d *dataset.Dataset, least float64) float64 {
	length, dy := 0.0, d.OutputMesh.Weights()
	for i, v := range d.Output.Data {
		if !math.IsNaN(v) {
			length += dy[i%len(dy)] / float64(d.N())
		}
	}
	return math.Sqrt(least * meanVariance(d) / length)
}

// NoiseStd is the standard deviation of the noise at each point of the output, in the mean of
// the squares of the pairs, as the report's sigma and the errors of the data have it. Estimates that were read
// from a file without their data know of white noise alone.
func (e *Estimate) NoiseStd() []float64 {
	out := ones(e.OutputMesh.Size())
	floats.Scale(e.Report.Sigma, out)
	if !e.shaped() {
		return out
	}
	d := e.learned.spec.Data
	plain, errs := *d, *d.Errors
	errs.Pairs, errs.Values = nil, nil
	plain.Errors = &errs
	// sigma is of the mean variance, and white noise varies with the quadrature
	own, dy, mean, length := make([]float64, len(out)), e.OutputMesh.Weights(), 0.0, 0.0
	for k, w := range dy {
		if w > 0 {
			own[k] = pointVariance(&plain, k)
			mean, length = mean+own[k], length+w
		}
	}
	for k, w := range dy {
		if w > 0 {
			out[k] *= math.Sqrt(own[k] / w * length / mean)
		}
	}
	return out
}

// pointVariance is that of an error at a point over that of white noise.
func pointVariance(d *dataset.Dataset, k int) float64 {
	v := 1.0
	if d.Errors.Covariance != nil {
		v = scaledCovariance(d).At(k, k)
	}
	if d.Errors.Points != nil {
		v /= d.Errors.Points[k]
	}
	return v
}

// Errors are those of the data that the estimate was learned from; nil for white noise, or where
// they are not known.
func (e *Estimate) Errors() *dataset.Errors {
	if e.learned == nil {
		return nil
	}
	return e.learned.spec.Data.Errors
}

// shaped reports whether the noise has standard deviations along the output, or a covariance.
func (e *Estimate) shaped() bool {
	errs := e.Errors()
	return errs != nil && (errs.Points != nil || errs.Covariance != nil)
}

// newNoise is the noise of new outputs on a mesh, that of the data where it has no points. On
// another one each point has the standard deviation of the nearest point of the data, and none
// is known of what they have in common.
func (e *Estimate) newNoise(ys mesh.Mesh) (NewNoise, error) {
	if !e.shaped() {
		return NewNoise{Std: e.Report.Sigma}, nil
	}
	if err := array.CheckMatrix("covariance of the noise", 1, ys.Size(), ys.Size()); err != nil {
		return NewNoise{}, err
	}
	sd, own := e.NoiseStd(), e.OutputMesh
	if ys.Size() == 0 || ys.Equal(own) {
		c := mat.NewDense(len(sd), len(sd), nil)
		var of *mat.SymDense
		if e.Errors().Covariance != nil {
			of = e.Errors().Covariance
		}
		for k := range sd {
			for l := range sd {
				switch {
				case k == l:
					c.Set(k, k, sd[k]*sd[k])
				case of != nil:
					c.Set(k, l, sd[k]*sd[l]*of.At(k, l)/math.Sqrt(of.At(k, k)*of.At(l, l)))
				}
			}
		}
		return NewNoise{Covariance: c}, nil
	}
	c, here, there := mat.NewDense(ys.Size(), ys.Size(), nil), ys.Columns(), own.Columns()
	for i := range ys.Size() {
		near, least := 0, math.Inf(1)
		for k := range sd {
			apart := 0.0
			for a := range here {
				apart += (here[a][i] - there[a][k]) * (here[a][i] - there[a][k])
			}
			if apart < least {
				near, least = k, apart
			}
		}
		c.Set(i, i, sd[near]*sd[near])
	}
	return NewNoise{Covariance: c}, nil
}
