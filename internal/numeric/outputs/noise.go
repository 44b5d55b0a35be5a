package outputs

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Noise is how the outputs of a fit are distributed about what it predicts: their errors on
// a mesh, and the root of the mean variance of a value, as the report's sigma is.
type Noise struct {
	Mesh   mesh.Mesh
	Output *array.Array    // of the data, NaN where none was observed; nil: all were
	Errors *dataset.Errors // nil: white
	Huber  bool            // the weights of single values are those of Huber's loss, and say nothing of the noise
	Sigma  float64
}

// data are pairs with the errors that the noise has, all outputs observed, and which of them were.
func (o Noise) data() (d *dataset.Dataset, observed func(i int) bool) {
	e := dataset.Errors{}
	if o.Errors != nil {
		e = *o.Errors
	}
	if o.Huber {
		e.Values = nil
	}
	my, n := o.Mesh.Size(), 1
	switch {
	case o.Output != nil:
		n = o.Output.Size() / my
	case e.Values != nil:
		n = e.Values.Size() / my
	case e.Pairs != nil:
		n = len(e.Pairs)
	}
	d = &dataset.Dataset{Output: array.New(n, my), OutputMesh: o.Mesh, Errors: &e}
	return d, func(i int) bool { return o.Output == nil || !math.IsNaN(o.Output.Data[i]) }
}

// std is the standard deviation at each point, in the mean of the squares of the pairs. Sigma is of the mean variance
// over what was observed, and white noise has one variance for each length: at a point that stands for the
// length dy, that over dy.
func (o Noise) std() []float64 {
	d, observed := o.data()
	my, dy := o.Mesh.Size(), o.Mesh.Weights()
	variances, length, mean := ErrorVariances(d), 0.0, 0.0
	for i, v := range variances {
		if !math.IsNaN(v) && observed(i) {
			length, mean = length+dy[i%my], mean+v
		}
	}
	if scales := o.scales(); scales != nil {
		for i := range variances {
			variances[i] /= scales[i/my] * scales[i/my]
		}
	}
	all, seen := meansAt(variances, my, func(int) bool { return true }), meansAt(variances, my, observed)
	out := make([]float64, my)
	for k, w := range dy {
		own := seen[k]
		if math.IsNaN(own) {
			own = all[k]
		}
		if out[k] = o.Sigma * math.Sqrt(own/w*length/mean); math.IsNaN(own) {
			out[k] = o.Sigma
		}
	}
	return out
}

// meansAt are means of the numbers of pairs at each of so many points, of those that count; NaN of none.
func meansAt(all []float64, points int, counts func(i int) bool) []float64 {
	sum, count := make([]float64, points), make([]float64, points)
	for i, v := range all {
		if counts(i) {
			sum[i%points], count[i%points] = sum[i%points]+v, count[i%points]+1
		}
	}
	floats.Div(sum, count)
	return sum
}

// scales are the standard deviations of the pairs, over that in the mean of their squares; nil
// where they are the same.
func (o Noise) scales() []float64 {
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

// New is the noise of new outputs on a mesh, that of the data where it has no points. A point of
// another mesh has the standard deviation of the nearest one of the data; what it has in common
// with others is known where they are points of the data. How loud a new output is as a whole is not
// known: as loud as one of the data.
func (o Noise) New(ys mesh.Mesh) (NewNoise, error) {
	n := NewNoise{Scales: o.scales()}
	if ys.Size() == 0 {
		ys = o.Mesh
	}
	sd := o.std()
	white := o.Errors == nil || o.Errors.Covariance == nil
	switch {
	case white && ys.Equal(o.Mesh):
		n.Std = sd
		return n, nil
	case white && slices.Min(sd) == slices.Max(sd):
		n.Std = slices.Repeat(sd[:1], ys.Size())
		return n, nil
	}
	near, same := nearestPoints(ys, o.Mesh)
	at := make([]float64, len(near))
	for i, k := range near {
		at[i] = sd[k]
	}
	if white {
		n.Std = at
		return n, nil
	}
	of := o.Errors.Covariance
	if err := dense.CheckMatrix("covariance of the noise", 1, ys.Size(), ys.Size()); err != nil {
		return n, err
	}
	n.Covariance = mat.NewDense(ys.Size(), ys.Size(), nil)
	for i, k := range near {
		for j, l := range near {
			switch {
			case i == j:
				n.Covariance.Set(i, i, at[i]*at[i])
			case same[i] && same[j]:
				n.Covariance.Set(i, j, at[i]*at[j]*of.At(k, l)/math.Sqrt(of.At(k, k)*of.At(l, l)))
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
