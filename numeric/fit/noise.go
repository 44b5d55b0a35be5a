package fit

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/outputs"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Errors are those of the data that the estimate was learned from; nil for white noise, or where
// they are not known.
func (e *Estimate) Errors() *dataset.Errors {
	if e.learned == nil {
		return nil
	}
	if e.reduction != nil {
		return e.reduction.Errors
	}
	return e.learned.spec.Data.Errors
}

// OutputNoise is how the outputs of a fit are distributed about what it predicts: their errors on
// a mesh, and the root of the mean variance of a value, as the report's sigma is.
type OutputNoise struct {
	Mesh   mesh.Mesh
	Errors *dataset.Errors // nil: white
	Sigma  float64
}

// noise is that of the estimate. One that was read from a file without its data knows of
// white noise alone.
func (e *Estimate) noise() OutputNoise { return OutputNoise{e.OutputMesh, e.Errors(), e.Report.Sigma} }

// shaped reports whether the noise has standard deviations along the output, or a covariance.
func (o OutputNoise) shaped() bool {
	return o.Errors != nil && (o.Errors.Points != nil || o.Errors.Covariance != nil)
}

// std is the standard deviation at each point, in the mean of the squares of the pairs.
func (o OutputNoise) std() []float64 {
	out := linop.Ones(o.Mesh.Size())
	floats.Scale(o.Sigma, out)
	if !o.shaped() {
		return out
	}
	errs := *o.Errors
	errs.Pairs, errs.Values = nil, nil
	plain := dataset.Dataset{OutputMesh: o.Mesh, Errors: &errs}
	// sigma is of the mean variance, and white noise varies with the quadrature
	own, dy, mean, length := make([]float64, len(out)), o.Mesh.Weights(), 0.0, 0.0
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

// scales are the standard deviations of the pairs, over that in the mean of their squares; nil
// where they are the same.
func (o OutputNoise) scales() []float64 {
	if o.Errors == nil || o.Errors.Pairs == nil {
		return nil
	}
	out, mean := make([]float64, len(o.Errors.Pairs)), 0.0
	for i, w := range o.Errors.Pairs {
		out[i] = 1 / math.Sqrt(w)
		mean += 1 / w / float64(len(out))
	}
	floats.Scale(1/math.Sqrt(mean), out)
	return out
}

// pointVariance is that of an error at a point over that of white noise.
func pointVariance(d *dataset.Dataset, k int) float64 {
	v := 1.0
	if d.Errors.Covariance != nil {
		v = outputs.ScaledCovariance(d).At(k, k)
	}
	if d.Errors.Points != nil {
		v /= d.Errors.Points[k]
	}
	return v
}

// New is the noise of new outputs on a mesh, that of the data where it has no points. A point of
// another mesh has the standard deviation of the nearest one of the data; what it has in common
// with others is known where they are points of the data. How loud a new output is as a whole is not
// known: as loud as one of the data.
func (o OutputNoise) New(ys mesh.Mesh) (NewNoise, error) {
	n := NewNoise{Std: o.Sigma, Scales: o.scales()}
	if !o.shaped() {
		return n, nil
	}
	if ys.Size() == 0 {
		ys = o.Mesh
	}
	if err := array.CheckMatrix("covariance of the noise", 1, ys.Size(), ys.Size()); err != nil {
		return n, err
	}
	sd, of := o.std(), o.Errors.Covariance
	near, same := nearestPoints(ys, o.Mesh)
	n.Std, n.Covariance = 0, mat.NewDense(ys.Size(), ys.Size(), nil)
	for i, k := range near {
		for j, l := range near {
			switch {
			case i == j:
				n.Covariance.Set(i, i, sd[k]*sd[k])
			case of != nil && same[i] && same[j]:
				n.Covariance.Set(i, j, sd[k]*sd[l]*of.At(k, l)/math.Sqrt(of.At(k, k)*of.At(l, l)))
			}
		}
	}
	return n, nil
}

// nearestPoints are, of each point, the nearest one of others, and whether it is the same.
func nearestPoints(ys, others mesh.Mesh) (near []int, same []bool) {
	near, same = make([]int, ys.Size()), make([]bool, ys.Size())
	here, there := ys.Columns(), others.Columns()
	for i := range near {
		least := math.Inf(1)
		for k := range others.Size() {
			apart := 0.0
			for a := range here {
				apart += (here[a][i] - there[a][k]) * (here[a][i] - there[a][k])
			}
			if apart < least {
				near[i], least = k, apart
			}
		}
		same[i] = least == 0
	}
	return near, same
}

// NewNoise is the noise of a new output: white, of a standard deviation, and what is correlated
// along the output, a covariance of its points; nil for none. All of it is multiplied by one
// of the scales, each as likely as the others; nil stands for 1.
type NewNoise struct {
	Std        float64
	Covariance *mat.Dense
	Scales     []float64
}
