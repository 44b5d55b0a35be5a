package outputs

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
)

// Stacked are the errors of outputs as those of one output on their disjoint union; nil where
// all are white. Errors of different outputs are independent.
func Stacked(outs []*dataset.Field) (*dataset.Errors, error) {
	if len(outs) == 1 {
		return outs[0].Errors, nil
	}
	each := outs[0].Mesh.Size()
	n, all := outs[0].Values.Size()/each, len(outs)*each
	e := &dataset.Errors{}
	for o, out := range outs {
		own := out.Errors
		if own == nil {
			continue
		}
		if own.Pairs != nil || own.Points != nil || own.Values != nil {
			if e.Values == nil {
				if err := dense.CheckMatrix("weights of the outputs", 1, n, all); err != nil {
					return nil, err
				}
				e.Values = array.New(n, all)
				for i := range e.Values.Data {
					e.Values.Data[i] = 1
				}
			}
			for i := range n {
				for k := range each {
					e.Values.Data[(i*len(outs)+o)*each+k] = WeightOf(own, i, k, each)
				}
			}
		}
		if own.Covariance != nil && e.Covariance == nil {
			if err := dense.CheckMatrix("covariance of the noise", 2, all, all); err != nil {
				return nil, err
			}
			e.Covariance = mat.NewSymDense(all, nil)
		}
	}
	if e.Covariance != nil {
		for o, out := range outs {
			AddCovariance(e.Covariance, o*each, out)
		}
	}
	if e.Values == nil && e.Covariance == nil {
		return nil, nil
	}
	return e, nil
}

// AddCovariance puts that of an output into that of all, with the mean variance of white noise.
func AddCovariance(all *mat.SymDense, first int, out *dataset.Field) {
	dy, c := out.Mesh.Weights(), (*mat.SymDense)(nil)
	if out.Errors != nil {
		c = out.Errors.Covariance
	}
	mean, count := 0.0, 0.0
	for k, w := range dy {
		if c != nil && w > 0 {
			mean, count = mean+w*c.At(k, k), count+1
		}
	}
	for k, w := range dy {
		switch {
		case c != nil:
			for l := range k + 1 {
				all.SetSym(first+k, first+l, c.At(k, l)/(mean/count))
			}
		case w > 0:
			all.SetSym(first+k, first+k, 1/w)
		default:
			all.SetSym(first+k, first+k, 1)
		}
	}
}

// WeightOf is that of a value, without the covariance.
func WeightOf(e *dataset.Errors, i, k, each int) float64 {
	w := 1.0
	if e.Pairs != nil {
		w *= e.Pairs[i]
	}
	if e.Points != nil {
		w *= e.Points[k]
	}
	if e.Values != nil {
		w *= e.Values.Data[i*each+k]
	}
	return w
}

// Split gives outputs what errors of all of them on one mesh are for each: those of one as they are,
// of several as weights of samples and points where they are that, and beside those that an output has.
func Split(outs []*dataset.Field, e *dataset.Errors) (all []*dataset.Field) {
	if len(outs) == 1 {
		one := *outs[0]
		one.Errors = e
		return []*dataset.Field{&one}
	}
	each := outs[0].Mesh.Size()
	for o, out := range outs {
		one, own := *out, dataset.Errors{}
		if out.Errors != nil {
			own = *out.Errors
		}
		if e.Values != nil {
			own.Values = nil
			rest := array.New(out.Values.Size()/each, each)
			for at := range rest.Data {
				i, k := at/each, at%each
				rest.Data[at] = e.Values.Data[(i*len(outs)+o)*each+k] / WeightOf(&own, i, k, each)
			}
			own = *beside(own, rest)
		}
		one.Errors = &own
		all = append(all, &one)
	}
	return all
}

// beside are errors with weights w of the values, as weights of samples times those of points
// where they are that.
func beside(e dataset.Errors, w *array.Array) *dataset.Errors {
	n, m := w.Shape[0], w.Shape[1]
	pairs, points := make([]float64, n), make([]float64, m)
	for at, v := range w.Data {
		i, k := at/m, at%m
		if k == 0 {
			pairs[i] = v / w.Data[0]
		}
		if i == 0 {
			points[k] = v
		}
		if product := pairs[i] * points[k]; math.Abs(product-v) > 1e-9*v {
			e.Values = w
			return &e
		}
	}
	for i := range pairs {
		if e.Pairs != nil {
			pairs[i] *= e.Pairs[i]
		}
	}
	for k := range points {
		if e.Points != nil {
			points[k] *= e.Points[k]
		}
	}
	e.Pairs, e.Points = pairs, points
	return &e
}

// ShareOfErrors is the mean variance of the errors of an output over that of all data of a fit.
func ShareOfErrors(out *dataset.Field, d *dataset.Dataset) float64 {
	own := &dataset.Dataset{Output: out.Values, OutputMesh: out.Mesh, Errors: out.Errors}
	return MeanVariance(own) / MeanVariance(d)
}
