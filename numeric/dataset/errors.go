package dataset

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/remedy"
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
	if err := e.check(d.N(), d.OutputMesh.Size()); err != nil {
		return nil, err
	}
	out := *d
	out.Errors = e
	return &out, nil
}

// check compares errors with so many pairs and output points.
func (e *Errors) check(n, my int) error {
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
			return fmt.Errorf("%s: %d weights, must be %d", w.name, len(w.values), w.want)
		}
		for i, v := range w.values {
			if !(v > 0) || math.IsInf(v, 0) {
				return badWeight(w.name, i, my, v)
			}
		}
	}
	if c := e.Covariance; c != nil && c.SymmetricDim() != my {
		return fmt.Errorf("covariance: is %d × %d, must be %d × %d, between the points of the output", c.SymmetricDim(), c.SymmetricDim(), my, my)
	}
	return nil
}

// badWeight says which weight is wrong, and how what should not count is left out.
func badWeight(name string, i, points int, v float64) error {
	switch name {
	case "pairs":
		return remedy.LeaveOutPair.For(fmt.Errorf("pairs: weight %d is %g, must be finite and > 0", i+1, v), i+1)
	case "values":
		return remedy.LeaveOutValue.For(fmt.Errorf("values: weight [%d][%d], of pair %[1]d at output point %[2]d, is %[3]g, must be finite and > 0", i/points+1, i%points+1, v), i/points+1, i%points+1)
	}
	return fmt.Errorf("%s: weight %d is %g, must be finite and > 0", name, i+1, v)
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

// OfDeviations are errors with given standard deviations at the output points, up to a factor.
func (d *Dataset) OfDeviations(sd []float64) (*Errors, error) {
	dy := d.OutputMesh.Weights()
	if len(sd) != len(dy) {
		return nil, fmt.Errorf("%d standard deviations, must be %d, one for each point of the output", len(sd), len(dy))
	}
	mean, count := 0.0, 0.0
	for k, v := range sd {
		if !(v > 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("standard deviation %d is %g, must be finite and > 0", k+1, v)
		}
		if dy[k] > 0 {
			mean, count = mean+dy[k]*(v/sd[0])*(v/sd[0]), count+1
		}
	}
	e := &Errors{Points: make([]float64, len(sd))}
	for k, v := range sd {
		if e.Points[k] = 1; dy[k] > 0 {
			e.Points[k] = mean / count / (dy[k] * (v / sd[0]) * (v / sd[0]))
		}
		if w := e.Points[k]; !(w > 0) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("standard deviations from %g to %g: are too far apart for their squares to be compared", slices.Min(sd), slices.Max(sd))
		}
	}
	return e, nil
}

// OfCovariance are errors with a given covariance between the output points, up to a factor:
// a symmetric positive definite matrix.
func (d *Dataset) OfCovariance(ctx context.Context, a *array.Array) (*Errors, error) {
	my := d.OutputMesh.Size()
	if a.Rank() != 2 || a.Shape[0] != my || a.Shape[1] != my {
		return nil, fmt.Errorf("a covariance of shape %s, must be %d × %d, between the points of the output", dense.ShapeString(a.Shape), my, my)
	}
	c, correlation := mat.NewSymDense(my, nil), mat.NewDense(my, my, nil)
	for i := range my {
		if v := a.At(i, i); !(v > 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the variance in row %d is %g, must be finite and > 0", i+1, v)
		}
	}
	for i := range my {
		for j := range my {
			size := math.Sqrt(a.At(i, i)) * math.Sqrt(a.At(j, j))
			v, w := a.At(i, j)/size, a.At(j, i)/size
			if !(math.Abs(v-w) <= 1e-8) {
				return nil, fmt.Errorf("not symmetric: row %d, column %d is %g, and row %d, column %d is %g", i+1, j+1, a.At(i, j), j+1, i+1, a.At(j, i))
			}
			correlation.Set(i, j, (v+w)/2)
			c.SetSym(i, j, (v+w)/2*size)
		}
	}
	values, _, err := linop.Eigen(ctx, correlation)
	if err != nil {
		return nil, err
	}
	if least := values[0]; !(least > leastCorrelation) {
		return nil, fmt.Errorf("not positive definite: the least eigenvalue of its correlations is %.2g, must be above %.0e; a little on the diagonal, the variance of white noise, makes it so", least, leastCorrelation)
	}
	return &Errors{Covariance: c}, nil
}

// leastCorrelation bounds the eigenvalues of correlations: beyond, rounding would decide.
const leastCorrelation = 1e-12
