package dataset

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
)

// Errors says how the errors of outputs are distributed, up to a factor that all of them have
// in common: weights that the squares of the misfit are multiplied by, beside the quadrature,
// and the covariance of the errors of a pair. Of an error of weight w the variance is that of
// one of weight 1 over w. Its parts may be nil, and all of them are for white noise.
type Errors struct {
	Pairs      []float64     // weights of the pairs
	Points     []float64     // weights of the output points
	Values     *array.Array  // weights of the values, n × points
	Covariance *mat.SymDense // of the errors of one pair of weight 1, points × points
}

// WithErrors returns the pairs with errors that are not white, or says what is wrong with
// these by the name of the field.
func (d *Dataset) WithErrors(e *Errors) (*Dataset, error) {
	n, my := d.N(), d.OutputMesh.Size()
	values := []float64(nil)
	if e.Values != nil {
		values = e.Values.Data
	}
	for _, w := range []struct {
		name   string
		values []float64
		want   int
	}{{"pairs", e.Pairs, n}, {"points", e.Points, my}, {"values", values, n * my}} {
		if w.values != nil && len(w.values) != w.want {
			return nil, fmt.Errorf("%s: %d weights, must be %d", w.name, len(w.values), w.want)
		}
		for i, v := range w.values {
			if !(v > 0) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s: weight %d is %g, must be finite and > 0", w.name, i+1, v)
			}
		}
	}
	if c := e.Covariance; c != nil && c.SymmetricDim() != my {
		return nil, fmt.Errorf("covariance: is %d × %d, must be %d × %d, between the points of the output", c.SymmetricDim(), c.SymmetricDim(), my, my)
	}
	out := *d
	out.Errors = e
	return &out, nil
}

// of are the errors of some pairs.
func (e *Errors) of(pairs []int, points int) *Errors {
	if e == nil || e.Pairs == nil && e.Values == nil {
		return e
	}
	out := *e
	if e.Pairs != nil {
		out.Pairs = take(e.Pairs, pairs)
	}
	if e.Values != nil {
		out.Values = array.New(len(pairs), points)
		for i, p := range pairs {
			copy(out.Values.Data[i*points:], e.Values.Data[p*points:(p+1)*points])
		}
	}
	return &out
}

// rows are the errors of the pairs from … to-1.
func (e *Errors) rows(from, to, points int) *Errors {
	pairs := make([]int, to-from)
	for i := range pairs {
		pairs[i] = from + i
	}
	return e.of(pairs, points)
}

// at are the errors at some of so many output points.
func (e *Errors) at(points []int, of int) *Errors {
	if e == nil {
		return nil
	}
	out := *e
	if e.Points != nil {
		out.Points = take(e.Points, points)
	}
	if e.Values != nil {
		n := e.Values.Size() / of
		out.Values = array.New(n, len(points))
		for i := range n {
			for j, k := range points {
				out.Values.Data[i*len(points)+j] = e.Values.Data[i*of+k]
			}
		}
	}
	if e.Covariance != nil {
		out.Covariance = mat.NewSymDense(len(points), nil)
		for i, k := range points {
			for j := range i + 1 {
				out.Covariance.SetSym(i, j, e.Covariance.At(k, points[j]))
			}
		}
	}
	return &out
}

// Arrays are the parts that there are, by name: pairs, points, values, covariance.
func (e *Errors) Arrays() map[string]*array.Array {
	all := map[string]*array.Array{}
	if e == nil {
		return all
	}
	if e.Pairs != nil {
		all["pairs"] = array.Vector(e.Pairs)
	}
	if e.Points != nil {
		all["points"] = array.Vector(e.Points)
	}
	if e.Values != nil {
		all["values"] = e.Values
	}
	if e.Covariance != nil {
		all["covariance"] = array.FromMatrix(mat.DenseCopyOf(e.Covariance))
	}
	return all
}

// ErrorsOf are those of Arrays.
func ErrorsOf(parts map[string]*array.Array) *Errors {
	e := &Errors{Values: parts["values"]}
	if a := parts["pairs"]; a != nil {
		e.Pairs = a.Data
	}
	if a := parts["points"]; a != nil {
		e.Points = a.Data
	}
	if a := parts["covariance"]; a != nil {
		e.Covariance = mat.NewSymDense(a.Shape[0], a.Data)
	}
	return e
}
